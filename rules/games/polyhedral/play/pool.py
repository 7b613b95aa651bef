"""Rolling at the table: the pool with its options, the chance before the roll, the dice, and the result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Roll, Step
from rules.games.dice_text import MOST_DICE
from rules.games.house_rules import setting, switched_on
from rules.games.outcome import NotAllowed, Rolled, counted, listed

from ..dice import SIDES, is_critical, ladder, opposed
from ..rolls import stands

type Wins = Callable[[int, bool, bool], bool]  # of a total, whether it is critical, and whether it has two ones

# Kinds of roll that may be fumbles under a house rule.
MAY_FUMBLE = {"check", "save", "attack"}
MOST = 1_000
# Names of the dice that come from no feature.
SAID = {"base": "Every roll", "unskilled": "Not proficient"}


@dataclass(frozen=True, slots=True)
class RollOptions:
    """The options of a roll, as set at the table.

    advantage, disadvantage: any besides the sheet's own. dice, bonus: other dice and numbers, up or down. resolve: dice
    bought with points. unskilled: the storyteller allows no proficiency. target: a number to reach. opponent: a total
    to beat. faces: of real dice, typed in. critical: a hit is critical whatever the dice show, as on someone
    unconscious close by.
    """

    advantage: bool = False
    disadvantage: bool = False
    dice: int = 0
    bonus: int = 0
    resolve: int = 0
    unskilled: bool = False
    target: int | None = None
    opponent: int | None = None
    opponent_critical: bool = False
    faces: tuple[int, ...] = ()
    secret: bool = False
    critical: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """A roll about to be made: the pool, and the modifiers."""

    kind: str
    roll: Roll
    asked: RollOptions
    dice: int
    modifier: int
    dice_because: tuple[tuple[str, int], ...]
    modifiers: tuple[tuple[str, int], ...]
    wins: Wins | None
    counts_on: int  # two dice at or over this face are a critical that succeeds by itself

    @property
    def name(self) -> str:
        return self.roll.name

    @property
    def chance(self) -> Fraction | None:
        """The exact chance of success, 0 to 1; None without a number to reach."""
        return chance(self, self.dice)

    @property
    def with_resolve(self) -> Fraction | None:
        """The same with one more die."""
        return chance(self, min(self.dice + 1, MOST_DICE))


def ready(bundle: Bundle, build: Build, roll: Roll, asked: RollOptions, kind: str) -> Ready:
    """The roll as it would be made: the pool of section 2.2, from the sheet and the table's options. kind: check, save,
    attack, death."""
    check_options(asked)
    if asked.critical and kind != "attack":
        raise NotAllowed("Only attacks and damage can be set to critical.", "critical")
    because, added = dice_because(roll, asked), modifiers_of(roll, asked)
    dice, modifier = sum(number for _, number in because), sum(number for _, number in added)
    if dice > MOST_DICE:
        raise NotAllowed(f"At most {MOST_DICE} dice.", "dice")
    wins, counts_on = success(bundle, build, asked, kind, roll.criticals_on)
    return Ready(kind, roll, asked, dice, modifier, tuple(because), tuple(added), wins, counts_on)


def dice_because(roll: Roll, asked: RollOptions) -> list[tuple[str, int]]:
    """Each reason for the number of dice, with the number that it adds or takes. They add up to at least one before the
    dice that Resolve buys."""
    steps = [step for step in roll.because if step.part == "dice" and step.op != "minimum"]
    sides = {side: [called(s) for s in steps if s.op == side and stands(s)] for side in ("advantage", "disadvantage")}
    because = [(SAID.get(s.op, s.source), s.amount) for s in steps if s.applied and s.op not in sides]
    if asked.unskilled and roll.proficient:
        because.append(("Not proficient", -1))
    up = [*sides["advantage"], *["at the table"] * asked.advantage]
    down = [*sides["disadvantage"], *["at the table"] * asked.disadvantage]
    if bool(up) != bool(down):
        side, number = ("Advantage", 1) if up else ("Disadvantage", -1)
        because.append((f"{side} ({listed([*dict.fromkeys(up or down)])})", number))
    elif up:
        because.append((f"Advantage ({listed([*dict.fromkeys(up)])}) against {listed([*dict.fromkeys(down)])}", 0))
    if asked.dice:
        because.append(("Other dice", asked.dice))
    raw = sum(number for _, number in because)
    if raw < 1:
        because.append(("Never fewer than one die", 1 - raw))
    if asked.resolve:
        because.append(("Resolve", asked.resolve))
    return because


def modifiers_of(roll: Roll, asked: RollOptions) -> list[tuple[str, int]]:
    """Each modifier of the roll: its source and its amount."""
    steps = [s for s in roll.because if s.part == "modifier" and s.applied and s.amount]
    added = [(s.source, s.amount) for s in steps if not (asked.unskilled and s.op == "training")]
    if asked.bonus:
        added.append(("At the table", asked.bonus))
    return added


def called(step: Step) -> str:
    """The name of a row's source; for a property, the name of the thing that has it."""
    return step.path[-1] if step.ref.startswith("property:") and step.path else step.source


def check_options(asked: RollOptions) -> None:
    for name, number in (("dice", asked.dice), ("bonus", asked.bonus), ("target", asked.target or 0)):
        if abs(number) > MOST:
            raise NotAllowed("That number is too large.", name)
    if not 0 <= asked.resolve <= MOST_DICE:
        raise NotAllowed("You cannot buy that many dice.", "resolve")
    if asked.target is not None and asked.opponent is not None:
        raise NotAllowed("Roll against a number or against an opponent, not both.", "opponent")


def of_criticals(bundle: Bundle, build: Build, kind: str) -> tuple[str, bool]:
    """The house rule for criticals on this kind of roll, and whether a critical succeeds whatever its total (rulings 3
    and 5)."""
    word = setting(bundle, build, "criticalAutoHit" if kind == "attack" else "criticalChecks")
    return word, word in ("all", "sixesOnly", "autoSucceed") and kind != "death"


def success(bundle: Bundle, build: Build, asked: RollOptions, kind: str, on: int) -> tuple[Wins | None, int]:
    """A function that says whether the dice succeed, and the face that criticals count from (rulings 3 and 5). Two ones
    fail a death save whatever the total, and a critical passes it (ruling 81)."""
    word, helps = of_criticals(bundle, build, kind)
    face = SIDES if word == "sixesOnly" else on
    target, opponent = asked.target, asked.opponent
    if kind == "death":
        difficulty = int(setting(bundle, build, "deathSaveDifficulty"))
        return (lambda total, critical, ones: critical or (total >= difficulty and not ones)), face
    if opponent is not None:
        theirs = asked.opponent_critical and helps
        return (
            lambda total, critical, _: (
                opposed(total, opponent, my_critical=critical and helps, their_critical=theirs) > 0
            )
        ), face
    if target is not None:
        return (lambda total, critical, _: (critical and helps) or total >= target), face
    return None, face


def chance(made: Ready, dice: int) -> Fraction | None:
    """The exact chance, 0 to 1, that `dice` dice succeed. None without a number to reach."""
    if made.roll.certain:
        return Fraction(made.roll.certain == "succeeds")
    if made.wins is None:
        return None
    counts = dice >= made.roll.criticals_from_pool
    ways = sum(
        number
        for (total, high, ones), number in high_and_ones(dice, made.counts_on).items()
        if made.wins(total + made.modifier, counts and high == 2, ones == 2)
    )
    return Fraction(ways, SIDES**dice)


@cache
def high_and_ones(dice: int, on: int) -> dict[tuple[int, int, int], int]:
    """The number of ways in which this many dice make each (sum, dice at or over `on`, ones), where 2 means two or
    more."""
    if not dice:
        return {(0, 0, 0): 1}
    grown: dict[tuple[int, int, int], int] = {}
    for (total, high, ones), number in high_and_ones(dice - 1, on).items():
        for face in range(1, SIDES + 1):
            key = (total + face, min(2, high + (face >= on)), min(2, ones + (face == 1)))
            grown[key] = grown.get(key, 0) + number
    return grown


def thrown(chance: Random, dice: int, die: int, faces: Sequence[int]) -> tuple[int, ...]:
    """The faces of real dice, checked, if there are any; otherwise random faces."""
    if not faces:
        return tuple(chance.randint(1, die) for _ in range(dice))
    if len(faces) != dice:
        raise NotAllowed(f"This takes {counted(dice, 'die', 'dice')}; you entered {len(faces)}.", "faces")
    if any(isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= die for face in faces):
        raise NotAllowed(f"Each die shows a number from 1 to {die}.", "faces")
    return tuple(faces)


def fell(made: Ready, chance: Random) -> Rolled:
    """Make the roll, with real dice if their faces are given. A roll that is certain to fail or succeed has no dice."""
    roll, asked = made.roll, made.asked
    faces = () if roll.certain else thrown(chance, made.dice, SIDES, asked.faces)
    target = asked.target if asked.opponent is None else asked.opponent
    rolled = Rolled(
        kind=made.kind,
        key=roll.key,
        name=roll.name,
        faces=faces,
        total=0,
        modifiers=made.modifiers,
        dice_because=made.dice_because,
        target=target,
        opposed=asked.opponent is not None,
        opponent_critical=asked.opponent_critical,
        criticals_on=roll.criticals_on,
        criticals_from_pool=roll.criticals_from_pool,
        by_hand=bool(asked.faces) and not roll.certain,
        secret=asked.secret,
        hit_is_critical=asked.critical,
    )
    if roll.certain == "fails":
        return replace(rolled, total=made.modifier, success=False)
    if roll.certain == "succeeds":
        return surely(made, rolled)
    return judged(made, rolled)


def surely(made: Ready, rolled: Rolled) -> Rolled:
    """The result of a roll that is certain to succeed: a total that is just enough. There are no dice that could be
    critical (ruling 5)."""
    enough = 0 if rolled.target is None else rolled.target + rolled.opposed
    by = tuple((step.source, 0) for step in made.roll.because if step.op == "succeeds" and step.applied)
    critical = made.asked.critical
    return replace(rolled, total=enough, modifiers=(), dice_because=by, critical=critical, success=True)


def two_ones(faces: Sequence[int]) -> bool:
    """True for two ones or more: a fumble on every death saving throw, and on other rolls by a house rule (ruling
    6)."""
    return list(faces).count(1) >= 2


def judged(made: Ready, rolled: Rolled) -> Rolled:
    """The roll with total, critical and success computed from its faces and modifiers."""
    won = success_with(made, rolled, rolled.faces)
    critical = critical_with(rolled, rolled.faces, rolled.criticals_on) or (made.asked.critical and won is not False)
    total = total_with(rolled, rolled.faces)
    return replace(rolled, total=total, critical=critical, success=True if rolled.turned_by else won)


def total_with(rolled: Rolled, faces: tuple[int, ...]) -> int:
    return sum(faces) + sum(number for _, number in rolled.modifiers)


def success_with(made: Ready, rolled: Rolled, faces: tuple[int, ...], more: int = 0) -> bool | None:
    """True if this roll succeeds with these faces and `more` added to the total; None without a target."""
    helps = critical_with(rolled, faces, made.counts_on)
    return made.wins(total_with(rolled, faces) + more, helps, two_ones(faces)) if made.wins else None


def critical_with(rolled: Rolled, faces: tuple[int, ...], on: int) -> bool:
    """True if this roll is critical with these faces: two of them are at or over `on`, or Resolve has made it critical.

    `on` may differ between a critical that helps to succeed (`Ready.counts_on`) and one that is only shown
    (`Rolled.criticals_on`; ruling 5).
    """
    return turned_critical(rolled) or is_critical(faces, on=on, from_pool=rolled.criticals_from_pool)


def turned_critical(rolled: Rolled) -> bool:
    """True if Resolve made the roll critical (section 23.2). Only `critical` is stored, so this is a critical that
    comes from neither the dice nor the options of the roll."""
    by_dice = is_critical(rolled.faces, on=rolled.criticals_on, from_pool=rolled.criticals_from_pool)
    return rolled.critical and not by_dice and not rolled.hit_is_critical


def again(bundle: Bundle, build: Build, rolled: Rolled) -> Ready:
    """A roll that was made already, as a Ready with only the facts that decide its success: target, opponent and
    criticals."""
    roll = Roll(
        rolled.key,
        rolled.name,
        dice=len(rolled.faces),
        criticals_on=rolled.criticals_on,
        criticals_from_pool=rolled.criticals_from_pool,
    )
    asked = RollOptions(
        target=None if rolled.opposed else rolled.target,
        opponent=rolled.target if rolled.opposed else None,
        opponent_critical=rolled.opponent_critical,
        critical=rolled.hit_is_critical,
    )
    wins, on = success(bundle, build, asked, rolled.kind, rolled.criticals_on)
    return Ready(rolled.kind, roll, asked, len(rolled.faces), 0, (), (), wins, on)


def is_tie(bundle: Bundle, build: Build, rolled: Rolled) -> bool:
    """True if an opposed roll is a tie, which changes nothing (section 2.9)."""
    equal = rolled.opposed and bool(rolled.faces) and rolled.total == rolled.target and rolled.success is False
    if not equal or rolled.kind == "death":
        return False
    critical = critical_with(rolled, rolled.faces, again(bundle, build, rolled).counts_on)
    _, criticals_help = of_criticals(bundle, build, rolled.kind)
    return critical == rolled.opponent_critical or not criticals_help


def is_fumble(bundle: Bundle, build: Build, rolled: Rolled) -> bool:
    """True if the roll is a fumble by the table's house rule (ruling 6)."""
    return rolled.kind in MAY_FUMBLE and two_ones(rolled.faces) and switched_on(bundle, build, "fumbles")


def how_far(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    """The result of a roll without a target, in words. For a check or save, the step that it reached on the ladder of
    difficulties (section 2.4), and by how much it missed the next. For an attack, the Defense that it hits. "" for any
    other roll, for a critical hit, and for initiative, which has no target."""
    if rolled.target is not None or not rolled.faces or rolled.key == "initiative":
        return ""
    if rolled.kind == "attack" and not rolled.critical:
        return f"Hits Defense {rolled.total} or less"
    if rolled.kind not in ("check", "save"):
        return ""
    steps = ladder(bundle)
    reached = [name for name, target in steps if target <= rolled.total]
    missed = [f"{name} missed by {target - rolled.total}" for name, target in steps if target > rolled.total]
    return "; ".join([f"{name} reached" for name in reached[-1:]] + missed[:1])


@dataclass(frozen=True, slots=True)
class Might:
    """The effect that one point of Resolve may have on a failed roll. die: the chance that one more die makes it
    succeed. nudge: True if adding 2 does.

    For a passed death save, die: the chance that one more die makes it critical. spoils: the chance that it makes it
    fail.
    """

    die: Fraction
    nudge: bool = False
    spoils: Fraction = Fraction(0)


def might_become(bundle: Bundle, build: Build, rolled: Rolled) -> Might | None:
    """The effect that one point of Resolve may have on a failed roll, or on a passed death save that a critical would
    improve; None for any other roll."""
    waking = rolled.kind == "death" and rolled.success is True and not rolled.critical
    if not (rolled.success is False or waking) or not rolled.faces or rolled.kind in ("damage", "heal"):
        return None
    made = again(bundle, build, rolled)
    with_die = [(*rolled.faces, face) for face in range(1, SIDES + 1)]
    won = [success_with(made, rolled, faces) for faces in with_die]
    if waking:
        good = sum(critical_with(rolled, faces, rolled.criticals_on) for faces in with_die)
        return Might(Fraction(good, SIDES), spoils=Fraction(won.count(False), SIDES)) if good else None
    nudge = bool(success_with(made, rolled, rolled.faces, more=2))
    return Might(Fraction(won.count(True), SIDES), nudge)
