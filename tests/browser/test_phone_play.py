"""A phone at the table: a roll with its reasons, the glance page, and dying."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from characters.models import Character
from characters.people import Person
from tests.characters.play.table import play
from tests.support.browser import PHONE, unfold
from tests.support.characters import document, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LINES = """element => {
  const all = document.createRange();
  all.selectNodeContents(element);
  return new Set([...all.getClientRects()].map(one => one.top)).size;
}"""
WAYS = pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])


@pytest.fixture
def phone(new_page, sound, ana, script):
    """A page on a phone, and a function that checks it."""
    page = new_page(width=PHONE, script=script, user=ana)

    def look():
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, page.url
        if script:  # axe itself needs script
            sound(page, on=[PHONE])

    return page, look


def edges(locator):
    box = locator.bounding_box()
    return box["y"], box["y"] + box["height"]


def fall(page, base):
    page.goto(base)
    page.locator("#hit-amount").fill("10")
    page.locator("#hit-damage").click()
    expect(page.locator("#down")).to_contain_text("Dying")
    page.wait_for_load_state()  # without script this part comes before the rest of the new page


@WAYS
def test_a_roll_shows_its_total_its_outcome_and_its_reasons_apart(phone, base):
    page, look = phone
    page.goto(base)
    unfold(page, "wounds")
    page.locator("#adjust-wounds-more").click()
    expect(page.locator("#adjust-wounds-to")).to_have_value("1")
    page.locator("#dice-more > summary").click()
    page.locator("#roll-faces").fill("6 6")
    page.locator("#roll-target").fill("8")
    page.get_by_label("In secret").check()
    page.get_by_role("button", name="Roll Athletics").click()
    for where in ("#rolled", "rolls/"):
        if where == "rolls/":
            page.goto(f"{base}rolls/")
        rolled = page.locator(".rolled").first
        if where == "#rolled":
            rolled.locator("summary").first.click()
        expect(rolled.locator(".rolled-word")).to_have_text(re.compile(r"^a\s+success against 8 by hand in secret\s*$"))
        why = rolled.locator(".rolled-why")
        expect(why).to_be_visible()
        expect(why).to_have_text(re.compile(r"^\s*2D:\s+Every roll\s+3D, Not proficient\s+−1D\s*$"))
        line = float(why.evaluate("element => getComputedStyle(element).lineHeight").removesuffix("px"))
        assert why.bounding_box()["height"] <= 2 * line + 1
        parts = rolled.locator(".rolled-part")
        expect(parts).to_have_count(2)
        name, total, die = (edges(rolled.locator(f".rolled-{part}")) for part in ("name", "total", "dice"))
        assert name[1] <= total[0]
        assert edges(rolled.locator(".rolled-word"))[0] < total[1]
        assert total[1] <= die[0]
        assert all(total[1] <= edges(parts.nth(n))[0] for n in range(2))
        assert max(edges(parts.nth(n))[1] for n in range(2)) <= edges(why)[0] + 1
        look()


@WAYS
def test_the_glance_page_marks_failing_saves_and_keeps_undo_on_one_line(phone, base):
    page, look = phone
    fall(page, base)
    failing = page.locator("#abilities .ability-line", has_text="fails").count()
    assert failing
    page.goto(f"{base}glance/")
    look()
    expect(page.locator(".saves button", has_text="fails")).to_have_count(failing)
    strength = page.locator(".saves").get_by_role("button", name="Strength")
    expect(strength).to_have_text(re.compile(r"^\s*Strength\s+fails\s*$"))
    undo = page.get_by_role("button", name="Undo")
    assert page.locator(".undo span").bounding_box()["height"] > 30  # the sentence takes two lines
    assert undo.evaluate(LINES) == 1
    assert undo.bounding_box()["height"] == 44
    assert undo.bounding_box()["width"] >= 60
    page.get_by_role("button", name="Roll a death save").click()
    expect(page.locator(".last")).to_contain_text("Death saving throw")
    look()


@WAYS
def test_the_glance_page_shows_each_result_on_the_first_screen(phone, base):
    page, look = phone
    page.goto(f"{base}glance/")
    page.locator("h2", has_text="Saves").scroll_into_view_if_needed()
    for press, words, dice in (("Strength", "rolls", 3), ("Roll a death save", "death saving throw", 3)):
        page.get_by_role("button", name=press).click()
        answer = page.get_by_label("Latest change")
        expect(answer).to_contain_text(words)
        expect(answer.locator(".die")).to_have_count(dice)
        for one in (answer, answer.get_by_role("button", name="Undo")):
            top, bottom = edges(one)
            assert 0 <= top < bottom <= 320
        assert page.get_by_text(words).count() <= 2  # the roll's name and its sentence, and no message
        look()
        page.get_by_label("Damage or healing").fill("12")
        page.get_by_role("button", name="Damage", exact=True).first.click()
        expect(answer).to_contain_text("12 damage")
        expect(answer.locator(".die")).to_have_count(0)
    page.goto(base)
    expect(page.locator(".messages")).to_have_count(0)


@WAYS
def test_a_dying_character_has_the_buttons_that_help_above_the_tray(phone, ana, base):
    page, look = phone
    fall(page, base)
    page.goto(base)
    look()
    assert all(press[1] <= edges(page.locator("#tray"))[0] for press in map(edges, presses(page)))
    play.death_save(Character.objects.get(owner=ana).pk, Person(ana), uuid.uuid4().hex, faces=(1, 2, 1))
    page.goto(base)
    expect(page.locator("#cheat-death-go")).to_be_visible()
    expect(page.locator("#rolled")).to_contain_text("Death")
    look()
    assert all(press[1] <= edges(page.locator("#tray"))[0] for press in map(edges, presses(page)))


def presses(page):
    return page.locator("#down button").all()


@WAYS
def test_the_uses_of_a_thing_are_typed_like_other_counts(phone, ana):
    kit = {"item": "healing-kit", "quantity": 1, "state": "carried"}
    page, look = phone
    page.goto(owned_by(ana, inventory=[*document()["inventory"], kit]).get_absolute_url())
    unfold(page, "healing-kit")
    field = page.locator("#adjust-healing-kit-to")
    for typed, left in (("-3", "7"), ("+1", "8"), ("4", "4")):
        unfold(page, "healing-kit")
        field.fill(typed)
        field.press("Enter")
        expect(page.locator("#latest")).to_contain_text(f"now {left}")
        expect(field).to_have_value(left)
    row = page.locator("#count-second-wind")
    assert row.locator(".use").is_visible()
    expect(row.locator(".stepper")).not_to_be_visible()
    unfold(page, "second-wind")
    stepper, use = row.locator(".stepper").bounding_box(), row.locator(".use button")
    word = use.bounding_box()["x"] + float(use.evaluate("one => parseFloat(getComputedStyle(one).paddingLeft)"))
    assert use.bounding_box()["y"] > stepper["y"]
    assert abs(word - stepper["x"]) <= 2
    look()


@WAYS
def test_the_uses_of_resolve_on_a_roll_open_in_sight(phone, base):
    page, _ = phone
    page.goto(base)
    page.locator("[name=roll][value^='attack.']").first.click()
    expect(page.locator(".rolled-word").first).to_contain_text(re.compile("Hits Defense [0-9]+ or less|critical"))
    expect(page.locator(".rolled-why")).to_have_count(0)  # the usual three dice need no reason
    page.locator("#rolled > summary").click()
    page.locator("#rolled .rolled-more > summary").click()
    for press in ("Another die", "Nudge up by 2", "Down by 2"):
        expect(page.get_by_role("button", name=press)).to_be_in_viewport(ratio=1)


@WAYS
def test_health_keeps_a_distance_from_the_damage_field(phone, base):
    page, _ = phone
    page.goto(base)
    health, hit = page.locator("#health .vital-value").bounding_box(), page.locator("#hit").bounding_box()
    assert health["x"] + health["width"] + 12 <= hit["x"]


def test_the_space_above_defense_is_as_large_as_the_space_below(new_page, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    top, foot = edges(page.locator("#measures"))
    above, below = top - edges(page.locator("#health"))[1], edges(page.locator(".counters").first)[0] - foot
    assert abs(above - below) <= 4
    assert foot - edges(page.locator("#initiative button"))[0] + below >= 43  # the room of a finger on its roll


@pytest.mark.parametrize("roll", ["skill.athletics", "attack.warhammer.one-hand"])
def test_every_row_of_fields_for_a_roll_is_full(new_page, ana, base, roll):
    page = new_page(width=PHONE, user=ana)
    page.goto(f"{base}roll/{roll}/")
    boxes = [one.bounding_box() for one in page.locator(".how > .how-field").all()]
    rows = {}
    for box in boxes:
        rows[box["y"]] = max(rows.get(box["y"], 0), box["x"] + box["width"])
    assert len(boxes) >= 7
    assert max(rows.values()) - min(rows.values()) <= 1


def test_the_list_of_keys_is_wide_enough_to_read(new_page, ana, base):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    page.keyboard.press("?")
    widths = page.locator("#keys dd").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) > 150


def test_the_smallest_screen_has_room_for_the_vital_numbers(new_page, ana, base):
    page = new_page(user=ana)
    page.set_viewport_size({"width": 320, "height": 640})
    fall(page, base)
    for below in ("", "glance/"):
        page.goto(base + below)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        beyond = (
            "() => [...document.querySelectorAll('.down *')].filter(one => one.getBoundingClientRect().right > 304)"
        )
        assert page.evaluate(f"({beyond})().map(one => one.outerHTML)") == []
    page.goto(base)
    assert page.locator("#hit-amount").bounding_box()["width"] >= 44
    assert [page.locator("#measures .vital-label").nth(n).evaluate(LINES) for n in range(5)] == [1] * 5
