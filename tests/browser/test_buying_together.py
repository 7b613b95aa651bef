"""Two players buy together, one of them undoes it on a phone, and the storyteller sees both; also without script."""

import pytest
from playwright.sync_api import expect

from campaigns.models import Purchase
from campaigns.verbs import agreements, campaigns, membership, purchases, seats
from characters.people import Person
from tests.campaigns.seated import sits
from tests.characters.cast import first_level, new_key, person
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_two_players_buy_together(new_page, sound, ana, django_user_model, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    players = {}
    for name in ("bo", "cid"):
        players[name] = django_user_model.objects.create_user(name, password="a-long-word-for-tests")
        who = Person(players[name])
        token = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
        membership.join(token, who, name=name.title())
        seats.bring(campaign.pk, who, first_level(who, name=name.title()).pk)
    lead = new_page(user=ana, script=script)
    bo, cid = (new_page(user=players[name], script=script, width=PHONE) for name in ("bo", "cid"))
    check = sound if script else lambda page: None

    bo.goto(campaign.get_absolute_url())
    bo.get_by_role("link", name="Bo", exact=True).click()
    bo.goto(f"{bo.url.split('#')[0]}pool/")
    check(bo)
    bo.get_by_role("link", name="Buy with the others at your table").click()
    expect(bo.get_by_label("Who gets it")).to_have_value(str(campaign.seats.first().character_id))
    expect(bo.get_by_role("checkbox", checked=True)).to_have_count(0)
    check(bo)
    bo.get_by_role("button", name="See what it does").click()
    expect(bo.get_by_text("Tick who joins.", exact=True)).to_be_visible()
    check(bo)
    bo.get_by_role("checkbox", name="Cid").check()
    bo.get_by_role("button", name="See what it does").click()
    expect(bo.locator("#ahead")).to_contain_text("5, Comfortable")
    expect(bo.locator("#ahead")).to_be_in_viewport(ratio=1)
    bo.get_by_label("What").select_option(label="Half plate")
    bo.get_by_role("button", name="See what it does").click()
    expect(bo.locator("#ahead")).to_contain_text("Bo buys Half plate together with others.")
    check(bo)
    bo.get_by_role("button", name="Propose it").click()
    expect(bo.locator(".pairs")).to_contain_text("waiting")
    check(bo)

    cid.goto(campaign.get_absolute_url())
    cid.get_by_role("link", name="Buy together 1 to answer").click()
    check(cid)
    cid.get_by_role("button", name="Agree for Cid").click()
    expect(cid.locator(".pairs")).to_contain_text("Bought.")
    check(cid)

    lead.goto(f"{campaign.get_absolute_url()}purchases/")
    check(lead)
    expect(lead.get_by_role("button", name="Undo for all")).to_be_visible()
    cid.get_by_role("button", name="Undo for all").click()
    expect(cid.locator(".pairs")).to_contain_text("Undone.")
    lead.reload()
    expect(lead.locator(".pairs")).to_contain_text("Undone.")


def test_the_open_page_of_purchases_follows_a_proposal_and_its_answers(opened, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    bo, cid = person("bo"), person("cid")
    for who, name in ((bo, "Bo"), (cid, "Cid")):
        sits(campaign, who, name=name)
        seats.bring(campaign.pk, who, first_level(who, name=name).pk)
    buyers = list(campaign.seats.values_list("character", flat=True))
    page = opened(cid.user, f"{campaign.get_absolute_url()}purchases/")
    page.get_by_label("How many").fill("3")
    made = purchases.propose(campaign.pk, bo, new_key(), buyers[0], buyers, ref="armor:leather", quantity=1)
    expect(page.get_by_role("button", name="Agree for Cid")).to_be_visible()
    expect(page.get_by_label("How many")).to_have_value("3")
    agreements.withdraw(Purchase, campaign.pk, bo, made.pk)
    expect(page.get_by_role("button", name="Agree for Cid")).to_have_count(0)
