"""Sentences that an author completes: every column of the rows that each becomes, and each refusal in full."""

import pytest
from django.forms.models import model_to_dict

from rules import models
from rules.patterns.lines import MOST_LINES, write
from rules.patterns.words import NotUnderstood, Words
from tests.support.rows_of_lines import understood

pytestmark = pytest.mark.django_db


def rows(talent, *lines):
    """The columns of each row that are not at their default; a reference is the key of its row."""
    return [columns(row) for row in understood(lines, Words(talent.source, talent.name))]


def columns(row):
    found = {"row": type(row).__name__}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.name) if field.is_relation and getattr(row, field.attname) else None
        value = getattr(row, field.attname) if value is None and not field.is_relation else value
        if (
            field.name == "max_stat"
            or (field.name == "stat" and not row.stat_id)
            or field.name in ("resource", "of_stat")
        ):
            value = getattr(row, field.name, None)
        if value != (None if field.is_relation else field.get_default()):
            found[field.name] = next(
                (str(getattr(value, key)) for key in ("key", "slug") if hasattr(value, key)), value
            )
    found.pop("kind", None)
    return found


DEFENSE = {"row": "StatModifier", "stat": "defense", "op": "add"}
SPEED = {"row": "StatModifier", "stat": "speed"}
CHECK = {"row": "RollModifier", "roll": "check"}
NEEDS = {"row": "Prerequisite"}
LINES = {
    "+1 to Defense": [{**DEFENSE, "amount": 1}],
    "  −2 Defense.  ": [{**DEFENSE, "amount": -2}],
    "-2 Defense": [{**DEFENSE, "amount": -2}],
    "From rank 12: +100 to defense PER LEVEL while wearing no armor": [
        {**DEFENSE, "amount": 100, "per": "level", "when": "without-armor", "from_rank": 12}
    ],
    "each 3 ranks: +2 to Defense while wearing no armor": [
        {"row": "Stat", "key": "wary-ranks", "name": "Ranks for Wary", "visible": False},
        {"row": "StatModifier", "stat": "wary-ranks", "op": "base", "amount": 1, "per": "rank"},
        *[{**DEFENSE, "of_stat": "wary-ranks", "divided_by": 3, "when": "without-armor"}] * 2,
    ],
    "each 1 level: -1 Speed": [
        {"row": "Stat", "key": "wary-levels", "name": "Levels for Wary", "visible": False},
        {"row": "StatModifier", "stat": "wary-levels", "op": "base", "amount": 1, "per": "level"},
        {"row": "StatModifier", "stat": "speed", "op": "add", "of_stat": "wary-levels", "times": -1,
         "round_up": True},
    ],
    "-1 to Defense for each stack": [{**DEFENSE, "amount": -1, "per": "stack"}],
    "-1 on checks at each level in dim light": [
        {**CHECK, "aspect": "bonus", "amount": -1, "per": "level", "when": "dim-light"}
    ],
    "disadvantage on attack rolls against this character": [
        {"row": "RollModifier", "roll": "against", "aspect": "disadvantage"}
    ],
    "Agility saving throws fail without a roll in dim light": [
        {"row": "RollModifier", "roll": "save", "aspect": "fails", "ability": "agility", "when": "dim-light"}
    ],
    "from rank 3: Attack rolls succeed without a roll": [
        {"row": "RollModifier", "roll": "attack", "aspect": "succeeds", "from_rank": 3}
    ],
    "adds half strength to Defense": [{**DEFENSE, "of_stat": "rank.strength", "divided_by": 2}],
    "Adds 3 - 2 x Strength / 5 rounded up (at most 4) to Defense for each piece while wearing armor": [
        {**DEFENSE, "amount": 3, "of_stat": "rank.strength", "times": -2, "divided_by": 5, "round_up": True,
         "at_most": 4, "per": "stack", "when": "wearing-armor"}
    ],
    "adds 5 to Defense": [{**DEFENSE, "amount": 5}],
    "Speed becomes 0": [{**SPEED, "op": "set", "amount": 0}],
    "from rank 2: speed is at least Strength modifier (at least 1, at most 9) per level in dim light": [
        {**SPEED, "op": "at_least", "of_stat": "modifier.strength", "at_least": 1, "at_most": 9, "per": "level",
         "when": "dim-light", "from_rank": 2}
    ],
    "Speed becomes 10 feet while wearing armor": [{**SPEED, "op": "set", "amount": 10, "when": "wearing-armor"}],
    "Advantage on checks, in dim light": [{**CHECK, "aspect": "advantage", "when": "dim-light"}],
    "Ability checks fail without a roll, in dim light": [{**CHECK, "aspect": "fails", "when": "dim-light"}],
    "Speed is at most -5": [{**SPEED, "op": "at_most", "amount": -5}],
    "Note: You cannot speak: not a word.": [{"row": "Note", "text": "You cannot speak: not a word."}],
    "from rank 2: note on speed: Stay!": [
        {"row": "Note", "text": "Stay!", "stat": "speed", "from_rank": 2}
    ],
    "note on damage: It burns": [{"row": "Note", "text": "It burns.", "roll": "damage"}],
    "Speed starts at 35": [{"row": "StatModifier", "stat": "speed", "op": "base", "amount": 35}],
    "from rank 3: speed starts at 5": [
        {"row": "StatModifier", "stat": "speed", "op": "base", "amount": 5, "from_rank": 3}
    ],
    "advantage on checks": [{**CHECK, "aspect": "advantage"}],
    "−1 on checks of Stealth": [{**CHECK, "aspect": "bonus", "amount": -1, "subject": "stealth"}],
    "from rank 2: disadvantage on checks of strength in dim light": [
        {**CHECK, "aspect": "disadvantage", "ability": "strength", "when": "dim-light", "from_rank": 2}
    ],
    "+1 on initiative": [{"row": "RollModifier", "roll": "initiative", "aspect": "bonus", "amount": 1}],
    "+1 on damage of fire": [
        {"row": "RollModifier", "roll": "damage", "aspect": "bonus", "amount": 1, "subject": "fire"}
    ],
    "+1 on attack rolls of Finesse": [
        {"row": "RollModifier", "roll": "attack", "aspect": "bonus", "amount": 1, "subject": "finesse"}
    ],
    "from rank 7: knows Elvish": [{"row": "Grant", "element": "elvish", "grant_as": "knows", "from_rank": 7}],
    "is immune to poison": [{"row": "Grant", "element": "poison", "grant_as": "immune"}],
    "owns longsword": [{"row": "Grant", "element": "longsword", "grant_as": "own"}],
    "is vulnerable to fire": [{"row": "Grant", "element": "fire", "grant_as": "vulnerable"}],
    "choose 1 skill": [
        {"row": "Choice", "slug": "wary-skill", "prompt": "Choose 1 skill", "filter_kind": "skill",
         "grant_as": "skilled"}
    ],
    "from rank 4: choose 2 of abilities": [
        {"row": "Choice", "slug": "wary-ability", "prompt": "Choose 2 abilities", "count": 2,
         "filter_kind": "ability", "from_rank": 4}
    ],
    "Choose 12 Languages": [
        {"row": "Choice", "slug": "wary-language", "prompt": "Choose 12 languages", "count": 12,
         "filter_kind": "language", "grant_as": "knows"}
    ],
    "3 uses, back after a long rest": [
        {"row": "Stat", "key": "wary.max", "name": "Uses of Wary"},
        {"row": "StatModifier", "stat": "wary.max", "op": "base", "amount": 3},
        {"row": "Resource", "slug": "wary", "name": "Wary", "max_stat": "wary.max"},
        {"row": "Recovery", "resource": "wary", "event": "long-rest", "full": True},
    ],
    "Action: Wait": [{"row": "Action", "slug": "wait", "name": "Wait", "timing": "action"}],
    "Bonus action: 3 steps, 1 use, back after short rest": [
        {"row": "Stat", "key": "uses-3-steps.max", "name": "Uses of 3 steps"},
        {"row": "StatModifier", "stat": "uses-3-steps.max", "op": "base", "amount": 1},
        {"row": "Resource", "slug": "uses-3-steps", "name": "3 steps", "max_stat": "uses-3-steps.max"},
        {"row": "Recovery", "resource": "uses-3-steps", "event": "short-rest", "full": True},
        {"row": "Action", "slug": "uses-3-steps", "name": "3 steps", "timing": "bonus-action",
         "resource": "uses-3-steps"},
    ],
    "needs Tough": [{**NEEDS, "test": "has", "element": "tough"}],
    "needs Strength 13": [{**NEEDS, "test": "stat_min", "stat": "rank.strength", "value": 13}],
    "Needs strength at least 13 ": [{**NEEDS, "test": "stat_min", "stat": "rank.strength", "value": 13}],
    "needs Strength 13 or more": [{**NEEDS, "test": "stat_min", "stat": "rank.strength", "value": 13}],
    "needs Mind at most 8": [{**NEEDS, "test": "stat_max", "stat": "rank.mind", "value": 8}],
    "needs level 5": [{**NEEDS, "test": "level", "value": 5}],
    "needs fighter rank 3": [{**NEEDS, "test": "rank", "element": "fighter", "value": 3}],
    "needs 1 rank in Fighter": [{**NEEDS, "test": "rank", "element": "fighter", "value": 1}],
    "needs proficiency with Stealth": [{**NEEDS, "test": "skilled", "element": "stealth"}],
    "needs proficiency with Strength": [{**NEEDS, "test": "skilled", "element": "strength"}],
    "3 uses of Sap, back after a long rest": [
        {"row": "Stat", "key": "sap.max", "name": "Uses of Sap"},
        {"row": "StatModifier", "stat": "sap.max", "op": "base", "amount": 3},
        {"row": "Resource", "slug": "sap", "name": "Sap", "max_stat": "sap.max"},
        {"row": "Recovery", "resource": "sap", "event": "long-rest", "full": True},
    ],
    "action: Burst, 2d6+3 damage, spends 2 second wind": [
        {"row": "Action", "slug": "burst", "name": "Burst", "timing": "action", "roll": "damage", "dice": 2,
         "amount": 3, "resource": "second-wind", "uses": 2}
    ],
    "Action: Mend, Heals d8 + half Strength": [
        {"row": "Action", "slug": "mend", "name": "Mend", "timing": "action", "roll": "heal", "dice": 1, "die": 8,
         "of_stat": "rank.strength", "divided_by": 2}
    ],
    "needs the storyteller's agreement": [{**NEEDS, "test": "storyteller"}],
    "needs being the starting job or the house rule “More than one job” set to ON": [
        {**NEEDS, "test": "first_job", "either": 1},
        {**NEEDS, "test": "switch", "switch": "multipleJobs", "word": "on", "either": 1},
    ],
    "needs the house rule \"mixedCultures\" set to ask first": [
        {**NEEDS, "test": "switch", "switch": "mixedCultures", "word": "ask"}
    ],
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_sentence_becomes_these_rows(talent, line):
    assert rows(talent, line) == LINES[line]


NO_NAME = "“{}”: Name the action before its roll, as in “Bonus action: Second breath, heals 1d8”."
NONE_OF_THEM = "“{}” is not one of the sentences listed here. Complete one of them, or write it in the text."
RESTS = " Write Start of your turn, Short rest, Long rest, End of an adventure or Downtime."
TIMINGS = " Write Action, Bonus action, Reaction, Free, Movement, Resolve, During a rest or Downtime."
REFUSED = {
    "dance": NONE_OF_THEM,
    "0 uses, back after a short rest": NONE_OF_THEM,
    "+1 to Defence": "“{}”: No statistic is called “Defence”. Do you mean Defense?",
    "+1 to Zzz": "“{}”: No statistic is called “Zzz”.",
    "+1 to Defence, while bloodied": (
        "“{}”: No statistic is called “Defence”. Do you mean Defense? No circumstance is called “while bloodied”."
    ),
    "Spead becomes half Strangth while in water": "“{}”: No statistic is called “Spead”. Do you mean Speed?",
    "advantage on checks of Stelth while bloodied": (
        "“{}”: No entry is called “Stelth”. Do you mean Stealth? No circumstance is called “while bloodied”."
    ),
    "+2 to Stealth": "“{}”: Write “+2 on checks of Stealth”.",
    "+2 to Stealth while bloodied": "“{}”: Write “+2 on checks of Stealth”.",
    "+1 damage": "“{}”: Write “+1 on damage”.",
    "from rank 2: -1 to Saving throws while wearing armor": "“{}”: Write “-1 on saving throws”.",
    "+1 to attack rolls while asleep": "“{}”: Write “+1 on attack rolls while asleep”.",
    "+1 to stealth on a cart": "“{}”: Write “+1 on checks of Stealth”.",
    "+1 to medicine checks": "“{}”: Write “+1 on checks of Medicine”.",
    "advantage on checks sideways": "“{}”: No circumstance is called “sideways”.",
    "Speed starts at 30 while asleep": "“{}”: No circumstance is called “while asleep”.",
    "Defense becomes 10 feet": "“{}”: No circumstance is called “feet”.",
    "Speed becomes 1000": "“{}”: Write a number of at most three digits.",
    "Speed becomes half Strangth": "“{}”: No statistic is called “Strangth”. Do you mean Strength?",
    "adds half Strength while asleep to Speed": "“{}”: No circumstance is called “while asleep”.",
    "adds Strength to Spead": "“{}”: No statistic is called “Spead”. Do you mean Speed?",
    "adds Strength (at least 3, at most 2) to Speed": "“{}”: The least must not be above the most.",
    "Speed becomes  while wearing armor": (
        "“{}”: Write a number or a statistic, such as “half Strength rounded down”."
    ),
    "damage succeed without a roll": NONE_OF_THEM,
    "checks fail without a roll sideways": "“{}”: No circumstance is called “sideways”.",
    "checks of Stealth fail without a roll while asleep": "“{}”: No circumstance is called “while asleep”.",
    "advantage on checks per level": "“{}”: No circumstance is called “per level”.",
    "note: .": NONE_OF_THEM.format("note: "),
    "note on Spead: You cannot move": "“{}”: No statistic is called “Spead”. Do you mean Speed?",
    f"note: {'x' * 400}": "“{}”: A note has at most 400 characters.",
    "1 use, back after a nap": "“{}”: No rest is called “nap”." + RESTS,
    "1 use, back after a short rests": "“{}”: No rest is called “short rests”." + RESTS,
    "each 0 ranks: +1 to Defense": "“{}”: Write from 1 to 99 ranks, such as “each 3 ranks”.",
    "Each 100 levels: +1 to Defense": "“{}”: Write from 1 to 99 levels, such as “each 3 levels”.",
    "each 3 ranks: +10 to Defense": "“{}”: Write from +1 to +9, or from −1 to −9.",
    "each 3 ranks: −0 to Defense": "“{}”: Write from +1 to +9, or from −1 to −9.",
    "each 3 ranks: +1 on checks of Stealth": (
        "“{}”: Only a statistic grows in steps. "
        "Write a line for each step, such as “from rank 3: +1 on checks of Stealth”."
    ),
    "advantage on checks of Stealth while in the reeds": "“{}”: No circumstance is called “while in the reeds”.",
    "+1 on Strength checks while wearing heavy armor": (
        "“{}”: No circumstance is called “while wearing heavy armor”. Do you mean while wearing armor?"
    ),
    "Action: Burst, spends 1 Sapp": "“{}”: No resource is called “Sapp”.",
    "Action: Burst, 0d6 damage": "“{}”: Write from 1 to 40 dice, of 1 to 100 sides.",
    "Action: Burst, 2d0 damage": "“{}”: Write from 1 to 40 dice, of 1 to 100 sides.",
    "Action: Burst, 99d6 damage": "“{}”: Write from 1 to 40 dice, of 1 to 100 sides.",
    "Action: Burst, much damage": "“{}”: No statistic is called “much”.",
    "Action: Burst, 2d6": NONE_OF_THEM,
    "Later: Wait": "“{}”: No timing is called “Later”." + TIMINGS,
    "from level 3: each 2 levels: +1 to Defense": NONE_OF_THEM,
    "+1 to Defense while wearing heavy armor": (
        "“{}”: No circumstance is called “while wearing heavy armor”. Do you mean while wearing armor?"
    ),
    "resists longsword": "“{}”: Longsword is a weapon: write “is proficient with Longsword”.",
    "knows Stealth": "“{}”: Stealth is a skill: write “is proficient with Stealth”.",
    "is proficient with Darksight": "“{}”: Darksight is a feature: write “gains Darksight”.",
    "gains poison": "“{}”: Poison is a damage type: write “resists Poison”.",
    "gains Fighter": "“{}”: Fighter is a job: name something else.",
    "owns Stealth": "“{}”: Stealth is a skill: write “is proficient with Stealth”.",
    "gains Darksigt": "“{}”: No entry is called “Darksigt”. Do you mean Darksight?",
    "advantage on checks of Tough": "“{}”: No entry is called “Tough”.",
    "choose 2 of skils": "“{}”: No kind is called “skils”. Do you mean skills?",
    "Bonus action: heal 1d8, 1 use, back after a long rest": NO_NAME,
    "Action: 2D damage": NO_NAME,
    "choose 2 of zzz": "“{}”: No kind is called “zzz”.",
    "needs Strangth 13": "“{}”: No statistic is called “Strangth”. Do you mean Strength?",
    "needs Strength more than 13": "“{}”: No statistic is called “Strength more than”. Do you mean Strength modifier?",
    "needs Tuogh": "“{}”: No entry is called “Tuogh”. Do you mean Tough?",
    "needs Tough or Tuogh": "“{}”: No entry is called “Tuogh”. Do you mean Tough?",
    "needs Stealth": "“{}”: Stealth is a skill: write “needs proficiency with Stealth”.",
    "needs Stealth rank 2": "“{}”: Stealth is a skill: write “needs proficiency with Stealth”.",
    "needs Strength": "“{}”: Strength is an ability: write “needs Strength at least 13”.",
    "needs proficiency with Tough": "“{}”: Tough is a talent: write “needs Tough”.",
    "needs Elvish": "“{}”: Elvish is a language: name something else.",
    "needs level 5 and Strength 13": "“{}”: Write each thing that it needs on a line of its own.",
    "needs Tough, Strength 13": "“{}”: Write each thing that it needs on a line of its own.",
    "needs Strength 1300": "“{}”: No entry is called “Strength 1300”. Do you mean Strength?",
    "needs the house rule “Luck” set to on": "“{}”: No house rule is called “Luck”.",
    "needs the house rule “More than one job” set to maybe": "“{}”: “maybe” is not possible here: choose on or off.",
    "from level 3: needs Tough": NONE_OF_THEM,
    "gains Light": "“{}”: More than one entry is called “Light”. Write which: category:light, property:light.",
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_sentence_that_is_not_understood_is_refused_with_this_message(talent, line):
    if "More than one" in REFUSED[line]:
        for model in (models.Category, models.WeaponProperty):
            model.objects.get_or_create(
                ruleset=talent.ruleset, slug="light", defaults={"source": talent.source, "name": "Light"}
            )
    with pytest.raises(NotUnderstood) as refused:
        rows(talent, line)
    assert str(refused.value) == REFUSED[line].format(line)


def test_only_conditions_and_goods_are_counted_in_stacks(talent):
    refusal = "“{}”: Only conditions and goods are counted. Write “per rank” or “per level”."
    for line in ("+1 to Speed per stack", "-1 on checks for each stack", "Speed becomes 2 for each piece"):
        with pytest.raises(NotUnderstood) as refused:
            understood([line], Words(talent.source, talent.name, "talent"))
        assert str(refused.value) == refusal.format(line)
        for kind in ("condition", "gear"):
            assert understood([line], Words(talent.source, talent.name, kind))[0].per == "stack"


def test_at_most_twenty_lines_are_allowed(talent):
    assert len(rows(talent, *["+1 to Defense"] * MOST_LINES, "", " ")) == MOST_LINES == 20
    with pytest.raises(NotUnderstood) as refused:
        rows(talent, *["+1 to Defense"] * (MOST_LINES + 1))
    assert str(refused.value) == "Write at most 20 lines at once."


def test_the_longest_circumstance_at_the_end_of_a_line_is_used(talent):
    columns = {"ruleset": talent.ruleset, "source": talent.source, "detection": "toggle"}
    models.Circumstance.objects.create(slug="asleep", name="asleep", **columns)
    models.Circumstance.objects.create(slug="while-asleep", name="while asleep", **columns)
    assert rows(talent, "+1 to Defense while asleep") == [{**DEFENSE, "amount": 1, "when": "while-asleep"}]
    assert rows(talent, "advantage on checks asleep") == [{**CHECK, "aspect": "advantage", "when": "asleep"}]


def test_a_retired_entry_is_not_understood(talent):
    models.Feature.objects.filter(slug="darksight").update(status="retired")
    with pytest.raises(NotUnderstood):
        rows(talent, "gains Darksight")


def test_a_long_name_is_cut_to_its_column(talent):
    talent.name = "n" * 120
    stat, _, resource, _ = understood(["1 use, back after a short rest"], Words(talent.source, talent.name))
    assert (len(stat.name), len(resource.name), len(resource.slug)) == (120, 120, 50)
    assert stat.name.startswith("Uses of nnn")


def test_a_slug_in_use_is_not_used_again(talent):
    models.Stat.objects.create(ruleset=talent.ruleset, source=talent.source, key="wary.max", name="Wary")
    words = Words(talent.source, talent.name)
    assert [words.new_slug("Wary"), words.new_slug("Wary"), words.new_slug("4"), words.new_slug("?")] == [
        "wary-2", "wary-3", "uses-4", "uses",
    ]  # fmt: skip
    taken = models.Resource.objects.first().slug
    assert words.new_slug(taken.replace("-", " ")) == f"{taken}-2"


def test_new_rows_are_ordered_after_the_existing_ones(talent):
    models.Note.objects.create(owner=talent, text="First", order=7)
    found = understood(["+1 to Defense", "1 use, back after a short rest"], Words(talent.source, talent.name))
    write(found, talent)
    assert list(talent.effects.order_by("order").values_list("order", "kind")) == [
        (7, "note"), (8, "modify"), (9, "modify"),
    ]  # fmt: skip
    stat = models.Stat.objects.get(key="wary.max")
    assert (stat.ruleset, stat.source) == (talent.ruleset, talent.source)
    assert model_to_dict(talent.resources.get())["owner"] == talent.pk
