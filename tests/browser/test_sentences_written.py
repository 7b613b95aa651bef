"""A talent is written as sentences in the admin, saved, previewed and published; then a player takes and uses it."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from characters.models import Character
from rules.models import Talent
from tests.support.characters import owned_by, sheet_of

pytestmark = pytest.mark.django_db(transaction=True)
DOES = "+1 to Defense while wearing no armor\nBonus action: Harden your skin, 1 use, back after a short rest"

MOST_FIELDS = 12


def written_in(page):
    """The number of fields that the page shows, without hidden and folded ones."""
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


WARDEN = """+8 to Health per rank
from rank 2: +1 to Defense
from rank 3: advantage on saving throws of Vitality"""


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_job_of_three_ranks_and_a_talent_are_published_together_and_taken(new_page, ana, script):
    """Without a restart: the player's server was running before the job was written."""
    pk = owned_by(ana, "ysolde-marrow", xp=4000).pk
    page = new_page(user=ana, script=script)
    page.goto(f"/characters/{pk}/level-up/")
    expect(page.get_by_role("link", name="Choose Warden")).to_have_count(0)
    before = values_of(pk)

    admin = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"), script=script)
    written(admin, script, "job", "Warden", WARDEN, max_rank="3")
    written(admin, script, "talent", "Stone Skin", DOES)
    page.reload()
    expect(page.get_by_role("link", name="Choose Warden")).to_have_count(0)
    admin.goto("/admin/")
    admin.locator(".unpublished a").click()
    expect(admin.locator(".difference")).to_contain_text("New job “Warden”")
    expect(admin.locator(".difference")).to_contain_text("New talent “Stone Skin”")
    admin.get_by_role("link", name="See which characters would change").click()
    expect(admin.locator("#counted")).to_contain_text("0 of 1 character would change.")
    admin.get_by_role("link", name="Back to Publish").click()
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("Everything is published.").wait_for()

    for level, name in ((2, "Warden"), (3, "Warden"), (4, "Warden"), (5, "Stone Skin")):
        page.goto(f"/characters/{pk}/level-up/")
        page.get_by_role("link", name=f"Choose {name}").click()
        page.get_by_role("button", name=f"Take level {level}").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"Level {level} {name}")
    sheet = sheet_of(Character.objects.get(pk=pk))[2]
    assert {ref: one.rank for ref, one in sheet.active.items() if ref.startswith("job:")} == {
        "job:fighter": 1,
        "job:warden": 3,
    }
    assert sheet.value("defense") - before["defense"] == 1
    assert sheet.value("health.max") - before["health.max"] >= 24
    assert sheet.rolls["save.vitality"].dice == before["save.vitality"] + 1
    page.goto(f"/characters/{pk}/")
    expect(page.locator("#use-harden-your-skin")).to_be_visible()
    page.goto(f"/characters/{pk}/level-up/")
    expect(page.get_by_role("link", name="Choose Warden")).to_have_count(0)


def values_of(pk):
    sheet = sheet_of(Character.objects.get(pk=pk))[2]
    return {key: sheet.value(key) for key in ("defense", "health.max")} | {
        key: one.dice for key, one in sheet.rolls.items()
    }


def written(admin, script, kind, name, does, **fields):
    admin.goto(f"/admin/rules/{kind}/add/")
    admin.locator("#id_name").press_sequentially(name)
    if not script:
        admin.locator("#id_slug").fill(name.lower().replace(" ", "-"))
    for field, value in fields.items():
        admin.locator(f"#id_{field}").fill(value)
    admin.locator("#id_does").fill(does)
    admin.locator("#id_status").select_option("published")
    admin.locator("[name=_save]").first.click()
    admin.get_by_text("was added successfully").wait_for()


def test_a_refused_sentence_stays_written(new_page):
    admin = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    admin.goto("/admin/rules/talent/add/")
    admin.locator("#id_name").press_sequentially("Stone Skin")
    admin.locator("#id_does").fill("+1 to Defence")
    admin.locator("[name=_save]").first.click()
    admin.get_by_text("Do you mean Defense?").wait_for()
    expect(admin.locator("#id_does")).to_have_value("+1 to Defence")
