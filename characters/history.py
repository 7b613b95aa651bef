"""A character's history to read: every change as a sentence, and the difference between then and now."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from rules.engine import Bundle, Counters, Sheet, derive
from rules.engine.difference import Moved, difference
from rules.prepared import MARKS, PreparedObjects

from . import addresses, rows
from .build import build_from, bundle_of
from .models import Change
from .rolls import OF_UNDOING, UNDOINGS, stands

MOST_SHOWN = 200
# Of what a change takes back only the verb is read, of its undoing only that it is there, and never what they moved.
OF_TAKEN_BACK = tuple(column for column in OF_UNDOING if column != "verb")
UNREAD = [
    *("before", "after", "key", "fingerprint"),
    *(f"{'__'.join(['inverts'] * times)}__{column}" for times in (1, 2, 3) for column in OF_TAKEN_BACK),
    *(f"{'__'.join(['inverted_by'] * times)}__{column}" for times in (1, 2, 3) for column in OF_UNDOING),
]
# What players call the kinds of changes, and the verbs of each. Every other verb belongs to building.
KINDS = {
    "health": ("Health", "take_damage heal change_wounds adjust use death_save stabilize"),
    "conditions": ("Conditions", "add_condition remove_condition toggle next_round"),
    "rests": (
        "Rests",
        "begin_rest spend_rest_die treat_wounds finish_rest long_rest end_adventure spend_downtime mark",
    ),
    "dice": ("Dice", "roll roll_attack roll_damage"),
    "resolve": ("Resolve", "extra_die nudge turn_critical cheat_death extra_turn declare compel regain"),
    "things": (
        "Things",
        "add_item remove_item set_quantity equip reload gather_ammunition purchase purchase_together",
    ),
    "story": ("Story", "set_aspects add_aspect add_relationship add_note agree link edit remove"),
    "levels": (
        "Levels",
        "add_xp set_xp set_level level_up take_back_level change_level drop_answer plan_level take_planned forget_plan",
    ),
    "building": ("Building", ""),
}
INVERTS = Change._meta.get_field("inverts")
# Undoing an undoing soon makes a long chain, so several are read at once; of what they changed nothing is asked.
BACK = ("", "inverts__", "inverts__inverts__")
TAKEN_BACK = PreparedObjects(
    lambda pk: (
        Change.objects.filter(pk=pk)
        .select_related(*(f"{back}actor" for back in BACK))
        .defer(*(f"{back}{column}" for back in BACK for column in ("before", "after")))
    ),
    MARKS[0],
)
KIND_OF = {verb: kind for kind, (_, verbs) in KINDS.items() for verb in verbs.split()}


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


def entries(character, *, kind="", before=None, since=0, most=MOST_SHOWN) -> list[Entry]:
    """The newest changes, newest first: all, or of one kind. `before` is the number after which a page begins, `since`
    the one that nothing older is asked for."""
    changes = character.changes.select_related("actor", "inverts__inverts__inverts", UNDOINGS.partition("__")[2])
    changes = changes.filter(sequence__gt=since).defer(*UNREAD)
    if before is not None:
        changes = changes.filter(sequence__lt=before)
    if kind == "building":
        changes = changes.exclude(verb__in=KIND_OF)
    elif kind:
        changes = changes.filter(verb__in=[*KINDS[kind][1].split(), "undo"])
    found = (entry(change) for change in newest_first(changes))
    return list(islice((one for one in found if kind in ("", one.kind)), most))


def newest_first(changes):
    """In portions, since it is not known beforehand how many an undo's kind leaves out."""
    portion = None
    while portion is None or len(portion) == MOST_SHOWN:
        portion = list(changes.order_by("-sequence")[:MOST_SHOWN])
        yield from portion
        changes = changes.filter(sequence__lt=portion[-1].sequence) if portion else changes


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


def chain(change: Change) -> list[Change]:
    """A change, what it takes back, what that had taken back, and so on: when one comes, all of them turn."""
    found = [change]
    while (last := found[-1]).inverts_id:
        if not INVERTS.is_cached(last):
            last.inverts = TAKEN_BACK.first(last.inverts_id)
        found.append(last.inverts)
    return found


def kind_of(change: Change) -> str:
    """A kind of KINDS; an undo is of the kind of what it takes back."""
    return KIND_OF.get(chain(change)[-1].verb, "building")


def marks(character) -> list[tuple[int, str, datetime]]:
    """The marks that stand, newest first: number, name, moment."""
    changes = character.changes.filter(verb="mark", inverted_by=None).order_by("-sequence")
    found = changes.values_list("sequence", "sentence", "at")
    return [(number, sentence.removeprefix("Mark: ").removesuffix("."), at) for number, sentence, at in found]


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


def left(then: Sheet, today: Sheet | Counters) -> list[Moved]:
    """Counters whose number has moved, of all that the character has now."""
    lines = [(then.resources[slug], line) for slug, line in today.resources.items() if slug in then.resources]
    shown = [(line, old.spent, line.spent) if line.counts_up else (line, old.left, line.left) for old, line in lines]
    return [Moved("left", line.slug, line.name, str(a), str(b)) for line, a, b in shown if a != b]


def conditions(bundle: Bundle, then: Sheet, today: Sheet | Counters) -> list[Moved]:
    """Conditions in force that began or ended."""
    old, new = ({ref: str(stacks) for ref, stacks in sheet.conditions.items()} for sheet in (then, today))
    return [
        Moved("condition", ref, bundle.elements[ref].name, old.get(ref, ""), new.get(ref, ""))
        for ref in sorted({*old, *new})
        if old.get(ref) != new.get(ref)
    ]
