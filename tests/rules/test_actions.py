"""Rules for every action of every game: its procedure takes the fields of its form, its name fits the journal."""

import inspect
from dataclasses import replace

import pytest

from characters.actions.registry import SHARED, actions_of, named
from rules.games import GAMES
from rules.games.region import CONDITIONS, Region

ACTIONS = [(game, action) for game in GAMES for action in actions_of(game).values()]
BESIDE = {"tray", "rest", "history"}


@pytest.fixture(params=ACTIONS, ids=lambda one: f"{one[0]}-{one[1].name}")
def action(request):
    return request.param[1]


@pytest.fixture
def places(request, action):
    """The regions that may have a form of an action of this game."""
    return {*[region.id for region in GAMES[request.node.callspec.params["action"][0]].regions], *BESIDE}


def test_the_procedure_takes_the_fields_of_its_form(action):
    """And no others. A procedure with `**how` need not name all of them."""
    taken = inspect.signature(action.do).parameters
    _, *names = taken
    if any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        assert {*names[:-1]} <= {*action.fields}
    else:
        assert {*names} == {*action.fields}


def test_an_action_has_a_valid_name_and_a_region_of_its_game(action, places):
    assert action.name.replace("_", "").isalpha()
    assert action.name.islower()
    assert len(action.name) <= 40
    assert action.region in places
    assert {*action.by} <= {*action.fields}


def test_a_game_has_no_name_twice():
    """Neither among its own actions nor among the shared ones, which would hide its own in the registry."""
    for game in GAMES.values():
        regions = {"tray", "history", *[region.id for region in game.regions]}
        names = [one.name for one in game.play.ACTIONS] + [one.name for one in SHARED if one.region in regions]
        assert game.play.ACTIONS
        assert sorted(names) == sorted(set(names))
        assert sorted(names) == sorted(actions_of(game.name))


def test_named_finds_each_action_in_its_game():
    for game in GAMES:
        for name, action in actions_of(game).items():
            assert named(name)[game] is action


@pytest.mark.parametrize(
    ("regions", "region"),
    [
        ((CONDITIONS,), "conditions"),
        ((CONDITIONS, Region("top", "top.jinja", forms=("add_condition",))), "top"),
    ],
)
def test_a_shared_action_is_in_its_own_region_or_in_the_one_that_has_its_form(monkeypatch, regions, region):
    monkeypatch.setitem(GAMES, "another", replace(GAMES["pebbles"], regions=regions))
    actions = actions_of.__wrapped__("another")  # without its cache, which outlives this test
    assert actions["add_condition"].region == region
    assert actions["remove_condition"].region == "conditions"
