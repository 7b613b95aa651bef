"""A character's spells (section 29, rulings 57, 89 and 90): added, edited, removed, cast; in files and copies."""

import json

import pytest

from characters import verbs
from characters.actions.story import MOST, Gone
from characters.change.refusals import Refused, StalePage
from characters.models import Character
from characters.read.character_file import facts_of, read_file, write_file
from characters.read.prose import digest_of
from rules.games.polyhedral.spells import harm_of, in_words
from tests.characters.cast import facts, new_key, person
from tests.support.characters import sheet_of

from .table import Fixed, seated

pytestmark = pytest.mark.django_db
BOLT = {"name": "Fire bolt", "range": "60 ft", "cantrip": True, "test": "ranged", "damage": "2d6+1 fire"}
SLEEP = {"name": "Sleep", "time": "bonus action", "test": "mind", "text": "They nod off.\n\nLoud noise wakes them."}
LIGHT = {"name": "Light", "text": "A candle's worth."}


def caster(spell=None, **changes):
    seat = seated(**{"level": 6, "ranks": {"spirit": 14}, **changes})
    if spell is not None:
        seat.add_spell(**spell)
    return seat


def row_of(seat):
    return max(int(address.partition(":")[2]) for address in seat.facts if address.startswith("spell:"))


def cast(seat, *faces, **how):
    return seat.roll(roll=f"cast.{row_of(seat)}", chance=Fixed(*faces), **how)


def roll_of(change):
    return change.rolls.get()


def test_a_spell_is_stored_with_all_its_fields():
    seat = caster(SLEEP)
    assert seat.facts[f"spell:{row_of(seat)}"] == {
        "name": "Sleep", "time": "bonus action", "range": "", "cantrip": False, "attack": "", "saving_throw": "mind",
        "damage": "", "text": "They nod off.\n\nLoud noise wakes them.", "position": 0,
    }  # fmt: skip


# MA-04 with a wound: level 6, Spirit 14.
@pytest.mark.parametrize(("wounds", "total"), [(0, 4 + 4 + 4 + 2 + 2), (1, 4 + 4 + 4 + 2 + 2 - 1)])
def test_a_spell_attack_rolls_spirit_and_skill_bonus(wounds, total):
    change = cast(caster(BOLT, state={"wounds": wounds}), 4, 4, 4, target=14)
    assert (roll_of(change).total, roll_of(change).success, roll_of(change).kind) == (total, True, "attack")
    assert change.sentence == f"Mira casts Fire bolt: {total}, a hit."


@pytest.mark.parametrize(
    ("toggles", "conditions", "test", "dice"),
    [
        (["enemy-within-5"], [], "ranged", 2),
        (["enemy-within-5"], [], "melee", 3),
        ([], ["weakened"], "melee", 2),
        ([], ["weakened"], "ranged", 3),
        ([], ["poisoned"], "ranged", 2),
    ],
)
def test_conditions_and_close_enemies_hamper_a_spell_attack(toggles, conditions, test, dice):
    held = [{"condition": slug} for slug in conditions]
    seat = caster({**BOLT, "test": test}, state={"toggles": toggles, "conditions": held})
    assert len(roll_of(cast(seat, *[3] * dice)).faces) == dice


def test_features_that_improve_weapons_do_not_improve_spells():
    shots = {"choices": {"human-culture.skills": [], "fighter.fighting-style": ["marksmanship"]}}
    assert roll_of(cast(caster(BOLT, **shots), 1, 2, 3)).total == 1 + 2 + 3 + 2 + 2
    critical = cast(caster(BOLT, level=11), 5, 5, 1)  # a champion's weapons are critical on 5
    assert not roll_of(critical).critical


@pytest.mark.parametrize(
    ("level", "spirit", "wounds", "difficulty"), [(1, 16, 0, 12), (11, 18, 0, 15), (11, 18, 4, 14)]
)
def test_casting_a_spell_with_a_save_names_its_difficulty(level, spirit, wounds, difficulty):
    seat = caster(SLEEP, level=level, ranks={"spirit": spirit}, state={"wounds": wounds})
    change = cast(seat)
    assert change.sentence == f"Mira casts Sleep: Mind save, difficulty {difficulty}."
    assert not change.rolls.exists()


def test_a_spell_without_an_attack_or_a_save_is_cast():
    assert cast(caster(LIGHT)).sentence == "Mira casts Light."


def test_a_spell_without_a_roll_refuses_a_target():
    seat = caster(SLEEP)
    with pytest.raises(Refused, match="needs no roll of yours"):
        cast(seat, target=12)


def test_a_house_rule_chooses_the_ability_for_spells():
    seat = caster(BOLT, ranks={"spirit": 14, "mind": 18}, switches={"spellAbility": "mind"})
    assert roll_of(cast(seat, 1, 2, 3)).total == 1 + 2 + 3 + 4 + 2


def test_spell_damage_is_rolled_as_written_and_a_critical_doubles_the_dice():
    seat = caster(BOLT)
    hit = seat.roll(roll=f"damage.{row_of(seat)}.spell", chance=Fixed(3, 4))
    assert (roll_of(hit).total, hit.sentence) == (8, "Mira rolls damage with Fire bolt: 8 fire.")
    critical = seat.roll(roll=f"damage.{row_of(seat)}.spell", critical=True, chance=Fixed(3, 4, 5, 6))
    assert roll_of(critical).total == 19


def test_a_spell_may_have_its_own_kind_of_damage():
    seat = caster({**BOLT, "damage": "5 starlight"})
    assert seat.roll(roll=f"damage.{row_of(seat)}.spell").sentence.endswith(": 5 starlight.")


@pytest.mark.parametrize(
    ("text", "harm"),
    [
        ("2d6", (2, 6, 0, "")), ("1d8+3 cold", (1, 8, 3, "cold")), ("1d4 − 1", (1, 4, -1, "")), ("7", (0, 0, 7, "")),
        ("2D6", None), ("d6", None), ("fire", None), ("0d6", None), ("2d1", None), ("41d6", None), ("2d101", None),
        ("2d6fire", None), ("٣d6", None), ("2d6 3", None),
    ],
)  # fmt: skip
def test_spell_damage_is_read_as_dice_bonus_and_kind(text, harm):
    assert harm_of(text) == harm


def test_a_spell_without_damage_rolls_none():
    seat = caster(SLEEP)
    with pytest.raises(Refused, match="Sleep deals no damage"):
        seat.roll(roll=f"damage.{row_of(seat)}.spell")


def test_no_spell_is_cast_in_armor_without_proficiency():
    seat = caster(LIGHT)
    cast(seat)
    unarmored = caster(LIGHT, job=None, choices={}, levels=None, level=1, items=[("chain-mail", "worn")])
    with pytest.raises(Refused, match="not proficient with"):
        cast(unarmored)


@pytest.mark.parametrize(
    ("time", "condition", "word"), [("action", "incapacitated", "actions"), ("1 bonus action", "stunned", "bonus")]
)
def test_a_condition_that_forbids_the_casting_time_forbids_the_spell(time, condition, word):
    seat = caster({**LIGHT, "time": time}, state={"conditions": [{"condition": condition}]})
    with pytest.raises(Refused, match=f"No {word}"):
        cast(seat)


def test_a_spell_that_takes_minutes_needs_no_part_of_a_turn():
    seat = caster({**LIGHT, "time": "10 minutes"}, state={"conditions": [{"condition": "incapacitated"}]})
    assert cast(seat).sentence == "Mira casts Light."


@pytest.mark.parametrize(
    ("health", "sentence"),
    [(0, "At 0 health the character can only make saving throws."), (None, "The dead cannot roll or spend anything.")],
)
def test_the_dead_and_the_dying_cast_no_spells(health, sentence):
    seat = caster(LIGHT, state={} if health is None else {"health": 0, "conditions": [{"condition": "dying"}]})
    if health is None:
        seat.add_condition(condition="condition:dead")
    with pytest.raises(Refused, match=f"^{sentence}"):
        cast(seat)


@pytest.mark.parametrize(("spell", "seen"), [(LIGHT, True), (SLEEP, False), ({**BOLT, "time": "bonus action"}, True)])
def test_casting_with_an_action_or_an_attack_ends_the_hidden_condition(spell, seen):
    seat = caster(spell, state={"conditions": [{"condition": "hidden"}]})
    change = cast(seat, *[3] * 4)
    assert ("hidden" not in seat.conditions) == seen == ("No longer hidden" in change.sentence)


def test_resolve_buys_dice_for_a_spell_attack():
    seat = caster(BOLT)
    before = seat.left("resolve")
    assert len(roll_of(cast(seat, 1, 2, 3, 4, resolve=1)).faces) == 4
    assert seat.left("resolve") == before - 1


def test_a_spell_is_edited_in_place_and_undo_restores_it():
    seat = caster(BOLT)
    seat.add_spell(**LIGHT)
    first = min(address for address in seat.facts if address.startswith("spell:"))
    before = seat.facts[first]
    row = int(first.partition(":")[2])
    change = seat.edit_spell(spell=row, was=digest_of(before), **{**BOLT, "name": "Ember"})
    assert seat.facts[first] == {**before, "name": "Ember"}
    seat.undo(change)
    assert seat.facts[first] == before


def test_two_editors_of_a_spell_see_both_texts():
    seat = caster(LIGHT)
    was = digest_of(seat.facts[f"spell:{row_of(seat)}"])
    seat.edit_spell(spell=row_of(seat), was=was, **{**LIGHT, "text": "Brighter"})
    with pytest.raises(StalePage) as met:
        seat.edit_spell(spell=row_of(seat), was=was, **{**LIGHT, "text": "Dimmer"})
    assert "Brighter" in met.value.stored
    assert seat.facts[f"spell:{row_of(seat)}"]["text"] == "Brighter"


def test_a_removed_spell_is_gone_and_undo_restores_it():
    seat = caster(BOLT)
    row, before = row_of(seat), facts(seat.character)
    change = seat.remove_spell(spell=row)
    assert f"spell:{row}" not in seat.facts
    with pytest.raises(Gone):
        seat.remove_spell(spell=row)
    with pytest.raises(Refused, match="no such spell"):
        seat.roll(roll=f"cast.{row}")
    seat.undo(change)
    assert facts(seat.character) == before


def test_the_maximum_of_spells_holds_for_undo_too(monkeypatch):
    monkeypatch.setitem(MOST, "spell", 2)
    seat = caster(BOLT)
    seat.add_spell(**LIGHT)
    with pytest.raises(Refused, match="At most 2"):
        seat.add_spell(**SLEEP)
    gone = seat.remove_spell(spell=row_of(seat))
    seat.add_spell(**SLEEP)
    with pytest.raises(Refused, match="only 2 are allowed"):
        seat.undo(gone)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"), ({"name": "x" * 81}, "name"), ({"name": "a\0b"}, "name"), ({"time": "x" * 41}, "time"),
        ({"range": "x" * 41}, "range"), ({"test": "luck"}, "test"), ({"damage": "much"}, "damage"),
        ({"damage": "2d6 " + "x" * 40}, "damage"), ({"text": "x" * 4001}, "text"), ({"text": "a\0b"}, "text"),
    ],
)  # fmt: skip
def test_an_impossible_spell_is_refused_by_its_field(wrong, field):
    seat = caster()
    with pytest.raises(Refused) as refused:
        seat.add_spell(**{**LIGHT, **wrong})
    assert refused.value.field == field
    assert not [address for address in seat.facts if address.startswith("spell:")]


def test_without_magic_spells_are_kept_but_not_added_or_cast():
    seat = caster(LIGHT)
    kept = seat.facts[f"spell:{row_of(seat)}"]
    verbs.set_switches(seat.character.pk, person(), new_key(), values={"magic": "off"}, saw=None)
    for refused in (lambda: seat.add_spell(**BOLT), lambda: cast(seat)):
        with pytest.raises(Refused, match="no magic"):
            refused()
    assert seat.facts[f"spell:{row_of(seat)}"] == kept


def test_a_file_carries_spells_and_gives_the_same_bytes_again():
    seat = caster(BOLT)
    seat.add_spell(**SLEEP)
    seat.add_spell(**LIGHT)
    text = write_file(seat.fresh)
    assert json.loads(text)["spells"] == [
        {"name": "Fire bolt", "range": "60 ft", "cantrip": True, "attack": "ranged", "damage": "2d6+1 fire"},
        {"name": "Sleep", "time": "bonus action", "saving_throw": "mind", "text": SLEEP["text"]},
        {"name": "Light", "text": "A candle's worth."},
    ]
    again = verbs.import_file(person(), new_key(), text=text).character
    assert write_file(again) == text


def test_the_file_of_a_character_without_spells_has_no_spells_field():
    assert "spells" not in json.loads(write_file(caster().fresh))


@pytest.mark.parametrize(
    ("spell", "key"),
    [
        ({"name": ""}, "name"), ({"text": "x"}, "name"), ({"name": " A"}, "name"), ({"name": "A", "slot": 1}, "slot"),
        ({"name": "A", "attack": "far"}, "attack"), ({"name": "A", "saving_throw": "luck"}, "saving_throw"),
        ({"name": "A", "attack": "melee", "saving_throw": "mind"}, "saving_throw"),
        ({"name": "A", "cantrip": 1}, "cantrip"), ({"name": "A", "damage": "lots"}, "damage"),
        ({"name": "A", "text": "b\u0007"}, "text"),
        ({"name": "A", "range": "x" * 41}, "range"),
    ],
)  # fmt: skip
def test_a_file_with_an_impossible_spell_is_refused_with_its_path(spell, key):
    document = json.loads(write_file(caster().fresh))
    reading = read_file(json.dumps({**document, "spells": [spell]}))
    assert reading.build is None
    assert {problem.where for problem in reading.problems} == {f"spells[0].{key}"}


def test_a_copy_has_the_spells_too():
    seat = caster(BOLT)
    copied = verbs.copy(seat.character.pk, person(), new_key()).character
    bundle, build, _ = sheet_of(copied)
    assert [in_words(bundle, spell) for spell in build.spells] == ["Cantrip. 60 ft. Ranged spell attack, 2d6+1 fire."]
    assert facts_of(bundle, build)["spell:0"]["name"] == "Fire bolt"
    assert Character.objects.get(pk=copied.pk).spells.count() == 1
