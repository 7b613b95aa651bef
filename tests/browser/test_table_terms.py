"""A storyteller says how new characters begin, and someone invited begins one: with and without script, on a phone.
If two storytellers decide at once, the second sees the first's decision."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, membership, seats
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_terms_are_decided_and_new_characters_begin_by_them(new_page, sound, ana, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    token = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
    lead, nell = new_page(user=ana, script=script), new_page(width=PHONE, script=script)
    check = sound if script else lambda page: None

    lead.goto(campaign.get_absolute_url())
    lead.get_by_role("link", name="Change how they begin").click()
    check(lead)
    lead.get_by_label("Extra XP").fill("1000")
    lead.get_by_role("button", name="Save").click()
    expect(lead.locator(".field-error")).to_have_text("That much XP makes level 2. Choose it as the starting level.")
    check(lead)
    lead.get_by_label("Starting level").fill("3")
    lead.get_by_label("Extra XP").fill("250")
    lead.get_by_role("button", name="Save").click()
    expect(lead.locator("section", has_text="New characters")).to_contain_text("2,250")
    check(lead)

    nell.goto(f"/join/{token}/")
    expect(nell.get_by_text("How a new one begins")).to_contain_text("Level 3")
    check(nell)
    nell.get_by_label("Your name").fill("Nell")
    nell.get_by_label("Begin a new one").check()
    nell.get_by_role("button", name="Join").click()
    nell.wait_for_url("**/build/origin/")
    expect(nell.get_by_role("heading", level=1)).to_be_visible()
    nell.goto(campaign.get_absolute_url())
    check(nell)
    nell.get_by_role("button", name="Begin a character here").click()
    nell.wait_for_url("**/build/origin/")
    lead.goto(campaign.get_absolute_url())
    assert lead.locator(".roster-row").count() == 2
    expect(lead.locator(".roster-row").first).to_contain_text("Level 3")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_second_storyteller_to_save_terms_sees_the_first_decision(new_page, sound, ana, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    first, second = new_page(user=ana), new_page(user=ana, script=script)
    for page in (first, second):
        page.goto(f"{campaign.get_absolute_url()}terms/")
    first.get_by_label("Ability ranks are found by").select_option("pointBuy")
    first.get_by_label("Extra XP").fill("250")
    first.get_by_role("button", name="Save").click()
    second.get_by_label("Starting level").fill("3")
    second.get_by_role("button", name="Save").click()
    told = second.locator(".error-summary")
    expect(told).to_contain_text("“Ability ranks are found by” is set to buying with points")
    expect(told).to_contain_text("“Extra XP” is set to 250")
    expect(second.get_by_label("Starting level")).to_have_value("3")
    if script:
        sound(second)
    second.get_by_role("button", name="Save").click()
    expect(second.locator("section", has_text="New characters")).to_contain_text("2,000")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_second_storyteller_to_save_house_rules_sees_the_first_decision(new_page, sound, ana, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), owned_by(ana, name="Borrin").pk)
    first, second = new_page(user=ana), new_page(user=ana, script=script)
    for page, rule, value in ((first, "healthPer", "level"), (second, "fumbles", "on")):
        page.goto(f"{campaign.get_absolute_url()}rules/")
        page.locator(f"[name=rule-{rule}]").select_option(value)
        if page is first or not script:
            page.get_by_role("button", name="See what changes").last.click()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    for page in (first, second):
        page.get_by_role("button", name="Save", exact=True).click()
    expect(second.get_by_role("alert")).to_contain_text("Now “Health grows with” is set to each level")
    expect(second.locator("[name=rule-fumbles]")).to_have_value("on")
    expect(second.get_by_role("heading", name="Borrin")).to_be_visible()  # the effect of Save on each character
    if script:
        sound(second)
    second.get_by_role("button", name="Save", exact=True).click()
    expect(second.get_by_text("Saved. 1 character plays by these rules now.")).to_be_visible()
