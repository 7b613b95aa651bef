"""A storyteller writes a spell and publishes it; a player of the table adds it to their sheet, and undoes that."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import seats
from characters.people import Person
from rules.publications import publish
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import person
from tests.support.browser import PHONE
from tests.support.characters import owned_by
from tests.support.homebrew import homebrew, in_play, put_in_play_by_hand, spell

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
READY = "Add a ready-made spell"


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_spell_of_the_table_is_written_published_and_added(new_page, sound, script):
    lead, bo = person().user, person("bo").user
    campaign = saltmarsh()
    sits(campaign, Person(bo), name="Bo")
    pk = owned_by(bo, "ysolde-marrow").pk
    seats.bring(campaign.pk, Person(bo), pk)

    page = new_page(user=lead, script=script)
    page.goto(f"/campaigns/{campaign.pk}/homebrew/")
    page.get_by_role("link", name="Spell", exact=True).click()
    page.get_by_label("Name").fill("Ember")
    page.get_by_label("In one line").fill("A spark that leaps.")
    page.get_by_label("Text").fill("It leaps at one creature and burns it.")
    page.get_by_label("Casting time").fill("action")
    page.get_by_label("Range").fill("60 ft")
    page.get_by_label("Attack or save").select_option("Ranged spell attack")
    page.get_by_label("Damage").fill("much")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_contain_text("Write dice and their kind")
    if script:
        sound(page)
    page.get_by_label("Damage").fill("2d6 fire")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Ember is saved.").wait_for()
    page.get_by_role("link", name="See what would change, and publish").click()
    page.get_by_role("button", name="Publish").click()
    put_in_play_by_hand(page, script=script)

    player = new_page(user=bo, script=script)
    player.goto(f"/characters/{pk}/")
    spells = player.locator("#spells")
    spells.get_by_text(READY).click()
    expect(spells).to_contain_text("Action, 60 ft. Ranged spell attack, 2d6 fire.")
    if script:
        sound(player)
    spells.get_by_role("button", name="Add Ember").click()
    expect(spells.get_by_role("button", name="Cast Ember")).to_be_visible()
    if not script:
        spells.get_by_text(READY).click()
    expect(spells.get_by_text("On the sheet")).to_be_visible()
    if script:
        sound(player)
    player.locator("#undo-latest").click()
    expect(spells.get_by_role("button", name="Cast Ember")).to_have_count(0)


def test_several_spells_are_added_one_after_another_by_keyboard(new_page, sound):
    """The list stays open and in order. Each row has the focus once its button is gone."""
    user = person().user
    mine = homebrew("Mine", owner=user, published=False)
    for name in ("Ash", "Bramble", "Cinder"):
        spell(mine, name.lower(), name, time="action", text="Hot.")
    publish(mine)
    character = owned_by(user, "ysolde-marrow")
    in_play(mine, character)
    page = new_page(user=user, width=PHONE)
    page.goto(character.get_absolute_url())
    spells = page.locator("#spells")
    spells.get_by_text(READY).click()
    for name in ("Bramble", "Ash"):
        spells.get_by_role("button", name=f"Add {name}").press("Enter")
        expect(spells.get_by_role("button", name=f"Cast {name}")).to_be_visible()
        expect(page.locator(f"#ready-spell-{name.lower()}")).to_be_focused()
    expect(spells.get_by_role("button", name="Add Cinder")).to_be_visible()
    assert spells.locator(".spell-ready a").all_inner_texts() == ["Ash", "Bramble", "Cinder"]
    sound(page)
