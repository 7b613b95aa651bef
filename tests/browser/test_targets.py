"""On a phone a finger hits every control of the live pages, and the vital numbers are there without scrolling."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, encounters, seats
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play_pages.conftest import Player
from tests.support.browser import PHONE, unfold
from tests.support.characters import SAMPLES, owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEAST = 44
BESIDE = ["history/", "history/1/", "rolls/", "roll/skill.athletics/", "rest/", "downtime/", "pool/?ranks=3", "glance/"]
# For every control in an element, with each `details` opened in turn: what it is, and the width and height through its
# center on which a finger hits it or its label, up to `least`. Links within a sentence or a list are left out, because
# they are as high as their line; a link of text has no least width.
REACHED = """([within, least]) => {
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const root = document.querySelector(within), measured = new Map();
  const shown = one => one.checkVisibility({ visibilityProperty: true })
    && getComputedStyle(one).clipPath === 'none' && !one.matches('.skip-link');
  const hit = (one, x, y) => {
    const found = document.elementFromPoint(x, y);
    return one.contains(found) || found?.closest('label')?.control === one;
  };
  const reach = (one, x, y, right, down) => {
    let length = hit(one, x, y) ? 1 : 0;
    for (const way of [1, -1]) {
      for (let n = way; length && length < least && hit(one, x + n * right, y + n * down); n += way) length += 1;
    }
    return length;
  };
  const inWords = one => {
    let block = one;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    return block !== one && block.matches('p, li, dd') && block.textContent.trim() !== one.textContent.trim();
  };
  const measure = part => {
    for (const one of part.querySelectorAll(CONTROLS)) {
      const text = one.matches('a:not(.button)');
      if (measured.has(one) || !shown(one) || text && inWords(one)) continue;
      one.scrollIntoView({ block: 'center' });
      const box = one.getBoundingClientRect();
      const center = [box.x + box.width / 2, box.y + box.height / 2];
      const wide = text ? least : reach(one, ...center, 1, 0);
      measured.set(one, [one.cloneNode().outerHTML + one.textContent.trim(), wide, reach(one, ...center, 0, 1)]);
    }
  };
  measure(root);
  for (const folded of root.querySelectorAll('details:not([open])')) {
    const opened = [];
    for (let one = folded; one; one = one.parentElement.closest('details')) if (!one.open) opened.push(one);
    for (const one of opened) one.open = true;
    measure(folded);
    for (const one of opened) one.open = false;
  }
  return [...measured.values()];
}"""


def small(page, within="body", *, at_least=5):
    """The controls that are too small for a finger. With fewer than `at_least` controls it is the wrong page."""
    measured = page.evaluate(REACHED, [within, LEAST])
    assert len(measured) >= at_least
    return [f"{page.url} {wide} x {tall} {what}" for what, wide, tall in measured if min(wide, tall) < LEAST]


def test_every_control_is_large_enough_for_a_finger(new_page, ana, client):
    player = Player(ana, client)
    owned_by(ana)  # another character, for the relationship
    attack = player.get().context["page"].attacks[0].attack
    for slug, fields in (
        ("take-damage", {"amount": "3"}),
        ("adjust", {"resource": "wounds", "by": "+1"}),
        ("add-condition", {"condition": "condition:poisoned", "source": "a spider", "rounds": "3"}),
        ("add-condition", {"condition": "condition:blinded"}),
        ("add-relationship", {"other": "Bo", "based_on": "bond", "text": "Old friends"}),
        ("add-note", {"text": "A note"}),
        ("mark", {"name": "last night"}),
        ("roll", {"roll": f"attack.{attack.thing}.{attack.grip}"}),
        ("roll", {"roll": "skill.athletics", "target": "30"}),
    ):
        assert player.send(slug, **fields).status_code == 200, slug
    page = new_page(width=PHONE, user=ana)
    page.goto(player.base)
    found = small(page, at_least=300)
    unfold(page, "resolve")
    page.locator("#adjust-resolve-to").fill("0")
    page.locator("#adjust-resolve-to").blur()
    found += small(page, "#adjust-resolve", at_least=4)  # with the button for what is typed and not sent
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    found += small(page, "#keys", at_least=1)
    for below in BESIDE:
        page.goto(f"{player.base}{below}")
        found += small(page, at_least=10)
    player.send("begin-rest", rest="short-rest")
    page.goto(f"{player.base}rest/")
    found += small(page, "#rest")
    player.send("adjust", resource="health", amount="0")
    for below, down in (("", "#down"), ("glance/", ".down")):
        page.goto(f"{player.base}{below}")
        found += small(page, down, at_least=2)
    assert not found, "\n".join(found)


def test_a_finger_hits_the_odds_and_the_reasons_of_an_attack(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    page.goto(owned_by(ana).get_absolute_url())
    tall = page.locator(".attack-words a").evaluate_all("""all => all.map(one => {
      one.scrollIntoView({ block: "center" });
      const { x, y, width, height } = one.getBoundingClientRect(), below = [...Array(100).keys()].map(n => n - 50);
      return below.filter(n => one.contains(document.elementFromPoint(x + width / 2, y + height / 2 + n))).length;
    })""")
    assert len(tall) >= 4
    assert min(tall) >= LEAST


def test_a_finger_ticks_and_opens_who_sits_at_a_table(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), owned_by(ana).pk)
    page = new_page(width=PHONE, user=ana)
    page.goto(campaign.get_absolute_url())
    assert small(page, ".roster", at_least=2) == []
    assert small(page, ".seats", at_least=1) == []
    page.goto(f"{campaign.get_absolute_url()}act/take-damage/")
    assert small(page, ".form", at_least=3) == []


@pytest.mark.parametrize(
    ("address", "within"),
    [
        ("/rules/polyhedral/chapter/", ".guide-contents"),
        ("/rules/polyhedral/term/", ".glossary"),
        ("/characters/", ".shelf"),
        ("/accounts/password/change/", ".form"),
        ("{mine}build/job/", ".choices-rows"),
        ("{mine}timeline/", ".timeline"),
        ("{mine}explain/defense/", "main"),
        ("{mine}level-up/?take=core-rules.level-job&for=job:fighter", "#level-page"),
        ("{mine}at/1/", ".sheet"),
        ("/rules/polyhedral/job/fighter/", ".rank-table"),
        ("/rules/polyhedral/compare/weapon/?entry=dagger&entry=longsword", ".side-by-side"),
    ],
)
def test_a_finger_follows_names_and_opens_what_is_folded(new_page, ana, address, within):
    mine = owned_by(ana)
    put_xp(mine.pk, Person(ana), 1000)
    page = new_page(width=PHONE, user=ana)
    page.goto(address.format(mine=mine.get_absolute_url()))
    assert small(page, within, at_least=1) == []


def test_a_finger_follows_a_name_in_an_encounter(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), owned_by(ana).pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    page = new_page(width=PHONE, user=ana)
    page.goto(f"{campaign.get_absolute_url()}encounter/")
    assert small(page, ".fight-who", at_least=1) == []


def test_a_finger_follows_what_the_review_lists(new_page, ana):
    base = owned_by(ana, choices={}).get_absolute_url()
    page = new_page(width=PHONE, user=ana)
    page.goto(f"{base}build/review/")
    assert small(page, "section[aria-labelledby=missing-title]", at_least=3) == []
    whole = owned_by(ana, SAMPLES[1]).get_absolute_url()
    page.goto(f"{whole}build/review/")
    assert small(page, ".answers") == []


@pytest.mark.parametrize("slug", SAMPLES)
def test_the_vital_numbers_stand_above_the_tray_on_the_first_screen(new_page, ana, slug):
    mine = owned_by(ana, slug)
    page = new_page(width=PHONE, user=ana)
    page.goto(mine.get_absolute_url())
    expect(page.locator("#identity")).to_contain_text("Level 1")
    tray, sections = page.locator("#tray").bounding_box(), page.locator("#sections").bounding_box()
    assert page.evaluate("scrollY") == 0
    assert tray["y"] + tray["height"] == sections["y"]
    assert sections["y"] + sections["height"] == page.viewport_size["height"]
    counts = [one.get_attribute("id") for one in page.locator("#vitals .count").all()]
    assert {"count-wounds", "count-stamina", "count-resolve"} < set(counts)
    ids = ["health", "hit-amount", "hit-damage", "hit-heal", "initiative", *counts]
    vital = [page.locator(f"#{one}") for one in ids]
    vital += [page.locator(f"#measures .vital:has([href$='explain/{one}/'])") for one in ("defense", "speed")]
    vital.append(page.locator("#attacks .attack-presses").first)
    for one in vital:
        box = one.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= tray["y"], one


def test_a_finger_follows_the_name_of_a_character_in_the_log(new_page, ana):
    """A link in a line of text is as high as its letters, not as the line, before its padding."""
    mine = owned_by(ana)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    put_xp(mine.pk, Person(ana), 1000)
    page = new_page(width=PHONE, user=ana)
    page.goto(f"{campaign.get_absolute_url()}log/")
    assert page.locator(".log-what .faint a").first.bounding_box()["height"] >= LEAST
