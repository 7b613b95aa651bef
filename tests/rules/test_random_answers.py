"""Random answers: as many as are offered, and own words only where the rules allow them."""

from random import Random

import pytest

from rules.compile import bundle_for
from rules.engine import Build
from rules.engine.random_answers import answer_all
from rules.packs.load import load_rules

from .small_pack import FILES, write_pack

pytestmark = pytest.mark.django_db

WORDS = {"skill": ("Juggling", "Whistling")}


@pytest.mark.parametrize(
    ("columns", "answers"),
    [
        ("", ["skill:climb"]),
        (", count: 2", ["skill:climb"]),
        (", count: 2, write_in: true", ["skill:climb", "Juggling or Whistling"]),
        (", count: 4, write_in: true", ["skill:climb", "Juggling or Whistling", "Juggling or Whistling"]),
    ],
)
def test_each_option_and_each_own_word_is_used_once(tmp_path, columns, answers):
    rules = FILES["rules.yaml"].replace("filter_kind: skill}", f"filter_kind: skill{columns}}}")
    load_rules(write_pack(tmp_path / "small", rules=rules))
    made = answer_all(bundle_for("small"), Build(), Random(1), WORDS)
    found = [one for one in made.decisions if one.choice == "core-rules.skill"]
    assert [one.position for one in found] == list(range(len(answers)))
    assert [one.ref or "Juggling or Whistling" for one in found] == answers
    assert len({one.write_in for one in found if one.write_in}) == len(answers) - 1
