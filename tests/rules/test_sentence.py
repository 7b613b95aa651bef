"""Rows read back as sentences: every operation, aspect, grant word, "per" word and test."""

from dataclasses import replace

import pytest

from rules.engine.bundle import Bundle
from rules.engine.content import (
    Action,
    Amount,
    Armor,
    Choice,
    Circumstance,
    Condition,
    Effect,
    Element,
    PropertyUse,
    Recovery,
    Requirement,
    Resource,
    RestEvent,
    Stat,
    Switch,
    Weapon,
)
from rules.engine.item_words import armor_defense, armor_sentence, property_phrase, weapon_sentence
from rules.engine.requirements import in_words
from rules.engine.sentence import (
    action_sentence,
    choice_sentence,
    condition_sentence,
    effect_sentence,
    recovery_sentence,
    requirement_sentence,
    requirements_sentences,
    resource_sentence,
)
from rules.games import polyhedral
from rules.models import vocabulary
from tests.games import pebbles

RESOLVE = Resource("resolve", "Resolve", "rules:core", "resolve.max", "pool")
STAMINA = Resource("stamina", "Stamina", "rules:core", "stamina.max", "dice", die=6)
WOUNDS = Resource("wounds", "Wounds", "rules:core", "wounds.max", "track", counts_up=True)


def element(ref, name, **columns):
    kind, _, slug = ref.partition(":")
    return ref, Element(ref, kind, slug, name, "core", **columns)


def stats(*rows):
    return {key: Stat(key, name, format=form) for key, name, form in rows}


NAMES = Bundle(
    "game",
    polyhedral.GAME,
    (),
    elements=dict(
        [
            element("rules:core", "Core rules", resources=(RESOLVE, STAMINA, WOUNDS)),
            element("ability:agility", "Agility"),
            element("ability:strength", "Strength"),
            element("skill:awareness", "Awareness"),
            element("category:ranged", "ranged weapons"),
            element("feature:darksight", "Darksight"),
            element("language:common", "Common"),
            element("gear:torch", "Torch"),
            element("damage-type:fire", "Fire"),
            element("job:fighter", "Fighter"),
            element("tool:smith", "Smith's tools"),
            element("tool:brewer", "Brewer's supplies"),
            element("property:thrown", "Thrown"),
        ]
    ),
    stats=stats(
        ("defense", "Defense", "number"),
        ("health.max", "Maximum health", "number"),
        ("modifier.vitality", "Vitality modifier", "signed"),
        ("rank.vitality", "Vitality rank", "number"),
        ("speed", "Speed", "feet"),
        ("sense.darksight", "Darksight", "flag"),
        ("resolve.max", "Maximum resolve", "number"),
        ("stamina.max", "Stamina dice", "number"),
        ("wounds.max", "Most wounds", "number"),
        ("picks", "Skill picks", "number"),
        ("cap", "Ability cap", "number"),
    ),
    circumstances={
        "armored": Circumstance("armored", "while wearing armor"),
        "sight": Circumstance("sight", "to see or hear", "table"),
        "close": Circumstance("close", "the attacker is within 5 ft"),
    },
    switches={"third": Switch("third", "Third attack", "choice", "9")},
    events={"long-rest": RestEvent("long-rest", "Long rest")},
)


def modify(op="add", flat=0, stat="defense", when="", **columns):
    own = {
        name: columns.pop(name)
        for name in ("of_stat", "times", "divided_by", "round_up", "per", "at_least", "at_most")
        if name in columns
    }
    return Effect("modify", "feature:x", stat=stat, op=op, when=when, amount=Amount(flat, **own), **columns)


def roll(word, aspect, flat=0, per="once", of_stat="", **columns):
    return Effect(
        "roll", "feature:x", roll=word, aspect=aspect, amount=Amount(flat, per=per, of_stat=of_stat), **columns
    )


def grant(ref, word="gain", **columns):
    return Effect("grant", "feature:x", element=ref, grant_as=word, **columns)


EFFECTS = [
    (modify(flat=1, when="armored"), "+1 Defense while wearing armor"),
    (modify(flat=-2), "−2 Defense"),
    (modify(flat=0), "+0 Defense"),
    (modify(flat=2, per="level", stat="health.max"), "+2 Maximum health at each level"),
    (modify(flat=-1, per="stack"), "−1 Defense for each stack"),
    (
        Effect("modify", "gear:kit", stat="defense", op="base", amount=Amount(10, per="stack")),
        "Defense starts at 10 for each piece",
    ),
    (modify(flat=1, per="property_a"), "Defense: add the number beside the property"),
    (
        modify(flat=8, of_stat="modifier.vitality", at_least=1, per="rank", stat="health.max"),
        "Maximum health: add 8 + Vitality modifier (at least 1) at each rank",
    ),
    (modify("base", 10, of_stat="modifier.vitality"), "Defense starts at 10 + Vitality modifier"),
    (modify("base", 30, stat="speed"), "Speed starts at 30 feet"),
    (modify(flat=10, stat="speed"), "+10 feet Speed"),
    (modify("base", 30, stat="speed", per="rank"), "Speed starts at 30 at each rank, in feet"),
    (
        modify("set", of_stat="rank.vitality", divided_by=3, stat="speed"),
        "Speed becomes Vitality rank ÷ 3 rounded down, in feet",
    ),
    (
        modify("at_most", of_stat="speed", divided_by=2, stat="speed"),
        "Speed is at most half Speed rounded down",
    ),
    (modify("multiply", 2), "Defense is doubled"),
    (modify("multiply", 1, divided_by=2, stat="speed"), "Speed is halved"),
    (modify("multiply", 3), "Defense × 3"),
    (modify("multiply", 3, divided_by=2), "Defense × 3/2"),
    (modify("multiply", of_stat="rank.vitality"), "Defense × Vitality rank"),
    (modify("multiply", 1, of_stat="rank.vitality"), "Defense × (1 + Vitality rank)"),
    (modify("multiply", 2, per="rank"), "Defense × 2 at each rank"),
    (modify("at_least", 1), "Defense is at least 1"),
    (modify("at_most", 1), "Defense is at most 1"),
    (modify("set", 0, stat="speed"), "Speed becomes 0 feet"),
    (modify("set", of_stat="rank.vitality", times=3), "Defense becomes 3 × Vitality rank"),
    (modify("set", 1, stat="sense.darksight"), "Darksight"),
    (modify("set", 0, stat="sense.darksight"), "Darksight: no"),
    (modify("at_most", 0, stat="sense.darksight"), "Darksight is at most 0"),
    (modify(of_stat="rank.vitality", divided_by=2), "Defense: add half Vitality rank rounded down"),
    (modify(of_stat="rank.vitality", divided_by=5, round_up=True), "Defense: add Vitality rank ÷ 5 rounded up"),
    (modify(flat=5, of_stat="rank.vitality", times=-2), "Defense: add 5 − 2 × Vitality rank"),
    (modify(of_stat="rank.vitality", times=-1), "Defense: add −Vitality rank"),
    (modify(flat=2, at_most=4), "Defense: add 2 (at most 4)"),
    (modify(flat=1, of_stat="rank.vitality", at_least=0), "Defense: add 1 + Vitality rank (at least 0)"),
    (modify(flat=1, from_rank=9), "+1 Defense from rank 9"),
    (modify(flat=1, from_rank=2), "+1 Defense from rank 2"),
    (modify(flat=1, from_rank=1), "+1 Defense"),
    (replace(modify(flat=1, from_rank=5), owner="talent:x"), "+1 Defense from level 5"),
    (replace(modify(flat=1, per="rank"), owner="talent:x"), "+1 Defense at each level"),
    (replace(modify(flat=2, at_most=4, per="rank"), owner="condition:x"), "Defense: add 2 (at most 4) at each level"),
    (modify(flat=2, stack_group="cover"), "+2 Defense (the best of “cover” counts)"),
    (modify(flat=2, text="half cover"), "+2 Defense (half cover)"),
    (modify(flat=2, this_item_only=True), "+2 Defense with this item"),
    (modify(flat=2, stat="unheard.of", when="nobody-knows"), "+2 unheard.of nobody-knows"),
    (
        roll("check", "advantage", subject="skill:awareness", when="sight"),
        "Advantage on Awareness checks, to see or hear",
    ),
    (
        roll("against", "advantage", when="close"),
        "Advantage on attack rolls against this character when the attacker is within 5 ft",
    ),
    (
        roll("check", "advantage", ability="ability:agility", subject="skill:awareness"),
        "Advantage on Agility (Awareness) checks",
    ),
    (roll("save", "disadvantage", ability="ability:agility"), "Disadvantage on Agility saving throws"),
    (roll("save", "disadvantage"), "Disadvantage on saving throws"),
    (roll("attack", "bonus", 2, subject="category:ranged"), "+2 on attack rolls with ranged weapons"),
    (roll("attack", "bonus", -1, per="stack"), "−1 for each stack on attack rolls"),
    (roll("check", "bonus", of_stat="rank.vitality"), "+(Vitality rank) on ability checks"),
    (roll("check", "dice", 1), "+1D on ability checks"),
    (roll("check", "dice", of_stat="rank.vitality"), "Vitality rank more dice on ability checks"),
    (roll("check", "training", 2, ability="ability:strength"), "Skill bonus × 2 on Strength checks"),
    (roll("save", "fails", ability="ability:strength"), "Strength saving throws fail without a roll"),
    (roll("attack", "succeeds"), "Attack rolls succeed without a roll"),
    (roll("attack", "criticals_on", 5), "Attack rolls are critical from 5 on a die"),
    (roll("attack", "criticals_from_pool", 2), "Attack rolls can be critical with 2 dice or more"),
    (
        roll("attack", "uses_ability", ability="ability:agility", this_item_only=True),
        "Attack rolls with this item use Agility",
    ),
    (roll("attack", "may_use_ability", ability="ability:agility"), "Attack rolls may use Agility"),
    (roll("damage", "damage_die", 6), "Damage: the die is at least d6"),
    (roll("damage", "damage_die_step", 2), "Damage: the die grows by 2"),
    (roll("damage", "damage_die_set", 8), "Damage: the die becomes d8"),
    (
        roll("damage", "damage_die_set", 2, per="property_a"),
        "Damage: the die becomes one whose sides are 2 × the number beside the property",
    ),
    (
        roll("attack", "reach", 1, per="property_a"),
        "Reach further on attack rolls, in feet, by the number beside the property",
    ),
    (roll("damage", "damage_dice", 2), "Damage: dice × 2"),
    (roll("damage", "damage_type", subject="damage-type:fire"), "Damage becomes Fire"),
    (roll("damage", "ability_times", 2), "Damage: the ability counts × 2"),
    (roll("attack", "reach", 5), "Reach +5 feet on attack rolls"),
    (roll("damage", "damage_at_least", 1), "Damage is at least 1"),
    (roll("attack", "range"), "Attack rolls: a range in feet, normal and far"),
    (roll("attack", "thrown"), "Attack rolls: may be thrown, with a range in feet"),
    (roll("attack", "attacks_at_most", 1, this_item_only=True), "At most 1 attack with this item"),
    (roll("initiative", "advantage"), "Advantage on initiative"),
    (roll("against", "advantage"), "Advantage on attack rolls against this character"),
    (grant("feature:darksight"), "Gains Darksight"),
    (grant("feature:darksight", from_rank=3), "Gains Darksight from rank 3"),
    (grant("skill:awareness", "skilled"), "Is proficient with Awareness"),
    (grant("ability:agility", "skilled"), "Is proficient with Agility saving throws"),
    (grant("language:common", "knows"), "Knows Common"),
    (grant("gear:torch", "own", quantity=2), "Owns 2 × Torch"),
    (grant("ability:agility"), "Gains Agility"),
    (grant("damage-type:fire", "resist"), "Resists Fire"),
    (grant("damage-type:fire", "immune"), "Is immune to Fire"),
    (grant("damage-type:fire", "vulnerable"), "Is vulnerable to Fire"),
    (grant("job:fighter", "rank"), "Gains a rank in Fighter"),
    (Effect("note", "feature:x", text="ends when it moves."), "Ends when it moves."),
    (Effect("note", "feature:x", text="not while prone.", stat="defense"), "Defense: not while prone."),
    (Effect("note", "feature:x", text="reroll one die.", roll="attack"), "Attack rolls: reroll one die."),
]


@pytest.mark.parametrize(("effect", "sentence"), EFFECTS, ids=[sentence for _, sentence in EFFECTS])
def test_an_effect_reads_back_as_a_sentence(effect, sentence):
    assert effect_sentence(effect, NAMES) == sentence


def test_every_word_of_the_vocabulary_is_in_the_table():
    effects = [effect for effect, _ in EFFECTS]
    assert {effect.op for effect in effects} >= set(vocabulary.Op.values)
    assert {effect.aspect for effect in effects} >= set(vocabulary.RollAspect.values)
    assert {effect.roll for effect in effects} >= set(vocabulary.RollWord.values)
    assert {effect.grant_as for effect in effects} >= set(vocabulary.GrantWord.values)
    assert {effect.amount.per for effect in effects} >= set(vocabulary.Per.values)
    assert {row.test for row, _ in TESTS} >= set(vocabulary.TestWord.values)


CHOICES = [
    (
        Choice("a.b", "culture:a", "b", "?", count=2, grant_as="skilled", filter_kind="skill"),
        "Choose 2 skills to be proficient with",
    ),
    (Choice("a.b", "culture:a", "b", "?", grant_as="knows", filter_kind="language"), "Choose 1 language to know"),
    (Choice("a.b", "culture:a", "b", "?", filter_kind="talent"), "Choose 1 talent"),
    (
        Choice("a.b", "culture:a", "b", "?", grant_as="skilled", options=("tool:smith", "tool:brewer")),
        "Choose 1 tool to be proficient with: Smith's tools or Brewer's supplies",
    ),
    (
        Choice(
            "a.b", "job:a", "b", "?", options=("tool:smith", "tool:brewer", "gear:torch", "job:fighter"), from_rank=1
        ),
        "Choose 1 option: Smith's tools, Brewer's supplies, Torch or Fighter",
    ),
    (
        Choice("a.b", "job:a", "b", "?", filter_kind="feature", from_rank=15, every=5),
        "Choose 1 feature, from rank 15, again every 5 ranks",
    ),
    (
        Choice("a.b", "rules:a", "b", "?", filter_kind="talent", from_rank=2, every=1),
        "Choose 1 talent, from level 2, again at every level",
    ),
    (
        Choice("a.b", "job:a", "b", "?", filter_kind="feature", replaceable=True),
        "Choose 1 feature; may be swapped later",
    ),
    (Choice("a.b", "job:a", "b", "?", filter_kind="job", grant_as="rank"), "Choose 1 job to gain a rank in"),
    (
        Choice("a.b", "rules:a", "b", "?", count=0, count_of="picks", filter_kind="skill"),
        "Choose as many skills as Skill picks",
    ),
    (
        Choice("a.b", "rules:a", "b", "?", count=1, count_of="picks", filter_kind="skill"),
        "Choose 1 + Skill picks skills",
    ),
    (
        Choice("a.b", "rules:a", "b", "?", filter_kind="skill", for_duplicates=True),
        "Choose another skill for each that you have twice",
    ),
    (
        Choice("a.b", "rules:a", "b", "?", filter_kind="disposition", write_in=True),
        "Choose 1 disposition, or write your own",
    ),
    (Choice("a.b", "rules:a", "b", "?", write_in=True), "Choose 1 option in your own words"),
    (Choice("a.b", "rules:a", "b", "?", filter_kind="talent", when="armored"), "Choose 1 talent while wearing armor"),
    (
        Choice("a.b", "rules:a", "b", "?", mode="spread", count=3, per_option_max=2, stats=("rank.vitality", "speed")),
        "Spread 3 points over Vitality rank and Speed, at most 2 on each",
    ),
    (
        Choice(
            "a.b",
            "rules:a",
            "b",
            "?",
            mode="spread",
            count=2,
            stats=("a", "b", "c", "d"),
            ceiling="cap",
            budget="level",
        ),
        "Spread 2 points over 4 statistics, at most 1 on each, none above Ability cap (one for all “level” choices)",
    ),
]


@pytest.mark.parametrize(("choice", "sentence"), CHOICES, ids=[sentence for _, sentence in CHOICES])
def test_a_choice_reads_back_as_a_sentence(choice, sentence):
    assert choice_sentence(choice, NAMES) == sentence


# The missing thing, as the end of “Medic needs …”.
WANTING = [
    (Requirement("has", "feature:darksight"), "Darksight"),
    (Requirement("has", "feature:darksight", negate=True), "not Darksight"),
    (Requirement("has", "feature:lost"), "feature:lost"),
    (Requirement("skilled", "skill:awareness"), "proficiency with Awareness"),
    (Requirement("stat_min", stat="rank.vitality", value=13), "Vitality rank at least 13"),
    (Requirement("stat_max", stat="rank.vitality", value=9), "Vitality rank at most 9"),
    (Requirement("stat_min", stat="charm", value=1), "charm at least 1"),
    (Requirement("level", value=3), "level 3"),
    (Requirement("rank", "job:fighter", value=3), "Fighter rank 3"),
    (Requirement("first_job"), "being the starting job"),
    (Requirement("first_job", negate=True), "not being the starting job"),
    (Requirement("switch", switch="third", word="9|11"), "the house rule “Third attack” set to 9 or 11"),
    (Requirement("switch", switch="fourth", word="9"), "the house rule “fourth” set to 9"),
    (Requirement("storyteller"), "the storyteller’s agreement"),
    (Requirement("resource_empty", word="resolve"), "resource empty"),
]


@pytest.mark.parametrize(("test", "words"), WANTING)
def test_a_requirement_that_is_not_met_is_named(test, words):
    assert in_words([test], NAMES) == words
    assert in_words([test, Requirement("level", value=9)], NAMES) == f"{words} or level 9"


TESTS = [
    (Requirement("has", "feature:darksight"), "Has Darksight"),
    (Requirement("has", "feature:darksight", negate=True), "Does not have Darksight"),
    (Requirement("skilled", "skill:awareness"), "Is proficient with Awareness"),
    (Requirement("skilled", "skill:awareness", negate=True), "Is not proficient with Awareness"),
    (Requirement("stat_min", stat="rank.vitality", value=13), "Vitality rank 13 or more"),
    (Requirement("stat_min", stat="rank.vitality", value=13, negate=True), "Vitality rank 12 or less"),
    (Requirement("stat_max", stat="rank.vitality", value=0), "Vitality rank 0 or less"),
    (Requirement("stat_max", stat="rank.vitality", value=0, negate=True), "Vitality rank 1 or more"),
    (Requirement("level", value=3), "Level 3 or more"),
    (Requirement("level", value=3, negate=True), "Below level 3"),
    (Requirement("rank", "job:fighter", value=3), "Fighter rank 3 or more"),
    (Requirement("rank", "job:fighter", value=3, negate=True), "Below Fighter rank 3"),
    (Requirement("wears", word="any"), "Wears armor"),
    (Requirement("wears", word="any", negate=True), "Does not wear armor"),
    (Requirement("wears", "category:ranged", word="element"), "Wears ranged weapons"),
    (Requirement("wields", word="two-weapons"), "Holds two weapons"),
    (Requirement("wields", word="two-hands", negate=True), "Does not hold the weapon in two hands"),
    (Requirement("first_job"), "It is the starting job"),
    (Requirement("first_job", negate=True), "It is not the starting job"),
    (Requirement("roll_trained"), "The roll uses a proficiency"),
    (Requirement("roll_trained", negate=True), "The roll uses no proficiency"),
    (Requirement("roll_named"), "The roll is of a skill, knowledge or tool"),
    (Requirement("roll_named", negate=True), "The roll is of no skill, knowledge or tool"),
    (Requirement("resource_empty", word="resolve"), "No Resolve left"),
    (Requirement("resource_empty", word="resolve", negate=True), "Some Resolve left"),
    (Requirement("switch", switch="third", word="9|11"), "House rule “Third attack” is set to 9 or 11"),
    (Requirement("switch", switch="third", word="9", negate=True), "House rule “Third attack” is not set to 9"),
    (Requirement("storyteller"), "The storyteller agrees"),
    (Requirement("storyteller", negate=True), "The storyteller does not agree"),
]


@pytest.mark.parametrize(("row", "sentence"), TESTS, ids=[sentence for _, sentence in TESTS])
def test_a_test_reads_back_as_a_sentence(row, sentence):
    assert requirement_sentence(row, NAMES) == sentence


def test_rows_that_share_a_number_are_alternatives():
    rows = [
        Requirement("rank", "job:fighter", value=3, either=1),
        Requirement("level", value=5),
        Requirement("stat_min", stat="rank.vitality", value=13, either=1),
        Requirement("first_job"),
    ]
    assert requirements_sentences(rows, NAMES) == (
        "Fighter rank 3 or more, or Vitality rank 13 or more",
        "Level 5 or more",
        "It is the starting job",
    )


USES = [
    (resource_sentence, RESOLVE, "Resolve: points, as many as Maximum resolve"),
    (resource_sentence, STAMINA, "Stamina: d6 dice, as many as Stamina dice"),
    (resource_sentence, Resource("rage", "Vitality rank", "job:a", "rank.vitality"), "Vitality rank: uses"),
    (resource_sentence, WOUNDS, "Wounds: counted up to Most wounds"),
    (recovery_sentence, Recovery("rules:core", "resolve", "long-rest", full=True), "Long rest: all Resolve comes back"),
    (
        recovery_sentence,
        Recovery("rules:core", "resolve", "long-rest", amount=Amount(1), when="armored"),
        "Long rest: Resolve +1 while wearing armor",
    ),
    (recovery_sentence, Recovery("rules:core", "wounds", "long-rest", full=True), "Long rest: Wounds back to 0"),
    (recovery_sentence, Recovery("rules:core", "wounds", "long-rest", amount=Amount(1)), "Long rest: Wounds −1"),
    (
        action_sentence,
        Action(
            "job:a",
            "wind",
            "Wind",
            "Bonus action",
            roll="heal",
            dice=2,
            amount=Amount(0, "rank.vitality", 2),
            resource="resolve",
        ),
        "Bonus action: Wind, heals 2D + 2 × Vitality rank, spends 1 Resolve",
    ),
    (
        action_sentence,
        Action(
            "job:a",
            "w",
            "Rest",
            "Free",
            trigger="after a fight",
            range="30 feet",
            roll="damage",
            dice=1,
            die=8,
            fires="long-rest",
            from_rank=4,
        ),
        "Free: Rest, after a fight, 30 feet, 1d8 damage, counts as: Long rest, from rank 4",
    ),
    (
        action_sentence,
        Action("job:a", "d", "Duel", "Free", changes="reroll", of_roll="attack", when="armored", resource="resolve"),
        "Free: Duel, rolls a missed attack again, spends 1 Resolve, while wearing armor",
    ),
    (
        action_sentence,
        Action("job:a", "i", "Will", "Free", changes="succeed", of_roll="save"),
        "Free: Will, makes a failed saving throw succeed",
    ),
    (
        action_sentence,
        Action("job:a", "p", "Dare", "Bonus action", begins="property:thrown"),
        "Bonus action: Dare, begins: Thrown",
    ),
    (
        action_sentence,
        Action("job:a", "b", "Bash", "Action", roll="attack", dice=3, from_rank=1),
        "Action: Bash, 3D attack roll",
    ),
    (action_sentence, Action("job:a", "b", "Look", "Free", roll="check", dice=1), "Free: Look, 1D check"),
    (condition_sentence, Condition(False, 1), ""),
    (condition_sentence, Condition(False, 1, turns=1), "Ends when the next turn starts"),
    (
        condition_sentence,
        Condition(False, 1, turns=2, until="long-rest", ends_with="attack"),
        "Ends when 2 turns have started or with: Long rest or with an attack roll",
    ),
    (property_phrase, PropertyUse("property:thrown", 30, 60), "Thrown (30/60)"),
    (property_phrase, PropertyUse("property:thrown"), "Thrown"),
    (property_phrase, PropertyUse("property:thrown", note="arrows"), "Thrown (arrows)"),
    (property_phrase, PropertyUse("property:thrown", 6, note="shots"), "Thrown (6 shots)"),
    (weapon_sentence, Weapon("category:x", False, 2, 6, "damage-type:fire", 2), "2d6 fire, in two hands"),
    (weapon_sentence, Weapon("category:x", False, 1, 4, "damage-type:fire", 1), "1d4 fire, in one hand"),
    (weapon_sentence, Weapon("category:x", False, 1, 1, "damage-type:fire", 0), "1d1 fire, in no hand"),
    (armor_sentence, Armor("category:x", 11, "ability:agility", None, 0), "Defense 11 + Agility"),
    (armor_sentence, Armor("category:x", 14, "ability:agility", 2, 0), "Defense 14 + Agility, at most 2"),
    (armor_sentence, Armor("category:x", 18, "ability:agility", 0, 0), "Defense 18"),
    (armor_sentence, Armor("category:x", 18, "", None, 0), "Defense 18"),
    (armor_sentence, Armor("category:x", 0, "", None, 1), ""),
    (armor_defense, Armor("category:x", 0, "", None, 1), "as its effects say"),
]


@pytest.mark.parametrize(("say", "row", "sentence"), USES, ids=[sentence for _, _, sentence in USES])
def test_a_resource_recovery_action_condition_or_property_reads_back_as_a_sentence(say, row, sentence):
    assert say(row, NAMES) == sentence


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (lambda names: requirement_sentence(Requirement("level", value=5, negate=True), names), "Below tide 5"),
        (lambda names: requirement_sentence(Requirement("level", value=5), names), "Tide 5 or more"),
        (lambda names: effect_sentence(modify(flat=1, per="level"), names), "+1 Defense at each tide"),
        (
            lambda names: effect_sentence(replace(modify(flat=1), owner="talent:x", from_rank=4), names),
            "+1 Defense from tide 4",
        ),
        (
            lambda names: effect_sentence(replace(modify(flat=1), owner="job:x", from_rank=4), names),
            "+1 Defense from rank 4",
        ),
        (
            lambda names: choice_sentence(Choice("x.y", "talent:x", "y", "Y", every=2), names),
            "Choose 1 option, again every 2 tides",
        ),
    ],
)
def test_a_level_has_the_games_own_word(said, sentence):
    assert said(replace(NAMES, game=pebbles.GAME)) == sentence
