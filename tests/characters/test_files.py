"""The character file: export and import return the same character, byte for byte."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from characters import verbs
from characters.models import Character
from characters.read.character_file import read_file, write_file
from characters.read.prose import digest
from characters.read.versions import read
from characters.samples import FOLDER
from rules.compile import bundle_for
from rules.engine import derive
from rules.engine.build import Award, Build, Held, Item
from rules.engine.random_answers import answer_all
from rules.games.polyhedral import chance as by_chance
from rules.games.polyhedral import file
from tests.characters.cast import MIRA, document, facts, mira, new_key, person, refuses
from tests.characters.play.table import play
from tests.support.characters import fresh

pytestmark = pytest.mark.django_db


def bring_in(text):
    return verbs.import_file(person(), new_key(), text=text).character


def test_a_note_that_would_make_the_file_too_large_to_import_is_refused():
    note = "語" * 4_000
    character = bring_in(json.dumps(document(notes=[note] * 73), ensure_ascii=False))
    who = person()
    play.add_note(character.pk, who, new_key(), text=note)
    with refuses("") as refused:
        play.add_note(character.pk, who, new_key(), text=note)
    assert "Delete or shorten a text first." in refused.value.sentence
    assert read(bring_in(write_file(character))).build.notes == (note,) * 74
    address = next(one for one in facts(character) if one.startswith("note:"))
    play.remove(character.pk, who, new_key(), address=address)
    play.add_note(character.pk, who, new_key(), text=note)


def test_a_character_that_is_too_large_already_can_be_made_smaller():
    note = "語" * 4_000
    character = bring_in(json.dumps(document(notes=[note] * 80), ensure_ascii=False))
    first, second, *_ = (one for one in facts(character) if one.startswith("note:"))
    play.remove(character.pk, person(), new_key(), address=first)
    was = digest(note)
    play.edit(character.pk, person(), new_key(), address=second, text="語", was=was)
    assert len(read(character).build.notes) == 79


def test_mira_is_the_same_after_export_and_import():
    character = bring_in(json.dumps(document()))
    text = write_file(character)
    assert write_file(bring_in(text)) == text
    assert json.loads(text)["state"] == document()["state"]
    assert json.loads(text)["levels"] == document()["levels"]
    assert text.endswith("}\n")


def test_a_file_holds_no_derived_number():
    assert set(json.loads(write_file(mira()))) <= set(document())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_files_of_samples_equal_their_export(path):
    assert write_file(bring_in(path.read_bytes())) == path.read_text("utf-8")


def test_a_character_in_full_health_is_exported_without_state():
    character = mira(state=None)
    assert "state" not in json.loads(write_file(character))


def test_a_hurt_character_without_a_job_is_exported_without_state():
    choices = MIRA["choices"] | {"human-culture.talent": ["medic"]}  # not Tough, which adds health of its own
    character = mira(xp=0, levels=None, house_rules=None, choices=choices, state={"health": 5})
    verbs.unchoose(character.pk, person(), new_key(), choice="core-rules.job", drop="job:fighter")
    text = write_file(fresh(character.pk))
    assert "state" not in json.loads(text)
    assert write_file(bring_in(text)) == text


def test_the_health_in_a_file_without_a_job_is_forgotten():
    choices = {key: value for key, value in MIRA["choices"].items() if not key.startswith("fighter.")}
    choices["human-culture.talent"] = ["medic"]
    character = mira(xp=0, levels=None, house_rules=None, job=None, choices=choices, state={"health": 5})
    assert "spent:health" not in facts(character)


def test_health_and_stamina_in_a_file_are_the_amounts_left():
    assert facts(mira())["spent:health"] == 13
    assert facts(mira())["spent:stamina"] == 3


@pytest.mark.parametrize(
    ("printed", "slug"),
    [
        ("boomarang", "boomerang"),
        ("shortbow", "short-bow"),
        ("Bow, short bow", "short-bow"),
        ("Boomarang", "boomerang"),
        ("Pistol, light", "pistol-light"),
        ("Half plate", "half-plate"),
        ("Smith's tools", "smiths-tools"),
        ("Light pistol", "pistol-light"),
        ("musket", "rifle-musket"),
    ],
)
def test_printed_spellings_of_items_are_accepted(printed, slug):
    character = mira(inventory=[{"item": printed}])
    assert json.loads(write_file(character))["inventory"] == [{"item": slug, "state": "carried"}]


def test_printed_spellings_of_abilities_skills_and_conditions_are_accepted():
    abilities = document()["abilities"]
    abilities["ranks"]["pressence"] = abilities["ranks"].pop("presence")
    choices = {**document()["choices"], "human-culture.skills": ["intimidate", "awareness"]}
    character = mira(abilities=abilities, choices=choices, state={"conditions": [{"condition": "paralyed"}]})
    written = json.loads(write_file(character))
    assert written["abilities"]["ranks"]["presence"] == 8
    assert written["choices"]["human-culture.skills"] == ["intimidation", "awareness"]
    assert written["state"]["conditions"] == [{"condition": "paralyzed"}]


@pytest.mark.parametrize("bonuses", [{}, {"strength": 0, "mind": 0}])
def test_empty_or_zero_bonuses_in_a_file_are_accepted(bonuses):
    abilities = {**document()["abilities"], "bonuses": bonuses}
    assert "bonuses" not in json.loads(write_file(mira(abilities=abilities)))["abilities"]


def test_the_same_condition_written_in_two_ways_counts_once():
    """Ruling 84; what is left out is what stands in the other."""
    ways = [{"condition": "paralyed"}, {"condition": "paralyzed", "stacks": 1, "source": "", "rounds": 0}]
    build = read_file(json.dumps(document(state={"conditions": ways}))).build
    assert build is not None
    assert build.conditions == (Held("condition:paralyzed"),)


def test_a_printed_name_among_your_own_words_is_what_is_listed():
    choices = {**document()["choices"], "ambassador.languages": ["Dwarven", "Second Wind"]}
    written = json.loads(write_file(mira(choices=choices)))
    assert written["choices"]["ambassador.languages"] == ["dwarven", "Second Wind"]


def test_a_limit_break_that_is_named_like_another_feature_is_your_own():
    level = {"level": 15, "take": "job", "job": "fighter", "choices": {"fighter.limit-break": ["Second Wind"]}}
    levels = [{"level": n, "take": "job", "job": "fighter"} for n in range(2, 15)]
    levels[1]["choices"] = {"fighter.martial-path": ["champion"]}
    written = json.loads(write_file(mira(xp=14_000, levels=[*levels, level])))
    assert written["levels"][-1]["choices"] == {"fighter.limit-break": ["Second Wind"]}


def test_unlisted_languages_dispositions_and_items_are_kept_as_your_own_words():
    origin = {**document()["origin"], "disposition": "Wary"}
    character = mira(origin=origin, inventory=[{"item": "moon-lamp"}])
    build = read(Character.objects.get(pk=character.pk)).build
    assert {d.write_in for d in build.decisions if d.write_in} == {"Wary", "trade-cant"}
    assert [item.custom for item in build.items] == ["moon-lamp"]


def test_an_awarded_language_that_the_rules_do_not_list_is_kept_as_your_own_words():
    awards = [
        {"kind": "language", "element": "elvish"},
        {"kind": "language", "element": "Sea Cant", "reason": "downtime"},
        {"kind": "language", "element": "talent:medic"},
    ]
    text = write_file(mira(awards=awards))
    assert json.loads(text)["awards"] == awards
    assert write_file(bring_in(text)) == text
    written = json.loads(write_file(mira(awards=[{"kind": "language", "element": "Elvish"}])))
    assert written["awards"] == [{"kind": "language", "element": "elvish"}]


def test_a_byte_order_mark_is_forgiven():
    assert read_file(b"\xef\xbb\xbf" + json.dumps(document()).encode()).problems == ()


def test_the_reason_of_an_override_is_kept():
    levels = [{"level": 2, "take": "talent", "talent": "medic", "override": "Taught by the old surgeon"}]
    choices = {**document()["choices"], "human-culture.talent": [{"option": "tough", "override": "Born so"}]}
    text = write_file(mira(levels=levels, choices=choices))
    assert json.loads(text)["levels"] == levels
    assert json.loads(text)["choices"]["human-culture.talent"] == choices["human-culture.talent"]


def test_ability_rolls_are_kept_in_the_file():
    rolls = [[1, 3, 5, 6]] * 7
    ranks = dict.fromkeys(document()["abilities"]["ranks"], 14)
    character = mira(abilities={"method": "rolled", "ranks": ranks, "rolls": rolls})
    assert json.loads(write_file(character))["abilities"]["rolls"] == rolls


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=40
)


@pytest.mark.slow
class RoundTrip(HypothesisTestCase):
    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(
        seed=st.integers(0, 10_000),
        xp=st.integers(0, 30_000),
        name=WORDS,
        lost=st.integers(0, 30),
        wounds=st.integers(0, 12),
        items=st.lists(st.tuples(WORDS, st.integers(1, 9), st.sampled_from(["worn", "carried", "stowed"])), max_size=4),
        conditions=st.sets(st.sampled_from(["poisoned", "prone", "blinded", "grappled"])),
        source=st.sampled_from(["", "a trap"]),
        toggles=st.sets(st.sampled_from(["half-cover", "defending"])),
    )
    def test_export_import_export_is_the_same(self, seed, xp, name, lost, wounds, items, conditions, source, toggles):
        bundle, chance = bundle_for("polyhedral"), Random(seed)
        build = by_chance.with_ranks(bundle, Build(name=name, xp=xp), chance)
        build = answer_all(bundle, build, chance, by_chance.OWN_WORDS)
        build = by_chance.with_the_rest(bundle, build, derive(bundle, build), chance)
        build = replace(
            build,
            items=(*build.items, *(Item(custom=word, quantity=n, state=state) for word, n, state in items)),
            conditions=tuple(Held(f"condition:{slug}", 1, source, "dawn" if source else "") for slug in conditions),
            awards=(Award("talent:medic", "For the siege"), Award("", "", "Sea |cant")) if seed % 2 else (),
            spent={slug: n for slug, n in {"health": lost, "wounds": wounds}.items() if n},
            toggles=frozenset(toggles & set(bundle.circumstances)),
            switches={"fighterProgression": "table"} if seed % 3 else {},
        )
        first = file.dump(file.write(build, derive(bundle, build), bundle))
        character = bring_in(first)
        second = write_file(Character.objects.get(pk=character.pk))
        assert second == first
        assert write_file(bring_in(second)) == second
