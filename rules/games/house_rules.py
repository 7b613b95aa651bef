"""Values of house rule switches, as text."""

import re

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Switch

# One spelling for each number, because circumstances compare texts: `02` would not match `2`.
NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
TOO_LONG = re.compile(r"-?[1-9][0-9]{9,}")


def setting(bundle: Bundle, build: Build, key: str) -> str:
    """A house rule's value for this character, by default its default; "" if the rules have no such house rule."""
    return build.switches.get(key, bundle.defaults.get(key, ""))


def switched_on(bundle: Bundle, build: Build, key: str) -> bool:
    """True if an on/off house rule is on for this character."""
    return setting(bundle, build, key) in ("on", "true")


def unfit(rule: Switch, value: str) -> str:
    """The reason why a switch cannot have this value, as a sentence; "" if it can."""
    if value in rule.allowed or value == rule.default or rule.type == "list":
        return ""
    if rule.type == "number" and NUMBER.fullmatch(value):
        low, high = rule.minimum, rule.maximum
        if (low is None or int(value) >= low) and (high is None or int(value) <= high):
            return ""
    if rule.type == "number" and rule.maximum is None and TOO_LONG.fullmatch(value):
        return f"“{value}” has too many digits: write at most 9."
    return f"“{value}” is not possible here: choose {_offered(rule)}."


def _offered(rule: Switch) -> str:
    words = " or ".join(rule.allowed)
    if rule.type != "number":
        return words
    low, high = rule.minimum, rule.maximum
    if low is not None and high is not None:
        bounds = f" from {low} to {high}"
    else:
        bounds = f" of at least {low}" if low is not None else f" of at most {high}" if high is not None else ""
    return f"a whole number{bounds}, or {words}" if words else f"a whole number{bounds}"
