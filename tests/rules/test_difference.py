"""The rows behind a difference, and which of two rolls or actions is better."""

import pytest

from rules.engine.content import Action
from rules.engine.difference import DiffLine, actions, critical, news, rolls, sets, weaker
from rules.engine.sheet import ActionLine, Proficiency, ResourceLine, Roll, Sheet, Step

TOUGH = Step("Tough", "2 more", 2)
OFF = TOUGH._replace(applied=False, why="when rested")


@pytest.mark.parametrize(
    ("old", "new", "came"),
    [
        ((), (TOUGH,), (TOUGH,)),
        ((TOUGH,), (TOUGH,), ()),
        ((TOUGH,), (TOUGH, TOUGH), (TOUGH,)),  # it counts twice now
        ((TOUGH, TOUGH), (TOUGH,), ()),
        ((TOUGH,), (TOUGH._replace(amount=3),), (TOUGH._replace(amount=3),)),
        ((OFF,), (TOUGH,), (TOUGH,)),
        ((TOUGH,), (OFF,), ()),
        ((), (OFF,), ()),
    ],
)
def test_news_are_the_rows_that_apply_now_and_did_not_before(old, new, came):
    assert news(old, new) == came


def sheet(**parts):
    return Sheet("X", 1, picks=None, solver=None, **parts)


WORST_FIRST = (
    Roll("x", "X", dice=9, modifier=9, fails=True),
    Roll("x", "X", dice=2, modifier=9),
    Roll("x", "X", dice=3, modifier=0),
    Roll("x", "X", dice=3, modifier=1),
    Roll("x", "X", dice=3, modifier=1, criticals_from_pool=2),
    Roll("x", "X", dice=3, modifier=1, criticals_on=5, criticals_from_pool=4),
    Roll("x", "X", dice=1, modifier=-9, succeeds=True),
)


def test_a_roll_is_weaker_than_each_better_one():
    for at, one in enumerate(WORST_FIRST):
        for place, other in enumerate(WORST_FIRST):
            assert weaker(one, other) == (place < at), (one, other)


def test_a_roll_that_came_or_went_is_not_weaker():
    assert not weaker(None, Roll("x", "X"))
    assert not weaker(Roll("x", "X"), None)


@pytest.mark.parametrize(("key", "worse"), [("x", True), ("against", False)])
def test_what_is_rolled_against_the_character_is_better_when_it_is_weaker(key, worse):
    before, after = (sheet(rolls={key: Roll(key, "X", dice=dice)}) for dice in (3, 2))
    assert [one.worse for one in rolls(before, after)] == [worse]
    assert [one.worse for one in rolls(after, before)] == [not worse]


@pytest.mark.parametrize(
    ("was", "now", "worse"),  # dice, die and modifier
    [
        ((1, 8, 0), (2, 4, 0), False),
        ((2, 4, 0), (1, 8, 0), True),
        ((1, 6, 1), (1, 8, 0), False),  # 4.5 in both
        ((1, 8, 0), (1, 4, 1), True),
    ],
)
def test_an_action_is_worse_if_it_rolls_less_on_average(was, now, worse):
    def line(dice, die, modifier):
        return ActionLine(Action("feature:x", "heal", "Heal", "action", dice=dice, die=die), (), dice, modifier)

    (found,) = actions(*(sheet(actions=(line(*one),)) for one in (was, now)))
    assert (found.key, found.worse) == ("feature:x.heal", worse)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, ""),
        ({"criticals_on": 5}, ", critical on 5"),
        ({"criticals_from_pool": 2}, ", critical with 2D"),
        ({"criticals_on": 4, "criticals_from_pool": 2}, ", critical on 4 with 2D"),
        ({"criticals_on": 5, "fails": True}, ""),
        ({"criticals_on": 5, "words": "D8"}, ""),
    ],
)
def test_the_dice_of_a_critical_are_told_where_they_are_unusual(changed, words):
    assert critical(Roll("x", "X", **changed)) == words


def counter(*recovers, style="pool"):
    return ResourceLine("x", "X", "feature:x", 3, 3, 0, style, 0, False, recovers)


@pytest.mark.parametrize("style", ["pool", "uses"])
def test_a_counter_that_comes_back_at_another_rest_differs(style):
    before, after = (sheet(resources={"x": counter(*events, style=style)}) for events in (("long",), ("short", "long")))
    assert sets(before, after) == [DiffLine("recovery", "x", "x", "long", "short long")]
    assert sets(before, before) == []


def test_the_recovery_of_a_counter_that_came_is_not_told_beside_it():
    before, after = sheet(resources={}), sheet(resources={"x": counter("long", style="uses")})
    assert [line.kind for line in sets(before, after)] == ["resource"]


def test_uses_that_become_points_are_neither_lost_nor_new():
    uses, points = (sheet(resources={"x": counter(style=style)}) for style in ("uses", "pool"))
    more = sheet(resources={"x": counter(style="uses")._replace(max=5)})
    assert sets(uses, points) == sets(points, uses) == []
    assert sets(points, more) == [DiffLine("resource", "x", "x", "3", "5")]
    assert sets(uses, sheet()) == [DiffLine("resource", "x", "x", "3", "")]


def test_a_proficiency_under_another_name_is_no_new_one():
    def speaker(name):
        return sheet(proficiencies={"languages": (Proficiency("language:elvish", name, ()),)})

    assert sets(speaker("Elvish"), speaker("Sindar")) == []
    assert [line.after for line in sets(sheet(proficiencies={"languages": ()}), speaker("Elvish"))] == ["Elvish"]
