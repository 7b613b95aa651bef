"""The tray at the foot of the screen shows what just happened, and covers nothing that you need."""

import re

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
def test_the_tray_never_covers_the_element_with_the_focus(page, height, presses):
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
def test_focus_in_the_tray_does_not_scroll_the_page(page):
    page.evaluate("scrollTo(0, 500)")
    page.locator("#undo-latest").focus()
    assert page.evaluate("scrollY") == 500


@WAYS
def test_a_roll_begins_as_one_line_and_one_press_shows_what_may_be_added(page, script):
    rolled, added = page.locator("#rolled"), page.get_by_text("Spend one Resolve")
    undo, advantage = page.get_by_role("button", name="Undo"), page.get_by_text("Advantage", exact=True)
    for seen in (rolled.locator(".rolled-total"), undo, advantage):
        expect(seen).to_be_visible()
    expect(rolled.locator(".die").first).not_to_be_visible()
    expect(added).not_to_be_visible()
    assert page.locator(".latest").bounding_box()["height"] <= 52
    low = page.locator("#tray").bounding_box()["height"]
    assert low <= 120
    rolled.locator("summary").first.click()
    expect(rolled.locator(".die").first).to_be_visible()
    expect(added).to_be_visible()
    assert page.locator("#tray").bounding_box()["height"] > 2 * low
    page.get_by_role("button", name="Roll initiative").click()
    expect(rolled).to_contain_text("Initiative")
    expect(rolled.locator(".die").first).to_be_visible(visible=script)  # a page that is loaded anew begins anew


@WAYS
def test_a_refused_addition_to_a_roll_is_in_sight(page):
    page.locator("#rolled > summary").click()
    page.locator(".rolled-more > summary").click()
    page.get_by_label("Your own die").fill("9")
    page.get_by_role("button", name="Another die").click()
    expect(page.locator("#rolled .field-error")).to_be_visible()


@pytest.mark.parametrize("script", [True])
@pytest.mark.parametrize("width", [PHONE, 768])
def test_a_folded_roll_is_whole_and_level_with_its_undo(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    line = page.locator("#rolled > summary")
    expect(page.locator("#rolled")).not_to_have_attribute("open", "")
    words = line.locator(".rolled-name, .rolled-word")
    assert words.count() == 2
    assert words.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)") == [0, 0]
    undo, folded = page.locator("#undo-latest").bounding_box(), line.bounding_box()
    assert abs(undo["y"] + undo["height"] / 2 - folded["y"] - folded["height"] / 2) <= 1


@pytest.mark.parametrize("height", [480, 640])
def test_on_a_small_screen_the_tray_takes_at_most_two_fifths(new_page, ana, base, height):
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


@WAYS
@pytest.mark.parametrize("width", [360, PHONE])
def test_the_tray_is_one_line_until_something_happens(new_page, ana, base, script, width):
    page = new_page(script=script, user=ana)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(base)
    tray = page.locator("#tray")
    assert tray.bounding_box()["height"] <= 64
    sides = tray.get_by_role("radio")
    expect(sides).to_have_count(3)
    for side in sides.all():
        box = side.locator("..").bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] + box["width"] <= width
    expect(tray.get_by_label("Target")).not_to_be_visible()


@WAYS
def test_advantage_counts_for_one_roll(new_page, axe, ana, base, script):
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(base)
    if script:
        page.get_by_text("Advantage", exact=True).click()
        axe(page)
    else:
        page.get_by_label("Neither").focus()
        page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Advantage", exact=True)).to_be_checked()
    press = page.get_by_role("button", name="Attack with Warhammer, one hand")
    press.click()
    expect(page.locator("#rolled .die")).to_have_count(4)
    expect(page.get_by_label("Neither")).to_be_checked()
    press.click()
    expect(page.locator("#rolled .die")).to_have_count(3)


def test_after_a_minute_a_message_goes_away_and_a_roll_folds(new_page, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.clock.install()
    page.goto(base)
    page.locator("#hit-amount").fill("2")
    page.locator("#hit-damage").click()
    expect(page.locator("#latest")).to_contain_text("2 damage")
    page.locator("#undo-latest").focus()
    page.clock.fast_forward(61_000)
    expect(page.locator("#latest")).to_contain_text("2 damage")  # the focus keeps it there
    page.locator("#hit-amount").focus()
    page.clock.fast_forward(61_000)
    expect(page.locator("#latest .latest")).to_have_count(0)
    assert page.locator("#tray").bounding_box()["height"] <= 64
    page.get_by_role("button", name="Roll Athletics").click()
    page.locator("#rolled > summary").click()
    page.locator("#hit-amount").focus()
    page.mouse.move(5, 5)
    page.clock.fast_forward(61_000)
    expect(page.locator("#rolled")).not_to_have_attribute("open", "")
    expect(page.locator("#rolled .rolled-total")).to_be_visible()


def test_a_roll_is_announced_once(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.evaluate("""() => {
      window.said = [];
      const note = (changes) => changes.forEach((one) => one.addedNodes.forEach((node) => said.push(node.textContent)));
      new MutationObserver(note).observe(document.querySelector("#status"), { childList: true });
    }""")
    page.get_by_role("button", name="Roll Athletics").click()
    expect(page.locator("#status")).to_contain_text("rolls Athletics")
    page.wait_for_timeout(300)
    (said,) = page.evaluate("said")
    assert re.search("rolls Athletics", said)
    assert (
        page.locator("#tray").evaluate("tray => tray.closest('[aria-live]') || tray.querySelector('[aria-live]')")
        is None
    )
    page.reload()
    expect(page.locator("#status")).to_have_text("")


@pytest.mark.parametrize("width", [PHONE, 640])
def test_the_tray_is_as_wide_as_the_bar_below_it(new_page, ana, base, width):
    page = new_page(user=ana)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(base)
    tray, bar = page.locator("#tray").bounding_box(), page.locator("#sections").bounding_box()
    assert (tray["x"], tray["width"]) == (bar["x"], bar["width"]) == (0, width)
