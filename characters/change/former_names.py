"""Facts of a journal by the rules of today: since they were written, a pack may have renamed an entry (`was:`), or a
source may be gone."""

from collections.abc import Iterable
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from characters.models import Character
from characters.read.load_build import build_from
from characters.read.versions import unknown
from rules.compile import bundle_for
from rules.engine import Bundle
from rules.models import Source

from . import fact_address
from .fact_store import Facts


def as_now(facts: Facts, bundle: Bundle) -> Facts:
    """These facts under the names that entries and choices have in this bundle."""
    if not bundle.former:
        return facts
    return {_address(address, bundle): _value(value, bundle) for address, value in facts.items()}


def rules_ever(character: Character) -> Bundle:
    """The rules bundle with every source that the character ever had in play and that still exists. It knows former
    names."""
    changes = character.changes.alias(text=Cast("after", TextField())).filter(text__contains='"source:')
    moved = (address for after in changes.values_list("after", flat=True) for address in after)
    slugs = {fact_address.name(address) for address in moved if fact_address.namespace(address) == "source"}
    there = Source.objects.published().filter(ruleset=character.ruleset_id, slug__in=slugs)
    return bundle_for(character.ruleset, list(there.values_list("slug", flat=True)))


def rules_knowing(character: Character, bundle: Bundle, moved: Iterable[Facts]) -> Bundle:
    """The bundle; or `rules_ever`, if any of these facts names something that the bundle does not have."""
    for facts in moved:
        there = {address: value for address, value in as_now(facts, bundle).items() if value not in (None, [])}
        if unknown(build_from(there), bundle):
            return rules_ever(character)
    return bundle


def sources_gone(character: Character, facts: Facts) -> set[str]:
    """The addresses of sources that the rules no longer have: the character's rows for them were deleted with them."""
    of_sources = {address for address in facts if fact_address.namespace(address) == "source"}
    there = Source.objects.filter(ruleset=character.ruleset_id).values_list("slug", flat=True) if of_sources else ()
    return of_sources - {f"source:{slug}" for slug in there}


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
    """The value with the refs of today, if it is a thing or a list of answers."""
    if isinstance(value, list):
        return [_value(one, bundle) for one in value]
    if isinstance(value, dict) and "ref" in value:
        return value | {"ref": bundle.former.get(value["ref"], value["ref"])}
    return value
