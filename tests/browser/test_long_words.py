"""A name, a title or a sentence of one long word wraps: no page becomes wider than a phone by it."""

import pytest

from campaigns.verbs import campaigns
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE
from tests.support.characters import document, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "W" * 80
SHEET = ("", "build/origin/", "build/aspects/", "build/review/", "history/", "levels/", "timeline/", "share/", "face/")
SHEET += ("rest/", "introduction/")
TABLE = ("", "people/", "encounter/", "notes/")


def test_a_page_is_as_wide_as_the_phone(new_page, ana):
    choices = {**document("ysolde-marrow")["choices"], "ambassador.languages": ["dwarven", LONG]}
    aspects = [{"kind": "trait", "text": LONG * 3}]
    character = owned_by(ana, "ysolde-marrow", name=LONG, aspects=aspects, choices=choices)
    campaign = campaigns.create(Person(ana), new_key(), name=LONG)
    page = new_page(width=PHONE, user=ana)
    addresses = [character.get_absolute_url() + one for one in SHEET]
    addresses += ["/campaigns/", *(campaign.get_absolute_url() + one for one in TABLE)]
    for address in addresses:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, address


def test_what_many_levels_bring_is_folded_and_fits(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    page.goto(owned_by(ana, "ysolde-marrow", xp=10_000).get_absolute_url() + "level-up/")
    page.locator("#of-itself summary").click()
    assert page.locator("#of-itself li").count() >= 5
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
