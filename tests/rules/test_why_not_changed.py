"""The full reason why a feature does not change a roll; "" if it does."""

from dataclasses import replace

import pytest

from rules.engine import Build, Held, derive
from rules.games.outcome import Rolled
from rules.games.polyhedral.play.changes import why_not

pytestmark = pytest.mark.django_db

FAILED = Rolled("save", "save.agility", "Agility", (1, 2), 3, target=15, success=False)


def told(core, rolled, changes="reroll", **build):
    """The reason for an action that changes saving throws, without a circumstance and without a cost."""
    first = next(one for element in core.elements.values() for one in element.actions if one.changes)
    action = replace(first, name="Luck", changes=changes, of_roll="save", when="", resource="", timing="free")
    build = Build(**build)
    return why_not(core, build, derive(core, build), action, rolled)


@pytest.mark.parametrize(
    ("columns", "changes", "sentence"),
    [
        ({}, "reroll", ""),
        ({"success": None, "target": None}, "reroll", ""),
        ({"kind": "damage"}, "reroll", "Luck does not work on this kind of roll."),
        ({"success": True}, "reroll", "That roll has not failed."),
        ({"faces": ()}, "reroll", "No dice were rolled, so there are none to roll again."),
        ({"faces": ()}, "succeed", ""),
    ],
)
def test_the_reason_depends_on_the_roll_and_the_change(core, columns, changes, sentence):
    assert told(core, replace(FAILED, **columns), changes) == sentence


def test_a_roll_that_was_rerolled_cannot_be_rerolled_again(core):
    first = next(one for element in core.elements.values() for one in element.actions if one.changes)
    again = replace(FAILED, again_by=(first.slug,))
    assert told(core, again) == "The new roll stands."


def test_the_dead_change_nothing_but_the_save_that_killed(core):
    dead = (Held(ref="condition:dead"),)
    assert told(core, FAILED, conditions=dead) == "The dead cannot change rolls."
    assert told(core, replace(FAILED, kind="death"), conditions=dead) == ""
