"""The fixed bars never cover the focused element, nor most of a phone held sideways, and nothing cuts off the focus
ring."""

import pytest

from campaigns.verbs import campaigns, creatures, encounters, party_acts, seats
from characters.actions.action_context import CHANCE
from characters.people import Person
from tests.campaigns.fights import WOLF
from tests.characters.cast import new_key
from tests.characters.play.table import Fixed
from tests.support.browser import COVERED, HEIGHTS, PHONE, WIDE
from tests.support.characters import owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIDEWAYS = HEIGHTS[PHONE]  # the width of a phone that lies on its side
# True if the closest part that scrolls cuts the ring around an element, which is 3 pixels wide and 2 away.
CUT = """one => {
  let part = one.parentElement;
  while (getComputedStyle(part).overflowY === "visible") part = part.parentElement;
  const inner = one.getBoundingClientRect(), outer = part.getBoundingClientRect();
  return inner.left - 5 < outer.left || inner.right + 5 > outer.right;
}"""


@pytest.mark.parametrize("width", [PHONE, SIDEWAYS, WIDE])
def test_no_bar_covers_the_element_with_the_focus(new_page, ana, width):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    for name in ("Borrin", "Ilien", "Mira", "Nell", "Ysolde", "Zoe"):
        seats.bring(campaign.pk, Person(ana), owned_by(ana, name=name).pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    creatures.create(campaign.pk, Person(ana), new_key(), many=3, hidden=False, **WOLF)
    page = new_page(width=PHONE, user=ana)
    page.set_viewport_size({"width": width, "height": PHONE if width == SIDEWAYS else HEIGHTS[width]})
    for below, bar, key in (("", ".hand", "Tab"), ("encounter/", ".turn-bar", "Shift+Tab")):
        page.goto(f"{campaign.get_absolute_url()}{below}")
        if key != "Tab":
            page.locator("footer select").focus()
        walked = []
        for _ in range(50):
            page.keyboard.press(key)
            walked.append(page.evaluate(COVERED, bar))
        assert [one for one in walked if one] == [], below


@pytest.mark.parametrize("scrolled", [0, 400])
def test_on_a_low_screen_every_counter_comes_into_sight_with_the_focus(new_page, ana, base, scrolled):
    """So it is on a high one, for a character with more counters."""
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 600})
    page.goto(base)
    page.evaluate("y => scrollTo(0, y)", scrolled)
    page.locator("#hit-amount").focus()
    walked, covered = [], []
    while page.evaluate("!document.activeElement.closest('#times')"):
        walked.append(page.evaluate("document.activeElement.textContent.trim()"))
        covered.append(page.evaluate(COVERED, "#times, #tray"))
        page.keyboard.press("Tab")
    assert walked[-1].startswith("Use")
    assert [one for one in covered if one] == []


def test_the_ring_of_the_focus_is_whole_in_a_part_that_scrolls(new_page, ana):
    lead = new_page(width=PHONE, user=ana)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), owned_by(ana).pk)
    lead.goto(campaign.get_absolute_url())
    lead.locator(".hand-more > summary").click()
    assert not lead.locator(".hand-more > summary").evaluate(CUT)
    assert not lead.locator(".hand-more button:visible").first.evaluate(CUT)
    player = new_page(width=WIDE, user=ana)
    player.goto(f"{owned_by(ana, choices={}).get_absolute_url()}build/origin/")
    assert not player.get_by_role("link", name="Next question").evaluate(CUT)


# A critical has longer words, and so a line more.
@pytest.mark.parametrize(("faces", "share"), [((2, 5, 3), 0.36), ((6, 6, 2), 0.4)], ids=["usual", "critical"])
def test_a_phone_on_its_side_shows_what_the_page_is_for(new_page, ana, monkeypatch, faces, share):
    monkeypatch.setattr(CHANCE, "randint", Fixed(*faces).randint)
    page = new_page(width=PHONE, user=ana)
    page.set_viewport_size({"width": SIDEWAYS, "height": PHONE})
    page.goto(f"{owned_by(ana, choices={}).get_absolute_url()}build/origin/")
    assert page.locator(".side-sheet").bounding_box()["height"] < 90
    page.goto(owned_by(ana).get_absolute_url())
    health, tray = page.locator("#health").bounding_box(), page.locator("#tray").bounding_box()
    assert health["y"] + health["height"] < tray["y"]
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    page.locator("#rolled").wait_for()
    tray = page.locator("#tray").evaluate("one => [one.clientHeight, one.scrollHeight]")
    assert tray[0] == tray[1] < PHONE * share


# The share of the screen's height that bars which stay cover, in its middle.
STAYING = """() => {
  const rows = [...Array(innerHeight / 4).keys()].map((n) => document.elementFromPoint(innerWidth / 2, 4 * n + 2));
  const held = (one) => ["fixed", "sticky"].includes(getComputedStyle(one).position);
  const stays = (one) => one && (held(one) || stays(one.parentElement));
  return rows.filter(stays).length / rows.length;
}"""


def test_a_page_at_four_times_its_size_shows_more_of_itself_than_of_its_bars(new_page, ana):
    """A window of 1280 by 1024 pixels is then one of 320 by 256."""
    mine, begun = owned_by(ana), owned_by(ana, choices={}).get_absolute_url()
    put_xp(mine.pk, Person(ana), 1000)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    to = {mine.pk: ""}
    party_acts.do_to_several(campaign.pk, Person(ana), new_key(), "take_damage", {"amount": "2"}, to, proposed=True)
    page = new_page(width=PHONE, user=ana)
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(f"{mine.get_absolute_url()}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    shares = {}
    for address in (
        page.url,
        mine.get_absolute_url(),
        f"{begun}build/origin/",
        f"{begun}build/abilities/?method=points",
        f"{campaign.get_absolute_url()}encounter/",
    ):
        page.goto(address)
        page.evaluate("scrollTo(0, 300)")
        shares[address] = page.evaluate(STAYING)
    assert {address: share for address, share in shares.items() if share > 0.6} == {}
