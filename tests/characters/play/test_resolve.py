"""Resolve: its five uses, criticals for two, compels and regaining (section 23, rulings 40 to 42, 103 and 104)."""

import pytest

from characters.change import roll_log
from characters.change.refusals import MovedOn, Refused
from characters.models import RollRecord
from tests.characters.cast import refuses
from tests.characters.play.table import Fixed, newest, seated

pytestmark = pytest.mark.django_db


def with_roll(faces, **more):
    """A skilled check of 3D+4 against 15 that showed these faces, with four points of resolve left."""
    seat = seated(ranks={"strength": 16, "spirit": 18}, **more)
    seat.roll(roll="skill.athletics", target=15, faces=faces)
    return seat, newest().pk


def test_rs_10_a_nudge_adds_two_and_costs_one_resolve():
    seat, roll = with_roll((4, 3, 2))
    change = seat.nudge(roll=roll)
    assert (newest().total, newest().success, newest().follows_id) == (15, True, roll)
    assert seat.left("resolve") == 3
    assert change.sentence == "Mira nudges Athletics to 15, a success."


def test_rs_11_an_extra_die_is_added_after_the_roll():
    seat, roll = with_roll((4, 3, 2))
    seat.extra_die(roll=roll, chance=Fixed(4))
    assert (newest().total, newest().success) == (17, True)
    assert newest().faces == [4, 3, 2, 4]


def test_the_row_of_a_nudge_cannot_itself_be_nudged():
    seat, roll = with_roll((4, 3, 2))
    seat.nudge(roll=roll)
    with pytest.raises(Refused, match="no such roll"):
        seat.nudge(roll=newest().pk)
    assert seat.left("resolve") == 3


def test_the_log_shows_a_roll_with_all_its_additions_in_one_place():
    seat, roll = with_roll((4, 3, 2))
    seat.roll(roll="skill.stealth", faces=(1, 1))
    for _ in range(3):
        seat.nudge(roll=roll)
    shown = roll_log.log_of(seat.fresh, seat.who, most=9)
    assert [(one[0].pk, len(one)) for one in shown] == [(roll + 1, 1), (roll, 4)]
    assert roll_log.log_of(seat.fresh, seat.who, before=roll + 1, most=9) == shown[1:]


def test_rs_12_a_nudge_on_somebody_elses_roll_costs_one_resolve():
    seat = seated(ranks={"spirit": 14})
    change = seat.nudge_elsewhere(up=False, whose="the bandit's attack, 16 to 14 against Defense 15")
    assert seat.left("resolve") == 1
    assert "down by 2" in change.sentence


def test_rs_103_several_points_may_go_on_one_roll():
    seat, roll = with_roll((1, 1, 2))
    seat.nudge(roll=roll)
    seat.nudge(roll=roll)
    seat.extra_die(roll=roll, chance=Fixed(3))
    assert newest().total == 4 + 4 + 4 + 3
    assert seat.left("resolve") == 1


def test_rs_104_a_nudge_makes_no_critical_and_never_touches_damage():
    seat, roll = with_roll((6, 5, 5), items=[("longsword", "main")])
    seat.nudge(roll=roll)
    assert not newest().critical
    seat.roll(roll="damage.longsword.one-hand", faces=(3,))
    damage = newest().pk
    for act in (seat.nudge, seat.extra_die):
        with pytest.raises(Refused, match="not damage"):
            act(roll=damage)


def test_undoing_an_extra_die_restores_the_roll_and_the_resolve():
    seat, roll = with_roll((4, 3, 2))
    spent = seat.extra_die(roll=roll, chance=Fixed(6))
    seat.undo(spent)
    assert seat.left("resolve") == 4
    seat.nudge(roll=roll)
    assert newest().total == 15


def test_an_addition_to_a_roll_is_not_undone_before_a_later_one():
    """Each row of the log holds the whole roll: the die would still count although its point was back."""
    seat, roll = with_roll((4, 3, 2))
    die, nudge = seat.extra_die(roll=roll, faces=(1,)), seat.nudge(roll=roll)
    with pytest.raises(MovedOn, match="more has been added to this roll"):
        seat.undo(die)
    seat.undo(nudge)
    without = seat.undo(die)
    seat.nudge(roll=roll)
    with pytest.raises(MovedOn, match="more has been added to this roll"):
        seat.undo(without)
    assert (newest().total, seat.left("resolve")) == (15, 3)


def test_an_extra_die_without_resolve_is_refused():
    seat, roll = with_roll((4, 3, 2), state={"resolve": 0})
    with pytest.raises(Refused, match="no Resolve"):
        seat.extra_die(roll=roll)
    assert RollRecord.objects.count() == 1


def test_an_aspect_is_used_only_once_on_a_roll():
    seat, roll = with_roll((1, 1, 2))
    trait, flaw = (address for address in seat.facts if address.startswith("aspect:"))
    seat.extra_die(roll=roll, aspect=trait, chance=Fixed(1))
    with pytest.raises(Refused, match="used that aspect on this roll"):
        seat.nudge(roll=roll, aspect=trait)
    with pytest.raises(Refused, match="used that aspect on this roll"):
        seat.detail(aspect=trait, roll=roll)
    seat.nudge(roll=roll, aspect=flaw)
    seat.declare(aspect=trait, detail="an old friend keeps the gate")
    assert seat.left("resolve") == 1


def test_a_detail_can_be_declared_by_a_relationship():
    seat = seated()
    seat.add_relationship(other="Garret", based_on="flaw", text="He owes me a boat", agreed=True)
    (address,) = (address for address in seat.facts if address.startswith("relationship:"))
    change = seat.declare(aspect=address, detail="the boat lies here")
    assert change.sentence == "Mira declares a detail by “He owes me a boat”: the boat lies here."
    for nothing in ("aspect:999999", "item:1", "", None):
        with refuses("aspect"):
            seat.declare(aspect=nothing)


def test_a_house_rule_limits_extra_turns_in_a_round():
    seat = seated(ranks={"spirit": 18}, switches={"extraTurnsPerRound": "1"})
    seat.extra_turn()
    with pytest.raises(Refused, match="allow 1"):
        seat.extra_turn()
    seat.next_round()
    seat.extra_turn()
    assert seat.left("resolve") == 2


def test_an_extra_turn_heals_a_survivor_and_counts_down_no_rounds():
    """Ruling 40."""
    seat = seated(level=13, ranks={"vitality": 14, "spirit": 18}, state={"health": 20})
    seat.add_condition(condition="condition:prone", rounds=3)
    before = seat.left("health")
    change = seat.extra_turn()
    assert seat.left("health") == before + 7
    assert change.sentence == "Mira takes an extra turn. Health +7."
    assert [held["rounds"] for address, held in seat.facts.items() if address.startswith("condition:")] == [3]


def test_an_extra_turn_ends_defending():
    seat = seated(ranks={"spirit": 18})
    seat.add_condition(condition="condition:defending")
    seat.add_condition(condition="condition:prone", rounds=1)
    assert seat.extra_turn().sentence == "Mira takes an extra turn. Defending ends."
    assert seat.conditions == {"prone"}


def test_undone_extra_turns_and_rounds_do_not_count():
    seat = seated(ranks={"spirit": 18}, switches={"extraTurnsPerRound": "1"})
    turn = seat.extra_turn()
    seat.undo(seat.undo(turn))  # undone, and done again
    seat.undo(seat.next_round())
    with pytest.raises(Refused, match="allow 1"):
        seat.extra_turn()
    seat.undo(seat.fresh.changes.filter(verb="undo", inverts__verb="undo").get())
    seat.extra_turn()


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("surprised", "No actions while surprised."),
        ("stunned", "No actions while incapacitated."),
        ("dead", "No actions while dead."),
    ],
)
def test_a_character_who_cannot_act_gets_no_extra_turn(slug, sentence):
    seat = seated(ranks={"spirit": 14})
    seat.add_condition(condition=f"condition:{slug}")
    with pytest.raises(Refused, match=sentence):
        seat.extra_turn()


def test_two_points_make_a_hit_critical():
    seat = seated(ranks={"spirit": 18}, items=[("longsword", "main")])
    seat.roll(roll="attack.longsword.one-hand", target=10, faces=(4, 4, 4))
    roll = newest().pk
    seat.turn_critical(roll=roll)
    assert (newest().critical, newest().success) == (True, True)
    assert seat.left("resolve") == 2
    with pytest.raises(Refused, match="already"):
        seat.turn_critical(roll=roll)
    seat.turn_aside()
    assert seat.left("resolve") == 0


def test_criticals_for_resolve_are_a_house_rule():
    seat = seated(ranks={"spirit": 18}, switches={"resolveCriticals": "off"})
    with pytest.raises(Refused, match="house rules"):
        seat.turn_aside()


@pytest.mark.parametrize(
    ("left", "spirit", "accept", "after"),
    [(0, 14, True, 1), (1, 14, True, 2), (2, 16, False, 1), (3, 16, False, 3), (3, 16, True, 3)],
    ids=["RS-14", "RS-15", "RS-16", "RS-17", "R42"],
)
def test_a_compel_changes_resolve(left, spirit, accept, after):
    seat = seated(ranks={"spirit": spirit}, state={"resolve": left})
    seat.compel(words="Keeps every slight", accept=accept)
    assert seat.left("resolve") == after


def test_rs_14_at_zero_a_compel_must_be_accepted():
    seat = seated(state={"resolve": 0})
    with pytest.raises(Refused, match="must accept"):
        seat.compel(words="Keeps every slight", accept=False)


def test_players_compel_each_other_only_by_house_rule():
    seat = seated(state={"resolve": 0})
    with pytest.raises(Refused, match="storyteller"):
        seat.compel(words="Late again", accept=True, by_player=True)
    free = seated(state={"resolve": 0}, switches={"playerCompels": "on"})
    free.compel(words="Late again", accept=True, by_player=True)
    assert free.left("resolve") == 1


def test_regaining_stops_at_the_maximum():
    seat = seated(ranks={"spirit": 14}, state={"resolve": 0})
    change = seat.regain(points=5, reason="a fine speech")
    assert seat.left("resolve") == 2
    assert change.sentence == "Mira regains 2 Resolve: a fine speech."
    with pytest.raises(Refused, match="full"):
        seat.regain()


def test_r40_a_new_fight_begins_new_rounds():
    seat = seated(level=3, ranks={"spirit": 18}, switches={"extraTurnsPerRound": "1"})
    seat.extra_turn()
    with pytest.raises(Refused, match="1 in a round"):
        seat.extra_turn()
    initiative = seat.roll(roll="initiative")
    again = seat.extra_turn()
    seat.undo(again)
    seat.undo(initiative)
    with pytest.raises(Refused, match="1 in a round"):
        seat.extra_turn()
    seat.long_rest()
    seat.extra_turn()


@pytest.mark.parametrize("target", [None, 5, 30], ids=["hidden", "hit", "miss"])
def test_two_points_make_a_hit_critical_also_against_a_hidden_defense(target):
    seat = seated(level=3, ranks={"spirit": 18}, inventory=[{"item": "longsword", "state": "main"}])
    seat.roll(roll="attack.longsword.one-hand", target=target, faces=(4, 4, 4))
    if target == 30:
        with pytest.raises(Refused, match="Only a hit"):
            seat.turn_critical(roll=newest().pk)
    else:
        seat.turn_critical(roll=newest().pk)
    assert newest().critical == (target != 30)
