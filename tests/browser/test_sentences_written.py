"""A talent written as sentences in the admin, saved once, previewed, published, then taken and used by a player."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rules.models import Talent
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db(transaction=True)
DOES = "+1 to Defense while wearing no armor\nBonus action: Harden your skin, 1 use, back after a short rest"

MOST_FIELDS = 12


def written_in(page):
    """The number of fields that the page shows: hidden and folded ones are not among them."""
    return page.evaluate("""() => [...document.querySelectorAll("#content form :is(input, textarea, select)")]
        .filter(one => one.checkVisibility() && !["submit", "button", "hidden"].includes(one.type)).length""")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_talent_in_one_save_is_published_taken_and_used(new_page, ana, sound, script):
    admin = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"), script=script)
    admin.goto("/admin/rules/talent/add/")
    admin.locator("#id_name").press_sequentially("Stone Skin")
    if not script:
        admin.locator("#id_slug").fill("stone-skin")
    admin.locator("#id_does").fill(DOES)
    admin.locator("#id_status").select_option("published")
    assert written_in(admin) <= MOST_FIELDS
    if script:
        expect(admin.locator("#preview")).to_contain_text("Harden your skin")
        expect(admin.locator("#preview")).to_contain_text("while wearing no armor")
        assert not Talent.objects.filter(slug="stone-skin").exists()
    admin.locator("[name=_save]").first.click()
    admin.get_by_text("was added successfully").wait_for()

    pk = owned_by(ana, "ysolde-marrow", xp=2000).pk
    page = new_page(user=ana, script=script)
    page.goto(f"/characters/{pk}/level-up/")
    expect(page.get_by_role("link", name="Choose Stone Skin")).to_have_count(0)

    admin.goto("/admin/")
    admin.locator(".unpublished a").click()
    expect(admin.locator(".difference")).to_contain_text("New talent “Stone Skin”")
    if script:
        sound(admin)
    admin.get_by_role("link", name="See which characters would change").click()
    expect(admin.locator("#counted")).to_contain_text("0 of 1 character would change.")
    if script:
        sound(admin)
    admin.get_by_role("link", name="Back to Publish").click()
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("Everything is published.").wait_for()
    admin.locator(".publications a").first.click()
    expect(admin.locator(".difference")).to_contain_text("New talent “Stone Skin”")
    if script:
        sound(admin)

    page.reload()
    page.get_by_role("link", name="Choose Stone Skin").click()
    page.get_by_role("button", name="Take level 2").click()
    page.get_by_role("link", name="Back to the sheet").click()
    uses = page.locator("#use-harden-your-skin")
    expect(uses).to_be_visible()
    uses.click()
    expect(page.locator("#use-harden-your-skin")).to_have_count(0)

    admin.goto("/admin/rules/talent/?q=stone-skin")
    admin.get_by_role("link", name="Stone Skin").click()
    expect(admin.locator("#id_does")).to_have_value(DOES)
    admin.locator("#id_does").fill(DOES.replace("1 use", "2 uses"))
    if script:
        sound(admin)
    admin.locator("[name=_save]").first.click()
    admin.get_by_text("was changed successfully").wait_for()
    admin.goto("/admin/")
    admin.locator(".unpublished a").click()
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("Everything is published.").wait_for()
    page.reload()
    expect(page.locator("#use-harden-your-skin")).to_be_visible()


def test_a_refused_sentence_stays_written(new_page):
    admin = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    admin.goto("/admin/rules/talent/add/")
    admin.locator("#id_name").press_sequentially("Stone Skin")
    admin.locator("#id_does").fill("+1 to Defence")
    admin.locator("[name=_save]").first.click()
    admin.get_by_text("Do you mean Defense?").wait_for()
    expect(admin.locator("#id_does")).to_have_value("+1 to Defence")
