"""Turns rows of the database into rows of the engine, and those into sentences, to show beside forms."""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import ForeignKey, Model, QuerySet

from rules import models
from rules.engine import content, item_words, phrases, sentence
from rules.models.circumstance import Requirement
from rules.models.vocabulary import Kind
from rules.packs import columns as cols
from rules.packs import engine_rows
from rules.packs.columns import Column, PlainRow

TABLES: dict[type[Model], str] = {
    models.Element: "elements",
    models.Stat: "stats",
    models.Switch: "switches",
    models.Circumstance: "circumstances",
    models.Resource: "resources",
    models.RestEvent: "events",
}


def with_names(rows: QuerySet) -> QuerySet:
    """The rows with everything they refer to, so that reading one back needs no query."""
    model = rows.model._meta.concrete_model
    names = [one.name for one in model._meta.concrete_fields if isinstance(one, ForeignKey)]
    rows = rows.select_related(*names, *(["resource__owner"] if model is models.Recovery else []))
    return rows.prefetch_related("options__element", "options__stat") if model is models.Choice else rows


class CollectedNames(phrases.NamesByHand):
    """Collects what a row names while it is turned into an engine row."""

    def plain(self, row: Model, columns: Iterable[Column]) -> PlainRow:
        """The row in plain form (`rules/packs/columns.py`)."""
        values = ((one, getattr(row, one.field.name)) for one in columns)
        return {one.key: self.key(value, one.target) if one.target else value for one, value in values}

    def key(self, named: Model | None, target: type[Model]) -> str:
        """The key of a row, which is collected with its name; "" without a row."""
        if named is None:
            return ""
        key = ":".join(getattr(named, part) for part in cols.NATURAL[target])
        if target in TABLES:
            getattr(self, TABLES[target])[key] = named
        return key


def sentence_of(row: Model, names: CollectedNames | None = None) -> str:
    """A row as a sentence: for a condition its end, for a weapon or armor its numbers; "" for a row without a sentence,
    such as a statistic. names: may have the game's own words in place of those of the vocabulary."""
    names = names or CollectedNames()
    match row:
        case models.Effect():
            return sentence.effect_sentence(effect_row(row, names), names)
        case models.Choice():
            return sentence.choice_sentence(choice_row(row, names), names)
        case Requirement():
            return sentence.requirement_sentence(engine_rows.requirement(names.plain(row, cols.PREREQUISITE)), names)
        case models.Resource():
            plain = names.plain(row, cols.RESOURCE)
            return sentence.resource_sentence(engine_rows.resource(row.owner.ref, plain), names)
        case models.Recovery():
            plain = names.plain(row, cols.RECOVERY)
            return sentence.recovery_sentence(engine_rows.recovery(row.owner.ref, plain), names)
        case models.Action():
            return sentence.action_sentence(action_row(row, names), names)
        case models.Condition():
            of_kind = names.plain(row, cols.OF_KIND[Kind.CONDITION])
            return sentence.condition_sentence(engine_rows.as_row(content.Condition, of_kind), names)
        case models.Weapon():
            of_kind = names.plain(row, cols.OF_KIND[Kind.WEAPON])
            return item_words.weapon_sentence(engine_rows.as_row(content.Weapon, of_kind), names)
        case models.Armor():
            of_kind = names.plain(row, cols.OF_KIND[Kind.ARMOR])
            return item_words.armor_sentence(engine_rows.as_row(content.Armor, of_kind), names)
        case models.PropertyUse():
            use = names.plain(row, cols.PROPERTY_USE)
            return item_words.property_phrase(engine_rows.as_row(content.PropertyUse, use), names)
    return ""


def sentences_of(rows: Iterable[Model]) -> list[str]:
    """These rows of one entry as sentences. Alternative requirements are one sentence."""
    groups: dict[object, list[Model]] = {}
    for place, row in enumerate(rows):
        either = row.either if isinstance(row, Requirement) else None
        groups.setdefault(("either", either) if either else place, []).append(row)
    return [words for group in groups.values() if (words := _together(group))]


def _together(group: list[Model]) -> str:
    if len(group) == 1:
        return sentence_of(group[0])
    names = CollectedNames()
    tests = [engine_rows.requirement(names.plain(row, cols.PREREQUISITE)) for row in group]
    return sentence.requirements_sentences(tests, names)[0]


def effect_row(row: models.Effect, names: CollectedNames) -> content.Effect:
    return engine_rows.effect(row.owner.ref, row.kind, names.plain(row, cols.EFFECTS[row.kind]))


def choice_row(row: models.Choice, names: CollectedNames) -> content.Choice:
    options = list(row.options.all())
    offered = {
        "options": [names.key(one.element, models.Element) for one in options if one.element],
        "stats": [names.key(one.stat, models.Stat) for one in options if one.stat],
    }
    return engine_rows.choice(row.owner.ref, names.plain(row, cols.CHOICE) | offered)


def action_row(row: models.Action, names: CollectedNames) -> content.Action:
    return replace(engine_rows.action(row.owner.ref, names.plain(row, cols.ACTION)), timing=row.timing.name)
