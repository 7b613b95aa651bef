"""Death saving throws (rulings 6, 81 and 104)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import At, LoggedRoll, TableAction, TableLog

from ..health import Body, fail, succeed
from ..rolls import RollQuery, put_together
from .body import COUNTERS, COUNTS, FAILURES, RESOLVES, SAVES, STATES, becoming, body_of, is_down, status_suffix
from .ends import ended_by_roll
from .how import HOW, asked_how, invoke
from .points import paid
from .pool import Ready, RollOptions, fell, ready, two_ones

DEATH = "death"


def death_save_ready(bundle: Bundle, build: Build, sheet: Sheet, asked: RollOptions) -> Ready:
    """A death save: 3D without ability or skill bonus. Wounds count, and so do rows that help or hinder every save
    (ruling 81)."""
    roll = put_together(sheet.solver, RollQuery("death-save", "Death saving throw", ("save",)))
    return ready(bundle, build, roll, asked, "death")


def death_save(at: At, *, aspect: str, **how: Any) -> Outcome:
    """Roll one death save, with its consequences."""
    bundle, build, sheet, asked = at.bundle, at.build, at.sheet, asked_how(**how)
    invoke(at, aspect, asked)
    body = body_of(build, sheet)
    if not body.dying:
        raise NotAllowed("Only the dying roll death saving throws.")
    price = paid(sheet, asked.resolve)
    rolled = fell(death_save_ready(bundle, build, sheet, asked), at.chance)
    after = after_save(body, rolled)
    result = "in secret" if asked.secret else f"{words(rolled)}{also(after)}"
    sentence = f"{name_of(build)} rolls a death saving throw: {result}."
    outcome = becoming(build, sheet, after, sentence)
    ends = (*outcome.ends, *ended_by_roll(bundle, build, "save"))
    return replace(outcome, spends={**outcome.spends, **price}, ends=ends, rolls=(rolled,), aspect=aspect)


def also(body: Body) -> str:
    return f",{now}" if (now := status_suffix(body)) else ""


def after_save(body: Body, rolled: Rolled) -> Body:
    """The body after a save. A critical wakes it with 1 health; two or more ones are two failures; otherwise the total
    decides (ruling 81)."""
    if rolled.critical:
        return replace(body, health=1, saves=0, failures=0)
    if rolled.success:
        return succeed(body, 1)
    return fail(body, 2 if two_ones(rolled.faces) else 1)


def words(rolled: Rolled) -> str:
    if rolled.critical:
        return f"{rolled.total}, a critical, and wakes with 1 health"
    if two_ones(rolled.faces):
        return f"{rolled.total} with two ones, two failures"
    return f"{rolled.total}, {'a success' if rolled.success else 'a failure'}"


def cheat_death(at: At) -> Outcome:
    """Turn the death save that just failed into two successes (section 23.2)."""
    save = at.log.newest(DEATH)
    if not may_be_turned(at.log, at.build, save):
        raise NotAllowed("There is no failed death saving throw to change.")
    after = succeed(before_save(at, save), 2)
    sentence = f"{name_of(at.build)} cheats death: two successes instead{also(after)}."
    outcome = becoming(at.build, at.sheet, after, sentence)
    turned = replace(save[-1].rolled, success=True, turned_by="Resolve")
    spends = {**outcome.spends, **paid(at.sheet)}
    return replace(outcome, spends=spends, rolls=(turned,), follows=save[0].number)


def may_be_turned(log: TableLog, build: Build, save: Sequence[LoggedRoll]) -> bool:
    """True if this death save failed, nothing has turned it yet, and the character's life still depends on it."""
    return decides(log, build, save) and save[-1].rolled.success is False


def decides(log: TableLog, build: Build, save: Sequence[LoggedRoll]) -> bool:
    """True if the character's life still depends on this death save: until the character is healed, is hit or saves
    again, or until a critical, Resolve or a feature has helped."""
    if not save or save[-1].rolled.critical or save[-1].rolled.turned_by:
        return False
    # The hit or save that led to it was undone.
    if any(build.spent.get(slug, 0) < moved_by(save, slug) for slug in COUNTS) or not is_down(build):
        return False
    made = next((entry.change for entry in reversed(save) if moves_life(entry)), 0)
    return not log.moved_since(made, COUNTS, STATES)


def moves_life(entry: LoggedRoll) -> bool:
    return any(slug in entry.moved for slug in COUNTS) or any(state in entry.conditions for state in STATES)


def moved_by(save: Sequence[LoggedRoll], slug: str) -> int:
    """The amount by which this death save, with what was added to it, has changed the failures or the successes. Below
    zero if it ended the count, which clears both."""
    return sum(entry.moved.get(slug, 0) for entry in save)


def before_save(at: At, save: Sequence[LoggedRoll]) -> Body:
    """The body before this death save: dying, with the failures and successes of earlier saves. Only for a save that
    still `decides`."""
    body = body_of(at.build, at.sheet)
    saves, failures = body.saves - moved_by(save, SAVES), body.failures - moved_by(save, FAILURES)
    return replace(body, saves=saves, failures=failures, stable=False, dead=False)


def save_changed(at: At, save: Sequence[LoggedRoll], outcome: Outcome, *, passed: bool) -> Outcome:
    """The consequences of a death save whose result was changed, as if the new result had been rolled. passed: True if
    a passed save may be improved, too."""
    may_be_changed = decides if passed else may_be_turned
    if not may_be_changed(at.log, at.build, save):
        raise NotAllowed("That death save needs no more help.", "roll")
    after = becoming(at.build, at.sheet, after_save(before_save(at, save), outcome.rolls[0]))
    spends = {**after.spends, **outcome.spends}
    return replace(after, sentence=outcome.sentence, spends=spends, rolls=outcome.rolls, aspect=outcome.aspect)


ACTIONS = (
    TableAction("death_save", death_save, COUNTERS, "down", HOW),
    TableAction("cheat_death", cheat_death, RESOLVES, "down"),
)
