"""Setting up the site: finding Python, preparing, and the services of docker-compose.yml."""

import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import yaml
from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.exceptions import ImproperlyConfigured

from polyhedral_site.management.commands import prepare
from tests.factories import RulesetFactory

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("home", [{}, {"HOME": "/nowhere"}])  # services of the system have none
def test_an_old_python_is_refused_with_a_sentence(tmp_path, home):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("dirname", "basename", "cmp", "sh"):
        (programs / name).symlink_to(shutil.which(name))
    old = programs / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" || exit 1\n')
    old.chmod(0o755)
    shim = programs / "python3.13"
    shim.write_text("#!/bin/sh\necho 'version 3.13 is not installed' >&2\nexit 127\n")
    shim.chmod(0o755)
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "bin" / "venv", tmp_path / "bin" / "venv")

    command = [tmp_path / "bin" / "venv", "requirements.txt"]
    result = subprocess.run(command, env={"PATH": str(programs), **home}, capture_output=True, text=True)
    assert result.returncode == 1
    assert "Python 3.12 or newer is needed" in result.stderr
    assert "(Python 3.9.2)" in result.stderr
    assert not (tmp_path / ".venv").exists()


def test_the_data_folder_is_made_before_the_database_is_used(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path / "not" / "there"
    done = []
    monkeypatch.setattr(prepare.Command, "check", lambda self, **_: done.append(settings.DATA_DIR.is_dir()))
    monkeypatch.setattr(prepare, "call_command", lambda name, *_, **__: done.append(name))
    monkeypatch.setattr(prepare.migration_state, "applied", list)
    monkeypatch.setattr(prepare, "look_for_the_games", lambda: None)
    monkeypatch.setattr(prepare, "publish_missing", lambda: done.append("publish_missing"))
    monkeypatch.setattr(prepare, "collect_static", lambda: None)
    monkeypatch.setattr(prepare, "compile_anew", lambda: None)
    monkeypatch.setattr(prepare, "look_for_the_database", lambda: done.append(settings.DATA_DIR.is_dir()))
    prepare.Command().run_from_argv(["manage.py", "prepare"])
    assert done[:3] == [True, True, "migrate"]
    assert stat.S_IMODE(settings.DATA_DIR.stat().st_mode) == 0o700
    assert {"load_rules", "publish_missing", "nightly"} <= set(done)


def test_rules_of_a_game_that_is_no_longer_here_are_found_at_the_start(db):
    prepare.look_for_the_games()
    RulesetFactory(name="Quoits", game="quoits")
    with pytest.raises(
        ImproperlyConfigured, match="The ruleset Quoits belongs to the game “quoits”, which this version"
    ):
        prepare.look_for_the_games()


def test_static_files_that_were_half_collected_are_collected_again(tmp_path, settings, monkeypatch):
    settings.DATA_DIR, collected = tmp_path, []
    monkeypatch.setattr(prepare, "static_digest", lambda: "the files of today")
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: collected.append(name))
    prepare.collect_static()
    prepare.collect_static()
    assert collected == ["collectstatic"]

    def killed(name, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(prepare, "static_digest", lambda: "the files of an upgrade")
    monkeypatch.setattr(prepare, "call_command", killed)
    with pytest.raises(KeyboardInterrupt):
        prepare.collect_static()
    monkeypatch.setattr(prepare, "static_digest", lambda: "the files of today")
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: collected.append(name))
    prepare.collect_static()
    assert collected == ["collectstatic", "collectstatic"]


def test_a_static_file_with_another_name_is_another_file(tmp_path, settings, monkeypatch):
    settings.STATICFILES_DIRS = [tmp_path]
    monkeypatch.setattr(prepare, "get_finders", lambda: [FileSystemFinder()])
    (tmp_path / "moth.js").write_text("")
    before = prepare.static_digest()
    (tmp_path / "moth.js").rename(tmp_path / "bat.js")
    assert prepare.static_digest() != before


def test_the_services_have_no_default_secret():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "ALLOWED_HOSTS", "EMAIL_HOST", "EMAIL_FROM"):
        assert f"${{{name}:?" in text
    web = yaml.safe_load(text)["services"]["web"]["environment"]
    assert web["PRODUCTION"] == "1"
    assert web["DATABASE_URL"].startswith("postgresql://")


def test_the_address_of_the_database_has_no_password():
    web = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["environment"]
    assert "$" not in web["DATABASE_URL"]
    assert web["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_what_is_only_for_speed_can_be_turned_off_in_the_services():
    web = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["environment"]
    assert {name: web.get(name) for name in ("FAST_SQL", "PAGE_CACHE", "VERSION_CACHE")} == {
        name: f"${{{name}:-1}}" for name in ("FAST_SQL", "PAGE_CACHE", "VERSION_CACHE")
    }


def test_images_are_named_by_digest():
    images = re.findall(
        r"^(?:FROM|\s+image:) (\S+)",
        "\n".join((ROOT / name).read_text() for name in ("Dockerfile", "docker-compose.yml")),
        re.M,
    )
    assert len(images) == 3
    assert all(re.fullmatch(r"\w+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in images)


def test_a_database_that_is_still_being_set_up_counts_as_away():
    database = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["database"]
    assert " -h 127.0.0.1 " in " ".join(database["healthcheck"]["test"])


def test_the_programs_for_backups_are_of_the_same_version_as_the_server():
    server = re.search(r"image: postgres:(\d+)", (ROOT / "docker-compose.yml").read_text())[1]
    assert f"postgresql-client-{server} " in (ROOT / "Dockerfile").read_text()


def test_the_image_can_be_stopped_while_the_site_is_prepared():
    """Process 1 gets only the signals that it handles, and neither a shell nor `manage.py` handles SIGTERM."""
    image = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^ENTRYPOINT \[\"tini\",", image, re.M)
    assert re.search(r"apt-get install .* tini ", image)


@pytest.mark.parametrize("name", [".gitignore", ".dockerignore"])
def test_the_file_of_secrets_is_ignored_by_git_and_docker(name):
    assert ".env" in (ROOT / name).read_text().splitlines()


def test_the_readme_lists_every_variable_the_services_and_the_settings_read():
    readme = (ROOT / "README.md").read_text()
    reads = re.compile(r"""(?:environment\.\w+|environ\.get)\(\s*"([A-Z_]+)\"""")
    found = set(reads.findall((ROOT / "polyhedral_site" / "settings.py").read_text()))
    found |= set(yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["environment"])
    assert len(found) > 10
    assert {name for name in found if f"`{name}`" not in readme} == set()


def test_locked_dependencies_name_no_host():
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert "--hash=sha256:" in text
        assert not re.search(r"://|--(extra-)?index-url|--find-links", text)
