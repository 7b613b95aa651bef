"""Files that are refused: every fault with its path and a sentence, nothing stored."""

import json

import pytest

from characters import verbs
from characters.change.journal import KeyReused, Refused
from characters.models import Character
from characters.read.files import read_file
from characters.verbs.begin import BadFile
from tests.characters.cast import document, mira, new_key, person

pytestmark = pytest.mark.django_db

TEXT = json.dumps(document())


def problems(data):
    reading = read_file(data)
    assert (reading.build is None) == bool(reading.problems)
    return {problem.where: problem.text for problem in reading.problems}


def changed(path, value):
    """Mira's file with the value at a path replaced; `del` takes it out."""
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


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_json_is_named_as_a_whole(name):
    found = problems(UNREADABLE[name])
    assert list(found) == [""]
    assert found[""].endswith(".")


VALUES = {
    "NaN": ("NaN", "not a number"),
    "Infinity": ("Infinity", "not a number"),
    "-Infinity": ("-Infinity", "not a number"),
    "1e999": ("1e999", "whole"),
    "1.5": ("1.5", "whole"),
    "6000.0": ("6000.0", "whole"),
    "2^70": (str(2**70), "too large"),
    "5,000 digits": ("9" * 5000, "too large"),
    "-2^70": (str(-(2**70)), "too large"),
    "negative": ("-1", "at least 0"),
    "too much": ("100000001", "at most"),
    "text": ('"6000"', "whole number"),
    "true": ("true", "whole number"),
    "null": ("null", "whole number"),
    "list": ("[6000]", "whole number"),
}


@pytest.mark.parametrize("name", VALUES)
def test_numbers(name):
    written, sentence = VALUES[name]
    found = problems(TEXT.replace('"xp": 6000', f'"xp": {written}'))
    assert sentence in found["xp"]


def test_keys_that_stand_twice():
    found = problems(
        TEXT.replace('"xp": 6000', '"xp": 6000, "xp": 7000').replace('"lineage"', '"culture": "x", "lineage"')
    )
    assert found == {"xp": "This key is here twice.", "origin.culture": "This key is here twice."}


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "\\u0000", "\\ude00\\ud83d"])
def test_characters_that_are_none(escape):
    found = problems(TEXT.replace('"Mira"', f'"Mi{escape}ra"').replace("green wax", f"green {escape} wax"))
    assert set(found) == {"name", "inventory[4].custom"}
    assert problems(TEXT.replace('"job":', f'"jo{escape}b":', 1))


SHAPES = [
    (("format",), "polyhedral-character/2", "format"),
    (("format",), 1, "format"),
    (("format",), del_, "format"),
    (("ruleset",), del_, "ruleset"),
    (("ruleset",), "chess", "ruleset"),
    (("ruleset",), ["polyhedral"], "ruleset"),
    (("nickname",), "Mi", "nickname"),
    (("name",), 5, "name"),
    (("name",), "x" * 81, "name"),
    (("name",), "a\nb", "name"),
    (("name",), " Mira ", "name"),
    (("milestone",), 0, "milestone"),
    (("house_rules", "sources"), ["homebrew"], "house_rules.sources[0]"),
    (("house_rules", "sources"), [7], "house_rules.sources[0]"),
    (("house_rules", "switches", "noSuch"), "on", "house_rules.switches.noSuch"),
    (("house_rules", "switches", "fighterProgression"), "lucky", "house_rules.switches.fighterProgression"),
    (("house_rules", "switches", "shieldBonus"), "2²", "house_rules.switches.shieldBonus"),
    (("house_rules", "law"), 1, "house_rules.law"),
    (("origin", "lineage"), "orc", "origin.lineage"),
    (("origin", "lineage"), "human-culture", "origin.lineage"),
    (("origin", "lineage"), ["human"], "origin.lineage"),
    (("origin", "lineage"), "", "origin.lineage"),
    (("origin", "star"), "north", "origin.star"),
    (("abilities", "method"), "guess", "abilities.method"),
    (("abilities", "ranks", "luck"), 3, "abilities.ranks.luck"),
    (("abilities", "ranks", "mind"), 0, "abilities.ranks.mind"),
    (("abilities", "ranks", "mind"), "12", "abilities.ranks.mind"),
    (("abilities", "bonuses", "luck"), 1, "abilities.bonuses.luck"),
    (("abilities", "bonuses", "mind"), -1, "abilities.bonuses.mind"),
    (("abilities", "rolls"), [[1, 2, 3, 4]] * 7, "abilities.rolls"),
    (("abilities", "rolls"), [[1, 2, 3, 4]] * 6, "abilities.rolls"),
    (("abilities", "rolls"), [[1, 2, 3, 7]] * 7, "abilities.rolls[0][3]"),
    (("job",), "wizard", "job"),
    (("choices", "fighter.hat"), ["red"], "choices.fighter.hat"),
    (("choices", "core-rules.lineage"), ["elf"], "choices.core-rules.lineage"),
    (("choices", "core-rules.level-job"), ["fighter"], "choices.core-rules.level-job"),
    (("choices", "human-culture.skills"), "athletics", "choices.human-culture.skills"),
    (("choices", "human-culture.skills"), ["athletics", "juggling"], "choices.human-culture.skills[1]"),
    (("choices", "human-culture.skills"), [{"option": "athletics"}], "choices.human-culture.skills[0].override"),
    (("levels", 0, "level"), 1, "levels[0].level"),
    (("levels", 1, "level"), 2, "levels[1].level"),
    (("levels", 0, "take"), "nap", "levels[0].take"),
    (("levels", 0, "take"), del_, "levels[0].take"),
    (("levels", 0, "job"), del_, "levels[0].job"),
    (("levels", 0, "job"), "wizard", "levels[0].job"),
    (("levels", 0, "talent"), "medic", "levels[0].talent"),
    (("levels", 1, "choices", "fighter.martial-path"), ["ninja"], "levels[1].choices.fighter.martial-path[0]"),
    (("levels", 2, "ranks"), {}, "levels[2].ranks"),
    (("levels", 2, "ranks"), {"luck": 2}, "levels[2].ranks.luck"),
    (("levels", 3, "talent"), "genius", "levels[3].talent"),
    (("levels", 3, "why"), "x", "levels[3].why"),
    (("levels",), {}, "levels"),
    (("aspects", 0, "kind"), "mood", "aspects[0].kind"),
    (("aspects", 0, "text"), "", "aspects[0].text"),
    (("aspects", 1, "text"), "x" * 301, "aspects[1].text"),
    (("inventory", 0, "state"), "pocket", "inventory[0].state"),
    (("inventory", 3, "quantity"), 0, "inventory[3].quantity"),
    (("inventory", 3, "quantity"), 100001, "inventory[3].quantity"),
    (("inventory", 3, "custom"), "and words", "inventory[3]"),
    (("inventory", 3, "item"), del_, "inventory[3]"),
    (("inventory", 3, "id"), 12, "inventory[3].id"),
    (("state", "health"), -1, "state.health"),
    (("state", "mana"), 3, "state.mana"),
    (("state", "conditions"), [{"condition": "sleepy"}], "state.conditions[0].condition"),
    (("state", "conditions"), [{"condition": "wounded"}], "state.conditions[0].condition"),
    (("state", "conditions"), [{"condition": "prone"}] * 2, "state.conditions[1].condition"),
    (("state", "conditions"), ["prone"], "state.conditions[0]"),
    (("state", "spent", "third-wind"), 1, "state.spent.third-wind"),
    (("state", "spent", "health"), 1, "state.spent.health"),
    (("state", "spent", "second-wind"), -1, "state.spent.second-wind"),
    (("state", "toggles"), ["raining"], "state.toggles[0]"),
    (("awards",), [{"kind": "talent", "element": "genius"}], "awards[0].element"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "where"), SHAPES)
def test_every_fault_has_its_path(path, value, where):
    found = problems(changed(path, value))
    assert where in found, found
    assert all(sentence.endswith(".") and sentence[0].isupper() or sentence[0] == "“" for sentence in found.values())


HEAVY = {
    "escaped quotes that never close": '"' + '\\"' * 400_000,
    "one key again and again": "{" + ",".join(['"a":1'] * 150_000) + "}",
    "unknown keys": "{" + ",".join(f'"{n}":1' for n in range(80_000)) + ', "format": "polyhedral-character/1"}',
    "many brackets": "[],".join([""] * 300_000),
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_large_bad_file_is_refused_in_few_sentences(name):
    assert 0 < len(problems(HEAVY[name])) <= 100


@pytest.mark.parametrize("whole", [[], "Mira", 7, None, True, {}])
def test_documents_that_are_no_character(whole):
    assert problems(json.dumps(whole))


def test_every_fault_is_named_at_once():
    text = changed(("xp",), -5).replace('"elvish"', "7").replace('"dagger"', "true")
    assert set(problems(text)) == {"xp", "choices.human-culture.language[0]", "inventory[3].item"}


@pytest.mark.parametrize("data", list(UNREADABLE.values())[:4] + [changed(("job",), "wizard").encode()])
def test_nothing_is_stored(data):
    with pytest.raises(BadFile) as refusal:
        verbs.import_file(person(), new_key(), text=data)
    assert refusal.value.problems
    assert not Character.objects.exists()


def test_two_things_in_one_hand_are_refused_on_import():
    with pytest.raises(BadFile) as refusal:
        mira(inventory=[{"item": "dagger", "state": "main"}, {"item": "club", "state": "main"}])
    assert refusal.value.problems[0].where == "inventory[1].state"


def test_the_same_file_twice_is_one_character_and_another_is_refused():
    key = new_key()
    first = verbs.import_file(person(), key, text=TEXT)
    assert verbs.import_file(person(), key, text=TEXT) == first
    with pytest.raises(KeyReused):
        verbs.import_file(person(), key, text=json.dumps(document(name="Miro")))
    assert Character.objects.count() == 1


def test_nothing_can_be_read_without_rules(monkeypatch):
    from rules.models import Ruleset

    monkeypatch.setattr("characters.read.files.Ruleset.objects", Ruleset.objects.none())
    with pytest.raises(Refused, match="no rules"):
        verbs.import_file(person(), new_key(), text=TEXT)


@pytest.mark.parametrize(
    ("path", "value", "where", "text"),
    [
        (("house_rules", "sources"), ["core"] * 51, "house_rules.sources", "This must have at most 50 entries."),
        (("notes",), "none", "notes", "This must be a list."),
    ],
)
def test_a_shape_is_told_in_a_sentence(path, value, where, text):
    assert problems(changed(path, value))[where] == text
