"""Spells as content: read from a pack and written again, shown in the rules, checked, edited in the admin."""

import pytest
from django.db.models import ProtectedError
from django.urls import reverse

from rules.compile import bundle_for
from rules.models import Ability, Ruleset, Source, Spell
from rules.packs.load import PackError, load_rules
from rules.publications import publish
from rules.unpublished import Unpublished
from tests.support.homebrew import spell

from .small_pack import exported, write_layer

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SOURCE = "{ruleset: {slug: polyhedral}, source: {slug: house, title: The house, requires: [%s]}}"
SPELLS = """
    - slug: ember
      name: Ember
      summary: A spark that leaps.
      text: |
        It flies, and
        *burns*.
      time: action
      range: 60 ft
      cantrip: true
      attack: ranged
      damage: 2d6 fire
    - {slug: hush, name: Hush, time: reaction, saving_throw: "ability:mind"}
    - {slug: glow, name: Glow}
    - {slug: old, name: Old, status: retired}
    - {slug: raw, name: Raw, status: draft}
    """


def house(folder, spells=SPELLS):
    load_rules(write_layer(folder, source=SOURCE % "", spells=spells))
    return Source.objects.get(slug="house")


def test_an_export_of_spells_loads_without_a_change(tmp_path):
    house(tmp_path / "first")
    once = exported("house", tmp_path / "second")
    report = load_rules(tmp_path / "second", force=True)
    assert not report.moved, report.lines
    assert exported("house", tmp_path / "third") == once
    assert b"saving_throw: ability:mind" in once["spells.yaml"]


def test_the_engine_has_all_spells_but_drafts(tmp_path):
    house(tmp_path)
    bundle = bundle_for("polyhedral", ["house"])
    assert [one.name for one in bundle.of_kind("spell")] == ["Ember", "Hush", "Glow", "Old"]
    ember, hush = (bundle.elements[f"spell:{slug}"].spell for slug in ("ember", "hush"))
    assert (ember.time, ember.range, ember.cantrip, ember.attack, ember.damage) == (
        "action", "60 ft", True, "ranged", "2d6 fire",
    )  # fmt: skip
    assert (hush.attack, hush.saving_throw) == ("", "ability:mind")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("attack: far", "`attack`"),
        ("saving_throw: ability:luck", "there is no element ability:luck"),
        ("saving_throw: skill:stealth", "skill:stealth"),
        ("attack: melee, saving_throw: ability:mind", "an attack or a saving throw, not both"),
        (f"range: {'x' * 41}", "`range`"),
        ("slot: 1", "`slot` is not known here"),
    ],
)
def test_an_impossible_spell_in_a_pack_is_refused_by_file_and_line(tmp_path, line, sentence):
    with pytest.raises(PackError) as refused:
        house(tmp_path, f"- {{slug: odd, name: Odd, {line}}}")
    assert "spells.yaml:1" in str(refused.value)
    assert sentence in str(refused.value)
    assert not Spell.objects.exists()


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"damage": "much"}, "damage: Write dice and their kind"),
        ({"name": "x" * 81}, "name: A sheet has room for 80 characters"),
        ({"text": "x" * 4001}, "text: A sheet has room for 4,000 characters"),
    ],
)
def test_a_spell_that_no_sheet_can_hold_is_an_error_before_it_is_published(tmp_path, columns, reason):
    source = house(tmp_path)
    assert Unpublished(source).faults == []
    spell(source, "odd", **{"name": "Odd", **columns})
    assert [str(one) for one in Unpublished(source).findings if one.where == "spell:odd"][0].startswith(
        f"error  spell:odd: {reason}"
    )
    Spell.objects.filter(slug="odd").update(status="draft")
    assert Unpublished(source).faults == []


def test_the_pages_of_the_rules_show_spells(client, tmp_path):
    house(tmp_path)
    listed = client.get("/rules/polyhedral/spell/").content.decode()
    assert "A spark that leaps." in listed
    page = client.get("/rules/polyhedral/spell/ember/").content.decode()
    for words in ("<em>burns</em>", "60 ft", "ranged", "2d6 fire", "Cantrip"):
        assert words in page
    assert (
        reverse("rules:element", args=["polyhedral", "ability", "mind"])
        in client.get("/rules/polyhedral/spell/hush/").content.decode().partition("<main")[2]
    )
    assert "Ember" in client.get("/rules/search/?q=ember&kind=spell").content.decode()
    compared = client.get("/rules/polyhedral/compare/spell/?entry=ember&entry=hush").content.decode()
    assert "Saving throw" in compared
    assert client.get("/rules/polyhedral/spell/raw/").status_code == 404


def test_rules_without_spells_have_no_page_of_spells(client):
    assert client.get("/rules/polyhedral/spell/").status_code == 404
    assert "Spells" not in client.get("/rules/").content.decode()


def test_the_admin_adds_a_spell_and_refuses_both_an_attack_and_a_saving_throw(editor):
    source = Source.objects.get(slug="polyhedral-core")
    sent = {
        "name": "Ember", "slug": "ember", "status": "published", "ruleset": source.ruleset_id, "source": source.pk,
        "sort": 0, "cost_class": 0, "attack": "ranged", "damage": "2d6 fire", "time": "action",
    }  # fmt: skip
    add = reverse("admin:rules_spell_add")
    page = editor.get(add)
    for wrapped in page.context["inline_admin_formsets"]:
        sent |= {f"{wrapped.formset.prefix}-{one}_FORMS": 0 for one in ("TOTAL", "INITIAL")}
    both = editor.post(add, {**sent, "saving_throw": Ability.objects.get(slug="mind").pk})
    assert "an attack or a saving throw, not both" in both.content.decode()
    assert not Spell.objects.exists()
    assert editor.post(add, sent).status_code == 302
    assert Spell.objects.get().attack == "ranged"
    assert "Ember" in editor.get(reverse("admin:rules_spell_changelist")).content.decode()


def test_an_ability_that_a_spell_names_cannot_be_deleted(tmp_path):
    house(tmp_path)
    with pytest.raises(ProtectedError):
        Ability.objects.get(slug="mind").delete()


def test_an_edited_spell_is_in_the_bundle_once_published(tmp_path):
    source = house(tmp_path)
    Spell.objects.filter(slug="glow").update(damage="1d4 light")
    publish(source)
    assert (
        bundle_for(Ruleset.objects.get(slug="polyhedral"), ["house"]).elements["spell:glow"].spell.damage == "1d4 light"
    )
