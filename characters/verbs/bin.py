from datetime import datetime, timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models import Model
from django.http import Http404
from django.utils import timezone

from characters.access import OWN
from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.change.text_input import who
from characters.change.unreachable import unreachable
from characters.models import Change, Character
from characters.people import Person
from rules.models import HouseRules

DAYS_IN_BIN = 30


def throw_away(pk: int, person: Person, key: str, *, if_new: bool = False) -> Change:
    """Move the character to the bin, where it can be restored for 30 days. if_new: raise Refused if it has changed
    since its beginning."""

    def act(draft: Draft) -> str:
        if if_new and draft.character.version > 1:
            raise Refused("This character has changed since.")
        draft.put("field:binned", timezone.now().isoformat())
        return f"{who(draft)} was deleted."

    return perform(pk, person, "throw_away", key, {}, act, may=OWN)


def restore(pk: int, person: Person, key: str) -> Change:
    def act(draft: Draft) -> str:
        draft.put("field:binned", None)
        return f"{who(draft)} was restored from the bin."

    return perform(pk, person, "restore", key, {}, act, may=OWN, binned=True)


def bin_unreachable() -> int:
    """Move the characters of guests that no session can reach any more to the bin. Returns how many; raises
    Unreadable."""
    return sum(throw_away_for_guest(pk, guest) for pk, guest in unreachable())


def throw_away_for_guest(pk: int, guest: str) -> bool:
    """Move the character to the bin; False if it no longer belongs to this guest, who may have an account by now."""

    def act(draft: Draft) -> str:
        draft.put("field:binned", timezone.now().isoformat())
        return f"{who(draft)} was deleted: the browser that kept it has not come back."

    try:
        perform(pk, Person(guest=guest), "throw_away", uuid4().hex, {}, act, may=OWN)
    except Http404:
        return False
    return True


def empty_bin() -> int:
    """Delete for good what has been in the bin for more than 30 days. Returns how many characters."""
    count = delete_binned(Character)
    # The house rules of the characters just deleted, and of any that were deleted with their account.
    HouseRules.objects.filter(characters=None).delete()
    return count


def delete_binned(model: type[Model]) -> int:
    """Delete the rows of this model that have been in the bin for more than 30 days, with all that belongs to them.
    Returns how many."""
    since = timezone.now() - timedelta(days=DAYS_IN_BIN)
    old = list(model.objects.filter(binned_at__lt=since).values_list("pk", flat=True))
    return sum(delete_if_binned(model, pk, since) for pk in old)


def delete_if_binned(model: type[Model], pk: int, since: datetime) -> bool:
    """Delete one row, unless it was restored meanwhile: its date is read again under the lock."""
    with transaction.atomic(durable=True):
        row = model.objects.select_for_update().filter(pk=pk, binned_at__lt=since).first()
        if row is not None:
            row.delete()
    return row is not None
