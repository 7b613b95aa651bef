"""The introduction to a sheet shows from the first visit until it is read, and stays in the menu."""

from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from characters.models import Introduction
from characters.samples import add_samples
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_introduction_shows_until_it_is_read_and_stays_in_the_menu(new_page, sound, transactional_db, script):
    add_samples()
    page = new_page(width=PHONE, script=script)
    page.goto("/samples/borrin-ashlar/")
    page.get_by_role("button", name="Copy this character").click()
    page.wait_for_url("**/characters/**")
    base = f"/characters/{page.url.split('/characters/')[1].split('/')[0]}/"
    page.goto(base)
    told = page.get_by_role("region", name="How this sheet works")
    expect(told.get_by_role("listitem")).to_have_count(10)
    if script:
        sound(page)
        told.get_by_role("link", name="Advantage", exact=True).click()
        expect(page.locator("#explanation")).to_contain_text("one more die")
        page.keyboard.press("Escape")
    told.get_by_role("button", name="Got it").click()
    expect(told).to_have_count(0)
    assert urlparse(page.url).path == base
    page.goto(base)
    expect(told).to_have_count(0)
    assert Introduction.objects.count() == 1
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="How this sheet works").click()
    expect(page.get_by_role("listitem").filter(has_text="An attack")).to_be_visible()
    if script:
        sound(page)
    page.get_by_role("link", name="To the sheet of").click()
    page.wait_for_url(f"**{base}")
