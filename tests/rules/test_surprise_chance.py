"""A surprise character: ranks by the first method that is allowed, the best for its job, and things in hand."""

from dataclasses import replace
from random import Random

import pytest

from rules.engine import derive
from rules.engine.build import Award, Build, Decision, Item
from rules.games.polyhedral import chance, creation, wealth

FIGHTER = (Decision(choice="core-rules.job", ref="job:fighter", level=1),)


def ranks(core, seed=7, **switches):
    build = chance.with_ranks(core, Build(switches=switches, decisions=FIGHTER), Random(seed))
    assert creation.rank_problems(core, build) == []
    return build.method, {stat.removeprefix("rank."): rank for stat, rank in build.inputs.items()}


@pytest.mark.parametrize(
    ("switches", "method", "in_order"),
    [
        ({}, "array", [15, 14, 13, 12, 10, 8]),
        ({"abilityMethod": "array"}, "array", [15, 14, 13, 12, 10, 8]),
        ({"abilityMethod": "roll"}, "rolled", [16, 13, 12, 10, 10, 9]),
        ({"abilityMethod": "rollShared"}, "rolled", [16, 13, 12, 10, 10, 9]),
        ({"abilityMethod": "pointBuy"}, "points", [14, 14, 14, 10, 10, 10]),
        ({"abilityMethod": "pointBuy", "pointBuyBudget": "9"}, "points", [14, 13, 11, 10, 10, 10]),
        ({"abilityMethod": "pointBuy", "pointBuyBudget": "20"}, "points", [14, 14, 14, 14, 10, 10]),
        ({"abilityMethod": "pointBuy", "pointBuyMax": "12"}, "points", [12] * 6),
    ],
)
def test_ranks_follow_the_method_and_suit_the_job(core, switches, method, in_order):
    used, found = ranks(core, **switches)
    assert (used, list(found.values())) == (method, in_order)
    assert list(found)[:2] == ["strength", "vitality"], "what a fighter saves with comes first"


@pytest.mark.parametrize(("tables", "method"), [({}, "rolled"), ({"array"}, "array")])
def test_ranks_are_found_with_the_tables_that_the_content_has(core, tables, method):
    kept = {slug: rows for slug, rows in core.lookups.items() if slug in tables or slug not in ("array", "point-buy")}
    assert ranks(replace(core, lookups=kept))[0] == method


@pytest.mark.parametrize(("method", "lookups"), [("array", {}), ("pointBuy", {}), ("array", {"array": {1: 15, 2: 14}})])
def test_ranks_that_the_content_has_no_numbers_for_are_left_to_the_player(core, method, lookups):
    only, build = replace(core, lookups=lookups), Build(switches={"abilityMethod": method}, decisions=FIGHTER)
    made = chance.with_ranks(only, build, Random(7))
    assert list(made.inputs.values()) == list(lookups.get("array", {}).values())


@pytest.fixture
def rich(monkeypatch):
    """With any Resources, everything can be afforded."""
    monkeypatch.setattr(wealth, "lifestyle", lambda rank: 5)


def outfit(core, seed, awards=()):
    """The place of each thing that a fighter uses: {"weapon:club": "main", ...}."""
    build = Build(inputs={"rank.strength": 15, "rank.agility": 12}, decisions=FIGHTER, awards=awards)
    made = chance.with_outfit(core, build, derive(core, build), Random(seed))
    assert chance.with_outfit(core, made, derive(core, made), Random(seed + 1)) == made, "who has things keeps them"
    return {item.ref: item.state for item in made.items if item.state != "carried"}


def test_a_shield_comes_with_a_weapon_in_one_hand_and_not_in_two(core, rich):
    seen = set()
    for seed in range(12):
        found = outfit(core, seed, (Award("feature:resources-1"),))
        (weapon,) = (state for ref, state in found.items() if ref.startswith("weapon:"))
        (suit,) = (state for ref, state in found.items() if ref.startswith("armor:") and ref != "armor:shield")
        assert (found.get("armor:shield"), suit) == ("worn" if weapon == "main" else None, "worn")
        seen.add(weapon)
    assert seen == {"main", "two-hands"}


@pytest.mark.parametrize(
    ("style", "held", "words", "shield"),
    [
        ("great-weapon-fighting", ("two-hands",), {"two-handed"}, {False}),
        ("dueling", ("main",), set(), {True}),
        ("two-weapon-fighting", ("main", "off"), {"light"}, {False}),
        ("unarmed-fighting", (), set(), {False}),
        ("marksmanship", ("main",), {"ranged", "thrown"}, {False, True}),
        ("thrown-weapons", ("main",), {"thrown"}, {True}),
    ],
)
def test_an_outfit_uses_the_fighting_style(core, rich, style, held, words, shield):
    outfits = [outfit(core, seed, (Award("feature:resources-1"), Award(f"feature:{style}"))) for seed in range(8)]
    assert {"armor:shield" in found for found in outfits} == shield
    for found in outfits:
        weapons = [core.elements[ref] for ref in found if ref.startswith("weapon:")]
        assert tuple(found[weapon.ref] for weapon in weapons) == held
        for weapon in weapons:
            assert not words or words & {use.property.removeprefix("property:") for use in weapon.properties}
            assert weapon.weapon.ranged or style != "marksmanship"


def test_what_shoots_comes_with_ammunition(core):
    for weapon, pieces in (("longbow", "gear:arrows"), ("sling", "gear:sling-bullets"), ("dart", "weapon:dart")):
        (more,) = chance.ammunition(core, (Item(ref=f"weapon:{weapon}", state="main"),))
        assert (more.ref, more.state, more.quantity) == (pieces, "carried", 20)
    assert chance.ammunition(core, (Item(ref="weapon:spear", state="main"),)) == []


def test_a_character_without_resources_has_no_things(core):
    assert outfit(core, 1) == {}
