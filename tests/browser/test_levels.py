"""A character is taken from level 1 to 15 by hand, with and without script; and the level pages in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE
from tests.support.characters import fresh, owned_by, sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


def sheet_now(pk):
    return sheet_of(fresh(pk))[2]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_character_is_leveled_from_1_to_15_by_hand(new_page, ana, script):
    pk = owned_by(ana, "ysolde-marrow").pk
    page = new_page(user=ana, script=script)
    page.goto(f"/characters/{pk}/levels/")
    page.get_by_label("XP", exact=True).fill("14000")
    page.get_by_label("Reason").fill("A whole life")
    page.get_by_role("button", name="Gain").click()
    expect(page.get_by_text("That is 14 levels at once.")).to_be_visible()
    page.get_by_role("button", name="Yes, gain 14,000 XP").click()
    expect(page.get_by_text("has 14,000. Level 1 to 15.")).to_be_visible()
    page.get_by_role("link", name="Take level 2").click()
    for level in range(2, 16):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Level {level}")
        if level == 6:
            page.get_by_label("One point").select_option("Strength")
            page.get_by_label("and one").select_option("Mind")
            page.get_by_role("button", name="See both").click()
        elif level == 12:
            page.get_by_role("link", name="Choose Medic").click()
        else:
            page.get_by_role("link", name="Choose Fighter").click()
        if level == 3:
            page.get_by_role("radio", name="Champion").check()
        if level == 4:
            page.get_by_text("Swap it").click()
            page.get_by_role("radio", name="Dueling").check()
        if level == 9:
            page.get_by_role("radio", name="Protection").check()
        page.get_by_role("button", name=f"Take level {level}").click()
        expect(page.locator(".moment-level")).to_have_text(f"Level {level}")
        if level < 15:
            page.get_by_role("link", name=f"Take level {level + 1}").click()
    page.get_by_role("link", name="Back to the sheet").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ysolde Marrow")
    sheet = sheet_now(pk)
    assert (sheet.level, sheet.picks.open, sheet.value("rank.fighter")) == (15, 0, 13)
    assert {"feature:dueling", "feature:protection", "talent:medic", "path:champion"} <= set(sheet.active)
    assert not sheet.problems
    page.goto(f"/characters/{pk}/levels/")
    page.get_by_role("button", name="Undo level 15").click()
    expect(page.get_by_role("button", name="Undo level 14")).to_be_visible()
    assert sheet_now(pk).picks.open == 1


def unanswered(page):
    """The page as it is with several paths to choose from: the only one is chosen already."""
    page.get_by_role("radio", name="Champion").evaluate("one => one.checked = false")


def test_a_missing_answer_is_reported_by_its_question(new_page, ana, axe):
    pk = owned_by(ana, "ysolde-marrow", xp=2000).pk
    page = new_page(user=ana, width=PHONE)
    page.goto(f"/characters/{pk}/level-up/")
    page.get_by_role("link", name="Choose Fighter").click()
    page.get_by_role("button", name="Take level 2").click()
    page.get_by_role("link", name="Take level 3").click()
    page.get_by_role("link", name="Choose Fighter").click()
    unanswered(page)
    page.get_by_role("button", name="Take level 3").click()
    missing = page.locator("#fighter-martial-path-3-error")
    expect(missing).to_have_text("Choose a martial path.")
    expect(missing).to_be_focused()
    expect(missing).to_be_in_viewport()
    axe(page)


def test_the_pages_are_accessible_and_fit(new_page, sound, ana):
    levels = [{"level": level, "take": "job", "job": "fighter"} for level in range(2, 9)]
    levels[1]["choices"] = {"fighter.martial-path": ["champion"]}
    plan = [{"level": 9, "take": "talent", "talent": "medic"}, {"level": 10, "take": "talent", "talent": "medic"}]
    pk = owned_by(ana, "ysolde-marrow", xp=6500, levels=levels, plan=plan).pk
    page = new_page(user=ana)
    take = "?take=core-rules.level-talent&for=talent:medic"
    for path in (
        "levels/", "level-up/", "plan/", "plan/11/", "levels/3/", f"levels/3/{take}",
        "plan/11/?take=core-rules.level-job&for=job:fighter", "plan/11/?take=core-rules.level-job&for=job:none", "",
    ):  # fmt: skip
        page.goto(f"/characters/{pk}/{path}")
        sound(page)


@pytest.mark.smoke
def test_with_script_only_the_main_part_of_the_page_is_redrawn(new_page, ana):
    """One document from the list through two levels and back. The focus follows, and each change is announced."""
    pk = owned_by(ana, "ysolde-marrow", xp=2000).pk
    page = new_page(width=PHONE, user=ana)
    page.goto(f"/characters/{pk}/levels/")
    page.evaluate("window.same = true")
    page.keyboard.press("Tab")
    page.locator("#to-level-up").press("Enter")
    expect(page).to_have_title("Level 2: Ysolde Marrow · Polyhedral")
    expect(page.locator(":focus")).to_have_text("Level 2")
    page.get_by_role("link", name="Choose Fighter").press("Enter")
    expect(page.locator("#picked")).to_be_focused()
    expect(page.locator("#picked")).to_be_in_viewport()
    page.get_by_role("link", name="Choose Medic").press("Enter")
    expect(page.locator("#picked-title")).to_have_text("Medic")
    page.go_back()
    expect(page.locator("#picked-title")).to_have_text("Fighter 2")
    page.locator("#commit").press("Enter")
    expect(page).to_have_title("Level 2 taken: Ysolde Marrow · Polyhedral")
    expect(page.locator(":focus")).to_have_text(re.compile(r"^\s*Ysolde Marrow.*Fighter 2", re.DOTALL))
    page.locator("#take-next").press("Enter")
    expect(page).to_have_title("Level 3: Ysolde Marrow · Polyhedral")
    expect(page.locator(":focus")).to_have_text("Level 3")
    page.get_by_role("link", name="Choose Fighter").press("Enter")
    expect(page.locator("#picked-title")).to_have_text("Fighter 3")
    asked = page.url
    unanswered(page)
    page.locator("#commit").press("Enter")
    expect(page.locator("#fighter-martial-path-3-error")).to_be_in_viewport()
    assert page.url == asked
    page.get_by_role("radio", name="Champion").check()
    page.locator("#commit").press("Enter")
    expect(page).to_have_title("Level 3 taken: Ysolde Marrow · Polyhedral")
    assert page.evaluate("window.same")
    page.get_by_role("link", name="Levels").press("Enter")
    page.wait_for_url("**/levels/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Levels")
    page.locator("#take-back").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("undoes level 3")
    page.reload()
    expect(page.get_by_role("link", name="Take level 3")).to_be_visible()
    assert sheet_now(pk).picks.open == 1


def test_xp_for_many_levels_at_once_asks_for_confirmation_in_place(new_page, ana, axe):
    pk = owned_by(ana, "ysolde-marrow").pk
    page = new_page(width=PHONE, user=ana)
    page.goto(f"/characters/{pk}/levels/")
    page.get_by_label("XP", exact=True).fill("9000")
    page.get_by_role("button", name="Gain").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("would be level 10 with 9,000 XP")
    expect(page.locator("#experience h2")).to_be_focused()  # the next Tab is on the answer
    assert page.url.endswith("/levels/")
    axe(page)
    page.get_by_role("link", name="No, leave it").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert sheet_now(pk).level == 1


def test_the_page_after_a_level_is_accessible_fits_and_prints(new_page, sound, ana):
    pk = owned_by(ana, "ysolde-marrow", xp=1000).pk
    page = new_page(user=ana)
    page.goto(f"/characters/{pk}/level-up/")
    page.get_by_role("link", name="Choose Fighter").click()
    page.locator("#commit").click()
    expect(page.locator(".moment-pick")).to_have_text("Fighter 2")
    sound(page)
    page.emulate_media(media="print")
    expect(page.locator(".moment-pick")).to_be_visible()
    expect(page.locator("#to-sheet")).to_be_hidden()


def test_the_later_of_two_presses_wins(new_page, ana):
    pk = owned_by(ana, "ysolde-marrow", xp=2000).pk
    page = new_page(user=ana)
    page.goto(f"/characters/{pk}/level-up/")
    held = []
    page.route(re.compile("take=core-rules.level-job"), lambda route: held.append(route))
    page.get_by_role("link", name="Choose Fighter").click()
    page.get_by_role("link", name="Choose Medic").click()
    expect(page.locator("#picked-title")).to_have_text("Medic")
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_timeout(500)
    expect(page.locator("#picked-title")).to_have_text("Medic")
    assert "level-talent" in page.url
