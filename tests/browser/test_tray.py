"""The tray at the foot of the screen shows what just happened, and covers nothing that one works with."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAYS = pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
COVERED = """() => {
  const tray = document.querySelector("#tray"), one = document.activeElement;
  const below = tray.contains(one) || one.closest("#sections");
  return !below && one.getBoundingClientRect().top >= tray.getBoundingClientRect().top && one.outerHTML;
}"""


@pytest.fixture
def page(new_page, ana, base, script):
    """A sheet on a phone, right after an attack."""
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled")).to_be_visible()
    return page


@WAYS
@pytest.mark.parametrize(("height", "presses"), [(844, 150), (480, 60)])
def test_what_has_the_focus_stands_above_the_tray(page, height, presses):
    page.set_viewport_size({"width": PHONE, "height": height})
    page.reload()
    covered = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        covered.append(page.evaluate(COVERED))
    assert [one for one in covered if one] == []
    page.get_by_text("Write something").click()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#add-note-text").focus()
    assert not page.evaluate(COVERED)


@WAYS
def test_who_comes_into_the_tray_stays_where_the_page_was(page):
    page.evaluate("scrollTo(0, 500)")
    page.locator("#undo-latest").focus()
    assert page.evaluate("scrollY") == 500


@WAYS
def test_a_roll_is_folded_to_one_line_and_the_next_comes_open(page):
    rolled = page.locator("#rolled")
    high = page.locator("#tray").bounding_box()["height"]
    expect(rolled.locator(".die").first).to_be_visible()
    rolled.locator("summary").first.click()
    expect(rolled.locator(".rolled-total")).to_be_visible()
    expect(rolled.locator(".die").first).not_to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    assert page.locator(".latest").bounding_box()["height"] <= 52
    assert page.locator("#tray").bounding_box()["height"] < high / 2
    rolled.locator("summary").first.click()
    expect(rolled.locator(".die").first).to_be_visible()
    rolled.locator("summary").first.click()
    page.get_by_role("button", name="Roll initiative").click()
    expect(rolled).to_contain_text("Initiative")
    expect(rolled.locator(".die").first).to_be_visible()


@pytest.mark.parametrize("height", [480, 640])
def test_on_a_small_screen_most_of_it_is_left(new_page, ana, base, height):
    page = new_page(user=ana)
    page.set_viewport_size({"width": 320, "height": height})
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled")).to_be_visible()
    assert page.locator("#tray").bounding_box()["height"] <= 0.4 * height + 1
    page.reload()
    if height == 640:
        row = page.locator("#hit-damage").bounding_box()
        assert row["y"] + row["height"] <= page.locator("#tray").bounding_box()["y"]
