"""Ammunition, loading, kits, buying together and overspending (sections 17 and 19, rulings 50, 60, 63 and 67)."""

import pytest

from characters import verbs
from characters.change.refusals import MovedOn, Refused
from characters.read import version_cache, versions
from rules.games.polyhedral.play_view import PlayView
from tests.characters.cast import item_of, new_key, refuses
from tests.characters.play.table import play, seated, with_resources
from tests.support.characters import document, sheet_of

pytestmark = pytest.mark.django_db


def archer(arrows=20, **more):
    inventory = [{"item": "longbow", "state": "main"}, {"item": "arrows", "quantity": arrows}]
    return seated(inventory=inventory, **more)


def shoot(seat, item="longbow", grip="one-hand"):
    return seat.roll(roll=f"attack.{item}.{grip}", target=12)


def play_view(seat):
    bundle, build, sheet = sheet_of(seat.fresh)
    return PlayView(bundle, build, sheet)


def used(seat, slug):
    return seat.facts.get(f"used:{item_of(seat.character, slug)}", 0)


def test_each_shot_uses_an_arrow():
    seat = archer(2)
    shoot(seat)
    shoot(seat)
    assert used(seat, "arrows") == 2
    with pytest.raises(Refused, match="no arrow left for Longbow. Add some under Equipment first"):
        shoot(seat)


def test_the_sample_with_a_bow_can_shoot_it():
    seat = seated(inventory=document("ilien-of-the-reeds")["inventory"])
    shoot(seat, "short-bow")
    assert used(seat, "arrows") == 1


def test_ru_10_gathering_finds_half_of_the_arrows_shot():
    seat = archer(20)
    for _ in range(9):
        shoot(seat)
    change = seat.gather_ammunition()
    assert change.sentence == "Mira finds 4 of 9 × Arrow again."
    arrows = item_of(seat.character, "arrows")
    assert seat.facts[f"item:{arrows}"]["quantity"] == 15
    assert used(seat, "arrows") == 0
    with pytest.raises(Refused, match="Nothing"):
        seat.gather_ammunition()


def test_arrows_that_are_not_searched_for_are_gone():
    seat = archer(2)
    shoot(seat)
    shoot(seat)
    before = seat.facts
    gone = seat.gather_ammunition(search=False)
    assert not any(value.get("ref") == "gear:arrows" for value in seat.facts.values() if isinstance(value, dict))
    seat.undo(gone)
    assert seat.facts == before | {"field:rest_dice": 0}


@pytest.mark.fast
def test_undoing_the_removal_of_arrows_restores_the_number_shot():
    """Each change begins with the version that the change before it made."""
    seat = archer()
    shoot(seat)
    arrows = item_of(seat.character, "arrows")
    gone = play.remove_item(seat.character.pk, seat.who, new_key(), item=arrows)
    back = seat.undo(gone)
    assert used(seat, "arrows") == 1
    again = seat.undo(back)
    assert not any(address.startswith("used:") for address in seat.facts)
    assert version_cache.current(again.character).facts == versions.read(seat.fresh).facts
    seat.undo(again)
    assert used(seat, "arrows") == 1


def test_reloading_is_not_undone_while_the_weapon_is_gone():
    seat = seated(inventory=[{"item": "pistol-revolver", "state": "main"}, {"item": "bullets", "quantity": 20}])
    shoot(seat, "pistol-revolver")
    revolver = item_of(seat.character, "pistol-revolver")
    reloaded = seat.reload(item=revolver)
    gone = play.remove_item(seat.character.pk, seat.who, new_key(), item=revolver)
    before = seat.facts
    with pytest.raises(MovedOn, match="is gone"):
        seat.undo(reloaded)
    assert seat.facts == before
    seat.undo(gone)
    seat.undo(reloaded)
    assert used(seat, "pistol-revolver") == 1


def test_an_earlier_shot_can_be_undone():
    seat = archer()
    first = shoot(seat)
    shoot(seat)
    seat.undo(first)
    assert used(seat, "arrows") == 1


def test_stowing_arrows_keeps_the_number_shot():
    seat = archer()
    shoot(seat)
    arrows = item_of(seat.character, "arrows")
    play.equip(seat.character.pk, seat.who, new_key(), item=arrows, state="stowed")
    assert used(seat, "arrows") == 1


def test_a_house_rule_may_leave_ammunition_uncounted():
    seat = seated(inventory=[{"item": "longbow", "state": "main"}], switches={"trackAmmunition": "off"})
    assert shoot(seat).sentence.startswith("Mira attacks with Longbow: rolls ")
    seat = archer(2, switches={"trackAmmunition": "off"})
    for _ in range(3):
        shoot(seat)
    assert used(seat, "arrows") == 0


def test_wp_09_a_revolver_is_reloaded_after_six():
    seat = seated(inventory=[{"item": "pistol-revolver", "state": "main"}, {"item": "bullets", "quantity": 20}])
    for _ in range(6):
        shoot(seat, "pistol-revolver")
    with pytest.raises(Refused, match="empty"):
        shoot(seat, "pistol-revolver")
    seat.reload(item=item_of(seat.character, "pistol-revolver"))
    shoot(seat, "pistol-revolver")
    assert used(seat, "bullets") == 7
    assert seat.gather_ammunition().sentence == "Mira finds 0 of 7 × Bullet again."


def test_reloading_a_bow_or_a_missing_thing_is_refused():
    seat = archer()
    with pytest.raises(Refused, match="cannot be reloaded"):
        seat.reload(item=item_of(seat.character, "longbow"))
    with pytest.raises(Refused, match="That cannot be reloaded"):
        seat.reload(item="0")


def test_thrown_weapons_run_out_and_are_found():
    seat = seated(inventory=[{"item": "dagger", "quantity": 2, "state": "main"}])
    shoot(seat, "dagger", "thrown")
    shoot(seat, "dagger", "thrown")
    with pytest.raises(Refused, match="left to throw"):
        shoot(seat, "dagger", "thrown")
    seat.gather_ammunition()
    assert seat.facts[f"item:{item_of(seat.character, 'dagger')}"]["quantity"] == 1


def test_pieces_thrown_from_the_hand_one_by_one_are_found_together():
    seat = seated(inventory=[{"item": "javelin", "quantity": 5}])
    for _ in range(3):
        seat.equip(item=fresh_javelins(seat), state="main")
        shoot(seat, "javelin", "thrown")
    change = seat.gather_ammunition()
    assert change.sentence == "Mira finds 1 of 3 × Javelin again."
    assert sum(value["quantity"] for address, value in seat.facts.items() if address.startswith("item:")) == 3
    seat.undo(change)
    assert sum(number for address, number in seat.facts.items() if address.startswith("used:")) == 3


def fresh_javelins(seat):
    """The pile of which none was thrown."""
    facts = seat.facts
    numbers = [address.partition(":")[2] for address in facts if address.startswith("item:")]
    return next(number for number in numbers if not facts.get(f"used:{number}"))


def test_taking_a_dagger_in_hand_again_takes_one_that_was_not_thrown():
    seat = seated(inventory=[{"item": "dagger", "quantity": 5, "state": "main"}])
    for _ in range(3):
        shoot(seat, "dagger", "thrown")
    dagger = item_of(seat.character, "dagger")
    seat.equip(item=dagger, state="carried")
    taken = seat.equip(item=dagger, state="main")
    seat.undo(taken)
    assert used(seat, "dagger") == 3
    seat.equip(item=dagger, state="main")
    assert used(seat, "dagger") == 0
    seat.gather_ammunition()
    assert sum(value["quantity"] for address, value in seat.facts.items() if address.startswith("item:")) == 3
    shoot(seat, "dagger", "thrown")


def test_a_pile_cannot_shrink_below_the_number_shot_from_it():
    seat = archer(1)
    bought = seat.purchase(ref="gear:arrows", quantity=2)
    for _ in range(3):
        shoot(seat)
    before = seat.facts
    with pytest.raises(Refused, match="Gather"):
        seat.set_quantity(item=item_of(seat.character, "arrows"), quantity=2)
    with pytest.raises(MovedOn, match="“Mira.*” has used up Arrow since. Undo that first"):
        seat.undo(bought)
    assert seat.facts == before


def test_a_file_with_more_arrows_shot_than_there_are_blocks_no_undo():
    items = [{"item": "arrows", "quantity": 3, "used": 9}, {"item": "dagger", "state": "carried"}]
    seat = seated(inventory=items)
    seat.undo(seat.equip(item=item_of(seat.character, "dagger"), state="main"))
    assert used(seat, "arrows") == 9


def test_a_healing_kit_has_ten_uses():
    seat = seated(inventory=[{"item": "healing-kit"}], state={"spent": {"healing-kit": 9}})
    seat.use(action="stabilize-with-a-healing-kit")
    assert seat.left("healing-kit") == 0
    with pytest.raises(Refused, match="spent"):
        seat.use(action="stabilize-with-a-healing-kit")


def test_each_healing_kit_has_ten_uses_and_the_emptiest_is_removed_first():
    seat = seated(inventory=[{"item": "healing-kit", "quantity": 2}], state={"spent": {"healing-kit": 13}})
    kits = item_of(seat.character, "healing-kit")
    assert seat.sheet.resources["healing-kit"].max == 20
    assert [step.text for step in seat.sheet.values["healing-kit.max"].because] == ["2 times"]
    change = seat.set_quantity(item=kits, quantity=1)
    assert (seat.left("healing-kit"), seat.sheet.resources["healing-kit"].max) == (7, 10)
    assert [step.text for step in seat.sheet.values["healing-kit.max"].because] == ["starts at 10"]
    thrown = seat.remove_item(item=kits)
    bought = seat.add_item(ref="gear:healing-kit")
    assert seat.left("healing-kit") == 10
    seat.undo(bought)
    seat.undo(thrown)
    seat.undo(change)
    assert seat.left("healing-kit") == 7


def test_re_01_a_pool_buys_what_one_character_cannot():
    seat = with_resources(3)
    with pytest.raises(Refused, match="Rare"):
        seat.purchase_together(ref="armor:plate", ranks=[3])
    change = seat.purchase_together(ref="armor:plate", ranks=[3, 4])
    assert change.sentence == "Mira buys Plate together with others. Together: Resources 6, Comfortable."
    assert seat.sheet.value("resources.rank") == 3


@pytest.mark.parametrize("ranks", [[], [5], [4, 11], ["4"]], ids=["alone", "RE-06", "too-high", "text"])
def test_re_06_ranks_that_make_no_pool_are_refused(ranks):
    with refuses("ranks"):
        with_resources(3).purchase_together(ref="armor:plate", ranks=ranks)


def test_re_08_and_dn_01_overspending_lowers_resources_and_downtime_restores_them():
    seat = with_resources(3)
    verbs.purchase(seat.character.pk, seat.who, new_key(), ref="armor:plate")
    assert seat.sheet.value("resources.rank") == 2
    seat.spend_downtime(days=10, activity="Crafting", restore=True)
    assert seat.sheet.value("resources.rank") == 3


def test_downtime_says_which_conditions_it_ends():
    seat = with_resources(3)
    seat.add_condition(condition="condition:poisoned", rounds=3)
    change = seat.spend_downtime(days=3, activity="Training", restore=True)
    assert change.sentence == "Mira: 3 days of training. Poisoned ends."
    assert not seat.conditions


def test_a_thing_may_be_free_text():
    seat = seated(inventory=[])
    play.add_item(seat.character.pk, seat.who, new_key(), custom="A letter in green wax")
    assert [v["custom"] for a, v in seat.facts.items() if a.startswith("item:")] == ["A letter in green wax"]


def test_a_weapon_has_no_more_shots_loaded_than_there_are_bullets():
    seat = seated(inventory=[{"item": "pistol-revolver", "state": "main"}, {"item": "bullets", "quantity": 2}])

    def left():
        return versions.read(seat.fresh).table.shots

    assert set(left().values()) >= {"2 loaded, 2 bullets"}
    shoot(seat, "pistol-revolver")
    shoot(seat, "pistol-revolver")
    assert set(left().values()) >= {"0 loaded, 0 bullets"}


def test_undo_restores_a_pile_that_a_file_says_was_shot_too_often():
    seat = seated(level=3, inventory=[{"item": "arrows", "quantity": 5, "used": 10}])
    before = seat.facts
    seat.undo(seat.remove_item(item=item_of(seat.character, "arrows")))
    assert seat.facts == before


def test_a_weapon_that_has_been_thrown_cannot_strike():
    seat = seated(inventory=[{"item": "handaxe", "state": "main"}])
    seat.roll(roll="attack.handaxe.thrown")
    with pytest.raises(Refused, match="it has been thrown"):
        seat.roll(roll="attack.handaxe.one-hand")
    seat.gather_ammunition()
    assert not [address for address in seat.facts if address.startswith("used:")]


def test_a_weapon_that_has_been_thrown_leaves_its_hand_free():
    arms = [{"item": "longsword", "state": "main"}, {"item": "dagger", "state": "off"}]
    seat = seated(inventory=arms)

    def grips():
        return {one.grip for one in seat.sheet.attacks if one.item == "longsword"}

    assert grips() == {"one-hand"}
    seat.roll(roll="attack.dagger.thrown")
    assert grips() == {"one-hand", "two-hands"}


@pytest.mark.parametrize(
    ("held", "roll"),
    [
        ({"item": "dagger", "quantity": 2}, "attack.dagger.thrown"),
        ({"item": "pistol-revolver"}, "attack.pistol-revolver"),
    ],
    ids=["one of two daggers", "a weapon to reload"],
)
def test_a_hand_stays_full_while_anything_is_left_in_it(held, roll):
    seat = seated(
        inventory=[
            {"item": "longsword", "state": "main"},
            {**held, "state": "off"},
            {"item": "bullets", "quantity": 20},
        ]
    )
    seat.roll(roll=next(one.roll.key for one in seat.sheet.attacks if one.roll.key.startswith(roll)))
    assert {one.grip for one in seat.sheet.attacks if one.item == "longsword"} == {"one-hand"}


def test_whoever_has_thrown_the_only_weapon_strikes_with_empty_hands():
    styles = {"fighter.fighting-style": ["unarmed-fighting"]}
    seat = seated(inventory=[{"item": "dagger", "state": "main"}], choices=styles)

    def strike():
        return next(one.damage for one in seat.sheet.attacks if one.grip == "unarmed")

    assert strike() == "1d6"
    seat.roll(roll="attack.dagger.thrown")
    assert strike() == "1d8"


def test_r36_the_second_weapon_strikes_after_the_first_is_thrown():
    seat = seated(inventory=[{"item": "handaxe", "state": "main"}, {"item": "dagger", "state": "off"}])
    seat.roll(roll="attack.handaxe.thrown")
    assert {"off-hand", "thrown"} <= {one.grip for one in seat.sheet.attacks if one.item == "dagger"}


def test_the_page_says_what_is_left_to_throw():
    seat = seated(inventory=[{"item": "dagger", "quantity": 2, "state": "main"}])

    def words():
        shots = play_view(seat).shots
        return {shots[f"{one.thing}.{one.grip}"] for one in seat.sheet.attacks if one.item_key}

    assert words() == {""}
    shoot(seat, "dagger", "thrown")
    assert words() == {"1 left to throw"}
    shoot(seat, "dagger", "thrown")
    assert words() == {"thrown, not in hand"}
    assert [thing.shots for thing in play_view(seat).things["main"][1]] == ["2 thrown, 0 left"]


@pytest.mark.parametrize(("faces", "gone"), [((1, 1, 2), 0), ((5, 5, 5), 1)], ids=["missed", "hit"])
def test_r60_a_boomerang_that_misses_comes_back(faces, gone):
    seat = seated(inventory=[{"item": "boomerang", "state": "main"}])
    seat.roll(roll="attack.boomerang.thrown", target=12, faces=faces)
    assert used(seat, "boomerang") == gone


def test_r60_custom_weapon_properties_are_a_house_rule():
    seat = seated(inventory=[{"item": "boomerang", "state": "main"}], switches={"customProperties": "Quick, Special"})
    seat.roll(roll="attack.boomerang.thrown", target=12, faces=(1, 1, 2))
    assert used(seat, "boomerang") == 0
    pistol = [{"item": "pistol-revolver", "state": "main"}, {"item": "bullets", "quantity": 20}]
    seat = seated(inventory=pistol, switches={"customProperties": "Quick"})
    for _ in range(9):
        seat.roll(roll="attack.pistol-revolver.one-hand")
    assert (used(seat, "pistol-revolver"), used(seat, "bullets")) == (0, 9)


def test_a_permanent_change_of_resources_ignores_a_temporary_loss():
    seat = with_resources(3)
    seat.adjust(resource="resources-lowered", amount="3")
    seat.spend_downtime(days=7, activity="Profession", ranks=-3)
    with pytest.raises(Refused, match="from 0 to 10"):
        seat.spend_downtime(days=7, activity="Profession", ranks=-1)
    seat.spend_downtime(days=7, activity="Profession", ranks=8)
    seat.end_adventure()
    assert seat.sheet.value("resources.rank") == 8


@pytest.mark.parametrize(("weapon", "found"), [("blowgun", 1), ("pistol-revolver", 0)])
def test_r63_bullets_of_a_blowgun_are_found_and_those_of_a_pistol_are_not(weapon, found):
    seat = seated(inventory=[{"item": weapon, "state": "main"}, {"item": "bullets", "quantity": 9}])
    grip = next(attack.grip for attack in seat.sheet.attacks if attack.item == weapon)
    for _ in range(2):
        seat.roll(roll=f"attack.{weapon}.{grip}")
    seat.gather_ammunition()
    bullets = next(
        value for value in seat.facts.values() if isinstance(value, dict) and value.get("ref") == "gear:bullets"
    )
    assert bullets["quantity"] == 7 + found
