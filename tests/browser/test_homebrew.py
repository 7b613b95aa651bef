"""A storyteller publishes a talent; a player at the table takes it, and a number changes on their sheet."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import seats
from characters.people import Person
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import person
from tests.support.characters import owned_by
from tests.support.homebrew import put_in_play_by_hand

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_talent_of_the_table_is_written_published_and_taken(new_page, sound, script):
    lead, bo = person().user, person("bo").user
    campaign = saltmarsh()
    sits(campaign, Person(bo), name="Bo")
    pk = owned_by(bo, "ysolde-marrow", xp=2000).pk
    seats.bring(campaign.pk, Person(bo), pk)

    page = new_page(user=lead, script=script)
    page.goto(f"/campaigns/{campaign.pk}/")
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Homebrew").click()
    page.get_by_role("link", name="Talent", exact=True).click()
    page.get_by_label("Name").fill("Shadow Step")
    page.get_by_label("Text").fill("You step between shadows.")
    page.locator("summary", has_text="What it does").click()
    page.get_by_label("One sentence to a line").fill("+1 to Defence")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_contain_text("Do you mean Defense?")
    if script:
        sound(page)
    page.get_by_label("One sentence to a line").fill("+1 to Defense")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Shadow Step is saved.").wait_for()
    if script:
        sound(page)
    page.get_by_role("link", name="See what would change, and publish").click()
    expect(page.locator(".difference")).to_contain_text("Shadow Step")
    if script:
        sound(page)
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("Now put it in play.").wait_for()
    put_in_play_by_hand(page, script=script)

    player = new_page(user=bo, script=script)
    player.goto(f"/characters/{pk}/")
    before = defense(player)
    player.goto(f"/characters/{pk}/level-up/")
    player.get_by_role("link", name="Choose Shadow Step").click()
    player.get_by_role("button", name="Take level 2").click()
    player.get_by_role("link", name="Back to the sheet").click()
    assert defense(player) == before + 1
    player.goto(f"/campaigns/{campaign.pk}/homebrew/")
    expect(player.get_by_role("heading", name="Shadow Step")).to_be_visible()
    if script:
        sound(player)


def defense(page):
    return int(page.locator(".vital", has_text="Defense").locator(".vital-value").first.inner_text())


def test_the_pages_for_copies_and_packs_are_accessible_and_fit(new_page, sound):
    campaign = saltmarsh()
    page = new_page(user=person().user)
    page.goto(f"/campaigns/{campaign.pk}/homebrew/copy/")
    sound(page)
    page.get_by_label("Like this one").select_option(label="Tough")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_label("Name")).to_have_value("Tough (copy)")
    sound(page)
    with page.expect_download() as started:
        page.goto(f"/campaigns/{campaign.pk}/homebrew/")
        page.get_by_role("link", name="Download as a pack").click()
    page.goto("/homebrew/polyhedral/take/")
    sound(page)
    page.get_by_label("The pack").set_input_files(started.value.path())
    page.get_by_role("button", name="Read it").click()
    expect(page.locator(".difference")).to_contain_text("Tough (copy)")
    sound(page)
    page.get_by_role("button", name="Add it").click()
    page.get_by_text("The pack was added.").wait_for()
    expect(page.get_by_role("heading", name="My homebrew")).to_be_visible()
