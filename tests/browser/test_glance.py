"""A character can be read from across the table: in the site's font, as large as the screen allows."""

import pytest
from playwright.sync_api import expect

from tests.characters.play_pages.conftest import Player
from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HIGH = "element => parseFloat(getComputedStyle(element).fontSize)"


@pytest.mark.parametrize(("width", "least"), [(PHONE, 110), (WIDE, 300)])
def test_the_numbers_are_large_enough_to_read_across_the_table(new_page, sound, ana, client, width, least):
    player = Player(ana, client)
    player.send("add-condition", condition="condition:poisoned", rounds="3")
    page = new_page(width=width, user=ana)
    page.goto(f"{player.base}glance/")
    board = page.get_by_role("region", name="Borrin Ashlar")
    for words in ("Health", "Defense"):
        number = board.locator("div", has_text=words).locator("dd").last
        assert number.evaluate(HIGH) >= least
        box = number.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]
        assert number.evaluate("one => one.scrollWidth <= one.clientWidth")
    held = board.get_by_text("Poisoned")
    assert held.evaluate(HIGH) >= 26
    box = held.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('700 20px Figtree'))")
    sound(page)


def test_health_of_three_digits_fits_a_phone(new_page, ana, client):
    player = Player(ana, client)
    page = new_page(width=PHONE, user=ana)
    page.goto(f"{player.base}glance/")
    page.evaluate("""() => {
      const [health] = document.querySelectorAll(".big > div");
      health.className = "digits-3";
      health.querySelector("dd").textContent = "188";
    }""")
    ends = page.locator(".big dd").evaluate_all("all => all.map(one => one.scrollWidth <= one.clientWidth)")
    assert ends == [True, True]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    expect(page.get_by_role("button", name="Damage", exact=True).first).to_be_visible()
