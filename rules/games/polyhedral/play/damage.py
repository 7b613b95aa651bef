"""The damage of a hit: its dice before they are rolled, and the result (section 20.2, rulings 4 and 37)."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Attack
from rules.games.dice_text import MOST_DICE
from rules.games.house_rules import setting
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import At

from ..health import damage_dice, damage_of
from .body import living
from .pool import RollOptions, check_options, thrown

NOT_OF_DAMAGE = ("advantage", "disadvantage", "unskilled", "resolve", "target", "opponent", "opponent_critical")


@dataclass(frozen=True, slots=True)
class HitDamage:
    """The damage of a hit, about to be rolled. how: the effect of a critical on it; "" for a plain hit."""

    attack: Attack
    how: str
    die: int
    dice: int
    dice_because: tuple[tuple[str, int], ...]
    modifier: int
    modifiers: tuple[tuple[str, int], ...]
    kind: str = "damage"

    def of(self, faces: tuple[int, ...]) -> int:
        """The damage of these faces."""
        total = damage_of(faces, self.modifier, self.attack.minimum)
        return total * 2 if self.how == "doubleTotal" else total

    @property
    def name(self) -> str:
        return f"{self.attack.name}, {'critical damage' if self.how else 'damage'}"

    @property
    def least(self) -> int:
        return self.of((self.die if self.how == "maxDice" else 1,) * self.dice)

    @property
    def most(self) -> int:
        return self.of((self.die,) * self.dice)

    @property
    def mean(self) -> Fraction:
        """The exact average over all sums of the dice."""
        if self.how == "maxDice":
            return Fraction(self.most)
        ways = Counter({0: 1})
        for _ in range(self.dice):
            grown: Counter[int] = Counter()
            for total, number in ways.items():
                for face in range(1, self.die + 1):
                    grown[total + face] += number
            ways = grown
        return Fraction(sum(self.of((total,)) * number for total, number in ways.items()), self.die**self.dice)


def damage_ready(bundle: Bundle, build: Build, attack: Attack, asked: RollOptions) -> HitDamage:
    """The dice of a hit. A critical doubles them, counts them at their highest, or doubles the total (ruling 4)."""
    check_options(asked)
    if any(getattr(asked, name) for name in NOT_OF_DAMAGE) or asked.target is not None or asked.opponent is not None:
        raise NotAllowed("A damage roll uses no advantage, proficiency, Resolve or target.")
    how = setting(bundle, build, "criticalDamage") if asked.critical else ""
    rows = [step for step in attack.because if step.applied and step.amount]
    because = dice_by_row(attack)
    if how == "doubleDice":
        because.append(("Critical", damage_dice(attack.damage_dice, critical=True) - attack.damage_dice))
    if asked.dice:
        because.append(("Other dice", asked.dice))
    dice = sum(number for _, number in because)
    if not 0 <= dice <= MOST_DICE:
        raise NotAllowed(f"From 0 to {MOST_DICE} dice.", "dice")
    added = [(step.source, step.amount) for step in rows if step.part == "damage"]
    rest = attack.damage_modifier - sum(number for _, number in added)
    added += [(attack.name, rest)] if rest else []
    added += [("At the table", asked.bonus)] if asked.bonus else []
    named = tuple((name, number) for name, number in because if number)
    return HitDamage(
        attack, how, attack.damage_die or 6, dice, named, attack.damage_modifier + asked.bonus, tuple(added)
    )


def dice_by_row(attack: Attack) -> list[tuple[str, int]]:
    """The weapon's own dice, and the number of dice added by each row that multiplies them."""
    times = [s for s in attack.because if s.applied and s.op == "damage_dice" and s.amount]
    dice = attack.damage_dice // prod(step.amount for step in times)
    because = [(attack.name, dice)]
    for step in times:
        because.append((step.source, dice * (step.amount - 1)))
        dice *= step.amount
    return because


def damaged(at: At, attack: Attack, asked: RollOptions) -> Outcome:
    """Roll the damage of a hit."""
    bundle, build = at.bundle, at.build
    living(build)
    made = damage_ready(bundle, build, attack, asked)
    faces = thrown(at.chance, made.dice, made.die, asked.faces)
    if made.how == "maxDice":
        faces = (made.die,) * made.dice
    total = made.of(faces)
    doubled = (("Critical", total // 2),) if made.how == "doubleTotal" else ()
    rolled = Rolled(
        "damage", f"damage.{attack.item}.{attack.grip}", attack.name, faces, total, die=made.die,
        modifiers=made.modifiers + doubled, dice_because=made.dice_because, critical=bool(made.how),
        by_hand=bool(asked.faces) and made.how != "maxDice", secret=asked.secret,
    )  # fmt: skip
    known = bundle.elements.get(f"damage-type:{attack.type}")
    kind = known.name.lower() if known else attack.type  # a spell may name a kind of damage of its own
    word = "in secret" if asked.secret else f"{total} {kind}".rstrip()
    return Outcome(f"{name_of(build)} rolls damage with {attack.name}: {word}.", rolls=(rolled,))
