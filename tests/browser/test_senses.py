"""Nothing is said by motion or color alone, and every key that works is in the list behind "?"."""

import io
import re
import time

import pytest
from PIL import Image
from playwright.sync_api import expect

from campaigns.verbs import campaigns, encounters, seats
from characters.models import RollRecord
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE, unfold
from tests.support.characters import owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STYLE = "(element, [name, pseudo]) => getComputedStyle(element, pseudo)[name]"


def style(locator, name, pseudo=None):
    return locator.first.evaluate(STYLE, [name, pseudo])


# The page itself taps, as soon as the answer is there: two presses from outside can be far apart on a busy machine.
TAP_TWICE = """async () => {
  const tap = () => document.querySelector("#undo-latest").click();
  tap();
  while (!document.querySelector("#latest").textContent.includes("Undone")) await new Promise(requestAnimationFrame);
  tap();
}"""


@pytest.mark.parametrize("wait", [0, 0.5], ids=["quick", "slow"])
def test_a_double_tap_on_undo_undoes_only_once(new_page, ana, base, wait):
    """Also if the second tap comes when a slow answer has just replaced the button."""
    page, asked = new_page(user=ana), []
    page.goto(base)
    unfold(page, "wounds")
    page.locator("#adjust-wounds-more").click()
    expect(page.locator("#latest")).to_contain_text("1 wound")
    page.route("**/play/undo/", lambda route: (asked.append(route), time.sleep(wait), route.continue_()))
    page.evaluate(TAP_TWICE)
    page.wait_for_timeout(400)
    expect(page.locator("#latest")).to_contain_text("Undone")
    assert len(asked) == 1
    page.unroute("**/play/undo/")
    page.locator("#undo-latest").click()
    expect(page.locator("#latest")).to_contain_text("Redone")


def test_a_number_that_is_typed_but_not_sent_is_marked(new_page, axe, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    unfold(page, "wounds")
    field, press = page.locator("#adjust-wounds-to"), page.locator("#adjust-wounds .default-press")
    field.fill("2")
    field.blur()
    assert style(field, "fontStyle") == "italic"
    assert press.bounding_box()["width"] > 30
    axe(page)
    press.click()
    expect(page.locator("#latest")).to_contain_text("2 wounds")
    expect(field).to_have_value("2")
    assert style(field, "fontStyle") == "normal"
    assert press.bounding_box()["width"] < 2


def test_a_refusal_with_nothing_typed_goes_away_with_the_next_change(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    unfold(page, "resolve")
    page.locator("#adjust-resolve-less").click()
    expect(page.locator("#adjust-resolve-to")).to_have_value("0")
    page.locator("#resolve-more > summary").click()
    page.get_by_role("button", name="Take an extra turn").click()
    expect(page.locator("#times .field-error")).to_contain_text("no Resolve left")
    page.locator("#hit-amount").fill("many")
    page.locator("#hit-damage").click()
    expect(page.locator("#vitals .field-error")).to_be_visible()
    page.locator("#adjust-resolve-more").click()
    expect(page.locator("#times .field-error")).to_have_count(0)
    expect(page.locator("#hit-amount")).to_have_value("many")


def test_reduced_motion_stops_all_motion(new_page, ana, base):
    for motion in (True, False):
        page = new_page(user=ana, motion=motion)
        page.add_init_script(
            """window.longest = 0;
            const note = () => {
                const times = document.getAnimations().map((one) => one.effect.getComputedTiming().duration);
                longest = Math.max(longest, ...times);
                requestAnimationFrame(note);
            };
            requestAnimationFrame(note);"""
        )
        page.goto(base)
        unfold(page, "wounds")
        page.locator("#adjust-wounds-more").click()
        expect(page.locator("#status p")).to_be_visible()
        page.get_by_role("button", name="Attack with Warhammer, one hand").click()
        expect(page.locator("#rolled")).to_be_visible()
        page.locator("#undo-latest").hover()
        assert (page.evaluate("longest") <= 1) != motion
        page.evaluate("document.documentElement.style.scrollBehavior = 'smooth'")
        assert style(page.locator("html"), "scrollBehavior") == ("smooth" if motion else "auto")


def test_every_state_shows_without_its_color(new_page, ana, base):
    page = new_page(user=ana, forced_colors="active")
    page.goto(base)
    # Uses of a feature: full and empty marks, and their number in words.
    uses = page.locator("#vitals .count", has_text="Second Wind")
    assert style(uses.locator(".pip-on"), "backgroundColor") != style(page.locator("body"), "backgroundColor")
    expect(uses.get_by_role("img")).to_have_accessible_name("1 of 1 left")
    # Health: its number, and a bar of which the full part differs from the rest.
    page.locator("#hit-amount").fill("-5")
    page.locator("#hit-amount").press("Enter")
    expect(page.locator("#health .vital-value")).not_to_have_text(re.compile(r"(\d+) of \1"))
    bar = Image.open(io.BytesIO(page.locator("#health .bar").screenshot())).convert("L")
    assert bar.getpixel((8, bar.height // 2)) != bar.getpixel((bar.width - 8, bar.height // 2))
    # Circumstances: a check mark and the pressed state.
    page.locator("#situations-more > summary").click()
    page.get_by_role("button", name="behind half cover").click()
    on = page.locator("#situation-half-cover")
    expect(on).to_have_attribute("aria-pressed", "true")
    assert "✓" in style(on, "content", "::before")
    # Dice that count toward a critical, and the result of the roll.
    page.locator("#dice-more > summary").click()
    page.locator("#roll-faces").fill("6 6 1")
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled .rolled-word")).to_contain_text("critical")
    dice = page.locator("#rolled .die")
    assert style(dice, "borderTopStyle") != style(dice.last, "borderTopStyle")
    # Wounds and dying in words, saves by number.
    unfold(page, "wounds")
    page.locator("#adjust-wounds-more").click()
    expect(page.locator("#vitals .count", has_text="Wounds")).to_contain_text("−1 on every roll")
    page.locator("#hit-amount").fill("-10")
    page.locator("#hit-amount").press("Enter")
    expect(page.locator("#down")).to_contain_text("Dying")
    expect(page.locator("#down").get_by_role("img").first).to_have_accessible_name("0 of 3 passed")
    # The current one of some links is underlined.
    page.goto(f"{base}history/")
    for within in (".tabs", ".site-nav"):
        links = page.locator(f"{within} > a")
        lines = links.evaluate_all("all => all.map(one => getComputedStyle(one).textDecorationLine)")
        assert lines == ["underline" if one.get_attribute("aria-current") else "none" for one in links.all()]
    # An undone change is struck through, and says so.
    page.locator(".history-row").first.get_by_role("button").click()
    undone = page.locator(".history-row.is-undone")
    expect(undone).to_contain_text("(undone)")
    assert "line-through" in style(undone.locator(".history-what"), "textDecorationLine")


def keys_listed(page):
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    listed = {word for word in page.locator("#keys kbd").all_inner_texts() if len(word) == 1 and word != "?"}
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).not_to_be_visible()
    return listed


@pytest.mark.smoke
def test_every_key_that_works_is_listed_and_does_what_it_says(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    assert keys_listed(page) == {*"acdfhlnrstuy"}
    for key, field in (("h", "#hit-amount"), ("d", "#roll-target"), ("c", "#condition-what"), ("u", "#undo-latest")):
        unfold(page, "wounds")
        page.locator("#adjust-wounds-more").focus()
        if key == "u":
            page.locator("#adjust-wounds-more").click()
            expect(page.locator("#undo-latest")).to_be_visible()
        page.keyboard.press(key)
        expect(page.locator(field)).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#tray")).to_contain_text("starts a turn")
    for key, part in (("a", "attacks"), ("s", "skills"), ("t", "equipment"), ("y", "aspects"), ("f", "features")):
        page.keyboard.press(key)
        expect(page.locator(f"#{part}:focus-within")).to_be_visible()
    for key, below in (("r", "rest/"), ("l", "history/")):
        page.goto(base)
        page.keyboard.press(key)
        page.wait_for_url(f"**{base}{below}")
    page.goto(base)
    page.locator("button[value=initiative]").click(modifiers=["Shift"])
    page.wait_for_url("**/roll/initiative/")


def test_enter_presses_the_button_of_its_field(new_page, ana, base):
    """In a field that belongs to several rolls, it presses nothing."""
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    page.keyboard.press("d")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page.locator("#tray")).to_contain_text("Choose what to roll: press")
    expect(page.locator("#roll-target")).to_have_value("12")
    page.goto(f"{base}glance/")
    page.get_by_label("Your own dice").fill("6 1")
    page.get_by_label("Your own dice").press("Enter")
    expect(page.locator("#glance")).to_contain_text("Choose what to roll: press")
    expect(page.get_by_label("Your own dice")).to_have_value("6 1")
    assert not RollRecord.objects.exists()
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    page.locator("#rolled > summary").click()
    page.locator(".rolled-more > summary").click()
    page.locator(".rolled-more").get_by_label("The detail", exact=True).fill("The floor is wet")
    page.locator(".rolled-more").get_by_label("The detail", exact=True).press("Enter")
    expect(page.locator("#latest .latest-what")).to_contain_text("The floor is wet")


def test_shift_click_on_critical_damage_opens_its_page_with_critical_ticked(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.locator("#dice-more > summary").click()
    page.locator("#roll-faces").fill("6 6 1")
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    page.get_by_role("button", name="Roll critical damage").click(modifiers=["Shift"])
    page.wait_for_url("**/roll/damage.*one-hand/?critical=on")
    expect(page.get_by_label("A hit is critical")).to_be_checked()


@pytest.mark.parametrize(
    ("before", "control", "there"),
    [
        ((), "#use-second-wind", "#count-second-wind summary"),
        (("#condition-add",), "#held button", "#conditions-title"),
        (("#hit-damage", "#hit-damage"), "#stabilize-go", "#down-title"),
    ],
)
def test_focus_stays_near_a_control_that_is_gone(new_page, ana, base, before, control, there):
    page = new_page(user=ana)
    page.goto(base)
    for one in before:
        page.locator("#hit-amount").fill("8")
        with page.expect_event("requestfinished", lambda request: "/play/" in request.url):
            page.evaluate("selector => document.querySelector(selector).click()", one)
    page.locator("#hit-amount").fill("3")
    page.locator(control).focus()
    page.keyboard.press("Enter")
    expect(page.locator(there)).to_be_focused()


def test_the_page_does_not_scroll_when_another_device_removes_the_focused_control(new_page, ana, base):
    here, there = new_page(user=ana), new_page(user=ana)
    for page in (here, there):
        page.goto(base)
    here.locator("#use-second-wind").focus()
    here.evaluate("scrollTo(0, document.body.scrollHeight)")
    scrolled = here.evaluate("scrollY")
    there.locator("#hit-amount").fill("3")
    there.locator("#hit-damage").click()
    there.locator("#use-second-wind").click()
    expect(here.locator("#use-second-wind")).to_have_count(0)
    expect(here.locator("#count-second-wind summary")).to_be_focused()
    assert here.evaluate("scrollY") == scrolled > 0


@pytest.mark.parametrize("below", ["rest/", "downtime/", "history/", "rolls/", "pool/", "roll/initiative/"])
def test_other_pages_list_only_the_keys_that_work_there(new_page, ana, base, below):
    page = new_page(user=ana)
    page.goto(f"{base}{below}")
    assert keys_listed(page) == {"r", "l"}
    for key, there in (("l", "history/"), ("r", "rest/")):
        page.goto(f"{base}{below}")
        with page.expect_navigation(url=f"**{base}{there}"):  # even if that page is open already
            page.keyboard.press(key)


def test_keys_type_letters_in_a_field_and_escape_clears_them(new_page, ana, base):
    page = new_page(user=ana, width=PHONE)
    page.goto(base)
    page.locator("#hit-amount").focus()
    page.keyboard.type("hr?")
    expect(page.locator("#hit-amount")).to_have_value("hr?")
    expect(page.locator("#keys")).not_to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#hit-amount")).to_have_value("")
    assert page.url.endswith(base)


def test_whose_turn_it_is_and_the_chosen_face_show_without_their_colors(new_page, ana):
    mine = owned_by(ana)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    page = new_page(user=ana, forced_colors="active")
    page.goto(f"{campaign.get_absolute_url()}encounter/")
    line = page.locator(".fight-line")
    assert style(line, "borderInlineStartStyle") == "none"
    page.get_by_role("button", name="First turn").click()
    expect(page.locator(".fight-line.is-now")).to_have_css("border-inline-start-style", "solid")
    page.goto(f"{mine.get_absolute_url()}face/")
    page.get_by_role("button", name="Hooded").click()
    chosen = page.locator(".face-choice[aria-pressed=true]")
    assert style(chosen, "outlineStyle") == "solid"
    assert style(page.locator(".face-choice:not([aria-pressed=true])"), "outlineStyle") == "none"
    # The arrow of a menu stays a triangle: its other sides are not drawn.
    assert style(page.locator(".menu > summary"), "borderInlineStartColor", "::after") == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("below", ["build/origin/", "build/aspects/", "build/equipment/", "level-up/"])
def test_no_two_fields_or_folded_parts_of_a_page_have_one_name(new_page, ana, below):
    mine = owned_by(ana, choices={}, aspects=None)
    put_xp(mine.pk, Person(ana), 1000)
    page = new_page(user=ana)
    page.goto(mine.get_absolute_url() + below)
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [one for one in nodes if one.get("role", {}).get("value") in ("textbox", "DisclosureTriangle")]
    names = [one["name"]["value"] for one in named if not one["ignored"]]
    assert len(names) > 2
    assert sorted(names) == sorted(set(names))


def test_the_mark_of_a_folded_part_is_not_read_out(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled > summary")).to_be_visible()
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    names = [one["name"]["value"] for one in nodes if one.get("role", {}).get("value") == "DisclosureTriangle"]
    assert "Kind of hit" in names
    assert [name for name in names if not name[0].isalpha()] == []


@pytest.mark.parametrize(("below", "within"), [("", "#abilities"), ("build/job/", "#builder .option-card")])
def test_links_with_one_name_lead_to_one_place(new_page, ana, base, below, within):
    """Read out in a list of links, "Check 2D+3" says nothing without its ability."""
    page = new_page(user=ana)
    page.goto(base + below)
    links = page.locator(f"{within} a[href]")
    named = set(
        links.evaluate_all("all => all.map((one) => [one.textContent.replace(/\\s+/g, ' '), one.href].join('|'))")
    )
    names = [one.split("|")[0] for one in named]
    assert len(names) > 5
    assert sorted(names) == sorted(set(names))


def test_no_two_buttons_among_the_things_have_one_name(new_page, ana, base):
    """Enter in the number of a thing still sets it, although it has no button before it."""
    page = new_page(user=ana)
    page.goto(base)
    page.locator("#equipment .thing-row summary").evaluate_all(
        "all => all.forEach(one => one.parentElement.open = true)"
    )
    names = page.locator("#equipment .thing-row button").all_inner_texts()
    assert len(names) > 10
    assert sorted(names) == sorted(set(names))
    field = page.get_by_label("How many: Handaxe")
    field.fill("3")
    field.press("Enter")
    expect(page.locator("#equipment .thing-row", has=field).locator("summary")).to_contain_text("3")


def test_no_two_fields_or_buttons_of_the_shelf_have_one_name(new_page, ana):
    """A character has the name of the sample that it is a copy of."""
    owned_by(ana)
    owned_by(ana, name="Mira")
    page = new_page(user=ana)
    page.goto("/characters/")
    page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [one for one in nodes if one.get("role", {}).get("value") in ("textbox", "button")]
    names = [one["name"]["value"] for one in named if not one["ignored"]]
    assert len(names) > 8
    assert sorted(names) == sorted(set(names))
