"""The engine's promises for any content and any character."""

import random
from dataclasses import replace

import pytest

from rules.engine import Award, Decision, Held, Item, derive, derive_counters, difference, options_for
from rules.engine.content import Amount, Choice, Circumstance, Effect, Element, Requirement, RestEvent, Stat
from rules.engine.recover import recovered
from rules.games.sections import back_after
from tests.support.heroes import blessed, hero, row, skilled

HEAVY = {
    "level": 30,
    "rank": 20,
    "lineage": "elf",
    "culture": "human-culture",
    "background": "ambassador",
    "skills": ["athletics", "stealth"],
    "talents": ["tough", "medic"],
    "styles": ["defense", "dueling"],
    "path": "champion",
    "items": ["plate@worn", "shield@worn", "longsword@main", "dagger@carried", "short-bow@carried"],
    "conditions": ["poisoned", "prone", "slowed"],
    "wounds": 2,
    "toggles": ["half-cover"],
    "strength": 18,
    "agility": 16,
}

BARE = Circumstance("bare", "with nothing named", tests=(Requirement("roll_named", negate=True),))
UNTRAINED_USE = Circumstance(
    "untrained-use",
    "with what you are not proficient with",
    tests=(Requirement("roll_named"), Requirement("roll_trained", negate=True)),
)


def shuffled(mapping, chance):
    keys = list(mapping)
    chance.shuffle(keys)
    return {key: mapping[key] for key in keys}


def mixed(rows, chance):
    rows = list(rows)
    chance.shuffle(rows)
    return tuple(rows)


def shuffled_bundle(core, chance):
    elements = {
        ref: replace(
            element,
            effects=mixed(element.effects, chance),
            resources=mixed(element.resources, chance),
            recoveries=mixed(element.recoveries, chance),
            actions=mixed(element.actions, chance),
        )
        for ref, element in shuffled(core.elements, chance).items()
    }
    return replace(core, elements=elements, stats=shuffled(core.stats, chance))


def numbers(sheet):
    """Everything a reader sees, apart from the order of the rows."""
    told = {key: (value.value, frozenset(value.because)) for key, value in sheet.values.items()}
    rolls = {key: (roll.dice, roll.modifier, roll.passive, roll.fails) for key, roll in sheet.rolls.items()}
    attacks = [(a.item, a.grip, a.roll.dice, a.roll.modifier, a.damage, a.type, a.reach) for a in sheet.attacks]
    return told, rolls, attacks, set(sheet.active), sheet.resources, sheet.proficiencies, sheet.problems


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_nothing(core, seed):
    chance = random.Random(seed)
    build = hero(**HEAVY)
    other = replace(build, decisions=mixed(build.decisions, chance), conditions=mixed(build.conditions, chance))
    assert numbers(derive(shuffled_bundle(core, chance), other)) == numbers(derive(core, build))


def test_deriving_twice_is_the_same(core):
    build = hero(**HEAVY)
    assert derive(core, build) == derive(core, build)
    assert difference(derive(core, build), derive(core, build)) == ()


def test_an_advantage_for_attackers_counts_as_worse(core):
    safe, held = hero(), replace(hero(), conditions=(Held("condition:restrained"),))
    found = {(one.kind, one.key): one for one in difference(derive(core, safe), derive(core, held))}
    assert found["roll", "against"].worse
    back = {(one.kind, one.key): one for one in difference(derive(core, held), derive(core, safe))}
    assert not back["roll", "against"].worse


def test_derive_counters_returns_the_counters_of_the_sheet(core):
    build = replace(hero(**HEAVY), spent={"health": 7, "rally": 1})
    alone, sheet = derive_counters(core, build), derive(core, build)
    assert (alone.resources, alone.conditions) == (sheet.resources, sheet.conditions)
    assert alone.resources["health"].spent == 7
    assert "condition:poisoned" in alone.conditions


def test_an_element_that_is_added_and_removed_leaves_no_trace(core):
    before = derive(core, hero(**HEAVY))
    for ref in ("talent:tough", "condition:stunned", "feature:survivor", "armor:leather"):
        held = replace(hero(**HEAVY), conditions=(*hero(**HEAVY).conditions, Held(ref)))
        derive(core, held)
        assert derive(core, hero(**HEAVY)) == before


def test_every_element_can_be_held_alone(core):
    refs = list(core.elements)
    assert len(refs) > 200
    for ref in refs:
        sheet = derive(core, replace(hero(), conditions=(Held(ref),)))
        assert ref in sheet.active, ref
        assert not [p for p in sheet.problems if "depend" in p.text], ref


@pytest.mark.parametrize("who", [HEAVY, {}, {"level": 14, "path": "champion", "items": ["dagger@main", "club@off"]}])
def test_every_number_is_the_sum_of_its_rows(core, who):
    sheet = derive(core, hero(**who))
    for key, value in sheet.values.items():
        assert sum(step.amount for step in value.because if step.applied) == value.value, key
    for key, roll in sheet.rolls.items():
        for part, total in (("dice", roll.dice), ("modifier", roll.modifier)):
            assert sum(s.amount for s in roll.because if s.applied and s.part == part) == total, (key, part)
    for attack in sheet.attacks:
        steps = [s for s in attack.because if s.applied]
        assert sum(s.amount for s in steps if s.part == "dice") == attack.roll.dice
        assert sum(s.amount for s in steps if s.part == "modifier") == attack.roll.modifier


def test_the_minimum_or_maximum_of_a_statistic_is_a_row_of_its_own(core):
    def defense(**bounds):
        stats = {**core.stats, "defense": replace(core.stats["defense"], **bounds)}
        value = derive(replace(core, stats=stats), hero()).values["defense"]
        return value.value, value.because[-1].text, value.because[-1].amount

    whole, *_ = defense()
    assert defense(maximum=whole - 3) == (whole - 3, f"never more than {whole - 3}", -3)
    assert defense(minimum=whole + 4) == (whole + 4, f"never less than {whole + 4}", 4)
    assert defense(minimum=whole, maximum=whole) == defense()


def test_the_text_of_a_step_adds_up_to_its_amount(core):
    """An ability modifier of 3 once read "-5 + strength 17"."""
    strong = replace(hero(), inputs={**hero().inputs, "rank.strength": 17})
    (step,) = derive(core, strong).values["modifier.strength"].because
    assert (step.text, step.amount) == ("−5 + half strength 17 rounded down", 3)


def test_a_step_that_does_not_apply_says_why(core):
    sheet = derive(core, hero(**HEAVY))
    numbers = (*sheet.values.values(), *sheet.rolls.values())
    rows = [step for number in numbers for step in number.because if not step.applied]
    assert rows
    assert all(step.why for step in rows)


def test_a_note_is_shown_if_it_applies_or_may_apply_at_the_table(core):
    """A note that depends on a moment at the table names its circumstance; one that this character cannot use is left
    out."""
    told = {
        "Always.": {},
        "While squeezed.": {"when": "squeezing"},
        "While armored.": {"when": "wearing-armor"},
        "Later.": {"from_rank": 2},
    }
    rows = [Effect(kind="note", owner="", stat="speed", text=text, **more) for text, more in told.items()]

    def said(**how):
        bundle, build = blessed(core, hero(**how), *rows)
        return {step.text: step.why for step in derive(bundle, build).notes["speed"] if step.text in told}

    assert said() == {"Always.": "", "While squeezed.": "when: squeezed into a tight space"}
    assert said(level=2, items=["leather@worn"], toggles=["squeezing"]) == dict.fromkeys(told, "")


def test_a_ring_of_statistics_is_reported_and_terminates(core):
    ring = [Stat("ring.a", "A"), Stat("ring.b", "B")]
    bundle = replace(core, stats={**core.stats, **{stat.key: stat for stat in ring}})
    rows = [
        Effect(kind="modify", owner="", stat=one, op="base", amount=Amount(of_stat=other))
        for one, other in (("ring.a", "ring.b"), ("ring.b", "ring.a"))
    ]
    sheet = derive(*blessed(bundle, hero(), *rows))
    assert any("ring.a" in problem.text and "ring.b" in problem.text for problem in sheet.problems)


def test_a_ring_is_named_without_the_statistics_that_lead_to_it(core):
    links = [("way.in", "ring.a"), ("ring.a", "ring.b"), ("ring.b", "ring.a")]
    bundle = replace(core, stats={**{one: Stat(one, one) for one, _ in links}, **core.stats})
    rows = [Effect(kind="modify", owner="", stat=one, op="base", amount=Amount(of_stat=to)) for one, to in links]
    texts = [problem.text for problem in derive(*blessed(bundle, hero(), *rows)).problems]
    assert texts == ["These statistics depend on each other: ring.a → ring.b → ring.a."]


@pytest.mark.parametrize("factor", [1_000, -1_000])
def test_a_number_that_rows_multiply_stays_within_a_million(core, factor):
    """Also between the rows: no step has a number that could not be shown."""
    rows = [Effect("modify", "", stat="speed", op="multiply", amount=Amount(factor)) for _ in range(3)]
    value = derive(*blessed(core, hero(lineage="human"), *rows)).values["speed"]
    changed = [step.amount for step in value.because if step.op == "multiply"]
    first, turned = 30 * factor, 1_000_000 if factor > 0 else -1_000_000
    assert changed == [first - 30, 1_000_000 - first, turned - 1_000_000]


def test_a_row_waits_until_the_resource_it_asks_about_is_counted(core):
    """A statistic is solved before what is left is known; a roll with the same circumstance comes after."""
    rows = [
        Effect("modify", "", stat="jump.high", op="add", amount=Amount(1), when="no-resolve"),
        row("check", "bonus", 5, when="no-resolve"),
    ]

    def bonus(build):
        roll = derive(*blessed(core, build, *rows)).rolls["check.strength"]
        return [step.applied for step in roll.because if step.source == "Blessing"]

    build = hero(spirit=14)
    assert bonus(build) == [False]
    assert bonus(replace(build, spent={"resolve": 2})) == [True]


def test_a_ring_of_grants_terminates(core):
    rows = {
        "talent:one": Effect(kind="grant", owner="talent:one", element="talent:two", grant_as="gain"),
        "talent:two": Effect(kind="grant", owner="talent:two", element="talent:one", grant_as="gain"),
    }
    made = [Element(ref, "talent", ref[7:], ref[7:], "test", effects=(row,)) for ref, row in rows.items()]
    sheet = derive(core.with_elements(made), replace(hero(), conditions=(Held("talent:one"),)))
    assert {"talent:one", "talent:two"} <= set(sheet.active)


@pytest.mark.parametrize(("reason", "path"), [("downtime", ("downtime",)), ("", ("the storyteller",))])
def test_an_award_comes_from_its_reason(core, reason, path):
    sheet = derive(core, replace(hero(), awards=(Award("skill:stealth", reason), Award("talent:tough", reason))))
    assert [row.path for row in sheet.proficiencies["skills"] if row.ref == "skill:stealth"] == [path]
    assert sheet.active["talent:tough"].path == path


def test_a_shorter_path_to_an_element_changes_no_other_element_of_its_slug(core):
    def gain(owner, element, word="gain"):
        return Effect(kind="grant", owner=owner, element=element, grant_as=word)

    rows = {
        "talent:longer": [gain("talent:longer", "talent:twin")],
        "condition:shorter": [gain("condition:shorter", "talent:twin")],
        "talent:twin": [],
        "feature:twin": [gain("feature:twin", "skill:stealth", "skilled")],
    }
    made = [Element(ref, *ref.split(":"), ref.split(":")[1], "test", effects=tuple(own)) for ref, own in rows.items()]
    awards = tuple(Award(ref=ref, reason="To see") for ref in ("feature:twin", "talent:longer"))
    build = replace(hero(), awards=awards, conditions=(Held("condition:shorter"),))
    sheet = derive(core.with_elements(made), build)
    assert sheet.active["talent:twin"].path == ("shorter",)
    assert [one.ref for one in sheet.proficiencies["skills"]] == ["skill:stealth"]


def test_answers_count_once_if_a_shorter_path_is_found_later(core):
    """The longer path is followed first. The shorter one is found later, and the element is followed again."""

    def granting(ref, element):
        row = Effect(kind="grant", owner=ref, element=element, grant_as="gain")
        return Element(ref, *ref.split(":"), ref.split(":")[1], "test", effects=(row,))

    asked = Element("talent:asked", "talent", "asked", "Asked", "test", choices=(
        Choice("asked.points", "talent:asked", "points", "Where?", mode="spread", count=2, per_option_max=2,
               stats=("rank.strength",)),
        Choice("asked.word", "talent:asked", "word", "Which?", grant_as="knows", options=("language:elvish",)),
    ))  # fmt: skip
    answers = (
        Decision("asked.points", 1, stat="rank.strength", points=2),
        Decision("asked.word", 1, ref="language:elvish"),
    )
    bundle = core.with_elements([asked, granting("talent:longer", asked.ref), granting("condition:shorter", asked.ref)])
    longer = replace(
        hero(), awards=(Award(ref="talent:longer", reason="To see"),), decisions=(*hero().decisions, *answers)
    )
    both = replace(longer, conditions=(Held("condition:shorter"),))
    one, two = derive(bundle, longer), derive(bundle, both)
    assert two.active[asked.ref].path == ("shorter",)
    assert two.value("rank.strength") == one.value("rank.strength") == derive(core, hero()).value("rank.strength") + 2
    known = [row.path for row in two.proficiencies["languages"] if row.ref == "language:elvish"]
    assert known == [("shorter", "Asked")]
    lines = [line for line in two.choices if line.choice.owner == asked.ref]
    assert [(line.choice.key, line.made) for line in lines] == [("asked.points", 2), ("asked.word", 1)]
    assert not two.problems


def test_a_rank_counts_once_on_what_is_reached_by_a_shorter_path(core):
    """The rules grant it twice, the longer path first."""

    def granting(element, *refs):
        rows = [Effect(kind="grant", owner=element.ref, element=ref, grant_as="gain") for ref in refs]
        return replace(element, effects=(*element.effects, *rows))

    question = Choice("asked.job", "talent:asked", "job", "Which?", grant_as="rank", options=("job:fighter",))
    asked = Element("talent:asked", "talent", "asked", "Asked", "test", choices=(question,))
    longer = granting(Element("talent:longer", "talent", "longer", "Longer", "test"), asked.ref)
    rules = granting(core.elements["rules:core-rules"], longer.ref, asked.ref)
    answered = (*hero().decisions, Decision("asked.job", 1, ref="job:fighter"))
    sheet = derive(core.with_elements([asked, longer, rules]), replace(hero(), decisions=answered))
    assert sheet.active[asked.ref].path == ("Core rules",)
    assert sheet.active["job:fighter"].rank == derive(core, hero()).active["job:fighter"].rank + 1


def test_a_new_talent_works_without_code(core):
    row = Effect(
        kind="modify", owner="talent:wary", stat="defense", op="add", amount=Amount(flat=1), when="wearing-armor"
    )
    wary = Element("talent:wary", "talent", "wary", "Wary", "test", effects=(row,))
    choice = core.choices["core-rules.level-talent"]
    owner = core.elements[choice.owner]
    offering = replace(
        owner,
        choices=tuple(replace(c, options=(*c.options, wary.ref)) if c.key == choice.key else c for c in owner.choices),
    )
    bundle = core.with_elements([wary, offering])
    build = hero(level=2, rank=1, items=["leather@worn"])
    taken = replace(build, decisions=(*build.decisions, Decision(choice.key, 2, ref=wary.ref)))
    assert derive(bundle, taken).value("defense") == derive(bundle, build).value("defense") + 1
    bare = replace(taken, items=(Item("weapon:club", state="main"),))
    step = next(s for s in derive(bundle, bare).values["defense"].because if s.source == "Wary")
    assert (step.applied, step.why) == (False, "only while wearing armor")


def test_an_answer_beyond_the_count_is_reported_and_does_not_count(core):
    build = hero(culture="human-culture", skills=["athletics", "stealth", "deception"])
    sheet = derive(core, build)
    assert len(sheet.proficiencies["skills"]) == 2
    assert [p.where for p in sheet.problems] == ["choices.human-culture.skills[2]"]


def test_an_answer_that_is_not_offered_does_not_count(core):
    build = replace(hero(), decisions=(*hero().decisions, Decision("fighter.fighting-style", ref="talent:tough")))
    sheet = derive(core, build)
    assert "talent:tough" not in sheet.active
    assert any("not an option" in problem.text for problem in sheet.problems)


def test_a_path_before_its_rank_does_not_count(core):
    sheet = derive(core, hero(level=2, path="champion"))
    assert "path:champion" not in sheet.active
    assert any("rank 3" in problem.text for problem in sheet.problems)


def test_a_level_pick_not_earned_does_not_count(core):
    build = replace(hero(level=3), xp=1000)
    sheet = derive(core, build)
    assert sheet.value("rank.fighter") == 2
    assert [p.where for p in sheet.problems] == ["levels[1]"]
    assert (sheet.picks.earned, sheet.picks.taken) == (1, 2)


def test_level_picks_cannot_raise_an_ability_above_the_cap(core):
    build = hero(level=2, rank=1, strength=19)
    raised = replace(
        build, decisions=(*build.decisions, Decision("core-rules.level-abilities", 2, stat="rank.strength", points=2))
    )
    assert derive(core, raised).value("rank.strength") == 19
    assert any("20" in problem.text for problem in derive(core, raised).problems)
    free = replace(raised, switches={"abilityCap": "none"})
    assert derive(core, free).value("rank.strength") == 21


def test_a_style_can_be_swapped_only_with_a_new_rank(core):
    swap = Decision("fighter.fighting-style", 2, ref="feature:dueling")
    build = hero(level=2, rank=2, styles=["defense"])
    sheet = derive(core, replace(build, decisions=(*build.decisions, swap)))
    assert "feature:dueling" in sheet.active
    assert "feature:defense" not in sheet.active
    other = hero(level=2, rank=1, styles=["defense"], talents=["tough"])
    sheet = derive(core, replace(other, decisions=(*other.decisions, swap)))
    assert "feature:defense" in sheet.active
    assert sheet.problems


def test_a_new_rank_swaps_only_one_style(core):
    build = hero(level=9, rank=9, path="champion", styles=["defense", "dueling"])
    swaps = {
        "fighter": Decision("fighter.fighting-style", 9, ref="feature:protection"),
        "champion": Decision("champion.fighting-style", 9, ref="feature:marksmanship"),
    }
    for swap in swaps.values():
        sheet = derive(core, replace(build, decisions=(*build.decisions, swap)))
        assert swap.ref in sheet.active
        assert not sheet.problems
    sheet = derive(core, replace(build, decisions=(*build.decisions, *swaps.values())))
    assert {"feature:protection", "feature:dueling"} <= sheet.active.keys()
    assert "feature:marksmanship" not in sheet.active
    (problem,) = sheet.problems
    assert problem.text.endswith("each new rank lets you swap one only.")
    same = replace(swaps["fighter"], ref="feature:defense")
    sheet = derive(core, replace(build, decisions=(*build.decisions, same, swaps["champion"])))
    assert {"feature:defense", "feature:marksmanship"} <= sheet.active.keys()
    assert not sheet.problems


def test_a_path_taken_too_early_says_which_rank_it_needs(core):
    build = hero(level=2, rank=1, talents=["tough"])
    early = Decision("fighter.martial-path", 2, ref="path:champion")
    (problem,) = derive(core, replace(build, decisions=(*build.decisions, early))).problems
    assert problem.text.endswith("this needs Fighter rank 3.")


@pytest.mark.parametrize(
    ("key", "ref"), [("core-rules.job-skills", "skill:stealth"), ("fighter.later-proficiency", "category:shields")]
)
def test_an_answer_that_house_rules_do_not_ask_for_says_so(core, key, ref):
    """Rulings 28 and 30."""
    build = hero()
    sheet = derive(core, replace(build, decisions=(*build.decisions, Decision(key, 1, ref=ref))))
    (problem,) = [one for one in sheet.problems if key in one.where]
    assert problem.text.endswith(": nothing asks for this now.")


def test_the_ceiling_that_is_offered_is_the_one_that_answers_keep(core):
    """A row cannot raise it: what a character has is known before any number. Only its house rule does (ruling 21)."""
    raised = Effect(kind="modify", owner="", stat="ability-cap", op="add", amount=Amount(flat=2))
    bundle, build = blessed(core, hero(level=2, rank=1, strength=20), raised)
    options = options_for(bundle, build, derive(bundle, build), "core-rules.level-abilities", 2)
    assert next(one.room for one in options if one.stat == "rank.strength") == 0
    higher = replace(build, switches={"abilityCap": "22"})
    options = options_for(bundle, higher, derive(bundle, higher), "core-rules.level-abilities", 2)
    assert next(one.room for one in options if one.stat == "rank.strength") == 2


def test_a_circumstance_that_is_on_and_changes_nothing_says_so(core):
    """OR-13: darksight takes the harm out of dim light."""
    for lineage, why in (("half-elf", "no effect here, even in dim light"), ("human", "")):
        sheet = derive(core, hero(lineage=lineage, toggles=["dim-light"]))
        rows = [row for row in sheet.rolls["skill.awareness"].because if "dim light" in f"{row.text} {row.why}"]
        assert {row.why for row in rows} == {why}, rows


def test_a_switch_that_would_change_nothing_says_so_while_it_is_off(core):
    """OR-13, OR-18: “only in dim light” would say that dim light harms whoever has darksight."""
    elf = derive(core, hero(lineage="elf", culture="elven-culture"))
    dim = next(row for row in elf.rolls["skill.awareness"].because if row.text == "in dim light")
    woods = next(row for row in elf.values["movement.cost"].because if "in difficult woodland" in row.text)
    assert (dim.why, woods.why) == ("no effect here, even in dim light", "no effect here, even in difficult woodland")


def test_a_circumstance_may_ask_whether_a_roll_is_of_a_skill_knowledge_or_tool(core):
    """Rows that share all else, so that no roll reads what was judged for another."""
    bundle = replace(core, circumstances={**core.circumstances, "bare": BARE, "untrained-use": UNTRAINED_USE})
    changes = row("check", "bonus", 1, when="bare"), row("check", "bonus", 2, when="untrained-use")
    sheet = derive(*blessed(bundle, hero(), *changes, *skilled("skill:athletics")))
    keys = ("check.strength", "skill.athletics", "skill.stealth", "knowledge.history", "initiative")
    steps = {key: [step for step in sheet.rolls[key].because if step.source == "Blessing"] for key in keys}
    said = {key: [step.amount for step in rows if step.applied] for key, rows in steps.items()}
    assert said == {
        "check.strength": [1],
        "skill.athletics": [],
        "skill.stealth": [2],
        "knowledge.history": [2],
        "initiative": [1],
    }


def test_help_that_is_on_says_that_a_bare_check_gains_nothing(core):
    """Ruling 99: help is with something that the helper is proficient in."""
    said = derive(core, hero(toggles=["helped"])).rolls["check.strength"].because
    assert "no effect here, even with someone's help at a skill, knowledge or tool" in {step.why for step in said}


def test_bonuses_of_damage_add_up(core):
    rows = [row("damage", "bonus", 1), row("damage", "bonus", 2)]
    build = hero(items=["longsword@main"])
    plain, more = derive(core, build), derive(*blessed(core, build, *rows))
    assert [more.attacks[0].damage_modifier - plain.attacks[0].damage_modifier] == [3]


def test_a_step_names_a_number_below_zero_with_a_true_minus_sign(core):
    texts = [step.text for step in derive(core, hero(agility=8)).values["spell-save"].because]
    assert "agility modifier −1, when Agility is the ability of magic" in texts


def test_resolve_may_follow_the_spirit_of_level_one(core):
    """Ruling 39: later increases of Spirit then change nothing."""
    build = hero(level=3, rank=1, spirit=14)
    raised = tuple(Decision("core-rules.level-abilities", at, stat="rank.spirit", points=2) for at in (2, 3))
    grown = replace(build, decisions=(*build.decisions, *raised))
    assert derive(core, grown).value("resolve.max") == 4
    assert derive(core, replace(grown, switches={"resolveSpirit": "atCreation"})).value("resolve.max") == 2


@pytest.mark.parametrize(("strength", "damage"), [(6, "1"), (10, "1"), (18, "5")])
def test_damage_without_dice_is_the_sum_of_its_rows(core, strength, damage):
    bare = next(one for one in derive(core, hero(strength=strength)).attacks if one.grip == "unarmed")
    rows = [step for step in bare.because if step.part in ("damage", "damage-dice")]
    assert bare.damage == damage
    assert sum(step.amount for step in rows if step.applied) == int(damage)
    assert [step.applied for step in rows if step.op == "damage_at_least"] == [strength == 6]


@pytest.mark.parametrize(
    ("strength", "agility", "said"),
    [
        (8, 16, [("Finesse", True), ("Strength", False)]),
        (16, 8, [("Finesse", False)]),
    ],
)
def test_an_attack_explains_the_ability_it_uses_and_the_one_it_does_not(core, strength, agility, said):
    attacks = derive(core, hero(strength=strength, agility=agility, items=["rapier@main"])).attacks
    rapier = next(one for one in attacks if one.item == "rapier")
    rows = [(step.source, step.applied) for step in rapier.because if step.part == "ability"]
    assert rows == said
    assert all(step.why for step in rapier.because if not step.applied)


def test_every_change_of_a_value_says_what_it_does(core):
    held = hero(level=12, lineage="human", path="champion", conditions=["slowed", "grappled"], strength=8)
    sheet = derive(core, held)
    texts = {
        stat: [(step.source, step.text, step.amount) for step in sheet.values[stat].because if step.applied]
        for stat in ("speed", "attacks", "jump.high")
    }
    assert texts == {
        "speed": [("Human", "starts at 30", 30), ("Slowed", "halved", -15), ("Grappled", "becomes 0", -15)],
        "attacks": [("Extra Attack", "when fighters advance by their feature text", 3), ("Slowed", "at most 1", -2)],
        "jump.high": [("Core rules", "3 + strength modifier −1", 2)],
    }


@pytest.mark.parametrize(
    ("amount", "speed", "text"),
    [
        (Amount(3, divided_by=2), 45, "× 3/2"),
        (Amount(0), 0, "× 0"),
        (Amount(of_stat="modifier.strength"), 90, "strength modifier 3"),
        (Amount(1, of_stat="modifier.strength"), 120, "1 + strength modifier 3"),
        (Amount(of_stat="rank.strength", divided_by=5, at_most=2), 60, "strength 16, at most 2"),
        (Amount(2, per="rank"), 180, "at each of 3 levels"),
    ],
)
def test_a_row_multiplies_by_its_whole_amount(core, amount, speed, text):
    double = Effect("modify", "", stat="speed", op="multiply", amount=amount)
    sheet = derive(*blessed(core, hero(level=3, lineage="human", strength=16), double))
    assert sheet.value("speed") == speed
    assert [(step.text, step.amount) for step in sheet.values["speed"].because[1:]] == [(text, speed - 30)]


def test_an_amount_of_a_job_counts_ranks(core):
    fighter = core.elements["job:fighter"]
    row = Effect("modify", fighter.ref, stat="speed", op="add", amount=Amount(1, per="rank"))
    bundle = core.with_elements([replace(fighter, effects=(*fighter.effects, row))])
    steps = derive(bundle, hero(level=3, rank=2, lineage="human")).values["speed"].because
    assert ("Fighter", "at each of 2 ranks", 2) in [(step.source, step.text, step.amount) for step in steps]


@pytest.mark.parametrize(
    ("stat", "changes", "text", "amount"),
    [
        ("defense", {"items": ["half-plate@worn"], "agility": 18}, "17 + agility modifier 4, at most 19", 19),
        ("defense", {"items": ["half-plate@worn"], "agility": 14}, "17 + agility modifier 2", 19),
        ("skill-bonus", {"level": 51}, "level 51, at most 10", 10),
        (
            "resolve.max",
            {"spirit": 8},
            "spirit modifier −1, at least 1, when Resolve follows the present Spirit",
            1,
        ),
    ],
)
def test_an_amount_names_the_limit_that_it_meets(core, stat, changes, text, amount):
    sheet = derive(core, hero(**changes))
    first = next(step for step in sheet.values[stat].because if step.applied)
    assert (first.text, first.amount) == (text, amount)


def test_of_two_rows_that_set_the_same_number_neither_is_called_lower(core):
    stop = Effect("modify", "", stat="speed", op="set", amount=Amount(5))
    held = hero(lineage="human", conditions=["restrained", "grappled"])
    because = derive(*blessed(core, held, stop)).values["speed"].because
    assert [(step.source, step.why) for step in because[1:]] == [
        ("Blessing", "a lower number is set"),
        ("Grappled", ""),
        ("Restrained", "it is set already"),
    ]


@pytest.mark.parametrize(("amounts", "counts"), [((1, 2), 2), ((-1, -3), -3), ((2, -2), 0), ((2, 2), 2)])
def test_of_a_stack_group_the_best_bonus_and_the_worst_penalty_count_wherever_it_is(core, amounts, counts):
    def blessed_with(**columns):
        rows = [Effect(owner="", amount=Amount(flat), stack_group="luck", **columns) for flat in amounts]
        return derive(*blessed(core, hero(strength=16, items=["club@main"]), *rows))

    assert blessed_with(kind="modify", stat="defense", op="add").value("defense") == 10 + counts
    bonus = blessed_with(kind="roll", roll="check", aspect="bonus").rolls["check.strength"]
    assert bonus.modifier == 3 + counts
    assert sum(step.applied for step in bonus.because if step.source == "Blessing") == (2 if counts == 0 else 1)
    assert blessed_with(kind="roll", roll="check", aspect="dice").rolls["check.strength"].dice == max(1, 3 + counts)
    club = next(one for one in blessed_with(kind="roll", roll="damage", aspect="bonus").attacks if one.item == "club")
    assert club.damage_modifier == 3 + counts


def test_a_note_of_a_property_is_for_whoever_wears_the_item_unless_it_is_for_the_item_only(core):
    def notes(**columns):
        note = Effect("note", "property:armor-light", text="It glows.", **columns)
        light = core.elements["property:armor-light"]
        bundle = core.with_elements([replace(light, effects=(*light.effects, note))])
        return [step.text for step in derive(bundle, hero(items=["padded@worn"])).notes.get("", ())]

    assert "It glows." in notes()
    assert "It glows." not in notes(this_item_only=True)


def test_a_row_that_is_outdone_says_by_which_row(core):
    """AR-22, and ruling 79 for the save: both rows are of the core rules, whose name would not say which."""
    sheet = derive(core, hero(toggles=["half-cover", "three-quarters-cover"]))
    for because in (sheet.values["defense"].because, sheet.rolls["save.agility"].because):
        half = next(step for step in because if step.text == "behind half cover")
        assert (half.applied, half.why) == (False, "does not add to behind three-quarters cover")


def test_a_row_that_does_not_hold_adds_nothing_and_outdoes_no_other_of_its_stack_group(core):
    def speed(*rows, **how):
        made = [Effect("modify", "", stat="speed", op="add", **columns) for columns in rows]
        value = derive(*blessed(core, hero(lineage="human", **how), *made)).values["speed"]
        return value.value, [step.applied for step in value.because[1:]]

    armored = {"amount": Amount(20), "when": "wearing-armor", "stack_group": "luck"}
    always = {"amount": Amount(10), "stack_group": "luck"}
    assert speed(armored) == (30, [False])
    assert speed(armored, always) == (40, [False, True])
    assert speed(armored, always, items=["leather@worn"]) == (50, [True, False])


def test_a_number_is_multiplied_then_raised_to_its_least_then_cut_to_its_most(core):
    """In whatever order the rows stand."""
    amounts = {"at_most": 95, "at_least": 100, "multiply": 3}
    rows = [Effect("modify", "", stat="speed", op=op, amount=Amount(amount)) for op, amount in amounts.items()]
    because = derive(*blessed(core, hero(lineage="human"), *rows)).values["speed"].because
    assert [(step.op, step.amount) for step in because[1:]] == [("multiply", 60), ("at_least", 10), ("at_most", -5)]


@pytest.mark.parametrize(("amount", "better", "worse"), [(35, "Blessing", "Human"), (25, "Human", "Blessing")])
def test_of_several_bases_the_best_counts_and_stands_first(core, amount, better, worse):
    base = Effect("modify", "", stat="speed", op="base", amount=Amount(amount))
    because = derive(*blessed(core, hero(lineage="human"), base)).values["speed"].because
    assert [(step.source, step.why) for step in because] == [
        (better, ""),
        (worse, f"a better base applies: {better}"),
    ]


def test_a_base_that_does_not_hold_is_not_the_best(core):
    base = Effect("modify", "", stat="speed", op="base", amount=Amount(50), when="wearing-armor")
    build = hero(lineage="human")
    assert derive(*blessed(core, build, base)).value("speed") == 30
    armored = hero(lineage="human", items=["leather@worn"])
    assert derive(*blessed(core, armored, base)).value("speed") == 50


def test_points_say_at_which_level_they_were_put_on_a_statistic(core):
    picks = Decision("core-rules.level-abilities", 2, stat="rank.strength", points=2)
    build = hero(level=2, rank=1)
    because = derive(core, replace(build, decisions=(*build.decisions, picks))).values["rank.strength"].because
    assert [step.text for step in because if step.op == "add"] == ["at level 2"]


@pytest.mark.parametrize(("spent", "steps"), [(0, []), (2, [("Extra actions", 2)])])
def test_what_is_spent_is_a_step_once_there_is_some(core, spent, steps):
    because = derive(core, replace(hero(), spent={"extra-actions": spent})).values["turn.extra-actions"].because
    assert [(step.source, step.amount) for step in because] == steps


def test_a_number_that_nobody_chooses_takes_no_input(core):
    build = replace(hero(), inputs={**hero().inputs, "defense": 99})
    assert derive(core, build).value("defense") == derive(core, hero()).value("defense")


def test_points_can_be_spread_on_a_statistic_that_nothing_else_changes(core):
    asked = Element("talent:asked", "talent", "asked", "Asked", "test", choices=(
        Choice("asked.grit", "talent:asked", "grit", "Where?", mode="spread", count=2, per_option_max=2,
               stats=("grit",)),
    ))  # fmt: skip
    bundle = replace(core, stats={**core.stats, "grit": Stat("grit", "Grit")}).with_elements([asked])
    answers = (*hero().decisions, Decision("asked.grit", 1, stat="grit", points=2))
    build = replace(hero(), decisions=answers, awards=(Award("talent:asked", "To see"),))
    assert derive(bundle, build).value("grit") == 2
    assert derive(bundle, replace(build, decisions=hero().decisions)).value("grit") == 0


def test_uses_of_which_a_rest_brings_some_are_not_told_as_back_after_it(core):
    """Indomitable has two uses from rank 11; here a long rest brings one of them back, and an adventure all."""
    indomitable = core.elements["feature:indomitable"]
    (full,) = indomitable.recoveries
    one = replace(full, full=False, amount=Amount(flat=1))

    def told(rank, *rows):
        bundle = core.with_elements([replace(indomitable, recoveries=rows)])
        return back_after(bundle, derive(bundle, hero(level=rank, rank=rank)).resources["indomitable"])

    assert told(11, full) == told(7, one) == "back after a long rest"
    assert told(11, one, replace(full, event="adventure")) == "some back after a long rest"
    assert told(11, replace(one, event="adventure"), full) == "back after a long rest"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Long rest", "a long rest"), ("Evening", "an evening"), ("A few quiet minutes", "a few quiet minutes"),
        ("End of an adventure", "the end of an adventure"), ("The tide", "the tide"),
    ],
)  # fmt: skip
def test_what_brings_uses_back_has_one_article(core, name, told):
    event = replace(core.events["long-rest"], name=name)
    bundle = replace(core, events={**core.events, "long-rest": event})
    assert back_after(bundle, derive(bundle, hero(level=11, rank=11)).resources["indomitable"]) == f"back after {told}"


@pytest.mark.parametrize("nap", [(), ("holiday",)], ids=["a line", "a ring"])
def test_a_rest_brings_back_what_the_rests_of_the_rests_that_it_includes_do(core, nap):
    """A long rest includes a short one. The check of the rules refuses a ring; a sheet has an answer all the same."""
    events = [
        RestEvent("nap", "Nap", 60, nap),
        RestEvent("retreat", "Retreat", 70, ("long-rest", "nap")),
        RestEvent("holiday", "Holiday", 80, ("retreat",)),
    ]
    bundle = replace(core, events={**core.events, **{event.slug: event for event in events}})
    wind = derive(bundle, replace(hero(level=3, rank=2), spent={"second-wind": 1}))
    assert wind.resources["second-wind"].recovers[:2] == ("short-rest", "long-rest")
    assert {"retreat", "holiday"} <= {*wind.resources["second-wind"].recovers}
    assert recovered(wind, "holiday")["second-wind"] == 1
    assert ("second-wind" in recovered(wind, "nap")) == bool(nap)
