"""Replays journals to check them: each change must begin where the last one ended, and together they must lead to what
is stored."""

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from characters.models import Character

from . import fact_address, fact_store
from .former_names import as_now, rules_ever, sources_gone


def replay_all() -> Iterator[tuple[int, str]]:
    """The id of each character, with the fault of its journal; "" for none."""
    for pk in list(Character.objects.order_by("pk").values_list("pk", flat=True)):
        yield pk, fault_of(pk)


def fault_of(pk: int) -> str:
    """The fault of this journal, in words; "" for none, or if the character is gone by now."""
    # Locked, so that nobody writes between reading the journal and reading what is stored.
    with transaction.atomic():
        character = Character.objects.select_for_update().filter(pk=pk).first()
        return fault(character) if character else ""


def fault(character: Character) -> str:
    facts: fact_store.Facts = {}
    number = 0
    changes = list(character.changes.order_by("sequence").values_list("sequence", "before", "after"))
    bundle = rules_ever(character)
    for number, (sequence, *moved) in enumerate(changes, 1):
        if sequence != number:
            return f"change {number} is missing"
        before, after = (as_now(one, bundle) for one in moved)
        for address, value in before.items():
            if not alike(address, facts.get(address), value):
                return f"change {number} does not begin where the one before it ended, at {address}"
        facts |= after
    if number != character.version:
        return f"its last change should be {character.version} and is {number}"
    different = differing(facts, fact_store.stored(character)) - sources_gone(character, facts)
    return f"what is stored is not what the journal comes to, at {min(different)}" if different else ""


def differing(one: fact_store.Facts, other: fact_store.Facts) -> set[str]:
    return {address for address in one | other if not alike(address, one.get(address), other.get(address))}


def alike(address: str, one: Any, other: Any) -> bool:
    return fact_address.as_stored(address, one) == fact_address.as_stored(address, other)
