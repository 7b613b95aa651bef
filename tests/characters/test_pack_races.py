"""Packs uploaded at the same moment, and while someone plays: nothing fails, and what was acknowledged is stored."""

from pathlib import Path
from threading import Event

import pytest
from django.contrib.auth.models import User
from django.db import connection

from characters import verbs
from characters.change.replay import fault
from characters.models import Character
from characters.pages.packs import pack_trial
from characters.pages.packs.pack_trial import PackTrial, StaleReport, store, tried
from rules.models import Source, Talent
from rules.packs.load import files_in, load_files
from rules.publications import publish
from tests.characters.cast import first_level, new_key, person
from tests.characters.play.table import play
from tests.support.at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]
RIVER = files_in(Path(__file__).parents[2] / "docs/packs/river-folk")
DRY = {**RIVER, "talents.yaml": RIVER["talents.yaml"].replace(b"name: River-born", b"name: Dry-born")}


def patiently(act):
    """Waits longer for a lock than a visitor does: beside other tests, a report locks its rows for that long."""

    def acted():
        if connection.vendor == "sqlite":  # its own timeout is long enough
            return act()
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '30s'")
            try:
                return act()
            finally:
                cursor.execute("RESET lock_timeout")

    return acted


@pytest.fixture
def ada(db):
    return User.objects.create_superuser("ada", "ada@example.com", "a long password")


@pytest.fixture
def player(db):
    """Ana's character, who plays by the river folk."""
    load_files(RIVER)
    character = first_level()
    verbs.set_sources(character.pk, person(), new_key(), sources=["river-folk"])
    return character


def test_two_reports_at_once_are_equal_and_store_nothing(db):
    one, other = at_once(*[patiently(lambda: tried(RIVER))] * 2)
    assert (one.rows, one.digest) == (other.rows, other.digest)
    assert len(one.rows) > 1
    assert not Source.objects.filter(slug="river-folk").exists()


def test_of_two_uploads_stored_at_once_one_succeeds_and_one_report_is_stale(ada):
    digest = tried(RIVER).digest
    answers = at_once(*[patiently(lambda: store(RIVER, digest, ada))] * 2)
    assert {type(answer) for answer in answers} == {Source, StaleReport}, answers
    assert Source.objects.get(slug="river-folk").publications.count() == 1


def test_four_publications_at_once_have_one_number_each(db):
    load_files(RIVER)
    source = Source.objects.get(slug="river-folk")
    made = at_once(*[patiently(lambda: publish(source))] * 4)
    assert sorted(getattr(one, "number", str(one)) for one in made) == [2, 3, 4, 5]


@pytest.mark.parametrize("kept", [False, True], ids=["a report", "stored"])
def test_a_player_may_wait_for_an_upload_but_is_not_refused(ada, player, kept, monkeypatch):
    """The upload has locked its rows when the player adds an item, takes damage and undoes the item."""
    written, report_digest = Event(), pack_trial.report_digest
    digest = tried(DRY).digest

    def held(*arguments):
        written.set()
        Event().wait(0.3)
        return report_digest(*arguments)

    def upload():
        return store(DRY, digest, ada) if kept else tried(DRY)

    def plays():
        assert written.wait(30)
        hook = play.add_item(player.pk, person(), new_key(), ref="weapon:boat-hook", custom="", quantity=1)
        play.take_damage(player.pk, person(), new_key(), amount=1)
        return play.undo(player.pk, person(), new_key(), change=hook.sequence)

    monkeypatch.setattr(pack_trial, "report_digest", held)
    stored, undone = at_once(upload, plays)
    assert isinstance(stored, Source if kept else PackTrial), stored
    assert undone.sequence == 5, undone
    assert fault(Character.objects.get(pk=player.pk)) == ""
    assert Talent.objects.get(slug="river-born").name == ("Dry-born" if kept else "River-born")
