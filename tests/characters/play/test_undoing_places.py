"""An undo restores a thing only if its place is free: a hand, the body, a circumstance that nothing contradicts."""

import pytest

from characters.change.refusals import MovedOn, Refused
from characters.read.prose import digest
from tests.characters.cast import item_of, new_key
from tests.characters.play.table import Fixed, play, seated

pytestmark = pytest.mark.django_db

THINGS = [{"item": slug} for slug in ("longsword", "dagger", "greataxe", "leather", "chain-mail")]


@pytest.mark.parametrize(
    ("first", "place", "second", "instead"),
    [
        ("longsword", "main", "dagger", "main"),
        ("longsword", "main", "greataxe", "two-hands"),
        ("leather", "worn", "chain-mail", "worn"),
    ],
    ids=["same-hand", "both-hands", "armor"],
)
def test_undo_does_not_put_a_thing_where_something_else_is_now(first, place, second, instead):
    seat = seated(inventory=THINGS)

    def put(slug, state):
        return play.equip(seat.character.pk, seat.who, new_key(), item=item_of(seat.character, slug), state=state)

    put(first, place)
    away = put(first, "carried")
    taken = put(second, instead)
    before = seat.facts
    with pytest.raises(MovedOn, match=" is where .* was. Put .* away first"):
        seat.undo(away)
    assert seat.facts == before
    seat.undo(taken)
    seat.undo(away)
    assert f"item:{item_of(seat.character, first)}" in {
        address for address, value in seat.facts.items() if address.startswith("item:") and value["state"] == place
    }


def test_a_thing_is_not_taken_up_again_where_something_else_is_now():
    seat = seated(inventory=THINGS)
    taken = play.equip(seat.character.pk, seat.who, new_key(), item=item_of(seat.character, "longsword"), state="main")
    undone = seat.undo(taken)
    play.equip(seat.character.pk, seat.who, new_key(), item=item_of(seat.character, "dagger"), state="main")
    with pytest.raises(MovedOn, match="cannot be redone: Dagger is where Longsword was. Put Dagger away first"):
        seat.undo(undone)


def test_another_piece_of_the_same_kind_is_called_another():
    seat = seated(inventory=[{"item": "torch"}, {"item": "torch", "state": "stowed"}])
    first, other = sorted(int(one[5:]) for one in seat.facts if one.startswith("item:"))
    seat.equip(item=first, state="main")
    away = seat.equip(item=first, state="carried")
    seat.equip(item=other, state="main")
    with pytest.raises(MovedOn, match="cannot be undone: another Torch is in its place. Put that away first"):
        seat.undo(away)


def test_undo_switches_on_no_circumstance_that_another_contradicts(seat):
    seat.toggle(switch="+half-cover")
    off = seat.toggle(switch="-half-cover")
    more = seat.toggle(switch="+three-quarters-cover")
    with pytest.raises(MovedOn, match="behind three-quarters cover is on now"):
        seat.undo(off)
    seat.undo(more)
    seat.undo(off)
    assert [address for address in seat.facts if address.startswith("toggle:")] == ["toggle:half-cover"]


def test_restoring_a_character_from_the_bin_cannot_be_undone(seat):
    seat.throw_away()
    change = seat.restore()
    with pytest.raises(Refused, match="Restoring a character cannot be undone"):
        seat.undo(change)
    assert seat.fresh.binned_at is None


def test_doing_a_blow_again_kills_only_if_the_numbers_say_so():
    seat = seated(level=3)
    seat.adjust(resource="health", amount="0")
    blow = seat.take_damage(amount=1, critical=True)
    undone = seat.undo(blow)
    seat.death_save(faces=(1, 2, 3))
    again = seat.undo(undone)
    assert "dead" in seat.conditions
    undone = seat.undo(again)
    seat.stabilize(medic=True)
    seat.undo(undone)
    assert (seat.left("health"), "dead" in seat.conditions) == (1, False)


def test_undo_can_restore_a_declared_death(seat):
    dead = seat.add_condition(condition="condition:dead")
    undone = seat.undo(dead)
    assert "dead" not in seat.conditions
    again = seat.undo(undone)
    assert "dead" in seat.conditions
    seat.undo(again)
    alive = seat.add_condition(condition="condition:dead") and seat.remove_condition(condition="condition:dead")
    seat.undo(alive)
    assert "dead" in seat.conditions


@pytest.mark.parametrize("wounds", ["+6", "+4"])
def test_undoing_wounds_does_not_revive_a_character_killed_by_one_blow(wounds):
    seat = seated(state={"wounds": 4})
    seat.take_damage(amount=200)
    assert "dead" in seat.conditions
    more = seat.adjust(resource="wounds", amount=wounds)
    undone = seat.undo(more)
    assert "dead" in seat.conditions
    seat.undo(seat.undo(undone))
    assert "dead" in seat.conditions


def test_doing_again_a_loss_of_wounds_does_not_revive_the_dead(seat):
    seat.adjust(resource="wounds", amount="+10")
    undone = seat.undo(seat.adjust(resource="wounds", amount="-2"))
    assert (seat.spent("wounds"), "dead" in seat.conditions) == (10, True)
    seat.undo(undone)
    assert (seat.spent("wounds"), "dead" in seat.conditions) == (8, True)


def test_undoing_the_start_of_a_rest_clears_the_dice_spent_in_it():
    seat = seated(level=3, state={"health": 5})
    begun = seat.begin_rest()
    seat.spend_rest_die(chance=Fixed(3))
    seat.undo(begun)
    assert (seat.fresh.rest, seat.fresh.rest_dice) == ("", 0)


def test_undo_cannot_exceed_the_maximum_of_aspects():
    seat = seated(aspects=[])
    first = seat.add_aspect(kind="bond", text="The first")
    gone = seat.remove(address=next(iter(first.after)))
    for number in range(40):
        seat.add_aspect(kind="bond", text=f"Number {number}")
    with pytest.raises(MovedOn, match="there would be 41, and only 40 are allowed"):
        seat.undo(gone)
    assert sum(address.startswith("aspect:") for address in seat.facts) == 40
    seat.remove(address=next(address for address in seat.facts if address.startswith("aspect:")))
    seat.undo(gone)
    assert sum(address.startswith("aspect:") for address in seat.facts) == 40


def test_a_character_with_too_many_aspects_can_undo_an_edit():
    """A file may have more than the sheet adds."""
    seat = seated(aspects=[{"kind": "bond", "text": f"Number {number}"} for number in range(41)])
    address = next(address for address in seat.facts if address.startswith("aspect:"))
    edited = seat.edit(address=address, text="Another", was=digest("Number 0"))
    seat.undo(edited)
    assert seat.facts[address]["text"] == "Number 0"
