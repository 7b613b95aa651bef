"""A turn on a phone and on a wide screen, with script and without: moving, acting, an ambush, a fall, the next turn."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_turn_is_played_with_moves_actions_a_fall_and_an_ambush(new_page, axe, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)

    def look():
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        if script:
            axe(page)

    def shows(id, pressed):
        expect(page.locator(id)).to_have_attribute("aria-pressed", pressed)

    left, latest = page.locator("#turn .turn-movement"), page.locator("#latest")
    page.goto(base)
    speed = int(left.locator(".number").inner_text())
    look()

    page.locator("#move-10").click()
    expect(left).to_contain_text(f"{speed - 10} of {speed} ft")
    page.locator("#move-feet").fill("999")
    page.locator("#move-go").click()
    expect(page.locator("#move-refused")).to_contain_text("999 ft would take 999 ft of speed")
    expect(page.locator("#move-feet")).to_have_value("999")
    look()
    page.locator("#move-feet").fill("5")
    page.get_by_label("Costs double").check()
    page.locator("#move-go").click()
    expect(left).to_contain_text(f"{speed - 20} of {speed} ft")

    shows("#turn-action", "false")
    page.locator("#turn-dash").click()
    expect(left).to_contain_text(f"of {2 * speed} ft")
    shows("#turn-action", "true")
    page.locator("#turn-reaction").click()
    shows("#turn-reaction", "true")
    page.locator("#turn-reaction").click()
    shows("#turn-reaction", "false")

    page.locator("#turn-drop").click()
    expect(page.locator("#turn")).to_contain_text("Each foot costs 2: prone.")
    look()
    page.locator("#turn-stand").click()
    expect(page.locator("#turn-drop")).to_be_visible()

    page.locator("#turn-more > summary").click()
    look()
    page.locator("#turn-use-what").select_option("off-hand-attack")
    page.locator("#turn-use").click()
    shows("#turn-bonus-action", "true")
    open_again(page)
    page.locator("#fall-feet").fill("10")
    page.get_by_label("Your own dice for the fall").fill("1")
    page.locator("#fall-go").click()
    expect(page.locator("#rolled")).to_contain_text("Fall")
    page.locator("#undo-latest").click()
    expect(latest).to_contain_text("Undone")
    open_again(page)
    page.locator("#notice-stealth").fill("40")
    page.locator("#notice-go").click()
    expect(page.locator("#turn")).to_contain_text("Action: not while surprised")
    look()

    for _ in range(2):
        page.locator("#next-turn").click()
        expect(latest).to_contain_text("starts a turn")
        page.wait_for_load_state()
    expect(left).to_contain_text(f"{speed} of {speed} ft")
    shows("#turn-action", "false")
    look()


def open_again(page):
    """Unfold the turn, which a reload has folded."""
    if page.locator("#turn-more").get_attribute("open") is None:
        page.locator("#turn-more > summary").click()
