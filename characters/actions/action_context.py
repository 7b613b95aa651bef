"""A character at the table, as a procedure reads it; and the code that writes its Outcome into the draft."""

from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random, SystemRandom
from typing import Any

from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.models import RollRecord
from characters.people import Person
from rules.engine import Sheet
from rules.fast_sql import new_model
from rules.games.outcome import NotAllowed, Outcome, listed

from .carrying import carry, name_of
from .log import StoredLog

CHANCE = SystemRandom()
MOST_DOWNTIMES = 200
MOST_AWARDS = 200  # as many as a file may have


class ActionContext:
    """The `rules.games.table_action.At` of a draft. Shared actions also use the draft itself and the person who
    acts."""

    def __init__(self, draft: Draft, person: Person | None = None, chance: Random = CHANCE) -> None:
        self.draft, self.person, self.chance = draft, person, chance
        self.version = draft.version
        self.build = self.version.build
        self.bundle = self.version.bundle

    @property
    def sheet(self) -> Sheet:
        return self.version.sheet

    @cached_property
    def log(self) -> StoredLog:
        return StoredLog(self.draft.character)

    def words_of(self, address: str) -> str:
        """The words of one of the character's own aspects or relationships, by its address."""
        if not address.startswith(("aspect:", "relationship:")):
            raise NotAllowed("Choose one of the character's aspects.", "aspect")
        value = self.draft.read(address)
        if value is None:
            raise NotAllowed("The character has no such aspect.", "aspect")
        if not value.get("agreed", True):
            raise NotAllowed("That relationship counts only once both players have agreed.", "aspect")
        return value["text"]


def allowed[T](do: Callable[..., T], *asked: Any, **answers: Any) -> T:
    """The result of a procedure; Refused if the rules do not allow it."""
    try:
        return do(*asked, **answers)
    except NotAllowed as no:
        raise Refused(no.sentence, no.field) from no


def apply(context: ActionContext, do: Callable[..., Outcome], **answers: Any) -> str:
    """Write the outcome of a procedure into the draft and end the conditions that end with it. Returns the whole
    sentence for the history; Refused if the rules do not allow it."""
    outcome = allowed(do, context, **answers)
    write(context, outcome)
    return outcome.sentence + dropped(context, outcome) + lapsed(context)


def write(context: ActionContext, outcome: Outcome) -> None:
    draft = context.draft
    for slug, amount in outcome.spends.items():
        draft.add(f"spent:{slug}", amount)
    for item, amount in outcome.used.items():
        draft.add(f"used:{item}", amount)
    write_things(context, outcome)
    for ref, source in outcome.ends:
        draft.put(fact_address.condition(ref, source), None)
    for held in outcome.begins:
        draft.put(*fact_address.condition_fact(held))
    if outcome.rest is not None:
        draft.put("field:rest", outcome.rest)
    if outcome.rest_dice:
        draft.add("field:rest_dice", outcome.rest_dice)
    for award in outcome.learned:
        draft.put(fact_address.award(award.ref, award.write_in), {"reason": award.reason})
    if outcome.learned and len(draft.all_of("award")) > MOST_AWARDS:
        raise Refused(f"You can learn at most {MOST_AWARDS} things: undo one of them in the history first.")
    if outcome.downtime is not None:
        write_downtime(draft, outcome.downtime)
    for rolled in outcome.rolls:
        columns = {name: getattr(rolled, name) for name in rolled.__dataclass_fields__}
        draft.rolls.append(new_model(RollRecord, **columns, follows_id=outcome.follows, aspect=outcome.aspect))


def write_things(context: ActionContext, outcome: Outcome) -> None:
    draft = context.draft
    for item in outcome.dropped:  # there is no state for a thing on the ground
        draft.put(f"item:{item}", {**draft.read(f"item:{item}"), "state": "carried"})
    for item, pieces in outcome.lost.items():
        value = draft.read(f"item:{item}")
        left = value["quantity"] - pieces
        draft.put(f"item:{item}", {**value, "quantity": left} if left else None)
    for ref, pieces in outcome.gains.items():
        carry(draft, ref, "", pieces)


def write_downtime(draft: Draft, entry: Mapping[str, Any]) -> None:
    if len(draft.all_of("downtime")) >= MOST_DOWNTIMES:
        sentence = f"At most {MOST_DOWNTIMES} entries of downtime: undo one of them in the history first."
        raise Refused(sentence, "activity")
    draft.append("downtime", entry)


def dropped(context: ActionContext, outcome: Outcome) -> str:
    """One more sentence, on the things that fall from the hands."""
    names = [name_of(context.draft, context.draft.read(f"item:{item}")) for item in outcome.dropped]
    return f" Dropped: {listed(names)}." if names else ""


def lapsed(context: ActionContext) -> str:
    """End the conditions that can no longer last. Returns one more sentence that says so."""
    rules = context.bundle.game.consequences
    if rules.LAPSE.isdisjoint([held.ref for held in context.draft.version.build.conditions]):
        return ""
    after = ActionContext(context.draft)
    also = rules.lapsed(after.build, after.sheet)
    write(after, also)
    return f" {also.sentence}" if also.sentence else ""


def resized(draft: Draft) -> str:
    """Update the conditions that depend on numbers, after something other than an action has changed the numbers.
    Returns one more sentence that says so."""
    if not any(address.startswith("spent:") for address in draft.stored):  # nobody has played it
        return ""
    context, had = ActionContext(draft), draft.before.sheet
    outcome = allowed(context.bundle.game.consequences.resized, had, context.build, context.sheet)
    write(context, outcome)
    states = [context.bundle.called(held.ref).lower() for held in outcome.begins]
    over = [context.bundle.called(ref).lower() for ref, _ in outcome.ends]
    begins = f" Now {listed(states)}." if states else ""
    ends = f" No longer {listed(over)}." if over else ""
    return begins + ends + dropped(context, outcome) + lapsed(context)
