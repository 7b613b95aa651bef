"""A read-only link: made and shown once, opened by anyone, ended for good; and what it never shows."""

import json
import re

import pytest
from django.http import Http404
from django.test import Client

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character, Link
from characters.people import hashed
from characters.sharing import MOST, by_link, end_link, make_link
from tests.characters.cast import facts, granted, mira, new_key, person
from tests.characters.play.table import play
from tests.support.html import LIVE

pytestmark = pytest.mark.django_db
SECRETS = {
    "a note": "Canary-note",
    "a tie": "Canary-tie",
    "what downtime brought": "Canary-downtime",
    "a line of the history": "Canary-mark",
    "a secret roll": "Canary-roll",
}


def begin():
    """Mira, with something of everything that only her player knows."""
    made = mira()
    who = person()
    play.add_note(made.pk, who, new_key(), text="Canary-note")
    play.add_relationship(made.pk, who, new_key(), other="Bo", based_on="bond", text="Canary-tie")
    play.spend_downtime(made.pk, who, new_key(), days=1, activity="Training", outcome="Canary-downtime")
    play.mark(made.pk, who, new_key(), name="Canary-mark")
    made.rolls.create(change=made.changes.first(), kind="check", key="x", name="Canary-roll", total=1, secret=True)
    return made


@pytest.fixture
def token(character):
    return make_link(character.pk, person(), new_key())


def told(text):
    return [what for what, canary in SECRETS.items() if canary in text]


def test_the_owner_sees_every_secret(client, character):
    """The control: every canary is there to be found."""
    client.force_login(person().user)
    page, file, history, rolls = (
        client.get(f"{character.get_absolute_url()}{where}").content.decode()
        for where in ("", "download/", "history/", "rolls/")
    )
    assert told(page + file + history + rolls) == list(SECRETS)


def test_a_link_is_made_shown_once_and_opened_by_anybody(client, character):
    client.force_login(person().user)
    form = {"key": new_key()}
    made = client.post(f"/characters/{character.pk}/share/make/", form)
    path = re.search(r'value="http://testserver(/shared/[^"]+)"', made.content.decode())[1]
    token = path.split("/")[2]
    assert token not in client.get(f"/characters/{character.pk}/share/").content.decode()
    assert Link.objects.get().token == hashed(token)
    response = Client().get(path)
    assert response.status_code == 200
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in response.headers["Cache-Control"]
    assert path in client.post(f"/characters/{character.pk}/share/make/", form).content.decode()
    assert Link.objects.count() == 1


def test_a_link_shows_the_sheet_and_its_explanations_and_nothing_private(client, token):
    page = client.get(f"/shared/{token}/").content.decode()
    main = page.partition("<main")[2]
    posts = re.findall(r"<form[^>]*>", main)
    assert posts == [f'<form method="post" action="/shared/{token}/copy/">']
    assert len(LIVE.findall(main)) == 1
    assert "download" not in main
    links = set(re.findall(r'href="(/(?:characters|shared)/[^"#]*)"', main))
    assert len(links) > 20
    for link in links:
        assert link.startswith(f"/shared/{token}/")
        shown = client.get(link)
        assert shown.status_code == 200, link
        assert told(shown.content.decode()) == []
        assert re.findall(r'href="/characters/\d', shown.content.decode()) == []
    assert told(page) == []


def test_every_page_of_a_link_asks_not_to_be_indexed(client, token):
    for path in ("", "explain/defense/", "odds/initiative/"):
        assert "noindex" in client.get(f"/shared/{token}/{path}").headers["X-Robots-Tag"]


def test_the_face_on_a_shared_sheet_has_an_address_below_the_link(client, character, token):
    Character.objects.filter(pk=character.pk).update(face=f"picture:{'0' * 64}")
    page = client.get(f"/shared/{token}/").content.decode()
    assert f'src="/shared/{token}/face/{"0" * 64}.webp"' in page


def test_a_copy_made_through_a_link_has_nothing_private(client, character, token):
    response = client.post(f"/shared/{token}/copy/", {"key": new_key()})
    assert response.status_code == 303
    copied = Character.objects.exclude(pk=character.pk).get()
    assert copied.name == character.name
    assert told(json.dumps(facts(copied), default=str)) == []
    assert client.get(copied.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("role", ["reader", "party", "spectator", "storyteller"])
def test_downloads_and_copies_contain_only_what_the_role_may_see(client, character, role):
    who = granted(character, role)
    client.force_login(who.user)
    file = client.get(f"{character.get_absolute_url()}download/").content.decode()
    copied = verbs.copy(character.pk, who, new_key()).character
    for text in (file, json.dumps(facts(copied), default=str)):
        assert told(text) == (["a note", "a tie", "what downtime brought"] if role == "storyteller" else [])


def test_an_ended_link_is_not_found_and_its_key_makes_no_new_one(client, character):
    key = new_key()
    token = make_link(character.pk, person(), key)
    end_link(character.pk, person(), character.links.get().pk)
    for path in ("", "explain/defense/", "odds/initiative/"):
        assert client.get(f"/shared/{token}/{path}").status_code == 404
    assert client.post(f"/shared/{token}/copy/", {"key": new_key()}).status_code == 404
    assert not Character.objects.exclude(pk=character.pk).exists()
    with pytest.raises(Refused, match="That link was deleted"):
        make_link(character.pk, person(), key)
    end_link(character.pk, person(), character.links.get().pk)
    assert make_link(character.pk, person(), new_key()) != token


def test_a_link_does_not_work_while_its_character_is_in_the_bin(character, token):
    verbs.throw_away(character.pk, person(), new_key())
    with pytest.raises(Http404):
        by_link(token)
    verbs.restore(character.pk, person(), new_key())
    assert by_link(token) == character


@pytest.mark.parametrize("role", ["storyteller", "reader"])
def test_only_the_owner_makes_and_ends_links(character, token, role):
    who = granted(character, role)
    for act in (lambda: make_link(character.pk, who, new_key()), lambda: end_link(character.pk, who, 1)):
        with pytest.raises(Http404):
            act()
    assert by_link(token) == character


def test_a_link_of_another_character_is_not_ended(character, token):
    with pytest.raises(Http404):
        end_link(mira().pk, person(), character.links.get().pk)
    assert by_link(token) == character


@pytest.mark.parametrize("wrong", ["", "x", "x" * 3000, "é"])
def test_no_other_token_opens_anything(token, wrong):
    with pytest.raises(Http404):
        by_link(wrong)
    with pytest.raises(Http404):
        by_link(hashed(token))


def test_the_number_of_links_is_limited(client, character):
    client.force_login(person().user)
    for _ in range(MOST):
        make_link(character.pk, person(), new_key())
    response = client.post(f"/characters/{character.pk}/share/make/", {"key": new_key()})
    assert response.status_code == 422
    assert f"There are {MOST} links" in response.content.decode()
    end_link(character.pk, person(), character.links.first().pk)
    make_link(character.pk, person(), new_key())


def test_no_link_is_made_without_a_key(client, character):
    client.force_login(person().user)
    assert client.post(f"/characters/{character.pk}/share/make/").status_code == 422
    assert not Link.objects.exists()
