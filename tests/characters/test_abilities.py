"""Ability ranks: bought with points, handed out from the array, or rolled once and kept."""

from random import Random

import pytest

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from tests.characters.cast import facts, guest, new_key
from tests.characters.play.table import play

pytestmark = pytest.mark.django_db

NAMES = ["strength", "agility", "vitality", "mind", "spirit", "presence"]


def ranks(*numbers):
    return {f"rank.{name}": number for name, number in zip(NAMES, numbers, strict=True)}


@pytest.fixture
def draft():
    return verbs.start(guest(), new_key()).character


def set_ranks(draft, method, numbers):
    return verbs.set_abilities(draft.pk, guest(), new_key(), method=method, ranks=ranks(*numbers))


def roll(draft, seed=1):
    return verbs.roll_abilities(draft.pk, guest(), new_key(), chance=Random(seed))


@pytest.mark.parametrize(
    ("method", "numbers"),
    [
        ("array", (15, 14, 13, 12, 10, 8)), ("points", (15, 15, 15, 8, 8, 8)), ("points", (12,) * 6),
        ("points", (15, 15, 12, 10, 10, 9)), ("manual", (18, 3, 10, 10, 10, 10)),
    ],
)  # fmt: skip
def test_legal_ranks_are_kept(draft, method, numbers):
    set_ranks(draft, method, numbers)
    assert {name: value for name, value in facts(draft).items() if name.startswith("input:")} == {
        f"input:{stat}": number for stat, number in ranks(*numbers).items()
    }
    assert facts(draft)["field:method"] == method


def test_the_history_tells_the_ranks_that_moved(draft):
    """Each press of a plus is a change: six ranks each time would hide the one."""
    for numbers, told in (
        ((10, 10, 10, 10, 10, 10), "Strength 10, Agility 10, Vitality 10, Mind 10, Spirit 10 and Presence 10"),
        ((11, 10, 10, 10, 10, 10), "Strength 11"),
        ((11, 10, 10, 10, 9, 12), "Spirit 9 and Presence 12"),
    ):
        assert set_ranks(draft, "points", numbers).sentence.endswith(f" starts with {told} before bonuses.")


@pytest.mark.parametrize(
    ("method", "numbers", "sentence"),
    [
        ("points", (15, 15, 12, 10, 10, 10), "16 points"),
        ("points", (16, 14, 10, 10, 10, 10), "points buy is 15"),
        ("points", (7, 10, 10, 10, 10, 10), "below 8"),
        ("array", (15, 15, 13, 12, 10, 8), "only once"),
        ("array", (16, 14, 13, 12, 10, 8), "not in the array"),
        ("rolled", (15, 14, 13, 12, 10, 8), "Roll"),
        ("manual", (31, 10, 10, 10, 10, 10), "from 1 to 30"),
        ("manual", (2**70, 10, 10, 10, 10, 10), "from 1 to 30"),
        ("manual", ("15", 10, 10, 10, 10, 10), "whole number"),
        ("manual", (True, 10, 10, 10, 10, 10), "whole number"),
        ("guessed", (10,) * 6, "Choose a method"),
    ],
)
def test_illegal_ranks_are_refused(draft, method, numbers, sentence):
    with pytest.raises(Refused, match=sentence):
        set_ranks(draft, method, numbers)
    assert not [name for name in facts(draft) if name.startswith("input:")]


def test_a_statistic_that_is_no_ability_rank_is_refused(draft):
    with pytest.raises(Refused, match="no such number"):
        verbs.set_abilities(draft.pk, guest(), new_key(), method="manual", ranks={"health.max": 10})


def test_only_the_results_of_the_stored_dice_become_ranks(draft):
    roll(draft)
    dice = facts(draft)["field:dice"]
    assert [len(faces) for faces in dice] == [4] * 7
    assert all(1 <= face <= 6 for faces in dice for face in faces)
    results = sorted((sum(sorted(faces)[1:]) for faces in dice), reverse=True)
    set_ranks(draft, "rolled", results[:6])
    with pytest.raises(Refused, match=r"not rolled|that often"):
        set_ranks(draft, "rolled", [18, 18, 18, 18, 18, 18])


def test_a_second_roll_is_refused(draft):
    first = roll(draft).after["field:dice"]
    with pytest.raises(Refused, match="The results stand"):
        roll(draft, seed=2)
    assert facts(draft)["field:dice"] == first


def test_a_roll_after_an_undo_gives_the_same_dice(draft):
    first = roll(draft)
    play.undo(draft.pk, guest(), new_key(), first.sequence)
    assert roll(draft, seed=2).after["field:dice"] == first.after["field:dice"]


def test_a_house_rule_allows_another_roll(draft):
    first = roll(draft).after["field:dice"]
    verbs.set_switches(draft.pk, guest(), new_key(), values={"allowReroll": "true"})
    assert roll(draft, seed=2).after["field:dice"] != first


def test_a_house_rule_may_forbid_rolling(draft):
    verbs.set_switches(draft.pk, guest(), new_key(), values={"abilityMethod": "array"})
    with pytest.raises(Refused, match="do not allow"):
        roll(draft)
    assert Character.objects.get(pk=draft.pk).dice == []
