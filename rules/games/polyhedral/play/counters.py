"""Any counter of the sheet moved by hand: an amount up or down, or set to a number."""

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, name_of

from .body import FAILURES, HEALTH, SAVES, WOUNDS, body_of
from .harm import cured, hit, set_health, wounded


def adjusted(
    bundle: Bundle, build: Build, sheet: Sheet, slug: str, *, by: int | None = None, to: int | None = None
) -> Outcome:
    """The number shown moves `by` an amount or `to` a number; exactly one is given.

    Health down is a hit and up is healing, with all that follows; set, it is a correction. Others stay within what
    there is: no use that is not left, nothing above the maximum (ruling 41). NotAllowed where nothing would move.
    """
    line = sheet.resources.get(slug)
    if line is None:
        raise NotAllowed("The character has no such thing.", "resource")
    shown = line.spent if line.counts_up else line.left
    if to == shown:
        raise NotAllowed(f"{line.name}: that is {shown} already.", "amount")
    if slug == HEALTH:
        if to is not None:
            return set_health(build, sheet, to)
        return hit(bundle, build, sheet, [(-(by or 0), "")]) if (by or 0) < 0 else cured(build, sheet, by or 0)
    if slug in (SAVES, FAILURES):
        raise NotAllowed("Death saving throws are rolled; undo one to take it back.", "resource")
    if slug == WOUNDS:
        return wounded(build, sheet, by if to is None else to - body_of(build, sheet).wounds)  # type: ignore[arg-type]
    after = shown + (by or 0) if to is None else to
    if to is not None and not 0 <= to <= line.max:
        raise NotAllowed(f"{line.name} goes from 0 to {line.max}.", "amount")
    if after < 0:
        left = "" if line.counts_up else " left"
        raise NotAllowed(f"{line.name}: {f'only {shown}' if shown else 'none'}{left}.", "amount")
    after = min(after, max(line.max, shown))
    if after == shown:
        raise NotAllowed(f"{line.name} is full already.", "amount")
    spent = after if line.counts_up else line.max - after
    of = f" of {line.max}" if not line.counts_up else ""
    sentence = f"{name_of(build)}: {line.name} {signed(after - shown)}, now {after}{of}."
    return Outcome(sentence, {slug: spent - line.spent} if spent != line.spent else {})


def signed(number: int) -> str:
    return f"+{number}" if number >= 0 else f"−{-number}"
