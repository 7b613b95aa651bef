"""FT, RU, FC: the fighter, the rulings that change numbers, one complete character (sections 8, 32 and 34)."""

from dataclasses import replace

import pytest

from rules.engine import Build, Decision, Item, derive
from rules.engine.content import Amount, Effect
from rules.games.polyhedral import creation, dice, health
from rules.games.polyhedral.play.arms import recovered
from tests.support.heroes import ABILITIES, attack_of, blessed, hero, pool, skilled

TABLE = {"fighterProgression": "table"}

HEALTH = [
    ("FT-01", {"vitality": 14}, 10),
    ("FT-02", {"level": 5, "vitality": 14}, 50),
    ("FT-03", {"level": 10, "vitality": 16}, 110),
    ("FT-04", {"level": 3, "vitality": 8}, 21),
    ("FT-05", {"level": 15, "vitality": 20}, 195),
    ("FT-06", {"vitality": 1}, 3),
    ("FT-07", {"level": 10, "rank": 6, "vitality": 14}, 60),
    ("FT-08", {"level": 10, "rank": 6, "vitality": 14, "talents": ["tough"]}, 80),
]


@pytest.mark.parametrize(("who", "expected"), [c[1:] for c in HEALTH], ids=[c[0] for c in HEALTH])
def test_maximum_health(core, who, expected):
    value = derive(core, hero(**who)).values["health.max"]
    assert value.value == expected
    assert sum(step.amount for step in value.because if step.applied) == expected


def test_ft_09_vitality_raises_every_rank(core):
    assert derive(core, hero(level=6, vitality=15)).value("health.max") == 60
    assert derive(core, hero(level=6, vitality=16)).value("health.max") == 66


SECOND_WIND = [
    ("FT-10", 1, [3, 4], 9),
    ("FT-11", 10, [6, 6], 32),
    ("FT-12", 5, [1, 1], 12),
    ("FT-12 most", 5, [6, 6], 22),
]


@pytest.mark.parametrize(("rank", "faces", "heals"), [c[1:] for c in SECOND_WIND], ids=[c[0] for c in SECOND_WIND])
def test_second_wind(core, rank, faces, heals):
    line = next(a for a in derive(core, hero(level=rank)).actions if a.action.slug == "second-wind")
    assert line.dice == len(faces)
    assert sum(faces) + line.modifier == heals


RANKS = (4, 5, 9, 10, 11, 13, 14)


@pytest.mark.parametrize(("rank", "attacks"), list(zip(RANKS, (1, 2, 2, 2, 3, 3, 4), strict=True)))
def test_ft_13_attacks_by_the_text(core, rank, attacks):
    assert derive(core, hero(level=rank)).value("attacks") == attacks


@pytest.mark.parametrize(("rank", "attacks"), list(zip(RANKS, (1, 2, 3, 3, 3, 3, 4), strict=True)))
def test_ft_14_attacks_by_the_table(core, rank, attacks):
    assert derive(core, hero(level=rank, switches=TABLE)).value("attacks") == attacks


@pytest.mark.parametrize(("rank", "breaks"), [(14, 0), (15, 1), (19, 1), (20, 2), (27, 3), (30, 4)])
def test_ft_15_limit_breaks(core, rank, breaks):
    sheet = derive(core, hero(level=rank))
    assert sheet.value("limit-breaks") == breaks
    asked = [line for line in sheet.choices if line.choice.key == "fighter.limit-break"]
    assert sum(line.needs for line in asked) == breaks


@pytest.mark.parametrize(("rank", "uses"), [(6, 0), (7, 1), (10, 1), (11, 2)])
def test_ft_16_indomitable(core, rank, uses):
    sheet = derive(core, hero(level=rank))
    assert sheet.value("indomitable.max") == uses
    assert ("indomitable" in sheet.resources) is bool(uses)


def test_ft_17_and_ft_18_survivor(core):
    sheet = derive(core, hero(level=10, path="champion", vitality=16))
    assert "feature:survivor" in sheet.active
    recovery = next(r for r in core.elements["feature:survivor"].recoveries if r.resource == "health")
    amount = recovery.amount.flat + sheet.value(recovery.amount.of_stat)
    assert amount == 8
    assert health.healing(amount, wounds=1) == 4


def champion(level=12, **who):
    return hero(level=level, rank=6, path="champion", **who)


def test_ft_19_remarkable_athlete_doubles_the_skill_bonus(core):
    sheet = derive(*blessed(core, champion(strength=18), *skilled("skill:athletics")))
    assert pool(sheet.rolls["skill.athletics"]) == "3D+10"


def test_ft_20_and_ft_21_half_the_bonus_when_unskilled(core):
    assert pool(derive(core, champion(vitality=14)).rolls["skill.endurance"]) == "2D+4"
    assert pool(derive(core, champion(agility=14)).rolls["initiative"]) == "3D+4"


def test_a_skilled_vitality_check_is_not_doubled(core):
    sheet = derive(*blessed(core, champion(vitality=14), *skilled("skill:endurance")))
    assert pool(sheet.rolls["skill.endurance"]) == "3D+5"


def test_ft_22_superior_critical(core):
    roll = attack_of(core, hero(level=13, path="champion", items=["longsword@main"]), "longsword").roll
    assert dice.is_critical([4, 5], on=roll.criticals_on, from_pool=roll.criticals_from_pool)


def test_the_critical_row_that_a_better_one_replaces_says_so(core):
    roll = attack_of(core, hero(level=13, path="champion", items=["longsword@main"]), "longsword").roll
    rows = [(step.source, step.amount, step.applied, step.why) for step in roll.because if step.part == "critical"]
    assert rows == [
        ("Improved Critical", 5, False, "Superior Critical allows 4"),
        ("Superior Critical", 4, True, ""),
        ("Superior Critical", 2, True, ""),
    ]


def test_ft_23_improved_critical_needs_three_dice(core):
    roll = attack_of(core, hero(level=3, path="champion", items=["longsword@main"]), "longsword").roll
    assert not dice.is_critical([5, 6], on=roll.criticals_on, from_pool=roll.criticals_from_pool)


def test_an_unarmed_strike_is_no_weapon_attack(core):
    """Section 27.5 tells them apart, and a champion's criticals are those of weapon attacks (section 8.4)."""
    for level in (3, 13):
        build = hero(level=level, path="champion", styles=["unarmed-fighting"], items=["dagger@main"])
        roll = attack_of(core, build, "unarmed-strike", "unarmed").roll
        assert (roll.criticals_on, roll.criticals_from_pool) == (6, 3)
        assert attack_of(core, build, "dagger").roll.criticals_on < 6


def test_ft_24_marksmanship(core):
    attack = attack_of(core, hero(styles=["marksmanship"], agility=16, items=["short-bow@main"]), "short-bow")
    assert pool(attack.roll) == "3D+6"


def test_ft_25_great_weapon_fighting(core):
    build = hero(styles=["great-weapon-fighting"], strength=18, items=["greatsword@two-hands"])
    assert attack_of(core, build, "greatsword", "two-hands").damage == "2d6+8"


def test_ft_26_and_ft_27_thrown_weapons(core):
    build = hero(styles=["thrown-weapons"], strength=14, items=["dagger@main"])
    thrown = attack_of(core, build, "dagger", "thrown")
    assert thrown.damage == "2d4+2"
    assert (health.damage_dice(thrown.damage_dice, critical=True), thrown.damage_modifier) == (4, 2)
    assert attack_of(core, build, "dagger").damage == "1d4+2"


def test_ft_28_unarmed_fighting(core):
    build = hero(styles=["unarmed-fighting"], strength=16)
    assert attack_of(core, build, "unarmed-strike", "unarmed").damage == "1d8+3"
    armed = replace(build, items=(Item("weapon:club", state="main"),))
    assert attack_of(core, armed, "unarmed-strike", "unarmed").damage == "1d6+3"


@pytest.mark.parametrize(("rank", "styles"), [(7, 1), (8, 2)])
def test_ft_29_styles_known(core, rank, styles):
    sheet = derive(core, hero(level=rank, path="champion"))
    asked = [line for line in sheet.choices if line.choice.slug == "fighting-style"]
    assert sum(line.needs for line in asked) == styles


# Rulings


def test_ru_01_and_ru_02_the_array_costs_fifteen(core):
    ranks = [15, 14, 13, 12, 10, 8]
    prices = [creation.cost(core, rank) for rank in ranks]
    assert sum(max(price, -1) for price in prices) == 16  # RU-01: with one refund in all
    assert creation.total_cost(core, ranks) == 15  # RU-02


def test_ru_03_third_attack(core):
    assert derive(core, hero(level=10)).value("attacks") == 2
    assert derive(core, hero(level=10, switches=TABLE)).value("attacks") == 3


def test_ru_04_health_per_rank_or_level(core):
    who = {"level": 9, "rank": 5, "vitality": 14}
    assert derive(core, hero(**who)).value("health.max") == 50
    assert derive(core, hero(**who, switches={"healthPer": "level"})).value("health.max") == 90


def test_ru_05_wound_threshold(core):
    one = hero(vitality=14, switches={"woundThresholdMultiplier": "1"})
    assert derive(core, one).value("wound-threshold") == 14
    assert derive(core, hero(vitality=14)).value("wound-threshold") == 28
    assert derive(core, hero(level=2, rank=1, vitality=14, talents=["tough"])).value("wound-threshold") == 42


def test_ru_06_speed_80_in_zones(core):
    assert derive(*blessed(core, hero(), of_speed("base", 80))).value("zones") == 2


def test_cb_12_the_highest_of_several_speeds(core):
    """Walking at 30 and flying at 60 make 60 ft, in any mix."""
    assert derive(*blessed(core, hero(lineage="human"), of_speed("base", 60))).value("turn.movement") == 60


def of_speed(op, feet):
    return Effect(kind="modify", owner="", stat="speed", op=op, amount=Amount(flat=feet))


def test_ru_10_arrows_are_found_again():
    assert recovered(9) == 4
    assert recovered(9, bullets=True) == 0


def test_ru_08_and_ru_09_jumps(core):
    assert derive(core, hero(level=6, path="champion", strength=16)).value("jump.long") == 19
    assert derive(core, hero(strength=15)).value("jump.standing") == 7


# One complete character


@pytest.fixture
def garret(core):
    """FC-01: human, human culture, Ambassador, fighter, array, Tough."""
    ranks = dict(zip(ABILITIES, (15, 14, 13, 12, 10, 8), strict=True))
    picks = {
        "core-rules.lineage": ["lineage:human"],
        "core-rules.culture": ["culture:human-culture"],
        "core-rules.background": ["background:ambassador"],
        "core-rules.job": ["job:fighter"],
        "human-culture.skills": ["skill:awareness", "skill:athletics"],
        "human-culture.talent": ["talent:tough"],
    }
    decisions = [Decision(key, 1, at, ref=ref) for key, refs in picks.items() for at, ref in enumerate(refs)]
    decisions.append(Decision("core-rules.ability-bonuses", 1, 0, stat="rank.strength", points=2))
    decisions.append(Decision("core-rules.ability-bonuses", 1, 1, stat="rank.vitality", points=1))
    return Build(
        name="Garret",
        inputs={f"rank.{a}": r for a, r in ranks.items()},
        method="array",
        decisions=tuple(decisions),
        items=(
            Item("armor:chain-mail", state="worn"),
            Item("armor:shield", state="worn"),
            Item("weapon:longsword", state="main"),
        ),
    )


def test_fc_01_ranks(core, garret):
    sheet = derive(core, garret)
    ranks = [(sheet.value(f"rank.{a}"), sheet.value(f"modifier.{a}")) for a in ABILITIES]
    assert ranks == [(17, 3), (14, 2), (14, 2), (12, 1), (10, 0), (8, -1)]
    assert not sheet.problems


def test_fc_02_to_fc_06_derived_numbers(core, garret):
    sheet = derive(core, garret)
    keys = ("skill-bonus", "resolve.max", "stamina.max", "speed", "health.max", "defense", "wound-threshold")
    assert [sheet.value(key) for key in keys] == [1, 1, 1, 30, 12, 19, 42]
    sword = next(a for a in sheet.attacks if a.item == "longsword")
    assert (sword.grip, pool(sword.roll), sword.damage) == ("one-hand", "3D+4", "1d8+3")  # FC-05


def test_fc_07_to_fc_10_saves_awareness_initiative_and_resources(core, garret):
    sheet = derive(core, garret)
    saves = [pool(sheet.rolls[f"save.{a}"]) for a in ABILITIES]
    assert saves == ["3D+4", "2D+2", "3D+3", "2D+1", "2D+0", "2D-1"]
    assert sheet.rolls["skill.awareness"].passive == 12
    assert pool(sheet.rolls["initiative"]) == "3D+2"
    assert (sheet.value("resources.rank"), sheet.value("resources.lifestyle")) == (4, 2)


def test_fc_11_and_fc_12_at_level_six(core, garret):
    ranks = tuple(Decision("core-rules.level-job", level, ref="job:fighter") for level in range(2, 7))
    sheet = derive(core, replace(garret, xp=5_000, decisions=garret.decisions + ranks))
    assert [sheet.value(k) for k in ("rank.fighter", "health.max", "attacks")] == [6, 72, 2]
    assert [sheet.value(k) for k in ("skill-bonus", "stamina.max", "resolve.max")] == [2, 6, 1]
