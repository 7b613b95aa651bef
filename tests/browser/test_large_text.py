"""With text twice as large nothing is lost on a phone: no page scrolls sideways, and everything can be reached."""

import pytest

from campaigns.verbs import campaigns, encounters, seats
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE, WIDE
from tests.support.characters import owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LARGE = "document.documentElement.style.fontSize = '200%'"
# Lists that are scrolled sideways in any size are left out.
BEYOND = """() => [...document.querySelectorAll("a, button, input, select, summary, textarea")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return one.checkVisibility() && width > 1 && !one.closest(".tabs, .step-nav ol") && (left < 0 || right > innerWidth);
}).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("below", ["", "glance/", "build/equipment/", "build/origin/", "build/abilities/", "compare/"])
def test_large_text_fits_a_phone(new_page, ana, base, below):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    page.locator("#rolled").wait_for()
    page.goto(base + below)
    page.evaluate(LARGE)
    for more in page.locator("main details:not([open]) > summary").all():
        if below != "build/equipment/" and more.is_visible():
            more.evaluate("one => one.parentElement.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert page.evaluate(BEYOND) == []
    if not below:
        assert page.locator("#hit-amount").bounding_box()["width"] >= 44
        assert page.locator("#skills .check-name > a").first.bounding_box()["height"] < 60
    if below != "build/equipment/":
        return
    name = page.locator(".ware h3").first.bounding_box()
    assert name["width"] > name["height"]


def test_names_and_questions_keep_their_lines_in_large_text(new_page, ana):
    """No word falls apart into letters beside what takes the room, and nothing is cut after two lines."""
    mine = owned_by(ana)
    begun = owned_by(ana, choices={}).get_absolute_url()
    page = new_page(width=PHONE, user=ana)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.goto(mine.get_absolute_url())
    assert page.locator(".sheet-title h1").bounding_box()["width"] > 250
    page.goto(f"{mine.get_absolute_url()}build/job/")
    assert page.locator(".option-card h3").first.bounding_box()["width"] > 200
    page.goto(f"{begun}build/origin/")
    assert page.locator(".onward-next").bounding_box()["width"] > 250
    page.goto(mine.get_absolute_url())
    page.locator("#hit-amount").fill("200")
    page.locator("#hit-damage").click()
    said = page.locator(".latest-what")
    said.wait_for()
    assert said.evaluate("one => one.scrollHeight - one.clientHeight") <= 0


def test_large_text_fits_a_phone_whatever_made_it_large(new_page, ana):
    """Either the browser's own setting, which makes limits in rem larger, too, or else a style, which does not."""
    mine = owned_by(ana)
    put_xp(mine.pk, Person(ana), 1000)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    table, mine = campaign.get_absolute_url(), mine.get_absolute_url()
    page = new_page(width=PHONE, user=ana)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    too_wide, styled = [], new_page(width=PHONE, user=ana)
    for address in (
        "/",
        "/characters/",
        f"{mine}at/1/",
        "/rules/polyhedral/chapter/",
        "/rules/polyhedral/term/",
        f"{mine}build/abilities/?method=points",
        f"{mine}level-up/",
        table,
        f"{table}encounter/",
    ):
        page.goto(address)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        too_wide += [address] * (page.evaluate("document.documentElement.scrollWidth") > PHONE)
        styled.goto(address)
        styled.evaluate(LARGE)
        too_wide += [f"{address} by a style"] * (styled.evaluate("document.documentElement.scrollWidth") > PHONE)
    page.goto(f"{mine}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    too_wide += ["gained"] * (page.evaluate("document.documentElement.scrollWidth") > PHONE)
    assert too_wide == []


def test_letters_twice_as_large_by_a_style_fit_the_narrowest_phone(new_page, ana):
    """And no name is a column of letters, beside a face or a menu that keeps its width."""
    mine = owned_by(ana)
    begun = owned_by(ana, choices={}).get_absolute_url()
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    page = new_page(width=PHONE, user=ana)
    page.set_viewport_size({"width": 320, "height": 640})
    mine, table = mine.get_absolute_url(), campaign.get_absolute_url()
    too_wide, names = [], {mine: ".sheet-title h1", "/characters/": ".shelf-who h2", table: ".roster-who h3"}
    for address in (
        *("/", "/characters/", "/rules/", "/rules/polyhedral/job/fighter/", "/rules/search/?q=attack&kind=feature"),
        *(mine, f"{mine}odds/skill.athletics/", f"{mine}levels/", f"{mine}can-take/", table),
        *(f"{begun}build/{step}/" for step in ("aspects", "job", "equipment", "review")),
    ):
        page.goto(address)
        page.evaluate(LARGE)
        too_wide += [address] * (page.evaluate("document.documentElement.scrollWidth") > 320)
        if address in names:
            assert page.locator(names[address]).first.bounding_box()["width"] > 100, address
    assert too_wide == []


def test_letters_twice_as_large_by_a_style_fit_a_laptop(new_page, ana, base):
    """A style leaves limits in rem as they are, so the sheet keeps its three columns."""
    page = new_page(user=ana)
    page.goto(base)
    page.evaluate(LARGE)
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE
    name, roll = (page.locator(f"#skills .check-row >> nth=0 >> {part}") for part in (".check-name", ".roll-this"))
    assert name.bounding_box()["width"] > 100
    assert roll.bounding_box()["y"] > name.bounding_box()["y"]
    assert roll.evaluate("one => one.scrollHeight") < 100  # its word is one line
    words, presses = (page.locator(f"#attacks .attack-{part}").first.bounding_box() for part in ("words", "presses"))
    assert words["y"] + words["height"] <= presses["y"] + 1
