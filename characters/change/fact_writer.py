"""Writes facts by address to a character's rows, for the journal alone. `fact_store.py` reads them."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial, reduce
from itertools import batched
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Model, Q
from django.utils.dateparse import parse_datetime

from characters.models import (
    Aspect,
    Award,
    Character,
    CharacterCondition,
    CharacterToggle,
    Decision,
    Downtime,
    InventoryItem,
    Note,
    PlannedDecision,
    Relationship,
    ResourceState,
    Spell,
    StatInput,
)
from rules.engine.build import HANDS
from rules.fast_sql import PLACEHOLDERS, PreparedUpdate, new_model
from rules.index import IdsByName, Index
from rules.models import HouseRules, Source, SwitchValue

from . import fact_address
from .fact_store import Facts
from .row_writer import RowWriter

ONE = PLACEHOLDERS[1]  # the id of one row
MOST_AT_ONCE = 200  # places in one condition: SQLite does not allow a thousand
ITEMS = RowWriter(InventoryItem, unique=("id",), update=("quantity", "state", "position", "used"), pk=ONE)
USED = PreparedUpdate(InventoryItem)
SPENT = RowWriter(ResourceState, unique=("character", "resource"), update=("spent",))


class FactTable(NamedTuple):
    """A table with a row for each fact of one namespace. `names` turns a fact's address into the values that identify
    its row, `columns` into the row's columns."""

    writer: RowWriter
    names: Callable[[str], tuple[int | str, ...]]
    columns: Callable[[str, Any, Index], dict[str, Any]]


def _numbered(model: type[Model]) -> FactTable:
    """A table whose facts are named by the id of their row, and whose columns are those of the fact."""
    return FactTable(
        RowWriter(model, pk=ONE),
        lambda address: (int(fact_address.name(address)),),
        lambda address, value, names: {"id": int(fact_address.name(address)), **value},
    )


def _condition_names(address: str) -> tuple[str, str]:
    ref, source = fact_address.condition_parts(address)
    return ref.partition(":")[2], source


def _condition_columns(address: str, value: dict[str, Any], names: Index) -> dict[str, Any]:
    ref, source = fact_address.condition_parts(address)
    return {"element_id": names.elements[ref], "source": source, **value}


TABLES = {
    "aspect": _numbered(Aspect),
    "relationship": _numbered(Relationship),
    "note": _numbered(Note),
    "downtime": _numbered(Downtime),
    "spell": _numbered(Spell),
    "input": FactTable(
        RowWriter(StatInput, stat__key="a statistic"),
        lambda address: (fact_address.name(address),),
        lambda address, value, names: {"stat_id": names.stats[fact_address.name(address)], "value": value},
    ),
    "toggle": FactTable(
        RowWriter(CharacterToggle, circumstance__slug="a circumstance"),
        lambda address: (fact_address.name(address),),
        lambda address, on, names: {"circumstance_id": names.circumstances[fact_address.name(address)]},
    ),
    "condition": FactTable(
        RowWriter(CharacterCondition, element__slug="a condition", source="where it comes from"),
        _condition_names,
        _condition_columns,
    ),
}


def write(character: Character, changed: Facts, before: Facts, names: Index) -> dict[str, Any]:
    """Write these facts to their rows. Returns the columns of the character itself, which the caller updates.

    `before` holds the facts before the change: a fact that had no row needs no deleting. A name that the character's
    game does not know raises NotInRules; verbs check names first.
    """
    by_namespace: dict[str, Facts] = defaultdict(dict)
    for address, value in changed.items():
        by_namespace[fact_address.namespace(address)][address] = value
    columns: dict[str, Any] = {}
    if items := by_namespace.get("item"):  # an item's row is written anew, with its number of uses
        used = by_namespace.pop("used", {})
        before = before | used
        by_namespace["used"] = {a: n for a, n in used.items() if f"item:{fact_address.name(a)}" not in items}
    for word, facts in by_namespace.items():
        columns |= WRITERS[word](character, facts, names, before) or {}
    return columns


def create(character: Character, word: str, values: list[dict[str, Any]], names: Index) -> Facts:
    """Add rows whose id the database gives (items, aspects, notes ...); returns their values by their new addresses."""
    if word == "item":
        rows = [_item(character, value, names) for value in values]
        ITEMS.put(rows)
    else:
        writer = TABLES[word].writer
        rows = [new_model(writer.model, character_id=character.pk, **value) for value in values]
        writer.put(rows)
    return {f"{word}:{row.pk}": value for row, value in zip(rows, values, strict=True)}


def _write_fields(character: Character, facts: Facts, names: Index, before: Facts) -> dict[str, Any]:
    columns = {fact_address.name(address): value for address, value in facts.items()}
    if "binned" in columns:
        moment = columns.pop("binned")
        columns["binned_at"] = parse_datetime(moment) if moment else None
    return columns


def _write_answers(model: type[Model], character: Character, facts: Facts, names: Index, before: Facts) -> None:
    places, rows = [], []
    for address, made in facts.items():
        key, level = fact_address.choice_parts(address)
        places.append(Q(choice=names.choices[key], level=level))
        for position, one in enumerate(made or []):
            rows.append(
                model(
                    character_id=character.pk,
                    choice_id=names.choices[key],
                    level=level,
                    position=position,
                    element_id=names.elements[one["ref"]] if "ref" in one else None,
                    stat_id=names.stats[one["stat"]] if "stat" in one else None,
                    write_in=one.get("write_in", ""),
                    points=one.get("points", 1),
                    override=one.get("override", ""),
                )
            )
    if before.keys() & facts.keys():
        for some in batched(places, MOST_AT_ONCE):
            model.objects.filter(reduce(or_, some), character=character).delete()
    model.objects.bulk_create(rows)


def _item(character: Character, value: dict[str, Any], names: Index, pk: int | None = None, used: int = 0) -> Model:
    return new_model(
        InventoryItem,
        id=pk,
        character_id=character.pk,
        element_id=names.elements[value["ref"]] if "ref" in value else None,
        custom=value.get("custom", ""),
        quantity=value["quantity"],
        state=value["state"],
        position=value["position"],
        used=used,
    )


def _write_items(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    """Delete the items that go into a hand and insert them last, after the item that leaves the hand has moved. So two
    things can swap places under the constraint of one item to a hand."""
    ids = {address: int(fact_address.name(address)) for address in facts}
    taken_up = [address for address, value in facts.items() if value and value["state"] in HANDS]
    gone = [address for address, value in facts.items() if not value]
    ITEMS.remove(character, [(ids[address],) for address in (*taken_up, *gone)])
    ITEMS.put(
        [
            _item(character, facts[address], names, ids[address], before.get(f"used:{ids[address]}", 0))
            for address in sorted(facts, key=taken_up.__contains__)
            if facts[address]
        ]
    )


def _write_used(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    for address, used in facts.items():
        USED.put({"used": used}, id=fact_address.name(address), character=character.pk)


def _write_rows(table: FactTable, character: Character, facts: Facts, names: Index, before: Facts) -> None:
    table.writer.remove(character, [table.names(address) for address in facts if address in before])
    table.writer.put(
        [
            new_model(table.writer.model, character_id=character.pk, **table.columns(address, value, names))
            for address, value in facts.items()
            if value is not None
        ]
    )


def _write_spent(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    """A resource that is full again keeps its row with 0, so one statement does it all."""
    spent = {names.resources[fact_address.name(address)]: number for address, number in facts.items()}
    SPENT.put([new_model(ResourceState, character_id=character.pk, resource_id=pk, spent=n) for pk, n in spent.items()])


def _write_awards(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    which, rows = Q(), []
    for address, value in facts.items():
        ref, write_in = fact_address.award_parts(address)
        kind, _, slug = ref.partition(":")
        which |= Q(element__kind=kind, element__slug=slug) if ref else Q(write_in=write_in)
        if value:
            element_id = names.elements[ref] if ref else None
            rows.append(Award(character_id=character.pk, element_id=element_id, write_in=write_in, **value))
    character.awards.filter(which).delete()
    Award.objects.bulk_create(rows)


def _house_rules(character: Character) -> HouseRules:
    """The character's own house rules, created when the first one is set."""
    if character.house_rules_id is None:
        character.house_rules = HouseRules.objects.create(ruleset_id=character.ruleset_id)
        Character.objects.filter(pk=character.pk).update(house_rules=character.house_rules)
    return character.house_rules


def _write_switches(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    values = {fact_address.name(address): value for address, value in facts.items()}
    house_rules = _house_rules(character)
    house_rules.values.filter(switch__key__in=values).delete()
    SwitchValue.objects.bulk_create(
        [
            SwitchValue(house_rules=house_rules, switch_id=names.switches[key], value=value)
            for key, value in values.items()
            if value is not None
        ]
    )


def _write_sources(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    values = {fact_address.name(address): value for address, value in facts.items()}
    house_rules = _house_rules(character)
    ids = IdsByName(
        dict(Source.objects.filter(ruleset=character.ruleset_id, slug__in=values).values_list("slug", "pk"))
    )
    house_rules.sources.remove(*(ids[slug] for slug, on in values.items() if not on))
    house_rules.sources.add(*(ids[slug] for slug, on in values.items() if on))


WRITERS: dict[str, Callable[[Character, Facts, Index, Facts], dict[str, Any] | None]] = {
    "field": _write_fields,
    "choice": partial(_write_answers, Decision),
    "plan": partial(_write_answers, PlannedDecision),
    "item": _write_items,
    "used": _write_used,
    "spent": _write_spent,
    "award": _write_awards,
    "switch": _write_switches,
    "source": _write_sources,
    **{word: partial(_write_rows, table) for word, table in TABLES.items()},
}
