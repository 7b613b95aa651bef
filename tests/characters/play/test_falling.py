"""Falling unconscious: the character drops both weapons and lies prone, even after waking (section 30, ruling 81)."""

import pytest

from characters.change.refusals import MovedOn
from characters.read.versions import read
from characters.verbs.leveling import seen
from tests.characters.cast import item_of, new_key
from tests.characters.play.table import Fixed, play, seated

pytestmark = pytest.mark.django_db

HELD = [
    {"item": "longsword", "state": "main"},
    {"item": "dagger", "quantity": 2, "state": "off"},
    {"item": "chain-mail", "state": "worn"},
    {"custom": "A letter", "state": "stowed"},
]


def armed(**more):
    return seated(level=3, inventory=HELD, **more)


def places(seat):
    return {
        value.get("ref", value.get("custom")): value["state"]
        for address, value in seat.facts.items()
        if address.startswith("item:")
    }


IN_HAND = {
    "weapon:longsword": "main",
    "weapon:dagger": "off",
    "armor:chain-mail": "worn",
    "A letter": "stowed",
}
DROPPED = {**IN_HAND, "weapon:longsword": "carried", "weapon:dagger": "carried"}


def blow(seat, more=0):
    return seat.take_damage(amount=seat.left("health") + more)


def take_up(seat, slug="longsword"):
    play.equip(seat.character.pk, seat.who, new_key(), item=item_of(seat.character, slug), state="main")


@pytest.mark.parametrize(
    "fall",
    [
        blow,
        lambda seat: blow(seat, more=500),
        lambda seat: seat.adjust(resource="health", amount="0"),
        lambda seat: seat.adjust(resource="health", amount="-99"),
        lambda seat: seat.add_condition(condition="condition:unconscious"),
    ],
    ids=["hit", "killed", "set", "typed", "by-hand"],
)
def test_a_character_who_falls_drops_both_weapons_and_lies_prone(fall):
    seat = armed()
    assert places(seat) == IN_HAND
    change = fall(seat)
    assert places(seat) == DROPPED
    assert "prone" in seat.conditions
    assert change.sentence.endswith(" Dropped: Longsword and Dagger.")
    assert {line.item for line in seat.sheet.attacks} == {"unarmed-strike"}


def test_a_character_who_stays_up_drops_nothing():
    seat = armed()
    change = seat.take_damage(amount=seat.left("health") - 1)
    seat.add_condition(condition="condition:stunned")
    assert places(seat) == IN_HAND
    assert "Dropped" not in change.sentence


def test_the_sentence_of_a_fall_with_empty_hands_names_no_drop():
    seat = seated(level=3, inventory=[])
    assert "Dropped" not in blow(seat).sentence


def test_undoing_the_blow_puts_everything_back_in_hand():
    seat = armed()
    before = {address: value for address, value in seat.facts.items() if value}
    seat.undo(blow(seat))
    assert {address: value for address, value in seat.facts.items() if value} == before


def test_a_character_who_wakes_is_prone_until_that_condition_is_removed():
    seat = armed()
    blow(seat)
    seat.heal(amount=3)
    assert "unconscious" not in seat.conditions
    assert "prone" in seat.conditions
    assert places(seat) == DROPPED
    seat.remove_condition(condition="condition:prone")
    assert "prone" not in seat.conditions


def test_a_second_cause_of_unconsciousness_drops_nothing_again():
    seat = armed()
    seat.add_condition(condition="condition:unconscious", source="a sleeping draught")
    take_up(seat)  # a friend presses it into the sleeper's hand
    change = seat.add_condition(condition="condition:unconscious", source="a blow")
    assert places(seat)["weapon:longsword"] == "main"
    assert "Dropped" not in change.sentence


def test_a_failed_death_save_drops_nothing_again():
    seat = armed()
    blow(seat)
    take_up(seat)
    seat.death_save(chance=Fixed(2, 2, 2))
    assert places(seat)["weapon:longsword"] == "main"


def test_the_blow_can_be_undone_after_waking_and_taking_the_sword_up_again():
    """A thing that has been moved since stays where it is; health and conditions are restored."""
    seat = armed()
    seat.take_damage(amount=10)
    fatal = blow(seat)
    seat.heal(amount=5)
    take_up(seat)
    seat.undo(fatal)
    assert seat.spent("health") == 5
    assert {"dying", "prone", "unconscious"} & seat.conditions == set()
    assert places(seat)["weapon:longsword"] == "main"
    assert places(seat)["weapon:dagger"] == "off"


def test_stowing_a_thing_is_not_undone_after_a_later_move():
    seat = armed()
    sword = item_of(seat.character, "longsword")
    put = play.equip(seat.character.pk, seat.who, new_key(), item=sword, state="stowed")
    take_up(seat)
    with pytest.raises(MovedOn):
        seat.undo(put)


def test_undoing_the_healing_that_woke_a_character_makes_them_dying_again():
    seat = armed()
    blow(seat)
    cure = seat.heal(amount=5)
    take_up(seat)
    seat.undo(cure)
    assert "dying" in seat.conditions


def test_a_blow_undone_leaves_nobody_prone_whatever_has_helped_since():
    seat = armed()
    seat.take_damage(amount=10)
    fatal = blow(seat)
    helped = seat.stabilize()
    seat.undo(fatal)
    assert (seat.spent("health"), seat.conditions) == (10, set())
    seat.undo(helped)
    assert seat.conditions == set()


def test_a_blow_and_the_healing_after_it_may_be_undone_in_this_order():
    seat = armed()
    seat.take_damage(amount=10)
    fatal = blow(seat)
    cure = seat.heal(amount=5)
    fatal_undone = seat.undo(fatal)
    seat.undo(cure)
    assert (seat.spent("health"), seat.conditions) == (10, set())
    seat.undo(fatal_undone)
    assert seat.conditions >= {"dying", "prone"}


def abilities(level):
    return {"take": "abilities", "ranks": {"mind": 2}}


@pytest.fixture
def down():
    """At 0 health with the maximum of level 2, and with a level to take."""
    seat = armed()
    seat.take_back_level(level=3)
    seat.adjust(resource="health", amount="0")
    return seat


def level_three(seat):
    saw = seen(read(seat.fresh).bundle, seat.fresh.version)
    path = {"fighter.martial-path": ["path:champion"]}
    return seat.level_up(level=3, take="core-rules.level-job", targets=["job:fighter"], answers=path, saw=saw)


@pytest.mark.parametrize("stable", [False, True], ids=["dying", "stable"])
def test_r16_a_level_that_adds_health_wakes_the_character(down, stable):
    if stable:
        down.stabilize()
    change = level_three(down)
    assert down.left("health") > 0
    assert down.conditions == {"prone"}
    assert change.sentence.endswith("No longer stable." if stable else "No longer dying.")
    down.undo(change)
    assert ("stable" if stable else "dying") in down.conditions


def test_a_character_falls_when_losing_a_level_leaves_no_health():
    seat = armed()
    seat.adjust(resource="health", amount="4")
    change = seat.take_back_level(level=3)
    assert seat.left("health") == 0
    assert seat.conditions >= {"dying", "prone"}
    assert places(seat) == DROPPED
    assert change.sentence.endswith(" Now dying and prone. Dropped: Longsword and Dagger.")
    saved = seat.death_save(faces=(6, 6, 1))
    assert seat.left("health") == 1
    seat.undo(saved)
    seat.undo(change)
    assert (seat.left("health"), seat.conditions, places(seat)) == (4, set(), IN_HAND)


def test_a_character_falls_when_a_house_rule_leaves_no_health():
    seat = seated(level=4, take=abilities, inventory=HELD, switches={"healthPer": "level"})
    seat.adjust(resource="health", amount="1")
    change = seat.set_switches(values={"healthPer": "rank"})
    assert (seat.left("health"), places(seat)) == (0, DROPPED)
    assert seat.conditions >= {"dying", "prone"}
    seat.undo(change)
    assert (seat.left("health"), seat.conditions, places(seat)) == (1, set(), IN_HAND)
