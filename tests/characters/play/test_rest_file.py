"""A rest that has begun is kept in the character file, on import, and in a copy."""

import json

import pytest

from characters import verbs
from characters.change.refusals import Refused
from characters.read.character_file import read_file, write_file
from rules.engine import build_at_level, rested
from tests.characters.cast import document, new_key, person
from tests.characters.play.table import Seat, seated

pytestmark = pytest.mark.django_db


def resting(rest="short-rest", dice=2):
    seat = seated(level=4, ranks={"vitality": 12}, state={"health": 3, "wounds": 3, "spent": {"second-wind": 1}})
    seat.begin_rest(rest=rest)
    for _ in range(dice):
        seat.spend_rest_die(faces=(4,))
    return seat


def imported(text):
    return Seat(verbs.import_file(person(), new_key(), text=text).character)


def there_and_back(seat):
    text = write_file(seat.fresh)
    again = imported(text)
    assert write_file(again.fresh) == text, "byte for byte"
    return again, json.loads(text)


@pytest.mark.parametrize(("rest", "dice"), [("short-rest", 2), ("short-rest", 0), ("rally", 1)])
def test_a_rest_in_progress_is_written_to_the_file_and_read_back(rest, dice):
    again, file = there_and_back(resting(rest, dice))
    assert file["state"]["rest"] == {"rest": rest, **({"dice": dice} if dice else {})}
    assert file["state"].get("stamina", 4) == 4 - dice
    assert (again.fresh.rest, again.fresh.rest_dice) == (rest, dice)


def test_an_imported_rest_continues_where_it_was():
    again, _ = there_and_back(resting())
    with pytest.raises(Refused, match="begun already"):
        again.begin_rest()
    again.treat_wounds(medic=True)
    assert again.spent("wounds") == 1, "by the two dice spent before the file was written (section 16)"
    again.finish_rest()
    assert again.left("second-wind") == 1
    assert (again.fresh.rest, again.fresh.rest_dice) == ("", 0)
    assert "rest" not in json.loads(write_file(again.fresh)).get("state", {})


def test_a_copy_continues_the_rest():
    seat = resting()
    copied = Seat(verbs.copy(seat.character.pk, person(), new_key()).character)
    assert (copied.fresh.rest, copied.fresh.rest_dice) == ("short-rest", 2)
    copied.finish_rest()
    assert seat.fresh.rest == "short-rest"


def test_the_file_of_a_character_not_resting_has_no_rest():
    assert "rest" not in json.loads(write_file(seated().fresh)).get("state", {})


@pytest.mark.parametrize(
    ("rest", "where"),
    [
        ({"rest": "nap"}, "state.rest.rest"),
        ({"rest": "long-rest"}, "state.rest.rest"),
        ({"dice": 2}, "state.rest.rest"),
        ({"rest": "rally", "dice": -1}, "state.rest.dice"),
        ({"rest": "rally", "dice": 10_001}, "state.rest.dice"),
        ({"rest": "rally", "since": 3}, "state.rest.since"),
        ("rally", "state.rest"),
    ],
)
def test_an_impossible_rest_is_refused_with_its_path(rest, where):
    reading = read_file(json.dumps(document(state={"rest": rest})))
    assert reading.build is None
    assert where in [problem.where for problem in reading.problems]


def test_the_sheet_at_another_level_is_not_resting():
    seat = resting()
    build = read_file(write_file(seat.fresh)).build
    bundle = read_file(write_file(seat.fresh)).bundle
    assert rested(build_at_level(bundle, build, 2)).rest == ""
