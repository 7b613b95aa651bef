"""The form of every action at the table: it works, it refuses bad input, nobody else may send it, and it acts once."""

import re

import pytest

from characters.pages.sheet.live_regions import TRAY
from characters.read import version_cache
from rules.games import GAMES
from tests.characters.cast import present

from .actions import ACTIONS, CASES, WORKING, ready
from .conftest import regions

pytestmark = pytest.mark.full

SHEET = GAMES["polyhedral"].regions


def test_every_action_has_a_case():
    assert set(CASES) == set(ACTIONS)


@pytest.mark.parametrize("slug", WORKING)
def test_an_action_works_and_draws_the_regions_that_changed(player, slug):
    fields = ready(player, slug)
    version = player.character.version
    response = player.send(slug, version=player.get().context["live"].version_number, **fields)
    assert response.status_code == 200, response.content.decode()
    assert player.character.version == version + 1
    assert CASES[slug].shows in regions(response)
    assert "latest" in regions(response)
    assert player.last.sentence in response.headers["HX-Trigger"].encode().decode("unicode_escape")


@pytest.mark.parametrize("slug", WORKING)
def test_the_cached_facts_after_an_action_equal_the_stored_ones(player, slug):
    """The next change begins with the cached facts, also after an undo and after doing the action again."""
    player.send(slug, **ready(player, slug))
    for _ in range(3):
        character = player.character
        assert present(version_cache.current(character).facts) == present(player.facts)
        if slug == "undo" or player.send("undo", change=character.version).status_code != 200:
            break


@pytest.mark.parametrize("slug", WORKING)
def test_an_action_without_script_redirects_and_says_what_happened(player, slug):
    response = player.send(slug, htmx=False, **ready(player, slug))
    assert response.status_code == 303
    assert response.headers["Location"].startswith(player.base + "#")
    assert player.last.sentence in player.get().context["messages"]._loaded_data[0].message


@pytest.mark.parametrize("slug", WORKING)
def test_an_action_sent_twice_with_one_key_happens_once(player, slug):
    fields = {**ready(player, slug), "key": "one key for both of them"}
    first = player.send(slug, **fields)
    version, facts = player.character.version, player.facts
    second = player.send(slug, **fields)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (player.character.version, player.facts) == (version, facts)


@pytest.mark.parametrize("slug", sorted(CASES))
def test_a_stranger_gets_404_for_every_action(player, stranger, slug):
    fields = ready(player, slug)
    before = player.facts
    for sent in (fields, {"key": ""}):
        assert player.send(slug, client=stranger, **sent).status_code == 404
    assert player.facts == before


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("slug", sorted(slug for slug, case in CASES.items() if case.wrong))
def test_a_refused_action_shows_an_error_in_the_form_and_changes_nothing(player, slug, htmx):
    ready(player, slug)
    version, before = player.character.version, player.facts
    response = player.send(slug, htmx=htmx, **CASES[slug].wrong)
    text = response.content.decode()
    assert response.status_code == 422
    assert (player.character.version, player.facts) == (version, before)
    assert "field-error" in text, "the sentence stands beside the form"
    assert ("<html" in text) != htmx


@pytest.mark.parametrize("slug", WORKING)
def test_an_answer_leaves_out_only_regions_that_have_not_changed(player, slug):
    """A region that is left out would be drawn exactly as it is on the page."""
    fields = ready(player, slug)
    page = player.get()
    version = page.context["live"].version_number
    response = player.send(slug, version=version, **fields)
    sent = set(regions(response))
    again = player.get().content.decode()
    for region in SHEET:
        if region.id not in sent:
            before, after = part(page.content.decode(), region.id), part(again, region.id)
            for one in [one for one in sent if f'id="{one}"' in before]:
                before, after = without(before, one), without(after, one)
            assert before == after, region.id
    assert not sent.issuperset(region.id for region in SHEET)
    around = {part.id: region.id for region in SHEET for part in region.parts}
    assert around.get(CASES[slug].shows) not in sent  # a part is sent without the region around it


def without(text, id):
    """The text without the element with this id."""
    begins = re.search(rf'<(\w+)[^>]*\bid="{id}"', text)
    depth = 0
    for found in re.finditer(rf"<(/?){begins[1]}\b", text[begins.start() :]):
        depth += -1 if found[1] else 1
        if not depth:
            return text[: begins.start()] + text[begins.start() + found.end() :]
    raise AssertionError(f"{id} is not closed")


def part(text, id):
    """The text from this id to the next region, without the keys and tokens that differ in each drawing."""
    start = text.index(f'id="{id}"')
    ends = [text.find(f'id="{other}"', start + 5) for other in (*(one.id for one in (*SHEET, TRAY)), "saved")]
    end = min([end for end in ends if end > 0], default=len(text))
    return re.sub(r'(name="(?:key|csrfmiddlewaretoken)" value=")[^"]*', r"\1", text[start:end])
