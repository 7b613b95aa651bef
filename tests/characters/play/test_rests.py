"""Rests, Rally, turns, the end of an adventure (section 25, rulings 19, 23, 80, 82 and 98)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from characters.actions.action_context import ActionContext, apply
from characters.actions.what_if import tried
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.models import Change, RollRecord
from characters.read import version_cache, versions
from rules.engine.recover import recovered
from rules.games.polyhedral.play import ahead
from tests.characters.cast import refuses
from tests.characters.play.table import Fixed, seated

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("vitality", "faces", "wounds", "gained"),
    [(14, (4,), 0, 6), (6, (1,), 0, 1), (12, (2, 5, 6), 0, 16), (12, (2, 5, 6), 1, 7)],
    ids=["RT-01", "RT-02", "RT-03", "RT-04"],
)
def test_stamina_dice_heal_one_by_one(vitality, faces, wounds, gained):
    seat = seated(level=8, ranks={"vitality": vitality}, state={"health": 2, "wounds": wounds})
    seat.begin_rest()
    for face in faces:
        seat.spend_rest_die(chance=Fixed(face))
    assert seat.left("health") == 2 + gained
    assert seat.left("stamina") == 8 - len(faces)
    log = RollRecord.objects.order_by("pk")
    assert [roll.faces for roll in log] == [[face] for face in faces]
    assert sum(roll.total for roll in log) == gained  # the halving is one of the modifiers
    assert all(("halved by wounds" in dict(roll.modifiers)) == bool(wounds) for roll in log)


def test_real_dice_are_entered_by_face():
    seat = seated(level=3, state={"health": 2})
    seat.begin_rest()
    seat.spend_rest_die(faces=(5,))
    assert RollRecord.objects.get().by_hand
    for faces in ((7,), (1, 2), (0,)):
        with refuses("faces"):
            seat.spend_rest_die(faces=faces)


def test_stamina_dice_and_treating_wounds_need_a_rest():
    seat = seated(level=3, state={"health": 2, "wounds": 1})
    for act in (seat.spend_rest_die, seat.treat_wounds, seat.finish_rest):
        with pytest.raises(Refused, match="Begin a rest"):
            act()


def test_a_rest_spends_no_more_stamina_dice_than_are_left():
    seat = seated(state={"health": 2, "stamina": 1})
    seat.begin_rest()
    seat.spend_rest_die(chance=Fixed(2))
    with pytest.raises(Refused, match="no Stamina Dice"):
        seat.spend_rest_die()


def test_rt_15_four_helpers_treat_four_wounds():
    seat = seated(level=3, state={"wounds": 5})
    seat.begin_rest()
    for name in ("Bo", "Cy", "Di", "Ed"):
        seat.treat_wounds(medic=False, by=name)
    assert seat.spent("wounds") == 1


def test_a_medic_treats_as_many_wounds_as_dice_were_spent():
    seat = seated(level=5, state={"health": 5, "wounds": 5})
    seat.begin_rest()
    for _ in range(3):
        seat.spend_rest_die(chance=Fixed(2))
    seat.treat_wounds(medic=True, by="Bo")
    assert seat.spent("wounds") == 2
    seat.treat_wounds()
    assert seat.spent("wounds") == 1


def test_finishing_a_rest_returns_features_and_ends_conditions_until_a_rest():
    seat = seated(level=3, state={"spent": {"second-wind": 1, "action-surge": 1}})
    seat.add_condition(condition="condition:frightened", until="short-rest")
    seat.begin_rest()
    with pytest.raises(Refused, match="begun already"):
        seat.begin_rest()
    change = seat.finish_rest()
    assert (seat.spent("second-wind"), seat.spent("action-surge")) == (0, 0)
    assert "frightened" not in seat.conditions
    assert "Second Wind +1" in change.sentence
    assert seat.facts["field:rest"] == ""


@pytest.mark.parametrize(
    ("level", "back"),
    [(1, 1), (2, 1), (3, 1), (5, 2), (8, 4), (11, 5), (20, 10)],
    ids=["RT-05", "RT-06", "RT-07", "RT-08", "RT-09", "RT-10", "RT-11"],
)
def test_a_long_rest_returns_half_the_stamina_dice(level, back):
    seat = seated(level=min(level, 8), milestone=level, state={"stamina": 0}, switches={"advancement": "milestone"})
    seat.long_rest()
    assert seat.left("stamina") == back


def test_rt_12_stamina_dice_do_not_return_above_the_maximum():
    seat = seated(level=8, state={"stamina": 5})
    seat.long_rest()
    assert seat.left("stamina") == 8


@pytest.mark.parametrize(("wounds", "part"), [(0, 1), (2, 2)], ids=["RT-13", "RT-14"])
def test_a_long_rest_heals_all_or_half(wounds, part):
    seat = seated(level=4, state={"health": 10, "wounds": wounds})
    lost = seat.spent("health")
    seat.long_rest()
    assert seat.spent("health") == lost - lost // part
    assert seat.spent("wounds") == wounds


def test_wounds_heal_overnight_by_house_rule():
    seat = seated(level=4, state={"health": 10, "wounds": 2}, switches={"woundsHealOnLongRest": 1})
    seat.long_rest()
    assert seat.spent("wounds") == 1


def test_rt_16_rally_returns_second_wind():
    seat = seated(level=3, state={"health": 5, "wounds": 1, "spent": {"second-wind": 1}})
    seat.use(action="rally")
    seat.spend_rest_die(chance=Fixed(4))
    seat.treat_wounds()
    seat.finish_rest()
    assert seat.spent("second-wind") == 0
    assert seat.spent("wounds") == 0
    with pytest.raises(Refused, match="until the next long rest"):
        seat.begin_rest(rest="rally")
    seat.long_rest()
    assert seat.spent("rally") == 0


def test_rt_17_the_dying_cannot_rest():
    seat = seated(level=3)
    seat.adjust(resource="health", amount="0")
    with pytest.raises(Refused, match="0 health"):
        seat.long_rest()
    with pytest.raises(Refused, match="dying"):
        seat.begin_rest()
    seat.heal(amount=1)
    seat.long_rest()
    assert seat.spent("health") == 0


def slept():
    seat = seated(level=3, state={"health": 5})
    return seat, seat.long_rest()


def test_a_second_long_rest_within_a_day_is_asked_about():
    seat, _ = slept()
    seat.take_damage(amount=3)
    with refuses("day_passed"):
        seat.long_rest()
    assert seat.spent("health") == 3
    seat.long_rest(day_passed=True)
    assert seat.spent("health") == 0


def a_day_ago(seat, night):
    Change.objects.filter(pk=night.pk).update(at=timezone.now() - timedelta(hours=25))


@pytest.mark.parametrize(
    "since",
    [
        lambda seat, night: seat.undo(night),
        lambda seat, night: seat.spend_downtime(days=1, activity="Training"),
        a_day_ago,
    ],
    ids=["undone", "downtime since", "a day ago"],
)
def test_a_second_long_rest_is_not_asked_about_after_a_day_or_an_undo(since):
    seat, night = slept()
    since(seat, night)
    seat.take_damage(amount=3)
    seat.long_rest()
    assert seat.spent("health") == 0


def test_rt_18_an_hour_of_fighting_makes_a_long_rest_start_over():
    seat = seated(level=3, state={"health": 5})
    with pytest.raises(Refused, match="starts over"):
        seat.long_rest(strenuous_minutes=70)
    seat.long_rest(strenuous_minutes=59)
    assert seat.spent("health") == 0


def test_exhaustion_ends_with_a_long_rest_unless_its_cause_says_otherwise():
    seat = seated(level=3)
    seat.add_condition(condition="condition:exhausted")
    seat.add_condition(condition="condition:exhausted", source="a curse", until="until the moon wanes")
    seat.long_rest()
    assert [address for address in seat.facts if address.startswith("condition:")] == [
        "condition:condition:exhausted|a curse"
    ]


def test_resolute_restores_one_resolve_at_zero():
    seat = seated(state={"resolve": 0})
    seat.long_rest()
    assert seat.left("resolve") == 1


def test_dn_02_the_end_of_an_adventure_restores_resolve_and_lowered_resources():
    seat = seated(ranks={"spirit": 14}, state={"resolve": 0, "resources_lowered": 1})
    seat.end_adventure()
    assert seat.left("resolve") == 2
    assert seat.spent("resources-lowered") == 0


def test_survivor_heals_at_each_turn():
    seat = seated(level=13, ranks={"vitality": 14}, state={"health": 20})
    before = seat.left("health")
    seat.next_round()
    assert seat.left("health") == before + 7


@pytest.mark.parametrize(
    ("lost", "wounds", "gained"),
    [(20, 0, 8), (20, 1, 4), (5, 1, 4), (4, 1, 4), (3, 1, 3), (1, 1, 1), (3, 0, 3)],
    ids=["FT-17", "FT-18", "one more than it heals", "just enough", "more than enough", "the last point", "unwounded"],
)
def test_r80_wounds_halve_what_heals_and_not_what_is_missing(lost, wounds, gained):
    seat = seated(level=13, ranks={"vitality": 16})
    full = seat.left("health")
    seat = seated(level=13, ranks={"vitality": 16}, state={"health": full - lost, "wounds": wounds})
    seat.next_round()
    assert seat.left("health") == full - lost + gained


@pytest.mark.parametrize(
    ("conditions", "healed"), [(["poisoned"], 0), (["poisoned", "petrified"], 7), (["diseased"], 0)]
)
def test_survivor_does_not_heal_while_poison_or_disease_is_active(conditions, healed):
    held = [{"condition": slug} for slug in conditions]
    seat = seated(level=13, ranks={"vitality": 14}, state={"health": 20, "conditions": held})
    seat.next_round()
    assert seat.left("health") == 20 + healed


@pytest.mark.parametrize("event", ["finish", "long_rest", "adventure"])
def test_the_preview_of_a_rest_equals_its_result(event):
    seat = seated(level=13, state={"health": 20, "stamina": 3, "resolve": 0, "spent": {"second-wind": 1}})
    seat.begin_rest()
    before, changes = seat.facts, Change.objects.count()
    version = versions.read(seat.fresh)
    do = ahead(version.bundle, version.build, version.sheet)[event]
    draft, sentence = tried(seat.fresh, version, lambda draft: apply(ActionContext(draft), do))
    shown = draft.version.sheet
    assert (seat.facts, Change.objects.count()) == (before, changes)
    act = {
        "finish": seat.finish_rest,
        "long_rest": seat.long_rest,
        "adventure": seat.end_adventure,
    }[event]
    change = act()
    assert change.sentence == sentence
    assert seat.sheet == shown
    assert Draft(seat.fresh).build is not None


def test_the_dice_of_a_rest_can_be_undone_in_any_order():
    seat = seated(level=5, state={"health": 2})
    seat.begin_rest()
    first = seat.spend_rest_die(chance=Fixed(2))
    seat.spend_rest_die(chance=Fixed(6))
    seat.undo(first)
    assert seat.left("stamina") == 4
    assert seat.facts["field:rest_dice"] == 1


@pytest.mark.parametrize("over", ["finished", "undone"])
def test_a_die_can_be_undone_when_its_rest_is_over(over):
    seat = seated(level=5, state={"health": 2, "spent": {"second-wind": 1}})
    begun = seat.begin_rest()
    die = seat.spend_rest_die(chance=Fixed(2))
    gained = seat.left("health") - 2
    if over == "finished":
        seat.finish_rest()
        seat.use(action="second-wind")  # so the end of the rest cannot be undone any more
    else:
        seat.undo(begun)
    health = seat.left("health")
    undone = seat.undo(die)
    assert (seat.left("stamina"), seat.left("health"), seat.fresh.rest_dice) == (5, health - gained, 0)
    seat.undo(undone)
    assert (seat.left("stamina"), seat.left("health"), seat.fresh.rest_dice) == (4, health, 0)


def test_a_die_done_again_after_its_rest_does_not_count_in_the_next():
    seat = seated(level=5, state={"health": 2})
    seat.begin_rest()
    undone = seat.undo(seat.spend_rest_die(chance=Fixed(2)))
    seat.finish_rest()
    seat.undo(undone)
    seat.begin_rest()
    seat.undo(seat.spend_rest_die(chance=Fixed(2)))
    assert seat.fresh.rest_dice == 0


def test_an_undo_in_a_rest_from_a_file_keeps_the_dice_of_the_file():
    seat = seated(level=5, state={"health": 2, "rest": {"rest": "short-rest", "dice": 2}})
    seat.undo(seat.spend_rest_die(chance=Fixed(2)))
    assert seat.fresh.rest_dice == 2


def test_rally_ends_under_its_own_name(seat):
    seat.begin_rest(rest="rally")
    assert seat.finish_rest().sentence.startswith("Mira: Rally. ")
    seat.begin_rest(rest="short-rest")
    assert seat.finish_rest().sentence.startswith("Mira: Short rest. ")


@pytest.mark.fast
def test_proficiencies_learned_in_downtime_have_the_same_order_cached_and_stored(seat):
    for ref in ("skill:stealth", "language:elvish"):
        change = seat.spend_downtime(days=7, activity="Training", learn=ref)
        assert version_cache.current(change.character).build == versions.read(seat.fresh).build


def test_each_helper_treats_wounds_once_in_a_rest():
    """Ruling 80. Without a name, the helper is the character."""
    seat = seated(level=3, state={"wounds": 6})
    seat.begin_rest()
    seat.treat_wounds()
    seat.treat_wounds(by="Ilien")
    for again in ("", "ilien"):
        with pytest.raises(Refused, match="has treated wounds in this rest already"):
            seat.treat_wounds(by=again)
    mistaken = seat.treat_wounds(by="Bo")
    seat.undo(mistaken)
    seat.treat_wounds(by="Bo")
    seat.finish_rest()
    seat.begin_rest()
    seat.treat_wounds(by="Ilien")
    assert seat.spent("wounds") == 2


TIMES = {
    "rest": lambda seat: (seat.begin_rest(), seat.finish_rest()),
    "night": lambda seat: seat.long_rest(),
    "adventure": lambda seat: seat.end_adventure(),
}


@pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)
def test_a_rest_or_the_end_of_an_adventure_ends_conditions_counted_in_rounds(seat, time):
    seat.add_condition(condition="condition:slowed", rounds=3)
    seat.add_condition(condition="condition:poisoned")
    time(seat)
    assert seat.conditions == {"poisoned"}


def test_rally_does_not_end_conditions_counted_in_rounds(seat):
    seat.add_condition(condition="condition:slowed", rounds=3)
    seat.begin_rest(rest="rally")
    seat.finish_rest()
    assert "slowed" in seat.conditions


def test_r82_rally_leaves_time_to_treat_one_wound():
    seat = seated(state={"wounds": 3})
    seat.begin_rest(rest="rally")
    care = seat.treat_wounds(medic=False, by="Bo")
    with pytest.raises(Refused, match="time to treat one"):
        seat.treat_wounds(medic=False, by="Cy")
    seat.undo(care)
    seat.treat_wounds(medic=False, by="Cy")
    assert seat.spent("wounds") == 2


def test_r81_being_struck_down_cuts_a_rest_short():
    seat = seated(level=3, state={"spent": {"second-wind": 1}})
    seat.begin_rest()
    seat.take_damage(amount=seat.left("health"))
    for act in (lambda: seat.spend_rest_die(chance=Fixed(3)), lambda: seat.treat_wounds(by="Bo")):
        with pytest.raises(Refused, match="The dying cannot rest"):
            act()
    assert seat.finish_rest().sentence == "Mira: the rest is cut short and gives nothing."
    assert (seat.spent("second-wind"), seat.fresh.rest, seat.left("health")) == (1, "", 0)


def test_a_medic_with_a_spent_healing_kit_treats_one_wound():
    medic = {"choices": {"human-culture.talent": ["medic"], "human-culture.skills": ["athletics", "awareness"]}}
    spent = {"wounds": 3, "spent": {"healing-kit": 10}}
    seat = seated(level=3, inventory=[{"item": "healing-kit"}], state=spent, ranks={"vitality": 14}, **medic)
    seat.begin_rest()
    for _ in range(3):
        seat.spend_rest_die(chance=Fixed(3))
    assert seat.treat_wounds().sentence.endswith("loses 1 wound.")


def test_renaming_the_character_does_not_let_a_helper_treat_again():
    seat = seated(state={"wounds": 3})
    seat.begin_rest()
    seat.treat_wounds(medic=False, by="Bo")
    seat.rename(name="Someone is treated: else")
    with pytest.raises(Refused, match="bo has treated"):
        seat.treat_wounds(medic=False, by="bo")
    assert seat.spent("wounds") == 2


@pytest.mark.parametrize("event", ["short-rest", "long-rest"])
def test_a_short_rest_and_a_long_rest_both_return_second_wind(event):
    seat = seated(level=3, state={"spent": {"second-wind": 1}})
    assert recovered(seat.sheet, event)["second-wind"] == 1
