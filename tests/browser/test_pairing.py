"""Relationships in three browsers: proposed by the storyteller, agreed to by both players, undone for both."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, membership, pairings, seats, table_rules
from characters.models import Relationship
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE
from tests.support.characters import owned_by
from tests.support.streaming import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(ana, django_user_model):
    """Ana's table, where Bo and Cid each play a character with their own name; and these users by name."""
    campaign, people = campaigns.create(Person(ana), new_key(), name="Saltmarsh"), {}
    table_rules.decide(campaign.pk, Person(ana), new_key(), switches={"relationships": "on"}, sources=())
    for name in ("Bo", "Cid"):
        people[name] = user = django_user_model.objects.create_user(name.lower(), f"{name.lower()}@example.com")
        invite = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
        membership.join(invite, Person(user), name=name)
        seats.bring(campaign.pk, Person(user), owned_by(user, name=name).pk)
    return campaign, people


def test_the_page_follows_changes_and_keeps_what_is_being_typed(new_page, ana, table, site):
    campaign, people = table
    address, application = site
    page = new_page(width=PHONE, user=people["Bo"])
    page.goto(f"{address}{campaign.get_absolute_url()}relationships/")
    until(lambda: len(application.hub.all()) == 1)
    (pairing,), _ = pairings.propose(campaign.pk, Person(ana), new_key(), "ring")
    page.get_by_label("In a sentence or two").fill("You owe me")
    cid = pairing.first if pairing.first.name == "Cid" else pairing.second
    words = {"based_on": "bond", "text": "Rivals."}
    pairings.agree(campaign.pk, Person(people["Cid"]), pairing.pk, cid.pk, **words)
    expect(page.locator(".pairs")).to_contain_text("“Rivals.”")
    expect(page.get_by_label("In a sentence or two")).to_have_value("You owe me")


@pytest.mark.parametrize("script", [True, False])
def test_two_players_agree_on_a_phone_and_one_undo_ends_the_relationship(new_page, sound, ana, table, script):
    campaign, people = table
    lead = new_page(width=PHONE, user=ana, script=script)
    lead.goto(campaign.get_absolute_url())
    lead.get_by_role("link", name="Relationships").click()
    lead.get_by_label("In a ring").check()
    lead.get_by_role("button", name="Show the pairs").click()
    expect(lead.locator(".looked")).to_contain_text("Bo and Cid")
    if script:
        sound(lead)
    lead.get_by_role("button", name="Propose").click()
    expect(lead.get_by_text("Proposed: ")).to_be_visible()
    for name, told in (("Bo", "Agreed. Now the other player must agree."), ("Cid", "It is on both sheets.")):
        page = new_page(width=PHONE, user=people[name], script=script)
        page.goto(campaign.get_absolute_url())
        page.get_by_role("link", name="Relationships 1 to answer").click()
        if script:
            sound(page)
        page.get_by_label("Built on").select_option("bond")
        page.get_by_label("In a sentence or two").fill("You pulled me out of the tide.")
        page.get_by_role("button", name=f"Agree for {name}").click()
        expect(page.get_by_text(told, exact=True)).to_be_visible()
    assert Relationship.objects.count() == 2
    lead.reload()
    if script:
        sound(lead)
    lead.get_by_role("button", name="Undo for both").click()
    expect(lead.locator(".acts")).to_contain_text("Undone: Relationship:")
    assert not Relationship.objects.exists()
