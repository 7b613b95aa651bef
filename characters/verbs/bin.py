from datetime import timedelta

from django.utils import timezone

from characters.journal import fingerprint_of, perform
from characters.models import Character
from characters.words import who

DAYS_IN_BIN = 30


def throw_away(pk, person, key):
    """Into the bin, where it can be restored for 30 days."""

    def act(draft):
        draft.put("field:binned", timezone.now().isoformat())
        return f"{who(draft)} was thrown away."

    return perform(pk, person, "throw_away", key, fingerprint_of(), act)


def restore(pk, person, key):
    def act(draft):
        draft.put("field:binned", None)
        return f"{who(draft)} was taken out of the bin."

    return perform(pk, person, "restore", key, fingerprint_of(), act, binned=True)


def empty_bin(now=None) -> int:
    """Delete for good what has been in the bin for more than 30 days. Answers how many characters went."""
    since = (now or timezone.now()) - timedelta(days=DAYS_IN_BIN)
    old = Character.objects.filter(binned_at__lt=since)
    return old.delete()[1].get("characters.Character", 0)
