"""RE, AR, WP, WE: wealth, armor, weapons (sections 17 to 20)."""

from dataclasses import replace

import pytest

from rules.engine import derive
from rules.engine.content import Amount, Effect
from rules.games.polyhedral import health, wealth
from tests.support.heroes import attack_of, blessed, hero, pool, skilled

POOLED = [
    ("RE-01", [3, 3, 4], 6), ("RE-02", [5, 5], 6), ("RE-03", [1, 2], 3), ("RE-04", [7, 8, 8], 10),
    ("RE-05", [9, 9, 10], 10), ("RE-06", [3, 5], None), ("RE-07", [4, 4, 4, 4], 7),
]  # fmt: skip


@pytest.mark.parametrize(("ranks", "expected"), [c[1:] for c in POOLED], ids=[c[0] for c in POOLED])
def test_several_ranks_of_resources_pool_into_one(ranks, expected):
    assert wealth.pooled(ranks) == expected


LIFESTYLES = [("RE-01", 6, "Comfortable"), ("RE-03", 3, "Modest"), ("RE-07", 7, "Affluent"), ("RE-16", 10, "Wealthy")]


@pytest.mark.parametrize(("rank", "name"), [c[1:] for c in LIFESTYLES], ids=[c[0] for c in LIFESTYLES])
def test_lifestyles(rank, name):
    assert wealth.LIFESTYLES[wealth.lifestyle(rank)] == name


def with_resources(core, rank):
    """An ambassador starts at 4; lowered or raised to the rank asked for."""
    build = hero(background="ambassador")
    if rank <= 4:
        return core, replace(build, spent={"resources-lowered": 4 - rank})
    raise_it = Effect(kind="modify", owner="", stat="resources.rank", op="add", amount=Amount(flat=rank - 4))
    return blessed(core, build, raise_it)


BUYING = [
    ("RE-08", 3, "armor:plate", True, 2),
    ("RE-09", 4, "armor:plate", True, 3),
    ("RE-10", 4, "weapon:rifle-bolt-action", False, 4),
    ("RE-11", 1, "armor:chain-mail", True, 0),
    ("RE-12", 0, "armor:chain-mail", False, 0),
    ("RE-13 first", 5, "weapon:rifle-bolt-action", True, 4),
    ("RE-13 then", 4, "armor:plate", True, 3),
    ("RE-14 leather", 4, "armor:leather", True, 4),
    ("RE-14 chain mail", 4, "armor:chain-mail", True, 4),
    ("RE-15", 4, "armor:plate", True, 3),
]


@pytest.mark.parametrize(("rank", "item", "allowed", "left"), [c[1:] for c in BUYING], ids=[c[0] for c in BUYING])
def test_buying(core, rank, item, allowed, left):
    bundle, build = with_resources(core, rank)
    sheet = derive(bundle, build)
    assert sheet.value("resources.rank") == rank
    offer = wealth.offer(bundle, build, sheet, bundle.elements[item])
    assert offer.allowed is allowed
    assert offer.sentence or allowed
    assert rank - offer.spends.get("resources-lowered", 0) == left


DEFENSE = [
    ("AR-01", [], 14, (), (), 12), ("AR-02", [], 8, (), (), 9), ("AR-03", ["padded"], 16, (), (), 15),
    ("AR-04", ["leather"], 18, (), (), 16), ("AR-05", ["studded-leather"], 16, (), (), 16),
    ("AR-06", ["studded-leather"], 20, (), (), 18), ("AR-07", ["hide"], 18, (), (), 15),
    ("AR-08", ["chain-shirt"], 14, (), (), 16), ("AR-09", ["chain-shirt"], 8, (), (), 13),
    ("AR-10", ["scale-mail"], 12, (), (), 16), ("AR-11", ["breastplate"], 16, (), (), 18),
    ("AR-12", ["half-plate"], 18, (), (), 19), ("AR-13", ["half-plate"], 10, (), (), 17),
    ("AR-14", ["ring-mail"], 18, (), (), 15), ("AR-15", ["chain-mail"], 8, (), (), 17),
    ("AR-16", ["splint"], 14, (), (), 18), ("AR-17", ["plate"], 20, (), (), 20),
    ("AR-18", ["plate", "shield"], 10, ["defense"], (), 24), ("AR-19", ["shield"], 14, (), (), 14),
    ("AR-20", ["shield"], 14, ["defense"], (), 14), ("AR-21", ["leather"], 16, (), ["half-cover"], 17),
    ("AR-22", ["leather"], 16, (), ["half-cover", "three-quarters-cover"], 20),
]  # fmt: skip


@pytest.mark.parametrize("case", DEFENSE, ids=[c[0] for c in DEFENSE])
def test_defense(core, case):
    _, worn, agility, styles, toggles, expected = case
    build = hero(agility=agility, styles=styles, toggles=toggles, items=[f"{slug}@worn" for slug in worn])
    value = derive(core, build).values["defense"]
    assert value.value == expected
    assert sum(step.amount for step in value.because if step.applied) == expected


def test_ar_23_scale_mail_is_loud(core):
    sheet = derive(*blessed(core, hero(items=["scale-mail@worn"]), *skilled("skill:stealth")))
    assert sheet.rolls["skill.stealth"].dice == 2


def test_armor_without_proficiency_hinders(core):
    """Ruling 57."""
    sheet = derive(core, hero(job="", items=["leather@worn"]))
    assert sheet.rolls["check.agility"].dice == 2
    assert sheet.rolls["check.mind"].dice == 3
    assert derive(core, hero(items=["leather@worn"])).rolls["check.agility"].dice == 3


def test_wp_01_rapier(core):
    attack = attack_of(core, hero(strength=10, agility=16, items=["rapier@main"]), "rapier")
    assert (pool(attack.roll), attack.damage) == ("3D+4", "1d8+3")


GRIPS = [("WP-02", "quarterstaff", "1d6", "1d8"), ("WP-03", "longsword", "1d8", "1d10")]


@pytest.mark.parametrize(("weapon", "one", "two"), [c[1:] for c in GRIPS], ids=[c[0] for c in GRIPS])
def test_a_versatile_weapon_deals_more_damage_in_two_hands(core, weapon, one, two):
    build = hero(items=[f"{weapon}@main"])
    assert attack_of(core, build, weapon).damage == one
    assert attack_of(core, build, weapon, "two-hands").damage == two


def test_a_shield_leaves_one_hand_for_a_versatile_weapon(core):
    build = hero(items=["longsword@main", "shield@worn"])
    assert [a.grip for a in derive(core, build).attacks if a.item == "longsword"] == ["one-hand"]


def test_wp_04_and_wp_05_reach(core):
    assert attack_of(core, hero(items=["glaive@two-hands"]), "glaive", "two-hands").reach == 10
    assert attack_of(core, hero(items=["whip@main"]), "whip").reach == 15


def test_wp_06_and_wp_07_thrown(core):
    assert attack_of(core, hero(strength=16, agility=12, items=["javelin@main"]), "javelin", "thrown").damage == "1d6+3"
    assert attack_of(core, hero(strength=8, agility=16, items=["dagger@main"]), "dagger", "thrown").damage == "1d4+3"


def test_wp_08_loading(core):
    build = hero(level=11, items=["rifle-musket@two-hands"])
    assert derive(core, build).value("attacks") == 3
    assert attack_of(core, build, "rifle-musket", "two-hands").attacks == 1


@pytest.mark.parametrize(
    ("weapon", "proficient", "attacks"),
    [
        ("longbow", True, 3), ("longbow", False, 1), ("sling", False, 1), ("pistol-revolver", False, 1),
        ("longsword", False, 3), ("javelin", False, 3), ("crossbow", True, 1),
    ],
)  # fmt: skip
def test_r63_without_proficiency_loading_leaves_one_shot(core, weapon, proficient, attacks):
    three = Effect(kind="modify", owner="", stat="attacks", op="base", amount=Amount(flat=3))
    trained = skilled(f"weapon:{weapon}") if proficient else []
    bundle, build = blessed(core, hero(job="", items=[f"{weapon}@main"]), three, *trained)
    assert {one.attacks for one in derive(bundle, build).attacks if one.item == weapon} == {attacks}


def test_wp_09_reload_is_printed(core):
    uses = {use.property: use.a for use in core.elements["weapon:pistol-revolver"].properties}
    assert uses["property:reload"] == 6
    assert any(
        "reload" in note.lower()
        for note in attack_of(core, hero(items=["pistol-revolver@main"]), "pistol-revolver").notes
    )


def test_wp_10_a_firearm_wounds(core):
    assert "property:firearm" in {use.property for use in core.elements["weapon:pistol-light"].properties}
    assert health.wounds_from(3, 28, firearm=True) == 1


def test_we_01_longsword_in_two_hands(core):
    attack = attack_of(core, hero(strength=16, items=["longsword@main"]), "longsword", "two-hands")
    assert (pool(attack.roll), attack.damage) == ("3D+4", "1d10+3")


def test_we_03_a_longbow_without_proficiency(core):
    attack = attack_of(core, hero(job="", agility=14, items=["longbow@main"]), "longbow")
    assert (pool(attack.roll), attack.damage) == ("2D+2", "1d6+2")


@pytest.mark.parametrize(
    ("weapon", "grip", "reach"),
    [("short-bow", "one-hand", (90, 360)), ("spear", "thrown", (30, 90))],
    ids=["WE-04", "WE-05"],
)
def test_a_shot_beyond_normal_range_has_disadvantage(core, weapon, grip, reach):
    """Our reading: the players measure. Beyond the first number, the attacker switches on a circumstance that gives
    disadvantage; beyond the second, no attack is possible."""
    build = hero(items=[f"{weapon}@main"], toggles=["beyond-normal-range"])
    attack = attack_of(core, build, weapon, grip)
    assert attack.range == reach
    assert attack.roll.dice == 2


def test_we_06_a_critical_doubles_the_dice(core):
    attack = attack_of(core, hero(strength=18, items=["greatsword@two-hands"]), "greatsword", "two-hands")
    count = health.damage_dice(attack.damage_dice, critical=True)
    least, most = count + attack.damage_modifier, count * attack.damage_die + attack.damage_modifier
    assert (count, least, most) == (4, 8, 28)


def test_we_07_damage_is_never_below_zero(core):
    club = attack_of(core, hero(strength=6, items=["club@main"]), "club")
    assert health.damage_of([1], club.damage_modifier, club.minimum) == 0


@pytest.mark.parametrize(("strength", "damage"), [(16, "4"), (6, "1")])
def test_we_08_unarmed(core, strength, damage):
    attack = attack_of(core, hero(strength=strength), "unarmed-strike", "unarmed")
    assert attack.damage == damage
    assert attack.roll.proficient


def test_we_09_and_we_10_the_other_hand(core):
    two = ["longsword@main", "shortsword@off"]
    assert attack_of(core, hero(strength=16, items=two), "shortsword", "off-hand").damage == "1d6"
    trained = hero(strength=16, styles=["two-weapon-fighting"], items=two)
    second = attack_of(core, trained, "shortsword", "off-hand")
    assert second.damage == "1d6+3"
    assert [(step.source, step.amount, step.applied) for step in second.because if step.part == "damage"] == [
        ("Strength", 3, False),
        ("Two-Weapon Fighting", 3, True),
    ]


def test_we_11_weapons_by_group(core):
    groups = {}
    for weapon in core.of_kind("weapon"):
        if weapon.cost_class:
            key = (weapon.weapon.category, weapon.weapon.ranged)
            groups[key] = groups.get(key, 0) + 1
    assert groups == {
        ("category:simple-weapons", False): 8,
        ("category:simple-weapons", True): 6,
        ("category:martial-weapons", False): 14,
        ("category:martial-weapons", True): 5,
    }


def test_we_12_the_number_of_a_versatile_weapon_is_an_average(core):
    printed = {use.a for w in core.of_kind("weapon") for use in w.properties if use.property == "property:versatile"}
    assert printed == {(1 + 8) // 2, (1 + 10) // 2}


def test_errata_replace_three_odd_figures(core):
    """Ruling 64."""
    switch = {"weaponErrata": "corrected"}
    for weapon, grip, damage, kind in (
        ("longbow", "one-hand", "1d8", "piercing"),
        ("short-bow", "one-hand", "1d6", "piercing"),
        ("greataxe", "two-hands", "1d12", "slashing"),
    ):
        held = "two-hands" if grip == "two-hands" else "main"
        attack = attack_of(core, hero(items=[f"{weapon}@{held}"], switches=switch), weapon, grip)
        assert (attack.damage, attack.type) == (damage, kind)
