"""CO, DC, AB, LV: rounding, dice, abilities and levels (sections 1 to 4)."""

from fractions import Fraction
from random import Random

import pytest

from rules.engine import derive
from rules.games.polyhedral import dice
from rules.games.polyhedral.health import resisted
from rules.games.polyhedral.play.pool import RollOptions, fell, ready
from tests.support.heroes import blessed, hero, pool, row, skilled

UP, DOWN = row("check", "advantage"), row("check", "disadvantage")


def check_of(core, *, proficient, rows=(), wounds=0, bonus_level=1, **ranks):
    """The History check of a character with these ability ranks, under these rows."""
    build = hero(level=bonus_level, wounds=wounds, **ranks)
    given = [*rows, *(skilled("knowledge:history") if proficient else ())]
    return derive(*blessed(core, build, *given)).rolls["knowledge.history"]


def test_co_01_everything_is_rounded_down():
    assert resisted(7, resist=True) == 3


def test_co_02_to_co_04_by_the_engine(core):
    assert derive(core, hero(strength=9)).value("modifier.strength") == -1  # CO-02
    assert derive(core, hero(level=7)).value("skill-bonus") == 2  # CO-03
    athlete = derive(core, hero(level=12, rank=6, path="champion"))
    step = next(s for s in athlete.rolls["check.vitality"].because if s.source == "Remarkable Athlete" and s.applied)
    assert step.amount == 2  # CO-04: half of +3, rounded up


def test_co_05_resistance_halves():
    assert resisted(15, resist=True) == 7


POOLS = [
    ("DC-01", True, [], 3),
    ("DC-02", True, [UP], 4),
    ("DC-03", True, [UP, UP, UP], 4),
    ("DC-04", True, [DOWN], 2),
    ("DC-05", True, [UP, UP, DOWN], 3),
    ("DC-06", False, [], 2),
    ("DC-07", False, [UP], 3),
    ("DC-08", False, [DOWN], 1),
    ("DC-09", False, [UP, DOWN], 2),
    ("DC-10", False, [DOWN, row("check", "dice", -1)], 1),
]


@pytest.mark.parametrize(("proficient", "rows", "expected"), [c[1:] for c in POOLS], ids=[c[0] for c in POOLS])
def test_the_pool_counts_proficiency_advantage_and_disadvantage(core, proficient, rows, expected):
    roll = check_of(core, proficient=proficient, rows=rows)
    assert roll.dice == expected
    assert roll.modifier == (1 if proficient else 0)  # a roll without proficiency has no skill bonus
    assert sum(s.amount for s in roll.because if s.part == "dice" and s.applied) == expected


RESOLVE = [("DC-11", False, 0, 1, -2, 1, 2), ("DC-12", True, 1, 0, 1, 1, 6)]


@pytest.mark.parametrize("case", RESOLVE, ids=[c[0] for c in RESOLVE])
def test_resolve_dice_come_after_the_floor(core, case):
    _, proficient, up, down, other, resolve, expected = case
    rows = [UP] * up + [DOWN] * down + [row("check", "dice", other)]
    assert check_of(core, proficient=proficient, rows=rows).dice + resolve == expected


TOTALS = [
    ("DC-13", [4, 5, 2], 16, True, 15, 15, True),
    ("DC-14", [4, 5, 2], 16, None, 15, 14, False),
    ("DC-15", [6, 5], 12, False, 12, 12, True),
]


@pytest.mark.parametrize("case", TOTALS, ids=[c[0] for c in TOTALS])
def test_the_total_is_the_dice_and_the_modifier(core, case):
    _, faces, mind, proficient, difficulty, total, success = case
    if proficient is None:
        roll = derive(core, hero(mind=mind)).rolls["check.mind"]
    else:
        roll = check_of(core, proficient=proficient, mind=mind)
    assert roll.dice == len(faces)
    asked = RollOptions(target=difficulty, faces=tuple(faces))
    rolled = fell(ready(core, hero(mind=mind), roll, asked, "check"), Random(1))
    assert (rolled.total, rolled.success) == (total, success)


CRITICALS = [
    ("DC-16", [6, 6, 1], True),
    ("DC-17", [6, 6], False),
    ("DC-18", [6, 2, 6], True),
    ("DC-20", [6, 6, 2, 1], True),
]


@pytest.mark.parametrize(("faces", "expected"), [c[1:] for c in CRITICALS], ids=[c[0] for c in CRITICALS])
def test_two_sixes_of_three_or_more_dice_are_critical(core, faces, expected):
    roll = derive(core, hero()).rolls["check.mind"]
    assert dice.is_critical(faces, on=roll.criticals_on, from_pool=roll.criticals_from_pool) is expected


def test_dc_19_a_champion_is_critical_with_lower_dice(core):
    champion = derive(core, hero(level=3, path="champion", items=["longsword@main"]))
    attack = next(a for a in champion.attacks if a.item == "longsword").roll
    assert not dice.is_critical([6, 5, 5])
    assert dice.is_critical([6, 5, 5], on=attack.criticals_on, from_pool=attack.criticals_from_pool)


PASSIVES = [
    ("DC-21", 14, True, [], 0, 14),
    ("DC-22", 14, False, [], 0, 7),
    ("DC-23", 14, True, [UP], 0, 19),
    ("DC-24", 14, True, [DOWN], 0, 9),
    ("DC-25", 14, False, [UP], 0, 12),
    ("DC-26", 8, False, [DOWN, row("check", "dice", -1)], 0, -1),
    ("DC-27", 14, True, [], 3, 11),
]


@pytest.mark.parametrize("case", PASSIVES, ids=[c[0] for c in PASSIVES])
def test_the_passive_value_of_a_check(core, case):
    _, mind, proficient, rows, wounds, expected = case
    roll = check_of(core, proficient=proficient, rows=rows, wounds=wounds, bonus_level=6, mind=mind)
    assert roll.passive == expected


def test_dc_32_and_dc_33_opposed_checks():
    assert dice.opposed(14, 14) == 0
    assert dice.opposed(12, 19, my_critical=dice.is_critical([6, 6, 1])) == 1


def test_dc_34_and_dc_35_chances():
    assert dice.chance(3, 3, 15) == Fraction(3750, 10000)
    assert round(float(dice.chance(2, 3, 12)) * 100, 2) == 27.78


MODIFIERS = [
    (1, -5), (3, -4), (7, -2), (8, -1), (9, -1), (10, 0), (11, 0), (12, 1), (15, 2), (17, 3), (18, 4), (20, 5), (24, 7),
    (30, 10),
]  # fmt: skip


@pytest.mark.parametrize(("rank", "expected"), MODIFIERS, ids=[f"AB-{n:02}" for n in range(1, 15)])
def test_ability_modifiers(core, rank, expected):
    assert derive(core, hero(agility=rank)).value("modifier.agility") == expected


@pytest.mark.parametrize("rank", range(1, 31))
def test_the_whole_table_of_modifiers(core, rank):
    assert derive(core, hero(spirit=rank)).value("modifier.spirit") == (rank - 10) // 2


XP = [("LV-01", 0, 1), ("LV-02", 999, 1), ("LV-03", 1000, 2), ("LV-04", 4999, 5)]


@pytest.mark.parametrize(("xp", "level"), [c[1:] for c in XP], ids=[c[0] for c in XP])
def test_a_thousand_experience_is_a_level(core, xp, level):
    from dataclasses import replace

    assert derive(core, replace(hero(), xp=xp)).level == level


BONUSES = [
    ("LV-05", 6, 2), ("LV-06", 21, 5), ("LV-07", 46, 10), ("LV-08", 1, 1), ("LV-09", 4, 1), ("LV-10", 5, 1),
    ("LV-11", 6, 2), ("LV-12", 10, 2), ("LV-13", 11, 3), ("LV-14", 25, 5), ("LV-15", 26, 6), ("LV-16", 45, 9),
    ("LV-17", 46, 10), ("LV-18", 50, 10), ("LV-19", 51, 10), ("LV-20", 100, 10),
]  # fmt: skip


@pytest.mark.parametrize(("level", "bonus"), [c[1:] for c in BONUSES], ids=[c[0] for c in BONUSES])
def test_skill_bonus(core, level, bonus):
    sheet = derive(core, hero(level=level, rank=1))
    assert (sheet.level, sheet.value("skill-bonus")) == (level, bonus)


def test_lv_21_to_lv_24_level_picks(core):
    from dataclasses import replace

    assert derive(core, hero(level=7, rank=1)).picks.earned == 6  # LV-21
    assert derive(core, replace(hero(), xp=29_000)).level == 30  # LV-22
    before, after = derive(core, replace(hero(), xp=3_800)), derive(core, replace(hero(), xp=5_200))  # LV-23
    assert (before.level, after.level, after.picks.earned - before.picks.earned) == (4, 6, 2)
    assert derive(core, hero(level=9)).value("rank.fighter") == 9  # LV-24: one more is refused
    over = replace(hero(level=10), xp=8_000)
    assert derive(core, over).value("rank.fighter") == 9
    assert derive(core, over).problems


def test_a_roll_is_written_as_the_rules_write_it(core):
    assert pool(derive(core, hero(strength=16)).rolls["save.strength"]) == "3D+4"
