"""Dying, death saves and coming back (section 28, ruling 81, section 23.2)."""

from fractions import Fraction

import pytest

from characters.access import OWNER
from characters.change import roll_log
from characters.change.refusals import MovedOn, Refused
from characters.models import RollRecord
from characters.pages.sheet.live import LiveCharacter
from tests.characters.play.table import Fixed, seated

pytestmark = pytest.mark.django_db


def dying(wounds=0, **more):
    seat = seated(level=3, state={"wounds": wounds} if wounds else None, ranks={"spirit": 16}, **more)
    seat.adjust(resource="health", amount="0")
    return seat


@pytest.mark.parametrize(
    ("faces", "wounds", "saves", "failures"),
    [((4, 4, 2), 0, 1, 0), ((4, 4, 3), 2, 0, 1), ((1, 1, 5), 0, 0, 2)],
    ids=["HE-07", "HE-08", "HE-10"],
)
def test_a_death_save_counts_a_success_or_failures(faces, wounds, saves, failures):
    seat = dying(wounds)
    seat.death_save(chance=Fixed(*faces))
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (saves, failures)


def test_he_09_a_critical_death_save_wakes_the_character():
    seat = dying()
    change = seat.death_save(chance=Fixed(6, 6, 1))
    assert seat.left("health") == 1
    assert {"dying", "unconscious"} & seat.conditions == set()
    assert change.sentence == "Mira rolls a death saving throw: 13, a critical, and wakes with 1 health."


def test_three_passed_death_saves_stabilize_and_three_failed_ones_kill():
    stable, dead = dying(), dying()
    for _ in range(3):
        stable.death_save(chance=Fixed(5, 5, 5))
        dead.death_save(chance=Fixed(2, 2, 2))
    assert "stable" in stable.conditions
    assert "unconscious" in stable.conditions
    assert "dead" in dead.conditions
    for seat in (stable, dead):
        with pytest.raises(Refused, match="Only the dying"):
            seat.death_save()


def test_the_dying_do_not_get_their_second_wind():
    seat = dying()
    with pytest.raises(Refused, match="incapacitated"):
        seat.use(action="second-wind")
    assert seat.left("second-wind") == 1


@pytest.mark.parametrize("slug", ["stunned", "surprised", "paralyzed", "dead"])
def test_a_character_who_cannot_act_cannot_rally_or_use_second_wind(slug):
    """Rally takes an action, Second Wind a bonus action (sections 22 and 25.3)."""
    seat = seated(level=3, state={"health": 5})
    seat.add_condition(condition=f"condition:{slug}")
    before = seat.facts
    with pytest.raises(Refused, match=r"^No bonus actions while "):
        seat.use(action="second-wind")
    for rally in (lambda: seat.use(action="rally"), lambda: seat.begin_rest(rest="rally")):
        with pytest.raises(Refused, match=r"^(No actions while |The character is dead)"):
            rally()
    assert seat.facts == before


def test_the_sentence_of_a_secret_death_save_leaves_out_the_result():
    seat = dying()
    assert seat.death_save(secret=True, faces=(6, 6, 1)).sentence == "Mira rolls a death saving throw: in secret."


def test_the_difficulty_of_a_death_save_is_a_house_rule():
    seat = dying(switches={"deathSaveDifficulty": 12})
    seat.death_save(chance=Fixed(4, 4, 3))
    assert seat.spent("death-failures") == 1


def test_conditions_that_affect_saves_affect_death_saves():
    seat = dying()
    seat.add_condition(condition="condition:exhausted")
    seat.death_save(chance=Fixed(5, 5))
    assert RollRecord.objects.get().faces == [5, 5]


def test_rs_13_resolve_turns_a_failure_into_two_successes():
    seat = dying()
    seat.death_save(chance=Fixed(5, 5, 5))
    seat.death_save(chance=Fixed(2, 2, 2))
    before = seat.left("resolve")
    seat.cheat_death()
    assert seat.left("resolve") == before - 1
    assert "stable" in seat.conditions


def test_cheating_death_can_turn_the_failure_that_killed():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    seat.death_save(chance=Fixed(1, 1, 2))
    assert "dead" in seat.conditions
    seat.cheat_death()
    assert {"dead", "stable"} & seat.conditions == set()
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (2, 1)


def test_a_failed_death_save_is_turned_only_once():
    seat = dying()
    with pytest.raises(Refused, match="There is no failed death saving throw to change"):
        seat.cheat_death()
    seat.death_save(chance=Fixed(2, 2, 2))
    seat.cheat_death()
    with pytest.raises(Refused, match="There is no failed death saving throw to change"):
        seat.cheat_death()


@pytest.mark.parametrize(
    "since", ["healed", "healed and struck down again", "struck", "another save", "not hit at all"]
)
def test_a_failed_death_save_is_turned_only_while_it_still_decides(since):
    seat = seated(level=3, ranks={"spirit": 16})
    hit = seat.take_damage(amount=seat.left("health"))
    seat.death_save(chance=Fixed(2, 2, 3))
    save = RollRecord.objects.get().pk
    if since.startswith("healed"):
        seat.heal(amount=30)
    if since == "another save":
        seat.death_save(chance=Fixed(5, 5, 5))
    if since == "not hit at all":
        seat.undo(hit)
    if "struck" in since:
        if seat.left("health"):
            seat.adjust(resource="health", amount="0")
        seat.take_damage(amount=1)
        assert seat.spent("death-failures")
    before = seat.facts
    for turn in (lambda: seat.extra_die(roll=save, faces=(6,)), lambda: seat.nudge(roll=save), seat.cheat_death):
        with pytest.raises(Refused, match=r"needs no more help|no failed death saving throw"):
            turn()
    assert seat.facts == before


def test_a_failed_death_save_can_be_turned_after_the_next_blow_is_undone():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 3))
    blow = seat.take_damage(amount=1)
    seat.undo(blow)
    seat.cheat_death()
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (2, 0)


def test_cheating_death_without_resolve_is_refused():
    seat = dying()
    seat.adjust(resource="resolve", amount="0")
    seat.death_save(chance=Fixed(2, 2, 2))
    with pytest.raises(Refused, match="no Resolve"):
        seat.cheat_death()


def test_a_death_save_is_undone_only_after_the_nudge_added_to_it():
    seat = dying()
    save = seat.death_save(chance=Fixed(2, 2, 2))
    nudge = seat.nudge(roll=RollRecord.objects.get().pk, up=True)
    assert [row.change for row in roll_log.newest_of_kind(seat.fresh, "death")] == [save, nudge]
    with pytest.raises(MovedOn, match="more has been added to this roll"):
        seat.undo(save)
    seat.undo(nudge)
    seat.undo(save)
    assert roll_log.newest_of_kind(seat.fresh, "death") == roll_log.log_of(seat.fresh, seat.who, most=9) == []
    with pytest.raises(Refused, match="no failed death saving throw"):
        seat.cheat_death()


def test_an_extra_die_turns_a_failed_death_save_into_a_passed_one():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    roll = RollRecord.objects.get()
    seat.extra_die(roll=roll.pk, chance=Fixed(5))
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (1, 0)


def test_a_nudge_turns_a_failed_death_save_into_a_passed_one():
    seat = dying()
    seat.death_save(chance=Fixed(3, 3, 2))
    seat.nudge(roll=RollRecord.objects.get().pk)
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (1, 0)


def test_others_can_stabilize_the_dying():
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    seat.stabilize()
    assert {"stable", "unconscious"} <= seat.conditions
    assert "dying" not in seat.conditions
    assert seat.spent("death-failures") == 0
    with pytest.raises(Refused, match="Only the dying can be stabilized"):
        seat.stabilize()


def test_a_medic_who_stabilizes_restores_one_health():
    seat = dying()
    seat.stabilize(medic=True)
    assert seat.left("health") == 1
    assert "unconscious" not in seat.conditions


def test_damage_makes_a_stable_character_dying_again():
    seat = dying()
    seat.stabilize()
    seat.take_damage(amount=1)
    assert "dying" in seat.conditions
    assert seat.spent("death-failures") == 1


def test_undoing_the_blow_that_left_no_health_restores_all_facts():
    seat = seated(level=3)
    full = seat.facts
    blow = seat.take_damage(amount=seat.left("health") + 1)
    seat.undo(blow)
    after = seat.facts
    assert {k: v for k, v in after.items() if v} == {k: v for k, v in full.items() if v}


def test_undoing_an_earlier_blow_also_wakes_the_character():
    seat = seated(level=3)
    half = seat.left("health") // 2
    first = seat.take_damage(amount=half)
    seat.take_damage(amount=half + 1)
    assert "dying" in seat.conditions
    seat.undo(first)
    assert "dying" not in seat.conditions
    assert seat.left("health") > 0


ACTS = {
    "a check": ("roll", {"roll": "skill.athletics"}),
    "a save": ("roll", {"roll": "save.vitality"}),
    "an attack": ("roll", {"roll": "attack.unarmed-strike.unarmed"}),
    "damage": ("roll", {"roll": "damage.unarmed-strike.unarmed"}),
    "a nudge for somebody": ("nudge_elsewhere", {"whose": "Bo", "up": True}),
    "a compel": ("compel", {"words": "free", "accept": True}),
    "a feature": ("use", {"action": "second-wind"}),
}


@pytest.mark.parametrize(("verb", "what"), ACTS.values(), ids=ACTS)
def test_the_dead_roll_nothing_and_spend_nothing(verb, what):
    seat = seated(level=2)
    seat.add_condition(condition="condition:dead")
    before = seat.facts
    with pytest.raises(Refused, match="dead"):
        getattr(seat, verb)(**what)
    assert seat.facts == before
    assert not RollRecord.objects.exists()


def test_the_dead_declare_nothing():
    seat = seated(level=2)
    aspect = next(address for address in seat.facts if address.startswith("aspect:"))
    seat.add_condition(condition="condition:dead")
    with pytest.raises(Refused, match="dead"):
        seat.declare(aspect=aspect, detail="A door")


NOT_AT_0 = {
    "a check": ("roll", {"roll": "skill.athletics"}),
    "a check with tools": ("roll", {"roll": "tool.smiths-tools"}),
    "an attack": ("roll", {"roll": "attack.unarmed-strike.unarmed"}),
    "a spell": ("roll", {"roll": "spell-attack"}),
    "more in the turn": ("use", {"action": "action-surge"}),
}


@pytest.mark.parametrize("stable", [False, True], ids=["dying", "stable"])
@pytest.mark.parametrize(("verb", "what"), NOT_AT_0.values(), ids=NOT_AT_0)
def test_a_character_at_0_health_cannot_act(verb, what, stable):
    seat = dying()
    if stable:
        seat.stabilize()
    before = seat.facts
    with pytest.raises(Refused, match="At 0 health the character can only make saving throws"):
        getattr(seat, verb)(**what)
    assert seat.facts == before
    assert not RollRecord.objects.exists()


@pytest.mark.parametrize("stable", [False, True], ids=["dying", "stable"])
def test_a_character_at_0_health_rolls_saves_and_initiative(stable):
    seat = dying()
    if stable:
        seat.stabilize()
    for roll in ("save.vitality", "save.strength", "initiative"):
        seat.roll(roll=roll)
    seat.extra_die(roll=RollRecord.objects.get(key="save.vitality").pk)
    assert RollRecord.objects.count() == 4


def test_another_die_can_make_a_passed_death_save_critical():
    seat = dying()
    seat.death_save(chance=Fixed(6, 4, 2))
    save, before = RollRecord.objects.get().pk, seat.left("resolve")
    seat.extra_die(roll=save, chance=Fixed(3))
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (1, 0)
    woken = seat.extra_die(roll=save, chance=Fixed(6))
    assert (seat.left("health"), seat.spent("death-successes"), seat.left("resolve")) == (1, 0, before - 2)
    assert not {"dying", "stable"} & seat.conditions
    with pytest.raises(Refused, match="needs no more help"):
        seat.extra_die(roll=save)
    seat.undo(woken)
    assert (seat.left("health"), seat.spent("death-successes"), seat.left("resolve")) == (0, 1, before - 1)
    assert "dying" in seat.conditions


@pytest.mark.parametrize(
    ("face", "health", "states", "counts"),
    [(6, 1, set(), (0, 0)), (3, 0, {"stable"}, (0, 0)), (1, 0, {"dead"}, (2, 3))],
    ids=["it wakes", "it stays", "two ones spoil it"],
)
def test_another_die_can_change_the_death_save_that_stabilized(face, health, states, counts):
    """Becoming stable cleared the counts; another die starts from the counts before that save."""
    seat = dying()
    seat.death_save(chance=Fixed(2, 2, 2))
    for faces in ((5, 5, 5), (5, 5, 5), (6, 4, 1)):
        seat.death_save(chance=Fixed(*faces))
    assert "stable" in seat.conditions
    roll = RollRecord.objects.first()
    die = seat.extra_die(roll=roll.pk, chance=Fixed(face))
    assert (seat.left("health"), {"stable", "dying", "dead"} & seat.conditions) == (health, states)
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == counts
    seat.undo(die)
    assert {"stable", "dying", "dead"} & seat.conditions == {"stable"}
    seat.undo(seat.fresh.changes.latest("sequence"))
    assert (seat.left("health"), {"stable", "dying", "dead"} & seat.conditions) == (health, states)


def test_a_passed_death_save_takes_no_nudge_and_no_die_after_healing():
    seat = dying()
    seat.death_save(chance=Fixed(6, 4, 2))
    save = RollRecord.objects.get().pk
    with pytest.raises(Refused, match="needs no more help"):
        seat.nudge(roll=save)
    seat.heal(amount=3)
    with pytest.raises(Refused, match="needs no more help"):
        seat.extra_die(roll=save)


@pytest.mark.parametrize(("faces", "die", "spoils"), [((6, 4, 2), 1, 0), ((6, 4, 1), 1, 1), ((5, 4, 2), None, None)])
def test_a_passed_death_save_shows_the_chances_of_another_die(faces, die, spoils):
    seat = dying()
    seat.death_save(faces=faces)
    told = LiveCharacter.of(seat.fresh, seat.who, OWNER).last_roll
    assert told.settled is (die is None)
    might = told.might and (told.might.die, told.might.spoils)
    assert might == (die and (Fraction(die, 6), Fraction(spoils, 6)))


def test_a_character_at_0_health_is_dying():
    """A file may say 0 health without the condition (ruling 81)."""
    seat = seated(state={"health": 0})
    assert "dying" in seat.conditions
