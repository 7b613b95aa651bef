"""Characters are started, copied, renamed, put into the bin and restored."""

import os
from datetime import timedelta
from importlib import import_module
from random import Random

import pytest
from django.core.management import call_command
from django.http import Http404
from django.utils import timezone

from characters import verbs
from characters.access import owned_by, visible_to
from characters.change.refusals import Refused
from characters.models import Change, Character
from characters.people import Person
from characters.read.character_file import write_file
from characters.samples import add_samples
from rules.models import HouseRules, SwitchValue
from tests.characters.cast import facts, first_level, guest, mira, new_key, person, refuses
from tests.characters.play.table import play
from tests.support.characters import put_xp, sheet_of
from tests.support.clock import later

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


begin = mira


def test_a_new_character_is_empty_and_belongs_to_the_visitor():
    character = verbs.start(guest(), new_key()).character
    assert (character.owner, character.guest, character.version) == (None, guest().guest, 1)
    assert sheet_of(character)[2].level == 1


@pytest.mark.parametrize("seed", range(300 if os.environ.get("SOAK") else 25))
def test_a_surprise_is_complete_and_legal(seed):
    character = verbs.surprise(guest(), new_key(), chance=Random(seed)).character
    _, build, sheet = sheet_of(character)
    assert [line.choice.key for line in sheet.choices if line.open] == []
    assert sheet.problems == ()
    assert character.name
    assert sorted(kind for kind, _ in build.aspects) == ["bond", "flaw", "ideal", "trait"]
    assert "background:custom-background" not in sheet.active, "its story is for a person to write"
    assert not any(made.write_in for made in build.decisions if not made.choice.endswith(("language", "languages")))
    armed = any(attack.item != "unarmed-strike" for attack in sheet.attacks)
    assert armed != ("feature:unarmed-fighting" in sheet.active)


@pytest.mark.parametrize("method", ["roll", "pointBuy", "array"])
def test_a_surprise_keeps_to_the_house_rules(method):
    from rules.compile import bundle_for
    from rules.engine import derive
    from rules.engine.build import Build
    from rules.games.polyhedral import chance, creation

    bundle = bundle_for("polyhedral")
    build = chance.with_ranks(bundle, Build(switches={"abilityMethod": method}), Random(7))
    assert creation.rank_problems(bundle, build) == []
    assert derive(bundle, build).value("rank.strength") >= 3


def test_a_copy_is_equal_and_independent():
    original = mira()
    copy = verbs.copy(original.pk, person(), new_key()).character
    assert write_file(copy).replace("Mira (copy)", "Mira") == write_file(original)
    verbs.rename(copy.pk, person(), new_key(), name="Other")
    assert facts(original)["field:name"] == "Mira"
    assert not set(original.items.values_list("pk", flat=True)) & set(copy.items.values_list("pk", flat=True))


def test_a_stranger_copies_nothing():
    with pytest.raises(Http404):
        verbs.copy(mira().pk, person("bo"), new_key())
    with pytest.raises(Http404):
        verbs.copy_sample(person(), new_key(), sample="nobody")


def test_samples_are_added_once_legal_and_open_to_copy():
    assert len(add_samples()) == 3
    assert add_samples() == []
    samples = Character.objects.exclude(sample="")
    assert samples.count() == 3
    for sample in samples:
        sheet = sheet_of(sample)[2]
        assert not sheet.problems
        assert not [line for line in sheet.choices if line.open]
        copy = verbs.copy_sample(guest(), new_key(), sample=sample.sample).character
        assert write_file(copy) == write_file(sample)
        with pytest.raises(Http404):
            verbs.rename(sample.pk, guest(), new_key(), name="Mine")


def test_adding_samples_says_what_it_did(capsys):
    call_command("add_samples")
    call_command("add_samples")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Samples added: ")
    assert lines[1] == "The samples are there already."


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\0b", "\ud800", None, 7])
def test_a_bad_name_is_refused(character, name):
    with refuses("name"):
        verbs.rename(character.pk, person(), new_key(), name=name)
    assert facts(character)["field:name"] == "Mira"


def test_renaming_to_the_same_name_is_refused(character):
    with refuses("name"):
        verbs.rename(character.pk, person(), new_key(), name=" Mira ")
    assert character.changes.count() == 1


def test_the_bin_keeps_a_character_for_thirty_days(character):
    key = new_key()
    thrown = verbs.throw_away(character.pk, person(), key)
    assert verbs.throw_away(character.pk, person(), key) == thrown
    assert not Character.objects.filter(visible_to(person())).exists()
    assert Character.objects.filter(owned_by(person())).exclude(binned_at=None).get() == character
    with later(days=29):
        assert verbs.empty_bin() == 0
    verbs.restore(character.pk, person(), new_key())
    assert Character.objects.filter(visible_to(person())).get() == character
    with pytest.raises(Http404):
        verbs.restore(character.pk, person(), new_key())


def test_emptying_the_bin_deletes_the_changes_of_its_characters(character, caplog):
    renamed = verbs.rename(character.pk, person(), new_key(), name="Miro")
    play.undo(character.pk, person(), new_key(), renamed.sequence)
    verbs.throw_away(character.pk, person(), new_key())
    Character.objects.filter(pk=character.pk).update(binned_at=timezone.now() - timedelta(days=31))
    with caplog.at_level("INFO"):
        call_command("nightly")
    assert "1 character deleted for good from the bin." in caplog.text
    assert not Change.objects.exists()


def test_house_rules_are_deleted_with_their_character():
    gone, kept = mira(), mira()
    for character in (gone, kept):
        verbs.set_switches(character.pk, person(), new_key(), values={"massiveDamage": "off"})
    theirs, others = (HouseRules.objects.get(characters=one).pk for one in (gone, kept))
    verbs.throw_away(gone.pk, person(), new_key())
    with later(days=31):
        assert verbs.empty_bin() == 1
    assert not HouseRules.objects.filter(pk=theirs).exists()
    assert not SwitchValue.objects.filter(house_rules=theirs).exists()
    assert SwitchValue.objects.filter(house_rules=others).exists()


@pytest.mark.parametrize("again", [False, True])
def test_a_character_restored_while_the_bin_is_emptied_stays(monkeypatch, again):
    """Restored after the old characters were listed, before it is deleted itself; thrown away again, it has another
    thirty days."""
    one, other = mira(), mira()
    for character in (one, other):
        verbs.throw_away(character.pk, person(), new_key())
    ours = Character.objects.filter(pk__in=[one.pk, other.pk])
    ours.update(binned_at=timezone.now() - timedelta(days=31))
    emptying = import_module("characters.verbs.bin")
    delete_if_binned = emptying.delete_if_binned

    def late(model, pk, since):
        if pk == one.pk:
            verbs.restore(pk, person(), new_key())
            if again:
                verbs.throw_away(pk, person(), new_key())
        return delete_if_binned(model, pk, since)

    monkeypatch.setattr(emptying, "delete_if_binned", late)
    assert verbs.empty_bin() == 1
    assert ours.get() == one


def test_a_stranger_cannot_restore_a_character(character):
    verbs.throw_away(character.pk, person(), new_key())
    for stranger in (person("bo"), Person(), guest()):
        with pytest.raises(Http404):
            verbs.restore(character.pk, stranger, new_key())


@pytest.mark.parametrize(("kind", "text"), [("mood", "Sour"), ("bond", "Keeps every slight"), ("flaw", "Hums")])
def test_dropping_an_aspect_that_is_not_there_is_refused(kind, text):
    character = first_level()
    with pytest.raises(Refused, match="Someone has deleted this"):
        verbs.drop_aspect(character.pk, person(), new_key(), kind=kind, text=text)
    assert character.aspects.count() == 2


def test_only_one_of_two_equal_aspects_is_dropped():
    character = first_level()
    play.add_aspect(character.pk, person(), new_key(), kind="flaw", text="Keeps every slight")
    verbs.drop_aspect(character.pk, person(), new_key(), kind="flaw", text="Keeps every slight")
    assert [aspect.text for aspect in character.aspects.all()] == ["Hears every petition out", "Keeps every slight"]


def test_the_sentence_about_a_deleted_ideal_says_an_ideal():
    character = first_level()
    play.add_aspect(character.pk, person(), new_key(), kind="ideal", text="The weak come first")
    change = verbs.drop_aspect(character.pk, person(), new_key(), kind="ideal", text="The weak come first")
    assert change.sentence.endswith(" deletes an ideal.")


def test_the_level_follows_from_experience_or_from_milestones():
    character = first_level()
    put_xp(character.pk, person(), 4999)
    assert sheet_of(Character.objects.get(pk=character.pk))[2].level == 5
    verbs.set_switches(character.pk, person(), new_key(), values={"advancement": "milestone"})
    verbs.set_level(character.pk, person(), new_key(), level=9, sure=True)
    assert sheet_of(Character.objects.get(pk=character.pk))[2].level == 9
    for amount in (2**70, 1.5, "5", True):
        with pytest.raises(Refused, match="Enter a whole number from −100,000,000 to 100,000,000"):
            verbs.add_xp(character.pk, person(), new_key(), amount=amount)


def test_a_house_rule_changes_the_sheet_is_undone_and_refuses_bad_values():
    character = first_level()
    change = verbs.set_switches(character.pk, person(), new_key(), values={"shieldBonus": "3"})
    assert sheet_of(Character.objects.get(pk=character.pk))[2].value("defense") == 22
    play.undo(character.pk, person(), new_key(), change.sequence)
    assert "switch:shieldBonus" not in facts(character)
    for switch, value in [
        ("shieldBonus", "lots"),
        ("purchaseLimit", "maybe"),
        ("noSuchRule", "1"),
        ("shieldBonus", ""),
    ]:
        with refuses("switch" if switch == "noSuchRule" else switch):
            verbs.set_switches(character.pk, person(), new_key(), values={switch: value})
