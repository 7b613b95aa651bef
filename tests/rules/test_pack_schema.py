"""The schemas by which editors check pack files: they accept and refuse the same as the reader of packs."""

import copy
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from rules.packs.check import PackReader
from rules.packs.load import files_in
from rules.packs.schema import as_text, schemas
from rules.packs.vocabulary_page import page

ROOT = Path(__file__).parents[2]
PACKS = [ROOT / "rules/packs/polyhedral-core", ROOT / "tests/games/pebbles/pack", ROOT / "docs/packs/river-folk"]
FILES = [path for pack in PACKS for path in sorted(pack.glob("*.yaml"))]
SCHEMAS = schemas()
REGISTRY = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items())


class Yaml(yaml.SafeLoader):
    """YAML 1.2, as editors read it: only true and false are flags."""


Yaml.yaml_implicit_resolvers = {
    first: [(tag, found) for tag, found in resolvers if not tag.endswith(":bool") or first in "tf"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def mistakes(name, document):
    """The mistakes that the schema finds in a pack's file."""
    schema = SCHEMAS[name.replace(".yaml", ".json")]
    found = Draft202012Validator(schema, registry=REGISTRY).iter_errors(document)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in found]


def loaded(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Yaml)


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_valid(name):
    Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_files_of_our_packs_match_their_schema_and_name_it(path):
    assert mistakes(path.name, loaded(path)) == []
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first == f"# yaml-language-server: $schema=../schema/{path.stem}.json"


TALENT = {"slug": "river-born", "name": "River-born"}
WRONG = {
    "no name": {"slug": "river-born"},
    "a slug with a blank": {**TALENT, "slug": "river born"},
    "an unknown key": {**TALENT, "color": "blue"},
    "a word that is none": {**TALENT, "status": "hidden"},
    "a flag in words": {**TALENT, "repeatable": "often"},
    "a number in words": {**TALENT, "sort": "first"},
    "too long": {**TALENT, "name": "n" * 121},
    "a text as a list": {**TALENT, "summary": ["One", "Two"]},
    "an effect that is none": {**TALENT, "modify": [{"stat": "defense", "op": "plus", "amount": 1}]},
    "an unknown key of an effect": {**TALENT, "grant": [{"element": "talent:medic", "how": "gain"}]},
    "a number that is too large": {**TALENT, "modify": [{"stat": "defense", "op": "add", "amount": 40_000}]},
    "a group twice": {**TALENT, "groups": ["category:martial-weapons", "category:martial-weapons"]},
    "a kind of sentence that is none": {**TALENT, "suggestions": {"dream": ["To fly"]}},
}


@pytest.mark.parametrize("row", WRONG.values(), ids=WRONG)
def test_schema_and_reader_refuse_the_same(row, tmp_path):
    assert mistakes("talents.yaml", [row])
    assert read_with(tmp_path, row)


def read_with(folder, row):
    """The mistakes that the reader finds in a pack with this talent."""
    source = yaml.safe_dump({"ruleset": {"slug": "polyhedral"}, "source": {"slug": "x", "title": "X"}})
    (folder / "source.yaml").write_text(source, encoding="utf-8")
    (folder / "talents.yaml").write_text(yaml.safe_dump([row]), encoding="utf-8")
    return PackReader(files_in(folder)).problems


def test_schema_and_reader_accept_a_good_row(tmp_path):
    """The control: each row above is wrong only in what its name says."""
    row = copy.deepcopy(TALENT) | {"modify": [{"stat": "defense", "op": "add", "amount": 1}]}
    assert mistakes("talents.yaml", [row]) == []
    assert read_with(tmp_path, row) == []


def test_the_stored_schemas_are_up_to_date():
    """`manage.py pack_schema rules/packs/schema` writes them."""
    stored = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "rules/packs/schema").iterdir()}
    assert stored == {name: as_text(schema) for name, schema in SCHEMAS.items()}


def test_the_page_of_words_is_up_to_date():
    """`manage.py pack_schema --words > docs/pack-vocabulary.md` writes it."""
    assert (ROOT / "docs/pack-vocabulary.md").read_text(encoding="utf-8") == page()


def test_the_command_writes_schemas_and_words(tmp_path, capsys):
    call_command("pack_schema", tmp_path / "schema")
    assert {path.name for path in (tmp_path / "schema").iterdir()} == {*SCHEMAS}
    capsys.readouterr()
    call_command("pack_schema", words=True)
    assert capsys.readouterr().out == page()
