"""The whole vocabulary of packs as a page. It is made from the schemas, so it always says what the reader accepts."""

from collections.abc import Iterator

from .schema import SHARED, Schema, schemas

INTRO = """# The words of a pack

Made by `manage.py pack_schema --words` from the code that reads packs; a test compares the two. How to write a pack,
step by step, is in [packs.md](packs.md).

A **bold** key has to be there. The name of an element is its kind and its slug: `talent:medic`. A key that is left out
has the value in brackets.
"""


def page() -> str:
    found = schemas()
    shared = found.pop(SHARED)["$defs"]
    own = {name: schema for name, schema in found.items() if "groups" not in keys(schema)}
    elements = {name: schema for name, schema in found.items() if name not in own}
    common = set.intersection(*({*keys(schema)} for schema in elements.values()))
    first = keys(next(iter(elements.values())))
    lines = [INTRO, "## Elements of every kind", ""]
    lines += table({key: one for key, one in first.items() if key in common and key not in shared}, ["slug", "name"])
    lines += ["## What an element can do", ""]
    for part, schema in shared.items():
        lines += [f"### `{part}`", "", schema["description"], ""]
        lines += aspects(schema) if part == "suggestions" else table(keys(schema), required(schema))
    lines += ["## Files of elements", "", "| file | has | own keys |", "|---|---|---|"]
    for name, schema in elements.items():
        its = ", ".join(f"`{key}`" for key in keys(schema) if key not in common)
        lines.append(f"| `{file(name)}` | {schema['description'].split('. ')[0].lower()} | {its} |")
    lines.append("")
    for name, schema in elements.items():
        if own_keys := {key: one for key, one in keys(schema).items() if key not in common}:
            lines += [f"### `{file(name)}`", "", *table(own_keys, required(schema))]
    lines += ["## Other files", ""]
    for name, schema in own.items():
        lines += [f"### `{file(name)}`", "", schema["description"], ""]
        for title, part in parts(schema):
            lines += [f"`{title}`:", ""] if title else []
            lines += table(keys(part), required(part))
    return "\n".join(lines).rstrip() + "\n"


def file(name: str) -> str:
    return name.replace(".json", ".yaml")


def item(schema: Schema) -> Schema:
    return schema.get("items", schema)


def keys(schema: Schema) -> dict[str, Schema]:
    return item(schema).get("properties", {})


def required(schema: Schema) -> list[str]:
    return item(schema).get("required", [])


def parts(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The tables of a file, by title: one for a file of rows, one for each mapping of `source.yaml`, one for rows
    within rows."""
    if schema["type"] == "object":
        yield from keys(schema).items()
        return
    yield "", schema
    for key, part in keys(schema).items():
        if keys(part):
            yield key, part


def table(columns: dict[str, Schema], required: list[str] | None = None) -> list[str]:
    if not columns:
        return []
    lines = ["| key | value | |", "|---|---|---|"]
    for key, schema in columns.items():
        name = f"**`{key}`**" if key in (required or ()) else f"`{key}`"
        lines.append(f"| {name} | {value(schema)} | {escaped(schema.get('description', ''))} |")
    return [*lines, ""]


def value(schema: Schema) -> str:
    if "enum" in schema:
        names = schema.get("enumDescriptions") or schema["enum"]
        said = ", ".join(
            f"`{word}`" if name.lower().startswith(word.replace("_", " ")) else f"`{word}` ({escaped(name)})"
            for word, name in zip(schema["enum"], names, strict=True)
            if word
        )
    elif schema["type"] == "array":
        said = "a list" if keys(schema) else "a list of names"
    elif schema["type"] == "object":
        said = "a mapping"
    else:
        said = {"boolean": "`true`, `false`", "integer": "a whole number"}.get(str(schema["type"]), "text")
        if "maxLength" in schema:
            said += f", at most {schema['maxLength']:,} characters"
    if "default" in schema:
        default = schema["default"]
        said += f" [`{str(default).lower() if isinstance(default, bool) else default}`]"
    return said


def aspects(schema: Schema) -> list[str]:
    kinds = ", ".join(f"`{kind}`" for kind in schema["properties"])
    return [f"By kind: {kinds}. Each sentence is a text, or `{{text: …, tag: …}}`.", ""]


def escaped(text: str) -> str:
    return text.replace("|", "\\|")
