"""Every check and unique constraint of the rules tables refuses a bad row, whoever writes it."""

from functools import partial

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from tests import factories as f

pytestmark = pytest.mark.django_db


def own_grant():
    row = f.EffectFactory(kind="grant", stat=None, op="", amount=None, grant_as="gain", element=f.ElementFactory())
    type(row).objects.filter(pk=row.pk).update(element=row.owner)


def same(factory, **shared):
    """Make two rows with the same values, where only one is allowed."""
    factory(**shared)
    factory(**shared)


AMOUNTED = {
    "divisor_positive": {"divided_by": 0},
    "per_known": {"per": "year"},
}
REQUIREMENTS = {
    "test_known": {"test": "luck"},
    "names_element": {"test": "has"},
    "names_stat": {"test": "stat_min", "value": 3},
    "has_value": {"test": "level", "value": None},
    "names_switch": {"test": "switch", "word": "on"},
}

BAD_ROWS = {
    # sources
    "source_slug_once_in_ruleset": lambda: same(f.SourceFactory, ruleset=f.RulesetFactory(), slug="twice"),
    "switch_key_once_in_ruleset": lambda: same(f.SwitchFactory, source=f.SourceFactory(), key="twice"),
    "switch_type_known": lambda: f.SwitchFactory(type="color"),
    "switch_status_known": lambda: f.SwitchFactory(status="draft"),
    "switch_value_once": lambda: same(
        f.SwitchValueFactory, house_rules=f.HouseRulesFactory(), switch=f.SwitchFactory()
    ),
    "switch_value_not_empty": lambda: f.SwitchValueFactory(value=""),
    # statistics and circumstances
    "stat_key_once_in_ruleset": lambda: same(f.StatFactory, source=f.SourceFactory(), key="twice"),
    "stat_format_known": lambda: f.StatFactory(format="roman"),
    "circumstance_slug_once_in_ruleset": lambda: same(f.CircumstanceFactory, source=f.SourceFactory(), slug="twice"),
    "circumstance_detection_known": lambda: f.CircumstanceFactory(detection="guess"),
    **{f"circumstancetest_{name}": partial(f.CircumstanceTestFactory, **bad) for name, bad in REQUIREMENTS.items()},
    **{f"prerequisite_{name}": partial(f.PrerequisiteFactory, **bad) for name, bad in REQUIREMENTS.items()},
    # elements
    "element_slug_once_in_kind": lambda: same(f.ElementFactory, source=f.SourceFactory(), slug="twice"),
    "element_kind_known": lambda: f.ElementFactory(kind="dream"),
    "element_status_known": lambda: f.ElementFactory(status="lost"),
    "element_cost_class_known": lambda: f.ElementFactory(cost_class=6),
    "weapon_hands_known": lambda: f.WeaponFactory(hands=3),
    "weapon_die_in_bounds": lambda: f.WeaponFactory(die=21),
    "condition_stacks_positive": lambda: f.ConditionFactory(max_stacks=0),
    "condition_ends_with_known": lambda: f.ConditionFactory(ends_with="wish"),
    "entry_spell_attack_known": lambda: f.SpellFactory(attack="far"),
    "entry_spell_attack_or_save": lambda: f.SpellFactory(attack="melee", saving_throw=f.AbilityFactory()),
    "property_once_on_item": lambda: same(
        f.PropertyUseFactory, item=f.WeaponFactory(), property=f.ElementFactory(kind="property")
    ),
    "suggestion_number_once": lambda: same(f.SuggestionFactory, background=f.ElementFactory(), number=1),
    "suggestion_aspect_known": lambda: f.SuggestionFactory(aspect="hat"),
    # effects
    **{f"effect_{name}": partial(f.EffectFactory, **bad) for name, bad in AMOUNTED.items()},
    "effect_kind_known": lambda: f.EffectFactory(kind="wish"),
    "effect_op_known": lambda: f.EffectFactory(op="divide"),
    "effect_roll_known": lambda: f.EffectFactory(kind="roll", stat=None, op="", roll="wish", aspect="advantage"),
    "effect_aspect_known": lambda: f.EffectFactory(kind="roll", stat=None, op="", roll="check", aspect="wish"),
    "effect_grant_known": lambda: f.EffectFactory(
        kind="grant", stat=None, op="", element=f.ElementFactory(), grant_as="lends"
    ),
    "effect_modify_complete": lambda: f.EffectFactory(amount=None),
    "effect_roll_complete": lambda: f.EffectFactory(kind="roll", stat=None, op="", roll="check"),
    "effect_grant_complete": lambda: f.EffectFactory(kind="grant", stat=None, op="", grant_as="gain"),
    "effect_note_complete": lambda: f.EffectFactory(kind="note", stat=None, op="", text=""),
    "effect_grants_another": own_grant,
    "effect_quantity_positive": lambda: f.EffectFactory(quantity=0),
    # choices
    "choice_slug_once_on_owner": lambda: same(f.ChoiceFactory, owner=f.ElementFactory(), slug="twice"),
    "choice_mode_known": lambda: f.ChoiceFactory(mode="toss"),
    "choice_distinct_known": lambda: f.ChoiceFactory(distinct="maybe"),
    "choice_grant_known": lambda: f.ChoiceFactory(grant_as="lends"),
    "choice_filter_kind_known": lambda: f.ChoiceFactory(filter_kind="dream"),
    "choice_per_option_positive": lambda: f.ChoiceFactory(per_option_max=0),
    "choice_option_names_one": lambda: f.ChoiceOptionFactory(element=None),
    "choice_option_element_once": lambda: same(
        f.ChoiceOptionFactory, choice=f.ChoiceFactory(), element=f.ElementFactory()
    ),
    "choice_option_stat_once": lambda: same(
        f.ChoiceOptionFactory, choice=f.ChoiceFactory(), element=None, stat=f.StatFactory()
    ),
    # resources and actions
    "rest_event_slug_once_in_ruleset": lambda: same(f.RestEventFactory, source=f.SourceFactory(), slug="twice"),
    "resource_slug_once_on_owner": lambda: same(f.ResourceFactory, owner=f.ElementFactory(), slug="twice"),
    "resource_style_known": lambda: f.ResourceFactory(style="cards"),
    **{f"recovery_{name}": partial(f.RecoveryFactory, **bad) for name, bad in AMOUNTED.items()},
    "recovery_gives_something": lambda: f.RecoveryFactory(full=False),
    **{f"action_{name}": partial(f.ActionFactory, **bad) for name, bad in AMOUNTED.items()},
    "action_timing_slug_once_in_ruleset": lambda: same(f.ActionTimingFactory, source=f.SourceFactory(), slug="twice"),
    "action_slug_once_on_owner": lambda: same(f.ActionFactory, owner=f.ElementFactory(), slug="twice"),
    "action_roll_known": lambda: f.ActionFactory(roll="wish"),
    "action_changes_known": lambda: f.ActionFactory(changes="wish", of_roll="save"),
    "action_of_roll_known": lambda: f.ActionFactory(changes="reroll", of_roll="wish"),
    "action_changes_some_roll": lambda: f.ActionFactory(changes="reroll"),
    # publications
    "publication_number_once_in_source": lambda: same(f.PublicationFactory, source=f.SourceFactory(), number=1),
    "publication_revision_once_in_source": lambda: same(f.PublicationFactory, source=f.SourceFactory(), revision=1),
    # tables
    "lookup_slug_once_in_ruleset": lambda: same(f.LookupTableFactory, source=f.SourceFactory(), slug="twice"),
    "lookup_row_once": lambda: same(f.LookupRowFactory, table=f.LookupTableFactory(), at=1),
}


def constraints() -> dict[str, models.BaseConstraint]:
    tables = [model for model in apps.get_app_config("rules").get_models() if not model._meta.proxy]
    return {constraint.name: constraint for table in tables for constraint in table._meta.constraints}


def test_every_constraint_has_a_bad_row_here():
    assert set(BAD_ROWS) == set(constraints())


@pytest.mark.parametrize("name", sorted(BAD_ROWS))
def test_the_database_refuses_the_bad_row(name):
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        BAD_ROWS[name]()
    said = str(refusal.value)
    # SQLite names a broken check, but only the columns of a broken unique constraint.
    unique = isinstance(constraints()[name], models.UniqueConstraint)
    assert name in said or (unique and "UNIQUE constraint failed" in said)


FACTORIES = [one for one in vars(f).values() if isinstance(one, type) and one.__name__.endswith("Factory")]


@pytest.mark.parametrize("factory", [one for one in FACTORIES if one is not f.DjangoModelFactory])
def test_rows_of_every_factory_are_good(factory):
    row = factory()
    assert type(row).objects.get(pk=row.pk) == row
    row.full_clean()
