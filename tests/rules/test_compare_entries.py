"""Entries of one kind, compared side by side."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.comparison import MOST_COMPARED, parts_of
from rules.library import libraries
from rules.models import Talent

pytestmark = pytest.mark.django_db
URL = "/rules/polyhedral/compare/weapon/"


@pytest.fixture
def library(db):
    return libraries()[0]


def compared(library, *refs):
    parts = parts_of(library, [library.bundle.elements[ref] for ref in refs])
    return {part.title: [[said(line) for line in cell] for cell in part.cells] for part in parts}


def said(line):
    return "".join(words for words, _ in line).strip()


def test_weapons_are_compared_by_their_figures(library):
    parts = compared(library, "weapon:dagger", "weapon:longsword")
    assert parts["Damage"] == [["1d4 Piercing"], ["1d8 Slashing"]]
    assert parts["Hands"] == [["1"], ["1"]]
    assert parts["Properties"] == [["Finesse", "Light", "Thrown (30/60)"], ["Versatile (5)"]]
    assert "Needs" not in parts  # neither has requirements


def test_each_entry_has_its_effects_in_its_own_cell_which_is_empty_without_effects(library):
    medic, tough = compared(library, "talent:medic", "talent:tough")["What it does"]
    assert "A dying creature that you stabilize with a healing tool also regains 1 health." in medic
    assert "+2 Health at each level" in tough
    assert not {*medic} & {*tough}
    none, dead = compared(library, "condition:stable", "condition:dead")["What it does"]
    assert (none, dead[0]) == ([], "Cannot take actions")


def test_parts_that_say_the_same_are_marked(library):
    parts = parts_of(library, [library.bundle.elements[ref] for ref in ("weapon:dagger", "weapon:longsword")])
    assert {part.title for part in parts if part.alike} == {"Hands", "From"}


def test_a_single_entry_has_no_part_marked_as_alike(library):
    assert not any(part.alike for part in parts_of(library, [library.bundle.elements["weapon:dagger"]]))


def test_the_page_shows_entries_in_the_order_of_the_address(client):
    body = client.get(URL, {"entry": ["longsword", "dagger", "longsword", ""]}).content.decode()
    assert "Longsword and" in " ".join(body.split())
    assert body.index(">Longsword</a>") < body.index(">Dagger</a>")


def test_only_the_first_three_entries_are_compared_and_the_page_says_so(client):
    answer = client.get(URL, {"entry": ["dagger", "club", "longsword", "greatsword"]})
    assert [one["element"].slug for one in answer.context["columns"]] == ["dagger", "club", "longsword"]
    assert len(answer.context["columns"]) == MOST_COMPARED
    assert "Only three fit side by side" in answer.content.decode()


@pytest.mark.parametrize("slug", ["nonsense", "a b", "\0", "<script>alert(1)</script>", "é" * 500])
def test_an_unknown_entry_is_reported_and_the_rest_is_shown(client, slug):
    answer = client.get(URL, {"entry": ["dagger", slug]})
    assert answer.status_code == 404
    body = answer.content.decode()
    assert "Choose another below" in body
    assert ">Dagger</a>" in body
    assert "<script>alert" not in body


def test_a_renamed_entry_is_found_by_its_old_slug(client):
    Talent.objects.filter(slug="tough").update(was="hardy")
    answer = client.get("/rules/polyhedral/compare/talent/", {"entry": ["hardy", "medic"]})
    assert [one["element"].slug for one in answer.context["columns"]] == ["tough", "medic"]


@pytest.mark.parametrize("kind", ["chapter", "term", "nonsense"])
def test_chapters_terms_and_unknown_kinds_are_not_compared(client, kind):
    assert client.get(f"/rules/polyhedral/compare/{kind}/").status_code == 404


def test_every_kind_can_be_compared(client, library):
    kinds = {element.kind for element in library.bundle.elements.values()} - {"chapter", "term"}
    for kind in sorted(kinds):
        slugs = [element.slug for element in library.bundle.of_kind(kind)[:3]]
        assert client.get(f"/rules/polyhedral/compare/{kind}/", {"entry": slugs}).status_code == 200, kind


def test_the_queries_do_not_grow_with_the_entries(client, library):
    counts = []
    for slugs in (["dagger"], ["dagger", "longsword", "greatsword"]):
        with CaptureQueriesContext(connection) as queries:
            client.get(URL, {"entry": slugs})
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 4
