"""Levels viewed and compared, and house rules tried out, in a browser: with script and without."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, seats
from rules.packs.load import load_rules
from tests.characters.cast import mira, new_key, person
from tests.characters.compare.conftest import allow, plan
from tests.support.browser import PHONE, WIDE
from tests.support.characters import owned_by
from tests.support.guild import write_guild

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def character(db):
    character = mira()
    allow(character)
    plan(character, 8)
    return character


def test_the_pages_are_accessible_and_fit(new_page, sound, character):
    page = new_page(user=person().user)
    home = character.get_absolute_url()
    other = mira(name="Nell", levels=None, xp=0, state=None)
    for below in (
        "",
        "at/3/",
        "at/8/",
        "timeline/",
        "compare/?first=1&second=8",
        f"compare/?other={other.pk}",
        "compare/?first=40",
        "house-rules/",
        "content/",
    ):
        page.goto(f"{home}{below}")
        sound(page)


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_the_sheet_leads_to_earlier_levels_and_to_what_each_changed(new_page, character, script):
    page = new_page(user=person().user, script=script)
    page.goto(character.get_absolute_url())
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Level by level").click()
    page.get_by_role("link", name="The sheet at level 3").click()
    expect(page.get_by_text("As at level 3")).to_be_visible()
    page.get_by_role("link", name="Level 2", exact=True).click()
    page.wait_for_url("**/at/2/")
    page.locator('a.why[href$="at/2/explain/health.max/"]').first.click()
    expect(page.get_by_text("24", exact=True).first).to_be_visible()
    page.goto(f"{character.get_absolute_url()}at/3/")
    page.get_by_role("link", name="What level 3 changed").click()
    expect(page.get_by_role("heading", name="Mira, level 2 and level 3")).to_be_visible()
    expect(page.get_by_role("link", name="Champion")).to_be_visible()


def test_the_form_compares_two_other_levels(new_page, character):
    page = new_page(user=person().user, script=False)
    page.goto(f"{character.get_absolute_url()}compare/")
    page.get_by_role("spinbutton", name="Level", exact=True).fill("1")
    page.get_by_role("spinbutton", name="At level").fill("5")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Mira, level 1 and level 5")).to_be_visible()


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_with_script_a_value_is_tried_as_soon_as_it_is_chosen(new_page, axe, character, width):
    page = new_page(user=person().user, width=width)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    field = page.get_by_label("Shield bonus")
    field.fill("4")
    field.press("Tab")
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    expect(page.get_by_label("Odd weapon figures")).to_be_focused()
    expect(page.get_by_label("Odd weapon figures")).to_be_in_viewport()
    reasons = page.get_by_role("row", name=re.compile("Defense")).locator("xpath=following-sibling::tr[1]")
    expect(reasons).to_contain_text("+2, shield bonus 2; then +4, shield bonus 4")
    axe(page)
    page.get_by_role("button", name="Save it").click()
    expect(page.locator("#status")).to_contain_text("Shield bonus")
    expect(page.get_by_role("button", name="Reset Shield bonus")).to_be_visible()
    expect(page.get_by_text("1 change, not saved")).to_be_hidden()


def test_with_script_a_bad_value_is_refused_at_its_field(new_page, character):
    page = new_page(user=person().user)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    field = page.get_by_label("Ceiling of ability ranks")
    field.fill("high")
    field.press("Tab")
    expect(page.locator("#id_rule-abilityCap_error")).to_contain_text("“high” is not possible here")
    expect(page.get_by_label("Ceiling of ability ranks")).to_have_value("high")


def test_a_value_chosen_before_the_scripts_came_is_previewed_once_they_are_there(new_page, character):
    page, waiting = new_page(user=person().user), []
    page.route("**/htmx.min.js", lambda route: waiting.append(route))  # the others run after it
    page.goto(f"{character.get_absolute_url()}house-rules/", wait_until="commit")
    page.get_by_label("Shield bonus").fill("4")
    page.get_by_label("Shield bonus").press("Tab")
    expect(page.get_by_text("1 change, not saved")).to_have_count(0)
    waiting.pop().continue_()
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    expect(page.get_by_label("Shield bonus")).to_have_value("4")


@contextmanager
def late(page):
    """Holds what the page sends until the end, as a slow connection does."""
    page.route("**", lambda route: None if route.request.method == "POST" else route.continue_())
    yield
    page.unroute("**")


@pytest.fixture(params=["character", "table"])
def house_rules(request, character):
    """The addresses of both pages of house rules."""
    if request.param == "character":
        return f"{character.get_absolute_url()}house-rules/"
    campaign = campaigns.create(person(), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, person(), character.pk)
    return f"{campaign.get_absolute_url()}rules/"


def reset(page, rule):
    """The button that stands by a rule if the last answer saw it at another value than its default."""
    return page.get_by_role("button", name=f"Reset {rule}", exact=True)


def test_what_is_typed_while_an_answer_is_on_its_way_stays(new_page, house_rules):
    page = new_page(user=person().user)
    page.goto(house_rules)
    first, second = page.get_by_label("Difficulty of death saves"), page.get_by_label("Difficulty to stabilize")
    with late(page):
        first.fill("12")
        first.press("Tab")
        page.keyboard.type("1")
    expect(reset(page, "Difficulty of death saves")).to_be_visible()
    page.keyboard.type("5")
    expect(second).to_have_value("15")
    expect(second).to_be_focused()
    expect(reset(page, "Difficulty to stabilize")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(reset(page, "Difficulty to stabilize")).to_be_visible()
    expect(first).to_have_value("12")
    expect(second).to_have_value("15")


def test_all_that_is_changed_while_an_answer_is_on_its_way_is_previewed(new_page, house_rules):
    page = new_page(user=person().user)
    page.goto(house_rules)
    with late(page):
        page.get_by_label("Shield bonus").fill("4")
        page.get_by_label("Odd weapon figures").select_option(index=1)
        page.get_by_label("Difficulty to stabilize").fill("15")
        page.get_by_label("Ability of magic").focus()
    for rule in ("Shield bonus", "Odd weapon figures", "Difficulty to stabilize"):
        expect(reset(page, rule)).to_be_visible()
    expect(page.get_by_label("Ability of magic")).to_be_focused()
    expect(page.get_by_label("Shield bonus")).to_have_value("4")
    expect(page.get_by_label("Difficulty to stabilize")).to_have_value("15")


def test_a_change_that_is_refused_leaves_the_focus_where_the_reader_is(new_page, house_rules):
    page = new_page(user=person().user)
    page.goto(house_rules)
    wrong, following = page.get_by_label("Ceiling of ability ranks"), page.get_by_label("Any lineage with any culture")
    wrong.fill("high")
    wrong.press("Tab")
    expect(page.locator("#id_rule-abilityCap_error")).to_be_visible()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_value("high")
    expect(following).to_be_focused()
    expect(following).to_be_in_viewport()


def test_save_is_not_lost_among_changes(new_page, character):
    page = new_page(user=person().user)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    page.get_by_label("Shield bonus").fill("4")
    page.get_by_label("Shield bonus").press("Tab")
    save = page.get_by_role("button", name="Save it")
    expect(save).to_be_visible()
    with late(page):
        page.get_by_label("Difficulty of death saves").fill("12")
        save.click()
        page.get_by_label("Difficulty to stabilize").fill("15")
        page.get_by_label("Difficulty to stabilize").press("Tab")
    expect(page.locator("#status")).to_contain_text("“Difficulty of death saves”: 12, “Shield bonus”: 4")
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    expect(page.locator(".trial-rules")).to_contain_text("Difficulty to stabilize")
    expect(page.get_by_label("Difficulty to stabilize")).to_have_value("15")


def test_rules_reset_one_after_the_other_are_all_at_their_defaults(new_page, character):
    page = new_page(user=person().user)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    rules = ("Difficulty of death saves", "Difficulty to stabilize")
    before = [page.get_by_label(rule).input_value() for rule in rules]
    for rule in rules:
        page.get_by_label(rule).fill("15")
        page.get_by_label(rule).press("Tab")
        expect(reset(page, rule)).to_be_visible()
    with late(page):
        page.get_by_label(rules[0]).fill("16")  # sent as the button is pressed
        for rule in rules:
            reset(page, rule).click()
    for rule, value in zip(rules, before, strict=True):
        expect(reset(page, rule)).to_have_count(0)
        expect(page.get_by_label(rule)).to_have_value(value)
    expect(page.get_by_text("These are the values now.")).to_be_visible()


def test_a_failure_leaves_what_was_typed(new_page, house_rules):
    page = new_page(user=person().user)
    page.goto(house_rules)
    page.route("**", lambda route: route.fulfill(status=403, body="<p>No.</p>"))
    page.get_by_label("Shield bonus").fill("4")
    page.get_by_label("Shield bonus").press("Tab")
    expect(page.locator("#banner")).to_contain_text("what you typed is still here")
    expect(page.get_by_label("Shield bonus")).to_have_value("4")
    page.unroute("**")
    page.get_by_label("Difficulty to stabilize").fill("15")
    page.get_by_label("Difficulty to stabilize").press("Tab")
    for rule in ("Shield bonus", "Difficulty to stabilize"):
        expect(reset(page, rule)).to_be_visible()


def test_a_field_left_empty_is_refused_while_the_reader_writes_in_the_next(new_page, house_rules):
    page = new_page(user=person().user)
    page.goto(house_rules)
    page.get_by_label("Difficulty of death saves").fill("")
    page.get_by_label("Difficulty of death saves").press("Tab")
    page.keyboard.type("1")
    expect(page.locator("#id_rule-deathSaveDifficulty_error")).to_have_text("Choose a value.")
    page.keyboard.type("5")
    expect(page.get_by_label("Difficulty to stabilize")).to_have_value("15")


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_without_script_a_value_is_previewed_before_it_is_saved(new_page, character, width):
    page = new_page(user=person().user, width=width, script=False)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    page.get_by_label("Shield bonus").fill("4")
    page.get_by_label("Shield bonus").press("Enter")
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    page.get_by_role("button", name="Save it").click()
    page.wait_for_url("**/house-rules/")
    expect(page.get_by_text("House rule “Shield bonus”: 4.")).to_be_visible()
    page.get_by_role("button", name="Reset Shield bonus").click()
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    page.get_by_role("button", name="Save it").click()
    expect(page.get_by_text("1 change, not saved")).to_have_count(0)
    page.goto(character.get_absolute_url())
    expect(page.locator("#house-rules")).not_to_contain_text("Shield bonus")


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_content_is_put_in_play_and_left_out(new_page, axe, character, tmp_path, width, script):
    load_rules(write_guild(tmp_path / "guild"))
    page = new_page(user=person().user, width=width, script=script)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    page.get_by_role("link", name="Content to choose from").click()
    page.get_by_label("The guild").select_option("In play")
    if not script:
        if width == PHONE:
            page.get_by_text("What changes", exact=True).click()
        page.locator("#preview").click()
    expect(page.get_by_text("1 change, not saved")).to_be_visible()
    expect(page.get_by_text("Nothing changes on this sheet.")).to_be_visible()
    if script:
        axe(page)
    page.get_by_role("button", name="Save it").click()
    expect(page.locator("#status" if script else ".messages")).to_contain_text("The guild is in play.")
    expect(page.get_by_text("1 change, not saved")).to_be_hidden()
    expect(page.get_by_label("The guild")).to_have_value("in")
    page.goto(f"{character.get_absolute_url()}level-up/")
    expect(page.get_by_role("heading", name="Seasoned")).to_be_visible()


def test_content_chosen_anew_while_an_answer_is_on_its_way_is_previewed(new_page, character, tmp_path):
    load_rules(write_guild(tmp_path / "guild"))
    page = new_page(user=person().user)
    page.goto(f"{character.get_absolute_url()}content/")
    with late(page):
        page.get_by_label("The guild").select_option("In play")
        page.get_by_label("The guild").select_option("Left out")
    expect(page.get_by_text("These are the values now.")).to_be_visible()
    expect(page.get_by_label("The guild")).to_have_value("out")


def test_figures_stand_near_their_names(new_page, character):
    page = new_page(user=person().user)
    page.goto(f"{character.get_absolute_url()}compare/?first=1&second=8")
    widths = {one.bounding_box()["width"] for one in page.locator(".told").all()}
    assert widths == {56 * 16}


def test_a_level_that_is_not_taken_is_one_line(new_page, ana):
    page = new_page(user=ana)
    page.goto(f"{owned_by(ana, 'ilien-of-the-reeds', xp=3000).get_absolute_url()}timeline/")
    words, links = (page.locator("#level-3 .stop-body > p").nth(at).bounding_box() for at in range(2))
    assert words["x"] + words["width"] < links["x"]


def test_on_a_phone_the_reasons_of_a_number_have_the_whole_width(new_page, character):
    page = new_page(user=person().user, width=PHONE)
    page.goto(f"{character.get_absolute_url()}compare/?first=1&second=8")
    table = page.locator(".told-table").first.bounding_box()
    assert page.locator(".reasons").first.bounding_box()["width"] == table["width"]


def test_the_help_of_a_house_rule_has_the_room_that_its_default_leaves(new_page, character):
    page = new_page(user=person().user, width=WIDE)
    page.goto(f"{character.get_absolute_url()}house-rules/")
    assert page.locator(".rule-default").first.bounding_box()["width"] <= 6 * 16
