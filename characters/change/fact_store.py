"""A character's facts by address, read from its rows, which `fact_writer.py` writes."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, CharField, F, Model, QuerySet, Value, When
from django.db.models.functions import Cast

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
from rules.fast_sql import PLACEHOLDERS, Prepared
from rules.models import HouseRules, SwitchValue

from . import fact_address

type Facts = dict[str, Any]  # values as plain JSON (`fact_address.py`)
type StoredRow = list[Any] | tuple[Any, ...]


class SmallTable(NamedTuple):
    """A table with few rows for each character or house rules, and the columns that its facts are made of."""

    model: type[Model]
    texts: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    owner: str = "character"  # the foreign key to the character, or to its house rules


SPELL_TEXTS = ("name", "time", "range", "attack", "saving_throw", "damage", "text")
SMALL_TABLES = {  # by the tag that begins each row
    "input": SmallTable(StatInput, ("stat__key",), ("value",)),
    "spent": SmallTable(ResourceState, ("resource__slug",), ("spent",)),
    "toggle": SmallTable(CharacterToggle, ("circumstance__slug",)),
    "condition": SmallTable(CharacterCondition, ("element__slug", "source", "until"), ("stacks", "rounds")),
    "award": SmallTable(Award, ("element__kind", "element__slug", "write_in", "reason")),
    "aspect": SmallTable(Aspect, ("kind", "text"), ("position", "pk")),
    "item": SmallTable(
        InventoryItem, ("element__kind", "element__slug", "custom", "state"), ("position", "pk", "quantity", "used")
    ),
    "relationship": SmallTable(Relationship, ("other", "based_on", "text"), ("position", "pk", "agreed", "linked_id")),
    "note": SmallTable(Note, ("text",), ("position", "pk")),
    "downtime": SmallTable(Downtime, ("activity", "notes", "outcome"), ("position", "pk", "days")),
    "spell": SmallTable(Spell, SPELL_TEXTS, ("position", "pk", "cantrip")),
    "switch": SmallTable(SwitchValue, ("switch__key", "value"), owner="house_rules"),
    "source": SmallTable(HouseRules.sources.through, ("source__slug",), owner="houserules"),
}
BOOLEANS = {"agreed", "cantrip"}
MOST_TEXTS = max(len(table.texts) for table in SMALL_TABLES.values())
MOST_NUMBERS = max(len(table.numbers) for table in SMALL_TABLES.values())


def stored(character: Character) -> Facts:
    """Every fact of the character by its address, in two queries. Absent facts are left out."""
    facts = _fields(character)
    _put_decisions(ANSWERS.rows(character.pk), facts)
    _put_small_rows(SMALL_ROWS.rows(character.pk, character.house_rules_id), facts)
    return facts


def stored_of_many(characters: Collection[Character]) -> dict[int, Facts]:
    """The facts of each of these characters, by its id, in two queries for all of them."""
    ids = [character.pk for character in characters]
    house_rules = [character.house_rules_id for character in characters if character.house_rules_id]
    answers, small, shared = (defaultdict[int | None, list[StoredRow]](list) for _ in range(3))
    for row in _answers(ids):
        answers[row[0]].append(row)
    for row in _small_rows(ids, house_rules):
        (small if SMALL_TABLES[row[1]].owner == "character" else shared)[row[0]].append(row)
    found = {}
    for character in characters:
        facts = found[character.pk] = _fields(character)
        _put_decisions(answers[character.pk], facts)
        _put_small_rows([*small[character.pk], *shared[character.house_rules_id]], facts)
    return found


def _fields(character: Character) -> Facts:
    found = ((field, _field(character, field)) for field in fact_address.FIELDS)
    return {f"field:{field}": value for field, value in found if value not in (None, [])}


def _field(character: Character, field: str) -> Any:
    if field == "binned":
        return character.binned_at.isoformat() if character.binned_at else None
    return getattr(character, field)


def _answers(characters: list[int]) -> QuerySet:
    """Decided and planned answers of these characters, with the character's id at the front of each row."""

    def rows(model: type[Model], word: str) -> QuerySet:
        return model.objects.filter(character__in=characters).order_by().values_list(
            "character_id", Value(word, CharField()), "level", "choice__owner__slug", "choice__slug", "position",
            "element__kind", "element__slug", "stat__key", "write_in", "points", "override",
        )  # fmt: skip

    return rows(Decision, "choice").union(rows(PlannedDecision, "plan"), all=True).order_by()


def _small_rows(characters: list[int], house_rules: list[int]) -> QuerySet:
    """The rows of the small tables: (owner's id, tag, MOST_TEXTS texts, MOST_NUMBERS numbers), "" or 0 where a table
    has fewer. The owner is the character or its house rules."""
    queries = []
    for tag, table in SMALL_TABLES.items():
        owners = characters if table.owner == "character" else house_rules
        queries.append(
            table.model.objects.filter(**{f"{table.owner}__in": owners})
            .order_by()
            .values_list(
                f"{table.owner}_id",
                Value(tag, CharField()),
                *(Cast(F(column), CharField()) for column in table.texts),
                *(Value("", CharField()),) * (MOST_TEXTS - len(table.texts)),
                *(Cast(_as_number(column), BigIntegerField()) for column in table.numbers),
                *(Value(0, BigIntegerField()),) * (MOST_NUMBERS - len(table.numbers)),
            )
        )
    return queries[0].union(*queries[1:], all=True)


def _as_number(column: str) -> F | Case:
    """The column, or 1 and 0 for a boolean, which PostgreSQL does not cast."""
    return Case(When(**{column: True}, then=1), default=0) if column in BOOLEANS else F(column)


ANSWERS = Prepared(lambda character: _answers([character]), PLACEHOLDERS[0])
SMALL_ROWS = Prepared(lambda character, house_rules: _small_rows([character], [house_rules]), *PLACEHOLDERS)


def _put_decisions(found: Iterable[StoredRow], facts: Facts) -> None:
    in_order = sorted(found, key=lambda row: row[:6])
    for _, word, level, owner, slug, _, kind, element, stat, write_in, points, override in in_order:
        ref = f"{kind}:{element}" if element else ""
        made = fact_address.answer(ref, stat, write_in, points, override)
        facts.setdefault(f"{word}:{owner}.{slug}@{level}", []).append(made)


def _put_small_rows(rows: Iterable[StoredRow], facts: Facts) -> None:
    found = defaultdict(list)
    for _, tag, *columns in rows:
        table = SMALL_TABLES[tag]
        numbers = columns[MOST_TEXTS : MOST_TEXTS + len(table.numbers)]
        found[tag].append((columns[: len(table.texts)], numbers))
    facts |= {f"input:{stat}": value for (stat,), (value,) in sorted(found["input"])}
    facts |= {f"spent:{resource}": spent for (resource,), (spent,) in sorted(found["spent"]) if spent}
    facts |= {f"toggle:{circumstance}": True for (circumstance,), _ in sorted(found["toggle"])}
    for (slug, source, until), (stacks, rounds) in sorted(found["condition"]):
        address = fact_address.condition(f"condition:{slug}", source)
        facts[address] = {"stacks": stacks, "until": until, "rounds": rounds}
    for (kind, slug, write_in, reason), _ in found["award"]:
        facts[fact_address.award(f"{kind}:{slug}" if slug else "", write_in)] = {"reason": reason}
    for (kind, slug, custom, state), (position, pk, quantity, used) in _placed(found["item"]):
        named = {"custom": custom} if custom else {"ref": f"{kind}:{slug}"}
        facts[f"item:{pk}"] = {**named, "quantity": quantity, "state": state, "position": position}
        if used:
            facts[f"used:{pk}"] = used
    for word in ("aspect", "relationship", "note", "downtime", "spell"):
        for texts, (position, pk, *numbers) in _placed(found[word]):
            table = SMALL_TABLES[word]
            row = dict(zip((*table.texts, *table.numbers[2:]), (*texts, *numbers), strict=True))
            row |= {column: bool(row[column]) for column in BOOLEANS & row.keys()}
            if "linked_id" in row and not row["linked_id"]:
                del row["linked_id"]
            facts[f"{word}:{pk}"] = row | {"position": position}
    facts |= {f"switch:{key}": value for (key, value), _ in sorted(found["switch"])}
    facts |= {f"source:{slug}": True for (slug,), _ in sorted(found["source"])}


def _placed(rows: list[tuple[list[Any], list[Any]]]) -> list[tuple[list[Any], list[Any]]]:
    """Rows in the order of their position, then of their id: the first two numbers."""
    return sorted(rows, key=lambda row: row[1])
