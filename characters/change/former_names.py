"""Facts of a journal by the names of now: a pack may have renamed an entry since they were written (`was:`)."""

from typing import Any

from rules.engine import Bundle

from . import fact_address
from .fact_store import Facts


def as_now(facts: Facts, bundle: Bundle) -> Facts:
    """These facts by the names that entries and choices have now in this bundle."""
    if not bundle.former:
        return facts
    return {_address(address, bundle): _value(value, bundle) for address, value in facts.items()}


def _address(address: str, bundle: Bundle) -> str:
    word, name = fact_address.namespace(address), fact_address.name(address)
    match word:
        case "choice" | "plan":
            key, level = fact_address.choice_parts(address)
            return f"{word}:{bundle.former_choices.get(key, key)}@{level}"
        case "condition":
            ref, source = fact_address.condition_parts(address)
            return fact_address.condition(bundle.former.get(ref, ref), source)
        case "award":
            return f"award:{bundle.former.get(name, name)}"
    return address


def _value(value: Any, bundle: Bundle) -> Any:
    """The ref of a thing, and of each of several answers."""
    if isinstance(value, list):
        return [_value(one, bundle) for one in value]
    if isinstance(value, dict) and "ref" in value:
        return value | {"ref": bundle.former.get(value["ref"], value["ref"])}
    return value
