"""Journals are replayed and compared with what is stored; each kind of damage is found and named."""

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from characters import verbs
from characters.change.replay import fault_of, replay_all
from characters.models import Change, Character, Note
from rules.models import Source
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import play
from tests.factories import SourceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    """Mira after a few changes, one of them undone and done again."""
    character, who = mira(), person()
    play.add_note(character.pk, who, new_key(), text="The ferryman knows more than he says.")
    named = verbs.rename(character.pk, who, new_key(), name="Miro")
    undone = play.undo(character.pk, who, new_key(), named.sequence)
    play.undo(character.pk, who, new_key(), undone.sequence)
    play.adjust(character.pk, who, new_key(), resource="health", amount="-1")
    return Character.objects.get(pk=character.pk)


def test_the_journal_of_a_played_character_replays(played):
    other = mira()
    assert list(replay_all()) == [(played.pk, ""), (other.pk, "")]


def test_the_journals_of_samples_replay():
    call_command("add_samples")
    assert len(faults := dict(replay_all())) == 3
    assert set(faults.values()) == {""}


TORN = {
    "a row without its change": (
        lambda character: Note.objects.filter(character=character).update(text="Something else."),
        "what is stored is not what the journal comes to, at note:",
    ),
    "a row that is gone": (
        lambda character: Note.objects.filter(character=character).delete(),
        "what is stored is not what the journal comes to, at note:",
    ),
    "a change that is gone": (
        lambda character: Change.objects.filter(character=character, sequence=2).delete(),
        "change 2 is missing",
    ),
    "a character older than its journal": (
        lambda character: Character.objects.filter(pk=character.pk).update(version=F("version") - 1),
        "its last change should be 5 and is 6",
    ),
    "a journal older than its character": (
        lambda character: Character.objects.filter(pk=character.pk).update(version=F("version") + 1),
        "its last change should be 7 and is 6",
    ),
    "changes that do not meet": (
        lambda character: Change.objects.filter(character=character, sequence=3).update(
            before={"field:name": "Nobody"}
        ),
        "change 3 does not begin where the one before it ended, at field:name",
    ),
}


@pytest.mark.parametrize("how", TORN)
def test_a_damaged_journal_is_found_and_named(played, how):
    tear, told = TORN[how]
    tear(played)
    assert fault_of(played.pk).startswith(told)
    with pytest.raises(CommandError, match=f"1 of 1 journals do not replay. character {played.pk}: {told}"):
        call_command("check_journals")


def test_a_journal_known_to_be_damaged_can_be_left_out(played, capsys):
    TORN["a row that is gone"][0](played)
    call_command("check_journals", known=[played.pk])
    assert capsys.readouterr().out == "1 journals replayed.\n"


def test_an_old_journal_that_stores_a_single_point_replays():
    """Older changes store `points: 1`, and they are not rewritten."""
    character = mira()
    change = verbs.unchoose(
        character.pk, person(), new_key(), choice="core-rules.ability-bonuses", drop="rank.strength"
    )
    ((address, left),) = change.after.items()
    Change.objects.filter(pk=change.pk).update(after={address: [{"points": 1} | one for one in left]})
    assert fault_of(character.pk) == ""
    play.undo(character.pk, person(), new_key(), change.sequence)
    assert fault_of(character.pk) == ""


def test_a_character_of_a_deleted_source_has_no_fault(played):
    extra = SourceFactory(ruleset=played.ruleset)
    verbs.set_sources(played.pk, person(), new_key(), sources=[extra.slug])
    assert fault_of(played.pk) == ""
    Source.objects.filter(pk=extra.pk).delete()
    assert fault_of(played.pk) == ""


def test_a_character_deleted_meanwhile_has_no_fault():
    assert fault_of(10_000) == ""
