from characters import addresses, journal
from characters.journal import MovedOn
from characters.models import RollRecord, standing
from characters.verbs.items import name_of, pieces_away

from .table import Table, apply

# What changes a roll that has been made.
ADDED = ("extra_die", "nudge", "turn_critical")


def undo(pk, person, key, change):
    """Take back any one change, also when later ones exist; what hangs on the numbers follows (section 28).

    Raises MovedOn with the reason where that cannot be: see `characters.journal.undo`.
    """
    return journal.undo(pk, person, key, change, settle, follows)


def was_beyond(draft, address) -> int:
    """By how much more of a pile was used than there was, before this undo: a file may say so."""
    before = draft.stored.get(address)
    return draft.stored.get(f"used:{addresses.name(address)}", 0) - before["quantity"] if before else 0


def follows(draft, change, address) -> bool:
    """What need not stand as the change left it: states that settle themselves, and after a fall what fell with it."""
    game = Table(draft).game
    states = {addresses.condition(ref) for ref in game.STATES}
    fell = any(change.after.get(state) for state in states)
    fallen = addresses.condition(game.FALLEN.ref, game.FALLEN.source)
    return address in states or (fell and (address == fallen or addresses.namespace(address) == "item"))


def added_to_since(draft) -> bool:
    """Whether a die or nudge that comes or goes is part of what was added later: each row of the log is whole."""
    began = draft.inverts.root or draft.inverts
    if began.verb not in ADDED:
        return False
    row = RollRecord.objects.filter(change=began).exclude(follows=None).first()
    later = RollRecord.objects.filter(standing("change"), follows=row.follows_id, pk__gt=row.pk) if row else None
    return later is not None and later.exists()


def settle(draft) -> None:
    """After numbers went back: none beyond what there is, and dying, stable and dead as the numbers say."""
    if added_to_since(draft):
        raise MovedOn("That cannot be undone: more was added to this roll since. Undo that first.")
    table = Table(draft)
    for address, spent in draft.all("spent").items():
        line = table.sheet.resources.get(addresses.name(address))
        if line and line.max and spent > max(line.max, draft.stored.get(address, 0)):
            raise MovedOn(f"That cannot be undone: {line.name} has been used since.")
    if draft.moved & {"item", "used"}:
        for address, value in draft.all("item").items():
            if pieces_away(draft, table.bundle, address, value) - value["quantity"] > max(
                0, was_beyond(draft, address)
            ):
                name = name_of(table.bundle, value)
                raise MovedOn(f"That cannot be undone: {name} has been used since.")
    if draft.read("field:rest_dice") and not table.resting:
        draft.put("field:rest_dice", 0)
    apply(table, table.game.settled(table.build, table.sheet))
