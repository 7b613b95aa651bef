"""The lists of the rules: which columns a table has and how each sorts, what a card says, and what a shelf names."""

import pytest
from django.http import Http404
from django.urls import reverse

from rules import views
from rules.models import Element, Source
from rules.packs.load import load_rules
from rules.publications import publish

from .small_pack import write_pack

pytestmark = pytest.mark.django_db


def asked(client, kind, ruleset="polyhedral", **query):
    return client.get(reverse("rules:kind", args=[ruleset, kind]), query).context


def cells(client, kind, slug):
    row = next(row for row in asked(client, kind)["rows"] if row["element"].slug == slug)
    return {key: value for key, value in row.items() if key not in ("element", "order", "url")}


@pytest.mark.parametrize(
    ("kind", "slug", "group", "cost", "rest"),
    [
        ("weapon", "dagger", "Simple weapons", "Common", ("1d4", "Piercing", 1, "Finesse, Light, Thrown (30/60)")),
        ("weapon", "greatsword", "Martial weapons", "Uncommon", ("2d6", "Slashing", 2, "Two-handed")),
        ("weapon", "unarmed-strike", "Unarmed strikes", "not for sale", ("1d1", "Bludgeoning", 0, "")),
        ("armor", "chain-shirt", "Medium armor", "Common", ("14 + Agility, at most 2", "")),
        ("armor", "padded", "Light armor", "Common", ("12 + Agility", "Disadvantage on Stealth, Light (armor)")),
        ("armor", "plate", "Heavy armor", "Rare", ("20", "Disadvantage on Stealth")),
        ("armor", "shield", "Shields", "Common", ("as its effects say", "")),
    ],
)
def test_a_row_shows_the_group_cost_and_figures_of_an_entry(client, kind, slug, group, cost, rest):
    keys = ("damage", "type", "hands", "properties") if kind == "weapon" else ("defense", "properties")
    assert cells(client, kind, slug) == {"group": group, "cost": cost, **dict(zip(keys, rest, strict=True))}


@pytest.mark.parametrize(
    ("kind", "sort", "first", "last"),
    [
        ("weapon", "name", ["battleaxe", "blowgun"], ["warhammer", "whip"]),
        ("weapon", "damage", ["unarmed-strike", "club"], ["greatsword", "rifle-bolt-action"]),
        ("weapon", "type", ["club", "hammer"], ["scimitar", "whip"]),
        ("weapon", "hands", ["unarmed-strike", "club"], ["rifle-bolt-action", "rifle-musket"]),
        ("weapon", "cost", ["unarmed-strike", "club"], ["pistol-revolver", "rifle-bolt-action"]),
        ("weapon", "group", ["battleaxe", "boomerang"], ["sling", "unarmed-strike"]),
        ("armor", "name", ["breastplate", "chain-mail"], ["splint", "studded-leather"]),
        ("armor", "defense", ["shield", "padded"], ["splint", "plate"]),
        ("armor", "cost", ["padded", "leather"], ["half-plate", "plate"]),
        ("armor", "group", ["ring-mail", "chain-mail"], ["half-plate", "shield"]),
    ],
)
def test_a_table_can_be_sorted_by_each_column(client, kind, sort, first, last):
    context = asked(client, kind, sort=sort)
    found = [row["element"].slug for row in context["rows"]]
    assert (found[:2], found[-2:]) == (first, last)
    heads = {column["key"]: (column["link"], column["sorted"]) for column in context["columns"]}
    assert heads.pop(sort) == (f"-{sort}", "ascending")
    assert all(head == (key, "") for key, head in heads.items())
    backwards = asked(client, kind, sort=f"-{sort}")
    assert backwards["rows"][-1]["order"][sort] == context["rows"][0]["order"][sort]
    assert {column["key"]: (column["link"], column["sorted"]) for column in backwards["columns"]}[sort] == (
        sort,
        "descending",
    )


@pytest.mark.parametrize(
    ("kind", "titles"),
    [
        ("weapon", ["Weapon", "Damage", "Type", "Hands", "Cost", "Group"]),
        ("armor", ["Armor", "Defense", "Cost", "Group"]),
    ],
)
def test_a_table_has_a_heading_for_each_column(client, kind, titles):
    columns = asked(client, kind)["columns"]
    assert [column["title"] for column in columns] == titles
    assert [column["title"] for column in columns if column.get("number")] == ["Hands"] * (kind == "weapon")


FEATURES = """
    - {slug: watch, name: Watch, note: [{text: Hark.}]}
    - {slug: held, name: Held, groups: [category:knacks]}
    - {slug: walls, name: Of the wall, parent: path:wall}
    - {slug: stray, name: Stray}
    """


@pytest.fixture(scope="module")
def small(shared, tmp_path_factory):
    shared(lambda: load_rules(write_pack(tmp_path_factory.mktemp("small"), features=FEATURES)))


def cards(client, kind):
    sections = asked(client, kind, "small")["sections"]
    return {heading: [(card["element"].slug, card["note"]) for card in found] for heading, found in sections}


def test_features_are_listed_under_the_entry_they_come_from(client, small):
    assert cards(client, "feature") == {
        "Guard": [("watch", "")],
        "Knacks": [("held", "")],
        "Wall": [("walls", "")],
        "Others": [("stray", "")],
    }


def test_a_card_names_the_ability_of_a_skill_and_the_job_of_a_path(client, small):
    assert cards(client, "skill") == {"": [("climb", "Grit")]}
    assert cards(client, "path") == {"": [("wall", "Guard")]}
    Element.objects.filter(slug="tough", ruleset__slug="small").update(parent=Element.objects.get(slug="guard"))
    assert {note for _, note in cards(client, "talent")[""]} == {""}


def test_a_shelf_names_five_of_a_kind_and_counts_the_rest(client, tmp_path):
    gear = "\n".join(f"- {{slug: g{number}, name: Gear {number}}}" for number in range(7))
    load_rules(write_pack(tmp_path / "small", gear=gear))
    Element.objects.filter(slug="g0").update(status="retired")
    publish(Source.objects.get(slug="small-core"))
    games = {one["library"].ruleset.slug: one["shelves"] for one in client.get(reverse("rules:index")).context["games"]}
    kinds = {kind["title"]: kind for _, shelf in games["small"] for kind in shelf}
    names = [f"Gear {number}" for number in range(1, 6)]
    assert kinds["Gear"] == {"title": "Gear", "url": "/rules/small/gear/", "count": 6, "names": names, "more": 1}
    assert kinds["Skills"] == {
        "title": "Skills", "url": "/rules/small/skill/", "count": 1, "names": ["Climb"], "more": 0,
    }  # fmt: skip
    assert [title for title, _ in games["small"]] == [
        "The game", "Where you come from", "What you can do", "What you become", "What you carry",
    ]  # fmt: skip
    assert "Languages" not in kinds


@pytest.mark.parametrize(
    ("view", "args", "sentence"),
    [
        (views.kind, ("nowhere", "skill"), "There is no such game."),
        (views.kind, ("polyhedral", "nothing"), "There are no rules of this kind."),
        (views.element, ("polyhedral", "skill", "nothing"), "There is no such rule."),
    ],
)
def test_an_unknown_game_kind_or_entry_is_404_with_a_sentence(rf, view, args, sentence):
    with pytest.raises(Http404) as missing:
        view(rf.get("/"), *args)
    assert str(missing.value) == sentence


def test_pages_vary_by_the_header_of_htmx(client):
    for url in (reverse("rules:element", args=["polyhedral", "job", "fighter"]), reverse("rules:search")):
        assert "HX-Request" in client.get(url)["Vary"].split(", ")
