from characters.words import whole

from .amounts import MOST, typed
from .table import play


def adjust(pk, person, key, *, resource, amount):
    """Any counter by what was typed into it: `-7`, `+5` or `12`. Health down is a hit, up is healing (section 28)."""
    asked = typed(amount)

    def happen(table):
        return table.game.adjusted(*table.rules, resource, by=asked.by, to=asked.to)

    return play(pk, person, key, "adjust", happen, resource=resource, by=asked.by, to=asked.to)


def change_wounds(pk, person, key, *, wounds):
    """Wounds added, or taken away when negative; the tenth kills (section 28)."""
    whole(wounds, least=-MOST, most=MOST, field="wounds")
    return play(pk, person, key, "change_wounds", lambda t: t.game.wounded(t.build, t.sheet, wounds), wounds=wounds)
