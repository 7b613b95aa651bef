"""From a character's rows to what the engine reads, and to the sheet."""

from rules.compile import bundle_for
from rules.engine import derive
from rules.engine.build import Award, Build, Decision, Held, Item, Spell, Tie
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet

from . import addresses, rows


def load_build(character) -> Build:
    """The character as plain data, in two queries."""
    return build_from(rows.stored(character))


def sheet_of(character) -> tuple[Bundle, Build, Sheet]:
    """The rules the character plays by, what was decided, and everything derived from both."""
    build = load_build(character)
    bundle = bundle_of(character, build)
    return bundle, build, derive(bundle, build)


def bundle_of(character, build: Build) -> Bundle:
    """The content of the core sources of the character's game and of those its house rules name."""
    return bundle_for(character.ruleset, build.sources)


def build_from(facts: rows.Facts) -> Build:
    """The Build that facts by address describe."""
    parts: dict[str, dict] = {}
    for address, value in facts.items():
        parts.setdefault(addresses.namespace(address), {})[addresses.name(address)] = value
    field = parts.get("field", {})
    used = parts.get("used", {})
    return Build(
        name=field.get("name", ""),
        xp=field.get("xp", 0),
        milestone=field.get("milestone"),
        inputs=parts.get("input", {}),
        method=field.get("method", ""),
        dice=tuple(tuple(faces) for faces in field.get("dice", [])),
        decisions=tuple(_decisions(parts.get("choice", {}))),
        plan=tuple(_decisions(parts.get("plan", {}))),
        items=tuple(
            Item(
                value.get("ref", ""), value.get("custom", ""), value["quantity"], value["state"], key, used.get(key, 0)
            )
            for key, value in _in_order(parts.get("item", {}))
        ),
        conditions=tuple(
            Held(ref, value["stacks"], source, value["until"], value.get("rounds", 0))
            for name, value in parts.get("condition", {}).items()
            for ref, source in [addresses.condition_parts(f"condition:{name}")]
        ),
        awards=tuple(Award(ref, value["reason"]) for ref, value in parts.get("award", {}).items()),
        aspects=tuple((value["kind"], value["text"]) for _, value in _in_order(parts.get("aspect", {}))),
        relationships=tuple(
            Tie(value["other"], value["based_on"], value["text"], value["agreed"])
            for _, value in _in_order(parts.get("relationship", {}))
        ),
        notes=tuple(value["text"] for _, value in _in_order(parts.get("note", {}))),
        downtimes=tuple(
            Spell(value["days"], value["activity"], value["notes"], value["outcome"])
            for _, value in _in_order(parts.get("downtime", {}))
        ),
        spent={slug: spent for slug, spent in parts.get("spent", {}).items() if spent},
        toggles=frozenset(parts.get("toggle", {})),
        rest=field.get("rest", ""),
        rest_dice=field.get("rest_dice", 0),
        switches=parts.get("switch", {}),
        sources=frozenset(parts.get("source", {})),
    )


def _decisions(choices):
    keyed = ((addresses.choice_parts(f"choice:{name}"), made) for name, made in choices.items())
    for (key, level), made in sorted(keyed, key=lambda pair: (pair[0][1], pair[0][0])):
        for position, one in enumerate(made):
            yield Decision(
                choice=key,
                level=level,
                position=position,
                ref=one.get("ref", ""),
                stat=one.get("stat", ""),
                write_in=one.get("write_in", ""),
                points=one.get("points", 1),
                override=one.get("override", ""),
            )


def _in_order(rows_by_id):
    return sorted(rows_by_id.items(), key=lambda pair: (pair[1]["position"], int(pair[0])))
