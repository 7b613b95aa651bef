"""The search narrowed to a kind and a source: each count is the number of results that choosing it gives."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.library import libraries
from rules.models import Element, Source
from rules.packs.load import load_rules
from rules.search import MOST_RESULTS, find

from .small_pack import write_layer

pytestmark = pytest.mark.django_db
URL = "/rules/search/"


@pytest.fixture(scope="module", autouse=True)
def house(shared, tmp_path_factory):
    """A second source for the shipped game."""
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    talents = "- {slug: brisk, name: Brisk, summary: Fire at your heels.}\n- {slug: tougher, name: Tougher}"
    pack = write_layer(tmp_path_factory.mktemp("house"), source=source, talents=talents)
    shared(lambda: (load_rules(pack), libraries()))


@pytest.mark.parametrize("query", ["", "fire", "tough", "attack"])
def test_each_count_equals_the_results_of_narrowing(query):
    found = find(query)
    for facet in (one for _, facets in found.kinds for one in facets):
        assert facet.count == find(query, kind=facet.value).total > 0, facet
    for facet in found.sources:
        assert facet.count == find(query, source=facet.value).total > 0, facet
    assert sum(one.count for one in found.sources) == find(query).total


def test_a_search_can_be_narrowed_to_a_kind_and_a_source_together():
    found = find("", kind="talent", source="polyhedral.house")
    assert [result.entry.name for result in found.results] == ["Brisk", "Tougher"]
    assert [(one.value, one.count, one.chosen) for one in found.sources] == [
        ("polyhedral.polyhedral-core", 2, False),
        ("polyhedral.house", 2, True),
    ]
    kinds = [(one.value, one.count, one.chosen) for _, facets in found.kinds for one in facets]
    assert kinds == [("talent", 2, True)]  # the only kind in that source


def test_a_chosen_kind_and_source_stay_listed_if_nothing_is_found():
    found = find("zzzzzz", kind="weapon", source="polyhedral.house")
    assert found.total == 0
    assert [(one.value, one.count) for _, facets in found.kinds for one in facets] == [("weapon", 0)]
    assert [(one.value, one.count) for one in found.sources] == [("polyhedral.house", 0)]


def test_sources_of_two_rulesets_with_one_slug_are_told_apart(tmp_path):
    source = "{ruleset: {slug: other, name: Other, game: polyhedral}, source: {slug: house, title: Hut, is_core: true}}"
    load_rules(write_layer(tmp_path, source=source, talents="- {slug: brisk, name: Brisk}"))
    found = find("brisk", kind="talent")
    assert [(one.title, one.count) for one in found.sources] == [("Hut", 1), ("House", 1)]
    assert {result.source for result in found.results} == {"Hut", "House"}
    for one in found.sources:
        assert [result.source for result in find("brisk", source=one.value).results] == [one.title]


def test_actions_can_be_searched_as_a_kind():
    found = find("dash", kind="action")
    assert found.results[0].entry.url.endswith("#action-dash")
    assert {result.entry.kind for result in found.results} == {"action"}


def test_an_empty_search_lists_everything_page_by_page():
    pages, page = [], 1
    while page:
        found = find("", kind="feature", page=page)
        pages.append([result.entry.ref for result in found.results])
        assert (found.first, found.last) == (MOST_RESULTS * (page - 1) + 1, sum(map(len, pages)))
        page = found.after
    refs = [ref for one in pages for ref in one]
    assert len(pages) > 1
    assert sorted(refs) == sorted(one.ref for one in libraries()[0].bundle.of_kind("feature"))


@pytest.mark.parametrize(
    "asked", [{"kind": "nonsense"}, {"source": "a\0b"}, {"kind": "'"}, {"page": 999}, {"page": -1}]
)
def test_unknown_kinds_sources_and_pages_are_ignored(asked):
    assert find("fire", **asked) == find("fire")


@pytest.mark.parametrize("page", ["", "x", "-1", "0", "1e9", "٣", "9" * 400, "\0"])
def test_any_page_number_is_answered(client, page):
    assert client.get(URL, {"kind": "feature", "page": page}).status_code == 200


def test_a_search_can_be_narrowed_to_states_and_books():
    here = [library for library in libraries() if library.ruleset.slug == "polyhedral"]
    states = {"talent:tough": "has", "talent:medic": "open", "skill:stealth": "open"}
    titles = {"open": "Can take", "has": "Has", "lacks": "Cannot"}
    found = find("", books=here, states=states, titles=titles)
    assert found.total == 3
    assert [(one.title, one.count) for one in found.states] == [("Can take", 2), ("Has", 1)]
    found = find("", kind="talent", state="open", books=here, states=states, titles=titles)
    assert [result.entry.ref for result in found.results] == ["talent:medic"]
    assert found.address == "kind=talent&state=open"
    assert find("", state="nonsense", states=states, titles=titles).total == 3
    assert find("dash", states=states, titles=titles).total == 0
    assert find("tough", books=[]).total == 0


def test_with_script_the_counts_come_with_the_results_and_the_address_follows_the_search(client):
    answer = client.get(URL, {"q": "tough", "kind": "talent", "source": ""}, headers={"HX-Request": "true"})
    body = answer.content.decode()
    assert '<select id="rules-kind" name="kind" hx-swap-oob="true">' in body
    assert '<option value="talent" selected>' in body
    assert '<option value="polyhedral.house">House (1)</option>' in body
    assert answer["HX-Replace-Url"] == "/rules/search/?q=tough&kind=talent"


def test_a_single_source_is_not_offered_as_a_choice(client):
    assert b"rules-source" in client.get(URL).content
    Element.objects.filter(source__slug="house").delete()
    Source.objects.filter(slug="house").delete()
    assert b"rules-source" not in client.get(URL).content


def test_the_queries_do_not_grow_with_the_entries(client, tmp_path):
    def asked():
        client.get(URL, {"kind": "talent"})  # compiles the bundle
        with CaptureQueriesContext(connection) as queries:
            client.get(URL, {"kind": "talent"})
        return len(queries)

    before = asked()
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    many = "\n".join(f"- {{slug: talent-{at}, name: Talent {at}}}" for at in range(60))
    load_rules(write_layer(tmp_path / "more", source=source, talents=many))
    assert asked() == before <= 4
