"""From the sheet to a Body and back: health, wounds, death saves and the states dying, stable and dead (ruling 81)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.engine.build import HANDS, Build, Held
from rules.engine.content import Ref
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, listed, name_of
from rules.games.table_action import HistoryKind

from ..health import DEADLY_WOUNDS, SAVES_TO_END, Body
from .ends import held_as

COUNTERS, RESOLVES = HistoryKind("health", "Health and counters"), HistoryKind("resolve", "Resolve")
HEALTH, WOUNDS, STAMINA, RESOLVE = "health", "wounds", "stamina", "resolve"
SAVES, FAILURES = "death-successes", "death-failures"
DYING, STABLE, DEAD, PRONE = "condition:dying", "condition:stable", "condition:dead", "condition:prone"
UNCONSCIOUS, DEFENDING, SURPRISED = "condition:unconscious", "condition:defending", "condition:surprised"
# They depend on each other, so an undo does not restore them one by one; `after_undo` sets them together.
STATES: Sequence[Ref] = (DYING, STABLE, DEAD)
COUNTS: Sequence[str] = (SAVES, FAILURES)
FALLEN = Held(PRONE, source="falling unconscious")
# Conditions that `lapsed` may end.
LAPSE = frozenset({DEFENDING})
# The parts of a turn, by resource and timing: the statistic that forbids each, and its word.
TURNS = {
    "action": ("blocked.actions", "actions"),
    "bonus-action": ("blocked.bonus-actions", "bonus actions"),
    "reaction": ("blocked.reactions", "reactions"),
    "movement": ("blocked.movement", "movement"),
}
PARTS = ("action", "bonus-action", "reaction")


def body_of(build: Build, sheet: Sheet) -> Body:
    """The body of a character. Raises NotAllowed for one that has no health yet, such as an unfinished draft."""
    line = sheet.resources.get(HEALTH)
    if line is None or line.max <= 0:
        raise NotAllowed("The character has no health yet. Finish building it first.")
    held = {held.ref for held in build.conditions}
    spent = build.spent
    return Body(
        line.left,
        line.max,
        spent.get(WOUNDS, 0),
        spent.get(SAVES, 0),
        spent.get(FAILURES, 0),
        STABLE in held,
        DEAD in held,
    )


def becoming(build: Build, sheet: Sheet, after: Body, sentence: str = "") -> Outcome:
    """The outcome that gives the character this body: amounts that change and states that begin and end.

    At 0 health, a character that is neither stable nor dead is dying. One that falls drops what is in hand and lies
    prone. One that wakes lies prone as well, and its death saves are cleared.
    """
    before = body_of(build, sheet)
    spent = build.spent
    down = after.health == 0 or after.dead
    spends = {
        WOUNDS: after.wounds - before.wounds,
        SAVES: (after.saves if down and not after.stable else 0) - spent.get(SAVES, 0),
        FAILURES: (after.failures if down and not after.stable else 0) - spent.get(FAILURES, 0),
    }
    if after.health != before.health:
        spends[HEALTH] = after.maximum - after.health - sheet.resources[HEALTH].spent
    states = {DYING: after.dying, STABLE: after.stable and after.health == 0 and not after.dead, DEAD: after.dead}
    held = {held.ref for held in build.conditions}
    begins = [Held(ref) for ref, on in states.items() if on and ref not in held]
    falls = after.health == 0 < before.health
    if PRONE not in held and (falls or (not down and held & {DYING, STABLE})):
        begins.append(FALLEN)
    ends = tuple((held.ref, held.source) for held in build.conditions if not states.get(held.ref, True))
    spends = {slug: n for slug, n in spends.items() if n}
    return Outcome(sentence, spends, begins=tuple(begins), ends=ends, dropped=in_hand(build) if falls else ())


def barred(sheet: Sheet, timing: str) -> str:
    """A sentence about the conditions that forbid this part of a turn; "" for none (section 30)."""
    stat, words = TURNS.get(timing, ("", ""))
    return f"No {words} while {because(sheet, stat)}." if sheet.value(stat) else ""


def because(sheet: Sheet, stat: str) -> str:
    """The sources of the rows that count for a statistic, in lower case."""
    return listed(dict.fromkeys(step.source.lower() for step in sheet.values[stat].because if step.applied))


def needs_turn(sheet: Sheet, timing: str, field: str = "") -> None:
    """Raise NotAllowed if a condition forbids this part of a turn."""
    if why := barred(sheet, timing):
        raise NotAllowed(why, field)


def takes(sheet: Sheet, timing: str) -> dict[str, int]:
    """The part of the turn that an action of this timing uses up, as an amount to spend; empty if it is used up
    already, or forbidden."""
    line = sheet.resources.get(timing)
    if timing not in PARTS or line is None or not line.left or sheet.value(TURNS[timing][0]):
        return {}
    return {timing: 1}


def living(build: Build) -> None:
    """Raise NotAllowed for the dead: they roll nothing and spend nothing."""
    if is_dead(build):
        raise NotAllowed("The dead cannot roll or spend anything. If this is a mistake, undo what led here.")


def conscious(build: Build) -> None:
    """Raise NotAllowed at 0 health, when only saving throws are possible (section 30)."""
    living(build)
    if is_down(build):
        raise NotAllowed("At 0 health the character can only make saving throws.")


def is_dead(build: Build) -> bool:
    return DEAD in {held.ref for held in build.conditions}


def is_down(build: Build) -> bool:
    """True if the character is dying, stable or dead."""
    return not {held.ref for held in build.conditions}.isdisjoint(STATES)


def in_hand(build: Build) -> tuple[str, ...]:
    return tuple(item.key for item in build.items if item.state in HANDS)


def begun_by_hand(build: Build, sheet: Sheet, held: Held, sentence: str) -> Outcome:
    """The outcome of a condition that the table puts on someone. The unconscious also drop what is in hand and fall
    prone (section 30).

    Raises NotAllowed for a character that is immune to it.
    """
    immune = next((row for row in sheet.defenses.get("immune", ()) if row.ref == held.ref), None)
    if immune is not None:
        raise NotAllowed(f"{name_of(build)} cannot be {immune.name.lower()}: {listed([*immune.path])}.", "condition")
    if held.ref != UNCONSCIOUS or UNCONSCIOUS in sheet.conditions:
        return Outcome(sentence, begins=(held,))
    begins = (held,) if held_as(build, PRONE) else (held, FALLEN)
    return Outcome(sentence, begins=begins, dropped=in_hand(build))


def by_numbers(build: Build, sheet: Sheet) -> Outcome:
    """The outcome that makes the states agree with numbers that changed without an event at the table."""
    try:
        body = body_of(build, sheet)
    except NotAllowed:
        return Outcome()
    body = replace(
        body,
        dead=body.dead or deadly(build.spent),
        stable=body.health == 0 and (body.stable or body.saves >= SAVES_TO_END),
    )
    return becoming(build, sheet, body)


def resized(had: Sheet, build: Build, sheet: Sheet) -> Outcome:
    """The outcome after a level or a house rule has changed the body's numbers: it falls if no health is left, and
    wakes if it has some again (rulings 16 and 81)."""
    outcome = by_numbers(build, sheet)
    before, now = had.resources.get(HEALTH), sheet.resources.get(HEALTH)
    if not now or not before or now.max <= 0 or now.left or not before.left:
        return outcome
    begins = outcome.begins if held_as(build, PRONE) else (*outcome.begins, FALLEN)
    return replace(outcome, begins=begins, dropped=in_hand(build))


def lapsed(build: Build, sheet: Sheet) -> Outcome:
    """The outcome that ends defending once the character is slowed, incapacitated or held in place (section 22).
    Defending does not begin again when that is over."""
    against = sheet.rolls.get("against")
    if against is None or not any(step.ref == DEFENDING and step.why for step in against.because):
        return Outcome()
    return Outcome("No longer defending.", ends=held_as(build, DEFENDING))


def deadly(spent: Mapping[str, int]) -> bool:
    """True if this many wounds or failed saves mean death (ruling 81)."""
    return spent.get(WOUNDS, 0) >= DEADLY_WOUNDS or spent.get(FAILURES, 0) >= SAVES_TO_END


def state_by_hand(build: Build, sheet: Sheet, ref: Ref, *, on: bool) -> Outcome | None:
    """The outcome of setting by hand a state that follows from numbers; None for any other condition.

    Death can be declared and revoked. Dying and stable follow from health, so change the health instead.
    """
    if ref in (DYING, STABLE):
        raise NotAllowed("Health decides this. Heal, deal damage or stabilize instead.", "condition")
    if ref != DEAD:
        return None
    body = body_of(build, sheet)
    if body.dead == on:
        raise NotAllowed("That is so already." if on else "The character is not dead.", "condition")
    if not on and body.wounds >= DEADLY_WOUNDS:
        raise NotAllowed("Ten wounds kill. Remove one first.", "condition")
    after = replace(body, dead=on, failures=body.failures if on else 0)
    word = "is dead" if on else f"is alive again{status_suffix(replace(after, dead=False))}"
    return becoming(build, sheet, after, f"{name_of(build)} {word}.")


def status_suffix(body: Body) -> str:
    """The state of a character that is down, to end a sentence with; "" for one that is not."""
    if body.dead:
        return " and is dead"
    if body.stable and body.health == 0:
        return " and is stable"
    return f" and is dying ({body.saves} passed, {body.failures} failed)" if body.health == 0 else ""
