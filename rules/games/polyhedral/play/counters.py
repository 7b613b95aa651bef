"""Counters of the sheet changed by hand: by an amount up or down, or to a number."""

from typing import Any

from rules.engine.phrases import signed
from rules.engine.sheet import ResourceLine
from rules.games.outcome import NotAllowed, Outcome, name_of
from rules.games.table_action import AN_AMOUNT, Adjustment, At, TableAction, Typed, Word

from .body import COUNTERS, FAILURES, HEALTH, SAVES, WOUNDS, body_of
from .harm import A_NUMBER, KIND_OF_HIT, cured, set_health, take_damage, wounded
from .turn import by_hand


def change_health(at: At, *, amount: Typed, **kind: Any) -> Outcome:
    """Change health by typed text, with all consequences: down is a hit, of the kind that the same form says; up is
    healing; a plain number is a correction."""
    if amount.to is not None and any(kind.values()):
        raise NotAllowed("A plain number sets the health. For a hit of this kind press Damage.", "amount")
    return moved(at, HEALTH, amount, **kind)


def adjust(at: At, *, resource: str, by: Typed | None, amount: Typed | None) -> Outcome:
    """Change any counter, by one of its buttons or by typed text."""
    asked = by or amount
    if asked is None:
        raise NotAllowed(AN_AMOUNT, "amount")
    try:
        return moved(at, resource, asked)
    except NotAllowed as no:
        if by and no.field == "amount":  # a button was pressed, so the field beside it is not at fault
            raise NotAllowed(no.sentence, "by") from no
        raise


def moved(at: At, slug: str, typed: Typed, **kind: Any) -> Outcome:
    """Change the shown number by an amount, or to a number. Raises NotAllowed if nothing would change. kind: of a
    hit."""
    by, to = typed.by or 0, typed.to
    line = at.sheet.resources.get(slug)
    if line is None:
        raise NotAllowed("The character has no such thing.", "resource")
    shown = line.spent if line.counts_up else line.left
    if to == shown:
        raise NotAllowed(f"{line.name}: that is {shown} already.", "amount")
    if slug == HEALTH:
        if to is not None:
            return set_health(at, to)
        return take_damage(at, amount=-by, **kind) if by < 0 else cured(at, by)
    if slug in (SAVES, FAILURES):
        raise NotAllowed("Death saving throws are rolled. To remove one, undo it in the history.", "resource")
    if slug == WOUNDS:
        return wounded(at, by if to is None else to - body_of(at.build, at.sheet).wounds)
    after = within(line, shown, typed)
    spent = after if line.counts_up else line.max - after
    if line.style == "turn":
        return Outcome(by_hand(at.build, line, spent), {slug: spent - line.spent})
    of = f" of {line.max}" if not line.counts_up else ""
    sentence = f"{name_of(at.build)}: {line.name} {signed(after - shown)}, now {after}{of}."
    return Outcome(sentence, {slug: spent - line.spent} if spent != line.spent else {})


def within(line: ResourceLine, shown: int, typed: Typed) -> int:
    """The new number. An added amount stops at the maximum (ruling 41). Raises NotAllowed if the number would fall
    below 0, be set above the maximum, or stay the same."""
    if typed.to is not None and not 0 <= typed.to <= line.max:
        raise NotAllowed(f"{line.name}: from 0 to {line.max}.", "amount")
    after = shown + (typed.by or 0) if typed.to is None else typed.to
    if after < 0:
        left = "" if line.counts_up else " left"
        raise NotAllowed(f"{line.name}: {f'only {shown}' if shown else 'none'}{left}.", "amount")
    after = min(after, max(line.max, shown))
    if after == shown:
        raise NotAllowed(f"{line.name}: full already.", "amount")
    return after


ACTIONS = (
    TableAction(
        "change_health",
        change_health,
        COUNTERS,
        "vitals",
        {"amount": Adjustment(empty=A_NUMBER), **KIND_OF_HIT},
        form="hit",
        key=("h", "health: type −7, +5 or 12, then Enter"),
    ),
    TableAction(
        "adjust",
        adjust,
        COUNTERS,
        "vitals",
        {"resource": Word(80), "by": Adjustment(), "amount": Adjustment()},
        by=("resource",),
    ),
)
