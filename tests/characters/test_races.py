"""Two or eight threads at once, each with its own connection, on whichever database the tests run."""

import threading
from datetime import timedelta

import pytest
from django.http import Http404
from django.utils import timezone

from characters import sharing, verbs
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.models import Change, Character, Link, Picture
from characters.sharing import links_of, make_link
from characters.verbs import face
from tests.characters.cast import facts, first_level, mira, new_key, person
from tests.characters.play.table import play
from tests.support.at_once import at_once, until_one_waits
from tests.support.characters import fresh
from tests.support.clock import later

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

WRITERS = 8


def spend(character, who, key, locked=None):
    def act(draft):
        spent = draft.read("spent:stamina")
        if locked:
            locked.wait(0.2)
        draft.put("spent:stamina", spent + 1)
        return "One spent."

    return perform(character.pk, who, "spend", key, {}, act)


def test_the_same_form_sent_eight_times_makes_one_change_and_returns_it_each_time():
    character, who, key = first_level(), person(), new_key()
    answers = at_once(*[lambda: spend(character, who, key)] * WRITERS)
    assert {getattr(answer, "pk", answer) for answer in answers} == {character.changes.get(sequence=2).pk}
    assert facts(character)["spent:stamina"] == 1


def test_the_same_start_sent_eight_times_makes_one_character():
    who, key = person(), new_key()
    answers = at_once(*[lambda: verbs.start(who, key)] * WRITERS)
    assert len({getattr(answer, "character_id", answer) for answer in answers}) == 1
    assert Character.objects.count() == Change.objects.count() == 1


def test_eight_different_forms_all_count():
    """Each reads, waits, and writes what it read plus one: without the lock some would be lost."""
    character, who = first_level(), person()
    pause = threading.Event()
    answers = at_once(*[lambda: spend(character, who, new_key(), pause)] * WRITERS)
    assert [answer.verb for answer in answers] == ["spend"] * WRITERS
    assert facts(character)["spent:stamina"] == WRITERS
    sequences = character.changes.order_by("sequence").values_list("sequence", flat=True)
    assert list(sequences) == list(range(1, WRITERS + 2))


def test_a_value_read_before_the_lock_loses_changes():
    """The control: two writers that read before they have the lock overwrite each other."""
    character, who = first_level(), person()
    together = threading.Barrier(2)

    def careless():
        spent = facts(character).get("spent:stamina", 0)
        together.wait()
        perform(
            character.pk, who, "spend", new_key(), {}, lambda draft: draft.put("spent:stamina", spent + 1) or "One."
        )

    at_once(careless, careless)
    assert facts(character)["spent:stamina"] == 1


def test_a_character_that_is_being_deleted_is_not_restored(monkeypatch):
    """The restore waits for the lock and then finds nothing. Without the lock, rows would be left over."""
    character, who = first_level(), person()
    verbs.throw_away(character.pk, who, new_key())
    deleting, pause, delete = threading.Event(), threading.Event(), Character.delete

    def slow(self):
        deleting.set()
        pause.wait(0.2)
        return delete(self)

    def restore():
        deleting.wait(10)
        return verbs.restore(character.pk, who, new_key())

    monkeypatch.setattr(Character, "delete", slow)
    with later(days=31):
        emptied, restored = at_once(verbs.empty_bin, restore)
    assert emptied == 1
    assert isinstance(restored, Http404)
    assert not Character.objects.exists()


def test_a_picture_that_is_uploaded_again_is_not_forgotten_meanwhile(monkeypatch):
    """An old picture that no character had any more: the nightly cleanup must not delete it in the same moment."""
    character, data = mira(), b"a picture"
    kept, keep = threading.Event(), face.keep_picture
    keep(data)
    Picture.objects.update(made_at=timezone.now() - timedelta(days=2))

    def slow(picture):
        found = keep(picture)
        kept.set()
        until_one_waits()
        return found

    def clean_up():
        kept.wait(10)
        return verbs.forget_pictures(Character.objects.none())

    monkeypatch.setattr(face, "keep_picture", slow)
    change, forgotten = at_once(lambda: verbs.set_picture(character.pk, person(), new_key(), picture=data), clean_up)
    assert (type(change), forgotten) == (Change, 0)
    assert fresh(character.pk).face == f"picture:{Picture.objects.get().digest}"


def test_only_one_of_four_undos_at_once_succeeds():
    character, who = first_level(), person()
    renamed = verbs.rename(character.pk, who, new_key(), name="Miro")
    answers = at_once(*[lambda: play.undo(character.pk, who, new_key(), renamed.sequence)] * 4)
    assert sum(isinstance(answer, Change) for answer in answers) == 1
    assert sum(isinstance(answer, Refused) for answer in answers) == 3
    assert facts(character)["field:name"] == "Mira"


def test_the_same_link_asked_for_eight_times_is_made_once(monkeypatch):
    character, key, pause = mira(), new_key(), threading.Event()
    # Each looks for the link, waits, and makes it if there is none: without the lock some would collide.
    monkeypatch.setattr(sharing, "links_of", lambda one: pause.wait(0.2) or links_of(one))
    tokens = at_once(*[lambda: make_link(character.pk, person(), key)] * 8)
    assert (len(set(tokens)), Link.objects.count()) == (1, 1)
