"""A character's beginning: the row and the first entry of its journal, within the limits on making them."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from characters import access
from characters.models import Change, Character
from characters.people import Person

from . import limits
from .journal import Act, answer_again, check_key, check_names, record
from .refusals import KeyReused, TooMany

type Values = dict[str, Any]


def begin(
    person: Person, verb: str, key: str, what: Values, act: Act, *, ownership: Values | None = None, **columns: Any
) -> Change:
    """Make a character and journal its beginning, in one transaction; the Change's `character` is the new one.

    A repeated key and refusals are treated as in `journal.perform`; raises TooMany at the limits of `limits.py`.
    `ownership` holds the columns that say whose character it is, by default this person's. The other `columns` must
    include the ruleset.
    """
    check_key(key)
    try:
        with transaction.atomic(durable=True):
            earlier = _begun(key)
            if earlier is None:
                return begin_within(person, verb, key, what, act, ownership=ownership, **columns)
    except IntegrityError as error:
        # Two requests at once: PostgreSQL lets the second wait for the first; then the second breaks the constraint
        # that a key begins only one character.
        earlier = _begun(key)
        if earlier is None:
            check_names(error)
            raise
    mine = Character.objects.filter(Q(**ownership) if ownership else access.owned_by(person))
    if not mine.filter(pk=earlier.character_id).exists():
        raise KeyReused
    return answer_again(earlier, verb, what)


def _begun(key: str) -> Change | None:
    return Change.objects.filter(key=key, sequence=1).select_related("character").first()


def begin_within(
    person: Person, verb: str, key: str, what: Values, act: Act, *, ownership: Values | None = None, **columns: Any
) -> Change:
    """Like `begin`, for a caller that has begun the transaction and checked in it that this key has begun no
    character."""
    if ownership is None:
        if sentence := limits.reason_to_refuse(person):
            raise TooMany(sentence)
        limits.record_beginning(person)
    character = Character.objects.create(**(ownership or person.ownership), **columns)
    return record(character, person, verb, key, what, act)[0]
