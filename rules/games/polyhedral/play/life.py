"""Recomputes the states dying, stable and dead: after an undo, along with the death saves, from the changes in force;
in a character file, from its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine.build import Build, Held
from rules.games.outcome import NotAllowed, Outcome
from rules.games.table_action import At, ChangeMoves, Past

from ..health import DEADLY_WOUNDS, SAVES_TO_END
from .body import (
    COUNTS,
    DEAD,
    DYING,
    FAILURES,
    FALLEN,
    SAVES,
    STABLE,
    STATES,
    WOUNDS,
    becoming,
    body_of,
    deadly,
    is_down,
)


def after_undo(at: At, was: Build, past: Past) -> Outcome:
    """The outcome that makes death saves and states agree with the changes in force after an undo. was: the build
    before it.

    Raises NotAllowed if a change depends on saves that are no longer in force. Nobody becomes prone here by falling or
    waking: the undo has restored that condition, or not.
    """
    build, sheet = at.build, at.sheet
    try:
        body = body_of(build, sheet)
    except NotAllowed:
        return Outcome()
    life = Life()
    if body.health == 0 or is_down(was) or is_down(build) or deadly(build.spent):
        for moves in past((*COUNTS, WOUNDS), STATES):
            life.goes_through(moves)
    died = life.dead or (body.health == 0 and life.failures >= SAVES_TO_END)
    body = replace(body, saves=life.saves, failures=life.failures, stable=life.stable, dead=died)
    outcome = becoming(build, sheet, body)
    return replace(outcome, begins=tuple(held for held in outcome.begins if held != FALLEN))


@dataclass
class Life:
    """A character's death saves and states up to some change. dead: by a hit, by wounds or declared. Failed saves kill
    only while no health is left, so `after_undo` tests for them."""

    saves: int = 0
    failures: int = 0
    wounds: int = 0
    stable: bool = False
    dead: bool = False

    def goes_through(self, moves: ChangeMoves) -> None:
        """Apply one more change. Raises NotAllowed if it passed the last of three saves and the other two are not in
        force."""
        turned = {moves.conditions[state] for state in STATES if state in moves.conditions}
        if turned in ({True}, {False}):  # the character fell or woke
            self.saves, self.failures, self.stable = 0, 0, False
        stabilized = moves.conditions.get(STABLE, False)
        if stabilized and not self.stable and self.saves < moves.spent.get(SAVES, (0, 0))[0]:
            raise NotAllowed(
                "redo the death saving throws before it first."
                if moves.again
                else f"“{moves.sentence}” depends on it. Undo that first."
            )
        self.saves = min(SAVES_TO_END, max(0, self.saves + moves.by(SAVES)))
        self.failures = min(SAVES_TO_END, max(0, self.failures + moves.by(FAILURES)))
        if STABLE in moves.conditions or moves.by(FAILURES) > 0:
            self.stable = stabilized
        if self.stable or self.saves >= SAVES_TO_END:
            self.saves, self.failures, self.stable = 0, 0, True
        self.wounds += moves.by(WOUNDS)
        killed = moves.conditions.get(DEAD, self.dead)
        by_numbers = DEAD in moves.conditions and deadly({slug: after for slug, (_, after) in moves.spent.items()})
        self.dead = (killed and not by_numbers) or deadly({WOUNDS: self.wounds})


def with_state(held: Sequence[Held], health: int | None, spent: Mapping[str, int]) -> tuple[Held, ...]:
    """The conditions with at most one of dead, stable and dying, in that order of precedence. The file may name the
    state; otherwise its numbers decide: ten wounds or three failures, three successes, no health left (section 28,
    ruling 81)."""
    said = {one.ref for one in held} & set(STATES)
    down = health == 0
    if DEAD in said or spent.get(WOUNDS, 0) >= DEADLY_WOUNDS or (down and spent.get(FAILURES, 0) >= SAVES_TO_END):
        state = DEAD
    elif STABLE in said or (down and spent.get(SAVES, 0) >= SAVES_TO_END):
        state = STABLE
    elif down:
        state = DYING
    else:
        return tuple(held)
    others = tuple(one for one in held if one.ref == state or one.ref not in STATES)
    return others if state in said else (*others, Held(state))
