"""The first screen of a sheet shows what you can do now, and every part of the sheet is one press away."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from characters.models import Character
from tests.characters.cast import granted, new_key
from tests.characters.play.table import play
from tests.support.browser import PHONE, WIDE
from tests.support.characters import SAMPLES, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PARTS = {
    "Play": "#vitals",
    "Skills": "#skills",
    "Equipment": "#equipment",
    "Story": "#aspects",
    "Features": "#features",
}


def foot(locator):
    box = locator.bounding_box()
    return box["y"] + box["height"]


def test_a_phone_shows_health_and_attacks(new_page, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    assert page.locator("#attacks").bounding_box()["y"] < 500
    presses = page.locator("#attacks .attack-presses")
    above = page.locator("#tray").bounding_box()["y"]
    assert foot(page.locator("#hit-damage")) < 250
    assert all(foot(presses.nth(n)) <= above for n in range(2))
    assert page.locator("#tray").bounding_box()["height"] <= 64


def test_the_danger_comes_before_what_is_new(new_page, ana, base):
    character = Character.objects.get(owner=ana)
    storyteller = granted(character, "storyteller")
    for _ in range(3):
        play.add_xp(character.pk, storyteller, new_key(), amount=5)
    play.change_health(character.pk, storyteller, new_key(), amount="0")
    page = new_page(width=PHONE, script=False, user=ana)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(base)
    assert foot(page.locator("#death-save-roll")) <= page.locator("#tray").bounding_box()["y"]
    assert foot(page.locator("#down")) <= page.locator("#looked").bounding_box()["y"]


def test_a_change_since_you_last_looked_is_one_line_on_a_laptop(new_page, ana, base):
    character = Character.objects.get(owner=ana)
    play.add_xp(character.pk, granted(character, "storyteller"), new_key(), amount=5)
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    assert page.locator("#looked .history-row").bounding_box()["height"] < 50


def test_a_laptop_shows_health_attacks_and_skills(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    above = page.locator("#tray").bounding_box()["y"]
    for last in (
        "#hit-damage",
        "#attacks .attack-row:last-child",
        "#skills .check-row:last-child",
        "#count-second-wind",
    ):
        assert foot(page.locator(last)) <= above, last


def test_a_roll_leaves_every_counter_in_sight_on_a_laptop(new_page, ana, base):
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 800})
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled")).to_be_visible()
    assert foot(page.locator("#count-second-wind")) <= page.locator("#times").bounding_box()["y"]


def left_edges(locator):
    return {one.bounding_box()["x"] for one in locator.all()}


def test_names_points_and_buttons_of_counters_form_columns_on_a_laptop(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    counts = page.locator("#vitals .count")
    assert counts.count() >= 5
    assert len(left_edges(counts.locator(".resource-name"))) == 1
    assert len(left_edges(counts.locator(".pips, .number:visible"))) == 1
    assert len(left_edges(counts.locator(".use button"))) == 1


def test_a_condition_that_begins_moves_nothing_on_a_laptop(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    before = page.locator("#vitals").bounding_box()["y"]
    character = Character.objects.get(owner=ana)
    play.add_condition(character.pk, granted(character, "storyteller"), new_key(), condition="condition:prone")
    page.reload()
    expect(page.locator("#in-force")).to_be_visible()
    page.locator("#looked").evaluate("one => one.remove()")
    assert page.locator("#vitals").bounding_box()["y"] == pytest.approx(before, abs=1)


def test_skills_begin_beside_the_attacks_on_a_laptop(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    first = page.locator("#skills .check-row").first.bounding_box()["y"]
    assert first == pytest.approx(page.locator("#attacks .attack-row").first.bounding_box()["y"], abs=2)


def test_a_dead_characters_box_is_one_row_on_a_laptop(new_page, ana, base):
    character = Character.objects.get(owner=ana)
    play.take_damage(character.pk, granted(character, "player"), new_key(), amount=200)
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    assert page.locator("#down").bounding_box()["height"] < 90


def test_the_steps_of_a_turn_are_in_one_row_on_a_laptop(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    boxes = [page.locator(one).bounding_box() for one in ("#move-5", "#move-go", "#move .tick")]
    assert {box["y"] + box["height"] // 2 for box in boxes} == {boxes[0]["y"] + boxes[0]["height"] // 2}


@pytest.mark.parametrize("scrolled", [0, 250])
def test_turn_and_rest_are_in_reach_on_a_low_screen(new_page, ana, base, scrolled):
    """The more counters a character has, the further down they would stand. Until the script has measured the tray, its
    usual height counts."""
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 600})
    page.goto(base)
    page.evaluate("y => scrollTo(0, y)", scrolled)
    row = page.locator("#times .times-row")
    assert foot(row) <= page.locator("#tray").bounding_box()["y"]
    page.locator("#next-turn").click(trial=True)


def test_turn_and_rest_never_cover_the_hit(new_page, ana, base):
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 420})
    page.goto(base)
    assert foot(page.locator(".hit-line")) <= page.locator("#times").bounding_box()["y"]


def test_a_tablet_has_room_for_every_ability(new_page, ana, base):
    """Its columns are as narrow as a phone's; the text of one ability must not run into the next."""
    page = new_page(user=ana)
    page.goto(base)
    cells = page.locator(".ability-cell")
    for width in (768, 820, 1024):
        page.set_viewport_size({"width": width, "height": 1100})
        wide = cells.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
        assert max(wide) <= 0, (width, wide)


def test_the_vital_numbers_stay_in_sight_and_cover_nothing_below(new_page, ana, base):
    page = new_page(width=WIDE, user=ana)
    page.goto(base)
    page.evaluate("scrollTo(0, 900)")
    assert 0 <= page.locator("#vitals").bounding_box()["y"] < 100
    page.locator("#aspects").evaluate("part => scrollBy(0, part.getBoundingClientRect().top - 500)")
    assert foot(page.locator("#vitals")) <= page.locator("#aspects").bounding_box()["y"]


@pytest.mark.parametrize("slug", SAMPLES)
@pytest.mark.parametrize("width", [WIDE, 1920])
def test_a_wide_screen_is_used_to_its_right_end(new_page, ana, slug, width):
    """The things are below the skills, in reading order, so that the right column is as full as the middle one. No
    column ends far above the row below."""
    page = new_page(user=ana)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(owned_by(ana, slug).get_absolute_url())
    parts = [page.locator(f"#{name}") for name in ("skills", "knowledges", "equipment", "proficiencies")]
    assert len({part.bounding_box()["x"] for part in parts}) == 1
    assert all(foot(part) < following.bounding_box()["y"] for part, following in pairwise(parts))
    below = page.locator("#aspects").bounding_box()["y"]
    for last in ("#proficiencies", "#actions"):
        assert below - foot(page.locator(last)) < 450, last


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_every_part_is_one_press_away(new_page, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    page.goto(base)
    bar = page.get_by_role("navigation", name="Parts of the sheet")
    for name, part in PARTS.items():
        bar.get_by_role("link", name=name).click()
        box = page.locator(part).bounding_box()
        assert -1 <= box["y"] < page.viewport_size["height"] / 2, name
        stays = bar.bounding_box()
        assert stays["y"] >= 0
        assert foot(bar) <= page.viewport_size["height"]
        assert box["y"] >= foot(bar) or width == PHONE, name
        if script and width == PHONE:
            expect(bar.get_by_role("link", name=name)).to_have_attribute("aria-current", "true")
            expect(bar.locator("[aria-current]")).to_have_count(1)


def test_a_count_is_a_short_line_until_it_is_pressed(new_page, ana, base):
    page = new_page(width=PHONE, script=False, user=ana)
    page.goto(base)
    resolve = page.locator("#count-resolve")
    expect(resolve.locator(".pip")).to_have_count(1)
    expect(resolve.locator(".stepper")).not_to_be_visible()
    resolve.locator("summary").click()
    page.locator("#adjust-resolve-less").click()
    expect(page.locator("#count-resolve .pip-on")).to_have_count(0)
    use = page.locator("#count-second-wind")
    use.get_by_role("button", name=re.compile("^Use")).click()
    expect(use).to_contain_text("back after a short rest")
    expect(use.get_by_role("button", name=re.compile("^Use"))).to_have_count(0)
    expect(page.locator("#vitals")).not_to_contain_text("lowered")


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_a_letter_leads_to_each_part(new_page, ana, base, width):
    page = new_page(width=width, user=ana)
    page.goto(base)
    parts = {"a": "#attacks", "s": "#skills", "t": "#equipment", "y": "#aspects", "f": "#features"}
    for letter, part in parts.items():
        page.keyboard.press(letter)
        assert page.locator(part).evaluate("part => part.contains(document.activeElement)"), part
        assert -1 <= page.locator(part).bounding_box()["y"] < page.viewport_size["height"] / 2, part
