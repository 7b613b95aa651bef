"""A table rolls for ability ranks: rolled and assigned, and a new roll granted, with and without script."""

import pytest
from playwright.sync_api import expect

from campaigns.models import RolledSet
from campaigns.verbs import campaigns, membership, terms
from characters.actions.action_context import CHANCE
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_dice_are_rolled_and_assigned_and_a_new_roll_is_granted(new_page, sound, ana, script, monkeypatch):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    terms.decide(campaign.pk, Person(ana), switches={"abilityMethod": "roll"}, more_xp=0)
    token = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
    lead, nell = new_page(user=ana, script=script), new_page(width=PHONE, script=script)
    check = sound if script else lambda page: None

    nell.goto(f"/join/{token}/")
    nell.get_by_label("Your name").fill("Nell")
    nell.get_by_role("button", name="Join").click()
    nell.goto(campaign.get_absolute_url())
    check(nell)
    nell.get_by_role("button", name="Roll your dice").click()
    rolled = RolledSet.objects.get().results
    expect(nell.locator("#live")).to_contain_text(f"Your dice: {rolled}")
    expect(nell.get_by_role("button", name="Roll your dice")).to_have_count(0)
    check(nell)
    nell.get_by_role("button", name="Begin a character here").click()
    steps = nell.url.removesuffix("origin/")
    nell.goto(f"{steps}abilities/")
    expect(nell.get_by_text("These dice were rolled for Nell at Saltmarsh.")).to_be_visible()
    check(nell)
    nell.get_by_role("button", name="Save the ranks").first.click()
    expect(nell.locator("#ranks .badge")).to_contain_text("6 / 6")

    lead.goto(f"{campaign.get_absolute_url()}terms/")
    expect(lead.locator("#dice")).to_contain_text(rolled)
    check(lead)
    monkeypatch.setattr(CHANCE, "randint", lambda low, high: high)  # not the ranks that are assigned
    lead.get_by_role("button", name="Roll again").click()
    anew = RolledSet.objects.get(replaced_at=None).results
    expect(lead.locator("#dice")).to_contain_text("by ana")
    check(lead)
    lead.goto(campaign.get_absolute_url())
    expect(lead.locator(".roster-row")).to_contain_text(f"Rolled {anew}")
    check(lead)
    nell.goto(f"{steps}abilities/")
    expect(nell.locator("#ranks .badge")).to_contain_text("0 / 6")
