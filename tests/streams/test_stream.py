"""A stream tells those who may see a character or a campaign at that moment that it has changed, and nothing else."""

import asyncio
import contextlib
import re
import time
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, transaction
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.verbs import campaigns, membership, seats
from campaigns.verbs.other_device import make_device_link, take_over
from characters import verbs
from characters.change import announcements
from characters.models import Character
from characters.people import Person
from characters.read.versions import version_number
from polyhedral_site import connections
from polyhedral_site.streams import hub, news, stream_view
from polyhedral_site.streams.hub import Stream
from polyhedral_site.streams.news import LEFT, StreamReader
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import as_guest, browser_of, granted, mira, new_key, person
from tests.characters.play.table import play
from tests.support.streaming import Watching, streaming, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def site():
    with streaming() as (port, application):
        yield port, application.hub


@pytest.fixture
def watch(site):
    """Open a stream: `watch("ana")`."""
    opened = []

    def open_stream(name="ana", login=True, **how):
        client = Client() if login else opened[-1].client
        if login:
            client.force_login(person(name).user)
        opened.append(Watching(site[0], client, **how))
        opened[-1].client = client
        return opened[-1]

    yield open_stream
    for one in opened:
        one.close()


def number_of(character):
    return version_number(Character.objects.get(pk=character.pk))


def moved(character, who="ana"):
    """Rename the character; returns the thing and the number that streams should tell."""
    verbs.rename(character.pk, person(who), new_key(), name=new_key()[:20])
    return f"character {character.pk}", number_of(character)


def test_a_stream_begins_with_current_versions_and_tells_of_changes_soon(watch):
    character, campaign = mira(), saltmarsh()
    stream = watch()
    assert stream.first == {f"character {character.pk}": number_of(character), f"campaign {campaign.pk}": "0"}
    began = time.monotonic()
    assert stream.hears(*moved(character))
    sits(campaign, person("bo"))
    assert stream.hears(f"campaign {campaign.pk}", "1")
    assert time.monotonic() - began < 10  # sooner than the hub's own check every ten seconds


def test_the_streams_headers_forbid_caching_and_set_no_cookie(watch):
    headers = watch().answer.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert headers["Cache-Control"] == "no-store, no-transform"
    assert headers["X-Accel-Buffering"] == "no"
    assert not {"Set-Cookie", "Content-Encoding", "Content-Length"} & set(headers)


def test_a_stream_does_not_renew_an_old_session(watch):
    """Only a page may set the cookie."""
    watch()
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    stream = watch(login=False)
    assert "Set-Cookie" not in stream.answer.headers
    assert stream.client.get("/").cookies  # the control


def test_the_stream_contains_only_numbers(client):
    character = mira()
    saltmarsh()
    play.add_note(character.pk, person(), new_key(), text="The canary sings.")
    client.force_login(person().user)
    text = b"".join(client.get("/stream/")).decode()
    assert re.fullmatch(r"retry: \d+\ndata: character \d+ \d+\.\d+\ndata: campaign \d+ \d+\n\n", text)


def test_a_server_without_streams_ends_the_response_and_says_when_to_come_back(client):
    client.force_login(person().user)
    assert b"".join(client.get("/stream/")) == f"retry: {stream_view.AGAIN}\n\n".encode()


def test_an_unknown_visitor_gets_no_stream(site, client):
    assert client.get("/stream/").status_code == 401
    assert Watching(site[0]).answer.status == 401
    assert Watching(site[0], cookie="sessionid=guessed").answer.status == 401


@pytest.mark.parametrize("role", ["storyteller", "player", "party", "spectator", "reader"])
def test_everyone_who_may_see_a_character_is_told(watch, role):
    character = mira()
    granted(character, role)
    stream = watch("bo")
    assert stream.first == {f"character {character.pk}": number_of(character)}
    assert stream.hears(*moved(character))


def test_strangers_hear_nothing(watch):
    character, campaign = mira(), saltmarsh()
    owners, strangers = watch(), watch("bo")
    assert strangers.first == {}
    told = moved(character)
    sits(campaign, person("cid"))
    assert owners.hears(*told)
    assert owners.hears(f"campaign {campaign.pk}", "1")
    assert strangers.told == []


def test_a_guest_hears_of_their_own_character(site):
    client = Client()
    guest = as_guest(client)
    character = mira(guest)
    stream = Watching(site[0], client)
    play.change_health(character.pk, guest, new_key(), amount="-1")
    assert stream.hears(f"character {character.pk}", number_of(character))
    stream.close()


def test_those_at_the_table_are_told_that_a_character_went_into_the_bin(watch):
    """Their pages then ask for it and find nothing; so do pages that were away, by their next stream."""
    campaign, character = saltmarsh(), mira()
    seats.bring(campaign.pk, person(), character.pk)
    sits(campaign, person("bo"))
    player, stranger = watch("bo"), watch("cid")
    verbs.throw_away(character.pk, person(), new_key())
    assert player.hears(f"character {character.pk}", number_of(character))
    assert watch("bo").first[f"character {character.pk}"] == number_of(character)
    assert f"character {character.pk}" not in watch("cid").first
    assert stranger.hears(*moved(mira(person("cid")), "cid"))  # the control
    assert f"character {character.pk}" not in [thing for thing, _ in stranger.told]


def test_nobody_is_told_of_a_change_that_is_rolled_back(site, watch):
    character = mira()
    stream = watch()
    until(lambda: site[1].heard == 1)
    with contextlib.suppress(ZeroDivisionError), transaction.atomic():
        announcements.announce("character", character.pk)
        raise ZeroDivisionError
    assert stream.hears(*moved(character))
    assert site[1].heard == 2


MEMBERS = 100


def sequence(told):
    return int(told[1].partition(".")[0])


def test_a_removed_member_hears_nothing_from_then_on(site):
    """A hundred removals with an open stream, each followed at once by a change."""
    campaign, character = saltmarsh(), mira()
    seats.bring(campaign.pk, person(), character.pk)
    names = [f"member-{number}" for number in range(MEMBERS)]
    members = [campaign.members.create(user=person(name).user, name=name, role="player") for name in names]
    seats.regrant(campaign)
    streams = []
    for number, name in enumerate(names):
        client = browser_of(name)
        streams.append(Watching(site[0], client, source=f"127.0.0.{2 + number % 8}"))
    thing, number = moved(character)
    until(lambda: all((thing, number) in one.told for one in streams))  # the control: all of them hear
    for stream, member in zip(streams, members, strict=True):
        stream.last = number
        membership.remove(campaign.pk, person(), member.pk)
        thing, number = moved(character)
    time.sleep(1)
    heard = sum(told == thing for one in streams for told, _ in one.told)
    late = [one for one in streams if one.told[-1] != (f"campaign {campaign.pk}", LEFT)]
    numbers = [[told for told in one.told if told[1] != LEFT] for one in streams]
    late += [
        one
        for one, told in zip(streams, numbers, strict=True)
        if max(map(sequence, told)) > sequence((thing, one.last))
    ]
    assert (len(streams), len(late)) == (MEMBERS, 0)
    assert heard > MEMBERS  # those not removed yet heard more
    for stream in streams:
        stream.close()


def test_whoever_leaves_a_table_is_told_so_and_nothing_more(watch):
    """Their pages then ask for it and find nothing; so do pages that were away, by their next stream."""
    campaign, character = saltmarsh(), mira()
    seats.bring(campaign.pk, person(), character.pk)
    sits(campaign, person("bo"))
    thing, player, leader = f"campaign {campaign.pk}", watch("bo"), watch()
    membership.leave(campaign.pk, person("bo"))
    assert player.hears(thing, LEFT)
    assert (f"character {character.pk}", LEFT) in player.told
    sits(campaign, person("cid"), name="Cid")
    assert leader.hears(thing, str(Campaign.objects.get(pk=campaign.pk).version))
    assert player.told[-1] == (thing, LEFT)
    assert watch("bo").first[thing] == LEFT
    sits(campaign, person("bo"))
    assert player.hears(thing, str(Campaign.objects.get(pk=campaign.pk).version))


def test_whoever_loses_sight_of_a_character_that_leaves_a_table_is_told_so(watch):
    """The open sheets of the others then ask for it and find nothing."""
    campaign, character = saltmarsh(), mira(person("bo"))
    sits(campaign, person("bo"))
    sits(campaign, person("eve"), "co-storyteller", name="Eve")
    thing, helper, player, stranger = f"character {character.pk}", watch("eve"), watch("bo"), watch("cid")
    for leave in (
        lambda: seats.stand_up(campaign.pk, person("bo"), campaign.seats.get().pk),
        lambda: membership.remove(campaign.pk, person(), campaign.members.get(name="Bo").pk),
        lambda: campaigns.throw_away(campaign.pk, person()),
    ):
        sits(campaign, person("bo"))
        seats.bring(campaign.pk, person("bo"), character.pk)
        helper.told.clear()
        leave()
        assert helper.hears(thing, LEFT)
    version = Campaign.objects.get(pk=campaign.pk).version
    assert player.hears(f"campaign {campaign.pk}", str(version))
    assert (thing, LEFT) not in player.told
    assert stranger.hears(*moved(mira(person("cid")), "cid"))  # the control
    assert thing not in [told for told, _ in stranger.told]


def test_members_are_told_that_their_table_went_into_the_bin(watch):
    """Their pages then ask for it and find nothing; so do pages that were away, by their next stream."""
    campaign = saltmarsh()
    sits(campaign, person("bo"))
    player, stranger = watch("bo"), watch("cid")
    campaigns.throw_away(campaign.pk, person())
    version = Campaign.objects.get(pk=campaign.pk).version
    assert player.hears(f"campaign {campaign.pk}", str(version))
    assert watch("bo").first[f"campaign {campaign.pk}"] == str(version)
    assert f"campaign {campaign.pk}" not in watch("cid").first
    assert stranger.hears(*moved(mira(person("cid")), "cid"))  # the control
    assert f"campaign {campaign.pk}" not in [thing for thing, _ in stranger.told]


def test_only_those_who_play_a_character_are_told_of_its_proposals(db):
    character = mira()
    for name, role in {"bo": "player", "cid": "storyteller", "dan": "party", "eve": "spectator"}.items():
        granted(character, role, name)
    (told,) = news.news_of([f"proposals {character.pk}"])
    assert told.watchers == {(person(name).user.pk, "") for name in ("ana", "bo", "cid")}


def test_a_new_stream_tells_of_proposals_only_those_who_play(db):
    character = mira()
    for name, role in {"bo": "player", "cid": "storyteller", "dan": "party", "eve": "spectator"}.items():
        granted(character, role, name)
    character.proposals.create(action="take_damage", key=new_key())
    first = {
        name: news.all_of(StreamReader(person(name).user.pk, "", "any")) for name in ("ana", "bo", "cid", "dan", "eve")
    }
    told = {name for name, numbers in first.items() if f"proposals {character.pk}" in numbers}
    assert told == {"ana", "bo", "cid"}


def test_a_member_who_is_back_is_not_told_that_they_have_left(db):
    campaign = saltmarsh()
    member = sits(campaign, person("bo"))
    membership.leave(campaign.pk, person("bo"))
    assert [one.number for one in news.news_of([f"member {member.pk}"])] == [LEFT]
    assert news.all_of(StreamReader(person("bo").user.pk, "", "any")) == {f"campaign {campaign.pk}": LEFT}
    sits(campaign, person("bo"))
    assert news.news_of([f"member {member.pk}"]) == []


def test_a_guest_who_leaves_is_told_so_by_their_own_name(db):
    campaign = saltmarsh()
    guest = Person(None, "g" * 64)
    member = sits(campaign, guest, name="Nell")
    membership.leave(campaign.pk, guest)
    (found,) = news.news_of([f"member {member.pk}"])
    assert found == (f"campaign {campaign.pk}", LEFT, {(None, guest.guest)})


def test_the_device_that_a_guests_seat_leaves_is_told_so(site):
    campaign, character, client = saltmarsh(), mira(), Client()
    seats.bring(campaign.pk, person(), character.pk)
    old, new = as_guest(client), Person(None, "n" * 64)
    member = sits(campaign, old, name="Nell")
    with contextlib.closing(Watching(site[0], client)) as stream:
        take_over(make_device_link(campaign.pk, old, member.pk, new_key()), new)
        assert stream.hears(f"campaign {campaign.pk}", LEFT)
        assert (f"character {character.pk}", LEFT) in stream.told
    sits(campaign, old, name="Nell again")
    assert news.news_of([f"device {campaign.pk} {old.guest}"]) == []


@pytest.mark.parametrize("guest_first", [True, False])
def test_a_person_with_two_places_at_a_table_is_there_if_one_of_them_is(db, guest_first):
    campaign, user = saltmarsh(), person("bo").user
    gone, here = {"guest": "g" * 64, "gone_at": timezone.now()}, {"user": user}
    for columns in (gone, here) if guest_first else (here, gone):
        campaign.members.create(name="Bo", role="player", **columns)
    known = news.all_of(StreamReader(user.pk, "g" * 64, "any"))
    assert known == {f"campaign {campaign.pk}": str(campaign.version)}


def test_a_new_stream_tells_of_the_characters_that_changed_last(db, monkeypatch):
    first, second = mira(), mira()
    both = {f"character {one.pk}": number_of(one) for one in (first, second)}
    assert news.all_of(StreamReader(person().user.pk, "", "any")) == both
    moved(first)
    monkeypatch.setattr(news, "MOST_AT_FIRST", 1)
    assert news.all_of(StreamReader(person().user.pk, "", "any")) == {f"character {first.pk}": number_of(first)}
    moved(second)
    assert news.all_of(StreamReader(person().user.pk, "", "any")) == {f"character {second.pk}": number_of(second)}


@pytest.mark.parametrize(
    ("user", "guest", "names"), [(7, "", [(7, "")]), (None, "g", [(None, "g")]), (7, "g", [(7, ""), (None, "g")])]
)
def test_a_reader_is_told_by_their_account_and_as_the_guest_that_they_were(user, guest, names):
    """And never as nobody, which is what an account leaves behind that was deleted."""
    assert StreamReader(user, guest, "any").names == names


def test_streams_are_checked_in_several_queries_where_they_are_many(monkeypatch):
    readers = []
    for name in ("ana", "bo", "cid"):
        client = Client()
        client.force_login(person(name).user)
        readers.append(news.reader_of(person(name), client.session.session_key))
    monkeypatch.setattr(news, "AT_ONCE", 2)
    assert news.still_valid(readers) == set(readers)
    person("bo").user.delete()
    assert news.still_valid(readers) == {readers[0], readers[2]}


def sign_out(stream):
    stream.client.logout()


def another_password(stream):
    user = person().user
    user.set_password("another long password")
    user.save()


def close_account(stream):
    user = person().user
    user.is_active = False
    user.save()


ENDS = [sign_out, another_password, close_account]


@pytest.mark.parametrize("end", ENDS)
def test_a_stream_ends_with_the_session_before_more_is_told(watch, end):
    character = mira()
    granted(character, "storyteller")
    stream = watch()
    end(stream)
    moved(character, "bo")
    assert stream.ended.wait(10)
    assert stream.told == []


@pytest.fixture
def asked_often(monkeypatch):
    """The streams are checked often. Must come before `site`, whose hub sleeps from its beginning."""
    monkeypatch.setattr(hub, "ASKED_AGAIN", 0.2)


@pytest.mark.parametrize("end", ENDS)
def test_a_stream_ends_with_the_session_even_without_news(asked_often, watch, end):
    stream = watch()
    control = watch("bo")
    end(stream)
    assert stream.ended.wait(15)
    assert not control.ended.is_set()


@pytest.mark.parametrize(
    "change", [{"session_data": "of somebody else"}, {"expire_date": timezone.now() - timedelta(days=1)}]
)
def test_a_stream_is_valid_as_long_as_its_session_is_unchanged(client, change):
    client.force_login(person().user)
    reader = news.reader_of(person(), client.session.session_key)
    assert news.still_valid([reader]) == {reader}
    Session.objects.update(**change)
    assert news.still_valid([reader]) == set()
    Session.objects.all().delete()
    assert news.reader_of(person(), reader.session) is None


def test_a_change_while_a_stream_opens_is_not_missed(monkeypatch, watch):
    """The change comes after the numbers are read and before the stream joins the others."""
    character = mira()

    def read_then_moved(reader):
        found = news.all_of(reader)
        if not meanwhile:
            meanwhile.append(moved(character))
        return found

    meanwhile = []
    monkeypatch.setattr(stream_view, "all_of", read_then_moved)
    stream = watch()
    assert stream.first[meanwhile[0][0]] != meanwhile[0][1]
    assert stream.hears(*meanwhile[0])


def failing_once(question):
    """The question, for which the database is away the first time."""
    failed = []

    def ask(*about):
        if not failed:
            failed.append(about)
            raise OperationalError
        return question(*about)

    return ask


def test_a_change_that_could_not_be_told_ends_the_streams_and_the_next_one_is_told(monkeypatch, site, watch):
    """Each page comes back and compares numbers, so that it misses nothing."""
    character = mira()
    stream = watch()
    until(lambda: site[1].all() and not site[1].announced)
    monkeypatch.setattr(hub, "news_of", failing_once(news.news_of))
    moved(character)
    assert stream.ended.wait(10)
    assert watch().hears(*moved(character))


def test_sessions_are_checked_again_after_the_database_was_away(monkeypatch):
    monkeypatch.setattr(hub, "ASKED_AGAIN", 0.1)
    monkeypatch.setattr(hub, "still_valid", failing_once(news.still_valid))
    with streaming() as (port, _):
        stream = Watching(port, client := browser_of())
        client.logout()
        assert stream.ended.wait(10)
        stream.close()


def test_a_change_is_told_once(watch):
    characters = [mira() for _ in range(3)]
    stream = watch()
    assert stream.hears(*moved(characters[0]))  # after what it may have missed while it opened
    told = [moved(one) for one in characters]
    for one in told:
        assert stream.hears(*one)
    for one in characters:
        assert stream.hears(*moved(one))
    assert [stream.told.count(one) for one in told] == [1, 1, 1]


def test_two_changes_together_are_sent_as_one_number():
    async def asked():
        stream = Stream(StreamReader(1, "", "session"))
        stream.tell("character 1", "2.0")
        stream.tell("character 1", "3.0")
        return await stream.next()

    assert asyncio.run(asked()) == b"data: character 1 3.0\n\n"


def test_a_stream_sends_signs_of_life_and_ends_after_its_longest_time(monkeypatch, watch):
    monkeypatch.setattr(hub, "BEAT", 0.1)
    monkeypatch.setattr(hub, "LONGEST", (3, 3))
    stream = watch()
    assert stream.ended.wait(10)
    assert stream.beats > 2


def test_the_streams_of_one_address_leave_room_for_its_pages(monkeypatch, site, watch):
    monkeypatch.setattr(connections, "room", lambda: connections.Room(100, 6, 8))
    open_now = [watch() for _ in range(4)]
    assert [one.answer.status for one in open_now] == [200, 200, 200, 503]
    assert open_now[-1].answer.headers["Retry-After"]
    assert watch(source="127.0.0.2").answer.status == 200
    open_now[0].close()
    until(lambda: len(site[1].all()) == 3)
    assert watch().answer.status == 200


def test_a_closed_stream_is_forgotten(site, watch):
    stream = watch()
    until(lambda: len(site[1].streams) == 1)  # it joins the others after its first lines are sent
    stream.close()
    until(lambda: not site[1].streams)


def test_a_server_that_ends_does_not_wait_for_its_streams():
    with streaming(grace=60) as (port, _):
        client = browser_of()
        stream = Watching(port, client)
        began = time.monotonic()
    assert stream.ended.wait(5)
    assert time.monotonic() - began < 19  # otherwise it would wait sixty seconds
    stream.close()


def test_an_announcement_in_a_transaction_is_heard_after_the_commit(watch, site):
    character = mira()
    stream = watch()
    with transaction.atomic():
        until(lambda: site[1].heard == 1)  # the character's beginning
        announcements.announce("character", character.pk)
        time.sleep(0.3)
        assert site[1].heard == 1
    assert stream.hears(f"character {character.pk}", number_of(character))


def test_a_change_stands_if_the_streams_have_just_ended(monkeypatch):
    """The loop of a server that ends is closed; nobody then hears an announcement, and the answer is the same."""
    character = mira()

    def closed(thing):
        raise RuntimeError("Event loop is closed")

    monkeypatch.setattr(announcements, "LISTENERS", [closed])
    verbs.rename(character.pk, person(), new_key(), name="Miro")
    assert Character.objects.get(pk=character.pk).name == "Miro"
