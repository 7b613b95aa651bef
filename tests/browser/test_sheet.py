"""The sheet in a browser: numbers explain themselves with and without script, it fits, prints and is light."""

import re
from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from characters.people import Person
from characters.samples import add_samples
from characters.sharing import make_link
from tests.characters.cast import new_key
from tests.support.browser import PHONE, WIDE
from tests.support.characters import SAMPLES, owned_by

pytestmark = pytest.mark.django_db(transaction=True)
A4 = {"width": 595, "height": 842}  # points


@pytest.fixture(autouse=True)
def samples(db):
    add_samples()


def sheet(slug=SAMPLES[0]):
    return f"/samples/{slug}/"


def test_the_pages_are_accessible_and_fit(new_page, sound, ana):
    long = {"name": "W" * 80, "inventory": [{"custom": "W" * 120}], "aspects": [{"kind": "bond", "text": "W" * 300}]}
    long["spells"] = [
        {"name": "W" * 80, "range": "W" * 40, "attack": "ranged", "damage": "2d6 " + "W" * 30, "text": "W" * 300},
        {"name": "Sleep", "saving_throw": "mind", "text": "They nod off."},
    ]
    unfinished = owned_by(ana, choices={}, state={"health": 1, "wounds": 2}, **long).get_absolute_url()
    page = new_page(user=ana)
    paths = [sheet(), unfinished, f"{sheet()}explain/defense/", f"{sheet()}odds/initiative/", "/characters/upload/"]
    for path in paths:
        page.goto(path)
        sound(page)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_an_effect_on_every_check_has_a_line_of_its_own(new_page, sound, ana, script):
    """Blinded, on your own sheet and by a link. The line is set apart from the heading and the rows."""
    blinded = owned_by(ana, state={"conditions": [{"condition": "blinded"}]})
    page = new_page(user=ana, script=script)
    for path in (blinded.get_absolute_url(), f"/shared/{make_link(blinded.pk, Person(ana), new_key())}/"):
        page.goto(path)
        line = page.get_by_text("Every check: fails when the check needs sight").first
        expect(line).to_be_visible()
        padding = line.evaluate("one => [getComputedStyle(one).paddingTop, getComputedStyle(one).borderBottomWidth]")
        assert padding == ["8px", "1px"]
        if script:
            sound(page)


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_the_first_screen_shows_the_name_the_vital_numbers_and_an_ability(new_page, width):
    page = new_page(width=width)
    page.goto(sheet())
    for part in ("#identity", "#vitals", "#abilities h3 >> nth=0", "#abilities .ability-figures >> nth=0"):
        box = page.locator(part).bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= page.viewport_size["height"], part


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize(
    "below", ["explain/defense/", "odds/skill.persuasion/", "explain/attack.unarmed-strike.unarmed/"]
)
def test_a_number_opens_its_explanation_on_the_screen_and_escape_closes_it(new_page, axe, width, below):
    page = new_page(width=width)
    page.goto(sheet())
    number = page.locator(f'a.why[href$="{below}"]').first
    number.focus()
    page.keyboard.press("Enter")
    panel = page.locator("#explanation")
    expect(panel).to_be_visible()
    expect(panel).to_be_focused()
    expect(number).to_have_attribute("aria-expanded", "true")
    box, window = panel.bounding_box(), page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= window["height"]
    axe(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(number).to_be_focused()
    assert urlparse(page.url).path == sheet()


def test_the_panel_leads_to_the_chances_and_back(page):
    page.goto(sheet())
    page.locator('a.why[href$="explain/skill.persuasion/"]').first.click()
    page.get_by_role("link", name="Odds against each difficulty").click()
    expect(page.locator("#explanation .chances tbody tr")).to_have_count(8)
    page.locator("#explanation .panel-link").click()
    expect(page.get_by_role("link", name="Odds against each difficulty")).to_be_visible()
    page.mouse.click(5, 5)
    expect(page.locator("#explanation")).to_be_hidden()


def test_pressing_another_number_reuses_the_panel(page):
    page.goto(sheet())
    for below in ("defense", "speed"):
        number = page.locator(f'a.why[href$="explain/{below}/"]').first
        number.click()
        expect(page.locator("#explanation-name")).to_have_text(below.capitalize())
        expect(number).to_have_attribute("aria-expanded", "true")
    expect(page.locator('a.why[aria-expanded="true"]')).to_have_count(1)


def test_the_panel_leads_to_the_rule(page):
    page.goto(sheet())
    page.locator('a.why[href$="explain/health.max/"]').first.click()
    page.locator("#explanation").get_by_role("link", name="Fighter", exact=True).first.click()
    page.wait_for_url("**/rules/polyhedral/job/fighter/")


def test_without_script_each_number_has_a_page_and_a_way_back(new_page):
    page = new_page(script=False)
    page.goto(sheet())
    expect(page.get_by_role("button", name="Print", include_hidden=True)).to_be_hidden()
    page.locator('a.why[href$="explain/defense/"]').first.click()
    expect(page.get_by_role("heading", name="Defense", exact=True)).to_be_visible()
    page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link").click()
    page.locator('a.why[href$="odds/skill.persuasion/"]').click()
    expect(page.locator(".chances tbody tr")).to_have_count(8)
    assert urlparse(page.url).path == f"{sheet()}odds/skill.persuasion/"


def test_a_panel_that_cannot_be_fetched_says_so(page):
    page.goto(sheet())
    page.route("**/explain/**", lambda route: route.fulfill(status=429, body="busy"))
    page.locator('a.why[href$="explain/defense/"]').first.click()
    expect(page.locator("#banner")).to_contain_text("Too many tries")
    expect(page.locator("#explanation")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_a_character_is_downloaded_and_uploaded_again(new_page, ana, tmp_path, script):
    page = new_page(user=ana, script=script)
    page.goto(sheet())
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "Borrin Ashlar.json"
    path = tmp_path / "character.json"
    download.value.save_as(path)
    page.goto("/characters/upload/")
    page.get_by_label("A character file").set_input_files(path)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/characters/*/")
    page.get_by_text("Menu", exact=True).click()
    expect(page.get_by_role("link", name="Change", exact=True)).to_be_visible()


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_sheet_prints_on_two_pages_of_a4(page, slug):
    page.goto(sheet(slug))
    pdf = page.pdf(prefer_css_page_size=True)
    pages = re.findall(rb"/Type\s*/Page\b", pdf)
    sizes = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert len(pages) == 2
    assert {(round(float(w)), round(float(h))) for w, h in sizes} == {(A4["width"], A4["height"])}


@pytest.mark.parametrize("where", ["a phone", "a laptop", "paper"])
def test_the_sign_of_a_damage_type_is_on_the_line_of_its_word(new_page, where):
    page = new_page(width=PHONE if where == "a phone" else WIDE)
    page.goto(sheet())
    if where == "paper":
        page.set_viewport_size({"width": 680, "height": 1000})  # A4 between its margins
        page.emulate_media(media="print")
    kind = page.locator(".attack-damage small").first
    expect(kind).to_contain_text("bludgeoning")
    sign, line = kind.locator("svg").bounding_box(), kind.bounding_box()
    assert line["height"] < 1.5 * sign["height"]


def test_print_leaves_out_the_controls(page):
    page.goto(sheet())
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    for words in ("Download", "Copy this character", "Odds"):
        expect(page.get_by_text(words, exact=True).first).to_be_hidden()
    expect(page.get_by_role("heading", name="Features", exact=True)).to_be_visible()


def test_a_printed_history_has_neither_filters_nor_undo(new_page, ana):
    character = owned_by(ana)
    page = new_page(user=ana)
    page.goto(character.get_absolute_url())
    page.get_by_role("button", name="Next turn").click()
    expect(page.locator(".tray .latest")).to_contain_text("starts a turn")
    page.goto(f"{character.get_absolute_url()}history/")
    change = page.locator(".history-row").first
    undo, filters = change.get_by_role("button", name="Undo"), page.get_by_role("link", name="Conditions", exact=True)
    expect(undo).to_be_visible()
    expect(filters).to_be_visible()
    page.emulate_media(media="print")
    expect(undo).to_be_hidden()
    expect(filters).to_be_hidden()
    expect(change).to_contain_text("starts a turn")
