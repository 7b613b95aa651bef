"""Smaller parts of play: buying together, links to other sheets, the history by kinds, falling and getting up."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE
from tests.support.characters import SAMPLES, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAYS = pytest.mark.parametrize(("width", "script"), [(PHONE, True), (WIDE, False)], ids=["with script", "without"])


@pytest.fixture
def look(sound):
    return lambda page, script: sound(page, on=[PHONE]) if script else None


@WAYS
def test_a_purchase_together_shows_its_cost_first_and_lands_on_the_sheet(new_page, look, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    page.get_by_text("Add something").click()
    page.get_by_role("link", name="buy together with others").click()
    page.get_by_label("The others’ Resources ranks").fill("4, 4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Together: 6, Comfortable")).to_be_visible()
    rare = page.get_by_role("row", name="Rare").first
    expect(rare).to_contain_text("Resources fall to 3, Modest")
    look(page, script)
    page.get_by_label("What", exact=True).select_option("Plate")
    page.get_by_role("button", name="Buy it together").click()
    expect(page.get_by_text("buys Plate together with others").first).to_be_visible()
    expect(page.get_by_label("The others’ Resources ranks")).to_have_value("4, 4")
    look(page, script)
    page.goto(base)
    expect(page.locator("#equipment")).to_contain_text("Plate")


@WAYS
def test_a_check_is_rolled_with_a_tool_and_another_ability(new_page, look, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    page.get_by_role("link", name="Roll with Mason's tools").click()
    expect(page.get_by_role("heading", name="Mason's tools")).to_be_visible()
    page.get_by_label("Ability").select_option("Strength")
    page.get_by_label("Target").fill("12")
    page.get_by_label("Advantage", exact=True).check()
    look(page, script)
    page.get_by_role("button", name="Show the chance").click()
    page.wait_for_url(re.compile(r"\?side=advantage&ability=strength&target=12$"))
    expect(page.get_by_label("Advantage", exact=True)).to_be_checked()
    page.get_by_role("button", name="Roll it").click()
    expect(page.locator("#latest")).to_contain_text(re.compile("Mason's tools.*Strength", re.DOTALL))
    look(page, script)
    page.get_by_role("link", name="odds of Athletics").click()
    page.get_by_role("link", name="Roll it another way").click()
    expect(page.get_by_role("heading", name="Athletics")).to_be_visible()
    expect(page.get_by_label("Ability")).to_have_value("strength")


@WAYS
def test_a_link_to_another_sheet(new_page, look, ana, width, script):
    other = owned_by(ana, SAMPLES[1])
    base = owned_by(ana, house_rules={"switches": {"relationships": "on"}}).get_absolute_url()
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    page.get_by_text("Write something").click()
    sheet, address = page.locator("#add-relationship-linked"), page.locator("#add-relationship-address")
    assert address.bounding_box()["width"] == sheet.bounding_box()["width"]
    page.locator("#relationship-other").fill("the healer")
    page.locator("#relationship-text").fill("Pulled me out of the quarry.")
    page.locator("#add-relationship-linked").select_option(str(other))
    page.get_by_role("button", name="Add the relationship").click()
    link = page.locator(".prose-link")
    expect(link).to_contain_text(str(other))
    look(page, script)
    page.get_by_text("Pulled me out of the quarry.").first.click()
    address = page.locator("[id^=link-][id$=-address]")
    address.fill("https://elsewhere.example/characters/1/")
    page.get_by_role("button", name=re.compile("^Link")).click()
    expect(address).to_be_focused()
    expect(address).to_have_value("https://elsewhere.example/characters/1/")
    expect(page.locator("[id^=link-][id$=-refused]")).to_contain_text("That is not the address")
    look(page, script)
    link.click()
    expect(page).to_have_url(re.compile(other.get_absolute_url() + "$"))


def test_a_history_on_paper_says_whose_it_is(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(f"{base}history/")
    name = page.locator(".page-head .print-only")
    expect(name).to_be_hidden()
    page.emulate_media(media="print")
    expect(name).to_be_visible()
    expect(name).to_have_text("Borrin Ashlar")


@WAYS
def test_the_history_is_filtered_by_kind_and_from_a_mark(new_page, look, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    page.locator("#hit-amount").fill("-2")
    page.locator("#hit-amount").press("Enter")
    expect(page.locator(".latest")).to_contain_text("takes 2 damage")
    page.goto(f"{base}history/")
    mark = page.get_by_role("button", name="Set a mark here")
    field = page.locator("#mark-name")
    assert abs(mark.bounding_box()["y"] - field.bounding_box()["y"]) < 0.5  # on one line, but for rounding
    page.locator("#mark-name").fill("last night")
    mark.click()
    expect(page.locator(".history-row").first).to_contain_text("last night")
    page.get_by_role("navigation", name="Kinds of changes").get_by_role("link", name="Health").click()
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.locator(".history-row")).to_contain_text("takes 2 damage")
    look(page, script)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".history-row")).to_have_count(2)
    expect(page.get_by_role("link", name="Health")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="last night").click()
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.locator(".history-row")).to_contain_text("Undone")
    look(page, script)
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile(r"history/\?kind=health"))


@WAYS
def test_falling_drops_the_weapons_and_undo_restores_them(new_page, look, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    armed = page.locator("#attacks .attack-row").count()
    page.locator("#hit-amount").fill("-11")
    page.locator("#hit-amount").press("Enter")
    expect(page.locator("#attacks .attack-row")).to_have_count(1)
    expect(page.locator("#conditions .held")).to_contain_text("Prone")
    expect(page.locator(".latest")).to_contain_text("Dropped: Warhammer")
    look(page, script)
    page.locator("#undo-latest").click()
    expect(page.locator("#attacks .attack-row")).to_have_count(armed)
    expect(page.locator("#conditions .held")).not_to_contain_text("Prone")


def test_a_change_is_undone_in_its_own_line_of_the_history(new_page, axe, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    for amount in ("2", "3"):
        page.locator("#hit-amount").fill(amount)
        page.locator("#hit-damage").click()
        expect(page.locator("#latest")).to_contain_text(f"{amount} damage")
    page.goto(f"{base}history/")
    rows = page.locator(".history-row")
    many, older = rows.count(), page.locator(f"#{rows.nth(1).get_attribute('id')}")
    older.get_by_role("button", name="Undo").press("Enter")
    expect(rows).to_have_count(many + 1)
    expect(rows.first).to_contain_text("Undone: ")
    expect(older).to_have_class(re.compile("is-undone"))
    expect(older).to_be_focused()  # the button that had the focus is gone
    axe(page)
    page.get_by_label("Name of a mark").fill("last night")
    page.keyboard.press("Enter")
    expect(rows.first).to_contain_text("Mark: last night")
    expect(page.locator("#marks")).to_contain_text("Compare now with: last night")
    expect(page.get_by_label("Name of a mark")).to_have_value("")
    expect(page.get_by_label("Name of a mark")).to_be_focused()
    rows.nth(1).get_by_role("button", name="Undo").click()
    expect(older).not_to_have_class(re.compile("is-undone"))
    expect(rows).to_have_count(many + 3)


def test_what_may_be_done_with_an_older_roll_is_quieter_and_as_large_for_a_finger(new_page, sound, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    for _ in range(2):
        press = page.get_by_role("button", name="Attack with Warhammer, one hand")
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            press.click()
    page.goto(f"{base}rolls/")
    newest, older = page.locator(".rolled-next .roll-this").all()
    widths = [one.evaluate("one => getComputedStyle(one).borderTopWidth") for one in (newest, older)]
    assert widths == ["1px", "0px"]
    for one in (older, page.locator(".rolled-more > summary").last):
        assert one.bounding_box()["height"] >= 44
    sound(page)


def test_a_fold_of_two_lines_begins_where_one_of_one_line_does(new_page, ana, base):
    """So its mark is on the first line, not between the two."""
    page = new_page(user=ana)
    page.goto(base)
    fold = page.locator("#situations-more > summary, #dice-more > summary").first
    begins = """one => { const all = new Range(); all.selectNodeContents(one);
      return all.getClientRects()[0].top - one.getBoundingClientRect().top; }"""
    before, height = fold.evaluate(begins), fold.bounding_box()["height"]
    fold.evaluate("one => one.append(' and one word after another'.repeat(9))")
    assert fold.bounding_box()["height"] > height
    assert fold.evaluate(begins) == before


def test_the_pages_of_one_number_have_headings_and_edges_alike(new_page, ana, base):
    page, looks = new_page(user=ana), set()
    for below in ("roll", "odds", "explain"):
        page.goto(f"{base}{below}/skill.athletics/")
        heading = page.get_by_role("heading", name="Athletics", exact=True)
        looks.add((heading.bounding_box()["x"], heading.evaluate("h => getComputedStyle(h).fontSize")))
    assert len(looks) == 1


def test_each_label_of_downtime_is_above_its_field_on_a_wide_screen_too(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(f"{base}downtime/")
    for name in ("Days", "Notes", "Learned"):
        label, field = page.locator("label", has_text=name).first.bounding_box(), page.get_by_label(name).bounding_box()
        assert label["x"] == field["x"]
        assert label["y"] + label["height"] <= field["y"]
