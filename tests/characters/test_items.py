"""Carrying, wearing and wielding."""

from copy import deepcopy

import pytest

from characters import verbs
from characters.change.refusals import Refused
from tests.characters.cast import facts, first_level, item_of, mira, new_key, person, refuses
from tests.characters.play.table import play

pytestmark = pytest.mark.django_db


def states(character):
    items = [value for address, value in facts(character).items() if address.startswith("item:")]
    return sorted(
        (item.get("ref", item.get("custom")).partition(":")[2], item["state"], item["quantity"]) for item in items
    )


def equip(character, slug, state):
    return play.equip(character.pk, person(), new_key(), item=item_of(character, slug), state=state)


def begin():
    character = first_level(
        inventory=[
            {"item": "shield", "state": "worn"},
            {"item": "longsword", "state": "main"},
            {"item": "greatsword"},
            {"item": "dagger", "quantity": 2},
            {"item": "chain-mail", "state": "worn"},
            {"item": "leather"},
        ]
    )
    assert character.changes.count() == 1
    return character


@pytest.fixture
def armed(begun):
    return deepcopy(begun)


def place(character, slug):
    return [state for name, state, _ in states(character) if name == slug]


def test_a_two_handed_weapon_puts_the_sword_and_the_shield_away(armed):
    equip(armed, "greatsword", "two-hands")
    assert (place(armed, "greatsword"), place(armed, "longsword"), place(armed, "shield")) == (
        ["two-hands"], ["carried"], ["carried"],
    )  # fmt: skip


def test_one_of_a_pile_goes_into_the_off_hand(armed):
    equip(armed, "dagger", "off")
    assert [row for row in states(armed) if row[0] == "dagger"] == [("dagger", "carried", 1), ("dagger", "off", 1)]
    assert place(armed, "shield") == ["carried"]
    assert place(armed, "longsword") == ["main"]


def test_a_shield_frees_the_off_hand(armed):
    equip(armed, "dagger", "off")
    equip(armed, "shield", "worn")
    assert [row for row in states(armed) if row[0] == "dagger"] == [("dagger", "carried", 2)]


def test_an_item_put_away_joins_its_pile_and_undo_separates_them(armed):
    equip(armed, "dagger", "off")
    before = facts(armed)
    (held,) = [key for key, value in before.items() if key.startswith("item:") and value["state"] == "off"]
    change = play.equip(armed.pk, person(), new_key(), item=held.partition(":")[2], state="carried")
    assert [row for row in states(armed) if row[0] == "dagger"] == [("dagger", "carried", 2)]
    play.undo(armed.pk, person(), new_key(), change.sequence)
    assert facts(armed) == before


@pytest.mark.parametrize(
    ("piles", "state", "then"),
    [
        ([("main", 1), ("carried", 2)], "main", [("carried", 2), ("main", 1)]),
        ([("main", 1), ("carried", 1)], "main", [("carried", 1), ("main", 1)]),
        ([("main", 1), ("off", 1), ("carried", 1)], "two-hands", [("carried", 2), ("two-hands", 1)]),
    ],
)
def test_moving_another_of_the_same_item_into_a_hand_loses_none(piles, state, then):
    character = first_level(
        inventory=[{"item": "dagger", "state": place, "quantity": number} for place, number in piles]
    )
    (pile,) = [key for key, value in facts(character).items() if key[:5] == "item:" and value["state"] == "carried"]
    play.equip(character.pk, person(), new_key(), item=pile.partition(":")[2], state=state)
    assert [row[1:] for row in states(character)] == then


def test_one_of_two_suits_of_armor_is_worn_and_its_quantity_stays_one():
    character = first_level(inventory=[])
    bought = verbs.purchase(character.pk, person(), new_key(), ref="armor:leather", quantity=2)
    assert bought.sentence.startswith("Mira buys 2 × Leather, now worn.")
    assert states(character) == [("leather", "carried", 1), ("leather", "worn", 1)]
    (worn,) = [key for key, value in facts(character).items() if key[:5] == "item:" and value["state"] == "worn"]
    with pytest.raises(Refused, match="Put it away before you add more"):
        play.set_quantity(character.pk, person(), new_key(), item=worn.partition(":")[2], quantity=3)


def test_putting_on_armor_takes_off_the_other_armor(armed):
    equip(armed, "leather", "worn")
    assert (place(armed, "leather"), place(armed, "chain-mail")) == (["worn"], ["carried"])


@pytest.mark.parametrize(
    ("slug", "state"),
    [("greatsword", "main"), ("longsword", "worn"), ("chain-mail", "main"), ("dagger", "head"), ("dagger", "")],
)
def test_a_place_that_does_not_fit_the_item_is_refused(armed, slug, state):
    before = facts(armed)
    with refuses("state"):
        equip(armed, slug, state)
    assert facts(armed) == before


def test_an_item_of_another_character_is_refused(armed):
    other = first_level()
    for act in (
        lambda item: play.equip(armed.pk, person(), new_key(), item=item, state="stowed"),
        lambda item: play.remove_item(armed.pk, person(), new_key(), item=item),
        lambda item: play.set_quantity(armed.pk, person(), new_key(), item=item, quantity=5),
    ):
        for item in (item_of(other, "dagger"), 2**70, -1, "1; drop"):
            with pytest.raises(Refused, match="does not have"):
                act(item)


def test_items_of_your_own_pile_up_and_bad_ones_are_refused(armed):
    play.add_item(armed.pk, person(), new_key(), custom="  A   brass key ")
    play.add_item(armed.pk, person(), new_key(), custom="A brass key", quantity=2)
    assert [value["quantity"] for value in facts(armed).values() if value and "custom" in str(value)] == [3]
    with pytest.raises(Refused, match="You cannot carry that"):
        play.add_item(armed.pk, person(), new_key(), ref="talent:tough")
    with pytest.raises(Refused, match="Choose something from the list, or write it"):
        play.add_item(armed.pk, person(), new_key())
    with pytest.raises(Refused, match="It contains characters that this site cannot save"):
        play.add_item(armed.pk, person(), new_key(), custom="nul\0")


def test_items_are_counted_and_removed(armed):
    play.set_quantity(armed.pk, person(), new_key(), item=item_of(armed, "dagger"), quantity=7)
    play.remove_item(armed.pk, person(), new_key(), item=item_of(armed, "greatsword"))
    assert ("dagger", "carried", 7) in states(armed)
    assert not place(armed, "greatsword")


def test_the_same_place_or_quantity_again_is_refused(armed):
    with refuses("state"):
        equip(armed, "longsword", "main")
    with refuses("quantity"):
        play.set_quantity(armed.pk, person(), new_key(), item=item_of(armed, "dagger"), quantity=2)
    assert armed.changes.count() == 1


def test_the_sentence_names_the_items_put_away_to_make_room(armed):
    change = equip(armed, "greatsword", "two-hands")
    assert change.sentence.endswith("Greatsword is now in both hands. Put away: Shield and Longsword.")


def test_a_character_carries_at_most_two_hundred_things():
    character = mira(inventory=[{"custom": f"Shell {number}", "state": "carried"} for number in range(199)])
    play.add_item(character.pk, person(), new_key(), custom="The last shell")
    with pytest.raises(Refused, match="200"):
        play.add_item(character.pk, person(), new_key(), custom="One too many")
    assert sum(address.startswith("item:") for address in facts(character)) == 200
