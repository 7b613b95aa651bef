"""A note that is shown to players: they are told until they press Seen, and the log says when, by whom and to whom."""

import csv
from copy import deepcopy
from io import StringIO

import pytest

from campaigns.models import Member, Reveal
from campaigns.notifications import at_hand, notifications_of
from campaigns.verbs import campaign_notes, membership, session_marks
from campaigns.verbs.membership import join
from characters.actions.kinds import kinds_of
from characters.people import Person
from tests.campaigns.seated import EACH_ROLE, each_role, invite, saltmarsh, sits
from tests.characters.cast import as_guest, new_key, person, spend
from tests.support.html import html_of, says, without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]
begin = each_role
EVERYBODY = ("ana", *EACH_ROLE)
ONE, TWO = "a note was shown to you", "2 notes were shown to you"


@pytest.fixture
def campaign(begun):
    return deepcopy(begun)


def noted(campaign, reader="everyone", who="ana"):
    return campaign_notes.write(campaign.pk, person(who), new_key(), text="Canary-note", reader=reader)


def read_by(campaign, note, reader, who="ana"):
    note.refresh_from_db()
    was = note.digest
    return campaign_notes.rewrite(campaign.pk, person(who), note.pk, text=note.text, reader=reader, was=was)


def to_mira(campaign):
    return f"character:{campaign.seats.get().character_id}"


def told(campaign):
    """The people who are told of notes, and how many lines the page has for each."""
    lines = {name: [one.words for one in notifications_of(person(name)) if "shown" in one.words] for name in EVERYBODY}
    for name, found in lines.items():
        assert at_hand(person(name)).number == len(found)
    return {name: found[0] for name, found in lines.items() if found}


def posted(client, campaign, who, **fields):
    client.force_login(person(who).user)
    return client.post(f"{campaign.get_absolute_url()}notes/seen/", {"key": new_key(), **fields})


def page(client, campaign, name, path="notes/", asked=None):
    client.force_login(person(name).user)
    return without_tokens(client.get(f"{campaign.get_absolute_url()}{path}", asked).content.decode())


def test_everyone_is_told_of_a_note_for_everyone_except_who_showed_it(campaign):
    note = noted(campaign, "storytellers")
    assert told(campaign) == {}
    read_by(campaign, note, "everyone", who="eve")
    assert told(campaign) == dict.fromkeys(("ana", "bo", "cid", "dan"), ONE)


def test_a_note_for_who_plays_one_character_is_told_to_them_alone(campaign):
    note = noted(campaign, to_mira(campaign))
    assert told(campaign) == {"bo": ONE}
    read_by(campaign, note, "everyone")
    assert told(campaign) == {"bo": TWO, **dict.fromkeys(("cid", "dan", "eve"), ONE)}
    read_by(campaign, note, to_mira(campaign))  # fewer readers: nobody is shown anything
    assert told(campaign) == {"bo": ONE}
    read_by(campaign, note, "storytellers")
    assert told(campaign) == {}
    assert Reveal.objects.count() == 2


def test_the_page_of_notes_marks_as_new_what_each_was_shown_by_others(client, campaign):
    noted(campaign)
    noted(campaign, to_mira(campaign))
    new = {name: page(client, campaign, name).count(">new</span>") for name in EVERYBODY}
    assert new == {"ana": 0, "bo": 2, "cid": 1, "dan": 1, "eve": 1}


def test_a_note_is_told_although_whoever_showed_it_is_gone_for_good(campaign):
    noted(campaign, who="eve")
    Reveal.objects.update(by=None)
    assert told(campaign) == dict.fromkeys(EVERYBODY, ONE)


def test_a_note_of_another_table_is_told_only_there(client, campaign):
    noted(saltmarsh(**dict.fromkeys(EACH_ROLE, "player")), who="ana")
    for name in EVERYBODY:
        assert ">new</span>" not in page(client, campaign, name), name
        assert LOGGED not in page(client, campaign, name, "log/"), name


@pytest.mark.parametrize("mira_alone", [True, False])
def test_an_edit_of_the_text_shows_nothing_anew(campaign, mira_alone):
    note = noted(campaign, to_mira(campaign) if mira_alone else "everyone")
    was = note.digest
    campaign_notes.rewrite(campaign.pk, person(), note.pk, text="Canary-notes", reader=note.reader, was=was)
    assert Reveal.objects.count() == 1


@pytest.mark.parametrize("hide", ["storytellers", "bin", "table"])
def test_nobody_is_told_of_a_note_that_is_hidden_again(campaign, hide):
    note = noted(campaign)
    if hide == "storytellers":
        read_by(campaign, note, hide)
    elif hide == "bin":
        campaign_notes.bin_note(campaign.pk, person(), note.pk)
    else:
        type(campaign).objects.filter(pk=campaign.pk).update(binned_at=note.changed_at)
    assert told(campaign) == {}


def test_a_note_is_new_until_seen_is_pressed(client, campaign):
    noted(campaign)
    noted(campaign)
    text = page(client, campaign, "bo")
    assert says(text, "2 notes were shown to you.")
    assert text.count(">new</span>") == 2
    assert page(client, campaign, "bo") == page(client, campaign, "bo")  # looking marks nothing
    older, newest = Reveal.objects.order_by("pk").values_list("pk", flat=True)
    for sent, left in ((older, ONE), (newest, None), (older, None)):
        answer = posted(client, campaign, "bo", newest=sent)
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{campaign.get_absolute_url()}notes/")
        assert told(campaign).get("bo") == left
    text = page(client, campaign, "bo")
    assert "were shown to you" not in text
    assert ">new</span>" not in text
    assert told(campaign)["cid"] == TWO


def test_a_number_from_elsewhere_hides_nothing_that_comes_later(client, campaign):
    noted(campaign)
    posted(client, campaign, "bo", newest="99999999999")
    noted(campaign)
    assert told(campaign)["bo"] == ONE


@pytest.mark.parametrize("wrong", ["", "x", "-1", "9" * 400])
def test_a_wrong_number_is_refused_in_a_sentence(client, campaign, wrong):
    noted(campaign)
    answer = posted(client, campaign, "bo", newest=wrong)
    assert answer.status_code == 422
    assert "Nothing was marked as seen." in html_of(answer)
    assert told(campaign)["bo"] == ONE


def test_what_was_seen_stays_seen_for_somebody_who_sits_at_another_table_too(campaign):
    saltmarsh(bo="player")
    noted(campaign)
    campaign_notes.reveals_seen(campaign.pk, person("bo"), Reveal.objects.get().pk)
    assert "bo" not in told(campaign)


def test_notes_from_before_somebody_came_are_no_news_for_them(campaign):
    noted(campaign)
    sits(campaign, person("fay"))
    assert notifications_of(person("fay")) == []
    noted(campaign)
    assert [one.words for one in notifications_of(person("fay"))] == [ONE]


def test_what_a_guest_has_seen_stays_seen_with_their_account(client, campaign):
    guest = as_guest(client, "g")
    join(invite(campaign), guest, name="Nell")
    noted(campaign)
    newest = Reveal.objects.get().pk
    campaign_notes.reveals_seen(campaign.pk, guest, newest)
    user = person("fay").user
    sits(campaign, Person(user))
    Member.objects.filter(user=user).update(reveals_seen=0)
    membership.claim_seats(guest.guest, user)
    assert Member.objects.get(campaign=campaign, user=user).reveals_seen == newest


LOGGED = "A note is shown to everyone."
KIND = "dice"


@pytest.mark.parametrize("path", ["log/", "log.json", "log.csv"])
def test_the_log_says_to_those_who_read_a_note_that_it_was_shown(client, campaign, path):
    note = noted(campaign, to_mira(campaign), who="eve")
    whoever = "A note is shown to Mira’s player"
    for name in EVERYBODY:
        assert (whoever in page(client, campaign, name, path)) == (name in ("ana", "bo", "eve")), name
    read_by(campaign, note, "everyone")
    for name in EVERYBODY:
        text = page(client, campaign, name, path)
        assert LOGGED in text
        assert "Canary" not in text
        assert (whoever in text) == (name in ("ana", "bo", "eve")), name
    read_by(campaign, note, "storytellers")
    for name in EVERYBODY:
        assert (LOGGED in page(client, campaign, name, path)) == (name in ("ana", "eve")), name


def test_the_log_is_silent_about_a_deleted_note_until_it_is_restored(client, campaign):
    note = noted(campaign)
    for back, told in ((False, False), (True, True)):
        campaign_notes.bin_note(campaign.pk, person(), note.pk, back=back)
        for name in EVERYBODY:
            assert (LOGGED in page(client, campaign, name, "log/")) == told, name


def test_the_log_names_who_showed_a_note(client, campaign):
    noted(campaign, who="eve")
    spend(campaign.seats.get().character, 1, who=person("bo"))  # the note is older than every change in the file
    row = next(
        one for one in csv.DictReader(StringIO(page(client, campaign, "bo", "log.csv"))) if one["what"] == LOGGED
    )
    assert (row["who"], row["character"], row["undone"]) == ("Eve", "", "")


def test_the_filters_of_the_log_leave_shown_notes_out(client, campaign):
    noted(campaign, who="eve")
    later = session_marks.set_mark(campaign.pk, person(), new_key(), name="The second evening")
    assert KIND in kinds_of("polyhedral")
    people = {one.name.lower(): one.pk for one in campaign.members.all()}
    shown = ({}, {"who": people["eve"]}, {"session": "0"})
    hidden = (
        {"who": people["ana"]},
        {"character": campaign.seats.get().character_id},
        {"rolls": "yes"},
        {"kind": KIND},
        {"session": later.pk},
    )
    for asked in shown:
        assert LOGGED in page(client, campaign, "ana", "log/", asked), asked
    for asked in hidden:
        assert LOGGED not in page(client, campaign, "ana", "log/", asked), asked
