"""Death saves and the states dying, stable and dead after an undo: counted anew from the changes that are in force."""

from dataclasses import dataclass, replace

from rules.engine.build import Build
from rules.games.outcome import NotAllowed, Outcome
from rules.games.table_action import At, ChangeMoves, Past

from ..health import SAVES_TO_END
from .body import COUNTS, DEAD, FAILURES, FALLEN, SAVES, STABLE, STATES, WOUNDS, becoming, body_of, deadly, is_down


def after_undo(at: At, was: Build, past: Past) -> Outcome:
    """The outcome that makes death saves and states agree with the changes that are in force after an undo. was: the
    build before it.

    NotAllowed if a change needs saves that are not in force any more. Nobody becomes prone by waking here: that
    condition is restored, or not, with the change that it began in.
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
    """A character's life up to some change. dead: by a blow, by wounds or by word; failed saves kill only as long as
    there is no health left."""

    saves: int = 0
    failures: int = 0
    wounds: int = 0
    stable: bool = False
    dead: bool = False

    def goes_through(self, moves: ChangeMoves) -> None:
        """One more change. NotAllowed if it passed the last of three saves and the others are not there."""
        turned = {moves.conditions[state] for state in STATES if state in moves.conditions}
        if turned in ({True}, {False}):  # it fell, or it woke
            self.saves, self.failures, self.stable = 0, 0, False
        stabilized = moves.conditions.get(STABLE, False)
        if stabilized and not self.stable and self.saves < moves.spent.get(SAVES, (0, 0))[0]:
            raise NotAllowed(
                "redo the death saving throws before it first."
                if moves.again
                else f"“{moves.sentence}” counts on it. Undo that first."
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
