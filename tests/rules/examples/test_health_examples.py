"""HE, MA, CN, SY, RV: health, magic, conditions (sections 28 to 33)."""

from dataclasses import replace

import pytest

from rules.engine import Held, derive
from rules.games.polyhedral import dice, health
from tests.support.heroes import blessed, hero, pool, row, skilled


def test_he_01_and_he_02_damage_beyond_zero():
    down = health.hurt(health.Body(8, 20), 11, 28)
    assert (down.health, down.dying, down.dead) == (0, True, False)
    assert health.hurt(health.Body(2, 10), 12, 28).dead


THRESHOLDS = [(10, [], 20), (16, [], 32), (16, ["tough"], 48)]


@pytest.mark.parametrize(("vitality", "talents", "expected"), THRESHOLDS)
def test_he_03_wound_threshold(core, vitality, talents, expected):
    build = hero(level=2, rank=1, vitality=vitality, talents=talents)
    assert derive(core, build).value("wound-threshold") == expected


def test_he_04_to_he_06_wounds_from_hits(core):
    threshold = derive(core, hero(vitality=14)).value("wound-threshold")
    assert health.wounds_from(28, threshold) == 1
    assert health.wounds_from(27, threshold) == 0
    assert health.wounds_from(health.resisted(30, resist=True), threshold) == 0


def test_he_11_chance_of_a_death_save():
    assert round(float(dice.chance(3, 0, 10)) * 100, 2) == 62.5


def test_he_12_and_he_13_a_critical_fails_two_saves_and_the_tenth_wound_kills():
    hit = health.hurt(health.Body(0, 30), 5, 60, critical=True)
    assert hit.failures == 2
    assert health.hurt(health.Body(30, 30, wounds=9), 28, 28).dead


def test_three_failures_kill_and_three_successes_stabilize():
    assert health.fail(health.Body(0, 20, failures=2), 1).dead
    assert health.succeed(health.Body(0, 20, saves=2), 1).stable


def test_he_14_and_he_15_wounded_healing():
    assert health.healing(7, wounds=1) == 3
    assert health.healing(1, wounds=1) == 1


MAGIC = [("MA-01", 1, 16, 0, 12), ("MA-02", 11, 18, 0, 15), ("MA-03", 11, 18, 4, 14)]


@pytest.mark.parametrize(("level", "spirit", "wounds", "save"), [c[1:] for c in MAGIC], ids=[c[0] for c in MAGIC])
def test_spell_saves(core, level, spirit, wounds, save):
    assert derive(core, hero(level=level, rank=1, spirit=spirit, wounds=wounds)).value("spell-save") == save


def test_ma_04_spell_attack(core):
    assert pool(derive(core, hero(level=6, rank=1, spirit=14, wounds=1)).rolls["spell-attack"]) == "3D+3"


def sword(core, *conditions, **who):
    build = hero(lineage="human", conditions=conditions, items=["longsword@main"], **who)
    return next(a for a in derive(core, build).attacks if a.item == "longsword").roll


def words(roll):
    return [s.op for s in roll.because if s.op in ("advantage", "disadvantage") and (s.applied or "canceled" in s.why)]


def against(core, *conditions, toggles=()):
    return words(derive(core, hero(conditions=conditions, toggles=toggles)).rolls["against"])


def dice_against(core, *conditions, toggles=()):
    """The dice of a proficient attack on this character."""
    return derive(core, hero(conditions=conditions, toggles=toggles)).rolls["against"].dice


def test_cn_01_and_cn_02_own_attacks(core):
    assert sword(core, "poisoned", "prone").dice == 2
    assert sword(core, "poisoned", "hidden").dice == 3


def test_cn_03_unskilled_and_exhausted(core):
    assert derive(core, hero(conditions=["exhausted"])).rolls["skill.stealth"].dice == 1


def test_cn_04_to_cn_06_both_sides(core):
    assert (words(sword(core, "blinded")), against(core, "restrained")) == (["disadvantage"], ["advantage"])
    assert dice_against(core, "unconscious", toggles=["attacker-within-5"]) == 4
    assert dice_against(core, "unconscious", toggles=["attacker-beyond-5"]) == 3
    assert any("critical" in e.text.lower() for e in core.elements["condition:unconscious"].effects)


def test_cn_07_wounds(core):
    bundle, build = blessed(core, hero(mind=14, wounds=3), *skilled("knowledge:history"))
    assert pool(derive(bundle, build).rolls["knowledge.history"]) == "3D+0"


def test_cn_08_and_cn_09_slowed(core):
    sheet = derive(core, hero(level=11, rank=11, lineage="human", agility=14, conditions=["slowed"]))
    assert sheet.value("attacks") == 1
    assert pool(derive(core, hero(agility=14, conditions=["slowed"])).rolls["initiative"]) == "2D+2"


def test_cn_10_grappled_ignores_bonuses(core):
    from rules.engine.content import Amount, Effect

    faster = Effect(kind="modify", owner="", stat="speed", op="add", amount=Amount(flat=10))
    bundle, build = blessed(core, hero(lineage="human"), faster)
    assert derive(bundle, build).value("speed") == 40
    held = replace(build, conditions=(*build.conditions, Held("condition:grappled")))
    assert derive(bundle, held).value("speed") == 0


def test_cn_11_petrified_resists_everything(core):
    resists = [p.ref for p in derive(core, hero(lineage="dwarf", conditions=["petrified"])).defenses["resist"]]
    assert health.resisted(21, resist="damage-type:fire" in resists) == 10


def test_cn_12_to_cn_14_dazed_and_weakened(core):
    assert derive(core, hero(conditions=["dazed"])).rolls["save.mind"].dice == 1
    weak = derive(core, hero(conditions=["weakened"], items=["longbow@main"]))
    assert weak.rolls["save.strength"].dice == 2
    assert next(a for a in weak.attacks if a.item == "longbow").roll.dice == 3


def test_weakened_hinders_melee(core):
    assert sword(core, "weakened").dice == 2


def test_cn_15_frightened_out_of_sight(core):
    assert derive(core, hero(conditions=["frightened"])).rolls["check.mind"].dice == 3
    seen = hero(conditions=["frightened"], toggles=["source-of-fear-in-sight"])
    assert derive(core, seen).rolls["check.mind"].dice == 2


def test_cn_16_stunned(core):
    assert derive(core, hero(conditions=["stunned"])).rolls["save.strength"].fails


def test_cn_17_twenty_conditions(core):
    states = {e.ref for e in core.of_kind("condition") if "category:states" in e.groups}
    assert len(core.of_kind("condition")) - len(states) == 20


def test_conditions_bring_those_they_imply(core):
    sheet = derive(core, hero(conditions=["unconscious"]))
    assert set(sheet.conditions) == {"condition:unconscious", "condition:incapacitated", "condition:prone"}


def test_rv_01_the_later_scores_fit_the_formula(core):
    assert derive(core, hero(mind=1)).value("modifier.mind") == -5
    assert derive(core, hero(mind=20)).value("modifier.mind") == 5


def test_rv_02_the_later_abilities_are_not_offered(core):
    assert {"ability:wits", "ability:knowledge"}.isdisjoint(core.elements)


def test_sy_01_and_sy_02_a_check_names_its_ability(core):
    sheet = derive(core, hero())
    assert sheet.rolls["skill.athletics"].ability == "ability:strength"
    assert sheet.rolls["knowledge.medicine"].ability == "ability:mind"


def test_advantage_twice_counts_once(core):
    twice = blessed(core, hero(), row("check", "advantage"), row("check", "advantage"))
    roll = derive(*twice).rolls["check.mind"]
    assert roll.dice == 4
    assert [s.why for s in roll.because if not s.applied and s.source == "Blessing"] == ["advantage counts once"]
