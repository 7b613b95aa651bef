"""The roster: everyone's figures as their game picks them, in the same number of queries for six and for thirty."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.roster import rows_of
from campaigns.seen_party import SeenParty
from campaigns.verbs import membership, party_acts, seats
from characters import verbs
from characters.change import fact_store
from characters.models import Character
from characters.read import version_cache
from characters.read.party import versions_of
from characters.read.versions import read, version_number
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def campaign():
    return saltmarsh(bo="player", dan="spectator")


def party(campaign, many):
    """So many characters of Bo's at the table."""
    made = [mira(person("bo"), name=f"Mira {at}") for at in range(many)]
    for one in made:
        seats.bring(campaign.pk, person("bo"), one.pk)
    return made


def shown(client, campaign, name="ana"):
    client.force_login(person(name).user)
    return client.get(campaign.get_absolute_url())


def test_the_roster_shows_the_figures_that_the_game_picks(client, campaign):
    (character,) = party(campaign, 1)
    sheet = read(Character.objects.get(pk=character.pk)).sheet
    page = re.sub(r"(<[^>]*>|\s)+", " ", shown(client, campaign).content.decode())
    for name, text in (("Health", sheet.resources["health"].left), ("Defense", sheet.value("defense"))):
        assert f"{name} {text} " in page
    for words in ("Awareness", "Insight", "Speed", "Mira 0", "Bo"):
        assert words in page


def test_the_health_of_an_unfinished_character_is_no_alarm(campaign):
    draft = verbs.start(person("bo"), new_key()).character
    seats.bring(campaign.pk, person("bo"), draft.pk)
    (row,) = rows_of(SeenParty(campaign.members.get(user=person().user), person()))
    health = row.figures[0][0]
    assert (health.name, health.text, health.bad) == ("Health", "–", False)


def test_the_last_change_is_shown_to_those_who_play_or_run_the_character(client, campaign):
    (character,) = party(campaign, 1)
    sentence = play.take_damage(character.pk, person(), new_key(), amount=1).sentence
    for name, told in {"ana": True, "bo": True, "dan": False}.items():
        page = shown(client, campaign, name).content.decode()
        assert (sentence in page) == told, name
        assert "Prone" in page


def test_the_reason_of_an_act_is_shown_with_the_last_change(client, campaign):
    (character,) = party(campaign, 1)
    party_acts.do_to_several(
        campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, {character.pk: ""}, reason="The <ogre>"
    )
    for name, told in {"ana": True, "bo": True, "dan": False}.items():
        page = shown(client, campaign, name).content.decode()
        assert ("“The &lt;ogre&gt;”" in page.partition('id="acts"')[0]) == told, name
    play.take_damage(character.pk, person(), new_key(), amount=1)
    roster = shown(client, campaign, "bo").content.decode().partition('id="log-latest"')[0]
    assert "The &lt;ogre" not in roster


def test_the_roster_says_who_is_dying_stable_or_dead(client, campaign):
    (character,) = party(campaign, 1)
    play.adjust(character.pk, person("bo"), new_key(), resource="health", amount="0")
    said = shown(client, campaign).content.decode()
    assert '<li class="tag">Dying</li>' in said
    play.stabilize(character.pk, person("bo"), new_key())
    said = shown(client, campaign).content.decode()
    assert '<li class="tag">Stable</li>' in said
    assert "Dying</li>" not in said
    play.add_condition(character.pk, person("bo"), new_key(), condition="condition:dead")
    said = shown(client, campaign).content.decode()
    assert '<li class="tag">Dead</li>' in said
    assert "Stable</li>" not in said


def test_a_passive_score_below_zero_has_a_true_minus_sign(client, campaign):
    (character,) = party(campaign, 1)
    play.adjust(character.pk, person("bo"), new_key(), resource="wounds", amount="9")
    assert '<b class="number">−' in shown(client, campaign).content.decode()


def test_a_character_is_taken_off_the_table_beside_who_plays_it(client, campaign):
    (theirs,) = party(campaign, 1)
    waiting = mira(person(), name="Waiting")
    seats.bring(campaign.pk, person(), waiting.pk)
    expected = {
        "ana": (["Mira 0", "Waiting"], ["Take off the table", "Take off the table"]),
        "bo": (["Mira 0"], ["Take off the table"]),
        "dan": (["Mira 0"], []),
    }
    for name, (held, buttons) in expected.items():
        people = html_of(shown(client, campaign, name)).partition('<h2 id="people">')[2]
        assert re.findall(r'class="seat-held"><span>([^<]+)<', people) == held, name
        assert re.findall(r'/stand-up/">.*?<button [^>]*>([^<]+)<span', people) == buttons, name
        assert "Bo<span" in people.partition("seat-held")[0], name
        assert ("Waiting for a player" in people) == (name == "ana")


def test_figures_that_are_looked_up_now_and_then_stand_apart(client, campaign):
    party(campaign, 1)
    large, small = html_of(shown(client, campaign)).partition('<dl class="roster-minor">')[::2]
    small = small.partition("</dl>")[0]
    assert re.findall("<dt>([^<]+)", small) == ["Awareness", "Insight", "Stealth", "Speed"]
    assert "<dt>Health" in large
    assert "<dt>Speed" not in large


def test_a_note_is_not_on_the_roster(client, campaign):
    (character,) = party(campaign, 1)
    play.add_note(character.pk, person("bo"), new_key(), text="Canary-note")
    play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    for name in ("ana", "bo", "dan"):
        assert "Canary-note" not in shown(client, campaign, name).content.decode()


def test_a_character_in_its_owners_bin_is_not_on_the_roster(client, campaign):
    (character,) = party(campaign, 1)
    play.throw_away(character.pk, person("bo"), new_key())
    assert "Mira 0" not in shown(client, campaign).content.decode()
    play.restore(character.pk, person("bo"), new_key())
    assert "Mira 0" in shown(client, campaign).content.decode()


def queries(client, campaign, *, warm):
    if not warm:
        version_cache.VERSIONS.values.clear()
    shown(client, campaign)
    if not warm:
        version_cache.VERSIONS.values.clear()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(campaign.get_absolute_url()).status_code == 200
    return len(captured)


@pytest.mark.parametrize("warm", [True, False])
def test_thirty_characters_take_as_many_queries_as_six(client, campaign, warm):
    party(campaign, 6)
    six = queries(client, campaign, warm=warm)
    party(campaign, 24)
    assert len(rows_of(SeenParty(campaign.members.get(role="storyteller"), person()))) == 30
    assert queries(client, campaign, warm=warm) == six


def test_the_log_beside_the_roster_does_not_read_its_people_and_seats_again(client, campaign):
    party(campaign, 3)
    shown(client, campaign)
    with CaptureQueriesContext(connection) as captured:
        shown(client, campaign)
    asked = [one["sql"] for one in captured.captured_queries]
    assert sum(sql.startswith('SELECT "campaigns_seat"."id"') for sql in asked) == 1
    members = [sql for sql in asked if sql.startswith('SELECT "campaigns_member"."id"')]
    assert len(members) == 2  # the reader's own row, which is the permission, and everybody's


def test_the_latest_events_of_a_table_without_dice_ask_for_no_session_and_no_addition(client, campaign):
    party(campaign, 3)
    with CaptureQueriesContext(connection) as captured:
        assert "Mira 2" in shown(client, campaign, "dan").content.decode()
    asked = [one["sql"] for one in captured.captured_queries]
    assert asked
    assert not [sql for sql in asked if sql.startswith('SELECT "campaigns_sessionmark"')]
    assert not [sql for sql in asked if '"characters_rollrecord"."follows_id" IN' in sql]


def test_characters_read_together_equal_each_read_alone(campaign):
    """Two have house rules, notes, items and conditions of their own; the third has no such rows at all."""
    first, second = party(campaign, 2)
    play.add_note(first.pk, person("bo"), new_key(), text="Of the first")
    play.take_damage(second.pk, person("bo"), new_key(), amount=1)
    plain = mira(person("bo"), house_rules=None, xp=0, levels=None, state=None, inventory=[], aspects=[])
    characters = list(Character.objects.select_related("ruleset").filter(pk__in=[first.pk, second.pk, plain.pk]))
    many = fact_store.stored_of_many(characters)
    assert many == {one.pk: fact_store.stored(one) for one in characters}
    assert len({len(facts) for facts in many.values()}) > 1
    version_cache.VERSIONS.values.clear()
    found = versions_of(characters)
    assert {pk: one.sheet for pk, one in found.items()} == {one.pk: read(one).sheet for one in characters}


# The parts that a page following the table asks for.


def asked(client, address):
    answer = client.get(address, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer


def test_a_row_fetched_alone_is_the_row_of_the_page(client, campaign):
    party(campaign, 2)
    seat = campaign.seats.first()
    client.force_login(person().user)
    row = html_of(asked(client, f"{campaign.get_absolute_url()}seats/{seat.pk}/"))
    assert row.startswith(f'<li class="roster-row" id="seat-{seat.pk}"')
    assert f'data-number="{version_number(seat.character)}"' in row
    assert f'data-follows="character {seat.character_id}"' in row


def test_a_following_page_gets_the_title_and_the_table_alone(client, campaign):
    client.force_login(person().user)
    answer = html_of(asked(client, campaign.get_absolute_url()))
    title, live = f"<title>{campaign} · Polyhedral</title>", f'<div id="live" data-follows="campaign {campaign.pk}"'
    assert answer.startswith(title + live)
    assert "<html" not in answer


def test_a_tables_version_rises_when_members_and_characters_come_or_go(campaign):
    def number():
        campaign.refresh_from_db()
        return campaign.version

    before = number()
    member = sits(campaign, person("zoe"))
    joined = number()
    assert joined > before
    membership.remove(campaign.pk, person(), member.pk)
    removed = number()
    assert removed > joined
    seat = seats.bring(campaign.pk, person("bo"), mira(person("bo")).pk)
    seated = number()
    assert seated > removed
    seats.stand_up(campaign.pk, person("bo"), seat.pk)
    assert number() > seated
