"""An author whose browser has no script fills in rows and searched fields, and a player's sheet shows what they say."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from rules import models
from tests.support.characters import owned_by, sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def admin(new_page, transactional_db):
    ada = User.objects.create_superuser("ada", "ada@example.com", "a long password")
    return new_page(user=ada, script=False)


def opened(page, url):
    page.goto(url)
    page.get_by_role("link", name="Work without JavaScript").click()


def page_of(slug):
    entry = models.Element.objects.get(slug=slug)
    return reverse(f"admin:rules_{entry.kind}_change", args=[entry.pk])


def filled(page, group, at=0, **columns):
    """Fill in an empty row of this group: text as it is, and of a menu the option with that label."""
    prefix = f"{group}-{int(page.locator(f'#id_{group}-INITIAL_FORMS').input_value()) + at}"
    row = page.locator(f"#{prefix}")
    if (summary := row.locator("summary")).count():
        summary.click()
    for column, words in columns.items():
        field = page.locator(f"#id_{prefix}-{column}")
        if field.evaluate("one => one.localName") == "select":
            field.select_option(label=words)
        else:
            field.fill(words)


def save(page):
    page.locator("[name=_continue]").first.click()
    page.get_by_text("successfully").wait_for()


def test_without_script_rows_are_added_published_and_in_play(admin, new_page, ana):
    before = owned_by(ana, "ysolde-marrow")
    defense = sheet_of(before)[2].value("defense")

    opened(admin, reverse("admin:rules_circumstance_add"))
    assert admin.locator(".related-widget-wrapper-link:visible").count() == 0
    admin.get_by_label("Slug").fill("seasoned")
    admin.get_by_label("Name").fill("once seasoned")
    filled(admin, "tests", test="level is at least", value="1")
    save(admin)
    expect(admin.locator(".inline-related.has_original h3")).to_have_count(1)
    expect(admin.locator(".inline-related:not(.has_original, .empty-form)")).to_have_count(2)

    opened(admin, page_of("longsword"))
    filled(admin, "property_uses", property="Reach (property)")
    save(admin)

    opened(admin, page_of("human"))
    filled(admin, "effects", stat="Defense", op="Add", amount="7", when="once seasoned")
    filled(admin, "choices", slug="keepsake", prompt="Choose a keepsake of the fen")
    save(admin)
    choice = models.Choice.objects.get(slug="keepsake")
    opened(admin, reverse("admin:rules_choice_change", args=[choice.pk]))
    filled(admin, "options", element="Dagger (weapon)")
    filled(admin, "options", 1, element="Longsword (weapon)")
    save(admin)
    assert [str(one.element) for one in choice.options.all()] == ["Dagger", "Longsword"]

    admin.goto("/admin/")
    admin.locator(".unpublished a").click()
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("Everything is published.").wait_for()

    page = new_page(user=ana, script=False)
    page.goto(before.get_absolute_url())
    expect(page.locator("#unfinished")).to_contain_text("Choose a keepsake of the fen")
    bundle, _, sheet = sheet_of(before)
    assert "property:reach" in {use.property for use in bundle.elements["weapon:longsword"].properties}
    assert sheet.value("defense") == defense + 7


@pytest.mark.parametrize("width", [390, 1280])
def test_the_form_without_script_is_accessible_and_fits(new_page, ana, axe, width):
    """The check itself is a script, so it runs where there is one."""
    page = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"), width=width)
    page.goto(f"{reverse('admin:rules_circumstance_add')}?noscript=1")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
