"""Features that change a roll after it was made. Their rows say which rolls, when, and how (section 8.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Action
from rules.engine.requirements import NOWHERE, RowContext, all_hold
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import DICE, FACES, At, RowNumber, TableAction, Word

from ..attacks import grip_tags
from ..dice import SIDES
from ..rolls import CONTEXTS, NAMED, SPELL
from ..spells import context_of_spell
from .ability_checks import WITH_ANY_ABILITY
from .body import barred, is_dead
from .features import action_of, price, spent
from .on_rolls import NO_ROLL, roll_in_log, with_save
from .points import A_ROUND, verdict
from .pool import again, judged, of_criticals, thrown
from .pool import chance as chance_of

# Actions that begin a turn, and those that take longer than one.
TURN_BEGINS: Sequence[str] = (*A_ROUND.actions, "extra_turn")
# Word in content -> the kinds of roll in the log that it means.
KINDS = {"check": ("check",), "save": ("save", "death"), "attack": ("attack",)}


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """A feature that may change this roll. changes: `reroll` or `succeed`. chance: that the roll then succeeds, 0 to 1;
    None without a number to reach."""

    action: str
    name: str
    changes: str
    chance: Fraction | None


def offers(bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled) -> tuple[OfferedChange, ...]:
    """Ways to change a roll that has failed, or that may have, because only the table knows the target."""
    changing = [line.action for line in sheet.actions if line.action.changes]
    return tuple(
        OfferedChange(action.slug, action.name, action.changes, chance_with(bundle, build, action, rolled))
        for action in changing
        if not why_not(bundle, build, sheet, action, rolled)
    )


def chance_with(bundle: Bundle, build: Build, action: Action, rolled: Rolled) -> Fraction | None:
    if action.changes == "succeed":
        return Fraction(1)
    made = again(bundle, build, rolled)
    return chance_of(replace(made, modifier=sum(number for _, number in rolled.modifiers)), len(rolled.faces))


def why_not(bundle: Bundle, build: Build, sheet: Sheet, action: Action, rolled: Rolled) -> str:
    """The reason why this action cannot change this roll, as a sentence; "" if it can."""
    if rolled.kind not in KINDS[action.of_roll]:
        return f"{action.name} does not work on this kind of roll."
    unknown = rolled.success is None and not (rolled.critical and of_criticals(bundle, build, rolled.kind)[1])
    if not (rolled.success is False or unknown):
        return "That roll has not failed."
    if action.changes == "reroll" and not rolled.faces:
        return "No dice were rolled, so there are none to roll again."
    if action.slug in rolled.again_by:
        return "The new roll stands."
    if not holds(bundle, sheet, action, rolled.key):
        return f"{action.name} counts {bundle.circumstances[action.when].unmet}."
    if spent(sheet, action):
        return f"{action.name} is spent."
    # A death save that killed may still be changed.
    if rolled.kind != "death" and is_dead(build):
        return "The dead cannot change rolls."
    return barred(sheet, action.timing)


def holds(bundle: Bundle, sheet: Sheet, action: Action, key: str) -> bool:
    """True if the action's circumstance holds for the roll with this key. One that the table decides always holds,
    because using the action is that decision."""
    when = bundle.circumstances.get(action.when)
    if when is None:
        return True
    facts = sheet.solver.found
    if when.detection == "toggle" and not facts.toggled(when.slug):
        return False
    return all_hold(when.tests, facts, context_of(bundle, sheet, key))


def context_of(bundle: Bundle, sheet: Sheet, key: str) -> RowContext:
    """The facts about the roll with this key that rows may test: the grip of an attack, the training of any other roll,
    and whether it is of a skill, knowledge or tool."""
    kind, _, rest = key.partition(".")
    slug, _, grip = rest.rpartition(".")
    element = bundle.elements.get(f"weapon:{slug}")
    if kind == "attack" and element and element.weapon:
        return RowContext(grip=grip_tags(element.weapon, grip))
    spell = next((one for one in sheet.solver.found.build.spells if one.key in (slug, rest)), None)
    if spell and kind in ("attack", "cast"):
        return context_of_spell(spell)
    if key == SPELL_ATTACK:
        return SPELL
    if kind in WITH_ANY_ABILITY:
        return NAMED[sheet.solver.found.skilled(f"{kind}:{rest}")]
    roll = sheet.rolls.get(key)
    return CONTEXTS[bool(roll.proficient)] if roll else NOWHERE


SPELL_ATTACK = "spell-attack"


def change_roll(at: At, *, roll: int, action: str, faces: tuple[int, ...]) -> Outcome:
    """Change a failed roll with a feature: reroll it, or make it succeed. Allowed until the next turn begins."""
    made = roll_in_log(at, roll)
    if at.log.happened_since(made[0].change, *TURN_BEGINS):
        raise NotAllowed("A turn has begun since that roll.", "roll")
    return with_save(at, made, roll_changed(at, action, made[-1].rolled, faces), passed=False)


def roll_changed(at: At, slug: str, rolled: Rolled, faces: tuple[int, ...] = ()) -> Outcome:
    """Use an action on a roll that it can change. A reroll has as many dice, bought ones included, and keeps what was
    added to the roll."""
    bundle, build, sheet = at.bundle, at.build, at.sheet
    action = action_of(sheet, slug).action
    if not action.changes:
        raise NotAllowed(f"{action.name} does not change rolls.", "action")
    if why := why_not(bundle, build, sheet, action, rolled):
        raise NotAllowed(why, "action")
    who, spends = name_of(build), price(sheet, action)
    if action.changes == "succeed":
        if faces:
            raise NotAllowed("No dice are rolled for this.", "faces")
        word = "a hit" if rolled.kind == "attack" else "a success"
        after = replace(rolled, success=True, turned_by=action.name)
        return Outcome(f"{who} turns {rolled.name} into {word} with {action.name}.", spends, rolls=(after,))
    fallen = thrown(at.chance, len(rolled.faces), SIDES, faces)
    because = (*rolled.dice_because, (f"rolled again with {action.name}", 0))
    rolled = replace(
        rolled,
        faces=fallen,
        critical=False,
        dice_because=because,
        again_by=(*rolled.again_by, action.slug),
        by_hand=bool(faces),
    )
    after = judged(again(bundle, build, rolled), rolled)
    words = "in secret" if rolled.secret else f"{after.total}{verdict(bundle, build, after)}"
    return Outcome(f"{who} rolls {rolled.name} again with {action.name}: {words}.", spends, rolls=(after,))


ACTIONS = (
    TableAction(
        "change_roll",
        change_roll,
        DICE,
        "tray",
        {"roll": RowNumber(NO_ROLL), "action": Word(80), "faces": FACES},
        by=("roll", "action"),
    ),
)
