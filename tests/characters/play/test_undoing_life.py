"""Undoing around 0 health and in a rest: what counts are the changes in force, in whatever order they were undone."""

from itertools import permutations

import pytest

from characters.change.refusals import MovedOn
from tests.characters.cast import item_of
from tests.characters.play.table import Fixed, seated

pytestmark = pytest.mark.django_db


def numbers_of(seat):
    return {address: value for address, value in seat.facts.items() if value}


def down():
    """A character, and the blow that brought it down."""
    seat = seated(level=3, items=[("longsword", "main")])
    return seat, seat.take_damage(amount=seat.left("health"))


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_a_fall_a_blow_a_save_and_its_healing_are_undone_in_any_order(order):
    seat = seated(level=3, items=[("longsword", "main")])
    before = numbers_of(seat)
    changes = [
        seat.take_damage(amount=seat.left("health")),
        seat.take_damage(amount=1),
        seat.death_save(chance=Fixed(2, 2, 2)),
        seat.heal(amount=100),
    ]
    left, sentences = [changes[place] for place in order], []
    while left:
        for change in [*left]:
            try:
                seat.undo(change)
            except MovedOn as refused:
                sentences.append(str(refused))
            else:
                left.remove(change)
                break
        else:
            pytest.fail("Nothing can be undone any more.")
    assert numbers_of(seat) == before
    assert all("Undo that first" in one and "something" not in one for one in sentences)


def test_failed_saves_do_not_come_back_with_the_fall_once_they_are_undone():
    seat, blow = down()
    save = seat.death_save(chance=Fixed(2, 2, 2))
    back = seat.undo(blow)
    seat.undo(save)
    seat.undo(back)
    assert (seat.spent("death-failures"), "dying" in seat.conditions) == (0, True)


def test_failed_saves_come_back_with_the_fall():
    seat, blow = down()
    seat.death_save(chance=Fixed(2, 2, 2))
    back = seat.undo(blow)
    assert seat.spent("death-failures") == 0
    seat.undo(back)
    assert seat.spent("death-failures") == 1


def test_a_save_from_before_the_healing_does_not_count_in_the_next_fall():
    seat, _ = down()
    old = seat.death_save(chance=Fixed(2, 2, 2))
    seat.heal(amount=1)
    seat.take_damage(amount=1)
    seat.death_save(chance=Fixed(2, 2, 2))
    seat.undo(old)
    assert seat.spent("death-failures") == 1


def test_the_last_of_three_passed_saves_counts_on_the_others():
    seat, _ = down()
    first, _, third = [seat.death_save(chance=Fixed(4, 4, 4)) for _ in range(3)]
    with pytest.raises(MovedOn, match=f"“{third.sentence}” depends on it. Undo that first"):
        seat.undo(first)
    back = seat.undo(third)
    again = seat.undo(first)
    assert (seat.spent("death-successes"), "dying" in seat.conditions) == (1, True)
    with pytest.raises(MovedOn, match="cannot be redone: redo the death saving throws before it first"):
        seat.undo(back)
    seat.undo(again)
    seat.undo(back)
    assert "stable" in seat.conditions


def test_death_and_life_by_word_are_undone_in_any_order():
    seat = seated(level=3)
    dead = seat.add_condition(condition="condition:dead")
    alive = seat.remove_condition(condition="condition:dead")
    back = seat.undo(dead)
    again = seat.undo(alive)
    assert "dead" not in seat.conditions
    seat.undo(back)
    assert "dead" in seat.conditions
    seat.undo(again)
    assert "dead" not in seat.conditions


def test_nobody_lies_prone_of_a_fall_that_is_undone():
    seat, blow = down()
    up = seat.remove_condition(condition="condition:prone")
    seat.undo(blow)
    seat.undo(up)
    assert "prone" not in seat.conditions


def test_what_a_fall_dropped_is_in_hand_again_when_all_is_undone():
    seat, blow = down()
    sword = item_of(seat.character, "longsword")
    more = seat.set_quantity(item=sword, quantity=2)
    seat.undo(blow)
    seat.undo(more)
    assert seat.facts[f"item:{sword}"]["state"] == "main"


def test_a_fall_is_done_again_though_what_it_dropped_is_elsewhere_by_now():
    seat, blow = down()
    sword = item_of(seat.character, "longsword")
    back = seat.undo(blow)
    seat.equip(item=sword, state="stowed")
    seat.undo(back)
    assert "dying" in seat.conditions
    assert seat.facts[f"item:{sword}"]["state"] == "stowed"


@pytest.mark.parametrize("source", ["", "a spell"])
def test_defending_and_its_end_are_undone_in_any_order(source):
    seat = seated(level=3)
    defend = seat.add_condition(condition="condition:defending", source=source)
    over = seat.remove_condition(condition="condition:defending")
    seat.undo(defend)
    seat.undo(over)
    assert "defending" not in seat.conditions


def test_an_undo_lets_nobody_defend_at_0_health():
    seat = seated(level=3)
    seat.use(action="defend")
    over = seat.remove_condition(condition="condition:defending")
    seat.adjust(resource="health", amount="0")
    seat.undo(over)
    assert "defending" not in seat.conditions


def test_a_die_that_is_undone_does_not_come_back_with_its_rest():
    seat = seated(level=5, state={"health": 2})
    seat.begin_rest()
    dice = [seat.spend_rest_die(chance=Fixed(2)) for _ in range(2)]
    over = seat.finish_rest()
    back = seat.undo(dice[0])
    seat.undo(over)
    assert seat.fresh.rest_dice == 1
    seat.undo(back)
    assert seat.fresh.rest_dice == 2
