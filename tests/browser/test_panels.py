"""The panels of the buttons for play: each closes at a press outside, covers neither its button nor the tray, and opens
alone."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAYS = pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
PANELS = ("#resolve-more", "#condition-more")


def is_open(page, panel, *, opened=True):
    expect(page.locator(f"{panel} > .more-panel")).to_be_visible(visible=opened)


def attack(page, base):
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled")).to_be_visible()


@pytest.mark.parametrize("panel", PANELS)
def test_a_tap_outside_closes_a_panel_on_a_phone(new_page, sound, ana, base, panel):
    page = new_page(width=PHONE, user=ana, has_touch=True, is_mobile=True)
    attack(page, base)
    page.locator(f"{panel} > summary").tap()
    is_open(page, panel)
    sound(page, on=[PHONE])
    page.locator("#rolled .rolled-total").tap()
    is_open(page, panel, opened=False)
    page.locator(f"{panel} > summary").tap()
    page.locator(f"{panel} label").first.tap()
    is_open(page, panel)
    page.locator("#sheet-menu > summary").tap()
    is_open(page, panel, opened=False)


def test_a_panel_with_unsent_words_stays_open(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    page.locator("#resolve-more > summary").click()
    page.locator("#regain-reason").fill("a good scene")
    page.locator("#skills h2").click()
    is_open(page, "#resolve-more")
    page.locator("#regain-reason").fill("")
    page.locator("#skills h2").click()
    is_open(page, "#resolve-more", opened=False)
