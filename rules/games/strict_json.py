"""JSON from strangers, read strictly, with the path of every fault."""

import json
import re
from collections import Counter
from dataclasses import dataclass

from rules.engine.sheet import Problem

LARGEST_FILE = 1_000_000  # bytes
DEEPEST = 32
MOST_DIGITS = 15
MOST_PROBLEMS = 100
LONGEST_STEP = 200  # characters of a key in a path; no valid key is longer
# A string, closed or not, so that it matches from every quote and no text is scanned twice.
STRING = re.compile(r'"(?:[^"\\]|\\.)*+\\?(?:"|\Z)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Unfit:
    """Stands in for a value that JSON or this site does not allow."""

    sentence: str


class _Pairs(dict[str, object]):
    """An object that knows which of its keys occurred twice."""

    doubled: tuple[str, ...] = ()


def loads(data: bytes | str) -> tuple[object, tuple[Problem, ...]]:
    """The document and its faults; None if it is not JSON at all.

    A placeholder of no type replaces each forbidden value, so that the reader of the document also finds other faults.
    Refused are more than a megabyte, anything but UTF-8 (a byte order mark is allowed), nesting deeper than 32, a key
    twice in one object, numbers that are not whole or have more than 15 digits, NaN and infinities, the character NUL,
    and halves of surrogate pairs.
    """
    if len(data) > LARGEST_FILE:
        return None, (Problem("", "The file is larger than one megabyte."),)
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None, (Problem("", "The file is not text in UTF-8."),)
    if _depth(text) > DEEPEST:
        return None, (Problem("", f"The file is nested more than {DEEPEST} deep."),)
    try:
        document = json.loads(
            text, object_pairs_hook=_pairs, parse_int=_whole, parse_float=_fraction, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return None, (Problem("", f"This is not JSON: something is wrong at {where}."),)
    problems: list[Problem] = []
    document = _fit("", document, problems)
    return document, tuple(problems[:MOST_PROBLEMS])


def below(path: str, step: str | int) -> str:
    """The path of a member or entry: `levels[3].choices`. A very long key is cut, because every path below contains
    it."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if len(step) > LONGEST_STEP:
        step = f"{step[:LONGEST_STEP]}…"
    return f"{path}.{step}" if path else step or '""'


def _depth(text: str) -> int:
    deepest = depth = 0
    for sign in STRING.sub("", text):
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth -= 1
    return deepest


def _pairs(pairs: list[tuple[str, object]]) -> _Pairs:
    found = _Pairs(pairs)
    if len(found) < len(pairs):
        found.doubled = tuple(sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1))
    return found


def _whole(digits: str) -> int | _Unfit:
    if len(digits.removeprefix("-")) > MOST_DIGITS:
        return _Unfit("This number is too large.")
    return int(digits)


def _fraction(_text: str) -> _Unfit:
    return _Unfit("Only whole numbers are allowed here.")


def _constant(name: str) -> _Unfit:
    return _Unfit(f"{name} is not a number.")


def _fit(path: str, value: object, problems: list[Problem]) -> object:
    """The value without forbidden parts. The reason for each is added to `problems`."""
    if isinstance(value, str) and (sentence := _unfit_text(value)):
        value = _Unfit(sentence)
    if isinstance(value, _Unfit):
        problems.append(Problem(path, value.sentence))
    elif isinstance(value, list):
        value[:] = [_fit(below(path, at), entry, problems) for at, entry in enumerate(value)]
    elif isinstance(value, _Pairs):
        for key in value.doubled:
            problems.append(Problem(_printable(below(path, key)), "This key is here twice."))
        for key, entry in value.items():
            if sentence := _unfit_text(key):
                problems.append(Problem(_printable(below(path, key)), sentence))
            else:
                value[key] = _fit(below(path, key), entry, problems)
    return value


def _unfit_text(text: str) -> str:
    if "\0" in text:
        return "The character NUL is not allowed."
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return "Half of a surrogate pair is not a character."
    return ""


def _printable(path: str) -> str:
    return path.replace("\0", "\\u0000").encode("utf-8", "backslashreplace").decode()
