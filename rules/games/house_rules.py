"""Values of house rule switches, as text."""

from rules.engine.content import Switch


def unfit(rule: Switch, value: str) -> str:
    """Why a switch cannot have this value, as a sentence; "" when it can."""
    if value in rule.allowed or value == rule.default or rule.type == "list":
        return ""
    digits = value.removeprefix("-")
    if rule.type == "number" and digits.isascii() and digits.isdigit() and len(digits) <= 9:
        low, high = rule.minimum, rule.maximum
        if (low is None or int(value) >= low) and (high is None or int(value) <= high):
            return ""
    return f"“{value}” is not possible here: choose {_offered(rule)}."


def _offered(rule: Switch) -> str:
    words = list(rule.allowed)
    if rule.type == "number":
        low = "" if rule.minimum is None else f" from {rule.minimum}"
        high = "" if rule.maximum is None else f" up to {rule.maximum}"
        words.insert(0, f"a whole number{low}{high}")
    return " or ".join(words)
