"""Turns a character's facts into the Build that the engine takes."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from characters.change import fact_address, fact_store
from rules.engine.build import Award, Build, Decision, Downtime, Held, Item, Relationship, Spell


def build_from(facts: fact_store.Facts) -> Build:
    """The Build that these facts describe. A new kind of fact must also go into `character_file.facts_of`."""
    parts = fact_address.by_namespace(facts)
    field = parts["field"]
    return Build(
        name=field.get("name", ""),
        xp=field.get("xp", 0),
        milestone=field.get("milestone"),
        method=field.get("method", ""),
        dice=tuple(tuple(faces) for faces in field.get("dice", [])),
        rest=field.get("rest", ""),
        rest_dice=field.get("rest_dice", 0),
        inputs=dict(parts["input"]),
        decisions=tuple(_decisions(parts["choice"])),
        plan=tuple(_decisions(parts["plan"])),
        items=_items(parts),
        conditions=_conditions(parts),
        awards=tuple(
            Award(ref, one["reason"], write_in)
            for name, one in sorted(parts["award"].items())
            for ref, write_in in [fact_address.award_parts(f"award:{name}")]
        ),
        aspects=tuple((one["kind"], one["text"]) for _, one in by_position(parts["aspect"])),
        relationships=tuple(
            Relationship(one["other"], one["based_on"], one["text"], one["agreed"])
            for _, one in by_position(parts["relationship"])
        ),
        notes=tuple(one["text"] for _, one in by_position(parts["note"])),
        downtimes=tuple(
            Downtime(one["days"], one["activity"], one["notes"], one["outcome"])
            for _, one in by_position(parts["downtime"])
        ),
        spells=tuple(
            Spell(**{name: part for name, part in value.items() if name != "position"}, key=key)
            for key, value in by_position(parts["spell"])
        ),
        spent={slug: spent for slug, spent in parts["spent"].items() if spent},
        toggles=frozenset(parts["toggle"]),
        switches=dict(parts["switch"]),
        sources=frozenset(parts["source"]),
    )


def _items(parts: fact_address.Parts) -> tuple[Item, ...]:
    used = parts["used"]
    return tuple(
        Item(value.get("ref", ""), value.get("custom", ""), value["quantity"], value["state"], key, used.get(key, 0))
        for key, value in by_position(parts["item"])
    )


def _conditions(parts: fact_address.Parts) -> tuple[Held, ...]:
    return tuple(
        Held(ref, value["stacks"], source, value["until"], value.get("rounds", 0))
        for name, value in sorted(parts["condition"].items(), key=itemgetter(0))
        for ref, source in [fact_address.condition_parts(f"condition:{name}")]
    )


def _decisions(choices: dict[str, list[dict[str, Any]]]) -> Iterator[Decision]:
    keyed = [(*fact_address.choice_parts(f"choice:{name}"), made) for name, made in choices.items()]
    for key, level, made in sorted(keyed, key=itemgetter(1, 0)):
        for position, one in enumerate(made):
            yield Decision(key, level, position, **one)


def by_position(rows_by_id: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return sorted(rows_by_id.items(), key=lambda pair: (pair[1]["position"], int(pair[0])))
