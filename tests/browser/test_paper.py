"""A printed page has its text, and nothing to press or fill in."""

import re

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, encounters, seats
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.characters import owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PRESSED = """() => [...document.querySelectorAll("button, input, select, textarea, .button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.outerHTML)"""


def test_a_printed_sheet_says_where_to_read_what_has_changed_since(new_page, ana, site):
    """On a page that has followed a change, too; what comes after the print is on the page that it names."""
    mine = owned_by(ana)
    for script in (True, False):
        page = new_page(user=ana, script=script)
        page.goto(site[0] + mine.get_absolute_url())
        play.take_damage(mine.pk, Person(ana), new_key(), amount=2)
        if script:
            expect(page.locator("#latest")).to_contain_text("takes 2 damage")
        else:
            page.reload()
        page.emulate_media(media="print")
        said = page.locator("#saved b")
        assert said.is_visible()
        address = said.inner_text()
        mine.refresh_from_db()
        assert address.endswith(f"{mine.get_absolute_url()}history/{mine.version}/")
        play.heal(mine.pk, Person(ana), new_key(), amount=1)
        page.emulate_media(media="screen")
        assert not said.is_visible()
        page.goto(f"http://{address}")
        expect(page.locator("main")).to_contain_text("regains 1 health")
        expect(page.locator(".history-row")).to_have_count(1)


@pytest.mark.parametrize(
    "address",
    [
        "{mine}levels/",
        "{mine}compare/",
        "{mine}rest/",
        "{mine}history/",
        "{mine}pool/?ranks=3",
        "{table}",
        "{table}encounter/",
        "{table}log/",
    ],
)
def test_paper_has_nothing_to_press(new_page, ana, address):
    mine = owned_by(ana)
    put_xp(mine.pk, Person(ana), 1000)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), mine.pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    page = new_page(user=ana)
    page.goto(address.format(mine=mine.get_absolute_url(), table=campaign.get_absolute_url()))
    assert page.evaluate(PRESSED) != []
    page.emulate_media(media="print")
    assert page.evaluate(PRESSED) == []
    assert page.locator("h1").is_visible()


def test_paper_shows_what_the_party_does_best_and_no_mark_that_unfolds_it(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    for name in ("Borrin", "Ilien"):
        seats.bring(campaign.pk, Person(ana), owned_by(ana, name=name).pk)
    page = new_page(user=ana)
    page.goto(campaign.get_absolute_url())
    best, skill = page.locator(".best > summary"), page.locator(".best dt", has_text="Athletics")
    assert not skill.is_visible()
    page.emulate_media(media="print")
    assert skill.is_visible()
    assert best.evaluate("one => getComputedStyle(one).listStyleType") == "none"


def test_the_vital_numbers_of_a_sheet_are_one_row_on_paper(new_page, ana):
    page = new_page(user=ana)
    page.goto(owned_by(ana).get_absolute_url())
    page.set_viewport_size({"width": 695, "height": 990})  # A4 without its margins
    page.emulate_media(media="print")
    health, measures = page.locator("#health").bounding_box(), page.locator("#measures").bounding_box()
    assert measures["x"] > health["x"] + health["width"]
    assert measures["y"] == health["y"]


def test_long_texts_and_many_spells_leave_no_page_empty(new_page, ana):
    """The spells fill both columns, and a note that is longer than a page brings no blank one."""
    mine = owned_by(ana)
    person = Person(ana)
    for number in range(12):
        spell = {"name": f"Spell {number}", "time": "action", "range": "60 ft", "text": "A cone of flame. " * 12}
        play.add_spell(mine.pk, person, new_key(), **spell)
    play.add_note(mine.pk, person, new_key(), text="We met the ferryman at the ford. " * 100)
    page = new_page(user=ana)
    page.goto(mine.get_absolute_url())
    assert len(re.findall(rb"/Type /Page\b", page.pdf(format="A4"))) == 4
    page.emulate_media(media="print")
    groups = page.locator(".action-group")
    assert set(groups.evaluate_all("all => all.map(one => getComputedStyle(one).breakInside)")) == {"avoid"}


def test_no_name_of_a_counter_looks_like_a_link_on_paper(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    names = page.locator("#vitals .resource-name")
    lines = "all => all.map(one => getComputedStyle(one).textDecorationLine)"
    assert set(names.evaluate_all(lines)) == {"underline"}
    page.emulate_media(media="print")
    assert set(names.evaluate_all(lines)) == {"none"}


def test_a_printed_form_has_lines_with_its_values_and_no_boxes(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh", description="Six days.\n" * 12)
    page = new_page(user=ana)
    page.goto(f"{campaign.get_absolute_url()}settings/")
    page.emulate_media(media="print")
    name, about = page.locator("[name=name]"), page.locator("[name=description]")
    assert name.evaluate("one => getComputedStyle(one).borderWidth") == "0px 0px 1px"
    assert about.evaluate("one => one.scrollHeight <= one.clientHeight")
    for step in ("origin", "abilities", "equipment"):
        page.goto(f"{owned_by(ana, choices={}).get_absolute_url()}build/{step}/")
        pressed = page.locator(".card-button, .stepper button, .ware-many, .onward, .side-sheet")
        assert [one for one in pressed.all() if one.is_visible()] == []


def test_a_printed_log_or_list_of_levels_says_nothing_of_what_is_pressed(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    mine = owned_by(ana)
    put_xp(mine.pk, Person(ana), 2000)
    page = new_page(user=ana)
    page.goto(f"{mine.get_absolute_url()}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    for one, below, words in ((campaign, "log/", "Set a mark when"), (mine, "levels/", "With dates")):
        page.emulate_media(media="screen")
        page.goto(one.get_absolute_url() + below)
        expect(page.get_by_text(words)).to_be_visible()
        page.emulate_media(media="print")
        expect(page.get_by_text(words)).to_be_hidden()
