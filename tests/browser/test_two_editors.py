"""Two people in one entry of the admin: the second sees both versions and chooses."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from rules.models import Source, Talent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_second_editor_sees_both_versions_and_chooses(new_page, sound, script):
    source = Source.objects.get(is_core=True)
    talent = Talent.objects.create(ruleset=source.ruleset, source=source, slug="wary", name="Wary", summary="Alert.")
    pages = [
        new_page(user=User.objects.create_superuser(name, f"{name}@example.com", "a long password"), script=script)
        for name in ("ada", "bo")
    ]
    for page in pages:
        page.goto(reverse("admin:rules_talent_change", args=[talent.pk]))
    mine, theirs = pages
    theirs.get_by_label("Summary").fill("Never surprised.")
    theirs.locator("#id_does").fill("+1 to Defense")
    theirs.locator("[name=_save]").first.click()
    theirs.get_by_text("was changed successfully").wait_for()

    mine.get_by_label("Summary").fill("Sees everything.")
    mine.locator("[name=_save]").first.click()
    both = mine.locator(".theirs")
    expect(both).to_contain_text("bo saved this")
    expect(both).to_contain_text("Never surprised.")
    expect(both).to_contain_text("+1 to Defense")
    expect(mine.get_by_label("Summary")).to_have_value("Sees everything.")
    if script:
        sound(mine)
    mine.locator("#id_does").fill("+1 to Defense")
    mine.locator("[name=_save]").first.click()
    mine.get_by_text("was changed successfully").wait_for()
    talent.refresh_from_db()
    assert talent.summary == "Sees everything."
    assert talent.effects.count() == 1
