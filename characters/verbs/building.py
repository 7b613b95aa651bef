"""How a verb that decides a character's numbers anew changes it."""

from characters.actions.action_context import resized
from characters.change.journal import perform
from characters.models import Change


def rebuild(pk, person, verb, key, fingerprint, act) -> Change:
    """`perform`; whoever is in play then falls or wakes where the new numbers say so."""
    return perform(pk, person, verb, key, fingerprint, lambda draft: act(draft) + resized(draft))
