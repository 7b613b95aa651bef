"""Another game (tests/games/pebbles) in a browser: built, leveled and played by hand, with script and without."""

import pytest
from playwright.sync_api import expect

from characters import verbs
from characters.people import Person
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.characters.cast import new_key
from tests.games import pebbles

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pim(ana):
    load_rules(pebbles.PACK)
    return verbs.start(Person(ana), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_character_of_another_game_is_built_leveled_and_played(new_page, ana, pim, sound, script):
    page = new_page(user=ana, script=script)
    page.goto(f"/characters/{pim.pk}/build/origin/")
    page.get_by_role("button", name="Choose River folk").click()
    expect(page.get_by_role("button", name="Choose River folk")).to_have_count(0)
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Review").click()
    page.locator("input[name=name]").fill("Pim")
    page.locator("#name button").first.click()
    expect(page.get_by_text("Pim").first).to_be_visible()

    page.goto(f"/characters/{pim.pk}/levels/")
    page.get_by_label("waves", exact=True).fill("10")
    page.get_by_role("button", name="Gain").click()
    page.get_by_role("link", name="Take tide 2").click()
    page.get_by_role("link", name="Choose A big pocket").click()
    page.get_by_role("button", name="Take tide 2").click()
    expect(page.locator(".moment-pick")).to_have_text("A big pocket")

    page.goto(f"/characters/{pim.pk}/")
    hand, latest = page.locator("#hand"), page.locator("#latest")
    expect(hand).to_contain_text("6 of 6")
    page.get_by_label("Faces of your own pebbles").fill("5 2")
    page.get_by_role("button", name="Throw 2").click()
    expect(latest).to_contain_text("Pim throws: 1 pebble landed.")
    expect(hand).to_contain_text("5 of 6")
    page.get_by_label("Faces of your own pebbles").fill("9")
    page.get_by_role("button", name="Throw 2").click()
    expect(hand).to_contain_text("Write the faces as numbers, such as 5 2.")
    page.goto(f"/characters/{pim.pk}/")
    page.get_by_role("button", name="Dusk").click()
    expect(hand).to_contain_text("6 of 6")
    if script:
        sound(page)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_table_of_another_game_is_begun_and_has_its_creatures(new_page, ana, pim, sound, script):
    page = new_page(user=ana, script=script)
    page.goto("/campaigns/begin/")
    page.get_by_label("Name").fill("Riverbank")
    page.get_by_role("button", name="Begin the campaign").click()
    page.get_by_label("Pebbles").check()
    page.get_by_role("button", name="Begin the campaign").click()
    expect(page.get_by_role("heading", name="Riverbank")).to_be_visible()
    expect(page.locator(".table-face")).to_contain_text("Pebbles")
    if script:
        sound(page)
    page.get_by_role("link", name="Encounter").click()
    page.get_by_role("button", name="Begin an encounter").click()
    page.get_by_role("link", name="New creature").click()
    expect(page.get_by_label("Pebbles")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_homebrew_is_made_for_either_game(new_page, ana, pim, sound, script):
    page = new_page(user=ana, script=script)
    page.goto("/homebrew/")
    games = page.get_by_role("navigation", name="Game")
    games.get_by_role("link", name="Pebbles").click()
    expect(games.locator("[aria-current]")).to_have_text("Pebbles")
    if script:
        sound(page)
    page.get_by_role("link", name="Trick", exact=True).click()
    page.get_by_label("Name").fill("Skipping")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Skipping is saved.")).to_be_visible()
    page.goto("/homebrew/pebbles/")
    expect(page.get_by_role("link", name="Skipping")).to_be_visible()
    games.get_by_role("link", name="Polyhedral").click()
    expect(page.get_by_role("link", name="Skipping")).to_have_count(0)
