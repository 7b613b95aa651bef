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


def between(one, other):
    """The distance from one element to another, across and down."""
    one, other = one.bounding_box(), other.bounding_box()
    return other["x"] - one["x"], other["y"] - one["y"]


@WAYS
@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_one_panel_is_open_at_a_time(new_page, ana, base, script, width):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    for opened, other in (PANELS, PANELS[::-1]):
        page.locator(f"{opened} > summary").click()
        is_open(page, opened)
        is_open(page, other, opened=False)


@WAYS
@pytest.mark.parametrize(("width", "height"), [(320, 640), (PHONE, 844), (800, 1000), (WIDE, 720)])
@pytest.mark.parametrize("panel", PANELS)
def test_the_button_of_an_open_panel_stays_and_closes_it(new_page, ana, base, script, width, height, panel):
    page = new_page(script=script, user=ana)
    page.set_viewport_size({"width": width, "height": height})
    attack(page, base)
    summary, beside = page.locator(f"{panel} > summary"), page.locator("#next-turn")
    before = between(beside, summary)
    summary.click()
    is_open(page, panel)
    assert between(beside, summary) == before
    box, opened = summary.bounding_box(), page.locator(f"{panel} > .more-panel").bounding_box()
    assert opened["x"] >= box["x"] + box["width"] or opened["y"] >= box["y"] + box["height"]
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # without scrolling to it
    is_open(page, panel, opened=False)


@pytest.mark.parametrize(("width", "height"), [(PHONE, 844), (800, 1000), (WIDE, 720), (WIDE, 800)])
@pytest.mark.parametrize("more", ["#tray", ".rolled-more", "#dice-more"])
def test_an_open_panel_fits_between_the_top_and_the_tray(new_page, ana, base, width, height, more):
    page = new_page(user=ana)
    page.set_viewport_size({"width": width, "height": height})
    attack(page, base)
    if more == ".rolled-more":
        page.locator("#rolled > summary").click()
    if more != "#tray":
        page.locator(f"{more} > summary").first.click()
    page.locator("#resolve-more > summary").press("Enter")
    panel = page.locator("#resolve-more > .more-panel")
    expect(panel).to_be_in_viewport()
    box = panel.bounding_box()
    tray = page.locator("#tray").bounding_box()
    assert box["y"] >= 0
    if width == WIDE or more == "#tray":  # on a phone, below a tray that is unfolded, the page scrolls
        assert box["y"] + box["height"] <= tray["y"]
    assert panel.evaluate("""panel => {
      const { x, y } = panel.getBoundingClientRect();
      return panel.contains(document.elementFromPoint(x + 20, y + 8));
    }""")
    last = panel.get_by_role("button", name="Regain")
    last.scroll_into_view_if_needed()
    last.click()
    expect(panel.locator(".field-error")).to_be_attached()


@pytest.mark.parametrize("height", [720, 800])
def test_without_script_the_tray_does_not_cover_the_end_of_a_panel(new_page, ana, base, height):
    page = new_page(script=False, user=ana)
    page.set_viewport_size({"width": WIDE, "height": height})
    attack(page, base)
    page.locator("#resolve-more > summary").click()
    regain, tray = page.locator("#resolve-more").get_by_role("button", name="Regain"), page.locator("#tray")
    regain.focus()
    expect(regain).to_be_in_viewport(ratio=1)
    box = regain.bounding_box()
    assert box["y"] + box["height"] <= tray.bounding_box()["y"]


def test_a_counter_that_opens_low_in_its_column_comes_into_sight(new_page, ana, base):
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 600})
    page.goto(base)
    counter = page.locator("#vitals .count-fold").last
    counter.locator("summary").click()
    more = counter.get_by_role("button").last
    below = page.locator("#times")
    expect(more).to_be_in_viewport(ratio=1)
    assert more.bounding_box()["y"] + more.bounding_box()["height"] <= below.bounding_box()["y"]
