"""A surprise character: ranks by the first method that is allowed, the best for its job, and things in hand."""

from dataclasses import replace
from random import Random

import pytest

from rules.engine import derive
from rules.engine.build import Award, Build, Decision
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
    """The place of each thing of a fighter: {"weapon:club": "main", ...}."""
    build = Build(inputs={"rank.strength": 15, "rank.agility": 12}, decisions=FIGHTER, awards=awards)
    made = chance.with_outfit(core, build, derive(core, build), Random(seed))
    assert chance.with_outfit(core, made, derive(core, made), Random(seed + 1)) == made, "who has things keeps them"
    return {item.ref: item.state for item in made.items}


def test_a_shield_comes_with_a_weapon_in_one_hand_and_not_in_two(core, rich):
    seen = set()
    for seed in range(12):
        found = outfit(core, seed, (Award("feature:resources-1"),))
        (weapon,) = (state for ref, state in found.items() if ref.startswith("weapon:"))
        (suit,) = (state for ref, state in found.items() if ref.startswith("armor:") and ref != "armor:shield")
        assert (found.get("armor:shield"), suit) == ("worn" if weapon == "main" else None, "worn")
        seen.add(weapon)
    assert seen == {"main", "two-hands"}


@pytest.mark.parametrize(("style", "shield"), [("great-weapon-fighting", False), ("dueling", True)])
def test_a_shield_stays_in_the_shop_if_the_fighting_style_needs_both_hands(core, rich, style, shield):
    awards = (Award("feature:resources-1"), Award(f"feature:{style}"))
    outfits = [found for seed in range(12) if "main" in (found := outfit(core, seed, awards)).values()]
    assert outfits, "no weapon for one hand was drawn"
    assert {"armor:shield" in found for found in outfits} == {shield}


def test_a_character_without_resources_has_no_things(core):
    assert outfit(core, 1) == {}
