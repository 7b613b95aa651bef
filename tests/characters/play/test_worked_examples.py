"""Worked examples that no other file here covers, as a player meets them: something is done at the table, and then the
sheet shows the number, or the roll is made with these dice.

Some examples are left out because people work them out and no page does: the result of several people's rolls together
(a group's check, DC-28 to DC-31; the order of initiative, ST-01), how many rounds there are in a minute (ST-10), and
how far a shot is (WE-04, WE-05: the sheet has the two numbers, and a circumstance). A passive check that lost another
die (DC-26), whom a push moves (AC-09), who may help (AC-11) and a bonus to speed (CN-10) stay with
`tests/rules/examples`; turns are in test_turn.py.
"""

import pytest

from characters.read.versions import read
from tests.characters.play.table import SWORD, newest, seated, suffering
from tests.support.heroes import pool

pytestmark = pytest.mark.django_db

TRAINED = {"human-culture.skills": ["athletics", "awareness"], "fighter.fighting-style": ["defense"]}
UNTRAINED = TRAINED | {"human-culture.skills": ["athletics", "stealth"]}
TOUGH = TRAINED | {"human-culture.talent": ["tough"]}
STATES = {"surprised", "invisible", "diseased", "defending"}  # separate conditions by ruling 85
BY_FEATURES = {"provoking", "shielding", "striking-true"}


def shooting(bow):
    return [{"item": bow, "state": "main"}, {"item": "arrows", "quantity": 20}]


def dice_of(seat, key, **how):
    seat.roll(roll=key, **how)
    return len(newest().faces)


def attack_dice(seat, item, grip="one-hand", **how):
    seat.roll(roll=f"attack.{item}.{grip}", **how)
    return len(newest().faces)


def attack_of(seat, item, grip):
    return next(attack for attack in seat.sheet.attacks if (attack.item, attack.grip) == (item, grip))


# DC


def test_dc_20_two_sixes_of_four_dice_are_a_critical(seat):
    seat.roll(roll="skill.athletics", advantage=True, faces=(6, 6, 2, 1))
    assert newest().critical


@pytest.mark.parametrize(
    ("choices", "pace", "wounds", "passive"),
    [
        (TRAINED, "", 0, 14), (UNTRAINED, "", 0, 7), (TRAINED, "slow-pace", 0, 19), (TRAINED, "fast-pace", 0, 9),
        (UNTRAINED, "slow-pace", 0, 12), (TRAINED, "", 3, 11),
    ],
    ids=["DC-21", "DC-22", "DC-23", "DC-24", "DC-25", "DC-27"],
)  # fmt: skip
def test_passive_awareness_counts_proficiency_pace_and_wounds(choices, pace, wounds, passive):
    seat = suffering(on=filter(None, [pace]), level=6, ranks={"mind": 14}, choices=choices)
    if wounds:
        seat.adjust(resource="wounds", amount=f"{wounds:+}")
    assert seat.sheet.rolls["skill.awareness"].passive == passive


# WP


def test_wp_01_a_rapier_uses_agility():
    seat = seated(ranks={"agility": 16}, items=[("rapier", "main")])
    attack = attack_of(seat, "rapier", "one-hand")
    assert (pool(attack.roll), attack.damage) == ("3D+4", "1d8+3")
    seat.roll(roll="attack.rapier.one-hand", faces=(1, 1, 1))
    assert newest().total == 7
    seat.roll(roll="damage.rapier.one-hand", faces=(8,))
    assert newest().total == 11


@pytest.mark.parametrize(
    ("ranks", "item", "grip", "damage", "face", "total"),
    [
        ({}, "quarterstaff", "one-hand", "1d6", 6, 6), ({}, "quarterstaff", "two-hands", "1d8", 8, 8),
        ({}, "longsword", "two-hands", "1d10", 10, 10),
        ({"strength": 16, "agility": 12}, "javelin", "thrown", "1d6+3", 6, 9),
        ({"strength": 8, "agility": 16}, "dagger", "thrown", "1d4+3", 4, 7),
    ],
    ids=["WP-02", "WP-02 in two hands", "WP-03", "WP-06", "WP-07"],
)  # fmt: skip
def test_damage_depends_on_the_grip(ranks, item, grip, damage, face, total):
    seat = seated(ranks=ranks, items=[(item, "main")])
    assert attack_of(seat, item, grip).damage == damage
    seat.roll(roll=f"damage.{item}.{grip}", faces=(face,))
    assert newest().total == total


@pytest.mark.parametrize(
    ("item", "where", "grip", "reach"),
    [("glaive", "two-hands", "two-hands", 10), ("whip", "main", "one-hand", 15)],
    ids=["WP-04", "WP-05"],
)
def test_the_glaive_and_the_whip_have_a_longer_reach(item, where, grip, reach):
    assert attack_of(seated(items=[(item, where)]), item, grip).reach == reach


def test_wp_08_a_loading_weapon_shoots_once():
    seat = seated(level=11, items=[("rifle-musket", "two-hands")])
    assert seat.sheet.value("attacks") == 3
    assert attack_of(seat, "rifle-musket", "two-hands").attacks == 1


# AC


def test_ac_03_slowed_halves_the_speed():
    assert suffering("slowed").sheet.value("speed") == 15


def test_ac_04_and_ac_05_a_grapple_needs_more_than_a_tie_and_stops_the_target(seat):
    seat.roll(roll="skill.athletics", opponent=15, faces=(5, 5, 4))
    assert (newest().total, newest().success) == (15, False)
    seat.roll(roll="skill.athletics", opponent=15, faces=(5, 5, 5))
    assert (newest().total, newest().success) == (16, True)
    assert suffering("grappled").sheet.value("speed") == 0


def test_ac_06_hiding_is_a_stealth_check():
    seat = seated(choices=UNTRAINED)
    seat.roll(roll="skill.stealth", target=15, faces=(5, 5, 3))
    assert (newest().total, newest().success) == (14, False)


@pytest.mark.parametrize(("faces", "found"), [((6, 5, 5), True), ((5, 5, 5), False)], ids=["AC-07", "AC-08"])
def test_searching_is_an_awareness_check_against_stealth(seat, faces, found):
    seat.roll(roll="skill.awareness", target=17, faces=faces)
    assert newest().success == found


def test_ac_10_a_shove_takes_the_action_and_the_prone_are_easier_to_hit_up_close(seat):
    seat.use(action="push-pull-or-shove")
    assert seat.left("action") == 0
    seat.roll(roll="skill.athletics", opponent=13, faces=(5, 5, 3))
    assert (newest().total, newest().success) == (14, True)
    assert suffering("prone", on=["attacker-within-5"]).sheet.rolls["against"].dice == 4


@pytest.mark.parametrize(("key", "dice"), [("skill.athletics", 4), ("skill.stealth", 3)], ids=["AC-12", "AC-13"])
def test_help_adds_a_die(key, dice):
    assert dice_of(suffering(on=["helped"]), key) == dice


def test_ac_17_an_attack_on_a_defending_target_loses_a_die():
    assert suffering("defending").sheet.rolls["against"].dice == 2


# WE


def test_we_02_a_longsword_in_two_hands_hits_at_the_target():
    seat = seated(ranks={"strength": 16}, items=SWORD)
    seat.roll(roll="attack.longsword.two-hands", target=15, faces=(4, 4, 3))
    assert (newest().total, newest().success, newest().critical) == (15, True, False)


# RS


@pytest.mark.parametrize(
    ("level", "spirit", "most"),
    [(1, 8, 1), (1, 10, 1), (1, 14, 2), (9, 14, 2), (10, 14, 3), (20, 16, 5), (29, 16, 5), (30, 20, 8), (10, 8, 2)],
    ids=[f"RS-{n:02}" for n in range(1, 10)],
)
def test_the_maximum_of_resolve_depends_on_level_and_spirit(level, spirit, most):
    seat = seated(level=level, ranks={"spirit": spirit}, state={"resolve": 0})
    seat.regain(points=most + 1, reason="")
    assert seat.left("resolve") == most


# VI


@pytest.mark.parametrize(
    ("on", "lineage", "dice"),
    [("dim-light", "human", 2), ("dim-light", "elf", 4), ("lightly-obscured", "elf", 3)],
    ids=["VI-01", "VI-02", "VI-03"],
)
def test_dim_light_and_obscurement_change_the_dice_of_awareness(on, lineage, dice):
    origin = {"lineage": lineage, "culture": "human-culture", "background": "ambassador", "disposition": "free"}
    seat = suffering(on=[on, "by-sight-or-hearing"], origin=origin, switches={"mixedCultures": "on"})
    assert dice_of(seat, "skill.awareness") == dice


@pytest.mark.parametrize(
    ("style", "on", "advantage", "dice"),
    [("defense", (), False, 2), ("defense", (), True, 3), ("blind-fighting", (), True, 4),
     ("blind-fighting", ("target-beyond-blindsight",), True, 3)],
    ids=["VI-04", "VI-05", "VI-06", "VI-07"],
)  # fmt: skip
def test_darkness_changes_the_dice_of_an_attack(style, on, advantage, dice):
    """Nobody sees in the dark, so the target's disadvantage is an advantage of the roll."""
    seat = suffering("blinded", on=on, items=SWORD, choices=TRAINED | {"fighter.fighting-style": [style]})
    assert attack_dice(seat, "longsword", advantage=advantage) == dice


# CB


def test_cb_01_a_total_equal_to_defense_hits():
    seat = seated(ranks={"strength": 12}, items=SWORD)
    seat.roll(roll="attack.longsword.one-hand", target=15, faces=(5, 5, 3))
    assert (newest().total, newest().success) == (15, True)


def test_cb_02_half_cover_adds_two_to_defense():
    seat = suffering(on=["half-cover"], ranks={"agility": 16})
    assert seat.sheet.value("defense") == 15


@pytest.mark.parametrize(("on", "hit"), [([], True), (["half-cover"], False)], ids=["open", "half cover"])
def test_cb_02_half_cover_makes_an_attack_miss(on, hit):
    defense = suffering(on=on, ranks={"agility": 16}).sheet.value("defense")
    seat = seated(items=SWORD)
    seat.roll(roll="attack.longsword.one-hand", target=defense, faces=(5, 5, 3))
    assert (newest().total, newest().success) == (14, hit)


@pytest.mark.parametrize(
    ("on", "advantage", "disadvantage", "dice"),
    [("enemy-within-5", False, False, 2), ("beyond-normal-range", False, True, 2), ("enemy-within-5", True, False, 3)],
    ids=["CB-04", "CB-05", "CB-06"],
)
def test_close_enemies_and_long_range_hamper_shooting(on, advantage, disadvantage, dice):
    seat = suffering(on=[on], inventory=shooting("short-bow"))
    assert attack_dice(seat, "short-bow", advantage=advantage, disadvantage=disadvantage) == dice


def test_an_enemy_close_by_hampers_spells_as_well():
    """Section 27.6: "applies to weapons and spells alike"."""
    seat = suffering(on=["enemy-within-5", "beyond-normal-range"], items=SWORD)
    assert dice_of(seat, "spell-attack") == 2
    assert attack_dice(seat, "longsword") == 3


def test_cb_16_to_cb_18_squeezing_and_the_number_of_attacks_count():
    seat = suffering(on=["squeezing"], level=5, items=SWORD)
    assert attack_dice(seat, "longsword") == 2
    assert seat.sheet.rolls["against"].dice == 4
    assert seat.sheet.value("attacks") == 2
    assert seat.left("action-surge") == 1
    seat.use(action="action-surge")
    assert seat.left("action-surge") == 0


# HE


@pytest.mark.parametrize(
    ("vitality", "choices", "threshold"), [(10, TRAINED, 20), (16, TRAINED, 32), (16, TOUGH, 48)],
    ids=["HE-03", "HE-03 of 16", "HE-03 with Tough"],
)  # fmt: skip
def test_the_wound_threshold_counts_vitality_and_tough(vitality, choices, threshold):
    seat = seated(level=20, ranks={"vitality": vitality}, choices=choices)
    seat.take_damage(amount=threshold - 1)
    assert seat.spent("wounds") == 0
    seat.take_damage(amount=threshold)
    assert seat.spent("wounds") == 1


# CN


@pytest.mark.parametrize(
    ("conditions", "how", "dice"),
    [(["poisoned", "prone"], {}, 2), (["poisoned", "hidden"], {}, 3), (["blinded"], {"advantage": True}, 3)],
    ids=["CN-01", "CN-02", "CN-04"],
)
def test_conditions_of_the_attacker_change_the_dice_of_an_attack(conditions, how, dice):
    assert attack_dice(suffering(*conditions, items=SWORD), "longsword", **how) == dice


@pytest.mark.parametrize(
    ("condition", "key", "dice"),
    [
        ("exhausted", "skill.stealth", 1), ("dazed", "save.mind", 1), ("weakened", "save.strength", 2),
        ("frightened", "skill.athletics", 3),
    ],
    ids=["CN-03", "CN-12", "CN-13", "CN-15"],
)  # fmt: skip
def test_conditions_change_the_dice_of_checks_and_saves(condition, key, dice):
    assert dice_of(suffering(condition), key) == dice


def test_cn_07_wounds_lower_a_check():
    seat = seated(ranks={"strength": 14})
    seat.adjust(resource="wounds", amount="+3")
    seat.roll(roll="skill.athletics", faces=(1, 1, 1))
    assert newest().total == 3


def test_cn_08_and_cn_09_slowed_leaves_one_attack_and_does_not_lower_initiative():
    assert suffering("slowed", level=11).sheet.value("attacks") == 1
    seat = suffering("slowed", ranks={"agility": 14})
    seat.roll(roll="initiative", faces=(1, 1))
    assert newest().total == 4


def test_cn_14_weakened_does_not_hamper_a_bow():
    seat = suffering("weakened", inventory=shooting("longbow"))
    assert attack_dice(seat, "longbow") == 3


def test_cn_17_there_are_twenty_conditions(seat):
    """Nineteen are added by name; wounds have a counter."""
    offered = {ref.partition(":")[2] for ref, _ in read(seat.fresh).table.offered} - STATES - BY_FEATURES
    assert len(offered) == 19
    assert seat.sheet.resources["wounds"].max == 10
