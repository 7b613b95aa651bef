"""Addresses of a character's facts: `namespace:name`, the keys of a `Change`'s before and after.

    field:name|face|xp|milestone|method|dice|binned|rest|rest_dice   the column's value
    choice:<key>@<level>      list of {"ref"|"stat"|"write_in": ..., "points"?: n, "override"?: reason}
    plan:<key>@<level>        the same, for a level that is not taken yet
    input:<stat>              number
    item:<id>                 {"ref"|"custom": ..., "quantity": n, "state": ..., "position": n}
    used:<item id>            number: pieces shot, or shots since loading
    aspect:<id>               {"kind": ..., "text": ..., "position": n}
    relationship:<id>         {"other": ..., "based_on": ..., "text": ..., "agreed": bool, "position": n,
                               "linked_id"?: the other's id}
    note:<id>                 {"text": ..., "position": n}
    downtime:<id>             {"days": n, "activity": ..., "notes": ..., "outcome": ..., "position": n}
    spell:<id>                {"name": ..., "time": ..., "range": ..., "cantrip": bool, "attack": ...,
                               "saving_throw": ..., "damage": ..., "text": ..., "position": n}
    condition:<ref>|<source>  {"stacks": n, "until": text, "rounds": n}
    spent:<resource>          number, 0 when full
    toggle:<slug>             true
    switch:<key>              the value that differs from the default
    source:<slug>             true
    award:<ref>               {"reason": text}
    award:|<words>            the same, for a language in own words

An absent fact is None (a number: 0). Values are plain JSON, so they compare equal after storage.
"""

from collections import defaultdict
from typing import Any

from rules.engine.build import Held

type Parts = dict[str, dict[str, Any]]

FIELDS = ("name", "face", "xp", "milestone", "method", "dice", "binned", "rest", "rest_dice")
NUMBERS = ("field:xp", "field:rest_dice")

# Facts that are named by the id of their row, which the database gives.
ROWS = ("item", "aspect", "relationship", "note", "downtime", "spell")


def namespace(address: str) -> str:
    return address.partition(":")[0]


def name(address: str) -> str:
    return address.partition(":")[2]


def by_namespace(facts: dict[str, Any]) -> Parts:
    """Facts by namespace, then by name; an empty table for a namespace without facts."""
    parts: Parts = defaultdict(dict)
    for address, value in facts.items():
        word, _, named = address.partition(":")
        parts[word][named] = value
    return parts


def choice(key: str, level: int = 1) -> str:
    return f"choice:{key}@{level}"


def plan(key: str, level: int) -> str:
    return f"plan:{key}@{level}"


def choice_parts(address: str) -> tuple[str, int]:
    """The choice's key and the level of a `choice:` or `plan:` address."""
    key, _, level = name(address).rpartition("@")
    return key, int(level)


def answer(ref: str, stat: str | None, write_in: str, points: int, override: str) -> dict[str, Any]:
    """One answer in a `choice:` or `plan:` fact. Exactly one of `ref`, `stat` and `write_in` is set."""
    target = {"ref": ref} if ref else {"stat": stat} if stat else {"write_in": write_in}
    return target | ({"points": points} if points != 1 else {}) | ({"override": override} if override else {})


def condition(ref: str, source: str = "") -> str:
    return f"condition:{ref}|{source}"


def condition_fact(held: Held) -> tuple[str, dict[str, Any]]:
    """The address and the value of a condition."""
    lasts = {"stacks": held.stacks, "until": held.until, "rounds": held.rounds}
    return condition(held.ref, held.source), lasts


def condition_parts(address: str) -> tuple[str, str]:
    ref, _, source = name(address).partition("|")
    return ref, source


def award(ref: str, write_in: str = "") -> str:
    return f"award:{ref}" if ref else f"award:|{write_in}"


def award_parts(address: str) -> tuple[str, str]:
    """The ref and the own words of an `award:` address; one of them is empty."""
    ref, _, write_in = name(address).partition("|")
    return ref, write_in


def is_number(address: str) -> bool:
    """True if the fact changes by amounts, so that two changes of it add up."""
    return address in NUMBERS or namespace(address) in ("spent", "used")


def highest(address: str) -> int:
    """The highest value that a number may have; the database has the same limit."""
    bounds = {"field:xp": 100_000_000, "field:rest_dice": 10_000}
    return bounds.get(address, 100_000 if namespace(address) == "used" else 1_000_000)


def absent(address: str) -> Any:
    """The value of a fact that has no row."""
    if is_number(address):
        return 0
    return {"field:name": "", "field:face": "", "field:method": "", "field:dice": [], "field:rest": ""}.get(address)


def as_stored(address: str, value: Any) -> Any:
    """The value as the database gives it back: None and [] as the absent value, and an answer of one point without
    `points`."""
    if value in (None, []):
        return absent(address)
    if namespace(address) in ("choice", "plan"):
        return [{key: part for key, part in one.items() if (key, part) != ("points", 1)} for one in value]
    return value
