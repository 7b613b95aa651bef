"""The stream of a table's screen: opened by its link alone, about what the screen shows, until the link ends."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign, Encounter, Screen
from campaigns.screen_access import by_screen
from campaigns.verbs import campaigns, screens
from characters import verbs
from characters.models import Character
from characters.read.versions import version_number
from polyhedral_site import connections
from polyhedral_site.streams import hub, news, stream_view
from polyhedral_site.streams.news import ScreenReader, StreamReader, news_of, still_valid
from tests.campaigns.fights import Fight
from tests.characters.cast import mira, new_key
from tests.characters.play.table import play
from tests.support.streaming import Watching, streaming, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def fight():
    made = Fight()
    made.wolves(2)
    made.wolves(name="Canary-witch", notes="Canary-note", rolls="Canary-roll 3D", hidden=True)
    return made


@pytest.fixture
def never_again(monkeypatch):
    """Streams are checked only when something is announced, never by the clock."""
    monkeypatch.setattr(hub, "ASKED_AGAIN", 1_000)


@pytest.fixture
def asked_often(monkeypatch):
    """The streams are checked often. Must come before `site`, whose hub sleeps from its beginning."""
    monkeypatch.setattr(hub, "ASKED_AGAIN", 0.2)


@pytest.fixture
def site():
    with streaming() as (port, application):
        until(lambda: application.hub.tasks)
        yield port, application.hub


@pytest.fixture
def watch(site):
    """Open a screen's stream, as a browser that has never been here: `watch(token)`."""
    opened = []

    def open_stream(token, **how):
        opened.append(Watching(site[0], path=f"/stream/{token}/", **how))
        return opened[-1]

    yield open_stream
    for one in opened:
        one.close()


def made(fight, vitals="bars"):
    return screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals=vitals)


def end(fight, token):
    screens.end_screen(fight.campaign.pk, fight.ana, by_screen(token).pk)


def campaign_now(fight):
    return f"campaign {fight.campaign.pk}", str(Campaign.objects.get(pk=fight.campaign.pk).version)


def character_now(character):
    return f"character {character.pk}", version_number(Character.objects.get(pk=character.pk))


def numbers_of(token):
    """The stream as Django alone sends it, to a browser without cookies."""
    response = Client().get(f"/stream/{token}/")
    assert not response.cookies
    return b"".join(response).decode()


def test_a_screens_stream_begins_with_exactly_what_the_screen_shows(fight):
    Fight()
    mira(fight.bo)  # Bo's too, but not at this table
    token = made(fight)
    told = set(re.findall(r"data: (\w+ \d+) (\S+)\n", numbers_of(token)))
    screen = (f"screen {Screen.objects.get().pk}", "bars")
    assert told == {campaign_now(fight), character_now(fight.mira), character_now(fight.nell), screen}


def test_the_stream_contains_only_numbers_and_the_display(fight):
    line = r"data: (campaign \d+ \d+|character \d+ \d+\.\d+|screen \d+ bars)\n"
    assert re.fullmatch(rf"retry: \d+\n({line})+\n", numbers_of(made(fight)))


@pytest.mark.parametrize("why", ["never made", "ended", "its table is in the bin", "of another key"])
def test_without_a_working_link_there_is_no_stream(fight, site, watch, why):
    token = made(fight)
    assert watch(token).answer.status == 200  # the control
    if why == "never made":
        token = "a-guess"
    elif why == "ended":
        end(fight, token)
    elif why == "its table is in the bin":
        Campaign.objects.update(binned_at=timezone.now())
    else:
        token = Screen.objects.get().token  # the stored hash opens nothing
    assert watch(token).answer.status == 404
    assert Client().get(f"/stream/{token}/").status_code == 404


def test_the_stream_sets_no_cookie_and_is_not_cached(fight, watch):
    headers = watch(made(fight)).answer.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert headers["Cache-Control"] == "no-store, no-transform"
    assert not {"Set-Cookie", "Content-Encoding", "Content-Length"} & set(headers)


def test_a_post_to_the_stream_is_refused(fight):
    token = made(fight)
    assert Client().post(f"/stream/{token}/").status_code == 405


def test_a_screen_hears_of_turns_hits_and_changes_of_its_display(fight, watch):
    token = made(fight)
    stream = watch(token)
    fight.next()
    assert stream.hears(*campaign_now(fight))
    play.change_health(fight.mira.pk, fight.bo, new_key(), amount="-1")
    assert stream.hears(*character_now(fight.mira))
    screen = by_screen(token).pk
    screens.change_screen(fight.campaign.pk, fight.ana, screen, vitals="words")
    assert stream.hears(f"screen {screen}", "words")


def test_a_screen_hears_nothing_of_other_tables_screens_and_characters(fight, watch):
    other, stranger = Fight(), mira(fight.bo)
    token, others = made(fight), made(other)
    stream = watch(token)
    other.next()
    verbs.rename(stranger.pk, fight.bo, new_key(), name="Canary")
    play.change_health(other.mira.pk, other.bo, new_key(), amount="-1")
    screens.change_screen(other.campaign.pk, other.ana, by_screen(others).pk, vitals="words")
    fight.next()
    assert stream.hears(*campaign_now(fight))
    assert {thing for thing, _ in stream.told} <= set(stream.first)


def test_a_hidden_creature_appears_neither_in_the_stream_nor_on_the_screen(fight, watch):
    token = made(fight, "numbers")
    stream = watch(token)
    for _ in range(4):
        fight.next()
        part = Client().get(f"/screen/{token}/", headers={"HX-Request": "true"}).content.decode()
        assert "Canary" not in part
        assert "Wolf 1" in part
    assert stream.hears(*campaign_now(fight))
    assert {thing for thing, _ in stream.told} <= set(stream.first)
    assert "Canary" not in repr(stream.told) + numbers_of(token)


def test_ending_a_link_ends_its_stream_at_once_and_no_other(never_again, fight, watch):
    ended, standing = made(fight), made(fight)
    streams = watch(ended), watch(standing)
    end(fight, ended)
    assert streams[0].ended.wait(15)
    fight.next()
    assert streams[1].hears(*campaign_now(fight))
    assert streams[0].told == []
    assert not streams[1].ended.is_set()


def test_a_stream_whose_link_ended_without_a_ring_hears_nothing_more(fight, watch):
    token, other = made(fight), made(fight)
    stream, control = watch(token), watch(other)
    Screen.objects.filter(pk=by_screen(token).pk).update(ended_at=timezone.now())
    fight.next()
    play.change_health(fight.mira.pk, fight.bo, new_key(), amount="-1")
    assert control.hears(*campaign_now(fight))
    assert control.hears(*character_now(fight.mira))
    assert stream.told == []


def test_the_stream_of_a_table_in_the_bin_ends_even_without_news(asked_often, fight, watch):
    other = Fight()
    tokens = made(fight), made(other)
    stream, control = map(watch, tokens)
    Campaign.objects.filter(pk=fight.campaign.pk).update(binned_at=timezone.now())
    assert stream.ended.wait(15)
    assert not control.ended.is_set()
    assert stream.told == []


def test_putting_a_table_into_the_bin_ends_its_screens_at_once(never_again, fight, watch):
    other = Fight()
    tokens = made(fight), made(other)
    stream, control = map(watch, tokens)
    campaigns.throw_away(fight.campaign.pk, fight.ana)
    assert stream.ended.wait(15)
    assert stream.told == []
    other.next()
    assert control.hears(*campaign_now(other))
    assert not control.ended.is_set()


def test_a_stream_whose_link_ends_while_it_opens_hears_nothing(never_again, monkeypatch, fight, watch):
    """The link ends after the numbers are read and before the stream joins the others."""
    token = made(fight)

    def read_then_ended(reader):
        found = news.all_of(reader)
        end(fight, token)
        fight.next()
        return found

    monkeypatch.setattr(stream_view, "all_of", read_then_ended)
    stream = watch(token)
    assert stream.ended.wait(10)
    assert stream.told == []


def test_streams_of_screens_count_toward_the_limit_of_an_address(monkeypatch, fight, watch):
    monkeypatch.setattr(connections, "room", lambda: connections.Room(100, 6, 8))
    token = made(fight)
    assert [watch(token).answer.status for _ in range(4)] == [200, 200, 200, 503]
    assert watch(token, source="127.0.0.2").answer.status == 200


# The right to be told, as the hub asks for it


def test_only_screens_with_a_working_link_are_told(fight):
    one, gone = made(fight), made(fight)
    kept, ended = by_screen(one).pk, by_screen(gone).pk
    end(fight, gone)
    things = [f"campaign {fight.campaign.pk}", f"character {fight.mira.pk}"]
    found = {new.thing: {name for name in new.watchers if isinstance(name, int)} for new in news_of(things)}
    assert found == {thing: {kept} for thing in things}
    readers = [
        ScreenReader(kept),
        ScreenReader(ended),
        ScreenReader(999_999),
        StreamReader(None, "d" * 64, "no-session"),
    ]
    assert still_valid(readers) == {ScreenReader(kept)}
    assert news.all_of(ScreenReader(kept))
    assert news.all_of(ScreenReader(ended)) == {}


def test_screens_are_told_of_a_character_only_while_the_encounter_lasts(fight):
    screen = ScreenReader(by_screen(made(fight)).pk)
    thing = f"character {fight.mira.pk}"
    assert thing in news.all_of(screen)
    assert any(isinstance(name, int) for new in news_of([thing]) for name in new.watchers)
    Encounter.objects.update(ended_at=timezone.now())
    mira(fight.bo)  # nor of a character that takes part in nothing
    assert [one for one in news.all_of(screen) if one.startswith("character")] == []
    assert not any(isinstance(name, int) for new in news_of([thing]) for name in new.watchers)


def test_more_screens_take_no_more_queries(fight, django_assert_num_queries):
    for _ in range(5):
        made(fight)
    with django_assert_num_queries(4):
        news_of([f"character {fight.mira.pk}"])
    with django_assert_num_queries(2):
        news_of([f"campaign {fight.campaign.pk}"])
    readers = [ScreenReader(one.pk) for one in Screen.objects.all()]
    with django_assert_num_queries(1):
        assert still_valid(readers) == set(readers)
