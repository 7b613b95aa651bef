"""Between a character's rows and its facts by address: the only module that reads and writes those rows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db.models import BigIntegerField, Case, CharField, F, Model, Q, QuerySet, Value, When
from django.db.models.functions import Cast
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
from rules.fast_sql import MARKS, Prepared, PreparedUpdate, new_model
from rules.index import Index, Names
from rules.models import HouseRules, Source, SwitchValue

from . import addresses
from .row_writer import RowWriter

type Facts = dict[str, Any]  # values as plain JSON (`addresses.py`)
type Row = list[Any] | tuple[Any, ...]
OF_HOUSE_RULES = {"switch", "source"}
NO_MORE = ("", "", "")  # the last three texts of a row of a small table: most have none


def stored(character: Character) -> Facts:
    """Every fact of the character by its address, in two queries. What is absent is left out."""
    facts = _fields(character)
    _put_decisions(ANSWERS.rows(character.pk), facts)
    _put_small_rows(SMALL_ROWS.rows(character.pk, character.house_rules_id), facts)
    return facts


def stored_of_many(characters: Collection[Character]) -> dict[int, Facts]:
    """The same for each of these characters by its id, in two queries for all of them."""
    ids = [character.pk for character in characters]
    house_rules = [character.house_rules_id for character in characters if character.house_rules_id]
    answers, small, shared = (defaultdict[int | None, list[Row]](list) for _ in range(3))
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
    found = ((field, _field(character, field)) for field in addresses.FIELDS)
    return {f"field:{field}": value for field, value in found if value not in (None, [])}


def _field(character: Character, field: str) -> Any:
    if field == "binned":
        return character.binned_at.isoformat() if character.binned_at else None
    return getattr(character, field)


def _answers(character: int | list[int], *first: str) -> QuerySet:
    """What is decided and what is planned, of one character or of several, after the columns named `first`."""
    of = {"character__in" if first else "character": character}

    def rows(model: type[Model], word: str) -> QuerySet:
        return model.objects.filter(**of).order_by().values_list(
            *first, Value(word, CharField()), "level", "choice__owner__slug", "choice__slug", "position",
            "element__kind", "element__slug", "stat__key", "write_in", "points", "override",
        )  # fmt: skip

    return rows(Decision, "choice").union(rows(PlannedDecision, "plan"), all=True).order_by()


def _small_rows(character: int | list[int], house_rules: int | list[int], *first: str) -> QuerySet:
    """The rows of the small tables: (tag, a, b, c, d, n, m, k, j, e, f, g) with the meaning that the tag gives. Of
    several characters after the columns named `first`, which for OF_HOUSE_RULES is the id of those."""
    of, many = {"character__in" if first else "character": character}, "__in" if first else ""

    def row(
        model: type[Model],
        tag: str,
        a: str,
        b: str = "",
        c: str = "",
        d: str = "",
        n: str | None = None,
        m: str | None = None,
        k: str | None = None,
        j: str | None = None,
        more: tuple[str, ...] = NO_MORE,
        **annotated: Any,
    ) -> QuerySet:
        rows = model.objects.filter(**of).annotate(**annotated)
        return columns(rows, first, tag, a, b, c, d, n, m, k, j, more)

    def columns(
        rows: QuerySet,
        first: tuple[str, ...],
        tag: str,
        a: str,
        b: str = "",
        c: str = "",
        d: str = "",
        n: str | None = None,
        m: str | None = None,
        k: str | None = None,
        j: str | None = None,
        more: tuple[str, ...] = NO_MORE,
    ) -> QuerySet:
        return rows.order_by().values_list(
            *first,
            Value(tag, CharField()),
            *(Cast(F(x), CharField()) if x else Value("", CharField()) for x in (a, b, c, d)),
            *(Cast(F(x), BigIntegerField()) if x else Value(0, BigIntegerField()) for x in (n, m, k, j)),
            *(Cast(F(x), CharField()) if x else Value("", CharField()) for x in more),
        )

    said_yes = Case(When(agreed=True, then=1), default=0)
    is_cantrip = Case(When(cantrip=True, then=1), default=0)
    switches = SwitchValue.objects.filter(**{f"house_rules{many}": house_rules})
    sources = HouseRules.sources.through.objects.filter(**{f"houserules{many}": house_rules})
    thing, tie = ("element__kind", "element__slug", "custom", "state"), ("other", "based_on", "text")
    spell, of_spell = ("name", "time", "range", "attack"), ("saving_throw", "damage", "text")
    queries = [
        row(StatInput, "input", "stat__key", n="value"),
        row(ResourceState, "spent", "resource__slug", n="spent"),
        row(CharacterToggle, "toggle", "circumstance__slug"),
        row(CharacterCondition, "condition", "element__slug", "source", "until", n="stacks", m="rounds"),
        row(Award, "award", "element__kind", "element__slug", "reason"),
        row(Aspect, "aspect", "kind", "text", n="pk", m="position"),
        row(InventoryItem, "item", *thing, n="pk", m="position", k="quantity", j="used"),
        row(Relationship, "relationship", *tie, n="pk", m="position", k="yes", j="linked_id", yes=said_yes),
        row(Note, "note", "text", n="pk", m="position"),
        row(Downtime, "downtime", "activity", "notes", "outcome", n="pk", m="position", k="days"),
        row(Spell, "spell", *spell, n="pk", m="position", k="yes", more=of_spell, yes=is_cantrip),
        columns(switches, ("house_rules_id",) * len(first), "switch", "switch__key", "value"),
        columns(sources, ("houserules_id",) * len(first), "source", "source__slug"),
    ]
    return queries[0].union(*queries[1:], all=True)


ANSWERS = Prepared(_answers, MARKS[0])
SMALL_ROWS = Prepared(_small_rows, *MARKS)
ONE = MARKS[1]  # the id of one row
PROSE = {
    "aspect": RowWriter(Aspect, pk=ONE),
    "relationship": RowWriter(Relationship, pk=ONE),
    "note": RowWriter(Note, pk=ONE),
    "downtime": RowWriter(Downtime, pk=ONE),
    "spell": RowWriter(Spell, pk=ONE),
}
ITEMS = RowWriter(InventoryItem, unique=("id",), update=("quantity", "state", "position", "used"), pk=ONE)
USED = PreparedUpdate(InventoryItem)
SPENT = RowWriter(ResourceState, unique=("character", "resource"), update=("spent",))
TOGGLES = RowWriter(CharacterToggle, circumstance__slug="a circumstance")
CONDITIONS = RowWriter(CharacterCondition, element__slug="a condition", source="where it comes from")


def _put_decisions(found: Iterable[Row], facts: Facts) -> None:
    in_order = sorted(found, key=lambda row: row[:5])
    for word, level, owner, slug, _, kind, element, stat, write_in, points, override in in_order:
        made = {"ref": f"{kind}:{element}"} if element else {"stat": stat} if stat else {"write_in": write_in}
        if points != 1:
            made["points"] = points
        if override:
            made["override"] = override
        facts.setdefault(f"{word}:{owner}.{slug}@{level}", []).append(made)


def _put_small_rows(rows: Iterable[Row], facts: Facts) -> None:
    found = defaultdict(list)
    for tag, *columns in rows:
        found[tag].append(columns)
    facts |= {f"input:{a}": n for a, _, _, _, n, *_ in sorted(found["input"])}
    facts |= {f"spent:{a}": n for a, _, _, _, n, *_ in sorted(found["spent"]) if n}
    facts |= {f"toggle:{a}": True for a, *_ in sorted(found["toggle"])}
    for a, b, c, _, n, m, *_ in sorted(found["condition"]):
        facts[addresses.condition(f"condition:{a}", b)] = {"stacks": n, "until": c, "rounds": m}
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
        told = {"name": a, "time": b, "range": c, "attack": d, "saving_throw": e, "damage": f, "text": g}
        facts[f"spell:{n}"] = {**told, "cantrip": bool(k), "position": m}
    facts |= {f"switch:{a}": b for a, b, *_ in sorted(found["switch"])}
    facts |= {f"source:{a}": True for a, *_ in sorted(found["source"])}


def _placed(rows: list[list[Any]]) -> list[list[Any]]:
    """Rows in the order of their position, then of their id."""
    return sorted(rows, key=lambda columns: (columns[5], columns[4]))


def write(character: Character, changed: Facts, before: Facts, names: Index) -> dict[str, Any]:
    """Write these facts to their rows. Answers the columns of the character itself, which the caller updates.

    `before` are the facts that stood until now: what never had a row needs no deleting. A name that the character's
    game does not know is a programming error and raises KeyError; verbs check first.
    """
    by_namespace: dict[str, Facts] = defaultdict(dict)
    for address, value in changed.items():
        by_namespace[addresses.namespace(address)][address] = value
    columns: dict[str, Any] = {}
    if items := by_namespace.get("item"):  # their rows are made anew with the number on them
        used = by_namespace.pop("used", {})
        before = before | used
        by_namespace["used"] = {a: n for a, n in used.items() if f"item:{addresses.name(a)}" not in items}
    for word, facts in by_namespace.items():
        columns |= WRITERS[word](character, facts, names, before) or {}
    return columns


def create(character: Character, word: str, values: list[dict[str, Any]], names: Index) -> Facts:
    """Add rows whose id the database gives (items, aspects, notes ...) and answer them by their new addresses."""
    if word == "item":
        rows = [_item(character, value, names) for value in values]
        ITEMS.put(rows)
    else:
        rows = [new_model(PROSE[word].model, character_id=character.pk, **value) for value in values]
        PROSE[word].put(rows)
    return {f"{word}:{row.pk}": value for row, value in zip(rows, values, strict=True)}


def _write_fields(character: Character, facts: Facts, names: Index, before: Facts) -> dict[str, Any]:
    columns = {addresses.name(address): value for address, value in facts.items()}
    if "binned" in columns:
        moment = columns.pop("binned")
        columns["binned_at"] = parse_datetime(moment) if moment else None
    return columns


def _write_choices(
    character: Character, facts: Facts, names: Index, before: Facts, model: type[Model] = Decision
) -> None:
    which, rows = Q(), []
    for address, made in facts.items():
        key, level = addresses.choice_parts(address)
        which |= Q(choice=names.choices[key], level=level)
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
        model.objects.filter(which, character=character).delete()
    model.objects.bulk_create(rows)


def _write_plan(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    _write_choices(character, facts, names, before, PlannedDecision)


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
    """What goes into a hand is taken out and comes in last, when what leaves the hand has moved: so two things may
    swap places under the constraint of one a hand."""
    ids = {address: int(addresses.name(address)) for address in facts}
    taken_up = [address for address, value in facts.items() if value and value["state"] in HANDS]
    gone = [address for address, value in facts.items() if not value]
    ITEMS.take(character, [(ids[address],) for address in (*taken_up, *gone)])
    ITEMS.put(
        [
            _item(character, facts[address], names, ids[address], before.get(f"used:{ids[address]}", 0))
            for address in sorted(facts, key=taken_up.__contains__)
            if facts[address]
        ]
    )


def _write_used(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    for address, used in facts.items():
        USED.put({"used": used}, id=addresses.name(address), character=character.pk)


def _write_prose(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    rows = PROSE[addresses.namespace(next(iter(facts)))]
    rows.take(character, [(int(addresses.name(address)),) for address in facts if address in before])
    rows.put(
        [
            new_model(rows.model, id=int(addresses.name(address)), character_id=character.pk, **value)
            for address, value in facts.items()
            if value
        ]
    )


def _write_inputs(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    values = {addresses.name(address): value for address, value in facts.items()}
    character.inputs.filter(stat__key__in=values).delete()
    StatInput.objects.bulk_create(
        [
            StatInput(character_id=character.pk, stat_id=names.stats[key], value=value)
            for key, value in values.items()
            if value is not None
        ]
    )


def _write_spent(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    """A resource that is full again keeps its row at 0: one statement, whatever moved."""
    SPENT.put(
        [
            new_model(
                ResourceState, character_id=character.pk, resource_id=names.resources[addresses.name(one)], spent=value
            )
            for one, value in facts.items()
        ]
    )


def _write_toggles(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    TOGGLES.take(character, [(addresses.name(address),) for address in facts if address in before])
    TOGGLES.put(
        [
            new_model(
                CharacterToggle, character_id=character.pk, circumstance_id=names.circumstances[addresses.name(one)]
            )
            for one, on in facts.items()
            if on
        ]
    )


def _write_conditions(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    gone, rows = [], []
    for address, value in facts.items():
        ref, source = addresses.condition_parts(address)
        if address in before:
            gone.append((ref.partition(":")[2], source))
        if value:
            rows.append(
                new_model(
                    CharacterCondition,
                    character_id=character.pk,
                    element_id=names.elements[ref],
                    source=source,
                    **value,
                )
            )
    CONDITIONS.take(character, gone)
    CONDITIONS.put(rows)


def _write_awards(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    which, rows = Q(), []
    for address, value in facts.items():
        kind, _, slug = addresses.name(address).partition(":")
        which |= Q(element__kind=kind, element__slug=slug)
        if value:
            rows.append(Award(character_id=character.pk, element_id=names.elements[f"{kind}:{slug}"], **value))
    character.awards.filter(which).delete()
    Award.objects.bulk_create(rows)


def _house_rules(character: Character) -> HouseRules:
    """The character's own house rules, made when the first is set."""
    if character.house_rules_id is None:
        character.house_rules = HouseRules.objects.create(ruleset_id=character.ruleset_id)
        Character.objects.filter(pk=character.pk).update(house_rules=character.house_rules)
    return character.house_rules


def _write_switches(character: Character, facts: Facts, names: Index, before: Facts) -> None:
    values = {addresses.name(address): value for address, value in facts.items()}
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
    values = {addresses.name(address): value for address, value in facts.items()}
    house_rules = _house_rules(character)
    ids = Names(Source.objects.filter(ruleset=character.ruleset_id, slug__in=values).values_list("slug", "pk"))
    house_rules.sources.remove(*(ids[slug] for slug, on in values.items() if not on))
    house_rules.sources.add(*(ids[slug] for slug, on in values.items() if on))


WRITERS: dict[str, Callable[[Character, Facts, Index, Facts], dict[str, Any] | None]] = {
    "field": _write_fields,
    "choice": _write_choices,
    "plan": _write_plan,
    "item": _write_items,
    "used": _write_used,
    "aspect": _write_prose,
    "relationship": _write_prose,
    "note": _write_prose,
    "downtime": _write_prose,
    "spell": _write_prose,
    "input": _write_inputs,
    "spent": _write_spent,
    "toggle": _write_toggles,
    "condition": _write_conditions,
    "award": _write_awards,
    "switch": _write_switches,
    "source": _write_sources,
}
