"""The number of presses and the reading time that a first character takes, following the bar from step to step.

Every question is answered. Each line is read once, at `WORDS_A_MINUTE`: at each press, everything from the top of the
step to the foot of the screen, except folded parts, counters and the side sheet.
"""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from characters.models import Character
from characters.verbs import roll_missing_aspects
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST, MINUTES = 30, 5
WORDS_A_MINUTE, SECONDS_A_PRESS = 238, 1.5  # silent reading of English (Brysbaert 2019); to aim and press
WORD = re.compile(r"\w\S*")
PASSED = ".visually-hidden, [aria-hidden], .badge, .side-sheet details"
LINES = """(passed) => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const { parentElement: at, textContent } = texts.currentNode;
    if (!textContent.trim() || !at.checkVisibility() || at.closest(passed)) continue;
    if (at.getBoundingClientRect().top < innerHeight) found.push(textContent.trim().replace(/\\s+/g, ' '));
  }
  return found;
}"""


class Walk:
    """A page whose presses and words are counted."""

    def __init__(self, page):
        self.page, self.presses, self.read = page, 0, set()
        self.words = {}

    def look(self):
        lines = set(self.page.evaluate(LINES, PASSED)) - self.read
        self.read |= lines
        step = self.page.url.split("/")[-2]
        self.words[step] = self.words.get(step, 0) + sum(len(WORD.findall(line)) for line in lines)

    def press(self, *selectors):
        """Press each, and wait for its answer."""
        for selector in selectors:
            version = self.page.locator("#builder").get_attribute("data-version")
            self._press(self.page.locator(selector))
            expect(self.page.locator("#builder")).not_to_have_attribute("data-version", version)

    def follow(self, link, address):
        self._press(link)
        self.page.wait_for_url(address)

    def onward(self, address="**/build/*/"):
        """Press the button of the bar."""
        self.follow(self.page.locator(".onward .button"), address)

    def _press(self, control):
        control.scroll_into_view_if_needed()
        self.look()
        self.presses += 1
        control.click()

    @property
    def minutes(self):
        return sum(self.words.values()) / WORDS_A_MINUTE + self.presses * SECONDS_A_PRESS / 60


class Wordiest(Random):
    """Draws the longest line of each table, so that the minutes hold for every roll."""

    def choice(self, lines):
        return max(lines, key=lambda line: len(WORD.findall(line)))


HUMAN = (
    "#core-rules-lineage-lineage-human",
    "#core-rules-culture-culture-human-culture",
    "#human-culture-language-language-elvish",
    "#human-culture-knowledge-knowledge-history",
    "#human-culture-skills-skill-athletics",
    "#human-culture-skills-skill-awareness",
    "#human-culture-talent-talent-tough",
    "#core-rules-background-background-ambassador",
    "#ambassador-knowledge-knowledge-religion",
    "#ambassador-languages-language-dwarven",
    "#ambassador-languages-idea-1",
)
ELF = (
    "#core-rules-lineage-lineage-elf",
    "#core-rules-culture-culture-elven-culture",
    "#core-rules-background-background-ambassador",
    "#ambassador-knowledge-knowledge-history",
    "#ambassador-languages-language-dwarven",
    "#ambassador-languages-idea-1",
)


@pytest.mark.parametrize("origin", [HUMAN, ELF], ids=["human", "elf"])
def test_a_first_character_takes_at_most_thirty_presses_and_five_minutes(new_page, origin, monkeypatch):
    monkeypatch.setitem(roll_missing_aspects.__kwdefaults__, "chance", Wordiest())
    page = new_page(width=PHONE)
    walk = Walk(page)
    page.goto("/characters/")
    walk.follow(page.get_by_role("button", name="Make a character"), "**/build/origin/")
    page.fill("#character-name", "Tamsin Oake")
    walk.press("#keep-name", *origin)
    walk.onward("**/build/aspects/*")
    walk.press("#core-rules-disposition-disposition-good", "#roll-missing")
    walk.onward("**/build/abilities/*")
    walk.press("#keep-ranks")
    walk.press(*[f"#core-rules-ability-bonuses-rank-{name}-more" for name in ("strength", "strength", "vitality")])
    walk.onward("**/build/job/*")
    walk.press("#fighter-fighting-style-feature-defense")
    walk.onward("**/build/equipment/*")
    walk.press("#take-outfit")
    walk.onward(lambda url: url.endswith("/") and "/build/" not in url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tamsin Oake")
    character = Character.objects.get(sample="")
    assert "worn" in {item.state for item in character.items.all()}
    assert not character.items.filter(state="carried").exists()
    assert walk.presses <= MOST
    assert walk.minutes <= MINUTES, (walk.minutes, walk.words)
