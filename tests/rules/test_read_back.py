"""The admin and the pages of the rules make the sentence of a row in two ways, and both give the same."""

from collections import Counter

import pytest

from rules import models, reading
from rules.compile import bundle_for
from rules.engine import sentence

pytestmark = pytest.mark.django_db

WAYS = {
    "effects": (models.Effect, sentence.effect_sentence),
    "choices": (models.Choice, sentence.choice_sentence),
    "prerequisites": (models.Prerequisite, sentence.requirement_sentence),
    "resources": (models.Resource, sentence.resource_sentence),
    "recoveries": (models.Recovery, sentence.recovery_sentence),
    "actions": (models.Action, sentence.action_sentence),
}


@pytest.mark.parametrize("part", WAYS)
def test_the_admin_and_the_rules_say_every_row_in_the_same_words(part):
    model, said = WAYS[part]
    bundle = bundle_for("polyhedral")
    rows = model.objects.filter(owner__source__is_core=True, owner__ruleset__slug="polyhedral").select_related("owner")
    in_admin = Counter((row.owner.ref, told(part, reading.sentence_of(row))) for row in rows if not finds_options(row))
    in_rules = Counter(
        (element.ref, told(part, said(row, bundle)))
        for element in bundle.elements.values()
        for row in getattr(element, part)
        if not finds_options(row) and not made_of_columns(element, row)
    )
    assert in_admin == in_rules
    assert in_admin.total() > 3


def told(part, words):
    """The sentence; of an action only the part after its timing, which the admin writes out and the rules do not."""
    return words.partition(": ")[2] if part == "actions" else words


def finds_options(row):
    """True of a choice whose options are found by a filter: the rules list them, and the admin does not."""
    return any(getattr(row, name, "") for name in ("filter_kind", "filter_group", "filter_parent"))


def made_of_columns(element, row):
    """True of the base that the engine makes from the columns of an armor: it is no row of the database."""
    return element.armor and getattr(row, "op", "") == "base" and row.amount.flat == element.armor.base_defense


def test_the_admin_and_the_rules_say_every_condition_in_the_same_words():
    bundle = bundle_for("polyhedral")
    rows = models.Condition.objects.filter(source__is_core=True, ruleset__slug="polyhedral")
    read = {row.ref: reading.sentence_of(row) for row in rows}
    assert read == {
        one.ref: sentence.condition_sentence(one.condition, bundle) for one in bundle.elements.values() if one.condition
    }
    assert len(read) > 5


def test_a_statistic_has_no_sentence():
    assert reading.sentence_of(models.Stat.objects.first()) == ""


@pytest.mark.parametrize(
    ("columns", "read"),
    [
        ({"amount": None, "of_stat": "speed"}, "Defense: add Speed"),
        ({"amount": 2, "per": "level"}, "+2 Defense at each level"),
        ({"amount": 1, "of_stat": "level", "times": 3}, "Defense: add 1 + 3 × Level"),
        ({"amount": 1, "of_stat": "level", "divided_by": 3}, "Defense: add 1 + Level ÷ 3 rounded down"),
        ({"amount": 1, "of_stat": "level", "divided_by": 3, "round_up": True}, "Defense: add 1 + Level ÷ 3 rounded up"),
        ({"amount": 1, "of_stat": "level", "at_least": 2}, "Defense: add 1 + Level (at least 2)"),
        ({"amount": 1, "of_stat": "level", "at_most": 9}, "Defense: add 1 + Level (at most 9)"),
        ({"amount": 1, "from_rank": 3}, "+1 Defense from level 3"),
        ({"amount": 1, "this_item_only": True}, "+1 Defense with this item"),
        ({"amount": 1, "stack_group": "armor"}, "+1 Defense (the best of “armor” counts)"),
        ({"amount": 1, "text": "Only by day."}, "+1 Defense (Only by day.)"),
    ],
)
def test_the_sentence_of_a_statistic_modifier_has_every_column(columns, read):
    owner = models.Talent.objects.filter(source__is_core=True).first()
    stats = models.Stat.objects.filter(ruleset=owner.ruleset)
    columns = {key: stats.get(key=value) if key == "of_stat" else value for key, value in columns.items()}
    row = models.StatModifier.objects.create(owner=owner, stat=stats.get(key="defense"), op="add", **columns)
    assert reading.sentence_of(row) == read
