"""Ability ranks of a surprise: by the first method that the house rules allow, the best of them for the job."""

from random import Random

import pytest

from rules.compile import bundle_for
from rules.engine.build import Build, Decision
from rules.games.polyhedral import chance, creation

FIGHTER = (Decision(choice="core-rules.job", ref="job:fighter", level=1),)


@pytest.fixture
def bundle(db):
    return bundle_for("polyhedral")


def ranks(bundle, seed=7, **switches):
    build = chance.with_ranks(bundle, Build(switches=switches, decisions=FIGHTER), Random(seed))
    assert creation.rank_problems(bundle, build) == []
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
def test_ranks_by_method(bundle, switches, method, in_order):
    used, found = ranks(bundle, **switches)
    assert (used, list(found.values())) == (method, in_order)
    assert list(found)[:2] == ["strength", "vitality"], "what a fighter saves with comes first"
