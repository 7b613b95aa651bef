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

    Replays and refusals as in `journal.perform`; TooMany where the limits (`limits.py`) are reached. `ownership` are
    the columns that say whose it is, by default this person's. Of the other `columns` the ruleset must be there.
    """
    check_key(key)
    try:
        with transaction.atomic(durable=True):
            earlier = _begun(key)
            if earlier is None:
                return begin_within(person, verb, key, what, act, ownership=ownership, **columns)
    except IntegrityError as error:
        # Two at once: PostgreSQL lets the second wait for the first and then meets the key that may begin only once.
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
    """The same for a caller that has begun the transaction, and in it has made sure that this key has begun nothing."""
    check_key(key)
    if ownership is None:
        may_begin(person)
    character = Character.objects.create(**(ownership or person.ownership), **columns)
    return record(character, person, verb, key, what, act)[0]


def may_begin(person: Person) -> None:
    """Count one more beginning of this person's, or raise TooMany."""
    if sentence := limits.reached(person):
        raise TooMany(sentence)
    limits.count(person)
