"""The admin and homebrew: public rules may not name the homebrew of a table or a person."""

import re

import pytest
from django.urls import reverse

from rules import models
from rules.admin.row_checks import NOT_EVERYONES
from rules.homebrew import begun, readable_by
from tests.support.html import html_of

from .admin_form import Form, Game

pytestmark = [pytest.mark.django_db, pytest.mark.full]


class Private:
    """Homebrew beside a game, with one of each thing that a row may point at."""

    def __init__(self, game, title):
        self.source = source = begun(game.ruleset, title)
        made = {"ruleset": game.ruleset, "source": source}
        tag = source.homebrew.tag
        self.talent = models.Talent.objects.create(slug=f"moth-{tag}", name=f"Moth of {title}", **made)
        self.category = models.Category.objects.create(slug=f"wings-{tag}", name=f"Wings of {title}", **made)
        self.stat = models.Stat.objects.create(key=f"dust-{tag}", name=f"Dust of {title}", **made)
        self.circumstance = models.Circumstance.objects.create(slug=f"dusk-{tag}", name=f"at dusk of {title}", **made)
        self.event = models.RestEvent.objects.create(slug=f"nap-{tag}", name=f"Nap of {title}", **made)
        self.resource = models.Resource.objects.create(
            owner=self.talent, slug=f"dust-{tag}", name=f"Dust of {title}", max_stat=self.stat
        )


@pytest.fixture
def game(game):
    game.event = models.RestEvent.objects.create(**game.made(slug="rest", name="Rest"))
    game.moths, game.others = Private(game, "Moths"), Private(game, "Others")
    return game


def offered(editor, model, field, source=None):
    """The names that this field of a row of `source` offers."""
    query = {"app_label": "rules", "model_name": model._meta.model_name, "field_name": field}
    answer = editor.get(reverse("admin:autocomplete"), query | ({"source": source.pk} if source else {}))
    return {one["text"] for one in answer.json()["results"]}


def test_homebrew_reads_the_core_and_what_it_builds_on_and_public_rules_read_all_that_is_public(game):
    book, shelved = (models.Source.objects.create(ruleset=game.ruleset, slug=one, title=one) for one in ("book", "map"))
    elsewhere = Game("elsewhere").source
    game.moths.source.requires.add(book)
    assert {*readable_by(game.moths.source)} == {game.source, book, game.moths.source}
    assert {*readable_by(game.others.source)} == {game.source, game.others.source}
    assert {*readable_by(shelved)} == {*readable_by(game.source)} == {game.source, book, shelved}
    assert {*readable_by(elsewhere)} == {elsewhere}


FIELDS = [
    (models.Grant, "element", "talent"),
    (models.StatModifier, "stat", "stat"),
    (models.StatModifier, "when", "circumstance"),
    (models.Recovery, "resource", "resource"),
    (models.Recovery, "event", "event"),
    (models.Element, "groups", "category"),
]


@pytest.mark.parametrize(("model", "field", "thing"), FIELDS)
def test_an_autocomplete_offers_what_its_source_may_name(editor, game, model, field, thing):
    kind = f" ({thing})" if thing in ("talent", "category") else ""  # entries of two kinds may share a name
    mine, theirs = (f"{getattr(one, thing)}{kind}" for one in (game.moths, game.others))
    for source in (None, game.source):
        assert not {mine, theirs} & offered(editor, model, field, source)
    assert {mine, theirs} & offered(editor, model, field, game.moths.source) == {mine}


def test_homebrew_is_offered_public_sources_only_if_it_requires_them(editor, game):
    book = models.Source.objects.create(ruleset=game.ruleset, slug="book", title="Book")
    models.Talent.objects.create(ruleset=game.ruleset, source=book, slug="read", name="Read")
    assert "Read (talent)" in offered(editor, models.Grant, "element", game.source)
    assert "Read (talent)" not in offered(editor, models.Grant, "element", game.moths.source)
    game.moths.source.requires.add(book)
    assert "Read (talent)" in offered(editor, models.Grant, "element", game.moths.source)


@pytest.mark.parametrize("query", ["", "?noscript=1"])
def test_what_is_retired_is_offered_only_where_it_is_named_already_or_for_rows_of_its_own(editor, game, query):
    models.Grant.objects.create(owner=game.talent, element=game.darksight, grant_as="gain")
    models.Element.objects.filter(pk=game.darksight.pk).update(status="retired")
    models.Switch.objects.create(**game.made(key="fog", name="Fog", type="flag", default="off", status="retired"))
    assert "Darksight (feature)" not in offered(editor, models.Grant, "element", game.source)
    assert "Fog" not in offered(editor, models.Prerequisite, "switch", game.source)
    assert "Darksight (feature)" in offered(editor, models.Resource, "owner", game.source)
    form = Form(editor, models.Talent, game.talent, query, drawn=True)
    page = editor.get(form.url).content.decode()
    assert re.findall("<option[^>]*>Darksight", page) == [f'<option value="{game.darksight.pk}" selected>Darksight']
    assert form.send().status_code == 302


KINDS = [
    (models.Weapon, "category", "category"),
    (models.Weapon, "damage_type", "damage type"),
    (models.PropertyUse, "property", "property"),
]


@pytest.mark.parametrize(("model", "field", "kind"), KINDS)
def test_only_the_kind_that_a_column_takes_is_offered(editor, game, model, field, kind):
    for other in (models.Category, models.DamageType, models.WeaponProperty):
        game.element(other, "bog")
    assert {name.rpartition(" (")[2] for name in offered(editor, model, field, game.source)} == {f"{kind})"}


@pytest.mark.parametrize("sent", ["x", "-1", "999999", "9" * 40, "\0"])
def test_nonsense_for_a_source_is_refused(editor, game, sent):
    query = {"app_label": "rules", "model_name": "grant", "field_name": "element", "source": sent}
    assert editor.get(reverse("admin:autocomplete"), query).status_code == 403


def test_a_search_with_a_nul_finds_nothing_odd(editor, game):
    """PostgreSQL refuses such a text."""
    query = {"app_label": "rules", "model_name": "publication", "field_name": "author", "term": "\0"}
    assert editor.get(reverse("admin:autocomplete"), query).status_code == 200


def test_the_autocomplete_of_accounts_needs_no_source(editor, game):
    query = {"app_label": "rules", "model_name": "publication", "field_name": "author"}
    assert editor.get(reverse("admin:autocomplete"), query).json()["results"]


@pytest.mark.parametrize("of", ["core", "moths"])
def test_every_autocomplete_of_a_page_asks_for_its_source(editor, game, of):
    talent = game.talent if of == "core" else game.moths.talent
    body = html_of(editor.get(reverse("admin:rules_talent_change", args=[talent.pk])))
    asked = body.count('data-ajax--url="/admin/autocomplete/')
    assert asked == body.count(f'data-ajax--url="/admin/autocomplete/?source={talent.source_id}"') > 10


def menus(editor, url, name):
    """The names in each menu of this name of the form without script, and which of them are selected."""
    page = html_of(editor.get(f"{url}?noscript=1"))
    for menu in re.findall(rf'<select name="[^"]*\b{name}"[^>]*>(.*?)</select>', page, re.DOTALL):
        options = re.findall(r'<option value="\d*"( selected)?>\s*(.*?)\s*</option>', menu, re.DOTALL)
        yield {text for _, text in options}, [text for selected, text in options if selected]


@pytest.mark.parametrize("field", ["element", "groups"])
@pytest.mark.parametrize("of", ["core", "moths"])
def test_without_script_a_menu_holds_what_the_search_would_offer(editor, game, of, field):
    talent = game.talent if of == "core" else game.moths.talent
    found = offered(editor, models.Grant, "element", talent.source)
    shown = [names - {""} for names, _ in menus(editor, reverse("admin:rules_talent_change", args=[talent.pk]), field)]
    assert shown
    assert all(names == found for names in shown)


@pytest.mark.parametrize("field", ["category", "damage_type", "property"])
def test_without_script_a_menu_holds_only_the_kind_that_its_column_takes(editor, game, field):
    for model in (models.Category, models.DamageType, models.WeaponProperty):
        game.element(model, "bog")
    found = offered(editor, models.PropertyUse if field == "property" else models.Weapon, field)
    shown = [names - {""} for names, _ in menus(editor, reverse("admin:rules_weapon_add"), field)]
    assert shown
    assert all(names == found for names in shown)


def test_without_script_nothing_is_selected_in_an_empty_row(editor, game):
    """Not even where the column may not be empty: the row would be saved."""
    game.element(models.WeaponProperty, "light")
    shown = list(menus(editor, reverse("admin:rules_weapon_add"), "property"))
    assert len(shown) == 3  # one of them is the row that script copies
    assert all("Light (property)" in names for names, _ in shown)
    assert all(selected == [""] for _, selected in shown)


ROWS = [
    ("GrantInline", {"grant_as": "gain"}, "element", "talent"),
    ("StatModifierInline", {"op": "add", "amount": 1}, "stat", "stat"),
    ("StatModifierInline", {"stat": "defense", "op": "add"}, "of_stat", "stat"),
    ("StatModifierInline", {"stat": "defense", "op": "add", "amount": 1}, "when", "circumstance"),
    ("PrerequisiteInline", {"test": "has"}, "element", "talent"),
    ("RecoveryInline", {"event": "event", "full": "on"}, "resource", "resource"),
]


@pytest.mark.parametrize(("inline", "row", "field", "thing"), ROWS)
def test_a_row_that_points_at_homebrew_is_refused_at_its_field(editor, game, inline, row, field, thing):
    row = {name: getattr(game, value, value) if isinstance(value, str) else value for name, value in row.items()}
    private = getattr(game.moths, thing)
    form = Form(editor, models.Talent, game.talent).rows(inline, row | {field: private})
    assert (field, f"{private} is part of Moths. {NOT_EVERYONES}") in form.errors()
    assert not game.talent.effects.exists()


def test_an_entry_or_part_that_points_at_homebrew_is_refused_at_its_field(editor, game):
    moths = game.moths
    option = models.Choice.objects.create(owner=game.talent, slug="one", prompt="Choose one")
    for form, field, private in (
        (Form(editor, models.Talent, game.talent).fill(parent=moths.talent), "parent", moths.talent),
        (Form(editor, models.Talent, game.talent).fill(groups=[moths.category.pk]), "groups", moths.category),
        (Form(editor, models.Stat, game.defense).fill(created_of=moths.stat), "created_of", moths.stat),
        (Form(editor, models.Choice, option).fill(ceiling=moths.stat), "ceiling", moths.stat),
        (Form(editor, models.Choice, option).rows("OptionInline", {"element": moths.talent}), "element", moths.talent),
        (
            Form(editor, models.Circumstance, game.veteran).rows(
                "CircumstanceTestInline", {"test": "has", "element": moths.talent}
            ),
            "element",
            moths.talent,
        ),
    ):
        assert (field, f"{private} is part of Moths. {NOT_EVERYONES}") in form.errors()


def test_homebrew_may_name_its_own_rows_and_the_core_but_no_other_homebrew(editor, game):
    form = Form(editor, models.Talent, game.moths.talent)
    form.rows("StatModifierInline", {"stat": game.moths.stat, "op": "add", "amount": 1, "when": game.armored})
    assert form.send().status_code == 302
    form = Form(editor, models.Talent, game.moths.talent)
    form.rows("GrantInline", {"element": game.others.talent, "grant_as": "gain"})
    assert ("element", f"{game.others.talent} is part of Others. {NOT_EVERYONES}") in form.errors()


def test_an_entry_does_not_move_into_homebrew(editor, game):
    form = Form(editor, models.Talent, game.talent).fill(source=game.moths.source)
    assert [field for field, _ in form.errors()] == ["source"]
    form = Form(editor, models.Talent).fill(name="New", slug="new", source=game.moths.source)
    assert [field for field, _ in form.errors()] == ["source"]
    uses = models.Resource.objects.create(owner=game.talent, slug="grit", name="Grit", max_stat=game.agility)
    form = Form(editor, models.Resource, uses).fill(owner=game.moths.talent)
    assert [field for field, _ in form.errors()] == ["owner"]


def test_an_entry_moved_to_a_public_source_may_not_name_homebrew(editor, game):
    models.Grant.objects.create(owner=game.moths.talent, element=game.moths.category, grant_as="gain")
    form = Form(editor, models.Talent, game.moths.talent).fill(source=game.source)
    assert ("element", f"{game.moths.category} is part of Moths. {NOT_EVERYONES}") in form.errors()


def test_no_source_requires_homebrew_and_no_ruleset_takes_its_armor_statistic_from_it(editor, game):
    form = Form(editor, models.Source, game.source).fill(requires=[game.moths.source.pk])
    assert [field for field, _ in form.errors()] == ["requires"]
    page = html_of(editor.get(reverse("admin:rules_ruleset_change", args=[game.ruleset.pk])))
    assert "Defense" in page
    assert "Dust of" not in page
