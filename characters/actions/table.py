"""A character at the table: what a procedure finds, and how the Outcome that it answers is written into the draft."""

from dataclasses import dataclass
from random import SystemRandom

from characters import addresses
from characters.journal import Draft, Refused
from characters.models import RollRecord
from characters.people import Person
from characters.verbs.items import name_of
from characters.versions import Version
from characters.words import listed
from rules.engine import Sheet
from rules.games.outcome import NotAllowed, Outcome
from rules.prepared import new

CHANCE = SystemRandom()


class Table:
    """The `rules.games.action.At` of a draft. Shared actions reach the draft itself, and who acts.

    `aspect` goes to the log with the rolls of the outcome: what was invoked for them.
    """

    def __init__(self, draft: Draft, person: Person | None = None, chance=CHANCE):
        self.draft, self.person, self.chance = draft, person, chance
        self.version = draft.version
        self.build = self.version.build
        self.bundle = self.version.bundle
        self.game = self.bundle.game.play
        self.aspect = ""

    @property
    def sheet(self) -> Sheet:
        return self.version.sheet

    @property
    def rules(self):
        """What most procedures ask for first."""
        return self.bundle, self.build, self.sheet

    @property
    def resting(self) -> str:
        return self.build.rest

    @property
    def rest_dice(self) -> int:
        return self.build.rest_dice


def allowed(do, *asked, **answers) -> Outcome:
    """What a procedure answers; Refused where the rules do not allow it."""
    try:
        return do(*asked, **answers)
    except NotAllowed as no:
        raise Refused(no.sentence, no.field) from no


def written(table: Table, outcome: Outcome) -> str:
    """Write an outcome into the draft, with what ends by it. Answers the whole sentence for the history."""
    write(table, outcome)
    return outcome.sentence + dropped(table, outcome) + lapsed(table, outcome)


def write(table: Table, outcome: Outcome) -> None:
    draft = table.draft
    for slug, amount in outcome.spends.items():
        draft.add(f"spent:{slug}", amount)
    for item, amount in outcome.used.items():
        draft.add(f"used:{item}", amount)
    for item in outcome.dropped:  # there is no word for lying beside somebody: what is picked up again is carried
        draft.put(f"item:{item}", {**draft.read(f"item:{item}"), "state": "carried"})
    for ref, source in outcome.ends:
        draft.put(addresses.condition(ref, source), None)
    for held in outcome.begins:
        lasts = {"stacks": held.stacks, "until": held.until, "rounds": held.rounds}
        draft.put(addresses.condition(held.ref, held.source), lasts)
    if outcome.rest is not None:
        draft.put("field:rest", outcome.rest)
    if outcome.rest_dice:
        draft.add("field:rest_dice", outcome.rest_dice)
    root = draft.follows[0].pk if draft.follows else None
    for rolled in outcome.rolls:
        columns = {name: getattr(rolled, name) for name in rolled.__dataclass_fields__}
        draft.rolls.append(new(RollRecord, **columns, follows_id=root, aspect=table.aspect))


def dropped(table: Table, outcome: Outcome) -> str:
    """What falls from the hands, as one more sentence."""
    names = [name_of(table.bundle, table.draft.read(f"item:{item}")) for item in outcome.dropped]
    return f" Dropped: {listed(names)}." if names else ""


def lapsed(table: Table, outcome: Outcome) -> str:
    """End what cannot last as things stand after the outcome; that as one more sentence."""
    held = {one.ref for one in (*table.build.conditions, *outcome.begins)}
    if held.isdisjoint(table.game.LAPSE):
        return ""
    after = Table(table.draft)
    also = after.game.lapsed(after.build, after.sheet)
    write(after, also)
    return f" {also.sentence}" if also.sentence else ""


def resized(draft: Draft) -> str:
    """Let dying, stable and dead be as the numbers say after something else than an event at the table moved these.
    What comes of it as one more sentence."""
    if not any(address.startswith("spent:") for address in draft.stored):  # nobody has played it
        return ""
    table, had = Table(draft), draft.begun.sheet
    outcome = allowed(table.game.resized, had, table.build, table.sheet)
    write(table, outcome)
    states = [table.bundle.elements[held.ref].name.lower() for held in outcome.begins]
    over = [table.bundle.elements[ref].name.lower() for ref, _ in outcome.ends]
    begins = f" Now {listed(states)}." if states else ""
    return begins + (f" No longer {listed(over)}." if over else "") + dropped(table, outcome)


@dataclass(frozen=True)
class Preview:
    """What an event would do: its outcome, and the sheet before and after it."""

    outcome: Outcome
    before: Sheet
    after: Sheet


def preview(character, version: Version, happen) -> Preview:
    """The same event tried on a draft of this version. Raises Refused as the action would. Reads and writes nothing."""
    table = Table(Draft(character, version))
    outcome = allowed(happen, table)
    write(table, outcome)
    return Preview(outcome, table.sheet, table.draft.version.sheet)
