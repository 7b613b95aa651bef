"""The rules in a browser: they can be read, searched while typing, sorted and edited, with and without script."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rules.models import Talent
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = [
    "/rules/",
    "/rules/search/?q=fire",
    "/rules/search/?q=zzzzzz",
    "/rules/search/?kind=feature",
    "/rules/polyhedral/chapter/",
    "/rules/polyhedral/term/",
    "/rules/polyhedral/compare/weapon/",
    "/rules/polyhedral/compare/weapon/?entry=dagger&entry=longsword&entry=greatsword",
    "/rules/polyhedral/compare/job/?entry=fighter",
    "/rules/polyhedral/weapon/?sort=damage",
    "/rules/polyhedral/armor/",
    "/rules/polyhedral/feature/",
    "/rules/polyhedral/job/fighter/",
    "/rules/polyhedral/background/ambassador/",
    "/rules/polyhedral/weapon/dagger/",
    "/rules/polyhedral/rules/core-rules/",
]


def test_pages_are_sound_for_everyone(new_page, sound):
    page = new_page()
    for path in PAGES:
        page.goto(path)
        sound(page)


def test_results_appear_while_you_type(new_page):
    page = new_page()
    page.goto("/rules/")
    box = page.get_by_label("Find anything")
    box.press_sequentially("longswrod", delay=15)
    expect(page.locator("#found")).to_have_text("3 results for “longswrod”")  # and not those for its first letters
    page.get_by_role("heading", name="Longsword").wait_for()
    assert box.evaluate("box => box === document.activeElement")
    page.wait_for_url("**/rules/search/?q=longswrod")
    box.fill("")
    page.get_by_role("heading", name="What you carry").wait_for()
    box.fill("fighter")
    page.get_by_role("link", name="Fighter", exact=True).click()
    page.get_by_role("heading", name="Rank by rank").wait_for()
    page.go_back()
    page.get_by_role("link", name="Fighter", exact=True).wait_for()
    expect(page.get_by_label("Find anything")).to_have_value("fighter")


def test_results_are_narrowed_to_a_kind_and_the_focus_stays(new_page):
    page = new_page()
    page.goto("/rules/")
    page.get_by_label("Find anything").press_sequentially("shield", delay=15)
    expect(page.locator("#found")).to_contain_text("for “shield”")  # and not those for its first letters
    page.get_by_role("heading", name="Shield", exact=True).wait_for()
    kinds = page.get_by_label("Kind")
    count = kinds.locator("option[value=armor]").inner_text().partition("(")[2].rstrip(")")  # sent with the results
    kinds.focus()
    kinds.select_option("armor")
    expect(page.locator("#found")).to_contain_text(f"{count} result")
    page.wait_for_url("**/rules/search/?q=shield&kind=armor")
    assert kinds.input_value() == "armor"
    assert kinds.evaluate("one => one === document.activeElement")
    page.reload()
    assert page.get_by_label("Kind").input_value() == "armor"
    page.get_by_label("Find anything").fill("")
    page.get_by_role("heading", name="Leather", exact=True).wait_for()


def test_without_script_kinds_and_pages_work(new_page):
    page = new_page(width=390, script=False)
    page.goto("/rules/")
    page.get_by_label("Kind").select_option("feature")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**kind=feature**")
    found = page.locator(".result h2").first
    first = found.inner_text()
    page.get_by_role("link", name="Next").click()
    expect(found).not_to_have_text(first)
    page.get_by_role("link", name="Previous").click()
    expect(found).to_have_text(first)


def test_without_script_two_entries_are_compared_side_by_side(new_page):
    page = new_page(width=390, script=False)
    page.goto("/rules/polyhedral/weapon/dagger/")
    page.get_by_role("link", name="Compare with another").click()
    page.get_by_label("With", exact=True).select_option("longsword")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("h1")).to_have_text("Dagger and Longsword")
    expect(page.locator(".side-by-side thead th")).to_have_text(["Dagger", "Longsword"])


def test_a_newcomer_finds_how_to_play_and_a_chapter_in_it(new_page):
    page = new_page(width=390)
    page.goto("/rules/")
    page.get_by_role("link", name="How to play").click()
    page.get_by_role("link", name="Getting hurt").click()
    expect(page.get_by_role("heading", name="Getting hurt")).to_be_in_viewport()


def test_without_script_the_search_box_is_a_form(new_page):
    page = new_page(width=390, script=False)
    page.goto("/rules/")
    page.get_by_label("Find anything").fill("remarkble athlet")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Remarkable Athlete").click()
    expect(page.locator("h1")).to_have_text("Remarkable Athlete")
    page.get_by_role("link", name="Features").click()
    page.get_by_role("link", name="Rules", exact=True).first.click()
    page.get_by_role("link", name="Weapons").click()
    page.get_by_role("link", name="Cost").click()
    expect(page.locator("[aria-sort=ascending]")).to_have_text(re.compile(r"^\s*Cost"))


@pytest.mark.smoke
def test_an_editor_adds_a_row_and_reads_it_back(new_page):
    """The stock admin works under the site's content security policy: complaints in the console fail the test."""
    page = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    page.goto("/admin/")
    page.locator("#content").get_by_role("link", name="Talents", exact=True).click()
    with page.expect_navigation():  # until the page has loaded: only then does the admin's script hear the keys
        page.get_by_role("link", name="Add talent").click()
    page.locator("#id_name").press_sequentially("Wary Eye")
    assert page.input_value("#id_slug") == "wary-eye"
    page.get_by_text("Add another Statistic modifier").click()
    row = page.locator("#effects-0")
    row.locator(".select2-selection").first.click()
    page.locator(".select2-dropdown .select2-search__field").press_sequentially("Defense")
    page.locator(".select2-results__option", has_text="Defense").first.click()
    row.locator("select[name$=-op]").select_option("add")
    page.locator("[name=_continue]").first.click()
    page.get_by_text("Give a number, a statistic, or both.").wait_for()
    page.locator("#effects-0 [name$=-amount]").fill("1")
    page.locator("[name=_continue]").first.click()
    page.get_by_text("was added successfully").wait_for()
    page.locator(".said-above > summary").first.click()
    sentence = page.locator("#effects-0 summary").inner_text()
    assert sentence.startswith("+1 ")
    assert Talent.objects.get(slug="wary-eye").effects.count() == 1


def test_the_page_of_what_a_character_can_take_works_with_and_without_script(new_page, sound):
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    pk = owned_by(ana, "ysolde-marrow").pk
    page = new_page(user=ana)
    for path in ("/characters/can-take/", f"/characters/{pk}/can-take/", f"/characters/{pk}/can-take/?q=zzzzzz"):
        page.goto(path)
        sound(page)
    page.goto(f"/characters/{pk}/can-take/")
    page.get_by_label("Show").select_option("lacks")
    page.wait_for_url("**/can-take/?state=lacks")
    page.get_by_label("Kind").select_option("path")
    page.get_by_text("Needs Fighter rank 3").wait_for()
    page = new_page(width=390, user=ana, script=False)
    page.goto("/rules/polyhedral/talent/medic/")
    page.get_by_role("link", name="Can my character choose it?").click()
    page.get_by_role("link", name="Ysolde Marrow").click()
    expect(page.locator(".standing")).to_have_text(["Can choose"])
    expect(page.get_by_label("Kind")).to_have_value("talent")


def test_the_rows_of_a_table_are_equally_high_on_a_phone(new_page):
    page = new_page(width=PHONE)
    page.goto("/rules/polyhedral/weapon/")
    heights = {round(row.bounding_box()["height"]) for row in page.locator(".rule-table tbody tr").all()}
    assert len(heights) == 1
