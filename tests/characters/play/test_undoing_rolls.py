"""Undoing a part of a roll: each row of the log contains everything that was added before it (section 23.2)."""

import re

import pytest

from characters.change import roll_log
from characters.change.refusals import MovedOn, Refused
from characters.models import RollRecord
from tests.characters.play.table import Fixed, seated

pytestmark = pytest.mark.django_db

LATER = "cannot be undone: more has been added to this roll"
LATER_STILL = "cannot be redone: more has been added to this roll"
AGAIN = "the roll has changed since"
NO_LONGER = "cannot be redone: that roll no longer decides whether the character lives"


def heroic(**more):
    return seated(level=3, ranks={"spirit": 20}, **more)


def dying():
    seat = heroic()
    seat.adjust(resource="health", amount="0")
    return seat


def newest():
    return RollRecord.objects.latest("pk").pk


def test_a_nudge_is_not_done_again_without_the_die_added_before_it():
    """Its row contains the die, which nobody would have paid for."""
    seat = heroic()
    seat.roll(roll="skill.athletics", target=12, chance=Fixed(2, 2, 2))
    roll = newest()
    die, nudge = seat.extra_die(roll=roll, chance=Fixed(6)), seat.nudge(roll=roll)
    without_nudge = seat.undo(nudge)
    without_die = seat.undo(die)
    with pytest.raises(MovedOn, match=f"{AGAIN}. Redo “{re.escape(die.sentence)}” first"):
        seat.undo(without_nudge)
    seat.undo(without_die)
    seat.undo(without_nudge)
    assert [row.total for row in roll_log.chain(seat.fresh, roll)][-1] == RollRecord.objects.get(change=nudge).total
    assert seat.spent("resolve") == 2


def test_of_several_additions_the_next_in_turn_is_named():
    """The newest is undone first; they are done again from the oldest on."""
    seat = heroic()
    seat.roll(roll="skill.athletics", target=30, chance=Fixed(2, 2, 2))
    roll = newest()
    one, two, three = (seat.nudge(roll=roll) for _ in range(3))

    def refused(change, why, named):
        with pytest.raises(MovedOn, match=f"{why} “{re.escape(named.sentence)}” first"):
            seat.undo(change)

    refused(one, f"{LATER}. Undo", three)
    without_three, without_two, without_one = [seat.undo(nudge) for nudge in (three, two, one)]
    refused(without_three, f"{AGAIN}. Redo", one)
    without_late = seat.undo(seat.nudge(roll=roll, up=False))
    seat.undo(without_one)
    seat.undo(without_two)
    refused(without_late, f"{AGAIN}. Undo", two)


def test_a_die_is_done_again_once_the_nudge_that_it_did_not_follow_is_undone():
    seat = heroic()
    seat.roll(roll="skill.athletics", target=12, chance=Fixed(2, 2, 2))
    roll = newest()
    without_nudge = seat.undo(seat.nudge(roll=roll))
    without_die = seat.undo(seat.extra_die(roll=roll, chance=Fixed(6)))
    nudge = seat.undo(without_nudge)
    with pytest.raises(MovedOn, match=f"{AGAIN}. Undo “.* nudges .*” first"):
        seat.undo(without_die)
    seat.undo(nudge)
    seat.undo(without_die)


def test_a_critical_is_not_done_again_without_the_nudge_that_made_it_a_hit():
    seat = heroic(items=[("longsword", "main")])
    attack = next(one for one in seat.sheet.attacks if one.item_key)
    seat.roll(roll=f"attack.{attack.item}.{attack.grip}", target=11, chance=Fixed(4, 3, 2))
    roll = newest()
    nudge, turned = seat.nudge(roll=roll), seat.turn_critical(roll=roll)
    back = seat.undo(turned)
    seat.undo(nudge)
    with pytest.raises(MovedOn, match=f"{AGAIN}. Redo “{re.escape(nudge.sentence)}” first"):
        seat.undo(back)


def test_doing_a_detail_again_cannot_use_an_aspect_twice_on_a_roll():
    seat = heroic()
    aspect = next(address for address in seat.facts if address.startswith("aspect:"))
    seat.roll(roll="skill.athletics", target=12, chance=Fixed(2, 2, 2))
    roll = newest()
    back = seat.undo(seat.detail(aspect=aspect, detail="The gate is old", roll=roll))
    die = seat.extra_die(roll=roll, aspect=aspect, chance=Fixed(6))
    with pytest.raises(MovedOn, match=f"{LATER_STILL}. Undo “{re.escape(die.sentence)}” first"):
        seat.undo(back)
    assert [row.aspect for row in roll_log.chain(seat.fresh, roll)] == ["", aspect]


def test_a_roll_is_undone_and_done_again_with_its_additions():
    seat = heroic()
    made = seat.roll(roll="skill.athletics", target=12, chance=Fixed(2, 2, 2))
    seat.nudge(roll=newest())
    back = seat.undo(made)
    assert roll_log.log_of(seat.fresh, seat.who, most=9) == []
    seat.undo(back)
    assert [len(one) for one in roll_log.log_of(seat.fresh, seat.who, most=9)] == [2]


def test_a_death_save_is_not_undone_before_its_nudge():
    """Otherwise its nudge would count as a save that nobody made."""
    seat = dying()
    first = seat.death_save(chance=Fixed(2, 2, 5))
    nudge = seat.nudge(roll=newest())
    seat.death_save(chance=Fixed(2, 2, 2))
    with pytest.raises(MovedOn, match=f"{LATER}. Undo “{re.escape(nudge.sentence)}” first"):
        seat.undo(first)
    seat.undo(nudge)
    seat.undo(first)
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (0, 1)


def test_cheating_death_is_not_done_again_on_a_save_that_no_longer_decides():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    back = seat.undo(seat.cheat_death())
    seat.heal(amount=5)
    seat.adjust(resource="health", amount="0")
    seat.adjust(resource="health", amount="-1")
    with pytest.raises(MovedOn, match=NO_LONGER):
        seat.undo(back)
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (0, 1)


def test_a_save_itself_is_done_again_after_healing():
    """Only what was added to a save needs one that still decides."""
    seat = dying()
    back = seat.undo(seat.death_save(chance=Fixed(2, 2, 2)))
    seat.heal(amount=5)
    seat.undo(back)
    assert (seat.left("health"), seat.spent("death-failures")) == (5, 0)


def test_cheating_death_is_done_again_on_a_save_that_still_decides():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    back = seat.undo(seat.cheat_death())
    seat.undo(back)
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (2, 0)


def test_a_detail_on_an_old_save_does_not_let_it_be_turned():
    seat = dying()
    aspect = next(address for address in seat.facts if address.startswith("aspect:"))
    seat.death_save(chance=Fixed(2, 2, 2))
    save = newest()
    seat.heal(amount=5)
    seat.adjust(resource="health", amount="0")
    seat.adjust(resource="health", amount="-1")
    seat.detail(aspect=aspect, detail="The floor is wet", roll=save)
    with pytest.raises(Refused, match="no failed death saving throw"):
        seat.cheat_death()


def test_a_detail_on_an_old_save_can_be_done_again():
    seat = dying()
    aspect = next(address for address in seat.facts if address.startswith("aspect:"))
    seat.death_save(chance=Fixed(4, 4, 4))
    save = newest()
    seat.take_damage(amount=1)
    detail = seat.detail(aspect=aspect, detail="The floor is wet", roll=save)
    seat.undo(seat.undo(detail))
    assert [record.aspect for record in roll_log.chain(seat.fresh, save)] == ["", aspect]
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (1, 1)


@pytest.mark.parametrize("which", [0, 1], ids=["the first", "the last"])
@pytest.mark.parametrize("way", ["saves", "wounds"])
def test_undoing_either_cause_of_death_revives_the_character(way, which):
    if way == "saves":
        seat = dying()
        causes = [seat.death_save(chance=Fixed(2, 2, 2)), seat.death_save(chance=Fixed(1, 1, 2))]
    else:
        seat = heroic()
        causes = [seat.adjust(resource="wounds", amount=amount) for amount in ("+4", "+6")]
    assert "dead" in seat.conditions
    back = seat.undo(causes[which])
    assert "dead" not in seat.conditions
    seat.undo(back)
    assert "dead" in seat.conditions


def test_undoing_wounds_does_not_revive_a_character_declared_dead():
    seat = heroic()
    wounded = seat.adjust(resource="wounds", amount="+4")
    seat.add_condition(condition="condition:dead")
    seat.undo(wounded)
    assert "dead" in seat.conditions
