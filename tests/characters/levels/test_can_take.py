"""The page of what a character can take: its player sees which entries fit and which fail, and narrows the list."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.models import Prerequisite, Source, Stat, Talent
from rules.packs.load import load_rules
from rules.publications import publish
from tests.rules.small_pack import write_layer

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def mine(ysolde):
    return ysolde.character


def url(character):
    return reverse("characters:can-take", args=[character.pk])


def rows(answer):
    return {result.entry.ref: standing for result, standing, _ in answer.context["rows"]}


def test_the_page_says_what_the_character_has_and_could_take(client, mine):
    answer = client.get(url(mine), {"kind": "talent"})
    found = rows(answer)
    assert found["talent:tough"].state == "has"
    assert found["talent:medic"].state == "open"
    assert "With your next level." in answer.content.decode()


def test_the_requirement_that_fails_is_on_the_page(client, mine):
    strength = Stat.objects.get(key="rank.presence")
    Prerequisite.objects.create(owner=Talent.objects.get(slug="medic"), test="stat_min", stat=strength, value=20)
    for source in Source.objects.all():
        publish(source)
    answer = client.get(url(mine), {"q": "medic"})
    assert rows(answer)["talent:medic"].state == "lacks"
    assert "at least 20." in answer.content.decode()
    assert "Cannot choose yet" in answer.content.decode()


def test_each_filters_count_is_the_number_of_entries_it_finds(client, mine):
    search = client.get(url(mine), {"kind": "feature"}).context["search"]
    assert search.states
    for facet in search.states:
        found = client.get(url(mine), {"kind": "feature", "state": facet.value}).context
        assert found["search"].total == facet.count > 0
        assert {standing.state for _, standing, _ in found["rows"]} == {facet.value}
    assert sum(facet.count for facet in search.states) == search.total


@pytest.mark.parametrize(
    "asked", [{"state": "nonsense"}, {"kind": "\0"}, {"page": "-"}, {"q": "zzzzzz"}, {"state": "é" * 900}]
)
def test_a_nonsense_query_is_no_error(client, mine, asked):
    assert client.get(url(mine), asked).status_code == 200


def test_with_script_only_the_results_and_the_counts_are_sent(client, mine):
    answer = client.get(url(mine), {"state": "open"}, headers={"HX-Request": "true"})
    body = answer.content.decode()
    assert body.lstrip().startswith('<div id="results">')
    assert '<option value="open" selected>' in body
    assert answer["HX-Replace-Url"] == f"{url(mine)}?state=open"


def test_the_choice_of_a_character_before_the_page_keeps_the_query(client, mine):
    which = reverse("characters:can-take-which")
    body = client.get(which, {"q": "Tough", "kind": "talent"}).content.decode()
    assert f'href="{url(mine)}?q=Tough&amp;kind=talent"' in body
    client.cookies.clear()
    assert "You have no character yet" in client.get(which).content.decode()


def test_an_entry_that_can_be_chosen_links_to_the_page(client):
    page = client.get("/rules/polyhedral/talent/tough/").content.decode()
    assert f"{reverse('characters:can-take-which')}?q=Tough&amp;kind=talent" in page
    assert "can-take" not in client.get("/rules/polyhedral/condition/prone/").content.decode()


def test_the_queries_do_not_grow_with_the_entries(client, mine, tmp_path):
    def asked():
        client.get(url(mine))
        with CaptureQueriesContext(connection) as queries:
            client.get(url(mine))
        return len(queries), [query["sql"] for query in queries if not query["sql"].lstrip("(").startswith("SELECT")]

    before, written = asked()
    assert written == []
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    many = "\n".join(f"- {{slug: talent-{at}, name: Talent {at}}}" for at in range(60))
    load_rules(write_layer(tmp_path / "house", source=source, talents=many))
    assert asked()[0] == before
