"""Files that are refused: every fault with its path and a sentence, nothing stored."""

import copy
import json

import pytest

from characters import verbs
from characters.change.refusals import KeyReused, Refused
from characters.models import Character
from characters.read.character_file import read_file
from characters.verbs.begin import BadFile
from rules.models import Source
from tests.characters.cast import MIRA, document, mira, new_key, person
from tests.factories import SourceFactory

pytestmark = pytest.mark.django_db

TEXT = json.dumps(document())


def problems(data):
    reading = read_file(data)
    assert (reading.build is None) == bool(reading.problems)
    assert len(set(reading.problems)) == len(reading.problems)
    return {problem.where: problem.text for problem in reading.problems}


def changed(path, value):
    """Mira's file with the value at a path replaced, or deleted for `del_`."""
    whole = document()
    *way, last = path
    place = whole
    for step in way:
        place = place[step]
    if value is del_:
        del place[last]
    else:
        place[last] = value
    return json.dumps(whole)


del_ = object()

UNREADABLE = {
    "empty": b"",
    "no JSON": b"Mira, fighter",
    "cut off": TEXT[: len(TEXT) // 2].encode(),
    "two documents": (TEXT + TEXT).encode(),
    "utf-16": TEXT.encode("utf-16"),
    "utf-32": TEXT.encode("utf-32"),
    "latin-1": json.dumps({"name": "Zoë"}, ensure_ascii=False).encode("latin-1"),
    "a zip": b"PK\x03\x04\x00\xff\xfe",
    "5 MB": b" " * 5_000_000,
    "5 MB of name": json.dumps(document(name="x" * 5_000_000)).encode(),
    "2,000 deep": b"[" * 2_000 + b"]" * 2_000,
    "2,000 deep objects": b'{"a":' * 2_000 + b"1" + b"}" * 2_000,
    "deep behind an open quote": b'"' + b"[" * 100_000,
    "single quotes": b"{'format': 1}",
    "a comment": b"{} // x",
    "bare control character": b'{"name": "a\x01b"}',
}


NOT_TEXT = "The file is not text in UTF-8."
WHY_UNREADABLE = {
    "utf-16": NOT_TEXT, "utf-32": NOT_TEXT, "latin-1": NOT_TEXT, "a zip": NOT_TEXT,
    "5 MB": "The file is larger than one megabyte.", "5 MB of name": "The file is larger than one megabyte.",
    "2,000 deep": "The file is nested more than 32 deep.",
    "2,000 deep objects": "The file is nested more than 32 deep.",
}  # fmt: skip
WHERE = {"cut off": len(TEXT) // 2 + 1, "two documents": len(TEXT) + 1, "single quotes": 2, "a comment": 4,
         "bare control character": 12}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_file_gets_one_problem_without_a_path(name):
    no_json = f"This is not JSON: something is wrong at line 1, column {WHERE.get(name, 1)}."
    assert problems(UNREADABLE[name]) == {"": WHY_UNREADABLE.get(name, no_json)}


@pytest.mark.parametrize("text", ["[" * 32 + "]" * 32, " " * 999_998 + "[]", "\ufeff[]"])
def test_a_file_at_the_limits_of_depth_and_size_is_read(text):
    assert problems(text) == {"": "This is not a character file."}


@pytest.mark.parametrize("text", ["[" * 33 + "]" * 33, " " * 999_999 + "[]"])
def test_a_file_over_the_limits_of_depth_or_size_is_refused(text):
    assert problems(text)[""].startswith(("The file is nested", "The file is larger"))


VALUES = {
    "NaN": ("NaN", "NaN is not a number."),
    "Infinity": ("Infinity", "Infinity is not a number."),
    "-Infinity": ("-Infinity", "-Infinity is not a number."),
    "1e999": ("1e999", "Only whole numbers are allowed here."),
    "1.5": ("1.5", "Only whole numbers are allowed here."),
    "6000.0": ("6000.0", "Only whole numbers are allowed here."),
    "2^70": (str(2**70), "This number is too large."),
    "5,000 digits": ("9" * 5000, "This number is too large."),
    "-2^70": (str(-(2**70)), "This number is too large."),
    "negative": ("-1", "This must be at least 0."),
    "too much": ("100000001", "This must be at most 100000000."),
    "text": ('"6000"', "This must be a whole number."),
    "true": ("true", "This must be a whole number."),
    "null": ("null", "This must be a whole number."),
    "list": ("[6000]", "This must be a whole number."),
    "15 digits": ("9" * 15, "This must be at most 100000000."),
    "16 digits": ("1" + "0" * 15, "This number is too large."),
    "as much as there may be and one": ("100000001", "This must be at most 100000000."),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_bad_number_is_refused_with_its_reason(name):
    written, sentence = VALUES[name]
    found = problems(TEXT.replace('"xp": 6000', f'"xp": {written}'))
    assert found == {"xp": sentence}


def test_a_duplicate_key_is_refused():
    found = problems(
        TEXT.replace('"xp": 6000', '"xp": 6000, "xp": 7000').replace('"lineage"', '"culture": "x", "lineage"')
    )
    assert found == {"xp": "This key is here twice.", "origin.culture": "This key is here twice."}


def test_a_very_long_key_is_cut_in_the_path_of_each_problem():
    """Uncut, a key of half a megabyte made a hundred sentences of fifty megabytes together."""
    whole, cut = "k" * 10_000, f"{'k' * 200}…"
    found = problems(f'{{"{whole}": [1.5, {{"{whole}": 1, "{whole}": 2}}]}}')
    assert found == {
        f"{cut}[0]": "Only whole numbers are allowed here.",
        f"{cut}[1].{cut}": "This key is here twice.",
    } | {"format": "This is not a polyhedral-character/1 file."}


def test_the_entries_of_an_overlong_list_are_not_checked():
    """A file can have a hundred thousand, and the time to check them grew with their number."""
    entries = [{"item": 7}, *[{"custom": "A letter"}] * 500]
    assert problems(json.dumps(document(inventory=entries))) == {"inventory": "This must have at most 500 entries."}
    assert set(problems(json.dumps(document(inventory=entries[:500])))) == {"inventory[0].item"}


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "\\u0000", "\\ude00\\ud83d"])
def test_surrogates_and_nul_are_refused(escape):
    found = problems(TEXT.replace('"Mira"', f'"Mi{escape}ra"').replace("green wax", f"green {escape} wax"))
    assert set(found) == {"name", "inventory[4].custom"}
    assert problems(TEXT.replace('"job":', f'"jo{escape}b":', 1))


SHAPES = [
    (("format",), "polyhedral-character/2", "format",
     "This is not a polyhedral-character/1 file."),
    (("format",), 1, "format",
     "This is not a polyhedral-character/1 file."),
    (("format",), del_, "format",
     "This is not a polyhedral-character/1 file."),
    (("ruleset",), del_, "ruleset",
     "This key is missing."),
    (("ruleset",), "chess", "ruleset",
     "There is no game “chess” here."),
    (("ruleset",), ["polyhedral"], "ruleset",
     "This must be text."),
    (("nickname",), "Mi", "nickname",
     "This key is not known."),
    (("name",), 5, "name",
     "This must be text."),
    (("name",), "x" * 81, "name",
     "This is longer than 80 characters."),
    (("name",), "a\nb", "name",
     "This text holds control characters."),
    (("name",), " Mira ", "name",
     "This text begins or ends with a space."),
    (("milestone",), 0, "milestone",
     "This must be at least 1."),
    (("house_rules", "sources"), ["homebrew"], "house_rules.sources[0]",
     "There is no source “homebrew” here. If it is someone’s homebrew, ask for a link to the character, and copy "
     "it there."),
    (("house_rules", "sources"), [7], "house_rules.sources[0]",
     "This must be text."),
    (("house_rules", "switches", "noSuch"), "on", "house_rules.switches.noSuch",
     "There is no such house rule."),
    (("house_rules", "switches", "fighterProgression"), "lucky", "house_rules.switches.fighterProgression",
     "“lucky” is not possible here: choose text or table."),
    (("house_rules", "switches", "shieldBonus"), "2²", "house_rules.switches.shieldBonus",
     "“2²” is not possible here: choose a whole number of at least 0."),
    (("house_rules", "switches", "woundThresholdMultiplier"), "02", "house_rules.switches.woundThresholdMultiplier",
     "“02” is not possible here: choose a whole number from 0 to 3."),
    (("house_rules", "switches", "fighterProgression"), ["table"], "house_rules.switches.fighterProgression",
     "This must not be a list."),
    (("house_rules", "switches", "languages"), True, "house_rules.switches.languages",
     "This must be text or a list."),
    (("house_rules", "switches", "languages"), ["x" * 80] * 3, "house_rules.switches.languages",
     "This is longer than 200 characters in all."),
    (("house_rules", "switches", "languages"), [], "house_rules.switches.languages",
     "This is empty."),
    (("house_rules", "switches", "languages"), ["Orc", ""], "house_rules.switches.languages[1]",
     "This is empty."),
    (("house_rules", "switches", "languages"), ["Orc\tish"], "house_rules.switches.languages[0]",
     "This text holds control characters."),
    (("house_rules", "switches", "languages"), " Orc", "house_rules.switches.languages",
     "This text begins or ends with a space."),
    (("house_rules", "law"), 1, "house_rules.law",
     "This key is not known."),
    (("origin", "lineage"), "orc", "origin.lineage",
     "There is no lineage “orc”."),
    (("origin", "lineage"), "human-culture", "origin.lineage",
     "There is no lineage “human-culture”."),
    (("origin", "lineage"), ["human"], "origin.lineage",
     "This must be text or an object."),
    (("origin", "lineage"), "", "origin.lineage",
     "This must not be empty."),
    (("origin", "star"), "north", "origin.star",
     "This key is not known."),
    (("abilities", "method"), "guess", "abilities.method",
     "This must be one of: array, points, rolled, manual."),
    (("abilities", "ranks", "luck"), 3, "abilities.ranks.luck",
     "There is no ability “luck”."),
    (("abilities", "ranks", "mind"), 0, "abilities.ranks.mind",
     "This must be at least 1."),
    (("abilities", "ranks", "mind"), "12", "abilities.ranks.mind",
     "This must be a whole number."),
    (("abilities", "bonuses", "luck"), 1, "abilities.bonuses.luck",
     "There is no ability “luck”."),
    (("abilities", "bonuses", "mind"), -1, "abilities.bonuses.mind",
     "This must be at least 0."),
    (("abilities", "ranks", "pressence"), 8, "abilities.ranks.pressence",
     "This is here twice."),
    (("abilities", "bonuses"), {"presence": 1, "pressence": 2}, "abilities.bonuses.pressence",
     "This is here twice."),
    (("abilities", "rolls"), [[1, 2, 3, 4]] * 7, "abilities.rolls",
     "Only the method “rolled” has rolls."),
    (("abilities", "rolls"), [[1, 2, 3, 4]] * 6, "abilities.rolls",
     "This must have at least 7 entries."),
    (("abilities", "rolls"), [[1, 2, 3, 7]] * 7, "abilities.rolls[0][3]",
     "This must be at most 6."),
    (("job",), "wizard", "job",
     "There is no job “wizard”."),
    (("choices", "fighter.hat"), ["red"], "choices.fighter.hat",
     "There is no such choice."),
    (("choices", "core-rules.lineage"), ["elf"], "choices.core-rules.lineage",
     "There is no such choice."),
    (("choices", "core-rules.level-job"), ["fighter"], "choices.core-rules.level-job",
     "There is no such choice."),
    (("choices", "human-culture.skills"), "athletics", "choices.human-culture.skills",
     "This must be a list."),
    (("choices", "human-culture.skills"), ["athletics", "juggling"], "choices.human-culture.skills[1]",
     "There is no skill “juggling”."),
    (("choices", "human-culture.skills"), [{"option": "athletics"}], "choices.human-culture.skills[0].override",
     "This key is missing."),
    (("levels", 0, "level"), 1, "levels[0].level",
     "This must be at least 2."),
    (("levels", 1, "level"), 2, "levels[1].level",
     "Level 2 comes after level 2."),
    (("levels", 0, "take"), "nap", "levels[0].take",
     "This must be one of: job, abilities, talent."),
    (("levels", 0, "take"), del_, "levels[0].take",
     "This key is missing."),
    (("levels", 1, "take"), del_, "levels[1].take",
     "This key is missing."),
    (("levels", 0, "job"), del_, "levels[0].job",
     "This key is missing."),
    (("levels", 0, "job"), "wizard", "levels[0].job",
     "There is no job “wizard”."),
    (("levels", 0, "talent"), "medic", "levels[0].talent",
     "This does not go with “take”: job."),
    (("levels", 1, "choices", "fighter.martial-path"), ["ninja"], "levels[1].choices.fighter.martial-path[0]",
     "There is no path “ninja”."),
    (("levels", 2, "ranks"), {}, "levels[2].ranks",
     "This must not be empty."),
    (("levels", 2, "ranks"), {"luck": 2}, "levels[2].ranks.luck",
     "There is no ability “luck”."),
    (("levels", 3, "talent"), "genius", "levels[3].talent",
     "There is no talent “genius”."),
    (("levels", 3, "why"), "x", "levels[3].why",
     "This key is not known."),
    (("levels",), {}, "levels",
     "This must be a list."),
    (("aspects", 0, "kind"), "mood", "aspects[0].kind",
     "This must be one of: trait, ideal, bond, flaw."),
    (("aspects", 0, "text"), "", "aspects[0].text",
     "This must not be empty."),
    (("aspects", 1, "text"), "x" * 301, "aspects[1].text",
     "This is longer than 300 characters."),
    (("inventory", 0, "state"), "pocket", "inventory[0].state",
     "This must be one of: worn, main, off, two-hands, carried, stowed."),
    (("inventory", 3, "quantity"), 0, "inventory[3].quantity",
     "This must be at least 1."),
    (("inventory", 3, "quantity"), 100001, "inventory[3].quantity",
     "This must be at most 100000."),
    (("inventory", 3, "custom"), "and words", "inventory[3]",
     "An entry has either “item” or “custom”."),
    (("inventory", 3, "item"), del_, "inventory[3]",
     "An entry has either “item” or “custom”."),
    (("inventory", 3, "id"), 12, "inventory[3].id",
     "This key is not known."),
    (("state", "health"), -1, "state.health",
     "This must be at least 0."),
    (("state", "mana"), 3, "state.mana",
     "This key is not known."),
    (("state", "conditions"), [{"condition": "sleepy"}], "state.conditions[0].condition",
     "There is no condition “sleepy”."),
    (("state", "conditions"), [{"condition": "wounded"}], "state.conditions[0].condition",
     "Wounded is counted in state, not listed here."),
    (("state", "conditions"), [{"condition": "prone"}, {"condition": "prone", "rounds": 2}],
     "state.conditions[1].condition", "Prone is here twice from the same source, with different details."),
    (("state", "conditions"), ["prone"], "state.conditions[0]",
     "This must be an object."),
    (("state", "spent", "third-wind"), 1, "state.spent.third-wind",
     "There is no resource “third-wind”."),
    (("state", "spent", "health"), 1, "state.spent.health",
     "This belongs in state, as “health”."),
    (("state", "spent"), {"indomitable": 1, "indominatable": 2}, "state.spent.indominatable",
     "This is here twice."),
    (("state", "spent", "second-wind"), -1, "state.spent.second-wind",
     "This must be at least 0."),
    (("state", "toggles"), ["raining"], "state.toggles[0]",
     "There is no circumstance “raining”."),
    (("awards",), [{"kind": "talent", "element": "genius"}], "awards[0].element",
     "There is no talent “genius”."),
    (("awards",), [{"kind": "lineage", "element": "elf"}], "awards[0].kind",
     "An award is a skill, knowledge, tool, language, feature, talent or path."),
    (("awards",), [{"kind": "armor", "element": "plate"}], "awards[0].kind",
     "An award is a skill, knowledge, tool, language, feature, talent or path."),
    (("plan",), [{"level": 5, "take": "talent", "talent": "medic"}, {"level": 5, "take": "job", "job": "wizard"}],
     "plan[1].level",
     "Level 5 comes after level 5."),
    (("plan",), [{"level": 6, "take": "job", "job": "wizard"}], "plan[0].job",
     "There is no job “wizard”."),
    (("plan",), [{"level": 6, "take": "abilities", "ranks": {"mind": 1}, "override": " x"}], "plan[0].override",
     "This text begins or ends with a space."),
    (("relationships",), [{"other": "Bo ", "based_on": "bond", "text": "Old"}], "relationships[0].other",
     "This text begins or ends with a space."),
    (("relationships",), [{"other": "Bo", "based_on": "bond", "text": "a\x07"}], "relationships[0].text",
     "This text holds control characters."),
    (("relationships",), [{"other": "Bo", "based_on": "hat", "text": "Old"}], "relationships[0].based_on",
     "This must be one of: trait, ideal, bond, flaw."),
    (("relationships",), [{"other": "Bo", "based_on": "bond"}], "relationships[0].text",
     "This key is missing."),
    (("notes",), ["one", "two \nthree"], "notes[1]",
     "This text begins or ends with a space."),
    (("notes",), ["a\x07\nb"], "notes[0]",
     "This text holds control characters."),
    (("notes",), [" one"], "notes[0]",
     "This text begins or ends with a space."),
    (("downtime",), [{"days": 0, "activity": "Rest"}], "downtime[0].days",
     "This must be at least 1."),
    (("downtime",), [{"days": 1, "activity": "Rest "}], "downtime[0].activity",
     "This text begins or ends with a space."),
    (("downtime",), [{"days": 1, "activity": "Rest", "notes": " x"}], "downtime[0].notes",
     "This text begins or ends with a space."),
    (("downtime",), [{"days": 1, "activity": "Rest", "outcome": "x\x07"}], "downtime[0].outcome",
     "This text holds control characters."),
    (("spells",), [{"name": "Glow "}], "spells[0].name",
     "This text begins or ends with a space."),
    (("spells",), [{"name": "Glow", "time": " x"}], "spells[0].time",
     "This text begins or ends with a space."),
    (("spells",), [{"name": "Glow", "range": " x"}], "spells[0].range",
     "This text begins or ends with a space."),
    (("spells",), [{"name": "Glow", "damage": "much"}], "spells[0].damage",
     "Write dice and their kind, such as 2d6 fire: at most 40 dice of 100 faces."),
    (("spells",), [{"name": "Glow", "damage": "1d6 fire "}], "spells[0].damage",
     "This text begins or ends with a space."),
    (("spells",), [{"name": "Glow", "text": "a\x07"}], "spells[0].text",
     "This text holds control characters."),
    (("spells",), [{"name": "Glow", "saving_throw": "luck"}], "spells[0].saving_throw",
     "There is no ability “luck”."),
    (("spells",), [{"name": "Glow", "attack": "melee", "saving_throw": "mind"}], "spells[0].saving_throw",
     "A spell has an attack or a saving throw, not both."),
    (("state", "rest"), {"rest": "nap"}, "state.rest.rest",
     "There is no rest “nap” that a character can begin."),
    (("state", "spent", "wounds"), 1, "state.spent.wounds",
     "This belongs in state, as “wounds”."),
    (("state", "spent", "resources-lowered"), 1, "state.spent.resources-lowered",
     "This belongs in state, as “resources_lowered”."),
    (("state", "conditions"), [{"condition": "prone", "source": " x"}], "state.conditions[0].source",
     "This text begins or ends with a space."),
    (("state", "conditions"), [{"condition": "prone", "until": "x "}], "state.conditions[0].until",
     "This text begins or ends with a space."),
    (("awards",), [{"kind": "talent", "element": "medic"}, {"kind": "talent", "element": "medic"}], "awards[1].element",
     "This is here twice."),
    (("awards",), [{"kind": "talent", "element": "medic", "reason": " x"}], "awards[0].reason",
     "This text begins or ends with a space."),
    (("awards",), [{"kind": "language", "element": "Sea cant "}], "awards[0].element",
     "This text begins or ends with a space."),
    (("awards",), [{"kind": "language", "element": "Sea cant"}, {"kind": "language", "element": "Sea cant"}],
     "awards[1].element", "This is here twice."),
    (("awards",), [{"kind": "language", "element": "elvish"}, {"kind": "language", "element": "Elvish"}],
     "awards[1].element", "This is here twice."),
    (("awards",), [{"kind": "language", "element": ""}], "awards[0].element",
     "This must not be empty."),
    (("awards",), [{"kind": "tool", "element": "moon-tools"}], "awards[0].element",
     "There is no tool “moon-tools”."),
    (("inventory", 4, "custom"), "x ", "inventory[4].custom",
     "This text begins or ends with a space."),
    (("inventory", 4), {"item": "rope ", "quantity": 1}, "inventory[4].item",
     "This text begins or ends with a space."),
    (("job",), {"option": "fighter", "override": " x"}, "job.override",
     "This text begins or ends with a space."),
    (("levels", 1, "choices", "fighter.hat"), ["x"], "levels[1].choices.fighter.hat",
     "There is no such choice."),
    (("levels", 2, "job"), "fighter", "levels[2].job",
     "This does not go with “take”: abilities."),
    (("house_rules", "switches", "magic"), 7, "house_rules.switches.magic",
     "“7” is not possible here: choose off or custom."),
    (("house_rules", "switches", "currency"), "maybe", "house_rules.switches.currency",
     "“maybe” is not possible here: choose off or on."),
    (("house_rules", "switches", "startingLevel"), 0, "house_rules.switches.startingLevel",
     "“0” is not possible here: choose a whole number of at least 1."),
    (("house_rules", "switches", "pointBuyMax"), 18, "house_rules.switches.pointBuyMax",
     "“18” is not possible here: choose a whole number from 15 to 17."),
    (("house_rules", "switches", "xpPerLevel"), 1_000_000_000, "house_rules.switches.xpPerLevel",
     "“1000000000” has too many digits: write at most 9."),
    (("house_rules", "switches", "pointBuyMax"), 1_000_000_000, "house_rules.switches.pointBuyMax",
     "“1000000000” is not possible here: choose a whole number from 15 to 17."),
    (("house_rules", "switches", "shieldBonus"), True, "house_rules.switches.shieldBonus",
     "“true” is not possible here: choose a whole number of at least 0."),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "where", "sentence"), SHAPES)
def test_every_fault_has_its_path_and_its_sentence(path, value, where, sentence):
    found = problems(changed(path, value))
    assert found[where] == sentence
    assert all(other == where or other.startswith((path[0], where.rpartition(".")[0])) for other in found)


HEAVY = {
    "escaped quotes that never close": '"' + '\\"' * 400_000,
    "one key again and again": "{" + ",".join(['"a":1'] * 150_000) + "}",
    "unknown keys": "{" + ",".join(f'"{n}":1' for n in range(80_000)) + ', "format": "polyhedral-character/1"}',
    "many brackets": "[],".join([""] * 300_000),
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_large_bad_file_is_refused_in_at_most_a_hundred_sentences(name):
    assert 0 < len(problems(HEAVY[name])) <= 100


@pytest.mark.parametrize("whole", [[], "Mira", 7, None, True, {}])
def test_json_that_is_no_character_is_refused(whole):
    assert problems(json.dumps(whole))


def test_every_fault_is_named_at_once():
    text = changed(("xp",), -5).replace('"elvish"', "7").replace('"dagger"', "true")
    assert set(problems(text)) == {"xp", "choices.human-culture.language[0]", "inventory[3].item"}


def test_a_bad_number_and_an_unknown_key_hide_no_other_fault():
    levels = [{"level": 2, "take": "job", "job": "nonsense", "extra": 1}]
    text = json.dumps({**document(levels=levels, job="nope"), "xp": 1.5, "zzz": 1})
    assert set(problems(text)) == {"xp", "zzz", "job", "levels[0].extra", "levels[0].job"}


# Parts of a file with faults of shape and faults that only the rules can find; and the paths of all of them.
BESIDE = [
    ("state", {"health": "x", "conditions": [{"condition": "sleepy"}, 5, {"condition": 7, "source": " x"}],
               "spent": {"mana": 1, "rally": "y"}, "toggles": [4, "snow"], "rest": {"rest": 5}},
     ["health", "conditions[0].condition", "conditions[1]", "conditions[2].condition", "conditions[2].source",
      "spent.mana", "spent.rally", "toggles[0]", "toggles[1]", "rest.rest"]),
    ("levels", [{"level": "2", "take": "job", "job": "wizard"}, {"level": 3, "take": "nap", "talent": "genius"}, 7,
                {"take": "talent", "talent": 5, "choices": {"fighter.hat": ["x"]}}],
     ["[0].level", "[0].job", "[1].take", "[1].talent", "[2]", "[3].level", "[3].talent", "[3].choices.fighter.hat"]),
    ("choices", {"human-culture.skills": "x", "human-culture.language": [1], "human-culture.knowledge": [
                 "juggling", {"option": "swimming"}, {"override": "x"}, {"option": 7, "override": " x"}]},
     ["human-culture.skills", "human-culture.language[0]", "human-culture.knowledge[0]",
      "human-culture.knowledge[1].option", "human-culture.knowledge[1].override", "human-culture.knowledge[2].option",
      "human-culture.knowledge[3].option", "human-culture.knowledge[3].override"]),
    ("abilities", {"method": "guess", "ranks": {"mind": "x", "luck": 3}, "bonuses": {"mind": "x", "wit": 1},
                   "rolls": [[1, 2, 3, 4]] * 6 + [5]},
     ["method", "ranks.mind", "ranks.luck", "bonuses.mind", "bonuses.wit", "rolls[6]"]),
    ("origin", {"lineage": 5, "culture": "martian", "background": {"option": "pirate"}},
     ["lineage", "culture", "background.option", "background.override"]),
    ("house_rules", {"sources": [5, "homebrew"], "switches": {"magic": None, "languages": ["Orc", 5], "noSuch": 1}},
     ["sources[0]", "sources[1]", "switches.magic", "switches.languages[1]", "switches.noSuch"]),
    ("inventory", [{"item": 7}, {"quantity": 2}, None, {"item": "rope ", "quantity": "x"}],
     ["[0].item", "[1]", "[2]", "[3].item", "[3].quantity"]),
    ("awards", [{"kind": 5, "element": "genius", "reason": " x"}, {"kind": "talent", "element": "genius"}, {}],
     ["[0].kind", "[0].reason", "[1].element", "[2].element", "[2].kind"]),
    ("aspects", [{"kind": "mood", "text": " x"}, {"text": "y "}], ["[0].kind", "[0].text", "[1].kind", "[1].text"]),
    ("relationships", [{"other": 5, "text": " x"}], ["[0].other", "[0].based_on", "[0].text"]),
    ("downtime", [{"days": "x", "activity": " y"}], ["[0].days", "[0].activity"]),
    ("spells", [{"name": 5, "damage": "much"}], ["[0].name", "[0].damage"]),
    ("notes", [5, " x"], ["[0]", "[1]"]),
]  # fmt: skip


@pytest.mark.parametrize(("part", "value", "paths"), BESIDE, ids=[part for part, _, _ in BESIDE])
def test_a_fault_hides_no_other_in_its_part_of_the_file(part, value, paths):
    assert set(problems(json.dumps(document(**{part: value})))) == {
        part + path if path.startswith("[") else f"{part}.{path}" for path in paths
    }


EVERYTHING = document(
    **{part: value for part, value, _ in BESIDE if part not in MIRA},
    plan=MIRA["levels"],
    abilities={"method": "rolled", "ranks": {"mind": 8}, "bonuses": {"mind": 2}, "rolls": [[1, 2, 3, 4]] * 7},
    state={"health": 3, "conditions": [{"condition": "prone", "rounds": 2}], "spent": {"rally": 1},
           "toggles": ["half-cover"], "rest": {"rest": "rally", "dice": 1}},
    house_rules={"sources": ["polyhedral-core"], "switches": {"languages": ["Orc"]}},
)  # fmt: skip


# The places where a 7 is right.
NUMBERS = {
    "xp", "mind", "strength", "agility", "level", "quantity", "health", "rounds", "rally", "dice", "days",
}  # fmt: skip


def places_in(value, path=()):
    """The paths of everything in a document."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        yield from places_in(part, (*path, step))


@pytest.mark.full
@pytest.mark.parametrize(
    ("junk", "fits"), [(None, set()), (7, NUMBERS), ([None], set())], ids=["null", "a number", "a list"]
)
def test_junk_at_any_place_is_refused_there(junk, fits):
    places, unnoticed = list(places_in(EVERYTHING)), set()
    assert len(places) > 150
    for *way, last in places:
        whole = place = copy.deepcopy(EVERYTHING)
        for step in way:
            place = place[step]
        place[last] = junk
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in (*way, last))[1:]
        found = problems(json.dumps(whole))
        if not any(where.startswith(path) or path.startswith(where) for where in found):
            unnoticed.add(last)
    assert unnoticed == fits


@pytest.mark.parametrize("ruleset", [None, 5, "chess"])
def test_names_are_looked_up_even_if_the_ruleset_is_unknown(ruleset):
    assert set(problems(json.dumps(document(ruleset=ruleset, job="wizard")))) == {"ruleset", "job"}


def test_duplicate_problems_do_not_crowd_out_another_part():
    assert "state" in problems(json.dumps(document(awards=[{}] * 30, state=5)))


def test_a_source_without_the_one_that_it_builds_on_is_refused():
    core = Source.objects.get(is_core=True)
    tides, ebb = (SourceFactory(ruleset=core.ruleset, slug=name.lower(), title=name) for name in ("Tides", "Ebb"))
    ebb.requires.add(tides)
    house_rules = {"sources": ["polyhedral-core", "ebb"]}
    found = problems(json.dumps(document(house_rules=house_rules)))
    assert found == {"house_rules.sources[1]": "Ebb builds on Tides: put both in play, or neither."}
    house_rules["sources"].append("tides")
    assert not problems(json.dumps(document(house_rules=house_rules)))


def test_problems_are_in_the_order_of_the_file():
    levels = [{"level": level, "take": "talent", "talent": "genius"} for level in range(2, 14)]
    found = [where for where in problems(json.dumps(document(levels=levels))) if where.startswith("levels")]
    assert found == [f"levels[{at}].talent" for at in range(12)]


@pytest.mark.parametrize("data", list(UNREADABLE.values())[:4] + [changed(("job",), "wizard").encode()])
def test_a_refused_file_stores_nothing(data):
    with pytest.raises(BadFile) as refusal:
        verbs.import_file(person(), new_key(), text=data)
    assert refusal.value.problems
    assert not Character.objects.exists()


def test_two_things_in_one_hand_are_refused_on_import():
    with pytest.raises(BadFile) as refusal:
        mira(inventory=[{"item": "dagger", "state": "main"}, {"item": "club", "state": "main"}])
    assert refusal.value.problems[0].where == "inventory[1].state"


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
@pytest.mark.parametrize("path", [("ruleset",), ("house_rules", "sources", 0), ("name",)])
def test_text_that_no_database_takes_is_refused_before_a_lookup(path, text):
    assert problems(changed(path, text))


def test_a_file_with_too_many_decisions_is_refused():
    words = [f"Tongue {at}" for at in range(100)]
    levels = [{"level": at, "choices": {"ambassador.languages": words}} for at in range(2, 32)]
    assert not problems(json.dumps(document(plan=levels[:20])))  # 2,000, the most
    assert list(problems(json.dumps(document(plan=levels)))) == ["plan"]
    assert "levels" in problems(json.dumps(document(levels=levels)))


def test_a_file_sent_twice_makes_one_character_and_another_with_its_key_is_refused():
    key = new_key()
    first = verbs.import_file(person(), key, text=TEXT)
    assert verbs.import_file(person(), key, text=TEXT) == first
    with pytest.raises(KeyReused):
        verbs.import_file(person(), key, text=json.dumps(document(name="Miro")))
    assert Character.objects.count() == 1


def test_nothing_can_be_read_without_rules(monkeypatch):
    from rules.models import Ruleset

    monkeypatch.setattr("characters.read.character_file.Ruleset.objects", Ruleset.objects.none())
    with pytest.raises(Refused, match="no rules"):
        verbs.import_file(person(), new_key(), text=TEXT)


@pytest.mark.parametrize(
    ("path", "value", "where", "text"),
    [
        (("house_rules", "sources"), ["core"] * 51, "house_rules.sources", "This must have at most 50 entries."),
        (("notes",), "none", "notes", "This must be a list."),
    ],
)
def test_a_wrong_shape_is_refused_in_a_sentence(path, value, where, text):
    assert problems(changed(path, value))[where] == text
