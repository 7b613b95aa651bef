"""Death saving throws (rulings 6, 81 and 104)."""

from dataclasses import replace
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Roll, Sheet
from rules.games.outcome import Asked, NotAllowed, Outcome, Rolled, name_of

from ..health import Body, fail, succeed
from ..rolls import Question, put_together
from .body import becoming, body_of, standing
from .ends import ended_by_roll
from .points import paid
from .pool import Ready, fell, ready, two_ones


def death_save_roll(sheet: Sheet) -> Roll:
    """3D without ability or skill bonus; wounds, and what helps or hinders every save, count (ruling 81)."""
    return put_together(sheet.solver, Question("death-save", "Death saving throw", ("save",)))


def death_save_ready(bundle: Bundle, build: Build, sheet: Sheet, asked: Asked) -> Ready:
    return ready(bundle, build, death_save_roll(sheet), asked, "death")


def death_save(bundle: Bundle, build: Build, sheet: Sheet, asked: Asked, chance: Random) -> Outcome:
    """Roll one death save and take what comes of it."""
    body = body_of(build, sheet)
    if not body.dying:
        raise NotAllowed("Only the dying roll death saving throws.")
    price = paid(sheet, asked.resolve) if asked.resolve else {}
    rolled = fell(death_save_ready(bundle, build, sheet, asked), chance)
    after = after_save(body, rolled)
    told = "in secret" if asked.secret else f"{words(rolled)}{also(after)}"
    sentence = f"{name_of(build)} rolls a death saving throw: {told}."
    outcome = becoming(build, sheet, after, sentence)
    ends = (*outcome.ends, *ended_by_roll(bundle, build, "save"))
    return replace(outcome, spends={**outcome.spends, **price}, ends=ends, rolls=(rolled,))


def also(body: Body) -> str:
    return f",{now}" if (now := standing(body)) else ""


def after_save(body: Body, rolled: Rolled) -> Body:
    """A critical wakes with 1 health, two or more ones are two failures, else the total decides (ruling 81)."""
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


def cheated(build: Build, sheet: Sheet, failed: int) -> Outcome:
    """A failed death save becomes two successes (section 23.2). failed: how many failures it counted."""
    body = body_of(build, sheet)
    body = replace(body, failures=max(0, body.failures - failed), dead=False)
    after = succeed(body, 2)
    return becoming(build, sheet, after, f"{name_of(build)} cheats death: two successes instead{also(after)}.")


def revised(build: Build, sheet: Sheet, after: Rolled, *, failed: int, saved: int) -> Outcome:
    """A death save with another die or a nudge: what it had counted goes, and what it does now happens."""
    body = body_of(build, sheet)
    failures, saves = max(0, body.failures - failed), max(0, body.saves - saved)
    body = replace(body, failures=failures, saves=saves, dead=False, stable=False)
    return becoming(build, sheet, after_save(body, after))
