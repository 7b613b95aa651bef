"""The page for newcomers: ten minutes to read, with correct links and figures."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.engine import Award, derive
from rules.games.polyhedral import dice
from rules.library import libraries
from rules.models import Chapter, Element, Source
from rules.models.vocabulary import Status
from rules.publications import publish
from tests.support.heroes import hero

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def compiled(db):
    libraries()


URL = "/rules/polyhedral/chapter/"


def test_every_chapter_is_on_one_page_in_order_and_in_its_contents(client):
    with CaptureQueriesContext(connection) as queries:
        body = client.get(URL).content.decode()
    chapters = list(Chapter.objects.order_by("sort"))
    assert len(chapters) == 10
    places = [body.index(f'<h2 id="{one.slug}"') for one in chapters]
    assert places == sorted(places)
    assert all(f'href="#{one.slug}"' in body for one in chapters)
    assert len(queries) <= 4


def test_the_page_takes_ten_minutes_to_read(client):
    assert client.get(URL).context["minutes"] == 10


def test_each_link_in_a_chapter_leads_to_a_rule(client):
    links = {
        link for text in Chapter.objects.values_list("text", flat=True) for link in re.findall(r"\]\((.+?)\)", text)
    }
    assert len(links) > 10
    assert [link for link in links if client.get(link).status_code != 200] == []


def test_every_chapter_but_the_last_has_an_example():
    without = [one.slug for one in Chapter.objects.order_by("sort") if "> *Example.*" not in one.text]
    assert without == ["first-evening"]


@pytest.mark.parametrize(("reach", "said"), [(9, "98%"), (12, "84%"), (15, "50%"), (18, "16%"), (21, "2%")])
def test_the_printed_chances_are_those_of_the_dice(reach, said):
    faces = range(1, 7)
    won = sum(a + b + c + 4 >= reach for a in faces for b in faces for c in faces)
    assert f"{round(100 * won / 216)}%" == f"{round(100 * dice.chance(3, 4, reach))}%" == said
    assert f"| {reach} | {said} |" in Chapter.objects.get(slug="one-roll").text


def test_the_second_level_of_the_example_brings_what_the_site_counts(core):
    """Mira has Vitality 14 and Tough."""
    tough = (Award("talent:tough", "downtime"),)
    first, second = (
        derive(core, replace(hero(level=level, vitality=14), awards=tough)).value("health.max") for level in (1, 2)
    )
    text = Chapter.objects.get(slug="levels").text
    assert (first, f"It brings {second - first} health" in text) == (12, True)


def test_a_draft_or_retired_chapter_is_not_on_the_page(client):
    Chapter.objects.filter(slug="rest").update(status=Status.DRAFT)
    Chapter.objects.filter(slug="levels").update(status=Status.RETIRED)
    for source in Source.objects.all():
        publish(source)
    body = client.get(URL).content.decode()
    assert 'id="resolve"' in body
    assert 'id="rest"' not in body
    assert 'id="levels"' not in body


def test_a_game_without_chapters_has_no_page_for_newcomers(client):
    Element.objects.filter(kind="chapter").delete()
    for source in Source.objects.all():
        publish(source)
    assert client.get(URL).status_code == 404
    assert client.get(reverse("rules:index")).content.decode().count("How to play") == 0


def test_the_glossary_has_every_word_under_its_letter(client):
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/rules/polyhedral/term/")
    letters = answer.context["letters"]
    assert list(letters) == sorted(letters)
    assert all(entry["element"].name.startswith(letter) for letter, entries in letters.items() for entry in entries)
    words = [entry["element"].slug for entries in letters.values() for entry in entries]
    assert sorted(words) == sorted(Element.objects.filter(kind="term").values_list("slug", flat=True))
    assert 'id="resolve"' in answer.content.decode()
    assert "/rules/polyhedral/rules/resolve/" in answer.content.decode()
    assert len(queries) <= 4
