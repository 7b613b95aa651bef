"""A character's history to read: every change as a sentence, and the difference between then and now."""

from dataclasses import dataclass
from datetime import datetime

from rules.engine import Bundle, Sheet, derive
from rules.engine.difference import Moved, difference

from . import addresses, rows
from .build import build_from, bundle_of
from .models import Change
from .rolls import UNDOINGS, stands
from .verbs import play

BUILDING, PLAY = "building", "play"
PLAYED = frozenset(play.__all__) | {"add_aspect", "add_relationship", "add_note"}
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One change: its number (what undo asks for), who and when, the sentence, its kind, whether it is in force."""

    number: int
    at: datetime
    who: str
    sentence: str
    kind: str
    stands: bool
    can_be_undone: bool


def entries(character, *, kind="", before=None, most=MOST_SHOWN) -> list[Entry]:
    """The newest changes, newest first: all, or of one kind. `before` is the number after which a page begins."""
    changes = character.changes.select_related("actor", "inverts__inverts__inverts", UNDOINGS.partition("__")[2])
    if before is not None:
        changes = changes.filter(sequence__lt=before)
    if kind:
        undone = changes.filter(verb="undo")
        own = changes.filter(verb__in=PLAYED) if kind == PLAY else changes.exclude(verb__in=PLAYED)
        changes = (own | undone).distinct()
    found = [entry(change) for change in changes.order_by("-sequence")[: most if not kind else most * 2]]
    return [one for one in found if not kind or one.kind == kind][:most]


def entry(change: Change) -> Entry:
    in_force = stands(change)
    return Entry(
        number=change.sequence,
        at=change.at,
        who=str(change.actor) if change.actor else "",
        sentence=change.sentence,
        kind=kind_of(change),
        stands=in_force,
        can_be_undone=change.sequence > 1 and not hasattr(change, "inverted_by"),
    )


def kind_of(change: Change) -> str:
    """Building or play; an undo is of the kind of what it takes back."""
    while change.inverts is not None:
        change = change.inverts
    return PLAY if change.verb in PLAYED else BUILDING


def marks(character) -> list[tuple[int, str, datetime]]:
    """The marks that stand, newest first: number, name, moment."""
    changes = character.changes.filter(verb="mark", inverted_by=None).order_by("-sequence")
    return [(c.sequence, c.sentence.removeprefix("Mark: ").removesuffix("."), c.at) for c in changes]


def facts_at(character, number: int) -> rows.Facts:
    """The facts as they stood after the change of this number: the journal replayed backwards from now."""
    facts = dict(rows.stored(character))
    later = character.changes.filter(sequence__gt=number).order_by("-sequence").values_list("before", flat=True)
    for before in later:
        facts |= before
    return {address: value for address, value in facts.items() if value != addresses.absent(address)}


def sheet_at(character, number: int) -> Sheet:
    """The sheet as it was after that change, by the rules as they are now."""
    build = build_from(facts_at(character, number))
    return derive(bundle_of(character, build), build)


def since(character, number: int) -> tuple[Moved, ...]:
    """What has changed in the rules' terms between that change and now: also what is left, and conditions."""
    now = build_from(rows.stored(character))
    bundle = bundle_of(character, now)
    then, today = sheet_at(character, number), derive(bundle, now)
    return (*left(then, today), *conditions(bundle, then, today), *difference(then, today))


def left(then: Sheet, today: Sheet) -> list[Moved]:
    """Counters whose number has moved, of all that the character has now."""
    lines = [(then.resources[slug], line) for slug, line in today.resources.items() if slug in then.resources]
    shown = [(line, old.spent, line.spent) if line.counts_up else (line, old.left, line.left) for old, line in lines]
    return [Moved("left", line.slug, line.name, str(a), str(b)) for line, a, b in shown if a != b]


def conditions(bundle: Bundle, then: Sheet, today: Sheet) -> list[Moved]:
    """Conditions in force that began or ended."""
    old, new = ({ref: str(stacks) for ref, stacks in sheet.conditions.items()} for sheet in (then, today))
    return [
        Moved("condition", ref, bundle.elements[ref].name, old.get(ref, ""), new.get(ref, ""))
        for ref in sorted({*old, *new})
        if old.get(ref) != new.get(ref)
    ]
