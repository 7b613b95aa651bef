"""A press on a word of the rules explains it in a sentence; closing the explanation returns to the word."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WORDS = {"": ("Passive", "The total you get without rolling"), "build/abilities/": ("Ranks", "How far you have come")}


@pytest.mark.parametrize("below", WORDS)
@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_a_pressed_word_is_explained_in_place(new_page, axe, ana, base, below, width):
    page = new_page(width=width, user=ana)
    page.goto(f"{base}{below}")
    word, panel = page.get_by_role("link", name=WORDS[below][0], exact=True).first, page.locator("#explanation")
    place = page.url
    for press in (word.click, lambda: word.press("Enter")):
        press()
        expect(panel).to_contain_text(WORDS[below][1])
        expect(panel).to_be_focused()
        expect(word).to_have_attribute("aria-expanded", "true")
        box = panel.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        axe(page)
        page.keyboard.press("Escape")
        expect(panel).not_to_be_visible()
        expect(word).to_be_focused()
    assert page.url == place
    word.click()
    panel.get_by_role("link", name="The rule").click()
    page.wait_for_url("**/rules/polyhedral/rules/**")


def test_without_script_a_word_is_a_link_to_its_page(new_page, ana, base):
    page = new_page(width=PHONE, script=False, user=ana)
    page.goto(base)
    page.get_by_role("link", name="Passive", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Passive")
    expect(page.locator("main")).to_contain_text("The total you get without rolling")
    page.get_by_role("link", name="Passive checks").click()
    page.wait_for_url("**/rules/passive-checks/")


def test_a_pressed_name_on_the_sheet_is_explained_in_place(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    page.get_by_role("link", name="Stealth", exact=True).click()
    expect(page.locator("#explanation")).to_contain_text("Stealth")
    expect(page.locator("#explanation").get_by_role("link", name="The rule")).to_be_visible()
