"""A character at a table: who sees it, who plays it, and that both end when a member or the table goes."""

import re
import threading
from datetime import UTC, datetime

import pytest
from django.http import Http404
from django.test import Client

from campaigns.models import Member, Seat
from campaigns.verbs import campaigns, membership, seats
from characters import verbs
from characters.access import role_of
from characters.change.refusals import KeyReused, Refused
from characters.models import Change, Character, Grant
from tests.campaigns.seated import invite, saltmarsh, sits
from tests.characters.cast import as_guest, guest, mira, new_key, person
from tests.characters.play.table import play
from tests.support.at_once import at_once
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
ROLES = {"bo": "player", "cid": "player", "dan": "spectator", "eve": "co-storyteller"}


@pytest.fixture
def campaign():
    """Ana leads, Bo and Cid play, Dan watches, Eve helps."""
    made = saltmarsh()
    for name, role in ROLES.items():
        sits(made, person(name), role, name)
    return made


@pytest.fixture
def character(campaign):
    """Bo's, at the table."""
    made = mira(person("bo"))
    seats.bring(campaign.pk, person("bo"), made.pk)
    return made


def roles(character):
    found = {name: role_of(character, person(name)) for name in ("ana", *ROLES, "zoe")}
    return {name: role.name for name, role in found.items() if role}


EVERYBODY = {"ana": "storyteller", "bo": "owner", "cid": "party", "dan": "spectator", "eve": "storyteller"}


def test_each_has_their_role_with_a_seated_character(character):
    assert roles(character) == EVERYBODY


def test_pages_open_by_role(client, campaign, character):
    for name, statuses in {"ana": (200, 200), "cid": (200, 404), "dan": (200, 404), "zoe": (404, 404)}.items():
        client.force_login(person(name).user)
        base = character.get_absolute_url()
        assert (client.get(base).status_code, client.get(f"{base}history/").status_code) == statuses, name


def test_a_storyteller_changes_a_character_by_the_same_verbs_and_either_undoes(character):
    hurt = play.take_damage(character.pk, person(), new_key(), amount=1)
    assert hurt.actor == person().user
    undone = play.undo(character.pk, person("bo"), new_key(), hurt.sequence)
    assert play.undo(character.pk, person("eve"), new_key(), undone.sequence).actor == person("eve").user


def test_only_the_owner_puts_a_seated_character_into_the_bin(character):
    with pytest.raises(Http404):
        verbs.throw_away(character.pk, person(), new_key())
    verbs.throw_away(character.pk, person("bo"), new_key())


GOES = {
    "removed": lambda campaign: membership.remove(campaign.pk, person(), campaign.members.get(name="cid").pk),
    "left": lambda campaign: membership.leave(campaign.pk, person("cid")),
}


@pytest.mark.parametrize("how", GOES)
def test_a_member_who_goes_sees_nothing_from_the_next_request_on(client, campaign, character, how):
    client.force_login(person("cid").user)
    assert client.get(character.get_absolute_url()).status_code == 200
    GOES[how](campaign)
    assert client.get(character.get_absolute_url()).status_code == 404
    assert client.get(campaign.get_absolute_url()).status_code == 404
    assert roles(character) == {name: role for name, role in EVERYBODY.items() if name != "cid"}


def test_a_removed_co_storyteller_cannot_change_the_character(campaign, character):
    membership.remove(campaign.pk, person(), campaign.members.get(name="eve").pk)
    with pytest.raises(Http404):
        play.take_damage(character.pk, person("eve"), new_key(), amount=1)


def test_a_member_who_leaves_takes_their_character_along(campaign, character):
    membership.leave(campaign.pk, person("bo"))
    assert roles(character) == {"bo": "owner"}
    assert not Seat.objects.exists()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bo", "Your characters leave with you. To come back, you need a new invite."),
        ("dan", "Leave this table To come back, you need a new invite."),
        ("eve", "Your characters leave with you, even those that others play. To come back, you need a new invite."),
        ("ana", ""),
    ],
)
def test_the_page_says_what_leaving_a_table_takes_along(client, campaign, name, says):
    client.force_login(person(name).user)
    words = re.sub(r"(<[^>]*>|\s)+", " ", html_of(client.get(campaign.get_absolute_url())))
    assert says in words
    assert ("To come back" in words) == bool(says)


def test_standing_up_takes_every_role_away(campaign, character):
    seat = Seat.objects.get()
    for name in ("cid", "dan"):
        with pytest.raises(Http404):
            seats.stand_up(campaign.pk, person(name), seat.pk)
    seats.stand_up(campaign.pk, person("bo"), seat.pk)
    assert roles(character) == {"bo": "owner"}
    assert not Grant.objects.exists()


def test_a_table_in_the_bin_gives_nobody_a_role(campaign, character):
    campaigns.throw_away(campaign.pk, person())
    assert roles(character) == {"bo": "owner"}
    campaigns.restore(campaign.pk, person())
    assert roles(character) == EVERYBODY


def test_a_member_who_joins_later_gets_their_role(campaign, character):
    sits(campaign, person("zoe"), "spectator", "zoe")
    assert roles(character)["zoe"] == "spectator"


def test_a_prepared_character_is_taken_played_and_given_back(campaign):
    prepared = mira()
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    assert seat.member is None
    assert roles(prepared) == {**EVERYBODY, "ana": "owner", "bo": "party"}
    seats.take(campaign.pk, person("bo"), seat.pk)
    assert roles(prepared)["bo"] == "player"
    assert play.take_damage(prepared.pk, person("bo"), new_key(), amount=1).actor == person("bo").user
    with pytest.raises(Refused):
        seats.take(campaign.pk, person("cid"), seat.pk)
    with pytest.raises(Http404):
        verbs.throw_away(prepared.pk, person("bo"), new_key())
    membership.leave(campaign.pk, person("bo"))
    assert Seat.objects.get().member is None
    assert "bo" not in roles(prepared)
    seats.stand_up(campaign.pk, person("eve"), seat.pk)
    assert roles(prepared) == {"ana": "owner"}


def test_a_player_gives_a_prepared_character_back_and_another_takes_it(campaign):
    prepared = mira()
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    for _ in range(2):
        seats.take(campaign.pk, person("bo"), seat.pk)
    with pytest.raises(Http404):
        seats.stand_up(campaign.pk, person("cid"), seat.pk)
    seats.stand_up(campaign.pk, person("bo"), seat.pk)
    assert roles(prepared)["bo"] == "party"
    seats.take(campaign.pk, person("cid"), seat.pk)
    assert roles(prepared)["cid"] == "player"


def test_a_key_that_another_player_began_a_character_with_is_refused(campaign):
    key = new_key()
    begun = seats.begin(campaign.pk, person("bo"), key)
    assert seats.begin(campaign.pk, person("bo"), key) == begun
    with pytest.raises(KeyReused):
        seats.begin(campaign.pk, person("cid"), key)


@pytest.mark.parametrize("name", ["ana", "dan", "eve"])
def test_only_players_take_a_prepared_character(campaign, name):
    seat = seats.bring(campaign.pk, person(), mira().pk)
    with pytest.raises(Refused):
        seats.take(campaign.pk, person(name), seat.pk)


def test_a_character_sits_at_one_table(client, campaign, character):
    other = saltmarsh("bo")
    client.force_login(person("bo").user)
    assert "If yours sits at another table, take it off that table first." in html_of(
        client.get(other.get_absolute_url())
    )
    with pytest.raises(Refused, match="already sits at a table. Take it off that table first."):
        seats.bring(other.pk, person("bo"), character.pk)
    assert roles(character) == EVERYBODY


def test_bringing_it_again_to_the_same_table_says_the_same_and_changes_nothing(client, campaign, character):
    client.force_login(person("bo").user)
    seat, given = Seat.objects.get(), roles(character)
    path = f"{campaign.get_absolute_url()}seats/bring/"
    again = client.post(path, {"key": new_key(), "character": character.pk}, follow=True)
    assert f"{character} sits at this table." in html_of(again)
    assert Seat.objects.get() == seat
    assert roles(character) == given


def test_only_players_bring_a_character_and_only_their_own(campaign, character):
    others, thrown = mira(person("zoe")), mira(person("bo"))
    verbs.throw_away(thrown.pk, person("bo"), new_key())
    for pk in (others.pk, thrown.pk, 2**63, 999_999):
        with pytest.raises(Http404):
            seats.bring(campaign.pk, person("bo"), pk)
    with pytest.raises(Refused):
        seats.bring(campaign.pk, person("dan"), mira(person("dan")).pk)


@pytest.mark.parametrize("wrong", ["", "x", "-1", "9" * 30, "1.5", "\x00"])
def test_a_bad_choice_is_refused_and_changes_nothing(client, campaign, wrong):
    client.force_login(person("bo").user)
    path = f"{campaign.get_absolute_url()}seats/bring/"
    response = client.post(path, {"key": new_key(), "character": wrong})
    assert response.status_code == 422
    assert "Choose a character." in response.content.decode()
    assert not Seat.objects.exists()


def test_a_seat_of_another_table_is_not_found(campaign, character):
    other, seat = saltmarsh("zoe"), Seat.objects.get()
    for verb in (seats.take, seats.stand_up):
        with pytest.raises(Http404):
            verb(other.pk, person("zoe"), seat.pk)
    assert roles(character) == EVERYBODY


def test_one_form_leads_from_the_invite_to_the_sheet(client, campaign):
    """A name, the character, Join: then the first roll is one press away."""
    seat = seats.bring(campaign.pk, person(), mira().pk)
    path = f"/join/{invite(campaign)}/"
    assert f'value="take:{seat.pk}"' in client.get(path).content.decode()
    response = client.post(path, {"key": new_key(), "name": "Nell", "character": f"take:{seat.pk}"})
    assert response.headers["Location"] == seat.character.get_absolute_url()
    page = client.get(response.headers["Location"]).content.decode()
    assert 'name="roll" value="initiative"' in page
    rolled = client.post(f"{seat.character.get_absolute_url()}play/roll/", {"key": new_key(), "roll": "initiative"})
    assert rolled.status_code == 303
    assert Change.objects.filter(character=seat.character, verb="roll").exists()


def test_a_guest_brings_a_character_and_keeps_it_and_the_seat_when_signing_up(client, campaign):
    as_guest(client)
    client.post("/characters/start/", {"key": new_key()})
    own = Character.objects.exclude(guest="").first()
    path = f"/join/{invite(campaign)}/"
    response = client.post(path, {"key": new_key(), "name": "Nell", "character": f"bring:{own.pk}"})
    assert response.headers["Location"] == own.get_absolute_url()
    form = {"username": "nell", "email": "nell@example.com", "password1": "a lantern on the reef", "key": new_key()}
    client.post("/accounts/signup/", form)
    own.refresh_from_db()
    assert roles(own) == {**EVERYBODY, "bo": "party"}
    assert own.seat.member.user == own.owner
    assert role_of(own, person("nell")).name == "owner"
    assert not Grant.objects.exclude(guest="").exists()


@pytest.mark.parametrize("choice", ["take:999999", "bring:999999", "take:x", "steal:1", "take:" + "9" * 40, "\x00"])
def test_a_guest_with_a_bad_choice_joins_without_a_character(client, campaign, choice):
    path = f"/join/{invite(campaign)}/"
    response = client.post(path, {"key": new_key(), "name": "Nell", "character": choice})
    assert response.headers["Location"] == campaign.get_absolute_url()
    assert not Seat.objects.exists()


def test_another_players_character_cannot_be_brought_by_its_id(client, campaign, character):
    response = Client().post(
        f"/join/{invite(campaign)}/", {"key": new_key(), "name": "Nell", "character": f"bring:{character.pk}"}
    )
    assert response.headers["Location"] == campaign.get_absolute_url()
    assert Seat.objects.get().member.name == "bo"


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_take_the_same_character_at_once_one_gets_it():
    campaign = saltmarsh()
    seat = seats.bring(campaign.pk, person(), mira().pk)
    who = [guest(f"{at:064}") for at in range(8)]
    for at, one in enumerate(who):
        sits(campaign, one, name=f"Guest {at}")
    answers = at_once(*[lambda one=one: seats.take(campaign.pk, one, seat.pk) for one in who])
    assert sum(isinstance(answer, Seat) for answer in answers) == 1
    assert Grant.objects.filter(role="player").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_removal_and_a_seat_at_once_leave_no_role_behind():
    campaign = saltmarsh()
    for _ in range(5):
        member = sits(campaign, person("bo"))
        character = mira(person("cid"))
        sits(campaign, person("cid"))
        at_once(
            lambda member=member: membership.remove(campaign.pk, person(), member.pk),
            lambda character=character: seats.bring(campaign.pk, person("cid"), character.pk),
        )
        assert role_of(character, person("bo")) is None
        membership.remove(campaign.pk, person(), campaign.members.get(user=person("cid").user).pk)
        assert role_of(character, person()) is None
    assert not Grant.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_character_brought_from_a_table_that_is_being_restored_has_roles_at_one_table(monkeypatch):
    former, other, character = saltmarsh(), saltmarsh("cid"), mira(person("bo"))
    sits(former, person("bo"))
    seats.bring(former.pk, person("bo"), character.pk)
    Member.objects.create(campaign=other, user=person("bo").user, name="Bo", role="player")
    campaigns.throw_away(former.pk, person())
    restoring, brought, write = threading.Event(), threading.Event(), seats.set_grants

    def slow(wanted):
        if not restoring.is_set():
            restoring.set()
            brought.wait(0.5)
        write(wanted)

    def bring():
        restoring.wait(10)
        try:
            return seats.bring(other.pk, person("bo"), character.pk)
        finally:
            brought.set()

    monkeypatch.setattr(seats, "set_grants", slow)
    at_once(lambda: campaigns.restore(former.pk, person()), bring)
    there = Seat.objects.get().campaign
    leader = "ana" if there == former else "cid"
    assert [name for name in ("ana", "cid") if role_of(character, person(name))] == [leader]


def test_a_character_of_a_table_in_the_bin_may_sit_at_another(client, campaign, character):
    other = saltmarsh()
    sits(other, person("bo"), "player", "Bo")
    campaigns.throw_away(campaign.pk, person())
    client.force_login(person("bo").user)
    assert str(character) in html_of(client.get(other.get_absolute_url()))
    seats.bring(other.pk, person("bo"), character.pk)
    assert character.seat.campaign == other
    assert campaign.seats.count() == 0


def test_the_page_to_join_names_characters_that_sit_at_another_table(client, campaign, character):
    other = saltmarsh("zoe")
    client.force_login(person("bo").user)
    path = f"/join/{membership.make_invite(other.pk, person('zoe'), new_key(), role='player', most=1, days=1)}/"
    assert f"At another table: {character}. To bring one of these," in " ".join(html_of(client.get(path)).split())
    seats.stand_up(campaign.pk, person("bo"), character.seat.pk)
    page = html_of(client.get(path))
    assert f'value="bring:{character.pk}"' in page
    assert "At another table" not in page


def test_own_characters_of_one_name_are_told_apart_where_one_is_brought(client, campaign):
    older, newer, other = (mira(person("bo"), name=name) for name in ("Rill", "Rill", "Quint"))
    Character.objects.filter(pk=older.pk).update(created_at=datetime(2026, 3, 1, 20, 15, tzinfo=UTC))
    Character.objects.filter(pk=newer.pk).update(created_at=datetime(2026, 3, 8, 21, 0, tzinfo=UTC))
    names = {older: "Rill, made 1 March 2026, 20:15", newer: "Rill, made 8 March 2026, 21:00", other: "Quint"}
    client.force_login(person("bo").user)
    page = html_of(client.get(campaign.get_absolute_url()))
    for one, name in names.items():
        assert f'<option value="{one.pk}">{name}</option>' in page
    zoes = membership.make_invite(saltmarsh("zoe").pk, person("zoe"), new_key(), role="player", most=1, days=1)
    join = html_of(client.get(f"/join/{zoes}/"))
    for name in names.values():
        assert f'<span>{name} <span class="tag">yours' in join


def test_before_a_co_storyteller_is_removed_the_page_says_whose_character_goes(client, campaign):
    lent, waits = (mira(person("eve"), name=name) for name in ("Rill", "Quint"))
    for one in (lent, waits):
        seats.bring(campaign.pk, person("eve"), one.pk)
    seats.take(campaign.pk, person("bo"), lent.seat.pk)
    client.force_login(person().user)
    page = html_of(client.get(f"{campaign.get_absolute_url()}people/"))
    assert "Rill, played by bo, leaves with eve." in page
    assert "Quint" not in page
    client.force_login(person("eve").user)
    assert "leaves with" not in html_of(client.get(f"{campaign.get_absolute_url()}people/"))
