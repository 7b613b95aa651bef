"""Notes of a table: each is read by its readers alone, on one page, and is in no log or download."""

from copy import deepcopy
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DataError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import CampaignNote
from campaigns.verbs import campaign_notes, seats
from characters.change.refusals import KeyReused, Refused, StalePage
from characters.verbs.bin import delete_binned
from tests.campaigns.seated import EACH_ROLE, each_role, saltmarsh
from tests.characters.cast import mira, new_key, person
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
begin = each_role


@pytest.fixture
def campaign(begun):
    return deepcopy(begun)


def noted(campaign, reader="storytellers", text="Canary-note", who="ana"):
    return campaign_notes.write(campaign.pk, person(who), new_key(), text=text, reader=reader)


def of_mira(campaign):
    return f"character:{campaign.seats.get().character_id}"


def posted(client, campaign, who, path, **fields):
    client.force_login(person(who).user)
    return client.post(f"{campaign.get_absolute_url()}notes/{path}", {"key": new_key(), **fields})


PAGES = ("", "notes/", "log/", "log.json", "log.csv")
READERS = {"storytellers": {"ana", "eve"}, "everyone": {"ana", "bo", "cid", "dan", "eve"}, "mira": {"ana", "bo", "eve"}}


@pytest.mark.parametrize("reader", READERS)
def test_a_note_is_read_by_its_readers_and_on_no_other_page(client, campaign, reader):
    noted(campaign, of_mira(campaign) if reader == "mira" else reader)
    for name in ("ana", *EACH_ROLE):
        client.force_login(person(name).user)
        found = {
            path for path in PAGES if "Canary-note" in client.get(campaign.get_absolute_url() + path).content.decode()
        }
        assert found == ({"notes/"} if name in READERS[reader] else set()), name
    client.force_login(person("stranger").user)
    assert client.get(f"{campaign.get_absolute_url()}notes/").status_code == 404


def test_a_note_for_a_character_is_read_by_its_current_player(client, campaign):
    note = noted(campaign, of_mira(campaign))
    seats.stand_up(campaign.pk, person("ana"), campaign.seats.get().pk)
    member = campaign.members.get(user=person("bo").user)
    assert note not in campaign_notes.notes_for(member)
    seats.bring(campaign.pk, person("bo"), note.character_id)
    assert note in campaign_notes.notes_for(member)


def test_a_note_for_a_deleted_character_is_read_by_storytellers_only(campaign):
    note = noted(campaign, of_mira(campaign))
    note.character.delete()
    note.refresh_from_db()
    assert (note.reader, note.seen_by) == ("storytellers", "Storytellers only")
    assert note not in campaign_notes.notes_for(campaign.members.get(user=person("cid").user))


def test_a_notes_text_is_escaped(client, campaign):
    noted(campaign, text="One <script>\n\nTwo")
    client.force_login(person().user)
    page = client.get(f"{campaign.get_absolute_url()}notes/").content.decode()
    assert "<p>One &lt;script&gt;</p>\n\n<p>Two</p>" in page
    assert "Storytellers only" in page


def test_a_note_sent_twice_is_written_once_and_can_be_rewritten(client, campaign):
    key = new_key()
    for _ in range(2):
        answer = posted(client, campaign, "eve", "write/", key=key, text="One\r\nTwo", reader="everyone")
        assert answer.status_code == 303
    note = CampaignNote.objects.get()
    assert (note.text, note.by.name) == ("One\nTwo", "Eve")
    asked = {"text": "Three", "reader": of_mira(campaign), "was": note.digest}
    answer = posted(client, campaign, "ana", f"{note.pk}/", **asked)
    notes = f"{campaign.get_absolute_url()}notes/"
    assert answer.headers["Location"] == f"{notes}#note-{note.pk}"  # not the top of a long page
    assert f'id="note-{note.pk}"' in html_of(client.get(notes))
    note.refresh_from_db()
    assert (note.text, note.audience) == ("Three", "character")


def test_two_edits_at_once_lose_nothing(client, campaign):
    note = noted(campaign, text="First")
    was = note.digest
    posted(client, campaign, "eve", f"{note.pk}/", text="Second", reader="storytellers", was=was)
    answer = posted(client, campaign, "ana", f"{note.pk}/", text="Third", reader="everyone", was=was)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Second" in page
    assert "Third" in page
    assert page.count("changed this") == 1
    note.refresh_from_db()
    assert (note.text, note.reader) == ("Second", "storytellers")
    asked = {"text": "Second, third", "reader": "storytellers", "was": answer.context["was"]}
    assert posted(client, campaign, "ana", f"{note.pk}/", **asked).status_code == 303


def test_an_older_page_does_not_reopen_a_note_that_was_restricted_since(campaign):
    note = noted(campaign, "everyone", text="Of the mayor")
    was = note.digest
    campaign_notes.rewrite(campaign.pk, person(), note.pk, text="Of the mayor", reader="storytellers", was=was)
    with pytest.raises(StalePage):
        campaign_notes.rewrite(campaign.pk, person("eve"), note.pk, text="Of a mayor", reader="everyone", was=was)
    note.refresh_from_db()
    assert note.reader == "storytellers"


def test_one_press_shows_a_note_to_everyone_unless_it_has_changed_meanwhile(client, campaign):
    note = noted(campaign)
    seen = note.digest
    campaign_notes.rewrite(campaign.pk, person("eve"), note.pk, text="The heir is Cid", reader="storytellers", was=seen)
    posted(client, campaign, "ana", f"{note.pk}/reveal/", was=seen)
    page = html_of(client.get(f"{campaign.get_absolute_url()}notes/"))
    assert "has changed or deleted this note" in page
    note.refresh_from_db()
    assert note.reader == "storytellers"
    for _ in range(2):  # the second press changes nothing
        posted(client, campaign, "ana", f"{note.pk}/reveal/", was=note.digest)
    client.force_login(person("dan").user)
    assert "The heir is Cid" in html_of(client.get(f"{campaign.get_absolute_url()}notes/"))
    client.force_login(person("ana").user)
    assert "Show everyone" not in html_of(client.get(f"{campaign.get_absolute_url()}notes/"))
    assert posted(client, campaign, "bo", f"{note.pk}/reveal/", was=seen).status_code == 404


def test_saving_the_same_text_again_is_no_conflict(campaign):
    note = noted(campaign, text="One")
    campaign_notes.rewrite(campaign.pk, person(), note.pk, text="One", reader="storytellers", was="an old digest")
    assert CampaignNote.objects.get().text == "One"


def test_a_note_is_deleted_and_restored(client, campaign):
    note = noted(campaign, "everyone")
    assert posted(client, campaign, "eve", f"{note.pk}/bin/").status_code == 303
    assert note not in campaign_notes.notes_for(campaign.members.get(user=person("bo").user))
    refused = posted(client, campaign, "ana", f"{note.pk}/", text="More", reader="everyone", was="x")
    assert refused.status_code == 422
    assert "More" in refused.content.decode()
    page = client.get(f"{campaign.get_absolute_url()}notes/").content.decode()
    assert "Kept for 30 days, then gone for good." in page
    assert posted(client, campaign, "ana", f"{note.pk}/bin/", back="yes").status_code == 303
    assert note in campaign_notes.notes_for(campaign.members.get(user=person("bo").user))


def test_a_note_is_gone_after_thirty_days_in_the_bin(campaign):
    kept, old = noted(campaign), noted(campaign)
    campaign_notes.bin_note(campaign.pk, person(), old.pk)
    assert delete_binned(CampaignNote) == 0
    CampaignNote.objects.filter(pk=old.pk).update(binned_at=timezone.now() - timedelta(days=31))
    call_command("nightly")
    assert list(CampaignNote.objects.all()) == [kept]


@pytest.mark.parametrize("text", ["", " \n ", "x" * 8001, "x\x00"])
def test_bad_texts_are_refused_at_their_field(client, campaign, text):
    note = noted(campaign)
    for path in ("write/", f"{note.pk}/"):
        answer = posted(client, campaign, "ana", path, text=text, reader="everyone", was="x")
        assert answer.status_code == 422
        assert "id_text_error" in answer.content.decode()


@pytest.mark.parametrize("reader", ["", "x", "character:", "character:x", f"character:{'9' * 30}", "character:999999"])
def test_bad_readers_are_refused_at_their_field(client, campaign, reader):
    answer = posted(client, campaign, "ana", "write/", text="One", reader=reader)
    assert answer.status_code == 422
    if reader:
        assert "That character no longer sits at this table. Choose who sees the note." in html_of(answer)
    assert "id_reader_error" in answer.content.decode()
    assert not CampaignNote.objects.exists()


def test_a_note_is_not_written_for_a_character_of_another_table(client, campaign):
    elsewhere = mira(person("cid"))
    answer = posted(client, campaign, "ana", "write/", text="One", reader=f"character:{elsewhere.pk}")
    assert answer.status_code == 422
    with pytest.raises(Refused):
        noted(campaign, f"character:{elsewhere.pk}")


def test_only_storytellers_write_notes(client, campaign):
    note, other = noted(campaign, "everyone"), saltmarsh("cid")
    asked = {"text": "Mine", "reader": "everyone", "was": note.digest}
    for name, table in (("bo", campaign), ("dan", campaign), ("cid", other), ("stranger", campaign)):
        for path in (f"{note.pk}/", f"{note.pk}/bin/"):
            assert posted(client, table, name, path, **asked).status_code == 404, name
    assert posted(client, campaign, "bo", "write/", **asked).status_code == 404
    note.refresh_from_db()
    assert (note.text, note.binned_at) == ("Canary-note", None)


def test_notes_have_a_limit_and_a_key_counts_once_at_a_table(campaign, monkeypatch):
    key, other = new_key(), saltmarsh()
    campaign_notes.write(campaign.pk, person(), key, text="One", reader="everyone")
    with pytest.raises(KeyReused):
        campaign_notes.write(campaign.pk, person(), key, text="Two", reader="everyone")
    assert campaign_notes.write(other.pk, person(), key, text="Two", reader="everyone").campaign == other
    monkeypatch.setattr(campaign_notes, "MOST", 1)
    with pytest.raises(Refused, match="that is the limit"):
        noted(campaign)


WRONG = {
    "no text": {"text": ""},
    "too long": {"text": "x" * 8001},
    "no key": {"key": ""},
    "unknown readers": {"audience": "anyone"},
}


@pytest.mark.parametrize("wrong", [*WRONG, "a character for everyone"])
def test_the_database_refuses_a_bad_note(campaign, wrong):
    columns = WRONG.get(wrong) or {"character": campaign.seats.get().character}
    whole = {
        "campaign": campaign,
        "text": "One",
        "audience": "everyone",
        "key": new_key(),
        "changed_at": timezone.now(),
    }
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        CampaignNote.objects.create(**{**whole, **columns})
    CampaignNote.objects.create(**whole)
    with pytest.raises(IntegrityError), transaction.atomic():
        CampaignNote.objects.create(**whole)


def test_many_notes_take_as_many_queries_as_few(client, campaign):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            client.get(f"{campaign.get_absolute_url()}notes/")
        return len(captured)

    client.force_login(person().user)
    noted(campaign, of_mira(campaign))
    queries()
    few = queries()
    for _ in range(9):
        noted(campaign, of_mira(campaign))
    assert queries() == few
