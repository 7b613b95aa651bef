"""A character's facts by address, read from its rows. Those rows are written by `fact_writer.py`."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

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
from rules.fast_sql import MARKS, Prepared
from rules.models import HouseRules, SwitchValue

from . import fact_address

type Facts = dict[str, Any]  # values as plain JSON (`fact_address.py`)
type StoredRow = list[Any] | tuple[Any, ...]
OF_HOUSE_RULES = {"switch", "source"}
NO_MORE = ("", "", "")  # the last three texts of a row of a small table: most have none


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
    for pk, *row in _answers(ids, "character_id"):
        answers[pk].append(row)
    for pk, *row in _small_rows(ids, house_rules, "character_id"):
        (shared if row[0] in OF_HOUSE_RULES else small)[pk].append(row)
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


def _answers(character: int | list[int], *first: str) -> QuerySet:
    """Decided and planned answers of one character; or of several, with the columns named `first` at the front of each
    row."""
    of = {"character__in" if first else "character": character}

    def rows(model: type[Model], word: str) -> QuerySet:
        return model.objects.filter(**of).order_by().values_list(
            *first, Value(word, CharField()), "level", "choice__owner__slug", "choice__slug", "position",
            "element__kind", "element__slug", "stat__key", "write_in", "points", "override",
        )  # fmt: skip

    return rows(Decision, "choice").union(rows(PlannedDecision, "plan"), all=True).order_by()


def _small_rows(character: int | list[int], house_rules: int | list[int], *first: str) -> QuerySet:
    """The rows of the small tables: (tag, a, b, c, d, n, m, k, j, e, f, g); the tag says what the letters mean. For
    several characters, the columns named `first` are at the front of each row, but the rows of OF_HOUSE_RULES have the
    id of the house rules there."""
    of, many = {"character__in" if first else "character": character}, "__in" if first else ""

    def row(model: type[Model], tag: str, *texts: str, yes: str = "", **more: Any) -> QuerySet:
        rows = model.objects.filter(**of)
        if yes:
            rows = rows.annotate(yes=Case(When(**{yes: True}, then=1), default=0))
        return _columns(rows, first, tag, *texts, **more)

    switches = SwitchValue.objects.filter(**{f"house_rules{many}": house_rules})
    sources = HouseRules.sources.through.objects.filter(**{f"houserules{many}": house_rules})
    thing, story = ("element__kind", "element__slug", "custom", "state"), ("other", "based_on", "text")
    spell, of_spell = ("name", "time", "range", "attack"), ("saving_throw", "damage", "text")
    queries = [
        row(StatInput, "input", "stat__key", n="value"),
        row(ResourceState, "spent", "resource__slug", n="spent"),
        row(CharacterToggle, "toggle", "circumstance__slug"),
        row(CharacterCondition, "condition", "element__slug", "source", "until", n="stacks", m="rounds"),
        row(Award, "award", "element__kind", "element__slug", "reason"),
        row(Aspect, "aspect", "kind", "text", n="pk", m="position"),
        row(InventoryItem, "item", *thing, n="pk", m="position", k="quantity", j="used"),
        row(Relationship, "relationship", *story, n="pk", m="position", k="yes", j="linked_id", yes="agreed"),
        row(Note, "note", "text", n="pk", m="position"),
        row(Downtime, "downtime", "activity", "notes", "outcome", n="pk", m="position", k="days"),
        row(Spell, "spell", *spell, n="pk", m="position", k="yes", more=of_spell, yes="cantrip"),
        _columns(switches, ("house_rules_id",) * len(first), "switch", "switch__key", "value"),
        _columns(sources, ("houserules_id",) * len(first), "source", "source__slug"),
    ]
    return queries[0].union(*queries[1:], all=True)


def _columns(
    rows: QuerySet,
    owner: tuple[str, ...],
    tag: str,
    *texts: str,
    n: str | None = None,
    m: str | None = None,
    k: str | None = None,
    j: str | None = None,
    more: tuple[str, ...] = NO_MORE,
) -> QuerySet:
    """These rows in the shape that all queries of `_small_rows` share: each text and number in its place, "" or 0 for
    none."""
    return rows.order_by().values_list(
        *owner,
        Value(tag, CharField()),
        *(Cast(F(x), CharField()) if x else Value("", CharField()) for x in (*texts, "", "", "", "")[:4]),
        *(Cast(F(x), BigIntegerField()) if x else Value(0, BigIntegerField()) for x in (n, m, k, j)),
        *(Cast(F(x), CharField()) if x else Value("", CharField()) for x in more),
    )


ANSWERS = Prepared(_answers, MARKS[0])
SMALL_ROWS = Prepared(_small_rows, *MARKS)


def _put_decisions(found: Iterable[StoredRow], facts: Facts) -> None:
    in_order = sorted(found, key=lambda row: row[:5])
    for word, level, owner, slug, _, kind, element, stat, write_in, points, override in in_order:
        made = {"ref": f"{kind}:{element}"} if element else {"stat": stat} if stat else {"write_in": write_in}
        if points != 1:
            made["points"] = points
        if override:
            made["override"] = override
        facts.setdefault(f"{word}:{owner}.{slug}@{level}", []).append(made)


def _put_small_rows(rows: Iterable[StoredRow], facts: Facts) -> None:
    found = defaultdict(list)
    for tag, *columns in rows:
        found[tag].append(columns)
    facts |= {f"input:{a}": n for a, _, _, _, n, *_ in sorted(found["input"])}
    facts |= {f"spent:{a}": n for a, _, _, _, n, *_ in sorted(found["spent"]) if n}
    facts |= {f"toggle:{a}": True for a, *_ in sorted(found["toggle"])}
    for a, b, c, _, n, m, *_ in sorted(found["condition"]):
        facts[fact_address.condition(f"condition:{a}", b)] = {"stacks": n, "until": c, "rounds": m}
    facts |= {f"award:{a}:{b}": {"reason": c} for a, b, c, *_ in sorted(found["award"])}
    for a, b, _, _, n, m, *_ in _placed(found["aspect"]):
        facts[f"aspect:{n}"] = {"kind": a, "text": b, "position": m}
    for a, b, c, d, n, m, k, j, *_ in _placed(found["item"]):
        named = {"custom": c} if c else {"ref": f"{a}:{b}"}
        facts[f"item:{n}"] = {**named, "quantity": k, "state": d, "position": m}
        if j:
            facts[f"used:{n}"] = j
    for a, b, c, _, n, m, k, j, *_ in _placed(found["relationship"]):
        linked = {"linked_id": j} if j else {}
        facts[f"relationship:{n}"] = {"other": a, "based_on": b, "text": c, "agreed": bool(k), "position": m, **linked}
    for a, _, _, _, n, m, *_ in _placed(found["note"]):
        facts[f"note:{n}"] = {"text": a, "position": m}
    for a, b, c, _, n, m, k, *_ in _placed(found["downtime"]):
        facts[f"downtime:{n}"] = {"days": k, "activity": a, "notes": b, "outcome": c, "position": m}
    for a, b, c, d, n, m, k, _, e, f, g in _placed(found["spell"]):
        spell = {"name": a, "time": b, "range": c, "attack": d, "saving_throw": e, "damage": f, "text": g}
        facts[f"spell:{n}"] = {**spell, "cantrip": bool(k), "position": m}
    facts |= {f"switch:{a}": b for a, b, *_ in sorted(found["switch"])}
    facts |= {f"source:{a}": True for a, *_ in sorted(found["source"])}


def _placed(rows: list[list[Any]]) -> list[list[Any]]:
    """Rows in the order of their position, then of their id."""
    return sorted(rows, key=lambda columns: (columns[5], columns[4]))
