"""ST, AC, RS, VI, RT, DN, CB: scenes, actions, Resolve, light, rests and combat (sections 21 to 27)."""

from dataclasses import replace

import pytest

from rules.engine import derive
from rules.games.polyhedral import combat, dice, health, resolve, rest
from tests.support.heroes import blessed, hero, pool, row, skilled

AWARE = "skill:awareness"


def against(core, *conditions, toggles=()):
    """The words that attacks against this character meet: advantage, disadvantage."""
    roll = derive(core, hero(lineage="human", conditions=conditions, toggles=toggles)).rolls["against"]
    return [step.op for step in roll.because if step.applied and step.op in ("advantage", "disadvantage")]


def helped(core, *conditions, toggles=(), **who):
    """The words that this character's own sword attacks meet."""
    build = hero(lineage="human", conditions=conditions, toggles=toggles, items=["longsword@main"], **who)
    roll = next(a for a in derive(core, build).attacks if a.item == "longsword").roll
    return [s.op for s in roll.because if s.op in ("advantage", "disadvantage") and (s.applied or "cancelled" in s.why)]


# ST


def test_st_01_ties_go_to_agility():
    assert combat.initiative_order([("A", 13, 14), ("B", 13, 16), ("C", 15, 10)]) == ["C", "B", "A"]


def test_st_02_and_st_03_initiative(core):
    assert pool(derive(core, hero(agility=12, conditions=["hidden"])).rolls["initiative"]) == "4D+1"
    assert pool(derive(core, hero(agility=14, wounds=2)).rolls["initiative"]) == "3D+0"


TRAVEL = [
    ("ST-04", "normal", 4, {}, 14),
    ("ST-05", "fast", 8, {"hindered": True}, 20),
    ("ST-06", "slow", 8, {"hindered": True}, 7),
    ("ST-08", "normal", 1, {"speed": 25}, 2.92),
]


@pytest.mark.parametrize("case", TRAVEL, ids=[c[0] for c in TRAVEL])
def test_travel(case):
    _, pace, hours, how, miles = case
    assert round(combat.travel(pace, hours, **how), 2) == miles


def test_st_07_ten_minutes():
    assert combat.FEET_IN_TEN_MINUTES["normal"] == 3080


def test_st_09_and_st_10():
    assert combat.moves(30, hindered=True) == 15
    assert 60 // 6 == 10


def test_st_11_pace_and_awareness(core):
    bundle, build = blessed(core, hero(mind=12), *skilled(AWARE))
    assert derive(bundle, build).rolls["skill.awareness"].passive == 12
    for pace, passive in (("slow-pace", 17), ("fast-pace", 7)):
        sheet = derive(bundle, replace(build, toggles=frozenset([pace])))
        assert sheet.rolls["skill.awareness"].passive == passive


# AC


def test_ac_01_to_ac_03_dash(core):
    assert combat.moves(30, dashes=1) == 60
    assert combat.moves(30, dashes=1, hindered=True) == 30
    slowed = derive(core, hero(lineage="human", conditions=["slowed"])).value("speed")
    assert (slowed, combat.moves(slowed, dashes=1)) == (15, 30)


def test_ac_04_and_ac_05_grapple(core):
    assert dice.opposed(15, 15) == 0
    assert dice.opposed(16, 15) == 1
    assert derive(core, hero(lineage="human", conditions=["grappled"])).value("speed") == 0


def difficulty_to_hide(core):
    return next(a for a in core.elements["rules:core-rules"].actions if a.slug == "hide")


def test_ac_06_to_ac_08_hide_and_search(core):
    assert "15" in difficulty_to_hide(core).text
    assert combat.finds(17, 17)
    assert not combat.finds(16, 17)


def test_ac_09_and_ac_10_push_and_shove(core):
    text = next(a for a in core.elements["rules:core-rules"].actions if "push" in a.slug).text
    assert "10" in text
    assert "prone" in text.lower()


def test_ac_11_to_ac_13_help(core):
    trained = blessed(core, hero(toggles=["helped"]), *skilled("skill:athletics"))
    assert derive(*trained).rolls["skill.athletics"].dice == 4
    assert derive(core, hero(toggles=["helped"])).rolls["skill.athletics"].dice == 3


def test_ac_14_and_ac_15_two_spells():
    assert combat.two_spells(False, True)
    assert not combat.two_spells(False, False)


def test_ac_16_slowed_ends_defending(core):
    assert against(core, "defending") == ["disadvantage"]
    assert against(core, "defending", "slowed") == []


def test_ac_17_attacking_a_defender(core):
    assert combat.attack_dice([], against(core, "defending")) == 2


# RS

RESOLVE = [
    ("RS-01", 1, 8, 1), ("RS-02", 1, 10, 1), ("RS-03", 1, 14, 2), ("RS-04", 9, 14, 2), ("RS-05", 10, 14, 3),
    ("RS-06", 20, 16, 5), ("RS-07", 29, 16, 5), ("RS-08", 30, 20, 8), ("RS-09", 10, 8, 2),
]  # fmt: skip


@pytest.mark.parametrize(("level", "spirit", "most"), [c[1:] for c in RESOLVE], ids=[c[0] for c in RESOLVE])
def test_maximum_resolve(core, level, spirit, most):
    assert derive(core, hero(level=level, rank=1, spirit=spirit)).value("resolve.max") == most


def test_rs_10_to_rs_12_nudges_and_dice():
    assert resolve.nudged(13, 1) >= 15
    assert 13 + 4 == 17
    assert resolve.nudged(16, -1) < 15


def test_rs_13_a_failed_death_save_becomes_two_successes():
    body = health.succeed(health.Body(0, 20, saves=1, failures=1), 2)
    assert (body.saves, body.stable) == (3, True)


COMPELS = [("RS-14", 0, 2, True, 1), ("RS-15", 1, 2, True, 2), ("RS-16", 2, 3, False, 1), ("RS-17", 3, 3, False, 3)]


@pytest.mark.parametrize(("now", "most", "accept", "then"), [c[1:] for c in COMPELS], ids=[c[0] for c in COMPELS])
def test_compels(now, most, accept, then):
    assert resolve.compel(now, most, accept=accept) == then


def test_rs_14_cannot_be_refused():
    with pytest.raises(ValueError, match="accepted"):
        resolve.compel(0, 2, accept=False)


# VI

LIGHT = [
    ("VI-01", "human", ["dim-light", "by-sight-or-hearing"], 2),
    ("VI-02", "elf", ["dim-light", "by-sight-or-hearing"], 4),
    ("VI-03", "elf", ["lightly-obscured", "by-sight-or-hearing"], 3),
]


@pytest.mark.parametrize(("lineage", "toggles", "expected"), [c[1:] for c in LIGHT], ids=[c[0] for c in LIGHT])
def test_light(core, lineage, toggles, expected):
    bundle, build = blessed(core, hero(lineage=lineage, toggles=toggles), *skilled(AWARE))
    assert derive(bundle, build).rolls["skill.awareness"].dice == expected


def test_vi_04_to_vi_07_darkness(core):
    blind, unseen = helped(core, "blinded"), against(core, "blinded")
    assert combat.attack_dice(blind, []) == 2  # VI-04
    assert combat.attack_dice(blind, unseen) == 3  # VI-05
    near = helped(core, "blinded", styles=["blind-fighting"])
    assert combat.attack_dice(near, unseen) == 4  # VI-06
    far = helped(core, "blinded", styles=["blind-fighting"], toggles=["target-beyond-blindsight"])
    assert combat.attack_dice(far, unseen) == 3  # VI-07


# RT

STAMINA = [
    ("RT-01", [4], 14, 0, 6),
    ("RT-02", [1], 6, 0, 1),
    ("RT-03", [2, 5, 6], 12, 0, 16),
    ("RT-04", [2, 5, 6], 12, 1, 7),
]


@pytest.mark.parametrize("case", STAMINA, ids=[c[0] for c in STAMINA])
def test_stamina_dice(core, case):
    _, faces, vitality, wounds, healed = case
    modifier = derive(core, hero(vitality=vitality)).value("modifier.vitality")
    assert sum(rest.stamina_heals(face, modifier, wounds) for face in faces) == healed


REGAINED = [(1, 1), (2, 1), (3, 1), (5, 2), (8, 4), (11, 5), (20, 10)]


@pytest.mark.parametrize(("level", "back"), REGAINED, ids=[f"RT-{n:02}" for n in range(5, 12)])
def test_stamina_regained(core, level, back):
    assert rest.stamina_regained(level) == back
    row = next(r for r in core.elements["rules:core-rules"].recoveries if r.resource == "stamina")
    assert max(row.amount.at_least, level // row.amount.divided_by) == back


def test_rt_12_to_rt_14_long_rest():
    assert min(8, 5 + rest.stamina_regained(8)) == 8
    assert 10 + rest.long_rest_heals(10, 30, 0) == 30
    assert 10 + rest.long_rest_heals(10, 30, 2) == 20


def test_rt_15_to_rt_18(core):
    assert 5 - sum(rest.wounds_treated(5, 0) for _ in range(4)) == 1  # RT-15
    rally = next(a for a in core.elements["rules:core-rules"].actions if a.slug == "rally")
    assert (rally.fires, rally.resource) == ("short-rest", "rally")  # RT-16
    assert "short-rest" in derive(core, hero()).resources["second-wind"].recovers
    assert rest.long_rest_heals(0, 30, 0) == 0  # RT-17
    assert rest.interrupted(70)  # RT-18


def test_dn_01_and_dn_02_between_adventures(core):
    sheet = derive(core, replace(hero(background="ambassador"), spent={"resources-lowered": 1}))
    assert sheet.value("resources.rank") == 3
    assert sheet.resources["resources-lowered"].recovers == ("adventure", "downtime")
    assert "adventure" in sheet.resources["resolve"].recovers


# CB


def test_cb_01_to_cb_03_hits(core):
    assert combat.hits([5, 5, 3], 2, 15) == (True, False)
    cover = derive(core, hero(agility=16, toggles=["half-cover"])).value("defense")
    assert (cover, combat.hits([5, 5, 2], 2, cover)[0]) == (15, False)
    assert combat.hits([6, 6, 1], 2, 16) == (True, True)


def shooting(core, *toggles):
    build = hero(items=["short-bow@main"], toggles=toggles)
    roll = next(a for a in derive(core, build).attacks if a.item == "short-bow").roll
    return [s.op for s in roll.because if s.op in ("advantage", "disadvantage") and s.applied]


def test_cb_04_to_cb_06_shooting(core):
    assert combat.attack_dice(shooting(core, "enemy-within-5"), []) == 2
    far, near = (
        against(core, "prone", toggles=["attacker-beyond-5"]),
        against(core, "prone", toggles=["attacker-within-5"]),
    )
    assert combat.attack_dice(shooting(core, "beyond-normal-range"), far) == 2
    assert combat.attack_dice(shooting(core, "enemy-within-5"), near) == 3


def test_cb_07_and_cb_08_surprise():
    assert not combat.surprised(13, 13)
    assert combat.surprised(14, 13)


def test_cb_09_to_cb_12_standing_up():
    assert combat.after_standing(30, 30) == 15
    assert combat.moves(30, hindered=True) == 15
    assert combat.after_standing(30, 10) is None
    assert max(30, 60) == 60


def test_cb_13_to_cb_15_zones():
    assert combat.zones_crossed(30) == 0
    assert combat.zones_crossed(combat.moves(30, dashes=1)) == 1
    assert combat.moves(20) < 25 <= combat.moves(20, dashes=1)


def test_cb_16_and_cb_18_attacks(core):
    opportunity = next(a for a in core.elements["rules:core-rules"].actions if "opportunity" in a.slug)
    assert opportunity.timing == "reaction"
    assert "single attack" in opportunity.text
    sheet = derive(core, hero(level=5))
    assert sheet.value("attacks") * (1 + sheet.resources["action-surge"].left) == 4


def test_cb_17_squeezing(core):
    assert combat.attack_dice(helped(core, toggles=["squeezing"]), []) == 2
    assert combat.attack_dice([], against(core, toggles=["squeezing"])) == 4


def test_two_words_of_each_side_cancel():
    assert combat.attack_dice(["advantage", "advantage"], ["disadvantage"]) == 3


def test_a_row_of_the_table_can_add_dice(core):
    assert derive(*blessed(core, hero(), row("check", "dice", 2))).rolls["check.mind"].dice == 5
