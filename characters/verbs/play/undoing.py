from characters import addresses, journal
from characters.journal import MovedOn

from .table import Table, apply


def undo(pk, person, key, change):
    """Take back any one change, also when later ones exist; what hangs on the numbers follows (section 28).

    Raises MovedOn with the reason where that cannot be: see `characters.journal.undo`.
    """
    return journal.undo(pk, person, key, change, settle)


def settle(draft) -> None:
    """After numbers went back: none beyond what there is, and dying, stable and dead as the numbers say."""
    table = Table(draft)
    for address, spent in draft.all("spent").items():
        line = table.sheet.resources.get(addresses.name(address))
        if line and line.max and spent > max(line.max, draft.stored.get(address, 0)):
            raise MovedOn(f"That cannot be undone: {line.name} has been used since.")
    if draft.read("field:rest_dice") and not table.resting:
        draft.put("field:rest_dice", 0)
    apply(table, table.game.settled(table.build, table.sheet))
