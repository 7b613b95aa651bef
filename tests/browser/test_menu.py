"""The buttons for play are in one row, everything else is in one menu, and the keyboard can skip to either."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAYS = pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
PLACES = (
    *("glance/", "history/", "rolls/", "levels/", "plan/", "can-take/", "build/origin/", "house-rules/", "timeline/"),
    "compare/",
)


@WAYS
def test_the_menu_links_to_every_page_of_a_character(new_page, ana, base, script):
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(base)
    menu = page.locator("#sheet-menu")
    found = menu.get_by_role("link", include_hidden=True).evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    assert {base + place for place in (*PLACES, "share/", "download/", "introduction/")} == set(found)
    menu.locator("summary").click()
    box = menu.locator(".menu-panel").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE
    expect(menu.get_by_role("button", name="Print")).to_be_visible(visible=script)
    menu.get_by_role("link", name="History").click()
    page.wait_for_url("**/history/")


def test_on_a_phone_the_whole_menu_is_in_sight_and_keys_are_not_offered(new_page, ana, base):
    page = new_page(width=PHONE, user=ana, has_touch=True, is_mobile=True)
    page.goto(base)
    page.locator("#sheet-menu > summary").click()
    panel = page.locator("#sheet-menu .menu-panel")
    assert panel.evaluate("panel => panel.scrollHeight <= panel.clientHeight")
    expect(page.get_by_role("link", name="How this sheet works")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Keys")).to_be_hidden()


def test_the_keyboard_opens_and_closes_the_menu(new_page, axe, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    summary = page.locator("#sheet-menu > summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Glance")).to_be_focused()
    axe(page)
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    expect(page.locator("#sheet-menu")).not_to_have_attribute("open", "")
    summary.click()
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#keys")).to_be_visible()


@WAYS
@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_the_buttons_of_play_are_in_one_row(new_page, ana, base, script, width):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    row = page.locator(".times-row")
    presses = [row.get_by_text(name, exact=True) for name in ("Next turn", "Rest")]
    presses += [row.locator("#resolve-more > summary"), row.locator("#condition-more > summary")]
    tops = {round(press.bounding_box()["y"]) for press in presses}
    assert width == WIDE or len(tops) == 1
    presses[3].click()
    page.locator("#condition-what").select_option("condition:prone")
    page.locator("#condition-add").click()
    expect(page.locator("#in-force")).to_contain_text("Prone")
    presses[0].click()
    expect(page.locator("#tray")).to_contain_text("starts a turn")
    row.get_by_text("Rest", exact=True).click()
    page.wait_for_url("**/rest/")


def test_the_skip_links_lead_to_the_parts_of_the_sheet(new_page, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    for number, (name, part) in enumerate(
        {"the page": "#main", "health": "#vitals", "attacks": "#attacks", "skills": "#skills", "dice": "#tray"}.items(),
        1,
    ):
        page.goto("about:blank")
        page.goto(base)
        for _ in range(number):
            page.keyboard.press("Tab")
        skip = page.get_by_role("link", name=f"Skip to {name}")
        expect(skip).to_be_focused()
        box = skip.bounding_box()
        assert box["y"] >= 0
        assert page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).textContent", [box["x"] + 9, box["y"] + 9]
        ) == (skip.text_content())
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.locator(part).evaluate("part => part.contains(document.activeElement)"), part
