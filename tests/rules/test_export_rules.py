"""`export_rules`: a pack is always written in the same form, so loading and exporting it again changes no byte."""

from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.models import Element
from rules.packs.export import HEADER
from rules.packs.load import PACKS, load_rules
from rules.packs.yaml_text import Block, document, tidy

from .small_pack import contents, exported, write_layer, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def test_exporting_the_shipped_pack_gives_the_shipped_bytes(tmp_path):
    assert exported("polyhedral-core", tmp_path) == contents(PACKS / "polyhedral-core")


def test_loading_an_export_and_exporting_again_changes_nothing(tmp_path):
    load_rules(write_pack(tmp_path / "small"))
    first = exported("small-core", tmp_path / "first")
    report = load_rules(tmp_path / "first", force=True)
    assert not report.moved, report.lines
    assert exported("small-core", tmp_path / "second") == first


def test_an_export_loads_into_an_empty_database(tmp_path, no_rules, django_db_setup):
    load_rules(write_pack(tmp_path / "small"))
    first = exported("small-core", tmp_path / "first")
    django_db_setup.delete()
    assert load_rules(tmp_path / "first").added == 38
    assert exported("small-core", tmp_path / "second") == first


@pytest.mark.parametrize("status", ["retired", "draft"])
def test_retired_elements_and_drafts_are_exported(tmp_path, status):
    load_rules(write_pack(tmp_path / "small"))
    Element.objects.filter(ruleset__slug="small", slug="odd").update(status=status)
    talents = exported("small-core", tmp_path / "out")["talents.yaml"].decode()
    assert f"- {{slug: odd, name: Odd, status: {status}}}" in talents


def test_a_layer_names_its_ruleset_and_what_it_requires(tmp_path):
    load_rules(write_pack(tmp_path / "small"))
    load_rules(write_layer(tmp_path / "house", talents="- {slug: brisk, name: Brisk}"))
    source = """
        ruleset: {slug: small}
        source: {slug: other, title: Other, requires: [house]}
        """
    other = write_layer(tmp_path / "other", source=source, gear="- {slug: rope, name: Rope}")
    load_rules(other)
    headed = {name: HEADER.format(Path(name).stem).encode() + text for name, text in contents(other).items()}
    assert exported("other", tmp_path / "out") == headed


def test_line_endings_of_browsers_are_tidied(tmp_path):
    load_rules(write_pack(tmp_path / "small"))
    Element.objects.filter(ruleset__slug="small", slug="odd").update(text="One.  \r\n\r\nTwo.\r\n")
    assert b"  text: |\n    One.\n\n    Two.\n" in exported("small-core", tmp_path / "out")["talents.yaml"]
    assert not load_rules(tmp_path / "out", force=True).moved


def test_files_that_are_no_longer_needed_are_deleted(tmp_path):
    load_rules(write_pack(tmp_path / "small"))
    (tmp_path / "small" / "tools.yaml").write_text("[]\n")
    assert "tools.yaml" not in exported("small-core", tmp_path / "small")


def test_the_command_writes_and_names_the_files(tmp_path):
    out = StringIO()
    call_command("export_rules", "polyhedral/polyhedral-core", str(tmp_path), stdout=out)
    assert str(tmp_path / "talents.yaml") in out.getvalue().split()


# The YAML itself

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).map(tidy).filter(bool)
AWKWARD = st.lists(
    st.sampled_from(["a", "no", "1", ":", " ", "#", ",", "{", "]", "?", "-", "'", '"', "\\", "\n", "|", "é"]),
    min_size=1,
).map(lambda parts: tidy("".join(parts)))


def read_back(value):
    if isinstance(value, list):
        return [read_back(item) for item in value]
    if isinstance(value, dict):
        return {key: read_back(item) for key, item in value.items()}
    return tidy(value) if isinstance(value, str) else value


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(TEXTS, AWKWARD.filter(bool)))
def test_every_text_reads_back_the_same_from_yaml(text):
    rows = [{"key": text, "list": [text, {"in": text}], "long": f"{text} {'word ' * 40}".strip()}, text]
    assert read_back(yaml.safe_load(document(rows))) == read_back(rows)


def test_a_row_that_fits_on_a_line_is_one_line():
    assert document([{"slug": "a", "rows": [{"at": 1, "yes": True}]}]) == "- {slug: a, rows: [{at: 1, yes: true}]}\n"
    assert document([{"slug": "a", "text": Block("One.")}]) == "- slug: a\n  text: |\n    One.\n"
    assert document({"help": "word " * 30 + "end"}) == f"help: >-\n  {('word ' * 23).strip()}\n  {'word ' * 7}end\n"
