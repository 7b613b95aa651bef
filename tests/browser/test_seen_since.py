"""Changes by others and by new rules show on the sheet until they are marked as seen, with script and without."""

import pytest
from playwright.sync_api import expect

from characters.models import Character
from rules.models import Source, StatModifier
from rules.publications import publish
from tests.characters.cast import granted, new_key, person
from tests.characters.play.table import play
from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_change_by_another_person_is_undone_and_marked_as_seen(new_page, sound, ana, base, script):
    character = Character.objects.get(owner=ana)
    granted(character, "storyteller")
    for amount in (1, 2):
        play.take_damage(character.pk, person("bo"), new_key(), amount=amount)
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(base)
    told = page.get_by_role("region", name="Since you last looked")
    expect(told.get_by_role("listitem")).to_have_count(2)
    if script:
        sound(page)
    told.get_by_role("button", name="Undo").first.click()
    expect(told.get_by_role("button", name="Undo")).to_have_count(1)
    expect(told.get_by_role("listitem")).to_have_count(2)
    told.get_by_role("button", name="Seen").click()
    expect(told).to_have_count(0)
    page.goto(base)
    expect(told).to_have_count(0)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_changes_by_new_rules_unfold_and_are_marked_as_seen(new_page, sound, ana, base, script):
    StatModifier.objects.update(amount=7)
    publish(Source.objects.get(slug="polyhedral-core"), note="All is seven.")
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto("/characters/")
    expect(page.get_by_text("Changed by new rules")).to_have_count(1)
    page.goto(base)
    told = page.get_by_role("region", name="The rules have changed")
    expect(told).to_contain_text("All is seven.")
    told.locator("summary").click()
    expect(told.get_by_text("Core rules: 2, now 14, 7 + half vitality 14 rounded down")).to_be_visible()
    if script:
        sound(page)
    page.get_by_role("button", name="Seen").click()
    expect(told).to_have_count(0)
    page.goto("/characters/")
    expect(page.get_by_text("Changed by new rules")).to_have_count(0)


@pytest.mark.parametrize(("width", "columns"), [(PHONE, 1), (WIDE, 3)])
def test_what_has_changed_since_then_stands_in_columns(new_page, ana, base, width, columns):
    character = Character.objects.get(owner=ana)
    play.take_damage(character.pk, person("ana"), new_key(), amount=3)
    page = new_page(width=width, user=ana)
    page.goto(f"{base}history/1/")
    changed = page.locator(".ahead > li")
    changed.first.evaluate("one => { for (let n = 0; n < 5; n++) one.after(one.cloneNode(true)); }")
    assert len({one.bounding_box()["x"] for one in changed.all()}) == columns
