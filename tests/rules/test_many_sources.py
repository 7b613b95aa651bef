"""Many sources at once: pages run no more queries than with few, and each source is compiled by itself."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules import compile
from rules.compile import bundle_for
from rules.library import libraries
from rules.models import Element, Source
from rules.packs.load import load_rules
from rules.publications import publish
from rules.search import find
from tests.support.characters import owned_by

from .small_pack import write_layer

pytestmark = [pytest.mark.django_db, pytest.mark.full]
MANY = 12


@pytest.fixture
def load(tmp_path):
    def load(first, last):
        for number in range(first, last):
            slug = f"book-{number}"
            source = f"{{ruleset: {{slug: polyhedral}}, source: {{slug: {slug}, title: Book {number}}}}}"
            talents = f"- {{slug: {slug}-talent, name: Talent {number}, text: A word of Wolpertinger.}}"
            load_rules(write_layer(tmp_path / slug, source=source, talents=talents))

    return load


def sources():
    return list(Source.objects.order_by("pk"))


def counted(client, url):
    client.get(url)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url)
    assert answer.status_code == 200, url
    return len(queries)


def test_no_page_runs_more_queries_for_more_sources(client, load):
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    client.force_login(ana)
    sheet = owned_by(ana, "ysolde-marrow").get_absolute_url()
    pages = [
        reverse("rules:index"),
        f"{reverse('rules:search')}?q=fighter",
        f"{reverse('rules:search')}?q=wolpertinger",
        reverse("rules:kind", args=["polyhedral", "talent"]),
        reverse("rules:element", args=["polyhedral", "talent", "tough"]),
        reverse("rules:compare", args=["polyhedral", "talent"]) + "?entry=tough&entry=medic",
        sheet,
        *(f"{sheet}{page}/" for page in ("can-take", "house-rules", "content", "level-up", "build/job")),
    ]
    load(0, 1)
    few = {page: counted(client, page) for page in pages}
    load(1, MANY)
    assert {page: counted(client, page) for page in pages} == few
    assert find("wolpertinger").total == MANY


def test_an_edit_of_one_source_compiles_only_that_source(load, monkeypatch):
    load(0, MANY)
    before = libraries()[0].bundle
    compiled = []
    bundle_of = compile.bundle_of

    def told(pack, *more):
        compiled.append(pack.source["slug"])
        return bundle_of(pack, *more)

    monkeypatch.setattr(compile, "bundle_of", told)
    Element.objects.filter(slug="book-3-talent").update(name="Another")
    publish(Source.objects.get(slug="book-3"))
    after = libraries()[0].bundle
    assert compiled == ["book-3"]
    assert (before.elements["talent:book-3-talent"].name, after.elements["talent:book-3-talent"].name) == (
        "Talent 3",
        "Another",
    )
    assert after.elements["talent:book-4-talent"] is before.elements["talent:book-4-talent"]
    assert bundle_for("polyhedral") is bundle_for("polyhedral")
    assert compiled == ["book-3"]


def test_each_pack_is_read_once_for_all_that_is_compiled_from_it(load, monkeypatch):
    load(0, MANY)
    read = []
    in_force = compile.in_force

    def told(source):
        read.append(source.slug)
        return in_force(source)

    monkeypatch.setattr(compile, "in_force", told)
    for source in sources():
        publish(source)
    libraries()
    assert sorted(read) == sorted(source.slug for source in sources())


def test_a_library_is_rebuilt_when_one_of_its_sources_is_published(load):
    load(0, 2)
    before = libraries()[0]
    assert libraries()[0] is before
    publish(Source.objects.get(slug="book-1"))
    after = libraries()[0]
    assert after is not before
    assert after.sources.keys() == before.sources.keys() >= {"book-0", "book-1"}
