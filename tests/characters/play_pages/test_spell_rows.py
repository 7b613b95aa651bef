"""Spells on the sheet: a row with a button for each, and only a form to add one if there is none."""

import re

import pytest

from characters import verbs
from characters.people import Person
from tests.support.characters import owned_by
from tests.support.html import html_of

from .conftest import regions

BOLT = {"name": "Fire bolt", "test": "ranged", "damage": "2d6 fire", "text": "Hot.\n<b>Very</b> hot."}
SLEEP = {"name": "Sleep", "test": "mind", "text": "They nod off."}
LIGHT = {"name": "Light"}


def spells(player):
    html = html_of(player.get())
    return re.search(r'<section id="spells".*?</section>', html, re.DOTALL)[0]


@pytest.fixture
def bolt(player):
    player.send("add-spell", **BOLT)
    return f"cast.{player.row('spell')}"


def without_magic(player):
    verbs.set_switches(player.pk, Person(player.user), "k" * 32, values={"magic": "off"})


def test_a_sheet_without_spells_has_only_a_form_to_add_one(player):
    section = spells(player)
    assert "<h2" not in section
    assert "Add a spell" in section


def test_a_sheet_without_magic_shows_no_spells(player, bolt):
    without_magic(player)
    assert spells(player) == '<section id="spells" hidden></section>'


def test_a_spell_row_shows_its_roll_and_folds_its_text(player, bolt):
    pool = player.get().context["page"].spells[0].attack.roll
    section = spells(player)
    assert f'ranged spell attack<span class="number">{pool.dice}D+{pool.modifier}</span>' in section
    assert "2d6</span>fire" in section
    assert f'name="roll" value="{bolt}"' in section
    assert "Hot.<br>&lt;b&gt;Very&lt;/b&gt; hot." in section
    assert '<details class="more-of" open' not in section


def test_a_spell_row_shows_the_difficulty_of_a_save_and_no_damage_if_there_is_none(player):
    player.send("add-spell", **SLEEP)
    player.send("add-spell", **LIGHT)
    section = spells(player)
    assert f'Mind save, difficulty <span class="number">{player.get().context["page"].spells[0].difficulty}' in section
    assert "Damage<span" not in section


def test_the_spells_of_the_sheet_at_another_level_have_no_forms(player, bolt):
    html = html_of(player.get("at/1/"))
    section = re.search(r'<section id="spells".*?</section>', html, re.DOTALL)[0]
    assert "Fire bolt" in section
    assert "<form" not in section
    assert "<button" not in section


def test_a_condition_that_changes_the_roll_redraws_the_spells(player, bolt):
    version = player.get().context["live"].version_number
    assert "spells" in regions(player.send("add-condition", condition="condition:poisoned", version=version))
    version = player.get().context["live"].version_number
    assert "spells" not in regions(player.send("add-note", text="A note", version=version))


def test_a_spell_attack_shows_its_roll_and_offers_its_damage(player, bolt):
    said = html_of(player.send("roll", roll=bolt, faces="6 6 6", target="10"))
    assert "a critical hit" in said
    offered = re.search(r'value="(critical\.[^"]*)"', said)[1]
    assert player.send("roll", roll=offered, faces="1 2 3 4").status_code == 200
    assert player.last.sentence.endswith("rolls damage with Fire bolt: 10 fire.")


def test_a_spell_attack_without_damage_offers_none(player):
    player.send("add-spell", **{**BOLT, "damage": ""})
    said = html_of(player.send("roll", roll=f"cast.{player.row('spell')}", faces="4 4 4", target="1"))
    assert "its damage" not in said


def test_casting_a_spell_without_an_attack_shows_its_sentence(player):
    player.send("add-spell", **SLEEP)
    said = html_of(player.send("roll", roll=f"cast.{player.row('spell')}"))
    assert "casts Sleep: Mind save, difficulty" in said


def test_the_chance_of_a_spell_attack_is_shown_before_casting(player, bolt):
    page = html_of(player.get(f"roll/{bolt}/?target=12"))
    assert "succeeds" in page
    assert f'name="roll" value="{bolt}"' in page


@pytest.mark.parametrize("key", ["cast.0", "cast.x", "cast.", "damage.0.spell", "attack.0.spell"])
def test_a_missing_spell_has_no_chance_and_cannot_be_cast(player, key):
    assert player.get(f"roll/{key}/").status_code == 404
    assert player.send("roll", roll=key).status_code == 422


def test_casting_without_script_leads_back_to_the_spells(player, bolt):
    for roll in (bolt, f"damage.{bolt.removeprefix('cast.')}.spell"):
        response = player.send("roll", htmx=False, roll=roll)
        assert response.headers["Location"] == f"{player.base}#spells"


@pytest.mark.parametrize(
    ("wrong", "sentence", "following"),
    [
        ({"name": ""}, "Name the spell.", "Casting time"),
        ({"damage": "2x6"}, "Write dice and their kind", "What it does"),
    ],
)
def test_a_refused_spell_shows_the_error_by_its_field(player, wrong, sentence, following):
    section = html_of(player.send("add-spell", **{**BOLT, **wrong})).partition('id="add-spell"')[2]
    assert section.count(sentence) == 1
    assert section.index(sentence) < section.index(f">{following}</label>")


def test_an_edit_of_an_old_text_of_a_spell_shows_both_texts(player, bolt):
    row = player.row("spell")
    response = player.send("edit-spell", spell=row, was="old", **{**BOLT, "text": "Mine"})
    html = html_of(response)
    assert response.status_code == 409
    for words in ("What is saved now", "Hot.", "Mine"):
        assert words in html


def test_compare_shows_the_spells_that_only_one_has(player, bolt):
    other = owned_by(player.user)
    html = html_of(player.get(f"compare/?other={other.pk}"))
    assert "Spells" in html
    assert "Ranged spell attack, 2d6 fire." in html
    assert "<b>Very</b>" not in html
    alone = html_of(player.get("compare/?first=1&second=1"))
    assert "Ranged spell attack" not in alone
