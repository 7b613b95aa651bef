"""CC, OR, AS, DI, SZ, LA, SK, KN, TO, SV, TA: creating a character (sections 5 to 16)."""

from dataclasses import replace

import pytest

from rules.engine import Award, Build, Decision, derive, options_for
from rules.engine.content import Effect
from rules.engine.sheet import Problem
from rules.games.polyhedral import creation, distances, health
from rules.games.polyhedral.play.ability_checks import roll_of
from rules.games.polyhedral.relationships import ring
from tests.support.heroes import ABILITIES, blessed, hero, pool, skilled

ROLLED = [("CC-01", [1, 3, 5, 6], 14), ("CC-02", [6, 6, 6, 1], 18), ("CC-03", [2, 2, 2, 2], 6)]


@pytest.mark.parametrize(("faces", "expected"), [c[1:] for c in ROLLED], ids=[c[0] for c in ROLLED])
def test_four_dice_drop_the_lowest(faces, expected):
    assert creation.result(faces) == expected


def chosen(core, method, ranks, dice=(), **switches) -> Build:
    stats = list(creation.rank_stats(core))
    build = hero(switches=switches)
    return replace(build, method=method, dice=dice, inputs=dict(zip(stats, ranks, strict=True)))


def rank_problems(sheet):
    return [problem.text for problem in sheet.problems if problem.where == "abilities.ranks"]


def test_cc_04_the_best_six_of_seven(core):
    dice = ((6, 5, 5, 1), (6, 5, 3, 1), (6, 5, 2, 1), (6, 4, 2, 1), (5, 4, 2, 1), (4, 3, 2, 1), (3, 2, 2, 1))
    kept = sorted((creation.result(faces) for faces in dice), reverse=True)
    assert kept == [16, 14, 13, 12, 11, 9, 7]
    assert not rank_problems(derive(core, chosen(core, "rolled", kept[:6], dice)))
    assert rank_problems(derive(core, chosen(core, "rolled", [16, 16, 14, 13, 12, 11], dice)))


COSTS = [
    ("CC-05", [15, 14, 13, 12, 10, 8], 15), ("CC-06", [10] * 6, 0), ("CC-07", [15, 15, 11, 10, 10, 10], 15),
    ("CC-08", [14, 14, 14, 10, 10, 10], 15), ("CC-09", [13] * 5 + [10], 15), ("CC-10", [14, 13, 13, 12, 12, 10], 15),
    ("CC-11", [15, 15, 15, 8, 8, 8], 15), ("CC-12", [15, 15, 12, 10, 10, 9], 15),
    ("CC-13", [15, 15, 12, 10, 10, 10], 16),
    ("CC-14", [16, 14, 10, 10, 10, 10], 15), ("CC-15", [17, 12, 10, 10, 10, 10], 15), ("CC-16", [12] * 6, 12),
    ("CC-17", [8] * 6, -12),
]  # fmt: skip
REFUSED = {"CC-13", "CC-14", "CC-15"}


@pytest.mark.parametrize("case", COSTS, ids=[c[0] for c in COSTS])
def test_point_buy(core, case):
    name, ranks, cost = case
    assert creation.total_cost(core, ranks) == cost
    assert bool(rank_problems(derive(core, chosen(core, "points", ranks)))) is (name in REFUSED)


def test_a_higher_maximum_or_a_larger_budget_allows_a_rank_of_seventeen(core):
    """Ruling 18."""
    ranks = [17, 12, 10, 10, 10, 10]
    assert not rank_problems(derive(core, chosen(core, "points", ranks, pointBuyMax="17")))
    assert not rank_problems(derive(core, chosen(core, "points", ranks, pointBuyBudget="16")))


def bonuses(core, ranks, points):
    given = [
        Decision("core-rules.ability-bonuses", 1, at, stat=f"rank.{a}", points=p) for at, (a, p) in enumerate(points)
    ]
    build = hero(**dict(zip(ABILITIES, ranks, strict=True)))
    return derive(core, replace(build, decisions=(*build.decisions, *given)))


def test_cc_18_bonuses_of_two_and_one_raise_two_abilities(core):
    sheet = bonuses(core, [15, 14, 13, 12, 10, 8], [("strength", 2), ("agility", 1)])
    assert [sheet.value(k) for k in ("rank.strength", "modifier.strength", "rank.agility", "modifier.agility")] == [
        17,
        3,
        15,
        2,
    ]


def test_cc_19_both_bonuses_on_one_ability_are_refused(core):
    sheet = bonuses(core, [15, 14, 13, 12, 10, 8], [("strength", 2), ("strength", 1)])
    assert sheet.value("rank.strength") == 17
    assert any(problem.where == "abilities.bonuses" for problem in sheet.problems)


def test_a_bonus_of_three_on_one_ability_is_refused(core):
    sheet = bonuses(core, [15, 14, 13, 12, 10, 8], [("strength", 3)])
    assert sheet.value("rank.strength") == 15
    assert any("+3" in problem.text for problem in sheet.problems)


def test_cc_20_a_bonus_of_one_raises_each_of_three_abilities(core):
    sheet = bonuses(core, [15, 10, 13, 10, 10, 9], [("strength", 1), ("vitality", 1), ("presence", 1)])
    found = [(sheet.value(f"rank.{a}"), sheet.value(f"modifier.{a}")) for a in ("strength", "vitality", "presence")]
    assert found == [(16, 3), (14, 2), (10, 0)]


# Origins


def person(lineage, culture, *answers, **who):
    """An ambassador with these answers: (choice key, ref) pairs."""
    build = hero(lineage=lineage, culture=culture, background="ambassador", **who)
    counted: dict[str, int] = {}
    decisions = []
    for key, ref in answers:
        at = counted[key] = counted.get(key, -1) + 1
        decisions.append(Decision(key, 1, at, ref=ref))
    return replace(build, decisions=(*build.decisions, *decisions))


HUMAN = (
    ("human-culture.language", "language:elvish"),
    ("human-culture.knowledge", "knowledge:history"),
    ("human-culture.skills", "skill:athletics"),
    ("human-culture.skills", "skill:awareness"),
    ("human-culture.talent", "talent:tough"),
    ("ambassador.knowledge", "knowledge:religion"),
    ("ambassador.languages", "language:dwarven"),
)


def test_or_01_to_or_03_a_human_ambassador(core):
    build = person("human", "human-culture", *HUMAN)
    signs = Decision("ambassador.languages", 1, 1, write_in="Hand signs")
    sheet = derive(core, replace(build, decisions=(*build.decisions, signs)))
    assert len(sheet.proficiencies["languages"]) == 4  # OR-01
    assert [p.ref for p in sheet.proficiencies["skills"]] == [
        "skill:athletics", "skill:awareness", "skill:insight", "skill:persuasion",
    ]  # OR-02  # fmt: skip
    assert len(sheet.proficiencies["knowledges"]) == 2  # OR-03
    assert [ref for ref in sheet.active if ref.startswith("talent:")] == ["talent:tough"]


def test_or_04_and_or_05_an_elven_ambassador(core):
    sheet = derive(core, person("elf", "elven-culture", ("ambassador.knowledge", "knowledge:history")))
    languages = next(line for line in sheet.choices if line.choice.key == "ambassador.languages")
    assert len(sheet.proficiencies["languages"]) + languages.needs == 4
    assert [p.ref for p in sheet.proficiencies["skills"]] == ["skill:insight", "skill:persuasion", "skill:survival"]
    assert [p.ref for p in sheet.proficiencies["knowledges"]] == ["knowledge:history", "knowledge:nature"]


SENSES = "by-sight-or-hearing"


def test_or_06_and_or_07_keen_senses(core):
    keen = blessed(core, hero(lineage="elf", mind=12, toggles=[SENSES]), *skilled("skill:awareness"))
    assert derive(*keen).rolls["skill.awareness"].passive == 17
    assert derive(core, hero(lineage="elf", mind=12, toggles=[SENSES])).rolls["skill.awareness"].passive == 11


def test_keen_senses_are_listed_but_not_counted_until_switched_on(core):
    roll = derive(core, hero(lineage="elf", mind=12)).rolls["skill.awareness"]
    step = next(s for s in roll.because if s.source == "Keen Senses")
    assert (roll.dice, step.applied, step.why) == (2, False, "when: to see or hear")


POISON = "against-poison-or-disease"


def test_or_08_and_or_09_stout_health(core):
    sheet = derive(core, hero(lineage="dwarf", vitality=14, toggles=[POISON]))
    assert pool(sheet.rolls["save.vitality"]) == "4D+3"
    jobless = derive(core, hero(lineage="dwarf", vitality=14, job="", toggles=[POISON]))
    assert pool(jobless.rolls["save.vitality"]) == "3D+2"


def test_or_10_dwarves_resist_poison(core):
    sheet = derive(core, hero(lineage="dwarf"))
    resists = "damage-type:poison" in [p.ref for p in sheet.defenses["resist"]]
    assert health.resisted(13, resist=resists) == 6


def test_or_11_and_or_12_stonecraft(core):
    roll = derive(core, hero(culture="dwarven-culture", mind=12)).rolls["knowledge.stonecraft"]
    assert (pool(roll), roll.passive) == ("4D+2", 17)


def test_or_13_and_or_14_dim_light(core):
    for lineage, dice in (("half-elf", 3), ("human", 2)):
        bundle, build = blessed(core, hero(lineage=lineage, toggles=["dim-light"]), *skilled("skill:awareness"))
        assert derive(bundle, build).rolls["skill.awareness"].dice == dice


def test_or_15_and_or_16_resolute(core):
    recovery = next(r for r in core.elements["feature:resolute"].recoveries if r.resource == "resolve")
    assert (recovery.event, recovery.amount.flat) == ("long-rest", 1)
    tests = core.circumstances[recovery.when].tests
    assert [(test.test, test.word) for test in tests] == [("resource_empty", "resolve")]


def test_or_17_a_human_of_dwarven_culture(core):
    sheet = derive(core, hero(lineage="human", culture="dwarven-culture", job=""))
    assert [p.ref for p in sheet.proficiencies["armor"]] == ["category:light-armor", "category:medium-armor"]
    tools = next(line for line in sheet.choices if line.choice.key == "dwarven-culture.tool")
    assert (tools.needs, len(tools.choice.options)) == (1, 3)


def test_or_18_woodland_stride(core):
    wood = ["difficult-woodland"]
    assert derive(core, hero(culture="elven-culture", toggles=wood)).value("movement.cost") == 1
    assert derive(core, hero(culture="dwarven-culture", toggles=wood)).value("movement.cost") == 2


def test_a_chosen_skill_that_the_character_has_already_must_be_replaced(core):
    """Ruling 22."""
    answers = (("human-culture.skills", "skill:insight"), ("human-culture.skills", "skill:athletics"))
    sheet = derive(core, person("human", "human-culture", *answers))
    line = next(line for line in sheet.choices if line.choice.key == "human-culture.skills")
    assert (line.needs, line.made) == (2, 1)
    assert [p.where for p in sheet.problems] == ["choices.human-culture.skills[0]"]


# Aspects, dispositions, sizes, languages


def test_as_01_every_row_of_a_table_can_come_up(core):
    traits = [row for row in core.suggestions if row.background == "background:ambassador" and row.aspect == "trait"]
    assert [row.number for row in traits] == list(range(1, 9))


RINGS = [("AS-02", "ABCD", 4), ("AS-03", "ABCDE", 5), ("two", "AB", 1), ("alone", "A", 0)]


@pytest.mark.parametrize(("people", "ties"), [c[1:] for c in RINGS], ids=[c[0] for c in RINGS])
def test_relationships_in_a_ring(people, ties):
    pairs = [frozenset(pair) for pair in ring(people)]
    assert len(set(pairs)) == len(pairs) == ties
    assert all(sum(person in pair for pair in pairs) == min(2, len(people) - 1) for person in people)


def test_di_01_and_di_02_dispositions(core):
    slugs = {e.slug for e in core.of_kind("disposition")}
    assert slugs == {"free", "good", "greed", "indulgent", "lawful"}
    build = hero()
    wary = replace(build, decisions=(*build.decisions, Decision("core-rules.disposition", write_in="Wary")))
    assert not derive(core, wary).problems


PASSING = [
    ("SZ-01", "medium", "Large", False), ("SZ-02", "medium", "Huge", True), ("SZ-03", "medium", "Tiny", True),
    ("SZ-04", "small", "Medium", False), ("SZ-05", "large", "Small", True),
]  # fmt: skip


def of_size(core, size):
    """The sheet of a character of this size, without a lineage."""
    return derive(*blessed(core, hero(), Effect(kind="grant", owner="", element=f"size:{size}", grant_as="gain")))


@pytest.mark.parametrize(("mover", "other", "may"), [c[1:] for c in PASSING], ids=[c[0] for c in PASSING])
def test_size_decides_whether_a_hostile_creature_can_be_passed(core, mover, other, may):
    """The cost is tested with movement (tests/characters/play/test_turn.py)."""
    assert (other in distances.may_pass(core, of_size(core, mover))) is may


def test_sz_06_squares_on_a_grid(core):
    assert of_size(core, "huge").value("squares") ** 2 == 9
    assert of_size(core, "tiny").value("squares") == 1


def test_sz_07_squeezing(core):
    assert distances.squeezes(core, of_size(core, "large")) == "Medium"
    assert distances.squeezes(core, of_size(core, "tiny")) == ""


def test_la_01_and_la_02_languages_and_performance(core):
    sheet = derive(core, hero(culture="dwarven-culture", background="ambassador", presence=12))
    assert [p.ref for p in sheet.proficiencies["languages"]] == ["language:common", "language:dwarven"]
    assert next(line.needs for line in sheet.choices if line.choice.key == "ambassador.languages") == 2
    assert pool(sheet.rolls["skill.performance"]) == "2D+1"


# Skills, knowledges, tools, saves, talents

SKILLS = [
    ("SK-01", 1, "skill.athletics", {"strength": 16}, True, (), "3D+4"),
    ("SK-03", 11, "skill.stealth", {"agility": 14}, False, (), "2D+2"),
    ("SK-06", 46, "skill.insight", {"mind": 20}, True, (), "3D+15"),
    ("KN-01", 1, "knowledge.history", {"mind": 15}, True, (), "3D+3"),
    ("KN-02", 1, "knowledge.history", {"mind": 15}, False, (), "2D+2"),
    ("SK-02", 11, "skill.stealth", {"agility": 14}, True, ("helped",), "4D+5"),
]


@pytest.mark.parametrize("case", SKILLS, ids=[c[0] for c in SKILLS])
def test_skills_and_knowledges(core, case):
    _, level, key, ranks, proficient, toggles, expected = case
    build = hero(level=level, rank=1, toggles=toggles, **ranks)
    given = skilled(key.replace(".", ":")) if proficient else []
    assert pool(derive(*blessed(core, build, *given)).rolls[key]) == expected


OTHER_ABILITY = [
    ("SK-04", "skill.intimidation", "strength", {"strength": 18}, 6, "3D+6"),
    ("SK-05", "skill.athletics", "vitality", {"vitality": 12}, 6, "3D+3"),
    ("TO-01", "tool.smiths-tools", "strength", {"strength": 14}, 1, "3D+3"),
]


@pytest.mark.parametrize("case", OTHER_ABILITY, ids=[c[0] for c in OTHER_ABILITY])
def test_a_skill_or_tool_may_be_rolled_with_another_ability(core, case):
    _, key, ability, ranks, level, expected = case
    bundle, build = blessed(core, hero(level=level, rank=1, **ranks), *skilled(key.replace(".", ":")))
    assert pool(roll_of(bundle, derive(bundle, build), key, ability)) == expected


def test_to_02_a_tool_without_proficiency(core):
    build = hero(strength=14)
    assert pool(roll_of(core, derive(core, build), "tool.smiths-tools", "strength")) == "2D+2"


def test_sk_07_fourteen_skills(core):
    assert len(core.of_kind("skill")) == 14


def test_kn_03_stabilizing(core):
    bundle, build = blessed(core, hero(mind=12), *skilled("knowledge:medicine"))
    total = sum([4, 3, 2]) + derive(bundle, build).rolls["knowledge.medicine"].modifier
    assert (total, total >= 10) == (11, True)


def test_to_03_a_healing_kit_has_ten_uses(core):
    stat = core.resources["healing-kit"].max_stat
    row = next(e for el in core.elements.values() for e in el.effects if e.stat == stat)
    assert row.amount.flat - 3 == 7


SAVES = [
    ("SV-01", 1, "strength", {"strength": 16}, (), (), 0, "3D+4"),
    ("SV-02", 1, "agility", {"agility": 14}, (), (), 0, "2D+2"),
    ("SV-03", 1, "agility", {"agility": 14}, (), ("defending",), 0, "3D+2"),
    ("SV-04", 1, "agility", {"agility": 14}, ("half-cover",), (), 0, "2D+4"),
    ("SV-05", 6, "vitality", {"vitality": 14}, (), (), 2, "3D+2"),
]


@pytest.mark.parametrize("case", SAVES, ids=[c[0] for c in SAVES])
def test_saves(core, case):
    _, level, ability, ranks, toggles, conditions, wounds, expected = case
    who = {"rank": 1, "lineage": "human", "toggles": toggles, "conditions": conditions, "wounds": wounds}
    build = hero(level=level, **who, **ranks)
    assert pool(derive(core, build).rolls[f"save.{ability}"]) == expected


def test_sv_06_paralyzed(core):
    assert derive(core, hero(conditions=["paralyzed"])).rolls["save.agility"].fails
    assert not derive(core, hero()).rolls["save.agility"].fails


def test_sv_07_indomitable_has_a_use_left(core):
    assert derive(core, hero(level=7)).resources["indomitable"].left == 1


def test_ta_01_and_ta_02_tough(core):
    at_three = derive(core, hero(level=3, rank=2, talents=["tough"])).value("health.max")
    assert at_three - derive(core, hero(level=3, rank=2)).value("health.max") == 6
    at_seven = derive(core, hero(level=7, rank=2, talents=["tough"])).value("health.max")
    assert at_seven - derive(core, hero(level=7, rank=2)).value("health.max") == 14


def test_ta_03_tough_raises_the_wound_threshold(core):
    assert derive(core, hero(level=2, rank=1, vitality=14)).value("wound-threshold") == 28
    assert derive(core, hero(level=2, rank=1, vitality=14, talents=["tough"])).value("wound-threshold") == 42


def test_ta_04_a_medic_wakes_the_dying():
    body = health.stabilized(health.Body(0, 10), medic=True)
    assert (body.health, body.dying) == (1, False)


TREATED = [("TA-05", True, 3, 2), ("TA-06", False, 3, 4), ("TA-07", True, 0, 4)]


@pytest.mark.parametrize(("medic", "dice", "left"), [c[1:] for c in TREATED], ids=[c[0] for c in TREATED])
def test_treating_wounds(medic, dice, left):
    assert 5 - health.wounds_treated(5, dice, medic=medic) == left


def test_a_talent_twice_is_refused(core):
    """Ruling 51."""
    sheet = derive(core, hero(level=3, rank=1, talents=["tough", "tough"]))
    assert sheet.value("health.max") == 8 + 6
    assert sheet.problems == (Problem("levels[1]", "Tough comes from level 2 already; choose another."),)
    build = hero(level=3, rank=1, talents=["tough"])
    options = options_for(core, build, derive(core, build), "core-rules.level-talent", 3)
    assert {o.ref: bool(o.why_not) for o in options} == {"talent:tough": True, "talent:medic": False}


def test_an_awarded_talent_is_not_picked_again(core):
    """Section 16 and ruling 51."""
    build = replace(hero(level=2, rank=1, talents=["tough"]), awards=(Award("talent:tough", "downtime"),))
    assert derive(core, build).problems == (Problem("levels[0]", "Tough comes from downtime already; choose another."),)


def test_an_awarded_language_in_own_words_is_not_chosen_again(core):
    """Rulings 22 and 48: capitals make no difference."""
    chosen = Decision("ambassador.languages", write_in="sea cant")
    build = hero(background="ambassador")
    build = replace(build, decisions=(*build.decisions, chosen), awards=(Award("", "downtime", "Sea Cant"),))
    sheet = derive(core, build)
    assert [one.text for one in sheet.problems] == ["sea cant comes from downtime already; choose another."]
    assert len([one for one in sheet.proficiencies["languages"] if one.name.lower() == "sea cant"]) == 1
    disposition = replace(chosen, choice="core-rules.disposition")
    assert not derive(core, replace(build, decisions=(*build.decisions[:-1], disposition))).problems


def test_an_own_word_is_another_thing_in_a_choice_of_another_kind(core):
    """Ruling 22: only the same kind is a duplicate. DI-02: a disposition is free text."""
    language = Decision("ambassador.languages", write_in="Sailor")
    disposition = Decision("core-rules.disposition", write_in="Sailor")
    build = hero(background="ambassador")
    assert not derive(core, replace(build, decisions=(*build.decisions, language, disposition))).problems
    twice = replace(build, decisions=(*build.decisions, language, replace(language, position=1)))
    (problem,) = derive(core, twice).problems
    assert problem.text == "Sailor comes from Ambassador already; choose another."
