"""ST, AC, RS, VI, RT, DN, CB: scenes, actions, Resolve, light, rests and combat (sections 21 to 27)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.engine import derive
from rules.engine.content import Amount, Effect
from rules.engine.recover import recovered
from rules.games.outcome import Rolled
from rules.games.polyhedral import dice, distances, health, resolve
from rules.games.polyhedral.play.ability_checks import roll_of
from rules.games.polyhedral.play.pool import again, judged
from tests.support.heroes import blessed, hero, pool, skilled

AWARE = "skill:awareness"


def against(core, *conditions, toggles=()):
    """The advantages and disadvantages of attacks against this character, as words."""
    roll = derive(core, hero(lineage="human", conditions=conditions, toggles=toggles)).rolls["against"]
    return [step.op for step in roll.because if step.applied and step.op in ("advantage", "disadvantage")]


def dice_against(core, *conditions, toggles=()):
    """The dice of a proficient attack on this character."""
    return derive(core, hero(lineage="human", conditions=conditions, toggles=toggles)).rolls["against"].dice


# ST


def test_st_02_and_st_03_initiative(core):
    assert pool(derive(core, hero(agility=12, conditions=["hidden"])).rolls["initiative"]) == "4D+1"
    assert pool(derive(core, hero(agility=14, wounds=2)).rolls["initiative"]) == "3D+0"


TRAVEL = [
    ("ST-04", "Normal", 4, {}, 14), ("ST-05", "Fast", 8, {"hindered": True}, 20),
    ("ST-06", "Slow", 8, {"hindered": True}, 7), ("ST-08", "Normal", 1, {"speed": 25}, 2.92),
]  # fmt: skip


@pytest.mark.parametrize(("pace", "hours", "how", "miles"), [c[1:] for c in TRAVEL], ids=[c[0] for c in TRAVEL])
def test_travel(core, pace, hours, how, miles):
    in_an_hour = {one.name: one.hour for one in distances.paces(*traveler(core, **how))}
    assert round(in_an_hour[pace] * hours, 2) == Fraction(str(miles))


def traveler(core, *, speed=30, hindered=False, switches=None):
    paced = Effect(kind="modify", owner="", stat="speed", op="base", amount=Amount(flat=speed))
    conditions = ["hindered"] if hindered else []
    bundle, build = blessed(core, hero(conditions=conditions, switches=switches), paced)
    return bundle, build, derive(bundle, build)


def test_st_07_distance_in_ten_minutes_an_hour_and_a_day(core):
    found = {pace.name: pace for pace in distances.paces(*traveler(core))}
    assert [(pace.feet, pace.hour, pace.day) for pace in found.values()] == [
        (1540, 1.75, 14), (3080, 3.5, 28), (4400, 5, 40),
    ]  # fmt: skip
    assert found["Normal"].feet == 3080


def test_a_house_rule_makes_travel_independent_of_speed(core):
    paces = distances.paces(*traveler(core, speed=15, switches={"scaleTravelBySpeed": "off"}))
    assert [pace.day for pace in paces] == [14, 28, 40]


def test_st_11_pace_and_awareness(core):
    bundle, build = blessed(core, hero(mind=12), *skilled(AWARE))
    assert derive(bundle, build).rolls["skill.awareness"].passive == 12
    for pace, passive in (("slow-pace", 17), ("fast-pace", 7)):
        sheet = derive(bundle, replace(build, toggles=frozenset([pace])))
        assert sheet.rolls["skill.awareness"].passive == passive


# AC


def test_ac_04_and_ac_05_grapple(core):
    assert dice.opposed(15, 15) == 0
    assert dice.opposed(16, 15) == 1
    assert derive(core, hero(lineage="human", conditions=["grappled"])).value("speed") == 0


def difficulty_to_hide(core):
    return next(a for a in core.elements["rules:core-rules"].actions if a.slug == "hide")


def test_ac_06_hiding(core):
    assert "15" in difficulty_to_hide(core).text


def test_ac_09_and_ac_10_push_and_shove(core):
    text = next(a for a in core.elements["rules:core-rules"].actions if "push" in a.slug).text
    assert "10" in text
    assert "prone" in text.lower()


def test_ac_11_to_ac_13_help(core):
    trained = blessed(core, hero(toggles=["helped"]), *skilled("skill:athletics"))
    assert derive(*trained).rolls["skill.athletics"].dice == 4
    assert derive(core, hero(toggles=["helped"])).rolls["skill.athletics"].dice == 3


HELPED = {
    "skill.stealth": 1, "knowledge.history": 1, "tool.smiths-tools": 1, "check.strength": 0, "initiative": 0,
    "save.mind": 0, "against": 0, "spell-attack": 0,
}  # fmt: skip


@pytest.mark.parametrize(("key", "more"), HELPED.items())
def test_ruling_99_help_is_with_a_skill_knowledge_or_tool(core, key, more):
    alone, helped = derive(core, hero()), derive(core, hero(toggles=["helped"]))
    if key.startswith("tool."):
        before, after = (roll_of(core, sheet, key, "strength") for sheet in (alone, helped))
    else:
        before, after = alone.rolls[key], helped.rolls[key]
    assert (after.dice - before.dice, after.passive - before.passive) == (more, 5 * more)


def test_ac_16_slowed_ends_defending(core):
    assert against(core, "defending") == ["disadvantage"]
    assert against(core, "defending", "slowed") == []


@pytest.mark.parametrize(("styles", "counts"), [((), ["advantage"]), (["blind-fighting"], ["disadvantage"])])
def test_who_defends_blindly_is_defended_by_blindsight_alone(core, styles, counts):
    """Section 22: attackers that you can see have disadvantage. The Agility save needs no sight."""
    build = hero(lineage="human", styles=styles, conditions=["defending", "blinded"])
    rolls = derive(core, build).rolls
    assert [step.op for step in rolls["against"].because if step.applied and step.part == "dice"][1:] == counts
    assert rolls["save.agility"].dice == 3


def test_ac_17_attacking_a_defender(core):
    assert dice_against(core, "defending") == 2


# RS

RESOLVE = [
    ("RS-01", 1, 8, 1), ("RS-02", 1, 10, 1), ("RS-03", 1, 14, 2), ("RS-04", 9, 14, 2), ("RS-05", 10, 14, 3),
    ("RS-06", 20, 16, 5), ("RS-07", 29, 16, 5), ("RS-08", 30, 20, 8), ("RS-09", 10, 8, 2),
]  # fmt: skip


@pytest.mark.parametrize(("level", "spirit", "most"), [c[1:] for c in RESOLVE], ids=[c[0] for c in RESOLVE])
def test_maximum_resolve(core, level, spirit, most):
    assert derive(core, hero(level=level, rank=1, spirit=spirit)).value("resolve.max") == most


def test_rs_10_to_rs_12_nudges_and_dice(core):
    assert resolve.nudged(13, 1) == 15
    thirteen = Rolled("check", "skill.athletics", "Athletics", (4, 3, 2), 13, modifiers=(("Strength", 4),), target=15)
    with_die = judged(again(core, hero(), thirteen), replace(thirteen, faces=(4, 3, 2, 4)))
    assert (with_die.total, with_die.success) == (17, True)
    assert resolve.nudged(16, -1) == 14


def test_rs_13_a_failed_death_save_becomes_two_successes():
    body = health.succeed(health.Body(0, 20, saves=1, failures=1), 2)
    assert (body.saves, body.stable) == (3, True)


COMPELS = [("RS-14", 0, 2, True, 1), ("RS-15", 1, 2, True, 2), ("RS-16", 2, 3, False, 1), ("RS-17", 3, 3, False, 3)]


@pytest.mark.parametrize(("now", "most", "accept", "then"), [c[1:] for c in COMPELS], ids=[c[0] for c in COMPELS])
def test_compels(now, most, accept, then):
    assert resolve.compel(now, most, accept=accept) == then


def test_rs_14_a_compel_cannot_be_refused_without_resolve():
    with pytest.raises(ValueError, match=r"^With no Resolve left you must accept"):
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
    assert sum(health.stamina_heals(face, modifier, wounds) for face in faces) == healed


REGAINED = [(1, 1), (2, 1), (3, 1), (5, 2), (8, 4), (11, 5), (20, 10)]


@pytest.mark.parametrize(("level", "back"), REGAINED, ids=[f"RT-{n:02}" for n in range(5, 12)])
def test_stamina_regained(core, level, back):
    used = replace(hero(level=level), spent={"stamina": level})
    assert recovered(derive(core, used), "long-rest")["stamina"] == back


def test_rt_15_to_rt_18_treated_wounds_rally_and_interrupted_rests(core):
    assert 5 - sum(health.wounds_treated(5, 0) for _ in range(4)) == 1  # RT-15
    rally = next(a for a in core.elements["rules:core-rules"].actions if a.slug == "rally")
    assert (rally.fires, rally.resource) == ("short-rest", "rally")  # RT-16
    assert "short-rest" in derive(core, hero()).resources["second-wind"].recovers
    assert health.interrupted(70)  # RT-18


def test_dn_01_and_dn_02_between_adventures(core):
    sheet = derive(core, replace(hero(background="ambassador"), spent={"resources-lowered": 1}))
    assert sheet.value("resources.rank") == 3
    assert sheet.resources["resources-lowered"].recovers == ("adventure", "downtime")
    assert "adventure" in sheet.resources["resolve"].recovers


# CB


def test_cb_16_and_cb_18_attacks(core):
    opportunity = next(a for a in core.elements["rules:core-rules"].actions if "opportunity" in a.slug)
    assert opportunity.timing == "reaction"
    assert "single attack" in opportunity.text
    sheet = derive(core, hero(level=5))
    assert sheet.value("attacks") * (1 + sheet.resources["action-surge"].left) == 4


def test_cb_17_squeezing(core):
    assert dice_against(core, toggles=["squeezing"]) == 4
