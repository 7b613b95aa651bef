"""Edits of the core rules, as an admin makes them."""

from rules import models
from rules.publications import publish

# A field of each kind of row, and its new value for every row of the source.
EDITS = {
    "the summary of every element": (models.Element, {"summary": "Another."}),
    "the name of talents": (models.Talent, {"name": "Another"}),
    "the amount of modifiers": (models.StatModifier, {"amount": 7}),
    "the dice of weapons": (models.Weapon, {"dice": 4}),
    "the base of armor": (models.Armor, {"base_defense": 19}),
    "the ranks of jobs": (models.Job, {"max_rank": 1}),
    "the number of a choice": (models.Choice, {"count": 3}),
    "the style of resources": (models.Resource, {"counts_up": True}),
    "the amount of recoveries": (models.Recovery, {"full": True}),
    "the text of actions": (models.Action, {"text": "Another."}),
    "the note of properties": (models.PropertyUse, {"note": "Another."}),
    "the notes": (models.Note, {"text": "Another."}),
    "the least of statistics": (models.Stat, {"minimum": 5}),
    "the steps of tables": (models.LookupRow, {"value": 3}),
    "the help of switches": (models.Switch, {"help": "Another."}),
    "the value of prerequisites": (models.Prerequisite, {"value": 20}),
    "the stacks of conditions": (models.Condition, {"max_stacks": 2}),
    "the status of talents": (models.Talent, {"status": "retired"}),
}


def retire(ref):
    kind, _, slug = ref.partition(":")
    models.Element.objects.filter(kind=kind, slug=slug).update(status="retired")
    publish(models.Source.objects.get(slug="polyhedral-core"))


def retire_house_rule(key, status="retired"):
    models.Switch.objects.filter(key=key).update(status=status)
    publish(models.Source.objects.get(slug="polyhedral-core"))


def with_action(owner, **columns):
    """Give an element of the rules one more action."""
    element = models.Element.objects.get(slug=owner, kind="feature")
    timing = models.ActionTiming.objects.get(slug="free")
    models.Action.objects.create(owner=element, slug="own", name="Own", timing=timing, **columns)
    publish(element.source)
