"""A page updated by htmx answers equals the page drawn anew: answers leave out only regions that did not change."""

import random
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.models import Change
from characters.pages.sheet.live_pages import PAGES
from characters.read.version_cache import VERSIONS
from rules.compile import bundle_for
from rules.games import GAMES

from .conftest import regions

pytestmark = pytest.mark.full

SHEET = GAMES["polyhedral"].regions

HIT = {"amount": "5"}
OWN = re.compile(r'(name="(?:key|csrfmiddlewaretoken)" value=")\w+')  # differ in each drawing
PARTIAL = re.compile(r'<hx-partial hx-target="#([\w-]+)"[^>]*>(.*?)</hx-partial>', re.DOTALL)
VERSION = re.compile(r'data-version="([^"]+)"')


def drawn(response):
    return OWN.sub(r"\1", response.content.decode())


def place_of(html, id):
    """The first and last place of the element with this id."""
    begins = re.search(rf'<(\w+)[^>]*\bid="{id}"', html)
    assert begins, f"there is no {id} on the page"
    depth = 0
    for tag in re.finditer(rf"<(/?){begins[1]}\b[^>]*>", html[begins.start() :]):
        depth += -1 if tag[1] else 1
        if not depth:
            return begins.start(), begins.start() + tag.end()
    raise AssertionError(f"{id} is not closed")


def element(html, id):
    start, end = place_of(html, id)
    return html[start:end]


def taken_in(page, answer):
    """The page once htmx has put the regions of an answer in their places."""
    for id, html in PARTIAL.findall(answer):
        start, end = place_of(page, id)
        page = page[:start] + html.strip() + page[end:]
    return page


def by_chance(chance):
    """A random action that changes numbers, and its fields."""
    bundle = bundle_for("polyhedral")
    switches = [one.slug for one in bundle.circumstances.values() if one.detection != "auto"]
    condition = chance.choice(bundle.of_kind("condition")).ref
    return chance.choice(
        [
            ("toggle", {"switch": f"+{chance.choice(switches)}"}),
            ("toggle", {"switch": f"-{chance.choice(switches)}"}),
            ("add-condition", {"condition": condition}),
            ("remove-condition", {"condition": condition}),
            ("adjust", {"resource": "wounds", "by": chance.choice(["+1", "-1"])}),
            ("adjust", {"resource": "stamina", "by": chance.choice(["+1", "-1"])}),
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_sheet_after_random_actions_equals_a_new_drawing(player, seed):
    chance, sent = random.Random(seed), 0
    page = drawn(player.get())
    for _ in range(30):
        action, fields = by_chance(chance)
        answer = player.send(action, version=VERSION.search(page)[1], **fields)
        assert answer.status_code in (200, 422), (action, fields)
        anew = drawn(player.get())
        if answer.status_code == 200:
            page = taken_in(page, drawn(answer))
            sent += len(regions(answer))
        for region in SHEET:
            assert element(page, region.id) == element(anew, region.id), (action, fields)
        page = anew
    assert 40 < sent < 30 * len(SHEET)


@pytest.fixture
def on(player):
    """Send an action from a page, compare the page then with one drawn anew, and return the number of queries."""

    def send(name, slug, asked="", /, **fields):
        page = player.get(f"{name}/?{asked}")
        fields |= dict(pair.split("=") for pair in asked.split("&") if pair)
        with CaptureQueriesContext(connection) as queries:
            answer = player.send(slug, version=page.context["live"].version_number, **fields, page=name)
        assert answer.status_code == 200
        shown, anew = taken_in(drawn(page), drawn(answer)), drawn(player.get(f"{name}/?{asked}"))
        (region,) = PAGES[name].regions
        assert element(shown, region.id) == element(anew, region.id)
        return len(queries)

    return send


def test_the_history_after_marks_and_undos_equals_a_new_drawing(player, on):
    player.send("take-damage", **HIT)
    hit = player.last.sequence
    on("history", "mark", name="last night")
    on("history", "undo", change=player.last.sequence)
    on("history", "undo", change=hit)
    for _ in range(3):
        on("history", "undo", change=player.last.sequence)


@pytest.mark.parametrize("asked", ["kind=health", "kind=story", "before=5", "kind=health&before=5"])
def test_the_filtered_history_after_marks_and_undos_equals_a_new_drawing(player, on, asked):
    for _ in range(3):
        player.send("take-damage", **HIT)
        player.send("add-note", text="Rain.")
    on("history", "mark", asked, name="last night")
    on("history", "undo", asked, change=2)
    on("history", "undo", asked, change=player.last.sequence)


def test_the_first_change_of_a_day_brings_its_heading(player, on):
    player.send("take-damage", **HIT)
    Change.objects.filter(character=player.pk).update(at=player.last.at - timedelta(days=1))
    on("history", "mark", name="next evening")


def test_a_form_among_older_changes_leads_back_to_them(player):
    for number in range(4):
        player.send("add-note", text=f"Note {number}")
    last = player.last.sequence
    plain = player.send("undo", htmx=False, page="history", before=last, change=last - 2)
    assert plain.headers["Location"] == f"{player.base}history/?before={last}#history"
    VERSIONS.values.clear()
    refused = player.send("undo", page="history", change=last - 2, before=last)  # which is undone already
    assert refused.status_code == 422
    assert f'id="change-{last}"' not in refused.content.decode()
    assert refused.content.decode().count(f'name="before" value="{last}"') > 1  # in the forms to mark and to undo


def test_the_rolls_page_after_rolls_and_nudges_equals_a_new_drawing(player, on):
    player.send("roll", roll="skill.athletics", target="30")
    on("rolls", "roll", roll="skill.athletics", target="30")
    player.send("adjust", resource="resolve", amount="1")
    on("rolls", "nudge", roll=player.character.rolls.latest("pk").pk, up="yes")  # the last point
    assert "Spend one Resolve" not in player.get("rolls/").content.decode()


def test_repeated_undos_add_no_queries(player, on):
    player.send("roll", roll="skill.athletics", target="30")
    asked = {}
    for _ in range(2):
        for page in ("", "history/", "history/?kind=dice", "rolls/"):
            with CaptureQueriesContext(connection) as queries:
                assert player.get(page).status_code == 200
            assert asked.setdefault(page, len(queries)) == len(queries), page
        for _ in range(50):
            player.send("undo", change=player.last.sequence)
    assert len(player.get("rolls/").context["live"].rolls(9)) == 1
    assert on("history", "undo", change=player.last.sequence) == on("history", "undo", change=player.last.sequence)
    on("history", "undo", change=player.last.sequence)
    assert player.get("rolls/").context["live"].rolls(9) == []
