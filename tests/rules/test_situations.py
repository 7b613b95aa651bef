"""Bonuses that depend on the situation at the table: their words beside a roll, and the words of those that do not
count."""

from dataclasses import replace

import pytest

from rules.engine import derive
from rules.engine.content import Circumstance
from rules.games.polyhedral.page_sections import attacks
from tests.support.heroes import attack_of, blessed, hero, row

pytestmark = pytest.mark.django_db

RAGE = Circumstance("rage", "in a rage", detection="toggle")


@pytest.mark.parametrize(
    ("roll", "aspect", "amount", "words"),
    [
        ("attack", "advantage", 0, "advantage"),
        ("attack", "bonus", -2, "−2"),
        ("attack", "dice", 1, "+1D"),
        ("attack", "criticals_on", 5, "critical on 5 or more"),
        ("attack", "criticals_from_pool", 2, "critical with 2D or more"),
        ("damage", "bonus", 2, "+2 damage"),
        ("damage", "damage_die", 12, "damage die at least d12"),
        ("damage", "damage_die_set", 12, "damage die d12"),
        ("damage", "damage_die_step", 2, "damage die +2 sides"),
        ("damage", "damage_dice", 2, "damage dice × 2"),
        ("damage", "ability_times", 2, "ability × 2 in damage"),
        ("damage", "damage_at_least", 3, "damage at least 3"),
    ],
)
def test_a_row_that_waits_beside_an_attack_says_what_it_would_change(core, roll, aspect, amount, words):
    core = replace(core, circumstances={**core.circumstances, "rage": RAGE})
    bundle, build = blessed(core, hero(items=["club@main"]), row(roll, aspect, amount, when="rage"))
    lines = attacks(bundle, build, derive(bundle, build))
    (said,) = [line.situations for line in lines if line.attack.item == "club" and line.attack.grip == "one-hand"]
    assert f"{words} in a rage (Blessing)" in said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("in a rage", "only in a rage"),
        ("unless in a rage", "unless in a rage"),
        ("the other one is near", "only when the other one is near"),
    ],
)
def test_a_row_whose_circumstance_cannot_hold_says_so_in_a_whole_phrase(core, name, why):
    asks = core.circumstances["unproficient-armor"].tests
    core = replace(core, circumstances={**core.circumstances, "rage": Circumstance("rage", name, tests=asks)})
    bundle, build = blessed(core, hero(items=["club@main"]), row("attack", "bonus", 1, when="rage"))
    because = attack_of(bundle, build, "club").because
    assert [step.why for step in because if step.source == "Blessing"] == [why]
