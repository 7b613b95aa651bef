"""What features and other actions do: they are used, or change a roll that has been made (section 8.3)."""

from django.db.models import Q

from characters.models import standing
from characters.rolls import rolled_of
from characters.words import clean
from rules.games.outcome import NotAllowed

from .points import TIMES, found, with_death_save
from .rolls import faces_of
from .table import CHANCE, play

TURN_BEGINS = Q(verb__in=(*TIMES, "extra_turn"))


def use(pk, person, key, *, action, faces=(), whom="", chance=CHANCE):
    """Use an action of the sheet: its uses are spent, its healing is rolled, the rest or condition it brings begins.

    `whom` it is used on, in the player's own words.
    """
    faces = faces_of(faces)
    whom = clean(whom, limit=120, field="whom")

    def happen(table):
        return table.game.acted(*table.rules, action, table.resting, chance, faces, whom)

    return play(pk, person, key, "use", happen, action=action, faces=faces, whom=whom)


def change_roll(pk, person, key, *, roll, action, faces=(), chance=CHANCE):
    """A feature changes a roll that failed: rolls it again, or makes it succeed. Until the next turn begins."""
    faces = faces_of(faces)

    def happen(table):
        records = found(table, roll)
        character = table.draft.character
        if not is_newest(character, records) and records[0].change.sequence < turn_began(character):
            raise NotAllowed("A turn has begun since that roll.", "roll")
        outcome = table.game.roll_changed(*table.rules, action, rolled_of(records[-1]), chance, faces)
        return with_death_save(table, records, outcome, passed=False)

    return play(pk, person, key, "change_roll", happen, roll=roll, action=action, faces=faces)


def is_newest(character, records) -> bool:
    """Whether the roll is what happened last, so that no turn has begun since."""
    return records[-1].change.sequence == character.version


def turn_began(character) -> int:
    """The number of the change with which the turn began that goes on; 0 where none has."""
    begun = character.changes.filter(standing(), TURN_BEGINS).order_by("-sequence")
    return begun.values_list("sequence", flat=True).first() or 0
