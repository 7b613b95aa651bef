"""A table from beginning to end by three people, two of them without an account: every page is accessible and fits,
and every step works without script."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, seats
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_a_storyteller_invites_and_a_guest_rolls(new_page, ana, script):
    owned_by(ana, name="Borrin")
    lead = new_page(user=ana, script=script)
    lead.goto("/campaigns/")
    lead.get_by_role("link", name="Lead a campaign").click()
    lead.get_by_label("Name").fill("Saltmarsh")
    lead.get_by_role("button", name="Set up the table").click()
    lead.get_by_role("button", name="Prepare it").click()
    expect(lead.locator(".roster")).to_contain_text("waits for a player")
    lead.get_by_role("link", name="People and invites").click()
    lead.get_by_role("button", name="Make an invite").click()
    link = lead.get_by_label("The new invite").input_value()

    nell = new_page(width=PHONE, script=script)
    nell.goto(link)
    nell.get_by_label("Your name").fill("Nell")
    nell.get_by_label("Borrin").check()
    nell.get_by_role("button", name="Sit down").click()
    nell.get_by_role("button", name="Roll initiative").click()
    expect(nell.locator("#rolled")).to_contain_text("Initiative")

    lead.goto(nell.url.partition("#")[0].partition("?")[0])
    lead.locator("#hit-amount").fill("2")
    lead.locator("#hit-damage").click()
    expect(lead.locator("#latest")).to_contain_text("2 damage")
    lead.goto("/campaigns/")
    lead.get_by_role("link", name="Saltmarsh").click()
    expect(lead.locator(".roster")).to_contain_text("2 damage")
    expect(lead.locator(".roster")).to_contain_text("Nell")
    lead.get_by_role("link", name="People and invites").click()
    lead.get_by_role("button", name="Remove Nell").click()
    answer = nell.goto(nell.url.partition("#")[0].partition("?")[0])
    assert answer.status == 404
    assert "404" in new_page.complaints.pop()


def test_every_page_of_a_table_is_accessible_and_fits(new_page, sound, ana):
    who, visitor = Person(ana), new_page()
    visitor.goto("/campaigns/")
    sound(visitor)
    campaign = campaigns.create(who, new_key(), name="The long name of a table that meets by the Saltmarsh lighthouse")
    for name in ("Borrin", "A character with a rather long name"):
        seats.bring(campaign.pk, who, owned_by(ana, name=name).pk)
    page, base = new_page(user=ana), campaign.get_absolute_url()
    share = f"{owned_by(ana).get_absolute_url()}share/"
    for path in ("/campaigns/", "/campaigns/begin/", base, f"{base}people/", f"{base}settings/", share):
        page.goto(path)
        sound(page)
    page.get_by_role("button", name="Make a link").click()
    sound(page)
    page.goto(f"{base}people/")
    page.get_by_role("button", name="Make an invite").click()
    sound(page)
    visitor.goto(page.get_by_label("The new invite").input_value())
    sound(visitor)
