"""The order of an encounter: rolled for all at once by the game's rule, entered, and set by hand."""

import pytest
from django.http import Http404

from campaigns.order import preceding
from campaigns.verbs import combatants, encounters, initiative, seats
from campaigns.verbs.initiative import roll_initiative
from characters import verbs
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    return Fight()


class Again:
    """A source of chance that gives these totals to the rolls that break ties."""

    def __init__(self, *rolls):
        self.rolls = list(rolls)

    def randint(self, low, high):
        return self.rolls.pop(0)


def rolled(fight):
    return roll_initiative(fight.campaign.pk, fight.ana, new_key())


def test_everybody_rolls_once_and_the_roll_is_in_their_journal(fight):
    fight.wolves(2)
    assert rolled(fight) == {}
    for character in (fight.mira, fight.nell):
        change = character.changes.latest("sequence")
        assert (change.verb, change.actor) == ("roll", fight.ana.user)
        assert change.rolls.get().key == "initiative"
    totals = [one.initiative for one in fight.everybody]
    assert totals == sorted(totals, reverse=True)
    assert None not in totals
    assert fight.named("Mira").initiative == fight.mira.rolls.get().total


def test_a_form_sent_twice_rolls_once(fight):
    key = new_key()
    for _ in range(2):
        roll_initiative(fight.campaign.pk, fight.ana, key)
    assert fight.verbs_of(fight.mira) == ["roll"]


def test_a_roll_made_on_a_characters_own_sheet_counts(fight):
    play.roll(fight.mira.pk, fight.bo, new_key(), roll="initiative", faces="6 6 6")
    own = fight.mira.rolls.get().total
    rolled(fight)
    assert fight.named("Mira").initiative == own
    assert fight.verbs_of(fight.mira) == ["roll"]
    assert fight.verbs_of(fight.nell) == ["roll"]


def test_another_roll_of_a_character_is_no_initiative(fight):
    play.roll(fight.mira.pk, fight.bo, new_key(), roll="check.strength", faces="6 6 6")
    rolled(fight)
    assert fight.verbs_of(fight.mira) == ["roll", "roll"]
    assert fight.named("Mira").initiative == fight.mira.rolls.get(key="initiative").total


def test_those_who_roll_late_are_placed_by_their_rolls_wherever_they_stood(fight):
    fight.wolves()
    fight.ordered(Wolf=99)
    move(fight, "Wolf", up=False)
    move(fight, "Wolf", up=False)
    assert fight.order == ["Mira", "Nell", "Wolf"]
    rolled(fight)
    assert fight.order[0] == "Wolf"


def test_a_roll_that_was_undone_or_made_for_another_encounter_does_not_count(fight):
    rolled(fight)
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    change = play.roll(fight.mira.pk, fight.bo, new_key(), roll="initiative")
    play.undo(fight.mira.pk, fight.bo, new_key(), change.sequence)
    rolled(fight)
    assert fight.verbs_of(fight.mira) == ["roll", "roll", "undo", "roll"]
    assert fight.verbs_of(fight.nell) == ["roll", "roll"]
    assert fight.named("Nell").initiative == fight.nell.rolls.get(change__sequence=3).total


def test_creatures_of_a_kind_have_one_roll(fight):
    fight.wolves(3)
    fight.wolves(1, name="Ogre", dice="1d6+20")
    rolled(fight)
    assert len({fight.named(f"Wolf {at}").initiative for at in (1, 2, 3)}) == 1
    assert fight.order[0] == "Ogre"
    assert 21 <= fight.named("Ogre").initiative <= 26
    at = fight.order.index("Wolf 1")
    assert fight.order[at : at + 3] == ["Wolf 1", "Wolf 2", "Wolf 3"]


def test_a_character_who_cannot_roll_is_named_and_the_others_roll(fight):
    play.add_condition(fight.mira.pk, fight.bo, new_key(), condition="condition:dead")
    refused = rolled(fight)
    assert list(refused) == ["Mira"]
    assert "dead" in refused["Mira"]
    assert fight.order == ["Nell", "Mira"]
    assert fight.named("Mira").initiative is None


def test_a_character_in_the_bin_neither_rolls_nor_is_named(fight):
    verbs.throw_away(fight.nell.pk, fight.cid, new_key())
    assert rolled(fight) == {}
    assert fight.verbs_of(fight.nell) == ["throw_away"]


def test_ties_are_broken_by_agility_then_by_a_new_roll_then_by_arrival():
    fight = Fight()
    quick = mira(fight.bo, name="Quick", abilities={"method": "manual", "ranks": RANKS_OF_TEN | {"agility": 18}})
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), seated(fight, quick))
    for name in ("Mira", "Nell", "Quick"):
        enter(fight, name, 12, again=5)
    assert fight.order == ["Quick", "Mira", "Nell"]
    enter(fight, "Nell", 12, again=9)
    assert fight.order == ["Quick", "Nell", "Mira"]


RANKS_OF_TEN = dict.fromkeys(("strength", "agility", "vitality", "mind", "spirit", "presence"), 10)


def seated(fight, character):
    return seats.bring(fight.campaign.pk, fight.bo, character.pk).pk


def enter(fight, name, total, again):
    one = fight.named(name)
    initiative.enter_initiative(fight.campaign.pk, fight.ana, one.pk, total=total, chance=Again(again))


@pytest.mark.parametrize(("agility", "first"), [(8, "Wolf"), (12, "Other")])
def test_a_creature_whose_roll_is_entered_is_of_average_agility_in_a_tie(fight, agility, first):
    other = mira(fight.bo, name="Other", abilities={"method": "manual", "ranks": RANKS_OF_TEN | {"agility": agility}})
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), seated(fight, other))
    fight.wolves()
    for name in ("Wolf", "Other"):
        enter(fight, name, 12, again=5)
    assert fight.order[0] == first


def test_the_house_rule_on_ties_may_put_players_first():
    fight = Fight()
    early = mira(fight.bo, name="First", house_rules={"switches": {"initiativeTies": "pcsFirst"}})
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), seated(fight, early))
    fight.wolves()
    for name, again in (("Wolf", 9), ("First", 1), ("Nell", 5)):
        enter(fight, name, 12, again=again)
    assert fight.order[0] == "First"


def test_a_latecomer_is_placed_by_its_roll_and_the_order_set_by_hand_stays(fight):
    fight.wolves(2)
    fight.ordered(Mira=15, Nell=12, Wolf_1=9, Wolf_2=6)
    move(fight, "Wolf 2", up=True)
    assert fight.order == ["Mira", "Nell", "Wolf 2", "Wolf 1"]
    fight.until((1, "Wolf 2"))
    fight.wolves(1, name="Ogre", dice="1d2+11")
    assert fight.order[-1] == "Ogre"
    rolled(fight)
    assert [name for name in fight.order if name != "Ogre"] == ["Mira", "Nell", "Wolf 2", "Wolf 1"]
    assert fight.order.index("Ogre") in (1, 2)
    assert fight.turn == (1, "Wolf 2")


def move(fight, name, *, up, saw=None, beside=None):
    one = fight.named(name)
    saw = one.place if saw is None else saw
    initiative.move(fight.campaign.pk, fight.ana, one.pk, up=up, saw=saw, beside=beside)


@pytest.mark.parametrize(
    ("name", "beside", "up", "order"),
    [
        ("Nell", "Mira", True, ["Nell", "Mira", "Rat", "Wolf"]),
        ("Nell", "Rat", True, ["Mira", "Nell", "Rat", "Wolf"]),
        ("Mira", "Wolf", False, ["Rat", "Wolf", "Mira", "Nell"]),
        ("Mira", "Nell", False, ["Rat", "Wolf", "Nell", "Mira"]),
        ("Wolf", "Mira", False, ["Mira", "Wolf", "Rat", "Nell"]),
        ("Wolf", "Wolf", True, ["Mira", "Rat", "Wolf", "Nell"]),
    ],
)
def test_a_combatant_is_dragged_beside_another(fight, name, beside, up, order):
    fight.wolves()
    fight.wolves(name="Rat")
    fight.ordered(Mira=15, Rat=13, Wolf=12, Nell=9)
    fight.until((1, name))
    move(fight, name, up=up, beside=fight.named(beside).pk)
    assert (fight.order, fight.turn) == (order, (1, name))


def test_nobody_is_dragged_from_an_old_page_or_beside_a_stranger(fight):
    order = fight.order
    move(fight, "Nell", up=True, saw=99, beside=fight.named("Mira").pk)
    with pytest.raises(Http404):
        move(fight, "Nell", up=True, beside=999_999)
    assert fight.order == order


def test_the_current_turn_goes_along_when_its_combatant_is_moved_by_hand(fight):
    fight.wolves()
    fight.until((1, "Nell"))
    for _ in range(2):  # the second time it is the first already
        move(fight, "Nell", up=True)
    assert fight.order == ["Nell", "Mira", "Wolf"]
    assert fight.turn == (1, "Nell")
    assert preceding(fight.encounter, fight.everybody) == (0, 0)
    move(fight, "Nell", up=False)
    assert fight.order == ["Mira", "Nell", "Wolf"]


def test_moving_a_combatant_twice_from_the_same_page_moves_it_once(fight):
    fight.wolves()
    saw = fight.named("Wolf").place
    for _ in range(2):
        move(fight, "Wolf", up=True, saw=saw)
    assert fight.order == ["Mira", "Wolf", "Nell"]


def test_an_initiative_is_entered_and_cleared(fight):
    fight.ordered(Mira=3, Nell=9)
    assert fight.order == ["Nell", "Mira"]
    fight.ordered(Nell=None)
    assert fight.order == ["Nell", "Mira"]
    fight.ordered(Mira=4)
    assert fight.order == ["Mira", "Nell"]


def test_only_storytellers_of_this_table_change_the_order(fight):
    other = saltmarsh("zoe")
    encounters.begin(other.pk, person("zoe"), new_key())
    one = fight.named("Mira")
    for act in (
        lambda: initiative.move(other.pk, person("zoe"), one.pk, up=True, saw=one.place),
        lambda: initiative.enter_initiative(other.pk, person("zoe"), one.pk, total=3),
        lambda: roll_initiative(fight.campaign.pk, person("zoe"), new_key()),
        lambda: roll_initiative(fight.campaign.pk, fight.bo, new_key()),
    ):
        with pytest.raises(Http404):
            act()
    assert fight.named("Mira").initiative is None
