"""Choosing: what is offered is taken, everything else is refused with a sentence and changes nothing."""

import json

import pytest
from django.http import Http404

from characters import verbs
from characters.change import fact_address
from characters.change.refusals import Refused
from characters.change.replay import fault_of
from characters.models import Character
from characters.read import version_cache
from characters.read.character_file import write_file
from tests.characters.cast import MIRA, facts, first_level, guest, mira, new_key, person
from tests.characters.play.table import play
from tests.support.characters import put_xp, sheet_of
from tests.support.derived import sheets_made

pytestmark = pytest.mark.django_db


begin = first_level


def choose(character, choice, take, who=None, **more):
    return verbs.choose(character.pk, who or person(), new_key(), choice=choice, take=take, **more)


def unchoose(character, choice, drop, **more):
    return verbs.unchoose(character.pk, person(), new_key(), choice=choice, drop=drop, **more)


def chosen(character, choice, level=1):
    return facts(character).get(fact_address.choice(choice, level))


def sheet(character):
    return sheet_of(Character.objects.get(pk=character.pk))[2]


def test_an_answer_to_an_open_question_derives_nothing_twice(monkeypatch):
    """The question has no answer to clear away first."""
    character = begin()
    unchoose(character, "fighter.fighting-style", "feature:defense")
    version_cache.VERSIONS.clear()
    made = sheets_made(monkeypatch)
    choose(character, "fighter.fighting-style", "feature:dueling")
    assert len(made) == len(set(made))


def test_an_empty_character_chooses_a_lineage():
    character = verbs.start(guest(), new_key()).character
    change = choose(character, "core-rules.lineage", "lineage:elf", who=guest())
    assert chosen(character, "core-rules.lineage") == [{"ref": "lineage:elf"}]
    assert change.sentence.startswith("The character chooses a lineage: Elf.")


def test_the_only_option_is_chosen_with_the_next_answer_and_the_sentence_says_so():
    character = verbs.start(guest(), new_key()).character
    change = choose(character, "core-rules.lineage", "lineage:elf", who=guest())
    assert change.sentence.endswith(" Fighter is the only option in your rules: chosen for you.")
    assert chosen(character, "core-rules.job") == [{"ref": "job:fighter"}]
    assert json.loads(write_file(character))["job"] == "fighter"
    assert not any(line.open for line in sheet(character).choices if line.choice.key == "core-rules.job")
    again = choose(character, "core-rules.lineage", "lineage:human", who=guest())
    assert "only" not in again.sentence
    assert chosen(character, "fighter.fighting-style") is None


def test_undoing_an_answer_drops_the_only_option_chosen_with_it():
    character = verbs.start(guest(), new_key()).character
    change = choose(character, "core-rules.lineage", "lineage:elf", who=guest())
    play.undo(character.pk, guest(), new_key(), change.sequence)
    assert facts(character).keys().isdisjoint({fact_address.choice("core-rules.job", 1)})


def test_a_dropped_only_option_stays_open_until_the_next_answer(character):
    unchoose(character, "core-rules.job", "job:fighter")
    assert chosen(character, "core-rules.job") is None
    choose(character, "core-rules.disposition", "Wary")
    assert chosen(character, "core-rules.job") == [{"ref": "job:fighter"}]


def test_an_only_option_is_not_chosen_for_you_where_your_own_words_are_allowed():
    character = verbs.start(guest(), new_key()).character
    choose(character, "core-rules.background", "background:custom-background", who=guest())
    assert chosen(character, "custom-background.feature") is None


def test_another_answer_replaces_the_first(character):
    choose(character, "fighter.fighting-style", "feature:dueling")
    assert chosen(character, "fighter.fighting-style") == [{"ref": "feature:dueling"}]
    assert sheet(character).value("defense") == 19


def test_a_new_answer_drops_the_choices_of_the_old_one_and_undo_restores_them(character):
    before = facts(character)
    change = choose(character, "core-rules.culture", "culture:elven-culture")
    assert chosen(character, "human-culture.skills") is None
    assert "That also undoes" in change.sentence
    play.undo(character.pk, person(), new_key(), change.sequence)
    assert facts(character) == before


def test_your_own_words_are_stored_and_dropped_where_the_rules_take_them(character):
    choose(character, "core-rules.disposition", "Wary")
    assert chosen(character, "core-rules.disposition") == [{"write_in": "Wary"}]
    unchoose(character, "ambassador.languages", "trade-cant")
    choose(character, "ambassador.languages", "Harbor cant")
    assert chosen(character, "ambassador.languages") == [{"ref": "language:dwarven"}, {"write_in": "Harbor cant"}]
    unchoose(character, "ambassador.languages", "Harbor cant")
    assert chosen(character, "ambassador.languages") == [{"ref": "language:dwarven"}]


def test_own_words_that_end_with_a_period_end_the_sentence_with_one(character):
    change = choose(character, "core-rules.disposition", "Wary of all.")
    assert change.sentence == f"{character.name} chooses a disposition: Wary of all."
    change = unchoose(character, "core-rules.disposition", "Wary of all.")
    assert change.sentence == f"{character.name} drops Wary of all."


@pytest.mark.parametrize(
    ("choice", "take", "sentence"),
    [
        ("core-rules.lineage", "lineage:orc", "not offered"),
        ("core-rules.lineage", "culture:human-culture", "not offered"),
        ("core-rules.lineage", "", "Choose something"),
        ("core-rules.lineage", " ", "Choose something"),
        ("core-rules.nothing", "lineage:elf", "no such choice"),
        ("dwarven-culture.tool", "tool:smiths-tools", "does not have to choose"),
        ("fighter.martial-path", "path:champion", "does not have to choose"),
        ("human-culture.skills", "skill:stealth", "too many"),
        ("core-rules.ability-bonuses", "rank.mind", "too many"),
        ("core-rules.disposition", "a\0b", "cannot save"),
        ("core-rules.disposition", "\ud800", "cannot save"),
        ("core-rules.disposition", "x" * 121, "too long"),
        ("core-rules.disposition", "x" * 5_000_000, "too long"),
        ("core-rules.disposition", 2**70, "not text"),
    ],
)
def test_a_bad_answer_is_refused(character, choice, take, sentence):
    before = facts(character)
    with pytest.raises(Refused, match=sentence):
        choose(character, choice, take)
    assert facts(character) == before


def test_an_option_that_is_not_offered_is_refused_at_the_options():
    with pytest.raises(Refused) as refused:
        choose(first_level(), "core-rules.lineage", "lineage:orc")
    assert (refused.value.sentence, refused.value.field) == ("That is not offered here.", "targets")


@pytest.mark.parametrize(
    ("choice", "drop", "take", "sentence"),
    [
        ("human-culture.skills", "skill:awareness", "skill:athletics", "twice"),
        ("human-culture.skills", "skill:awareness", "skill:insight", "from Ambassador"),
        ("human-culture.skills", "skill:awareness", "own words", "not offered"),
        ("core-rules.ability-bonuses", "rank.vitality", "rank.strength", r"No more than \+2"),
        ("core-rules.ability-bonuses", "rank.vitality", "rank.luck", "not offered"),
    ],
)
def test_a_bad_answer_is_refused_even_where_there_is_room(character, choice, drop, take, sentence):
    unchoose(character, choice, drop)
    before = facts(character)
    with pytest.raises(Refused, match=sentence):
        choose(character, choice, take)
    assert facts(character) == before


@pytest.mark.parametrize(
    ("choice", "drop"),
    [
        ("human-culture.skills", "skill:stealth"),
        ("human-culture.skills", ""),
        ("core-rules.ability-bonuses", "rank.mind"),
        ("core-rules.nothing", "lineage:elf"),
        ("dwarven-culture.tool", "tool:smiths-tools"),
    ],
)
def test_dropping_an_option_that_was_not_chosen_is_refused(character, choice, drop):
    before = facts(character)
    with pytest.raises(Refused, match="There is no such choice|no longer chosen"):
        unchoose(character, choice, drop)
    assert facts(character) == before


@pytest.mark.parametrize("level", [0, -1, 2**70, "2", None, True])
def test_strange_levels_are_refused(character, level):
    with pytest.raises(Refused, match="Enter a whole number from 1 to 10,000"):
        choose(character, "core-rules.level-job", "job:fighter", level=level)
    with pytest.raises(Refused, match="Enter a whole number from 1 to 10,000"):
        unchoose(character, "core-rules.job", "job:fighter", level=level)


def test_a_question_of_creation_is_not_answered_at_a_later_level():
    character = mira(origin={key: slug for key, slug in MIRA["origin"].items() if key != "lineage"})
    with pytest.raises(Refused, match="does not have to choose that now"):
        choose(character, "core-rules.lineage", "lineage:elf", level=5)
    choose(character, "core-rules.lineage", "lineage:elf")


def test_own_words_that_name_an_option_are_that_option(character):
    for words in ("dwarven", "Dwarven"):
        with pytest.raises(Refused, match="You have it from Ambassador"):
            choose(character, "human-culture.language", words)
    choose(character, "human-culture.language", "elvish")
    assert chosen(character, "human-culture.language") == [{"ref": "language:elvish"}]


def test_bonuses_are_plus_two_and_plus_one_or_three_times_plus_one(character):
    for stat in ("rank.strength", "rank.strength", "rank.vitality"):
        unchoose(character, "core-rules.ability-bonuses", stat)
    assert chosen(character, "core-rules.ability-bonuses") is None
    for stat in ("rank.mind", "rank.mind", "rank.spirit"):
        choose(character, "core-rules.ability-bonuses", stat)
    assert (sheet(character).value("rank.mind"), sheet(character).value("rank.spirit")) == (14, 11)
    change = unchoose(character, "core-rules.ability-bonuses", "rank.mind")
    assert change.sentence == "Mira drops +1 Mind."
    choose(character, "core-rules.ability-bonuses", "rank.presence")
    assert (sheet(character).value("rank.mind"), sheet(character).value("rank.presence")) == (13, 9)


def test_dropping_one_of_two_points_can_be_undone(character):
    change = unchoose(character, "core-rules.ability-bonuses", "rank.strength")
    assert fault_of(character.pk) == ""
    version_cache.VERSIONS.values.clear()  # as in another process
    play.undo(character.pk, person(), new_key(), change.sequence)
    assert chosen(character, "core-rules.ability-bonuses")[0] == {"stat": "rank.strength", "points": 2}


def test_another_pick_for_a_level_replaces_the_first(character):
    put_xp(character.pk, person(), 2000)
    choose(character, "core-rules.level-job", "job:fighter", level=2)
    choose(character, "core-rules.level-job", "job:fighter", level=3)
    choose(character, "fighter.martial-path", "path:champion", level=3)
    choose(character, "core-rules.level-abilities", "rank.strength", level=2)
    choose(character, "core-rules.level-abilities", "rank.strength", level=2)
    assert chosen(character, "core-rules.level-abilities", 2) == [{"stat": "rank.strength", "points": 2}]
    assert chosen(character, "core-rules.level-job", 2) is None
    assert chosen(character, "fighter.martial-path", 3) is None
    assert sheet(character).value("rank.fighter") == 2
    assert not sheet(character).problems


def test_a_level_not_earned_is_refused(character):
    with pytest.raises(Refused, match="not earned"):
        choose(character, "core-rules.level-job", "job:fighter", level=2)


def test_abilities_stop_at_twenty(character):
    put_xp(character.pk, person(), 3000)
    for level in (2, 2, 3):
        choose(character, "core-rules.level-abilities", "rank.strength", level=level)
    with pytest.raises(Refused, match="20"):
        choose(character, "core-rules.level-abilities", "rank.strength", level=3)


def test_a_talent_cannot_be_chosen_twice(character):
    put_xp(character.pk, person(), 1000)
    with pytest.raises(Refused, match="You have it already"):
        choose(character, "core-rules.level-talent", "talent:tough", level=2)


def test_a_style_is_swapped_at_a_new_rank_and_not_between():
    character = mira(state=None)
    choose(character, "fighter.fighting-style", "feature:dueling", level=3)
    assert "feature:dueling" in sheet(character).active
    assert "feature:defense" not in sheet(character).active
    with pytest.raises(Refused, match="new rank"):
        choose(character, "fighter.fighting-style", "feature:protection", level=5)


def test_dropping_an_answer_drops_the_choices_that_it_brought(character):
    unchoose(character, "core-rules.job", "job:fighter")
    assert chosen(character, "core-rules.job") is None
    assert chosen(character, "fighter.fighting-style") is None


def test_a_stranger_chooses_nothing(character):
    with pytest.raises(Http404):
        choose(character, "fighter.fighting-style", "feature:dueling", who=person("bo"))
