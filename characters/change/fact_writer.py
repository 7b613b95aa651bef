"""Writes facts by address to a character's rows, for the journal alone. `fact_store.py` reads them."""

from collections.abc import Callable
from functools import partial, reduce
from itertools import batched
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Model, Q
from django.utils.dateparse import parse_datetime

from characters.models import (
    Award,
    Character,
    CharacterCondition,
    CharacterToggle,
    Decision,
    InventoryItem,
    PlannedDecision,
    ResourceState,
    StatInput,
)
from rules.engine.build import HANDS
from rules.fast_sql import PLACEHOLDERS, PreparedUpdate, new_model
from rules.index import IdsByName, Index
from rules.models import HouseRules, Source, SwitchValue

from . import fact_address
from .fact_store import SMALL_TABLES, Facts
from .row_writer import RowWriter

ONE = PLACEHOLDERS[1]  # the id of one row
MOST_AT_ONCE = 200  # places in one condition: SQLite does not allow a thousand
ITEMS = RowWriter(InventoryItem, unique=("id",), update=("quantity", "state", "position", "used"), id=ONE)
USED = PreparedUpdate(InventoryItem)
SPENT = RowWriter(ResourceState, unique=("character", "resource"), update=("spent",))


class FactTable(NamedTuple):
    """A table with a row for each fact of one namespace. `key` turns a fact's name into the columns that identify its
    row."""

    writer: RowWriter
    key: Callable[[str, Index], dict[str, Any]]


def _condition_key(name: str, ids: Index) -> dict[str, Any]:
    ref, source = fact_address.condition_parts(f"condition:{name}")
    return {"element_id": ids.elements[ref], "source": source}


TABLES = {
    **{
        word: FactTable(RowWriter(SMALL_TABLES[word].model, id=ONE), lambda name, ids: {"id": int(name)})
        for word in fact_address.ROWS
        if word != "item"
    },
    "input": FactTable(RowWriter(StatInput, stat_id=ONE), lambda name, ids: {"stat_id": ids.stats[name]}),
    "toggle": FactTable(
        RowWriter(CharacterToggle, circumstance_id=ONE), lambda name, ids: {"circumstance_id": ids.circumstances[name]}
    ),
    "condition": FactTable(RowWriter(CharacterCondition, element_id=ONE, source="where it comes from"), _condition_key),
}


def write(character: Character, changed: Facts, before: Facts, ids: Index) -> dict[str, Any]:
    """Write these facts to their rows. Returns the columns of the character itself, which the caller updates.

    `before` holds the facts before the change: a fact that had no row needs no deleting. A name that the character's
    game does not know raises NotInRules; verbs check names first.
    """
    moved, was = fact_address.by_namespace(changed), fact_address.by_namespace(before)
    items, used = moved.pop("item", {}), moved.pop("used", {})
    if items:  # an item's row is written anew, with its number of uses
        _write_items(character, items, was["used"] | used, ids)
    for name, number in used.items():
        if name not in items:
            USED.put({"used": number}, id=name, character=character.pk)
    columns = moved.pop("field", {})
    if "binned" in columns:
        moment = columns.pop("binned")
        columns["binned_at"] = parse_datetime(moment) if moment else None
    for word, facts in moved.items():
        WRITERS[word](character, facts, was[word], ids)
    return columns


def create(character: Character, word: str, values: list[dict[str, Any]], ids: Index) -> Facts:
    """Add rows whose id the database gives (items, aspects, notes ...); returns their values by their new addresses."""
    writer = ITEMS if word == "item" else TABLES[word].writer
    rows = [new_model(writer.model, character_id=character.pk, **_columns(value, ids)) for value in values]
    writer.put(rows)
    return {f"{word}:{row.pk}": value for row, value in zip(rows, values, strict=True)}


def _columns(value: Any, ids: Index) -> dict[str, Any]:
    """The columns of a fact, besides those that identify its row."""
    if not isinstance(value, dict):
        return {} if value is True else {"value": value}
    columns = dict(value)
    if "ref" in columns:
        columns["element_id"] = ids.elements[columns.pop("ref")]
    if "stat" in columns:
        columns["stat_id"] = ids.stats[columns.pop("stat")]
    return columns


def _write_rows(word: str, character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    writer, key = TABLES[word]
    keys = {name: key(name, ids) for name in facts}
    writer.remove(character, [keys[name] for name in facts if name in was])
    writer.put(
        [
            new_model(writer.model, character_id=character.pk, **keys[name], **_columns(value, ids))
            for name, value in facts.items()
            if value is not None
        ]
    )


def _write_items(character: Character, facts: Facts, used: Facts, ids: Index) -> None:
    """Delete the items that go into a hand and insert them last, after the item that leaves the hand has moved. So two
    things can swap places under the constraint of one item to a hand."""
    taken_up = [name for name, value in facts.items() if value and value["state"] in HANDS]
    gone = [name for name, value in facts.items() if not value]
    ITEMS.remove(character, [{"id": int(name)} for name in (*taken_up, *gone)])
    ITEMS.put(
        [
            new_model(
                InventoryItem,
                id=int(name),
                character_id=character.pk,
                used=used.get(name, 0),
                **_columns(facts[name], ids),
            )
            for name in sorted(facts, key=taken_up.__contains__)
            if facts[name]
        ]
    )


def _write_answers(model: type[Model], character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    places, rows = [], []
    for name, made in facts.items():
        key, level = fact_address.choice_parts(f"choice:{name}")
        place = {"choice_id": ids.choices[key], "level": level}
        places.append(Q(**place))
        for position, one in enumerate(made or []):
            rows.append(model(character_id=character.pk, **place, position=position, **_columns(one, ids)))
    if was.keys() & facts.keys():
        for some in batched(places, MOST_AT_ONCE):
            model.objects.filter(reduce(or_, some), character=character).delete()
    model.objects.bulk_create(rows)


def _write_spent(character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    """A resource that is full again keeps its row with 0, so one statement does it all."""
    rows = [(ids.resources[slug], number) for slug, number in facts.items()]
    SPENT.put([new_model(ResourceState, character_id=character.pk, resource_id=pk, spent=spent) for pk, spent in rows])


def _write_awards(character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    which, rows = Q(), []
    for name, value in facts.items():
        ref, write_in = fact_address.award_parts(f"award:{name}")
        key = {"element_id": ids.elements[ref] if ref else None, "write_in": write_in}
        which |= Q(**key)
        if value:
            rows.append(Award(character_id=character.pk, **key, **value))
    character.awards.filter(which).delete()
    Award.objects.bulk_create(rows)


def _house_rules(character: Character) -> HouseRules:
    """The character's own house rules, created when the first one is set."""
    if character.house_rules_id is None:
        character.house_rules = HouseRules.objects.create(ruleset_id=character.ruleset_id)
        Character.objects.filter(pk=character.pk).update(house_rules=character.house_rules)
    return character.house_rules


def _write_switches(character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    house_rules = _house_rules(character)
    house_rules.values.filter(switch__key__in=facts).delete()
    SwitchValue.objects.bulk_create(
        [
            SwitchValue(house_rules=house_rules, switch_id=ids.switches[key], value=value)
            for key, value in facts.items()
            if value is not None
        ]
    )


def _write_sources(character: Character, facts: Facts, was: Facts, ids: Index) -> None:
    house_rules = _house_rules(character)
    sources = Source.objects.filter(ruleset=character.ruleset_id, slug__in=facts)
    known = IdsByName(dict(sources.values_list("slug", "pk")))
    house_rules.sources.remove(*(known[slug] for slug, on in facts.items() if not on))
    house_rules.sources.add(*(known[slug] for slug, on in facts.items() if on))


WRITERS: dict[str, Callable[[Character, Facts, Facts, Index], None]] = {
    **{word: partial(_write_rows, word) for word in TABLES},
    "choice": partial(_write_answers, Decision),
    "plan": partial(_write_answers, PlannedDecision),
    "spent": _write_spent,
    "award": _write_awards,
    "switch": _write_switches,
    "source": _write_sources,
}
