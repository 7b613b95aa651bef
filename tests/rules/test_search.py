"""The search: its results, their order, typing errors, and arbitrary input."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.models import Element, Source
from rules.packs.load import load_rules
from rules.publications import publish
from rules.search import LONGEST_QUERY, MOST_RESULTS, find
from rules.search_index import Vocabulary
from tests.games import pebbles

pytestmark = pytest.mark.django_db


def names(query):
    return [result.entry.name for result in find(query).results]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("fighter", "Fighter"),
        ("FIGHTER", "Fighter"),
        ("fihgter", "Fighter"),
        ("figther", "Fighter"),
        ("longswrod", "Longsword"),
        ("long sword", "Longsword"),
        ("longs", "Longsword"),
        ("remarkble athlet", "Remarkable Athlete"),
        ("athlete remarkable", "Remarkable Athlete"),
        ("second wnd", "Second Wind"),
        ("smiths tools", "Smith's tools"),
        ("smith's", "Smith's tools"),
        ("smith\u2019s tools", "Smith's tools"),
        ("paralised", "Paralyzed"),
        ("greatswrd", "Greatsword"),
        ("blnd fighting", "Blind Fighting"),
        ("grapple", "Grapple"),
        ("oportunity atack", "Opportunity attack"),
        ("élf", "Elf"),
        ("hand-axe", "Handaxe"),
        ("chainmail", "Chain mail"),
    ],
)
def test_the_best_result_is_the_entry_that_was_meant(query, name):
    assert names(query)[0] == name


def test_the_beginning_or_the_end_of_a_word_may_be_wrong_but_not_both():
    near = Vocabulary(["fighter"]).near
    assert [near(word) for word in ("pighter", "ifghter", "fightes", "fightre")] == [{"fighter": 1}] * 4
    assert near("pightes") == {}


def test_exact_names_come_before_beginnings_before_near_names_before_texts():
    found = names("fire")
    assert found[0] == "Fire"
    assert found[1].startswith("Fire")
    texts = [result for result in find("fire").results if "fire" not in result.entry.name.casefold()]
    assert texts
    assert found.index(texts[0].entry.name) > 1


def test_the_end_of_a_name_finds_it():
    found = names("sword")
    assert set(found[:3]) == {"Longsword", "Shortsword", "Greatsword"}
    assert "Glaive" in found[3:]
    assert "Longsword" not in names("ord")


def test_every_word_must_be_found():
    assert find("fighter zzzzzz").total == 0
    assert set(names("heavy armor")) <= set(names("heavy"))


def test_texts_are_found_and_the_words_marked():
    result = next(result for result in find("proud of stonework").results if result.entry.name == "Dwarf")
    assert "<mark>stonework</mark>" in result.snippet
    assert len(result.snippet) < 400


def test_results_name_their_kind():
    assert find("prone").results[0].entry.badge == "condition"
    assert find("athletics").results[0].entry.badge == "skill"
    dash = find("dash").results[0].entry
    assert (dash.badge, dash.url.partition("#")[2]) == ("action", "action-dash")


def test_on_a_site_with_several_games_results_name_their_source(client):
    """Both games may have a talent called Song."""
    page = reverse("rules:search")
    assert "Polyhedral core rules</span>" not in client.get(page, {"q": "prone"}).content.decode()
    load_rules(pebbles.PACK)
    assert {one.source for one in find("prone").results} == {"Polyhedral core rules"}
    assert find("a song").results[0].source == "Pebbles"
    assert '<span class="faint">Pebbles</span>' in client.get(page, {"q": "a song"}).content.decode()


def test_html_in_a_text_is_escaped():
    Element.objects.filter(slug="dwarf", kind="lineage").update(text="A <b>bold</b> stoneheart & more")
    for source in Source.objects.all():
        publish(source)
    assert find("stoneheart").results[0].snippet.endswith("&lt;b&gt;bold&lt;/b&gt; <mark>stoneheart</mark> &amp; more")


def test_an_edit_is_found_once_it_is_published():
    assert find("wolpertinger").total == 0
    Element.objects.filter(slug="tough", kind="talent").update(name="Wolpertinger")
    for source in Source.objects.all():
        publish(source)
    assert names("wolpertinger") == ["Wolpertinger"]


@pytest.mark.parametrize(
    "query",
    [
        "", " ", "\0", "a\0b", "\ud800", "\u202e", "%", "'; drop table rules_element; --", "(", "[a-z]*", "<script>",
        "a" * 100_000, "é" * 99, "a " * 500, "-", "\N{GRINNING FACE}", "𝔣𝔦𝔤𝔥𝔱𝔢𝔯",
        "\N{COMBINING ACUTE ACCENT}" * 50, "ﬁghter",
    ],
)  # fmt: skip
def test_any_text_can_be_searched_for(client, query):
    found = find(query)
    assert len(found.query) <= LONGEST_QUERY
    assert len(found.results) <= MOST_RESULTS
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.get(reverse("rules:search"), {"q": query.encode("utf-8", "surrogatepass")}, headers=headers)
        assert answer.status_code == 200
        assert b"<script>" not in answer.content.replace(b"<script>alert", b"")


def test_a_malformed_query_string_is_answered(client):
    for query in ("q=%ff%fe", "q=%ed%a0%80", "q=%00", "q", "q=a&q=b", "x=1"):
        assert client.get(f"{reverse('rules:search')}?{query}").status_code == 200


def test_with_script_only_the_results_are_sent(client):
    url = reverse("rules:search")
    part = client.get(url, {"q": "fighter"}, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<div id="results">')
    assert "HX-Request" in part["Vary"]
    results, _, said = part.content.decode().partition('<p id="found" hx-swap-oob="innerHTML">')
    assert "for “fighter”" in said
    assert results.strip() in client.get(url, {"q": "fighter"}).content.decode()
    assert "Nothing found for" in client.get(url, {"q": "zzzzzz"}).content.decode()
    assert "Weapons" in client.get(url).content.decode()


def test_a_search_runs_few_queries():
    find("warm")
    with CaptureQueriesContext(connection) as queries:
        find("remarkble athlet")
    assert len(queries) <= 3
