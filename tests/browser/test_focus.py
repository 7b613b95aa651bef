"""The focus stays where you work, a refused form does not come back, and what was typed is not lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import unfold

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    return page


def answered(page, press):
    """Press, and wait until the answer is in place."""
    with page.expect_response("**/play/**"):
        press()
    page.wait_for_timeout(500)  # the browser notices a lost focus only when it paints the page


def enter(page, control):
    """Press a control by keyboard."""
    control.focus()
    answered(page, lambda: page.keyboard.press("Enter"))


def row_of(page, text):
    return page.locator(".thing-row", has_text=text)


# A refused form does not come back.


@pytest.mark.parametrize(("field", "wrong", "right"), [("faces", "6 6 6", "6 6"), ("dice", "99", "1")])
def test_refused_dice_do_not_decide_a_later_roll(page, field, wrong, right):
    typed, roll = page.locator(f"#roll-{field}"), page.get_by_role("button", name=re.compile("Roll.*Athletics"))
    page.locator("#dice-more > summary").click()
    page.locator("#dice [name=secret]").check()
    page.locator("#roll-ability").select_option("strength")
    typed.fill(wrong)
    answered(page, roll.click)
    expect(page.locator("#roll-refused")).to_be_visible()
    expect(typed).to_have_attribute("aria-invalid", "true")
    expect(typed).to_have_value(wrong)
    typed.fill(right)
    answered(page, roll.click)
    expect(page.locator("#rolled")).to_contain_text("Athletics")
    expect(page.locator("#dice-more")).not_to_have_attribute("open", "")
    expect(typed).to_have_value("")
    expect(page.locator("#dice [name=secret]")).not_to_be_checked()
    expect(page.locator("#roll-ability")).to_have_value("")
    answered(page, roll.click)
    expect(page.locator("#rolled")).not_to_contain_text("by hand")
    expect(page.locator("#rolled .die")).to_have_count(2)


def test_a_conflict_of_two_writers_shows_both_texts_and_no_banner(new_page, page):
    there = page.context.new_page()
    there.goto(page.url)
    for one, text in ((page, "Mine"), (there, "Theirs")):
        one.locator(".prose-row summary").first.click()
        one.locator(".prose-row textarea").first.fill(text)
    answered(there, there.locator(".prose-row").first.get_by_role("button", name="Save").click)
    answered(page, page.locator(".prose-row").first.get_by_role("button", name="Save").click)
    expect(page.locator(".notice-warn")).to_contain_text("Theirs")
    expect(page.locator(".prose-row textarea").first).to_have_value("Mine")
    expect(page.get_by_role("alert")).to_have_text(
        "Someone else has changed this in the meantime. Compare what is saved now with yours, then save what you want."
    )
    expect(page.locator(".prose-row textarea").first).to_be_focused()
    expect(page.locator("#banner")).not_to_be_visible()
    answered(page, page.locator(".prose-row").first.get_by_role("button", name="Save").click)
    expect(page.locator(".notice-warn")).to_have_count(0)
    expect(page.locator(".prose-row").first.locator(".prose-text")).to_have_text("Mine")
    there.close()


# The focus stays.


def in_resolve(page, name, *, field=None):
    page.locator("#resolve-more > summary").click()
    if field:
        page.locator(field).fill("so it is")
    return page.locator("#resolve-more").get_by_role("button", name=name).first


FOLDED = {
    "extra turn": ("times", lambda page: in_resolve(page, "Take an extra turn")),
    "nudge": ("times", lambda page: in_resolve(page, "Up by 2", field="#nudge-whose")),
    "declare": ("times", lambda page: in_resolve(page, "The storyteller agrees", field="#declare-detail")),
    "compel": ("times", lambda page: in_resolve(page, "Accept")),
    "regain": ("times", lambda page: in_resolve(page, "Regain", field="#regain-reason")),
    "note": ("aspects", lambda page: written(page, "#add-note-text", "Save the note")),
    "aspect": ("aspects", lambda page: written(page, "#add-aspect-text", "Add the aspect")),
    "thing": ("equipment", lambda page: written(page, "#add-thing-custom", "Add it", "Add something")),
}


def written(page, field, button, summary="Write something"):
    page.get_by_text(summary).click()
    page.locator(field).fill("A silver key")
    return page.get_by_role("button", name=button, exact=True).locator("visible=true")


@pytest.mark.parametrize("what", FOLDED)
def test_when_a_form_folds_the_focus_moves_to_its_summary(page, what):
    region, open_form = FOLDED[what]
    button = open_form(page)
    if what == "regain":
        unfold(page, "resolve")
        page.locator("#adjust-resolve-less").click()
        expect(page.locator("#adjust-resolve-to")).to_have_value("0")
    enter(page, button)
    summary = {"times": "Resolve", "aspects": "Write something", "equipment": "Add something"}[region]
    expect(page.locator(f"#{region} summary", has_text=summary)).to_be_focused()


def test_adding_a_condition_by_keyboard_moves_the_focus_to_its_summary(page):
    page.keyboard.press("c")
    page.locator("#condition-what").select_option("condition:poisoned")
    page.keyboard.press("Tab")  # Enter in the list itself would open it
    answered(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".held")).to_contain_text("Poisoned")
    expect(page.locator("#condition-more > summary")).to_be_focused()


def test_ending_a_condition_moves_the_focus_to_the_heading_and_not_to_another_condition(page):
    for slug in ("poisoned", "prone"):
        page.locator("#condition-more > summary").click()
        page.locator("#condition-what").select_option(f"condition:{slug}")
        answered(page, page.locator("#condition-add").click)
    enter(page, page.locator(".held-row button").first)
    expect(page.locator(".held-row")).to_have_count(1)
    expect(page.locator("#conditions-title")).to_be_focused()


def test_saving_an_aspect_moves_the_focus_to_its_summary(page):
    row = page.locator(".prose-row").first
    row.locator("summary").click()
    row.locator("textarea").fill("Stone remembers")
    enter(page, row.get_by_role("button", name="Save"))
    expect(row.locator("summary")).to_contain_text("Stone remembers")
    expect(row.locator("summary")).to_be_focused()


def test_adding_a_die_by_resolve_moves_the_focus_to_the_roll(page):
    page.get_by_role("button", name="Roll initiative").click()
    page.locator("#rolled > summary").click()
    page.locator(".rolled-more > summary").click()
    enter(page, page.get_by_role("button", name="Another die"))
    expect(page.locator("#rolled > summary")).to_be_focused()  # with no Resolve left, no further use is offered


def test_the_last_stamina_die_of_a_rest_moves_the_focus_to_the_heading(page):
    page.locator("#hit-amount").fill("5")
    answered(page, page.locator("#hit-damage").click)
    page.goto(f"{page.url}rest/")
    answered(page, page.locator("#begin-short").click)
    for _ in range(20):
        if page.locator("#rest-die-go").is_disabled():
            break
        enter(page, page.locator("#rest-die-go"))
    expect(page.locator("#rest-die-go")).to_be_disabled()
    expect(page.locator("#now-title")).to_be_focused()


@pytest.mark.parametrize("before", ["#next-turn", None])
def test_closing_the_list_of_keys_returns_the_focus(page, before):
    if before:
        page.locator(before).focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).not_to_be_visible()
    expect(page.locator(before or "#main")).to_be_focused()


# The focus never moves to a control of another thing.


@pytest.mark.parametrize("place", ["Main hand", "Stowed"])
def test_the_focus_follows_a_thing_to_its_place(page, place):
    row = row_of(page, "A plumb line")
    row.locator("summary").click()
    enter(page, row.get_by_role("button", name=place))
    expect(page.locator(f"#things-{'main' if place == 'Main hand' else 'stowed'}")).to_contain_text("A plumb line")
    expect(row.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row.locator("details")).to_have_attribute("open", "")
    expect(page.locator(".thing-row details[open]")).to_have_count(1)


def test_the_focus_follows_one_thing_taken_from_a_stack(page):
    many = page.locator("#things-carried .thing-row", has_text="Handaxe")
    many.locator("summary").click()
    enter(page, many.get_by_role("button", name="Main hand"))
    expect(page.locator("#things-main")).to_contain_text("Handaxe")
    expect(page.locator("#things-main .thing-row summary")).to_be_focused()


def test_removing_a_thing_moves_the_focus_to_the_heading_of_its_list(page):
    row = row_of(page, "Handaxe")
    row.locator("summary").click()
    enter(page, row.get_by_role("button", name="Remove"))
    expect(row).to_have_count(0)
    expect(page.locator("#things-carried h3")).to_be_focused()


def test_a_button_that_can_go_no_lower_keeps_the_focus_and_says_why(page):
    unfold(page, "wounds")
    less = page.locator("#adjust-wounds-less")
    enter(page, less)
    expect(page.locator("#adjust-wounds-refused")).to_be_visible()
    expect(less).to_be_focused()
    expect(page.locator("#adjust-wounds-to")).not_to_have_attribute("aria-invalid", "true")


def test_a_dying_characters_death_save_comes_before_the_numbers_in_tab_order(page):
    answered(page, lambda: (page.locator("#hit-amount").fill("-10"), page.locator("#hit-amount").press("Enter")))
    page.locator("#sheet-menu > summary").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#down-title a")).to_be_focused()  # what dying means
    page.keyboard.press("Tab")
    expect(page.locator("#death-save-roll")).to_be_focused()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_pressed_circumstance_keeps_its_place_beside_the_one_it_contradicts(new_page, ana, base, script):
    page = new_page(user=ana, script=script)
    page.goto(base)
    half = page.locator("#situation-half-cover")
    page.locator("#situations-more > summary").click()
    order = page.locator("#circumstances button").evaluate_all("all => all.map((one) => one.id)")
    at = order.index("situation-half-cover")
    assert order[at + 1] == "situation-three-quarters-cover"
    for pressed in ("true", "false"):
        half.click()
        expect(half).to_have_attribute("aria-pressed", pressed)
        assert page.locator("#circumstances button").evaluate_all("all => all.map((one) => one.id)") == order
        if pressed == "true":
            expect(half).to_be_visible()
        if script:
            expect(half).to_be_focused()


def test_a_thing_that_moves_to_another_place_stays_in_sight(new_page, ana, base):
    page = new_page(width=390, user=ana)
    page.goto(base)
    row = row_of(page, "Chain mail")
    row.locator("summary").click()
    enter(page, row.get_by_role("button", name="Stowed"))
    summary = page.locator("#things-stowed summary")
    expect(summary).to_be_focused()
    box, tray = summary.bounding_box(), page.locator("#tray").bounding_box()
    assert 0 <= box["y"] < box["y"] + box["height"] <= tray["y"]
    page.keyboard.press("Enter")
    enter(page, row.get_by_role("button", name="Worn"))
    box = page.locator("#things-worn summary").bounding_box()
    assert 0 <= box["y"] < box["y"] + box["height"] <= tray["y"]


def test_saving_one_text_keeps_the_form_of_another_text_open(page):
    page.get_by_text("Write something").click()
    page.locator("#add-aspect-text").fill("Stone remembers")
    page.locator("#add-note-text").fill("The bridge is out")
    answered(page, page.get_by_role("button", name="Save the note").click)
    expect(page.locator("#texts-note")).to_contain_text("The bridge is out")
    expect(page.locator("#add-aspect-text")).to_be_visible()
    expect(page.locator("#add-aspect-text")).to_have_value("Stone remembers")
    expect(page.locator("#add-note-text")).to_have_value("")
    answered(page, page.get_by_role("button", name="Add the aspect").click)
    expect(page.locator("#add-aspect-text")).not_to_be_visible()


# A box that a key opened returns the focus when it closes.


def test_escape_closes_a_box_that_a_key_opened_and_returns_the_focus(page):
    roll = page.get_by_role("button", name=re.compile("Roll.*Athletics"))
    for key, opened in (("d", "#dice-more"), ("c", "#condition-more")):
        roll.focus()
        page.keyboard.press(key)
        expect(page.locator(opened)).to_have_attribute("open", "")
        page.keyboard.press("Escape")
        expect(page.locator(opened)).not_to_have_attribute("open", "")
        expect(roll).to_be_focused()
    page.locator("#hit-more > summary").click()
    page.locator("#hit-also").fill("3")
    page.keyboard.press("Escape")
    expect(page.locator("#hit-also")).to_have_value("")
    expect(page.locator("#hit-more")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#hit-more > summary")).to_be_focused()
    expect(page.locator("#hit-more")).not_to_have_attribute("open", "")


def test_enter_in_the_dice_box_returns_to_the_roll_that_had_the_focus(page):
    roll = page.get_by_role("button", name=re.compile("Roll.*Athletics"))
    roll.focus()
    page.keyboard.press("d")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(roll).to_be_focused()
    answered(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#rolled")).to_contain_text("against 9")
    page.locator("#next-turn").focus()  # a control that rolls nothing
    page.keyboard.press("d")
    answered(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#roll-refused")).to_contain_text("press Roll, Attack or Damage")
