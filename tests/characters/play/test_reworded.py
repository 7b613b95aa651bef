"""No rule, filter or undo reads a sentence of the history: rewording them all changes nothing else."""

import random

import pytest

from characters.actions import kinds
from characters.actions.marks import marks
from characters.change.refusals import Refused
from characters.change.roll_log import newest_of_kind
from characters.models import Change, RollRecord
from tests.characters.cast import facts
from tests.characters.play.table import Fixed, seated
from tests.support.edits import with_action

pytestmark = pytest.mark.django_db
FALLEN = {"health": 0, "conditions": [{"condition": "dying"}, {"condition": "prone"}]}
HURT = {"health": 5, "wounds": 3, "stamina": 2}


def reword():
    Change.objects.update(sentence="Something happened.")
    for roll in RollRecord.objects.all():
        words = {
            name: [["Something", number] for _, number in getattr(roll, name)] for name in ("modifiers", "dice_because")
        }
        RollRecord.objects.filter(pk=roll.pk).update(name="A roll", turned_by=roll.turned_by and "Something", **words)


def kept():
    """The control: the sentences stay as they are."""


@pytest.fixture(params=[kept, reword], ids=["as told", "reworded"])
def between(request):
    return request.param


def test_a_helper_treats_once_however_the_history_is_worded(between):
    seat = seated(state=HURT)
    seat.begin_rest()
    seat.treat_wounds(medic=False, by="Doran")
    between()
    with pytest.raises(Refused) as refused:
        seat.treat_wounds(medic=False, by="DORAN")
    assert refused.value.field == "by"
    seat.treat_wounds(medic=False, by="Ilse")


def test_a_mark_keeps_its_name(seat, between):
    seat.mark(name="Last night. ")
    between()
    assert [name for _, name, _ in marks(seat.character)] == ["Last night."]


def test_a_roll_is_rolled_again_only_once_however_the_history_is_worded(seat, between):
    with_action("second-wind", changes="reroll", of_roll="check")
    seat.roll(roll="skill.athletics", faces=(1, 1, 1), target=12)
    roll = RollRecord.objects.latest("pk").pk
    seat.change_roll(roll=roll, action="own", faces=(1, 1, 2))
    between()
    assert RollRecord.objects.latest("pk").again_by == ["own"]
    with pytest.raises(Refused, match="The new roll stands"):
        seat.change_roll(roll=roll, action="own", faces=(6, 6, 6))


def test_an_undo_knows_whether_it_undoes_or_does_again(seat, between):
    change, stood = seat.take_damage(amount=3), []
    for _ in range(4):
        between()
        change = seat.undo(change)
        stood.append((change.takes_back, change.what["stands"], seat.spent("health")))
    assert stood == [(True, False, 0), (False, True, 3)] * 2


def test_the_sentence_of_an_undo_repeats_the_first_sentence(seat):
    change = seat.rename(name="Vex")
    first, told = change.sentence, []
    for _ in range(3):
        change = seat.undo(change)
        told.append(change.sentence)
    assert told == [f"Undone: {first}", f"Redone: {first}", f"Undone: {first}"]


def test_a_death_save_is_turned_once(between):
    seat = seated(state=FALLEN)
    seat.death_save(chance=Fixed(1, 2, 3, 2))
    seat.cheat_death()
    between()
    with pytest.raises(Refused, match="no failed death saving throw"):
        seat.cheat_death()
    assert newest_of_kind(seat.character, "death")[-1].change.verb == "cheat_death"


def test_an_evening_is_the_same_when_its_history_is_reworded():
    """Two characters of one name with the same luck; the history of one is reworded after every action."""
    told, reworded = evening(kept), evening(reword)
    assert told == reworded


def evening(after):
    seat, luck = seated(level=3, state=HURT), random.Random(7)
    done = []
    for turn in range(60):
        verb, what = luck.choice(ACTIONS)
        if verb == "undo":
            what = {"change": luck.choice(list(seat.character.changes.filter(sequence__gt=1)) or [None])}
            if what["change"] is None:
                continue
        elif verb in LUCKY:
            what = {**what, "chance": random.Random(turn)}
        try:
            change = getattr(seat, verb)(**what)
        except Refused as refused:
            done.append((verb, refused.field))
        else:
            done.append((verb, change.takes_back))
        after()
    entries = kinds.entries(seat.character)
    read = [(one.stands, one.can_be_undone, one.takes_back) for one in entries]
    return done, read, [name for _, name, _ in marks(seat.character)], plain(facts(seat.character))


def plain(stored):
    """The facts without the ids that the database gave."""
    return sorted((address.partition(":")[0], str(value)) for address, value in stored.items())


LUCKY = ("roll", "spend_rest_die", "use")
ACTIONS = [
    ("take_damage", {"amount": 4, "type": "fire"}),
    ("heal", {"amount": 3}),
    ("roll", {"roll": "skill.athletics"}),
    ("mark", {"name": "Here"}),
    ("begin_rest", {}),
    ("spend_rest_die", {}),
    ("treat_wounds", {"medic": False, "by": "Doran"}),
    ("treat_wounds", {"medic": False}),
    ("finish_rest", {}),
    ("long_rest", {}),
    ("use", {"action": "second-wind"}),
    ("rename", {"name": "Vex"}),
    ("add_note", {"text": "A letter came."}),
    ("undo", {}),
    ("undo", {}),
]
