"""The public pages of the rules, with the whole core pack."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from rules.library import SHELVES, libraries
from rules.markdown import plain, render
from rules.models import Choice, Element, Source
from rules.models.vocabulary import Kind, Status
from rules.packs.check import PackReader
from rules.packs.load import files_in, folder_of
from rules.publications import publish

PACK = "polyhedral-core"
REFS = sorted(PackReader(files_in(folder_of(PACK))).pack.elements)


@pytest.fixture
def pack(db):
    return libraries()[0]


pytestmark = pytest.mark.django_db


def url_of(ref):
    kind, _, slug = ref.partition(":")
    return reverse("rules:element", args=["polyhedral", kind, slug])


def page(client, ref):
    return client.get(url_of(ref)).content.decode()


@pytest.mark.parametrize("ref", REFS)
def test_every_element_has_a_page_with_its_name_and_text(client, pack, ref):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = client.get(url_of(ref))
    assert answer.status_code == 200
    body = answer.content.decode()
    element = pack.bundle.elements[ref]
    assert f"<h1>{escape(element.name)}</h1>" in body
    assert escape(element.summary) in body
    assert len(queries) <= 8


@pytest.mark.parametrize("kind", sorted({ref.partition(":")[0] for ref in REFS}))
def test_every_kind_has_a_list_of_all_its_elements(client, pack, kind):
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(reverse("rules:kind", args=["polyhedral", kind]))
    body = answer.content.decode()
    ways = [(url_of(element.ref), f'id="{element.slug}"') for element in pack.bundle.of_kind(kind)]
    assert all(url in body or place in body for url, place in ways)
    assert len(queries) <= 8


def test_every_kind_is_on_exactly_one_shelf():
    assert sorted(kind for kinds in SHELVES.values() for kind in kinds) == sorted(Kind.values)


def test_the_index_counts_every_kind(client, pack):
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(reverse("rules:index"))
    shelves = answer.context["games"][0]["shelves"]
    counts = {kind["title"]: kind["count"] for _, kinds in shelves for kind in kinds}
    counts |= {step["title"]: step["count"] for step in answer.context["games"][0]["first_steps"]}
    assert sum(counts.values()) == len(REFS)
    assert counts["Weapons"] == len(pack.bundle.of_kind("weapon"))
    assert "CC BY 4.0" in answer.content.decode()
    assert len(queries) <= 8


def test_a_job_shows_its_ranks_choices_and_grants(client):
    body = page(client, "job:fighter")
    assert "Rank by rank" in body
    assert body.index("Second Wind</a>") < body.index("Action Surge</a>") < body.index("Indomitable</a>")
    assert url_of("feature:defense") in body
    assert url_of("path:champion") in body
    assert url_of("category:heavy-armor") in body


def test_a_weapon_shows_its_figures_and_properties(client):
    body = page(client, "weapon:dagger")
    assert "1d4" in body
    assert url_of("property:thrown") in body
    assert "(30/60)" in body
    assert url_of("category:simple-weapons") in body


def test_effects_read_as_sentences_with_links(client):
    assert "+2 Defense while wearing armor" in page(client, "feature:defense")
    assert "+2 Health at each level" in page(client, "talent:tough")
    assert f'Gains <a href="{url_of("condition:prone")}">' not in page(client, "condition:paralyzed")
    assert url_of("condition:incapacitated") in page(client, "condition:paralyzed")


def test_a_page_names_the_entries_that_grant_or_offer_it(client):
    body = page(client, "feature:darksight")
    assert body.index("How to get it") < body.index(f"{url_of('lineage:elf')}")
    assert "A choice of" in page(client, "talent:tough")


def test_a_group_lists_its_members_and_a_background_its_aspects(client):
    assert url_of("weapon:club") in page(client, "category:simple-weapons")
    body = page(client, "background:ambassador")
    assert all(title in body for title in ("Personality traits", "Ideals", "Bonds", "Flaws"))


@pytest.mark.parametrize("kind", ["weapon", "armor"])
@pytest.mark.parametrize(
    "sort", ["name", "group", "damage", "type", "hands", "defense", "cost", "nonsense", "", "-", "a\0"]
)
def test_tables_sort_both_ways_and_ignore_nonsense(client, pack, kind, sort):
    url = reverse("rules:kind", args=["polyhedral", kind])
    columns = {column["key"] for column in client.get(url).context["columns"]}
    orders = []
    for direction in (sort, f"-{sort}"):
        answer = client.get(url, {"sort": direction})
        assert answer.status_code == 200
        orders.append([row["order"].get(sort) for row in answer.context["rows"]])
        assert ('aria-sort="' in answer.content.decode()) == (sort in columns)
    if sort in columns:
        assert orders[0] == sorted(orders[0])
        assert orders[1] == sorted(orders[1], reverse=True)


@pytest.mark.parametrize(
    "path",
    [
        "nowhere/skill/",
        "polyhedral/nothing/",
        "polyhedral/skill/nothing/",
        "nowhere/skill/athletics/",
        "polyhedral/job/athletics/",
        "polyhedral/skill/%00/",
        "polyhedral/skill/a%20b/",
        "polyhedral/" + "a" * 5000 + "/",
        "%ff/%ff/%ff/",
    ],
)
def test_an_unknown_address_is_404(client, path):
    assert client.get(f"/rules/{path}").status_code == 404


def test_drafts_are_not_shown_and_retired_rules_are_marked(client):
    Element.objects.filter(kind="talent").update(status=Status.DRAFT)
    publish_all()
    assert client.get(url_of("talent:tough")).status_code == 404
    assert client.get(reverse("rules:kind", args=["polyhedral", "talent"])).status_code == 404
    assert url_of("talent:tough") not in page(client, "rules:core-rules")
    Element.objects.filter(kind="talent").update(status=Status.RETIRED)
    publish_all()
    assert "Retired: those who have it keep it" in page(client, "talent:tough")
    assert "retired</span>" in client.get(reverse("rules:kind", args=["polyhedral", "talent"])).content.decode()


def test_reading_writes_nothing(client):
    with CaptureQueriesContext(connection) as queries:
        for url in (reverse("rules:index"), url_of("job:fighter"), reverse("rules:search") + "?q=fighter"):
            assert client.get(url).status_code == 200
            assert client.post(url).status_code == 200
    assert [query["sql"].partition(" ")[0] for query in queries] == ["SELECT"] * len(queries) != []


def test_without_rules_the_index_says_so(client):
    Choice.objects.all().delete()
    Source.objects.update(is_core=False)
    answer = client.get(reverse("rules:index"))
    assert "No rules yet" in answer.content.decode()


def publish_all():
    for source in Source.objects.all():
        publish(source)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("# Big", "<h3>Big</h3>\n"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](/rules/)", '<p><a href="/rules/" rel="noopener noreferrer">x</a></p>\n'),
        ("![x](http://example.com/a.png)", "<p></p>\n"),
        ('<b onclick="x">b</b>', "<p>&lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>\n"),
        ("", ""),
    ],
)
def test_markdown_becomes_safe_html(text, html):
    assert render(text).replace('"x"&gt;b', "&quot;x&quot;&gt;b") == html


def test_plain_text_has_no_markdown_marks():
    assert plain("# Big\n\nA *small*\nthing, `code`.\n\n- one\n- two") == "Big A small thing, code. one two"
