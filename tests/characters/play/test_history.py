"""The history: sentences with who and when, undo of any change, marks and what has changed since."""

import pytest

from characters import verbs
from characters.actions import kinds
from characters.actions.marks import marks
from characters.change import history_entries
from characters.change.refusals import MovedOn, Refused
from characters.people import Person
from rules.compile import bundle_for
from tests.characters.cast import new_key
from tests.characters.play.table import Fixed, Seat, seated

pytestmark = pytest.mark.django_db


def held(seat):
    return {address: value for address, value in seat.facts.items() if value not in (0, "", None, [])}


def test_every_change_is_a_sentence_with_who_and_when(seat):
    seat.take_damage(amount=3, type="fire")
    newest = kinds.entries(seat.fresh)[0]
    assert (newest.sentence, newest.who) == ("Mira takes 3 damage (3 fire).", "ana")
    assert newest.at is not None


def test_an_undo_is_listed_under_the_kind_of_the_change_that_it_undoes(seat):
    hit = seat.take_damage(amount=3)
    verbs.rename(seat.character.pk, seat.who, new_key(), name="Mo")
    seat.undo(hit)
    play = [entry.sentence for entry in kinds.entries(seat.fresh, kind="health")]
    building = [entry.sentence for entry in kinds.entries(seat.fresh, kind="building")]
    assert play == ["Undone: Mira takes 3 damage.", "Mira takes 3 damage."]
    assert building == ["Mira is now called Mo.", "Mira comes from a character file."]


def test_an_undone_change_is_marked_undone(seat):
    hit = seat.take_damage(amount=3)
    undone = seat.undo(hit)
    assert [(entry.stands, entry.can_be_undone) for entry in kinds.entries(seat.fresh)] == [
        (True, True),
        (False, False),
        (True, False),
    ]
    seat.undo(undone)
    assert [entry.stands for entry in kinds.entries(seat.fresh)] == [True, False, True, True]


def test_an_earlier_change_can_be_undone():
    seat = seated(level=5)
    first = seat.take_damage(amount=4)
    seat.take_damage(amount=5)
    seat.heal(amount=2)
    seat.undo(first)
    assert seat.spent("health") == 3


def test_undo_is_refused_when_the_number_has_been_used_since():
    seat = seated(level=3, ranks={"spirit": 14})
    seat.adjust(resource="resolve", amount="-2")
    back = seat.regain(points=2)
    seat.adjust(resource="resolve", amount="-2")
    with pytest.raises(MovedOn, match="has used up Resolve since. Undo that first"):
        seat.undo(back)
    healed_up = seat.regain(points=2)
    seat.adjust(resource="resolve", amount="-1")
    with pytest.raises(MovedOn):
        seat.undo(healed_up)


def test_a_change_can_be_undone_and_done_again_repeatedly():
    seat = seated(level=5)
    change = seat.take_damage(amount=30, also=2, also_type="fire")
    hurt = held(seat)
    for _ in range(2):
        change = seat.undo(change)
        assert "spent:health" not in held(seat)
        change = seat.undo(change)
        assert held(seat) == hurt


def test_a_mark_shows_what_has_changed_since():
    seat = seated(level=5)
    full = seat.left("health")
    mark = seat.mark(name="last night")
    then = history_entries.facts_at(seat.fresh, mark.sequence, bundle_for("polyhedral"))
    assert then == held(seat)
    seat.take_damage(amount=9)
    seat.add_condition(condition="condition:poisoned")
    seat.roll(roll="skill.athletics", chance=Fixed(1, 2))
    moved = {change.key: change for change in history_entries.since(seat.fresh, mark.sequence)}
    assert (moved["health"].before, moved["health"].after) == (str(full), str(full - 9))
    assert (moved["condition:poisoned"].before, moved["condition:poisoned"].after) == ("", "1")
    assert "skill.athletics" in moved
    assert marks(seat.fresh)[0][:2] == (mark.sequence, "last night")
    assert then == history_entries.facts_at(seat.fresh, mark.sequence, bundle_for("polyhedral"))


def test_a_mark_that_is_undone_and_done_again_is_among_the_marks(seat):
    mark = seat.mark(name="last night")
    undone = seat.undo(mark)
    assert marks(seat.fresh) == []
    seat.undo(undone)
    assert [number for number, *_ in marks(seat.fresh)] == [mark.sequence]


def test_a_mark_needs_a_name():
    with pytest.raises(Refused, match="Give the mark a name"):
        seated().mark(name="  ")


def test_a_stranger_changes_nothing(seat):
    with pytest.raises(Exception, match="No such"):
        Seat(seat.character, Person(guest="b" * 64)).take_damage(amount=1)


def test_undoing_an_undo_counts_as_doing_the_change_again(seat):
    hit = seat.take_damage(amount=3)
    undone = seat.undo(hit)
    again = seat.undo(undone)
    assert [one.takes_back for one in kinds.entries(seat.fresh)[:3]] == [False, True, False]
    assert [change.takes_back for change in (hit, undone, again)] == [False, True, False]


def test_no_more_is_learned_than_a_file_may_have(seat, monkeypatch):
    first = seat.spend_downtime(days=1, activity="Rest", language="One")
    undone = seat.undo(first)
    for module in ("action_context", "undo"):
        monkeypatch.setattr(f"characters.actions.{module}.MOST_AWARDS", 2)
    seat.spend_downtime(days=1, activity="Rest", language="Two", learn="skill:stealth")
    with pytest.raises(Refused, match="You can learn at most 2 things"):
        seat.spend_downtime(days=1, activity="Rest", language="Three")
    with pytest.raises(Refused, match="only 2 are allowed"):
        seat.undo(undone)


def test_marks_and_downtime_entries_have_a_maximum(seat, monkeypatch):
    monkeypatch.setattr("characters.actions.marks.MOST_MARKS", 2)
    monkeypatch.setattr("characters.actions.action_context.MOST_DOWNTIMES", 2)
    first, _ = seat.mark(name="One"), seat.mark(name="Two")
    with pytest.raises(Refused, match="At most 2 marks"):
        seat.mark(name="Three")
    seat.undo(first)
    seat.mark(name="Three")
    for _ in range(2):
        seat.spend_downtime(days=1, activity="Rest")
    with pytest.raises(Refused, match="At most 2 entries"):
        seat.spend_downtime(days=1, activity="Rest")
    assert len([address for address in seat.facts if address.startswith("downtime:")]) == 2
