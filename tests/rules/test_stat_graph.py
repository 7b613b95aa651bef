"""Statistics that could not be computed are refused: rings through armor, and chains that are too long."""

import pytest

from rules import models
from rules.stat_graph import DEEPEST
from rules.unpublished import Unpublished

from .admin_form import Form, new_talent

pytestmark = pytest.mark.full

RING = "These statistics would depend on themselves: {}."
TOO_LONG = f"More than {DEEPEST} statistics would each be worked out from the next."


@pytest.fixture
def game(game):
    """Worn armor sets Defense, by the rows that each test adds."""
    game.spirit = game.stat("spirit-modifier", "Spirit modifier")
    game.element(
        models.Ability, "spirit", short="Sp", rank_stat=game.stat("spirit", "Spirit"), modifier_stat=game.spirit
    )
    game.mail = game.element(models.Category, "mail")
    return game


def robe(game, **columns):
    return game.element(models.Armor, "robe", category=game.mail, base_defense=10, **columns)


def set_by_armor(game, stat):
    models.Ruleset.objects.update(armor_stat=stat)


def spirit(game):
    return models.Ability.objects.get(slug="spirit")


def depends_on_defense(game, stat):
    models.StatModifier.objects.create(owner=game.core, stat=stat, op="add", of_stat=game.defense)


def test_a_row_may_not_compute_what_armor_adds_from_what_armor_sets(editor, game):
    set_by_armor(game, game.defense)
    robe(game, adds_ability=spirit(game))
    form = new_talent(editor).rows("StatModifierInline", {"stat": game.spirit, "op": "add", "of_stat": game.defense})
    assert form.errors() == [("of_stat", RING.format("Defense → Spirit modifier → Defense"))]


def test_armor_may_not_add_what_is_computed_from_what_armor_sets(editor, game):
    set_by_armor(game, game.defense)
    depends_on_defense(game, game.spirit)
    form = Form(editor, models.Armor, robe(game)).fill(adds_ability=spirit(game))
    assert form.errors() == [("adds_ability", RING.format("Defense → Spirit modifier → Defense"))]


def test_the_modifier_of_an_ability_that_armor_adds_may_not_be_computed_from_what_armor_sets(editor, game):
    set_by_armor(game, game.defense)
    robe(game, adds_ability=spirit(game))
    depends_on_defense(game, luck := game.stat("luck", "Luck"))
    form = Form(editor, models.Ability, spirit(game)).fill(modifier_stat=luck)
    assert form.errors() == [("modifier_stat", RING.format("Defense → Luck → Defense"))]


def test_armor_may_not_set_what_it_is_computed_from(editor, game):
    depends_on_defense(game, game.spirit)
    robe(game, adds_ability=spirit(game))
    form = Form(editor, models.Ruleset, game.ruleset).fill(armor_stat=game.defense)
    assert form.errors() == [("armor_stat", RING.format("Defense → Spirit modifier → Defense"))]


def test_a_new_circumstance_may_test_a_computed_statistic(editor, game):
    form = Form(editor, models.Circumstance).fill(slug="guarded", name="while guarded")
    form.rows("CircumstanceTestInline", {"test": "stat_min", "stat": game.defense, "value": 12})
    assert form.send().status_code == 302, form.errors()


def test_a_circumstance_is_known_by_its_former_slug_while_it_gets_another(editor, game):
    models.StatModifier.objects.create(owner=game.talent, stat=game.agility, op="add", amount=1, when=game.armored)
    models.Source.objects.update(revision=0)
    form = Form(editor, models.Circumstance, game.armored).fill(slug="in-armor")
    form.rows("CircumstanceTestInline", {"test": "stat_min", "stat": game.defense, "value": 1})
    assert form.errors() == [("stat", RING.format("Agility → Defense → Agility modifier → Agility"))]


def chain(game, many):
    """Statistics each computed from the next, and the last from Defense, which has two below it."""
    stats = [game.stat(f"s{at}", f"S{at}") for at in range(many)]
    for stat, of_stat in zip(stats, [*stats[1:], game.defense], strict=True):
        models.StatModifier.objects.create(owner=game.core, stat=stat, op="add", of_stat=of_stat)


def test_a_row_may_not_make_a_chain_of_statistics_too_long(editor, game):
    chain(game, DEEPEST - 3)
    form = new_talent(editor).rows("StatModifierInline", {"stat": game.agility, "op": "base", "of_stat": game.spirit})
    assert form.errors() == [("of_stat", TOO_LONG)]


def test_sentences_may_not_make_a_chain_of_statistics_too_long(editor, game):
    chain(game, DEEPEST - 3)
    assert new_talent(editor, does="each 2 ranks: +1 to Agility").errors() == [("does", TOO_LONG)]


def test_a_chain_that_is_too_long_cannot_be_put_in_force(game):
    chain(game, DEEPEST - 2)
    models.Source.objects.update(revision=0)
    game.source.refresh_from_db()
    [finding] = [str(one) for one in Unpublished(game.source).findings if "worked out" in str(one)]
    assert finding == f"error  stat s0: more than {DEEPEST} statistics would each be worked out from the next"
