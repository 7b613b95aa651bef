"""How the game's own procedures reach a character."""

from characters.actions.table import CHANCE, Preview, Table, allowed, preview, resized, write, written
from characters.journal import perform
from characters.models import Change

__all__ = ["CHANCE", "Preview", "Table", "allowed", "apply", "play", "preview", "resized"]
apply = write


def play(pk, person, key, verb, happen, **what) -> Change:
    """One event at the table: `happen(table)` answers the Outcome, which is written and journaled.

    `what` is everything that was asked for; it is journaled as data.
    """

    def act(draft):
        table = Table(draft)
        return written(table, allowed(happen, table))

    return perform(pk, person, verb, key, what, act)
