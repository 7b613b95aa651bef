"""A condition is stored with its end, and its time left is worked out, so going back a turn needs no repair."""

import pytest
from django.http import Http404

from campaigns.models import Condition
from campaigns.scene import scene_for
from campaigns.verbs import combatant_conditions, combatants
from characters import verbs
from characters.change.refusals import Refused
from tests.campaigns.fights import Fight
from tests.characters.cast import facts, new_key
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]
POISONED, REF = "Poisoned", "condition:poisoned"


def begin():
    made = Fight()
    made.wolves(2)
    made.ordered(Mira=15, Wolf_1=12, Nell=9, Wolf_2=6)
    made.next()
    return made


def hold(fight, name, condition="Asleep", *, rounds=2, whose=None, at_end=False, key=None):
    combatant_conditions.add(
        fight.campaign.pk,
        fight.ana,
        key or new_key(),
        fight.named(name).pk,
        name=condition,
        rounds=rounds,
        whose=whose and fight.named(whose).pk,
        at_end=at_end,
    )


def on(fight, name, who=None):
    """The conditions that the page shows on this combatant, as (name, time left)."""
    who = who or fight.ana
    member = fight.campaign.members.get(user=who.user)
    scene = scene_for(fight.encounter, member, who)
    line = next(line for line in scene.lines if line.name == name)
    return [(one.name, one.until) for one in line.held]


def test_a_creatures_condition_is_counted_at_the_start_of_its_own_turns(fight):
    hold(fight, "Wolf 1")
    seen = []
    for _ in range(6):
        seen.append((fight.turn, on(fight, "Wolf 1")))
        fight.next()
    two, one = [("Asleep", "2 rounds")], [("Asleep", "1 round")]
    assert seen == [
        ((1, "Mira"), two),
        ((1, "Wolf 1"), one),
        ((1, "Nell"), one),
        ((1, "Wolf 2"), one),
        ((2, "Mira"), one),
        ((2, "Wolf 1"), []),
    ]


def test_going_back_a_turn_restores_an_ended_condition(fight):
    hold(fight, "Wolf 1", rounds=1)
    fight.next()
    assert on(fight, "Wolf 1") == []
    fight.back()
    assert on(fight, "Wolf 1") == [("Asleep", "1 round")]
    assert Condition.objects.count() == 1


def test_a_condition_can_end_with_another_combatants_turn(fight):
    hold(fight, "Wolf 2", "Marked", rounds=1, whose="Mira", at_end=True)
    assert on(fight, "Wolf 2") == [("Marked", "1 round, to the end of Mira’s turn")]
    fight.next()
    assert on(fight, "Wolf 2") == []


def test_a_condition_is_not_counted_at_the_turn_that_has_already_begun(fight):
    hold(fight, "Wolf 2", "Marked", rounds=1, whose="Mira")
    fight.until((1, "Wolf 2"))
    assert on(fight, "Wolf 2") == [("Marked", "1 round, to the start of Mira’s turn")]
    fight.next()
    assert on(fight, "Wolf 2") == []


def test_a_condition_without_rounds_lasts_until_it_is_removed(fight):
    hold(fight, "Wolf 1", rounds=None)
    fight.until((3, "Wolf 1"))
    assert on(fight, "Wolf 1") == [("Asleep", "")]
    combatant_conditions.remove(fight.campaign.pk, fight.ana, new_key(), Condition.objects.get().pk)
    assert on(fight, "Wolf 1") == []


@pytest.mark.parametrize("at_end", [False, True])
def test_a_condition_ends_with_its_round_once_the_combatant_whose_turns_count_has_left(fight, at_end):
    hold(fight, "Wolf 1", whose="Wolf 2", at_end=at_end)
    hold(fight, "Mira", POISONED, whose="Wolf 2", at_end=at_end)
    combatants.remove(fight.campaign.pk, fight.ana, fight.named("Wolf 2").pk)
    fight.until((2, "Nell"))
    assert on(fight, fight.order[1]) == [("Asleep", "1 round")]
    assert (POISONED, "1 round") in on(fight, "Mira")
    fight.next()
    assert on(fight, fight.order[1]) == []
    assert POISONED not in [name for name, _ in on(fight, "Mira")]
    fight.back()
    assert on(fight, fight.order[1]) == [("Asleep", "1 round")]
    assert (POISONED, "1 round") in on(fight, "Mira")


def test_one_round_from_before_the_first_turn_ends_at_the_creatures_first_turn():
    fight = Fight()
    fight.wolves()
    hold(fight, "Wolf", rounds=1)
    fight.until((1, "Nell"))
    assert on(fight, "Wolf") == [("Asleep", "1 round")]
    fight.until((1, "Wolf"))
    assert on(fight, "Wolf") == []


def test_a_characters_condition_is_on_its_sheet_and_ends_there_in_time(fight):
    hold(fight, "Nell", POISONED, rounds=1, whose="Wolf 1", at_end=True)
    change = fight.nell.changes.latest("sequence")
    assert (change.verb, change.actor) == ("add_condition", fight.ana.user)
    address = f"condition:{REF}|Wolf 1"
    assert facts(fight.nell)[address]["until"] == "the end of Wolf 1’s turn in round 1"
    assert on(fight, "Nell")[0] == ("Poisoned", "1 round, to the end of Wolf 1’s turn")
    fight.next()
    assert address in facts(fight.nell)
    fight.next()
    assert fight.turn == (1, "Nell")
    assert address not in facts(fight.nell)
    assert fight.verbs_of(fight.nell) == ["add_condition", "next_round", "remove_condition"]
    assert fight.back() == []
    assert address in facts(fight.nell)
    fight.next()
    assert address not in facts(fight.nell)


def test_going_back_undoes_first_what_was_made_last(fight):
    """Nell's turn counts the rounds that Cid gave the storyteller's condition, and then ends it."""
    hold(fight, "Nell", POISONED, rounds=1)
    until = facts(fight.nell)[f"condition:{REF}|"]["until"]
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition=REF, until=until, rounds=3)
    before = facts(fight.nell)
    fight.until((1, "Nell"))
    assert fight.verbs_of(fight.nell)[-2:] == ["next_round", "remove_condition"]
    assert fight.back() == []
    assert facts(fight.nell) == before


def test_a_condition_ended_on_the_sheet_is_not_ended_again(fight):
    hold(fight, "Nell", POISONED, rounds=1)
    play.remove_condition(fight.nell.pk, fight.cid, new_key(), condition=REF)
    assert "Poisoned" not in dict(on(fight, "Nell"))
    fight.until((2, "Nell"))
    assert fight.verbs_of(fight.nell).count("remove_condition") == 1


def test_turns_pass_when_a_condition_is_over_on_the_sheet_of_a_character_in_the_bin(fight):
    hold(fight, "Nell", POISONED, rounds=1, whose="Wolf 1")
    verbs.throw_away(fight.nell.pk, fight.cid, new_key())
    fight.next()
    assert fight.turn == (1, "Wolf 1")
    assert f"condition:{REF}|Wolf 1" in facts(fight.nell)


def test_a_condition_with_rounds_on_the_sheet_is_counted_down_by_turns(fight):
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition=REF, rounds=2)
    assert on(fight, "Nell")[0] == ("Poisoned", "2 rounds left")
    fight.until((1, "Nell"))
    assert on(fight, "Nell")[0] == ("Poisoned", "1 round left")
    fight.until((2, "Nell"))
    assert "Poisoned" not in dict(on(fight, "Nell"))


def test_a_removed_condition_leaves_the_sheet(fight):
    hold(fight, "Nell", POISONED, rounds=3)
    combatant_conditions.remove(fight.campaign.pk, fight.ana, new_key(), Condition.objects.get().pk)
    assert f"condition:{REF}|" not in facts(fight.nell)
    assert not Condition.objects.exists()


def test_a_hidden_creature_is_named_on_no_sheet(fight):
    combatants.show_or_hide(fight.campaign.pk, fight.ana, fight.named("Wolf 1").pk, hidden=True)
    hold(fight, "Nell", POISONED, rounds=1, whose="Wolf 1")
    assert "Wolf" not in str(facts(fight.nell))
    assert "Wolf" not in str(list(fight.nell.changes.values("sentence", "what", "before", "after")))
    assert on(fight, "Nell", fight.cid)[0] == ("Poisoned", "1 round")


def test_a_condition_that_the_sheet_refuses_is_not_stored(fight):
    for condition, why in (("Dying", "Choose one"), (REF, "Choose one"), ("Asleep", "Choose one")):
        with pytest.raises(Refused, match=why):
            hold(fight, "Nell", condition)
    hold(fight, "Nell", POISONED)
    with pytest.raises(Refused, match="Nell is poisoned already"):
        hold(fight, "Nell", POISONED)
    assert Condition.objects.count() == 1


def test_a_form_sent_twice_counts_once(fight):
    keys = new_key(), new_key()
    for _ in range(2):
        hold(fight, "Wolf 1", key=keys[0])
        hold(fight, "Nell", POISONED, key=keys[1])
    assert Condition.objects.count() == 2
    assert fight.verbs_of(fight.nell) == ["add_condition"]


def test_combatants_and_conditions_of_another_table_are_not_found(fight):
    other = Fight()
    with pytest.raises(Http404):
        combatant_conditions.add(
            fight.campaign.pk,
            fight.ana,
            new_key(),
            fight.named("Wolf 1").pk,
            name="x",
            rounds=1,
            whose=other.named("Mira").pk,
            at_end=False,
        )
    hold(fight, "Wolf 1")
    combatant_conditions.remove(other.campaign.pk, other.ana, new_key(), Condition.objects.get().pk)
    combatants.remove(other.campaign.pk, other.ana, fight.named("Wolf 1").pk)
    assert Condition.objects.get().combatant == fight.named("Wolf 1")


def test_conditions_have_a_limit(fight):
    for _ in range(combatant_conditions.MOST_CONDITIONS):
        hold(fight, "Wolf 1")
    with pytest.raises(Refused, match="that is the limit"):
        hold(fight, "Wolf 1")


def test_ended_conditions_make_room_for_new_ones(fight):
    hold(fight, "Wolf 1", "Endless", rounds=None)
    for _ in range(combatant_conditions.MOST_CONDITIONS - 1):
        hold(fight, "Wolf 1", rounds=1)
    fight.until((2, "Mira"))
    assert on(fight, "Wolf 1") == [("Endless", "")]
    for _ in range(combatant_conditions.MOST_CONDITIONS - 1):
        hold(fight, "Wolf 1", "Dazed", rounds=5)
    assert on(fight, "Wolf 1") == [
        ("Endless", ""),
        *[("Dazed", "5 rounds")] * (combatant_conditions.MOST_CONDITIONS - 1),
    ]
    with pytest.raises(Refused, match="Wolf 1 has 30 conditions"):
        hold(fight, "Wolf 1")
    assert Condition.objects.count() == combatant_conditions.MOST_CONDITIONS


@pytest.mark.parametrize(("again", "told"), [(3, [("Poisoned", "3 rounds")]), (None, [("Poisoned", "")])])
def test_a_condition_given_again_takes_its_new_duration(fight, again, told):
    hold(fight, "Mira", POISONED, rounds=1)
    hold(fight, "Mira", POISONED, rounds=again)
    assert on(fight, "Mira") == told
    fight.until((2, "Mira"))
    assert f"condition:{REF}|" in facts(fight.mira)


def test_an_old_duration_does_not_end_a_condition_that_its_player_added_since(fight):
    hold(fight, "Mira", POISONED, rounds=1)
    play.remove_condition(fight.mira.pk, fight.bo, new_key(), condition=REF, source="")
    play.add_condition(fight.mira.pk, fight.bo, new_key(), condition=REF, source="", until="", rounds=0, stacks=1)
    fight.until((2, "Mira"))
    assert f"condition:{REF}|" in facts(fight.mira)


def test_everyone_sees_that_a_character_is_dying(fight):
    seat = fight.named("Mira").seat
    play.adjust(seat.character_id, fight.ana, new_key(), resource="health", amount="0")
    assert on(fight, "Mira")[0] == ("Dying", "")
    assert on(fight, "Mira", fight.cid)[0] == ("Dying", "")
