"""A JSON Schema for each file of a pack, for editors, made from the columns that the reader uses.

An editor with YAML support suggests keys and words, explains each, and underlines what no pack may have. Wrong names
and rings show only in a whole pack, and `manage.py check_rules` finds them.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import models

from rules.engine.sentence import WIELDED, WORN
from rules.models.vocabulary import Kind
from rules.patterns.words import article

from . import columns as cols
from .check import PART_MODELS
from .columns import Column
from .names import label
from .scalars import LONGEST_TEXT, RANGES, type_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SHARED = "parts.json"
Schema = dict[str, Any]

LIST_OF_NAMES: Schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
MORE = {
    "requires_sources": "The slugs of the sources that must be there before this one.",
    "includes": "Shorter rests that happen with it.",
    "rows": "The steps of the table.",
    "tests": "The tests that must be met.",
    "groups": "The elements that it belongs to, such as `category:martial-weapons`.",
    "options": "The elements offered, one by one. Leave out those that `filter_kind` finds.",
    "stats": "The statistics offered.",
    "suggestions": "Sentences that a player may use, by the kind of aspect.",
}
# Help for columns of several models; the admin shows it, too.
MEANING = {
    "slug": "Its name in files and addresses. It stays when the name changes.",
    "name": "What players read.",
    "sort": "Its place in lists. In a file, the order of the rows if left out.",
    "status": "Drafts are offered to nobody. What is retired stays with those who have it.",
    "parent": "The element that it belongs to: the job of a path, the lineage of a culture.",
    "repeatable": "It can be taken more than once. No game here uses this yet.",
    "cost_class": "How expensive it is, if it can be bought.",
    "stat": "The statistic that it is about.",
    "op": "How it counts: added to the others, the best start, a limit.",
    "amount": "A fixed number.",
    "of_stat": "The value of this statistic is added to the fixed number.",
    "times": "The value of the statistic is multiplied by this.",
    "divided_by": "Then it is divided by this, and rounded down.",
    "round_up": "Rounded up instead of down.",
    "per": "How often the amount counts.",
    "at_least": "The sum never counts as less.",
    "at_most": "The sum never counts as more.",
    "when": "Counts only while this is so.",
    "prompt": "The question, as players read it.",
    "uses": "How many uses one press takes.",
    "trigger": "When it can be used, in words.",
    "timing": "The part of a turn that it takes.",
    "element": "The element that it is about.",
    "word": (
        f"For “wears”: {', '.join(WORN)}. For “wields”: {', '.join(WIELDED)}. For a resource: its slug. For a house "
        "rule: the value, or several with | between."
    ),
    "ability": "Only rolls with this ability.",
    "subject": "Only rolls with this skill, tool or weapon.",
    "a": "The first number printed with the property.",
    "b": "The second number printed with the property.",
}
PARTS = {
    "modify": "Changes a number.",
    "roll": "Changes a roll.",
    "grant": "Gives an element.",
    "note": "A reminder, printed where it counts.",
    "choices": "Questions that are asked of the player.",
    "requires": "What a character must have before they can take it.",
    "resources": "Counters: uses, points, dice.",
    "recoveries": "What brings the counters back.",
    "actions": "What can be pressed at the table.",
    "properties": "Properties of a weapon or an armor.",
}


def schemas() -> dict[str, Schema]:
    """Each schema by its file name: `talents.json` for `talents.yaml`, and one for the parts that all elements
    share."""
    found = {"source.yaml": source_file()}
    for name, (model, columns) in cols.TABLES.items():
        [key] = cols.NATURAL[model]
        about = f"The {model._meta.verbose_name_plural} of a pack."
        found[f"{name}.yaml"] = rows(row(columns, more=of_table(name)), about, key)
    for name, kind in cols.FILES.items():
        found[name] = rows(element(kind), f"Elements of the kind {Kind(kind).label}.", "slug")
    schemas = {name: {"$schema": DIALECT, "title": f"{name} of a pack", **schema} for name, schema in found.items()}
    return {schema_of(name): schema for name, schema in schemas.items()} | {
        SHARED: {"$schema": DIALECT, "title": "The parts of an element", "$defs": shared_parts()}
    }


def schema_of(name: str) -> str:
    return name.replace(".yaml", ".json")


def source_file() -> Schema:
    ruleset = row(cols.RULESET, optional={"name", "game"})
    source = row(cols.SOURCE, more={"requires": described(LIST_OF_NAMES, MORE["requires_sources"])})
    return {
        "description": "The pack, and the game that it belongs to.",
        "type": "object",
        "properties": {"ruleset": ruleset, "source": source},
        "required": ["ruleset", "source"],
        "additionalProperties": False,
    }


def of_table(name: str) -> dict[str, Schema]:
    lists = {
        "circumstances": ("tests", {"type": "array", "items": row(cols.CIRCUMSTANCE_TEST)}),
        "events": ("includes", LIST_OF_NAMES),
        "lookups": ("rows", {"type": "array", "items": row(cols.LOOKUP_ROW)}),
    }
    return {key: described(schema, MORE[key]) for key, schema in [lists[name]]} if name in lists else {}


def element(kind: str) -> Schema:
    shared = {part: {"$ref": f"{SHARED}#/$defs/{part}"} for part in shared_parts()}
    return row([*cols.ELEMENT, *cols.OF_KIND.get(kind, ())], more=shared)


def shared_parts() -> dict[str, Schema]:
    """The keys that an element of any kind may have besides its columns."""
    found = {"groups": described(LIST_OF_NAMES, MORE["groups"])}
    for part, columns in cols.PARTS.items():
        lists = {key: described(LIST_OF_NAMES, MORE[key]) for key in ("options", "stats")} if part == "choices" else {}
        found[part] = described({"type": "array", "items": row(columns, more=lists)}, PARTS[part])
    sentence = {"oneOf": [{"type": "string", "minLength": 1}, row(cols.SUGGESTION)]}
    aspects = {aspect: {"type": "array", "items": sentence} for aspect in cols.SUGGESTED}
    suggestions = {"type": "object", "properties": aspects, "additionalProperties": False}
    return found | {"suggestions": described(suggestions, MORE["suggestions"])}


def rows(item: Schema, description: str, key: str) -> Schema:
    return {"description": f"{description} Each has a `{key}` of its own.", "type": ["array", "null"], "items": item}


def row(columns: Iterable[Column], more: dict[str, Schema] | None = None, optional: Iterable[str] = ()) -> Schema:
    columns = tuple(columns)
    properties = {str(column.key): value(column) for column in columns} | (more or {})
    schema: Schema = {"type": "object", "properties": properties}
    if required := [column.key for column in columns if column.required and column.key not in optional]:
        schema["required"] = required
    return schema | {"additionalProperties": False}


def value(column: Column) -> Schema:
    """The values that a column takes."""
    field = column.field
    meaning = str(field.help_text) or MEANING.get(str(column.key), "")
    if isinstance(field, models.JSONField):
        return described(LIST_OF_NAMES, meaning)
    if column.target:
        return described({"type": "string"}, f"{meaning} {reference(column)}".strip())
    return described(KINDS[type_of(field)](field), meaning) | default(column)


def reference(column: Column) -> str:
    if column.kind:
        return f"The name of an element: `{column.kind}:` and its slug."
    if column.target and column.target in PART_MODELS.values():
        return f"The slug of {article(label(column.target))}."
    key = cols.NATURAL[column.target][-1] if column.target else "slug"
    word = label(column.target) if column.target else ""
    return (
        "The name of an element: its kind, `:` and its slug." if word == "element" else f"The {key} of {article(word)}."
    )


def default(column: Column) -> Schema:
    if column.required or column.default in ("", None):
        return {}
    return {"default": cols.COST_WORDS[column.default] if column.key == "cost_class" else column.default}


def described(schema: Schema, words: str) -> Schema:
    return {"description": words, **schema} if words else dict(schema)


def words(field: models.Field) -> Schema:
    found = [(str(word), str(name)) for word, name in field.flatchoices]
    if field.blank and ("", "") not in found:
        found.append(("", "none"))
    return {"enum": [word for word, _ in found], "enumDescriptions": [name for _, name in found]}


def number(field: models.Field) -> Schema:
    low, high = RANGES[field.get_internal_type()]
    return {"type": "integer", "minimum": low, "maximum": high}


def text(field: models.Field) -> Schema:
    """The schema of a text. It also accepts a number, which the reader takes as it is written."""
    schema: Schema = {"type": ["string", "number"]}
    if isinstance(field, models.TextField):
        schema["maxLength"] = LONGEST_TEXT
    for check in field.validators:
        if isinstance(check, MaxLengthValidator):
            schema["maxLength"] = check.limit_value
        elif isinstance(check, RegexValidator) and not field.blank:
            schema["pattern"] = check.regex.pattern.replace(r"\Z", "$")
    return schema if field.blank else {**schema, "minLength": 1}


KINDS: dict[str, Callable[[models.Field], Schema]] = {
    "cost": lambda field: {"enum": list(cols.COST_WORDS.values())},
    "flag": lambda field: {"type": "boolean"},
    "number": number,
    "word": words,
    "text": text,
}


def write_schemas(folder: Path) -> list[Path]:
    """Write the schemas as files of `folder`; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (folder / name).write_text(as_text(schema), encoding="utf-8", newline="\n")
    return [folder / name for name in schemas()]


def as_text(schema: Schema) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
