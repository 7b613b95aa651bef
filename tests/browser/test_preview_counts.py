"""The preview of publishing tries all characters by itself, until it is stopped; without script by presses."""

from random import Random
from threading import Event

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from characters.models import Character
from characters.pages.publications import preview_page
from characters.pages.publications.moved_characters import moved_by_publishing
from characters.verbs import surprise
from rules.models import Source, Stat
from tests.characters.cast import new_key, person
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ada(monkeypatch):
    """An admin whose edit changes five characters; the preview tries one at a time."""
    monkeypatch.setattr(preview_page, "AT_ONCE", 1)
    for seed in range(5):
        surprise(person(), new_key(), chance=Random(seed))
    Stat.objects.filter(key="defense").update(minimum=30)
    return User.objects.create_superuser("ada", "ada@example.com", "a long password")


def address():
    return f"/admin/rules/source/{Source.objects.get(slug='polyhedral-core').pk}/preview/"


def test_the_preview_continues_by_itself_until_stopped(new_page, ada, sound, monkeypatch):
    gate, third = Event(), Character.objects.order_by("-pk")[2]

    def waiting(source, characters):
        if third in characters:
            gate.wait(60)
        return moved_by_publishing(source, characters)

    monkeypatch.setattr(preview_page, "moved_by_publishing", waiting)
    page = new_page(user=ada, width=PHONE)
    page.goto(address())
    moved = page.get_by_role("group")
    expect(page.get_by_text("2 of 2 characters would change. There are 5")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "2")
    page.get_by_role("link", name="Stop").click()
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    gate.set()
    expect(page.get_by_role("link", name="Continue")).to_be_focused()
    sound(page)
    expect(page.get_by_text("2 of 2 characters would change.")).to_be_visible()
    expect(moved).to_have_count(2)
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_text("5 of 5 characters would change.")).to_be_visible()
    expect(moved).to_have_count(5)
    expect(page.get_by_role("link", name="Stop")).to_have_count(0)
    sound(page)


def test_without_script_the_preview_continues_by_presses(new_page, ada):
    page = new_page(user=ada, script=False)
    page.goto(address())
    for tried in range(1, 5):
        expect(page.get_by_text(f"{tried} of {tried} character")).to_be_visible()
        expect(page.get_by_role("link", name="Stop")).to_have_count(0)
        page.get_by_role("link", name="Continue with the next 1").click()
    expect(page.get_by_text("5 of 5 characters would change.")).to_be_visible()
    expect(page.get_by_role("link", name="Continue")).to_have_count(0)
