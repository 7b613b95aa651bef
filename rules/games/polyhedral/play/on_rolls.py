"""Points of Resolve spent on a roll after it was made (section 23.2, rulings 10, 40 and 104)."""

from collections.abc import Mapping
from dataclasses import replace

from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import FACES, At, Field, LoggedRoll, RowNumber, TableAction, Tick

from ..dice import SIDES
from ..resolve import nudged
from .body import RESOLVES, living
from .dying import DEATH, save_changed
from .how import ASPECT
from .points import WORDS, declared, paid, two_points, verdict
from .pool import again, judged, thrown

OWN_ROLLS = ("check", "save", "attack", DEATH)
NO_ROLL = "There is no such roll."


def extra_die(at: At, *, roll: int, aspect: str, faces: tuple[int, ...]) -> Outcome:
    """Add a die to the character's own roll after it was made. The die counts for criticals (section 23.2, ruling
    10)."""
    made = own_roll(at, roll, aspect)
    rolled = made[-1].rolled
    (face,) = thrown(at.chance, 1, SIDES, faces)
    because = (*rolled.dice_because, ("Resolve", 1))
    after = judged(
        again(at.bundle, at.build, rolled), replace(rolled, faces=(*rolled.faces, face), dice_because=because)
    )
    after = replace(after, by_hand=rolled.by_hand or bool(faces))
    words = "in secret" if rolled.secret else f"{face}, {after.total} in all{verdict(at.bundle, at.build, after)}"
    return helped(at, made, aspect, after, f"{name_of(at.build)} adds a die to {rolled.name}: {words}.")


def nudge(at: At, *, roll: int, up: bool, aspect: str) -> Outcome:
    """Change a total by 2, up or down. This never makes or unmakes a critical (ruling 104)."""
    made = own_roll(at, roll, aspect)
    rolled = made[-1].rolled
    step = ("Nudge", nudged(0, 1 if up else -1))
    after = judged(again(at.bundle, at.build, rolled), replace(rolled, modifiers=(*rolled.modifiers, step)))
    words = ", in secret" if rolled.secret else f" to {after.total}{verdict(at.bundle, at.build, after)}"
    return helped(at, made, aspect, after, f"{name_of(at.build)} nudges {rolled.name}{words}.", passed=False)


def own_roll(at: At, number: int, aspect: str) -> list[LoggedRoll]:
    """A roll that a point may change, with what was added to it. Raises NotAllowed if it may not, or if there is no
    point to spend."""
    made = roll_in_log(at, number, aspect)
    rolled = made[-1].rolled
    if rolled.kind != DEATH:  # the dead may still change the roll that killed them
        living(at.build)
    if rolled.kind not in OWN_ROLLS:
        raise NotAllowed("Resolve changes checks, attacks and saving throws, not damage or healing.")
    paid(at.sheet)
    if not rolled.faces:
        raise NotAllowed("No dice were rolled: another die or a nudge does not help.")
    return made


def roll_in_log(at: At, number: int, aspect: str = "") -> list[LoggedRoll]:
    """The roll with this number and what was added to it. An aspect can be invoked once per roll (section 23.2)."""
    made = at.log.roll(number)
    if not made:
        raise NotAllowed(NO_ROLL, "roll")
    if aspect:
        at.words_of(aspect)
        if any(entry.aspect == aspect for entry in made):
            raise NotAllowed("You have used that aspect on this roll already.", "aspect")
    return made


def helped(
    at: At, made: list[LoggedRoll], aspect: str, after: Rolled, sentence: str, *, passed: bool = True
) -> Outcome:
    """The outcome of spending a point on a roll, which becomes `after`."""
    outcome = Outcome(sentence, paid(at.sheet), rolls=(after,), aspect=aspect)
    return with_save(at, made, outcome, passed=passed)


def with_save(at: At, made: list[LoggedRoll], outcome: Outcome, *, passed: bool) -> Outcome:
    """The outcome as an addition to an earlier roll. If that is a death save, the body changes, too."""
    if made[0].rolled.kind == DEATH:
        outcome = save_changed(at, made, outcome, passed=passed)
    return replace(outcome, follows=made[0].number)


def turn_critical(at: At, *, roll: int) -> Outcome:
    """Make a hit critical for two points, if the table plays by that rule (section 23.2)."""
    made = roll_in_log(at, roll)
    spends, rolled = two_points(at), made[-1].rolled
    if rolled.kind != "attack" or rolled.success is False:
        raise NotAllowed("Only a hit can become critical.")
    if rolled.critical:
        raise NotAllowed("It is critical already.")
    after = replace(rolled, critical=True)
    words = "spends 2 Resolve on {}, in secret" if rolled.secret else "turns {} into a critical hit"
    sentence = f"{name_of(at.build)} {words.format(rolled.name)}."
    return Outcome(sentence, spends, rolls=(after,), follows=made[0].number)


def detail(at: At, *, roll: int, aspect: str, detail: str) -> Outcome:
    """Declare a detail of the scene by the aspect that was invoked for a roll."""
    made = roll_in_log(at, roll, aspect)
    outcome = declared(at, at.words_of(aspect), detail)
    return replace(outcome, rolls=(made[-1].rolled,), follows=made[0].number, aspect=aspect)


ON_A_ROLL: Mapping[str, Field] = {"roll": RowNumber(NO_ROLL), "aspect": ASPECT}
ACTIONS = (
    TableAction("extra_die", extra_die, RESOLVES, "tray", {**ON_A_ROLL, "faces": FACES}, form="spend-on", by=("roll",)),
    TableAction(
        "nudge", nudge, RESOLVES, "tray", {**ON_A_ROLL, "up": Tick(otherwise=True)}, form="spend-on", by=("roll",)
    ),
    TableAction(
        "turn_critical", turn_critical, RESOLVES, "tray", {"roll": RowNumber(NO_ROLL)}, form="spend-on", by=("roll",)
    ),
    TableAction("detail", detail, RESOLVES, "tray", {**ON_A_ROLL, "detail": WORDS}, by=("roll",)),
)
