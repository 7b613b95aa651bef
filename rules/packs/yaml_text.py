"""Writes values as YAML in one way only, so that each pack has one form. A value that fits is written on one line."""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

type Lines = list[Any] | dict[str, Any]

WIDTH = 120
# Text that needs no quotes: at the end of a line, and inside brackets, where commas and brackets have a meaning.
PLAIN = re.compile(r"[A-Za-z0-9]([^:#\n\t]|:(?=[^\s]))*(?<! )")
PLAIN_IN_BRACKETS = re.compile(r"[A-Za-z0-9]([^:?#,\[\]{}\n\t]|:(?=[^:?#,\[\]{}\s]))*(?<! )")
UNPRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_resolver = yaml.SafeLoader("")


class Block(str):
    """A text that is written as a block even if it is short."""


def tidy(text: str) -> str:
    """A text as in files: line feeds only, no spaces before them, no empty lines around the text."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()


def document(value: Lines) -> str:
    return "\n".join(_lines(value, 0)) + "\n"


def _lines(value: Lines, indent: int) -> Iterator[str]:
    """The lines of a mapping or list in block form."""
    pad = " " * indent
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _entry(f"{pad}{key}:", part, indent)
    else:
        for item in value:
            flow = _flow(item, PLAIN)
            if flow is not None and len(pad) + 2 + len(flow) <= WIDTH:
                yield f"{pad}- {flow}"
            elif isinstance(item, dict | list):
                first, *rest = _lines(item, indent + 2)
                yield f"{pad}- {first.lstrip()}"
                yield from rest
            else:
                yield from _entry(f"{pad}-", item, indent)


def _entry(start: str, part: Any, indent: int) -> Iterator[str]:
    """The lines of `start`, a key or a dash, with its value on the same line or below."""
    flow = _flow(part, PLAIN)
    if flow is not None and len(start) + 1 + len(flow) <= WIDTH:
        yield f"{start} {flow}"
    elif isinstance(part, dict | list):
        yield start
        yield from _lines(part, indent + 2)
    else:
        yield from _text(start, part, " " * (indent + 2))


def _text(start: str, text: str, pad: str) -> Iterator[str]:
    words = text.split(" ")
    if UNPRINTABLE.search(text) or text.startswith((" ", "\n")):
        yield f"{start} {_quoted(text)}"
    elif isinstance(text, Block) or "\n" in text:
        yield f"{start} |"
        yield from (f"{pad}{line}" if line else "" for line in text.split("\n"))
    elif "" in words:
        yield f"{start} {_quoted(text)}"
    else:
        yield f"{start} >-"
        line = words[0]
        for word in words[1:]:
            if len(pad) + len(line) + 1 + len(word) > WIDTH:
                yield pad + line
                line = word
            else:
                line += " " + word
        yield pad + line


def _flow(value: Any, plain: re.Pattern[str] = PLAIN_IN_BRACKETS) -> str | None:
    """The value on one line, texts without quotes if they match `plain`; None if it contains a text of several
    lines."""
    if isinstance(value, dict):
        parts = {key: _flow(part) for key, part in value.items()}
        if None in parts.values():
            return None
        return "{" + ", ".join(f"{key}: {part}" for key, part in parts.items()) + "}"
    if isinstance(value, list):
        items = [_flow(item) for item in value]
        return None if None in items else "[" + ", ".join(map(str, items)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return None if isinstance(value, Block) or "\n" in value else _scalar(value, plain)


def _scalar(text: str, plain: re.Pattern[str]) -> str:
    """The text, without quotes if every YAML reader would take it for this same text."""
    is_text = _resolver.resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str"
    if is_text and plain.fullmatch(text) and not UNPRINTABLE.search(text):
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    return UNPRINTABLE.sub(lambda found: json.dumps(found[0])[1:-1], json.dumps(text, ensure_ascii=False))
