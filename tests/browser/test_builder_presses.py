"""The presses of the shortest honest way to a first character: every answer is chosen, nothing is left open."""

import pytest
from playwright.sync_api import expect

from characters.models import Character
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST = 30


class Counted:
    """A page whose presses are counted."""

    def __init__(self, page):
        self.page, self.presses = page, 0

    def press(self, *selectors):
        """Press each, and wait for its answer."""
        for selector in selectors:
            self.presses += 1
            version = self.page.locator("#builder").get_attribute("data-version")
            self.page.locator(selector).click()
            expect(self.page.locator("#builder")).not_to_have_attribute("data-version", version)

    def follow(self, link, address):
        self.presses += 1
        link.click()
        self.page.wait_for_url(address)

    def next_step(self, slug):
        self.follow(self.page.locator(".step-turn [rel=next]"), f"**/build/{slug}/")


def test_a_first_character_in_thirty_presses(new_page):
    page = new_page(width=PHONE)
    walk = Counted(page)
    page.goto("/characters/")
    walk.follow(page.get_by_role("button", name="Make a character"), "**/build/origin/")
    page.fill("#character-name", "Tamsin Oake")
    walk.press("#keep-name", "#core-rules-lineage-lineage-elf", "#core-rules-culture-culture-elven-culture")
    walk.press("#core-rules-background-background-ambassador", "#ambassador-knowledge-knowledge-history")
    walk.press("#ambassador-languages-language-dwarven", "#ambassador-languages-idea-1")
    walk.next_step("aspects")
    walk.press("#core-rules-disposition-disposition-good", "#trait-3", "#ideal-roll", "#bond-2", "#flaw-roll")
    walk.next_step("abilities")
    walk.follow(page.get_by_role("link", name="Standard array"), "**/abilities/?method=array")
    walk.press("#keep-ranks")
    walk.press(*[f"#core-rules-ability-bonuses-rank-{name}-more" for name in ("strength", "strength", "vitality")])
    walk.next_step("job")
    walk.press("#fighter-fighting-style-feature-defense")
    walk.next_step("equipment")
    walk.press("#armor-chain-mail-buy")
    walk.follow(page.get_by_role("link", name="Simple weapons"), "**/equipment/?shelf=simple-weapons#shop")
    walk.press("#weapon-spear-buy")
    walk.follow(page.locator(".onward .button"), lambda url: url.endswith("/") and "/build/" not in url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tamsin Oake")
    assert walk.presses <= MOST
    character = Character.objects.get(sample="")
    assert {item.state for item in character.items.all()} == {"worn", "main"}
