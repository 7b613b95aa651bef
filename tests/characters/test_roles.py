"""Roles: what each may see, play, lock and do with someone else's character, and no more."""

import hashlib
import re

import pytest
from django.http import Http404

from characters import access, verbs
from characters.access import OWN, PLAY, ROLES, role_found, role_of
from characters.models import Grant
from characters.people import SESSION_KEY, Person, claim_drafts
from tests.characters.cast import as_guest, granted, guest, mira, new_key, person
from tests.characters.play.table import play
from tests.support.html import LIVE
from tests.support.matrix import GRANTED, READING

pytestmark = pytest.mark.django_db


begin = mira


def comes(lookup, character, who):
    try:
        return bool(lookup(character.pk, who))
    except Http404:
        return False


FOUR = {  # role: sees, plays, locks, may use verbs of play, may use verbs of the owner
    "owner": (True, True, True, True, True),
    "storyteller": (True, True, True, True, False),
    "player": (True, True, True, True, False),
    "party": (True, False, False, False, False),
    "spectator": (True, False, False, False, False),
    "reader": (True, False, False, False, False),
}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_each_role_may_see_play_lock_and_act_as_listed(character, role, django_assert_max_num_queries):
    who = person() if role.name == "owner" else granted(character, role.name)
    lookups = [comes(one, character, who) for one in (access.visible, access.playable, access.locked)]
    assert (*lookups, role.may(PLAY), role.may(OWN)) == FOUR[role.name]
    with django_assert_max_num_queries(role.name != "owner"):  # the owner's takes no query
        assert role_of(character, who) == role


def test_a_person_with_two_roles_has_the_greater(character):
    granted(character, "reader")
    who = granted(character, "storyteller")
    assert role_of(character, who).name == "storyteller"


def test_a_stranger_has_no_role(character):
    granted(character, "storyteller", "bo")
    assert role_of(character, person("cid")) is None
    assert role_of(character, Person()) is None
    with pytest.raises(Http404):
        role_found(character, person("cid"))


def test_deleting_a_grant_ends_its_rights(character):
    who = granted(character, "storyteller")
    assert play.take_damage(character.pk, who, new_key(), amount=1).actor == who.user
    Grant.objects.all().delete()
    with pytest.raises(Http404):
        play.take_damage(character.pk, who, new_key(), amount=1)


def test_the_owner_undoes_the_storytellers_change_and_the_storyteller_undoes_that(character):
    who = granted(character, "storyteller")
    hurt = play.take_damage(character.pk, who, new_key(), amount=1)
    undone = play.undo(character.pk, person(), new_key(), hurt.sequence)
    assert play.undo(character.pk, who, new_key(), undone.sequence).actor == who.user


def test_a_form_sent_twice_by_a_storyteller_counts_once(character):
    who, key = granted(character, "storyteller"), new_key()
    first = play.take_damage(character.pk, who, key, amount=1)
    Grant.objects.all().delete()
    with pytest.raises(Http404):
        play.take_damage(character.pk, who, key, amount=1)
    granted(character, "storyteller")
    assert play.take_damage(character.pk, who, key, amount=1) == first


def test_a_storyteller_can_neither_bin_nor_restore_a_character(character):
    who = granted(character, "storyteller")
    with pytest.raises(Http404):
        verbs.throw_away(character.pk, who, new_key())
    verbs.throw_away(character.pk, person(), new_key())
    for verb in (verbs.restore, play.next_round):
        with pytest.raises(Http404):
            verb(character.pk, who, new_key())
    for one in (who, person()):
        assert not comes(access.visible, character, one)
        assert not comes(access.playable, character, one)


def test_a_guest_keeps_a_role_when_signing_up(character, rf):
    Grant.objects.create(character=character, guest=Person(guest=hashed("t")).guest, role="storyteller")
    assert comes(access.playable, character, Person(guest=hashed("t")))
    request = rf.get("/")
    request.session = {SESSION_KEY: "t"}
    claim_drafts(request, person("bo").user)
    assert comes(access.playable, character, person("bo"))
    assert not comes(access.playable, character, Person(guest=hashed("t")))


def hashed(token):
    return hashlib.sha256(token.encode()).hexdigest()


def sheet_of(client, character, who):
    client.force_login(who.user)
    return client.get(character.get_absolute_url()).content.decode().partition("<main")[2].partition("</main")[0]


@pytest.mark.parametrize("role", READING)
def test_a_person_who_may_only_see_gets_no_live_form(client, character, role):
    """Even right after the owner's page was drawn and cached."""
    assert len(LIVE.findall(sheet_of(client, character, person()))) > 30
    assert not LIVE.findall(sheet_of(client, character, granted(character, role)))


def test_a_person_who_may_play_gets_the_forms_and_each_works(client, character):
    who = granted(character, "storyteller")
    page = sheet_of(client, character, who)
    posts = set(re.findall(r'method="post" action="([^"]+)"', page))
    assert len(posts) > 15
    for url in posts:
        assert client.post(url, {"key": new_key()}).status_code in (303, 422), url
    client.force_login(person("cid").user)
    assert {client.post(url, {"key": new_key()}).status_code for url in posts} == {404}


def test_a_guest_does_not_get_another_guests_cached_page(client, character):
    """Guests have no account id by which their cached pages could be told apart."""
    drafted = mira(guest(hashed("owner")))
    Grant.objects.create(character=drafted, guest=hashed("reader"), role="reader")
    for token, live in (("owner", True), ("reader", False)):
        as_guest(client, token)
        page = client.get(drafted.get_absolute_url()).content.decode().partition("<main")[2]
        assert bool(LIVE.findall(page)) == live, token


@pytest.mark.parametrize("role", GRANTED)
def test_of_the_granted_roles_only_the_storyteller_sees_the_history(client, character, role):
    client.force_login(granted(character, role).user)
    page = client.get(f"{character.get_absolute_url()}timeline/")
    assert page.context["tells"] == (role == "storyteller")
    history = client.get(f"{character.get_absolute_url()}history/").status_code
    assert history == (200 if role == "storyteller" else 404)
