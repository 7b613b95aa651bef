"""YAML files as values that remember their line. Scalars stay text, and the reader of a column decides what they
mean."""

import re
from dataclasses import dataclass
from typing import Any

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may be built without libyaml
TAGS = {"map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge", "value"}
# A pack has seven levels at most, and the largest file of the core rules has 6,000 values.
DEEPEST = 20
MOST_VALUES = 100_000
# No tag directives: the parser compares each with every other, and packs have no tags to shorten.
SHORT_TAG = re.compile(r"(?:^|[\n\r\x85\u2028\u2029])(%TAG)")
POINTS = "write the value out instead of pointing at an anchor"


class Problems(list[str]):
    """Everything wrong with a pack, as `file:line: reason`."""

    def at(self, value: "YamlValue", reason: str) -> None:
        self.append(f"{value.file}:{value.line}: {reason}")


@dataclass(frozen=True, slots=True)
class YamlValue:
    """A scalar (str), a list of values, or a mapping from key to value, with its file and line."""

    data: "str | list[YamlValue] | dict[str, YamlValue]"
    file: str
    line: int


def read_file(name: str, data: bytes, problems: Problems) -> YamlValue | None:
    """The document in the file; None if it is empty or cannot be read."""
    try:
        text = data.decode("utf-8")
        if too_much := _too_much(text):
            problems.append(f"{name}:{too_much}")
            return None
        node = yaml.compose(text, Loader=Loader)
    except UnicodeDecodeError:
        problems.append(f"{name}:1: the file is not UTF-8")
        return None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        problems.append(f"{name}:{mark.line + 1 if mark else 1}: {reason}")
        return None
    return _value(node, name, problems, set()) if node else None


def _too_much(text: str) -> str:
    """The line and the reason, if the text is more than any pack needs; "" otherwise. Found before any value is
    built."""
    if short := SHORT_TAG.search(text):
        return f"{text.count('\n', 0, short.start(1)) + 1}: %TAG is not allowed"
    depth = values = 0
    event: Any  # every event of the parser has a start_mark
    for event in yaml.parse(text, Loader=Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        if depth > DEEPEST:
            return f"{event.start_mark.line + 1}: lists and mappings lie more than {DEEPEST} deep within each other"
        if values > MOST_VALUES:
            return f"{event.start_mark.line + 1}: a file has at most {MOST_VALUES:,} values"
    return ""


def _value(node: yaml.Node, file: str, problems: Problems, seen: set[int]) -> YamlValue:
    line = node.start_mark.line + 1
    here = YamlValue("", file, line)
    if id(node) in seen:
        problems.at(here, POINTS)
        return here
    seen.add(id(node))
    if node.tag.removeprefix("tag:yaml.org,2002:") not in TAGS:
        problems.at(here, f"the tag {node.tag} is not allowed")
        return here
    if isinstance(node, yaml.SequenceNode):
        return YamlValue([_value(item, file, problems, seen) for item in node.value], file, line)
    if isinstance(node, yaml.MappingNode):
        data: dict[str, YamlValue] = {}
        for key_node, value_node in node.value:
            if id(key_node) in seen:
                problems.at(YamlValue("", file, key_node.start_mark.line + 1), POINTS)
                continue
            seen.add(id(key_node))
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else ""
            value = _value(value_node, file, problems, seen)
            if key in data:
                problems.at(YamlValue("", file, key_node.start_mark.line + 1), f"`{key}` is given twice")
            # The line of the key, because a block of text begins on the next line.
            data[key] = YamlValue(value.data, file, key_node.start_mark.line + 1)
        return YamlValue(data, file, line)
    return YamlValue(node.value, file, line)
