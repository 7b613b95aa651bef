"""`manage.py prepare` saves compiled regions, and pages work without them."""

import shutil

import pytest
from django.template import engines
from jinja2 import Environment, FileSystemLoader
from jinja2.bccache import bc_magic

from characters.pages.compiled_regions import compile_anew, load_all
from characters.pages.drawing import environment
from polyhedral_site.management.commands import prepare

OWN, SHARED = "games/polyhedral/play/own.jinja", "games/polyhedral/shared.jinja"


@pytest.fixture
def templates(tmp_path):
    folder = tmp_path / "templates"
    for name, text in (("games/polyhedral/play/own", "own"), ("characters/shared", "{{ -1 | signed }}")):
        path = folder / f"{name}.jinja"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return folder


@pytest.fixture
def start(settings, templates, monkeypatch):
    """Acts like the start of a process: no template is loaded yet, and the data folder is the same."""
    settings.DATA_DIR = templates.parent

    def started(folder=templates):
        env = environment(loader=FileSystemLoader(folder))
        monkeypatch.setattr(engines["regions"], "env", env)
        return env

    started()
    return started


@pytest.fixture
def compiled(monkeypatch):
    """The names of the templates that were compiled."""
    found = []
    compile_one = Environment.compile

    def noted(self, source, name=None, *args, **kwargs):
        found.append(name)
        return compile_one(self, source, name, *args, **kwargs)

    monkeypatch.setattr(Environment, "compile", noted)
    return found


@pytest.mark.full
def test_a_start_after_prepare_compiles_no_template(start, compiled, settings):
    real = settings.TEMPLATES[1]["DIRS"]
    start(real)
    compile_anew()
    assert len(compiled) > 50
    compiled.clear()
    start(real)
    load_all()
    assert compiled == []


def test_prepare_compiles_all_templates_again(start, compiled, monkeypatch):
    for one in ("look_for_the_database", "look_for_the_games", "call_command", "publish_missing", "collect_static"):
        monkeypatch.setattr(prepare, one, lambda *_, **__: None)
    monkeypatch.setattr(prepare.migration_state, "applied", list)
    monkeypatch.setattr(prepare.Command, "check", lambda *_, **__: None)
    for _ in range(2):
        compiled.clear()
        start()
        prepare.Command().prepare()
        assert {OWN, SHARED} <= set(compiled)


def test_only_an_edited_template_is_compiled_again(start, compiled, templates):
    compile_anew()
    compiled.clear()
    (templates / OWN).write_text("edited")
    env = start()
    assert env.get_template(OWN).render() == "edited"
    assert env.get_template(SHARED).render() == "\N{MINUS SIGN}1"
    assert compiled == [OWN]


def halved(path):
    path.write_bytes(path.read_bytes()[: len(bc_magic) + 20])


def without_code(path):
    path.write_bytes(bc_magic + b"no pickle")


def emptied(path):
    path.write_bytes(b"")


def a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [halved, without_code, emptied, a_folder])
def test_a_template_is_compiled_if_its_saved_code_cannot_be_read(start, compiled, templates, spoil):
    compile_anew()
    compiled.clear()
    for path in (templates.parent / "regions").iterdir():
        spoil(path)
    assert start().get_template(OWN).render() == "own"
    assert compiled == [OWN]


def gone(folder):
    shutil.rmtree(folder)


def a_file(folder):
    shutil.rmtree(folder)
    folder.touch()


@pytest.mark.parametrize("spoil", [gone, a_file])
def test_a_page_is_drawn_even_if_the_folder_of_compiled_regions_is_missing_or_a_file(start, compiled, templates, spoil):
    compile_anew()
    compiled.clear()
    spoil(templates.parent / "regions")
    assert start().get_template(OWN).render() == "own"
    assert compiled == [OWN]


def test_a_page_is_drawn_even_if_the_disk_is_full(start, compiled, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("jinja2.bccache.tempfile.NamedTemporaryFile", full)
    compile_anew()
    compiled.clear()
    assert start().get_template(OWN).render() == "own"
    assert compiled == [OWN]


def test_nothing_is_saved_with_debug(start, settings, templates):
    settings.DEBUG = True
    start()
    compile_anew()
    assert not (templates.parent / "regions").exists()
