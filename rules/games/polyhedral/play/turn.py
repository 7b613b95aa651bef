"""A turn at the table: its parts, movement, surprise and falls (sections 21, 22 and 27, rulings 72, 74, 92 and 100).

Resources of the content count the used parts, and the event `turn` brings them back. A used part forbids nothing: a
second action is only mentioned in the sentence, because the table knows better. Conditions and distances do forbid.
"""

from dataclasses import replace
from typing import Any

from rules.engine.build import Build
from rules.engine.phrases import number
from rules.engine.sheet import ActionLine, ResourceLine, Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, listed, name_of
from rules.games.table_action import FACES, MOST, At, HistoryKind, Number, TableAction, Text, Tick, Word

from ..dice import SIDES
from ..health import fall
from .body import COUNTERS, FALLEN, PARTS, PRONE, SURPRISED, because, conscious, needs_turn, takes
from .ends import held_as, lasts
from .features import action_of, used
from .harm import hit
from .how import HOW, asked_how
from .pool import RollOptions, thrown
from .rests import next_round

MOVEMENT, DASHES, EXTRA_ACTIONS, SPELLS = "movement", "dashes", "extra-actions", "spells-cast"
SPEED, COST, EITHER = "speed", "movement.cost", "turn.either"
KIND = HistoryKind("turns", "Turns")
FEET = "Say how many feet."
HINDERED = 2  # feet of speed per foot (ruling 74)
STAND_UP = "stand-up"
# The counters that an action changes besides the part of the turn it takes.
COUNTS = {"dash": DASHES, "action-surge": EXTRA_ACTIONS}


def use(at: At, *, action: str, whom: str, ability: str, aspect: str, **how: Any) -> Outcome:
    """Use an action of the sheet. Real dice are the only field of the tray that it takes.

    whom: the target, in the player's own words.
    """
    asked = asked_how(**how)
    if ability or aspect or replace(asked, faces=()) != RollOptions():
        raise NotAllowed("For this you can only enter your own dice.")
    return acted(at, action, asked.faces, whom)


def acted(at: At, slug: str, faces: tuple[int, ...], whom: str) -> Outcome:
    """The outcome of `used`, with its effect on the turn."""
    sheet = at.sheet
    if slug == STAND_UP:
        return stood_up(at.build, sheet)
    outcome = used(at, slug, faces, whom)
    line = action_of(sheet, slug)
    also = {COUNTS[slug]: 1} if slug in COUNTS else {}
    spends = {**outcome.spends, **takes(sheet, line.action.timing), **also}
    sentence = f"{outcome.sentence}{words_of(sheet, line)}{beyond(sheet, line.action.timing)}"
    return replace(outcome, sentence=sentence, spends=spends)


def words_of(sheet: Sheet, line: ActionLine) -> str:
    """A further sentence on the result of actions that change movement."""
    match line.action.slug:
        case "dash":
            now = speed_left(sheet) + sheet.value(SPEED)
            return f" Now {now} ft of movement left."
        case "disengage":
            return " No opportunity attacks this turn."
        case _:
            return ""


def beyond(sheet: Sheet, part: str) -> str:
    """A warning, as a further sentence, if the part of the turn is used up already, or if a condition allows only one
    of action and bonus action and the other is used (section 30)."""
    line = sheet.resources.get(part)
    if line is None or part not in PARTS:
        return ""
    if not line.left:
        return f" The {line.name.lower()} of this turn was used already."
    other = sheet.resources.get({"action": "bonus-action", "bonus-action": "action"}.get(part, ""))
    if sheet.value(EITHER) and other is not None and other.spent:
        return f" The {other.name.lower()} was used already: only one of the two while {because(sheet, EITHER)}."
    return ""


def by_attack(sheet: Sheet) -> dict[str, int]:
    """The part that the first attack of a turn uses up: the action, if it is left. Later attacks may be part of the
    same action, or a bonus action or reaction, so they are counted by hand."""
    line = sheet.resources.get("action")
    return takes(sheet, "action") if line is not None and not line.spent else {}


def by_spell(sheet: Sheet, timing: str, *, cantrip: bool) -> tuple[dict[str, int], str]:
    """The parts that casting uses, and a warning if the turn does not have them. Two spells in a turn need an action
    and a bonus action, and one of them must be a cantrip (section 22)."""
    line = sheet.resources.get(SPELLS)
    counts = line is not None and not cantrip and timing in ("action", "bonus-action")
    spends = {**takes(sheet, timing), **({SPELLS: 1} if counts else {})}
    two = " That is a second spell in one turn, and neither is a cantrip." if counts and line and line.spent else ""
    return spends, f"{two}{beyond(sheet, timing)}"


def fresh(sheet: Sheet) -> dict[str, int]:
    """All used parts of the turn, as amounts to regain: when a fight begins, nothing is used yet."""
    return {slug: -line.spent for slug, line in sheet.resources.items() if line.style == "turn" and line.spent}


def speed_left(sheet: Sheet) -> int:
    """Feet of speed left in this turn."""
    line = sheet.resources.get(MOVEMENT)
    return line.left if line else 0


def move(at: At, *, feet: int | None, far: int | None, hindered: bool) -> Outcome:
    """Move some feet in this turn. Each costs 1 foot of speed, or 2 if anything hinders, however much (ruling 74).

    far: a distance from a button, in place of a typed one. hindered: for this move only, as through someone's space
    (section 27.9).
    """
    feet = feet if far is None else far
    if feet is None:
        raise NotAllowed(FEET, "feet")
    cost = feet * max(at.sheet.value(COST), HINDERED if hindered else 1)
    pays(at.sheet, cost, f"{feet:,} ft", "feet")
    price = f" for {cost:,} ft of speed" if cost != feet else ""
    sentence = f"{name_of(at.build)} moves {feet:,} ft{price}: {speed_left(at.sheet) - cost:,} ft left."
    return Outcome(sentence, {MOVEMENT: cost})


def pays(sheet: Sheet, cost: int, what: str, field: str) -> None:
    """Raise NotAllowed if a condition stops all movement, or if less speed is left than the move takes."""
    needs_turn(sheet, MOVEMENT, field)
    if not sheet.value(SPEED):
        by = listed([step.source.lower() for step in sheet.values[SPEED].because if step.applied and step.op == "set"])
        raise NotAllowed(f"Speed is 0{f' while {by}' if by else ''}.", field)
    if cost > speed_left(sheet):
        has = f"you have {speed_left(sheet):,} ft left this turn"
        raise NotAllowed(f"{what} would take {cost:,} ft of speed, and {has}. A Dash gives you more.", field)


def stood_up(build: Build, sheet: Sheet) -> Outcome:
    """Stand up from prone for half the speed, if that much is left (section 27.11)."""
    prone = held_as(build, PRONE)
    if not prone:
        raise NotAllowed(f"{name_of(build)} is not prone.", "action")
    cost = sheet.value(SPEED) // 2
    pays(sheet, cost, "Standing up", "action")
    return Outcome(f"{name_of(build)} stands up: {speed_left(sheet) - cost} ft left.", {MOVEMENT: cost}, ends=prone)


def notice(at: At, *, stealth: int) -> Outcome:
    """Compare a hiding threat with passive Awareness: an equal total notices it, and noticing one threat is enough.

    A character that misses it is surprised until its first turn is over (ruling 72).
    """
    conscious(at.build)
    name, passive = name_of(at.build), at.sheet.rolls["skill.awareness"].passive
    stands = held_as(at.build, SURPRISED)
    compared = f"passive Awareness {number(passive)} against Stealth {stealth}"
    if passive >= stealth:
        return Outcome(f"{name} notices the threat: {compared}.", ends=stands)
    begins = () if stands else (lasts(at.bundle, SURPRISED, "", 0),)
    return Outcome(f"{name} is surprised: {compared}.", begins=begins)


def plunge(at: At, *, feet: int, faces: tuple[int, ...]) -> Outcome:
    """Fall: one die of bludgeoning damage for each 10 ft, and prone (ruling 92)."""
    dice = fall(feet)
    if not dice:
        raise NotAllowed("A fall of less than 10 ft does no damage.", "feet")
    shown = thrown(at.chance, dice, SIDES, faces)
    outcome = hit(at, [(sum(shown), "bludgeoning")])
    rolled = Rolled("damage", "fall", "Fall", shown, sum(shown), by_hand=bool(faces))
    lies = any(held.ref == PRONE for held in (*at.build.conditions, *outcome.begins))
    begins = outcome.begins if lies else (*outcome.begins, replace(FALLEN, source="a fall"))
    sentence = f"{name_of(at.build)} falls {feet:,} ft. {outcome.sentence}"
    return replace(outcome, sentence=sentence, begins=begins, rolls=(rolled,))


def by_hand(build: Build, line: ResourceLine, spent: int) -> str:
    """The sentence for a part of a turn that was set by hand: the amount used now."""
    if line.slug == MOVEMENT:
        return f"{name_of(build)}: {max(0, line.max - spent)} ft of movement left."
    word = "uses" if spent > line.spent else "gets back"
    return f"{name_of(build)} {word} the {line.name.lower()}."


ACTIONS = (
    TableAction("next_round", next_round, KIND, "turn", key=("n", "next turn")),
    TableAction(
        "use",
        use,
        COUNTERS,
        "vitals",
        {"action": Word(80), "whom": Text(120), "ability": Word(60), **HOW},
        by=("action",),
    ),
    TableAction("move", move, KIND, "turn", {"feet": Number(1, MOST), "far": Number(1, MOST), "hindered": Tick()}),
    TableAction("notice", notice, KIND, "turn", {"stealth": Number(0, MOST, empty="Say what they rolled.")}),
    TableAction("fall", plunge, KIND, "turn", {"feet": Number(1, MOST, empty=FEET), "faces": FACES}),
)
