"""Attacks between two sheets, ranges, cover, sizes and movement (sections 10, 21, 24 and 27)."""

from collections.abc import Sequence

from .dice import dice_of, is_critical

SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan", "colossal")
SPACES = (0, 5, 5, 10, 15, 20, 30)  # feet across; tiny takes less than a square
MILES_PER_HOUR = {"slow": 1.75, "normal": 3.5, "fast": 5.0}
FEET_IN_TEN_MINUTES = {"slow": 1540, "normal": 3080, "fast": 4400}  # a sixth of an hour (ruling 86)


def attack_dice(attacker: Sequence[str], target: Sequence[str], *, proficient: bool = True, resolve: int = 0) -> int:
    """The pool of an attack from what helps or hinders both sides: words `advantage` and `disadvantage`, each of which
    counts once and cancels the other wherever it comes from (section 2.2)."""
    words = [*attacker, *target]
    return dice_of(
        proficient=proficient,
        advantage=words.count("advantage"),
        disadvantage=words.count("disadvantage"),
        resolve=resolve,
    )


def hits(faces: Sequence[int], modifier: int, defense: int, *, on: int = 6, from_pool: int = 3) -> tuple[bool, bool]:
    """Whether an attack hits and whether it is critical; a critical always hits (ruling 5)."""
    critical = is_critical(faces, on=on, from_pool=from_pool)
    return critical or sum(faces) + modifier >= defense, critical


def in_range(feet: int, reach: tuple[int, int]) -> str:
    """`normal`, `disadvantage` beyond the normal range, or `impossible` beyond the long one (section 27.6)."""
    normal, long = reach
    if feet <= normal:
        return "normal"
    return "disadvantage" if feet <= long else "impossible"


def may_pass(mover: str, other: str) -> bool:
    """Whether one may move through a hostile creature's space: two sizes apart or more (section 27.9)."""
    return abs(SIZES.index(mover) - SIZES.index(other)) >= 2


def squares(size: str) -> int:
    """Squares of 5 ft across that a creature fills on a grid, at least 1 (section 10)."""
    return max(1, SPACES[SIZES.index(size)] // 5)


def squeezes_into(size: str) -> str:
    """The size whose gaps a squeezing creature fits (section 27.10)."""
    return SIZES[max(0, SIZES.index(size) - 1)]


def moves(speed: int, *, dashes: int = 0, hindered: bool = False) -> int:
    """Feet covered in a turn: each Dash adds the speed once more (ruling 100), hindered halves it once (ruling 74)."""
    feet = speed * (1 + dashes)
    return feet // 2 if hindered else feet


def after_standing(speed: int, left: int) -> int | None:
    """Movement left after standing up, which costs half the speed; None when there is not enough (section 27.11)."""
    cost = speed // 2
    return left - cost if speed and left >= cost else None


def zones_crossed(speed: int) -> int:
    """Zones a creature may cross in a turn (ruling 77)."""
    return max(0, speed // 25 - 1)


def travel(pace: str, hours: float, *, speed: int = 30, hindered: bool = False) -> float:
    """Miles travelled on foot at a pace, scaled by speed over 30 and halved when hindered (section 21.5, ruling 86)."""
    return MILES_PER_HOUR[pace] * hours * speed / 30 / (2 if hindered else 1)


def recovered(shot: int, *, bullets: bool = False) -> int:
    """Pieces of ammunition found again after a fight: half, rounded down; no firearm bullets (ruling 63)."""
    return 0 if bullets else shot // 2


def finds(search: int, stealth: int) -> bool:
    """Whether a search finds the hidden: equal is enough (section 22)."""
    return search >= stealth


def surprised(stealth: int, passive_awareness: int) -> bool:
    """Whether a creature misses the threat: its passive total is below the hider's check (ruling 72)."""
    return passive_awareness < stealth


def two_spells(first_cantrip: bool, second_cantrip: bool, *, same_timing: bool = False) -> bool:
    """Whether two spells fit one turn: an action and a bonus action, one of them a cantrip (section 22)."""
    return not same_timing and (first_cantrip or second_cantrip)


def initiative_order(actors: Sequence[tuple[str, int, int]]) -> list[str]:
    """Names by initiative, higher Agility rank first on a tie (ruling 71). actors: (name, total, Agility rank)."""
    return [name for name, _, _ in sorted(actors, key=lambda actor: (-actor[1], -actor[2]))]
