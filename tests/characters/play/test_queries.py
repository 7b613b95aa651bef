"""No action at the table takes more than ten queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.models import RollRecord
from tests.characters.play.table import seated

pytestmark = pytest.mark.django_db
MOST = 10
# The queries that the test itself makes within an action.
LOOKUPS = {"edit": 3, "remove": 3, "undo": 2, "extra_die": 1, "nudge": 1, "change_roll": 1}


def cost(act):
    with CaptureQueriesContext(connection) as queries:
        act()
    return [q["sql"] for q in queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT", "PRAGMA"))]


def actions(seat):
    """Actions with their arguments, in an order in which each is allowed."""
    newest = lambda: RollRecord.objects.filter(kind="check", follows=None).first().pk  # noqa: E731
    missed = lambda: RollRecord.objects.filter(kind="save", follows=None).first().pk  # noqa: E731
    trait = next(a for a in seat.facts if a.startswith("aspect:"))
    note = lambda: next(a for a in seat.facts if a.startswith("note:"))  # noqa: E731
    return {
        "add_note": lambda: seat.add_note(text="x"),
        "edit": lambda: seat.edit(address=note(), text="y", was="2d711642b726b044"),
        "remove": lambda: seat.remove(address=note()),
        "add_condition": lambda: seat.add_condition(condition="condition:slowed", rounds=1),
        "next_round": seat.next_round,
        "toggle": lambda: seat.toggle(switch="+half-cover"),
        "roll": lambda: seat.roll(roll="skill.athletics", target=30, resolve=1, faces=(1, 1, 1, 1)),
        "extra_die": lambda: seat.extra_die(roll=newest(), aspect=trait),
        "nudge": lambda: seat.nudge(roll=newest()),
        "compel": lambda: seat.compel(words="x", accept=True),
        "attack": lambda: seat.roll(roll="attack.longbow.one-hand", target=12, resolve=1),
        "save": lambda: seat.roll(roll="save.mind", target=40, faces=(1, 1)),
        "change_roll": lambda: seat.change_roll(roll=missed(), action="indomitable"),
        "gather_ammunition": seat.gather_ammunition,
        "take_damage": lambda: seat.take_damage(amount=7, type="fire"),
        "begin_rest": seat.begin_rest,
        "spend_rest_die": seat.spend_rest_die,
        "finish_rest": seat.finish_rest,
        "use": lambda: seat.use(action="second-wind"),
        "down": lambda: seat.adjust(resource="health", amount="0"),
        "death_save": lambda: seat.death_save(faces=(2, 2, 2)),
        "cheat_death": seat.cheat_death,
        "hit_again": lambda: seat.take_damage(amount=1),
        "undo": lambda: seat.undo(seat.fresh.changes.filter(verb="take_damage").first()),
        "wake": lambda: seat.heal(amount=20),
        "long_rest": seat.long_rest,
        "spend_downtime": lambda: seat.spend_downtime(days=1, activity="x", restore=True, ranks=1, points=1),
        "end_adventure": seat.end_adventure,
        "mark": lambda: seat.mark(name="x"),
    }


def test_no_action_takes_more_than_ten_queries():
    seat = seated(
        level=7,
        ranks={"spirit": 20, "vitality": 14},
        inventory=[{"item": "longbow", "state": "main"}, {"item": "arrows", "quantity": 9}],
    )
    seat.add_condition(condition="condition:prone", source="the mud")  # fills the caches of the process
    found = {name: cost(act) for name, act in actions(seat).items()}
    over = {name: len(queries) - LOOKUPS.get(name, 0) for name, queries in found.items()}
    over = {name: number for name, number in over.items() if number > MOST}
    assert not over, (over, found[next(iter(over))])
