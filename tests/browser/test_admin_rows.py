"""The admin in a browser: rows are ordered by dragging, by keys or by number, and edits are previewed."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from rules import models
from tests.support.browser import PHONE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada(transactional_db):
    return User.objects.create_superuser("ada", "ada@example.com", "a long password")


@pytest.fixture
def tough(ada):
    """A talent with three notes, whose numbers leave gaps for rows of other kinds. A note without a full stop is a row
    that no line says."""
    talent = models.Talent.objects.get(slug="tough")
    for order, text in ((3, "One"), (5, "Two"), (7, "Three")):
        models.Note.objects.create(owner=talent, text=text, order=order)
    return talent


def page_of(element):
    return reverse(f"admin:rules_{element.kind}_change", args=[element.pk])


def group_of(page):
    return page.locator(".inline-group", has=page.get_by_role("heading", name="Notes", exact=True))


def reads(page, *texts):
    expect(group_of(page).locator(".has_original h3")).to_have_text(texts, use_inner_text=True)


def save(page):
    page.locator("[name=_continue]").first.click()
    page.get_by_text("was changed successfully").wait_for()


def stored(talent):
    return list(models.Note.objects.filter(owner=talent).order_by("order").values_list("text", "order"))


@pytest.mark.parametrize("touch", [False, True])
def test_a_row_is_dragged_to_its_place(new_page, ada, tough, touch):
    page = new_page(user=ada, has_touch=touch, width=390 if touch else 1280)
    page.goto(page_of(tough))
    handles = group_of(page).locator(".has_original .handle")
    handles.last.scroll_into_view_if_needed()
    taken, target = handles.nth(2).bounding_box(), handles.nth(0).bounding_box()
    page.mouse.move(taken["x"] + 8, taken["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 8, target["y"] + 20, steps=6)
    page.mouse.move(target["x"] + 8, target["y"] - 4, steps=3)
    page.mouse.up()
    reads(page, "Three", "One", "Two")
    save(page)
    assert stored(tough) == [("Three", 3), ("One", 5), ("Two", 7)]
    reads(page, "Three", "One", "Two")


def test_a_row_is_moved_by_keys(new_page, ada, tough):
    page = new_page(user=ada)
    page.goto(page_of(tough))
    handle = group_of(page).locator(".has_original .handle").first
    handle.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    reads(page, "Two", "Three", "One")
    expect(page.get_by_role("status").filter(has_text="Place")).to_have_text("Place 3 of 3")
    assert page.evaluate("document.activeElement.className") == "handle"
    save(page)
    assert stored(tough) == [("Two", 3), ("Three", 5), ("One", 7)]


def test_without_script_a_row_is_moved_by_its_number(new_page, ada, tough):
    page = new_page(user=ada, script=False)
    page.goto(page_of(tough))
    assert page.locator(".handle").count() == 0
    group_of(page).locator(".has_original summary").first.click()
    group_of(page).locator("[name$=-order]").first.fill("9")
    save(page)
    reads(page, "Two", "Three", "One")


def test_the_preview_follows_the_form_and_stores_nothing(new_page, ada, tough):
    page = new_page(user=ada)
    page.goto(page_of(tough))
    preview = page.locator("#preview")
    expect(preview).to_contain_text("+2 Health at each level")
    page.get_by_label("Summary").fill("As hard as nails.")
    expect(preview).to_contain_text("As hard as nails.")
    page.locator(".said-above > summary").first.click()
    row = page.locator(".inline-related", has_text="+2 Health at each level")
    row.locator("summary").click()
    row.get_by_label("Amount").fill("4")
    expect(preview).to_contain_text("+4 Health at each level")
    row.get_by_label("Amount").fill("")
    expect(preview).to_contain_text("Anything with an error is left out.")
    tough.refresh_from_db()
    assert tough.summary != "As hard as nails."


def test_the_preview_follows_again_after_the_browser_restores_the_page(new_page, ada, tough):
    """The page was left by Save. Chromium keeps no such page in these tests, so the event is faked."""
    page = new_page(user=ada)
    page.goto(page_of(tough))
    page.evaluate("document.querySelector('form:has(#preview)').addEventListener('submit', e => e.preventDefault())")
    page.locator("[name=_save]").first.click()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    page.get_by_label("Summary").fill("As hard as nails.")
    expect(page.locator("#preview")).to_contain_text("As hard as nails.")


def test_without_script_the_preview_is_a_page(new_page, ada, tough):
    page = new_page(user=ada, script=False)
    page.goto(page_of(tough))
    page.get_by_label("Summary").fill("As hard as nails.")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Preview", exact=True).click()
    expect(opened.value.locator("#preview")).to_contain_text("As hard as nails.")
    tough.refresh_from_db()
    assert tough.summary != "As hard as nails."


def test_each_field_that_searches_has_the_name_of_its_label_in_new_rows_too(new_page, ada):
    page = new_page(user=ada)
    page.goto(reverse("admin:rules_weapon_add"))
    expect(page.get_by_role("combobox", name="Damage type:")).to_be_visible()
    page.get_by_role("link", name="Add another Property use").or_(
        page.get_by_role("button", name="Add another Property use")
    ).click()
    row = page.locator("#property_uses-0")
    row.get_by_role("combobox", name="Property").click()
    page.get_by_role("searchbox", name="Search").fill("fin")
    page.get_by_role("option", name="Finesse").click()
    expect(row.get_by_role("combobox", name="Property Finesse")).to_be_visible()
    row.get_by_role("spinbutton", name="Order").fill("1")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_pages_of_the_admin_are_accessible_and_fit(new_page, ada, tough, axe, width, dark):
    page = new_page(user=ada, width=width, dark=dark)
    for path in (reverse("admin:index"), reverse("admin:rules_talent_changelist"), page_of(tough)):
        page.goto(path)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_sentences_have_room_and_headings_are_plain(new_page, ada, tough):
    page = new_page(user=ada, width=1280)
    page.goto(page_of(tough))
    column = page.locator("#content-main form").bounding_box()["width"]
    for field in ("summary", "text"):
        assert page.locator(f"#id_{field}").bounding_box()["width"] > 0.6 * column, field
    fonts = page.evaluate("['body', 'h1'].map(one => getComputedStyle(document.querySelector(one)).fontFamily)")
    # All are read at once: the page redraws some parts, and a heading that was replaced has no style.
    headings = page.locator("#content h1, #content-main h2").evaluate_all("""all => all.map(one => {
      const { backgroundColor, textTransform, fontFamily } = getComputedStyle(one)
      return { backgroundColor, textTransform, fontFamily }
    })""")
    assert len(headings) > 1
    for style in headings:
        assert style["backgroundColor"] == "rgba(0, 0, 0, 0)"
        assert style["textTransform"] == "none"
        assert style["fontFamily"] in fonts


def test_no_word_of_the_first_page_is_smaller_than_on_the_site(new_page, ada, tough):
    page = new_page(user=ada)
    page.goto(page_of(tough))
    save(page)
    page.goto("/admin/")
    sizes = page.locator("#content :is(a, span:not(.visually-hidden))").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(sizes) > 20
    assert min(sizes) >= 12


def test_every_button_to_save_has_an_edge_in_forced_colors(new_page, ada, tough):
    page = new_page(user=ada, forced_colors="active")
    page.goto(page_of(tough))
    edges = page.locator(".submit-row input").evaluate_all(
        "all => all.map(one => getComputedStyle(one).borderTopWidth)"
    )
    assert len(edges) >= 3
    assert set(edges) == {"1px"}


def test_on_a_phone_little_stands_before_the_fields_of_an_entry(new_page, ada, tough):
    page = new_page(user=ada, width=PHONE)
    page.goto(page_of(tough))
    assert page.locator(".submit-row").first.bounding_box()["height"] < 110
    field = page.locator("#id_does")
    help_text = page.locator("#id_does_helptext").bounding_box()
    assert field.bounding_box()["y"] - help_text["y"] < 120
    page.get_by_text("Sentences that you can complete").click()
    assert page.get_by_text("choose 2 of [kind]").is_visible()
