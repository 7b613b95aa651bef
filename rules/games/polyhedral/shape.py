"""Checks a document against the JSON Schema of character files, with our own sentences for its errors."""

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from rules.engine.sheet import Problem
from rules.games.strict_json import MOST_PROBLEMS, below

from .paths import in_order

FORMAT = "polyhedral-character/1"
NOT_KNOWN = "This key is not known."
ABOUT_KEYS = {"additionalProperties", "required"}  # errors that are not about a value that is there
SCHEMA = json.loads(Path(__file__).with_name("character-file.schema.json").read_text("utf-8"))
TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
}


@cache
def validator() -> Any:
    # Imported here because it takes a twentieth of a start, and no start reads a file.
    from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]

    each = Draft202012Validator.VALIDATORS["items"]

    def items(of: Any, asked: Any, values: Any, schema: Any) -> Iterator[Any]:
        """Checks the entries of a list, unless it is too long: there may be 100,000."""
        if not isinstance(values, list) or len(values) <= schema.get("maxItems", len(values)):
            yield from each(of, asked, values, schema)

    return validators.extend(Draft202012Validator, {"items": items})(SCHEMA)


def problems_of_shape(document: object) -> tuple[tuple[Problem, ...], list[Any]]:
    """Every place where the document has a wrong shape, in the order of paths, and the errors behind these: all of
    them, if there are fewer than MOST_PROBLEMS."""
    if not isinstance(document, dict):
        return (Problem("", "This is not a character file."),), []
    if document.get("format") != FORMAT:
        return (Problem("format", f"This is not a {FORMAT} file."),), []
    found: set[Problem] = set()
    errors: list[Any] = []
    for error in validator().iter_errors(document):
        errors.append(error)
        found.update(_named(error))
        if len(found) >= MOST_PROBLEMS:
            break
    named = sorted(found, key=lambda problem: (in_order(problem.where), problem.text))
    return tuple(named[:MOST_PROBLEMS]), errors


def well_shaped(document: Mapping[str, Any], errors: Iterable[Any]) -> dict[str, Any]:
    """The document without values of a wrong shape. errors: all errors of its shape.

    In a list, None replaces such a value, so later entries keep their numbers.
    """
    kept: dict[str, Any] = deepcopy(dict(document))
    misshapen = [error for error in errors if error.validator not in ABOUT_KEYS]
    # The deepest first, while the value around it is still there.
    for error in sorted(misshapen, key=lambda error: -len(error.absolute_path)):
        place: Any = kept
        *way, last = error.absolute_path
        for step in way:
            place = place[step]
        if isinstance(place, list):
            place[last] = None
        else:
            place.pop(last, None)
    return kept


def _named(error: Any) -> Iterator[Problem]:
    path = ""
    for step in error.absolute_path:
        path = below(path, step)
    word, limit, value = error.validator, error.validator_value, error.instance
    if word == "additionalProperties":
        known = error.schema.get("properties", {})
        for key in sorted(set(value) - set(known)):
            yield Problem(below(path, key), NOT_KNOWN)
    elif word == "required":
        for key in sorted(set(limit) - set(value)):
            yield Problem(below(path, key), "This key is missing.")
    else:
        yield Problem(path, _sentence(word, limit))


def _sentence(word: str, limit: object) -> str:
    match word:
        case "type":
            names = limit if isinstance(limit, list) else [limit]
            return f"This must be {' or '.join(TYPES[str(name)] for name in names)}."
        case "enum":
            assert isinstance(limit, list)
            return f"This must be one of: {', '.join(str(one) for one in limit)}."
        case "minimum":
            return f"This must be at least {limit}."
        case "maximum":
            return f"This must be at most {limit}."
        case "maxLength":
            return f"This is longer than {limit} characters."
        case "minItems" | "maxItems":
            return f"This must have {'at least' if word == 'minItems' else 'at most'} {limit} entries."
        case "maxProperties":
            return f"This must have at most {limit} keys."
        case _:
            return "This must not be empty."
