"""The regions of a sheet are drawn once per version, and never show one visitor's secrets to another."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from characters import verbs
from characters.models import Character
from characters.read import page_cache
from rules.models import Source
from rules.publications import publish
from tests.characters.cast import browser_of, mira, new_key, person

KEY = re.compile(r'name="key" value="([^"]+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@pytest.fixture(autouse=True)
def nothing_kept():
    page_cache.PARTS.clear()


@pytest.fixture
def ana(db):
    return person("ana")


begin = mira


@pytest.fixture
def client(ana):
    return browser_of(ana)


def page(client, character):
    return client.get(character.get_absolute_url()).content.decode()


def plain(html):
    return TOKEN.sub("", KEY.sub("", html))


def test_the_cached_page_equals_a_freshly_drawn_one(client, character):
    drawn = page(client, character)
    assert plain(page(client, character)) == plain(drawn)
    page_cache.PARTS.clear()
    assert plain(page(client, character)) == plain(drawn)


def test_another_history_with_the_same_version_is_drawn_anew(client, character):
    """As when a backup is restored."""
    page(client, character)
    Character.objects.update(name="Quill", changed_at=timezone.now())
    assert ">Quill<" in page(client, character).partition("<main")[2]


@pytest.mark.fast
def test_an_unchanged_sheet_is_drawn_once(client, character, monkeypatch):
    page(client, character)
    monkeypatch.setattr("characters.pages.sheet.sheet_html.draw", lambda *_: pytest.fail("drawn again"))
    assert "Mira" in page(client, character)


def test_every_form_has_a_key_of_its_own_each_time(client, character):
    first, second = KEY.findall(page(client, character)), KEY.findall(page(client, character))
    assert len(first) > 10
    assert len(set(first + second)) == len(first) + len(second)
    assert max(map(len, first)) <= 64


def test_all_forms_of_a_page_have_one_csrf_token(client, character):
    found = TOKEN.findall(page(client, character))
    assert len(found) > 10
    assert len(set(found)) == 1


def test_each_visitor_has_their_own_csrf_token(ana, character):
    clients = [Client(), Client()]
    for client in clients:
        client.force_login(ana.user)
    tokens = [set(TOKEN.findall(page(client, character))) for client in clients]
    assert tokens[0].isdisjoint(tokens[1])
    assert not any(page_cache.CSRF_PLACEHOLDER in token for found in tokens for token in found)


def test_the_csrf_token_of_a_cached_page_is_accepted(ana, character):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana.user)
    page(client, character)
    html = page(client, character)
    answer = client.post(
        f"{character.get_absolute_url()}rename/",
        {"csrfmiddlewaretoken": TOKEN.findall(html)[-1], "key": new_key(), "name": "Mira the Second"},
    )
    assert answer.status_code in (200, 303)


def test_a_change_is_shown_at_once(client, ana, character):
    page(client, character)
    verbs.rename(character.pk, ana, new_key(), name="Somebody else")
    assert "Somebody else" in page(client, character)


def test_an_edit_of_the_rules_is_shown_at_once(client, character, monkeypatch):
    page(client, character)
    publish(Source.objects.get(slug="polyhedral-core"))
    drawings = []
    monkeypatch.setattr("characters.pages.sheet.sheet_html.draw", lambda *_: drawings.append(1) or "drawn")
    page(client, character)
    assert drawings


def test_the_oldest_cached_part_makes_room(monkeypatch):
    monkeypatch.setattr(page_cache.PARTS, "size", 2)
    for name in "abc":
        page_cache.part(name, 1, lambda _, name=name: name)
    assert list(page_cache.PARTS.values) == ["b", "c"]
