"""Damage, wounds and healing through the verbs (section 28, rulings 4, 5, 20, 62 and 80 to 83)."""

import pytest

from characters.change.refusals import Refused
from tests.characters.cast import refuses
from tests.characters.play.table import seated

pytestmark = pytest.mark.django_db


def test_he_01_damage_that_leaves_no_health_makes_dying_and_not_dead():
    seat = seated(level=2, ranks={"vitality": 14})
    maximum = seat.left("health")
    seat.adjust(resource="health", amount="8")
    change = seat.take_damage(amount=11, type="slashing")
    assert seat.left("health") == 0
    assert {"dying", "unconscious", "prone", "incapacitated"} <= seat.conditions
    assert "dead" not in seat.conditions
    assert maximum > 3
    assert change.sentence == "Mira takes 11 damage (11 slashing) and is dying (0 passed, 0 failed)."


def test_he_02_massive_damage_kills():
    seat = seated()
    maximum = seat.left("health")
    seat.adjust(resource="health", amount="2")
    seat.take_damage(amount=2 + maximum)
    assert "dead" in seat.conditions


def test_massive_damage_can_be_switched_off():
    seat = seated(switches={"massiveDamage": "off"})
    seat.take_damage(amount=500)
    assert "dying" in seat.conditions
    assert "dead" not in seat.conditions


@pytest.mark.parametrize(("damage", "wounds"), [(28, 1), (27, 0)], ids=["HE-04", "HE-05"])
def test_damage_at_the_wound_threshold_wounds(damage, wounds):
    seat = seated(level=5, ranks={"vitality": 14})
    assert seat.sheet.value("wound-threshold") == 28
    seat.take_damage(amount=damage, type="piercing")
    assert seat.spent("wounds") == wounds


def test_he_06_and_cn_11_resistance_halves_damage_before_the_wound_threshold():
    seat = seated(level=5, ranks={"vitality": 14})
    seat.add_condition(condition="condition:petrified")
    before = seat.left("health")
    change = seat.take_damage(amount=30, type="fire")
    assert (before - seat.left("health"), seat.spent("wounds")) == (15, 0)
    assert "30 fire, halved" in change.sentence
    seat.take_damage(amount=21, type="fire")
    assert before - seat.left("health") == 25


def test_each_damage_type_is_resisted_separately():
    seat = seated(level=9, ranks={"vitality": 20})
    seat.add_condition(condition="condition:petrified")
    before = seat.left("health")
    seat.take_damage(amount=5, type="fire", also=7, also_type="poison")
    assert before - seat.left("health") == 2 + 0
    seat.take_damage(amount=5, type="fire", also=4)
    assert before - seat.left("health") == 2 + 0 + 2 + 2


def test_an_amount_that_is_typed_is_a_hit_of_the_kind_beside_it():
    seat = seated(level=9, ranks={"vitality": 20})
    seat.add_condition(condition="condition:petrified")
    before = seat.left("health")
    change = seat.change_health(amount="-5", type="fire", also=7, also_type="poison", firearm=True)
    assert (before - seat.left("health"), seat.spent("wounds")) == (2, 1)
    assert "5 fire, halved" in change.sentence


def test_a_number_that_is_set_is_no_hit_of_any_kind():
    seat = seated(level=9)
    with refuses("amount"):
        seat.change_health(amount="5", type="fire")


@pytest.mark.parametrize("multiplier", ["0", "1", "3"])
def test_ru_05_the_wound_threshold_multiplier_is_a_house_rule(multiplier):
    seat = seated(level=9, ranks={"vitality": 14}, switches={"woundThresholdMultiplier": int(multiplier)})
    seat.take_damage(amount=14)
    assert seat.spent("wounds") == (multiplier == "1")


def test_wp_10_a_firearm_wounds():
    seat = seated(ranks={"vitality": 14})
    seat.take_damage(amount=3, type="piercing", firearm=True)
    assert seat.spent("wounds") == 1


def test_a_firearm_hit_wounds_once_and_a_critical_wounds_even_without_damage():
    seat = seated(level=5, ranks={"vitality": 10})
    seat.take_damage(amount=25, type="piercing", firearm=True)
    assert seat.spent("wounds") == 1
    seat.take_damage(amount=0, type="piercing", firearm=True, critical=True)
    assert seat.spent("wounds") == 2


def test_firearm_wounds_can_be_switched_off():
    seat = seated(switches={"firearmWounds": "off"})
    seat.take_damage(amount=3, type="piercing", firearm=True)
    assert seat.spent("wounds") == 0


def test_he_12_a_hit_on_the_unconscious_from_close_by_is_two_failures():
    seat = seated(level=3)
    seat.adjust(resource="health", amount="0")
    seat.take_damage(amount=1, near=True)
    assert seat.spent("death-failures") == 2
    seat.take_damage(amount=1)
    assert "dead" in seat.conditions


def test_damage_as_high_as_the_maximum_kills_at_zero_health():
    seat = seated(state={"health": 0})
    maximum = seat.sheet.value("health.max")
    seat.take_damage(amount=maximum)
    assert "dead" in seat.conditions


def test_he_13_the_tenth_wound_kills():
    seat = seated(state={"wounds": 9})
    change = seat.adjust(resource="wounds", amount="+1")
    assert "dead" in seat.conditions
    assert change.sentence == "Mira takes 1 wound and is dead."


@pytest.mark.parametrize(("amount", "gained"), [(7, 3), (1, 1)], ids=["HE-14", "HE-15"])
def test_healing_is_halved_while_wounded(amount, gained):
    seat = seated(level=3, state={"health": 5, "wounds": 1})
    seat.heal(amount=amount)
    assert seat.left("health") == 5 + gained


def test_any_healing_wakes_the_dying_and_leaves_them_prone():
    seat = seated(level=2)
    seat.take_damage(amount=seat.left("health"))
    seat.take_damage(amount=1)
    seat.heal(amount=4)
    assert seat.left("health") == 4
    assert {"dying", "unconscious"} & seat.conditions == set()
    assert "prone" in seat.conditions
    assert seat.spent("death-failures") == 0


def test_the_dead_take_no_healing_and_no_damage():
    seat = seated(state={"wounds": 9})
    seat.adjust(resource="wounds", amount="+1")
    for act in (lambda: seat.heal(amount=3), lambda: seat.take_damage(amount=3)):
        with pytest.raises(Refused, match="dead"):
            act()


def test_healing_stops_at_the_maximum():
    seat = seated(level=2)
    seat.take_damage(amount=2)
    seat.heal(amount=50)
    assert seat.spent("health") == 0
    with pytest.raises(Refused, match="full"):
        seat.heal(amount=1)


@pytest.mark.parametrize(
    ("hit", "field"),
    [({"amount": amount}, "amount") for amount in (None, "", -1, "1.5", True, "x", 10**9, "1" * 30)]
    + [({"amount": 1, "type": "sarcasm"}, "type"), ({"amount": 1, "also": "x"}, "also")],
)
def test_nonsense_in_damage_is_refused(hit, field):
    seat = seated()
    before = seat.facts
    with refuses(field):
        seat.take_damage(**hit)
    assert seat.facts == before


def test_an_unfinished_character_has_no_health():
    seat = seated(job=None, choices=None, origin=None)
    with pytest.raises(Refused, match="Finish building"):
        seat.take_damage(amount=1)


def test_resistance_to_every_type_halves_damage_without_a_type():
    seat = seated(level=9, ranks={"vitality": 20})
    seat.add_condition(condition="condition:petrified")
    before = seat.left("health")
    assert seat.adjust(resource="health", amount="-10").sentence == "Mira takes 5 damage (10, halved)."
    assert before - seat.left("health") == 5
