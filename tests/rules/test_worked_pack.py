"""The pack that docs/packs.md makes from nothing matches the page, loads, and can be played."""

import re
from pathlib import Path

import pytest

from characters.models import RollRecord
from rules.lint import check_rules
from rules.models import Ruleset, Source
from rules.packs.export import files_of
from rules.packs.load import load_rules
from rules.packs.source_rows import read_source
from tests.characters.play.table import Fixed, seated

DOCS = Path(__file__).parents[2] / "docs"
PACK = DOCS / "packs/river-folk"


def pack_files():
    return {path.name: path.read_text(encoding="utf-8") for path in PACK.iterdir()}


def test_the_page_shows_the_files_of_the_pack_unchanged():
    shown = re.findall(r"```yaml\n(.*?)```", (DOCS / "packs.md").read_text(encoding="utf-8"), re.DOTALL)
    assert sorted(shown) == sorted(pack_files().values())


@pytest.mark.django_db
def test_the_pack_loads_without_a_finding_and_exports_to_the_same_bytes():
    load_rules(PACK)
    assert check_rules(Ruleset.objects.get(slug="polyhedral")) == []
    assert files_of(read_source(Source.objects.get(slug="river-folk"))) == pack_files()


@pytest.mark.django_db
def test_the_talent_works_at_the_table_as_the_page_says():
    load_rules(PACK)
    talent = {"take": lambda at: {"take": "talent", "talent": "river-born"}, "level": 2}
    rules = {"sources": ["polyhedral-core", "river-folk"], "switches": {}}
    seat = seated(inventory=[], house_rules=rules, **talent)
    assert seat.sheet.value("defense") == 11
    seat.roll(roll="save.agility", faces=(1, 2), target=15)
    seat.change_roll(roll=RollRecord.objects.latest("pk").pk, action="slip-away", chance=Fixed(6, 5))
    assert RollRecord.objects.latest("pk").total == 11
    assert seat.left("slip-away") == 0
    seat.begin_rest(rest="short-rest")
    seat.finish_rest()
    assert seat.left("slip-away") == 1
