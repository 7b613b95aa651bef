"""The commands of the rules: their arguments, their output, and what they refuse."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, load_command_class
from django.core.management.base import BaseCommand

from rules.models import Element, Ruleset, Source, Stat, Talent
from rules.packs.load import load_rules

from .small_pack import write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]

ASKED = {
    "load_rules": {
        "pack": "The name of a pack of the project (polyhedral-core), or a folder. Default: all packs of the project.",
        "--dry-run": "Write nothing; print what would change.",
        "--force": "Make the rows as the pack has them, even if they were edited.",
    },
    "check_rules": {"ruleset": "Only this ruleset."},
    "export_rules": {
        "source": "The slug of the source (polyhedral-core), or ruleset/source.",
        "folder": "Where to write. Default: a folder named like the source.",
    },
    "pack_schema": {
        "folder": "Where to write.",
        "--words": "Print all keys and words as a page instead.",
    },
}


@pytest.mark.parametrize("name", ASKED)
def test_a_command_describes_its_arguments(name):
    usual = {one.dest for one in BaseCommand().create_parser("manage.py", name)._actions}
    parser = load_command_class("rules", name).create_parser("manage.py", name)
    own = [one for one in parser._actions if one.dest not in usual]
    assert {(one.option_strings or [one.dest])[0]: one.help for one in own} == ASKED[name]


def said(name, *asked, **options):
    out = StringIO()
    call_command(name, *map(str, asked), stdout=out, **options)
    return out.getvalue().splitlines()


NEW = "38 added, 0 changed, 0 unchanged, 0 retired, 0 deleted"


@pytest.fixture
def folder(tmp_path):
    return write_pack(tmp_path / "small")


def test_loading_says_what_it_did(folder):
    would = said("load_rules", folder, "--dry-run")
    assert would[-1] == f"{folder} (nothing written): {NEW}"
    assert len(would) > 1
    assert not Ruleset.objects.filter(slug="small").exists()
    assert said("load_rules", folder) == [f"{folder}: {NEW}"]
    assert said("load_rules", folder, verbosity=0) == []
    write_pack(folder, jobs="- {slug: guard, name: Watchman, max_rank: 10}")
    told = said("load_rules", folder, verbosity=2)
    assert "~ job:guard: name, grant" in told[:-1]


def test_loading_by_force_overwrites_an_edit(folder):
    said("load_rules", folder)
    Element.objects.filter(slug="odd").update(name="Odder")
    said("load_rules", folder)
    assert Element.objects.get(slug="odd").name == "Odder"
    said("load_rules", folder, "--force")
    assert Element.objects.get(slug="odd").name == "Odd"


def test_loading_names_the_edits_that_it_replaces(folder):
    said("load_rules", folder)
    odd = Element.objects.get(slug="odd")
    Element.objects.filter(pk=odd.pk).update(name="Odder")
    Talent.objects.create(ruleset=odd.ruleset, source=odd.source, slug="own", name="Our own", summary="Ours.")
    again = said("load_rules", folder, "--force")[-1]
    assert again.startswith("Edited here, and replaced: ")
    assert "talent “Our own”" in again
    assert "“Odd”" in again
    assert len(said("load_rules", folder, "--force")) == 1


def test_a_pack_with_mistakes_is_refused_with_each(folder):
    write_pack(folder, talents="[{slug: a}, {name: B}]")
    with pytest.raises(CommandError) as refused:
        said("load_rules", folder)
    assert str(refused.value).splitlines() == [
        f"{folder} cannot be loaded:",
        "paths.yaml:1: there is no element talent:odd",
        "talents.yaml:1: `name` is missing",
        "talents.yaml:1: `slug` is missing",
    ]


def test_checking_says_what_is_wrong_and_where(folder):
    load_rules(folder)
    assert said("check_rules", "small") == ["small  nothing to report"]
    assert "small  nothing to report" in said("check_rules")
    source = Source.objects.get(slug="small-core")
    Stat.objects.create(ruleset=source.ruleset, source=source, key="charm", name="Charm")
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("check_rules", "small", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue() == "small  error  stat charm: has no base, no row that adds to it and no input\n"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("check_rules", "nowhere"), "There is no ruleset nowhere."),
        (("export_rules", "nowhere"), "There is no source nowhere; there are: polyhedral/polyhedral-core."),
        (("export_rules", "other/polyhedral-core"), "There is no source other/polyhedral-core; there are: "
                                                    "polyhedral/polyhedral-core."),
    ],
)  # fmt: skip
def test_an_unknown_ruleset_or_source_is_named(asked, sentence):
    with pytest.raises(CommandError) as refused:
        said(*asked)
    assert str(refused.value) == sentence


def test_without_rules_there_is_nothing_to_check_or_export(no_rules):
    for asked, sentence in ((["check_rules"], "No rules are loaded."),
                            (["export_rules", "x"], "There is no source x; there are: none.")):  # fmt: skip
        with pytest.raises(CommandError) as refused:
            said(*asked)
        assert str(refused.value) == sentence


def test_the_slug_of_sources_in_two_rulesets_is_refused_as_ambiguous(folder):
    load_rules(folder)
    ruleset = Ruleset.objects.get(slug="polyhedral")
    Source.objects.create(ruleset=ruleset, slug="small-core", title="Another")
    with pytest.raises(CommandError) as refused:
        said("export_rules", "small-core")
    assert str(refused.value) == "Several rulesets have a source small-core: write ruleset/small-core."


def test_without_a_folder_files_go_to_the_current_directory(folder, tmp_path, monkeypatch):
    load_rules(folder)
    monkeypatch.chdir(tmp_path)
    written = said("export_rules", "small/small-core")
    assert written[0] == "small-core/source.yaml"
    assert all(Path(name).is_file() for name in written)
    schemas = said("pack_schema")
    assert "schema/talents.json" in schemas
    assert all(Path(name).is_file() for name in schemas)
    assert said("pack_schema", tmp_path / "a" / "b")[0].startswith(f"{tmp_path}/a/b/")
    assert said("pack_schema", "--words")[0].startswith("# ")


@pytest.mark.parametrize("below", ["", "/g", "\0"])
@pytest.mark.parametrize("asked", [["export_rules", "polyhedral-core"], ["pack_schema"]])
def test_an_impossible_folder_is_refused_with_a_sentence(tmp_path, asked, below):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(CommandError, match="The files cannot be written"):
        said(*asked, Path(f"{file}{below}"))
