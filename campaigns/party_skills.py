"""The best of a party at each skill, and the languages spoken at the table."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from campaigns.roster import RosterRow
from characters.read.number_format import of_roll
from rules.engine.sheet import Roll

LANGUAGES = "languages"


@dataclass(frozen=True)
class SkillBest:
    """One skill: the characters best at it, their roll, and the worst character if one is worse."""

    name: str
    best: tuple[str, ...]
    roll: str
    worst: str
    worst_roll: str


def best_at_skills(rows: Sequence[RosterRow]) -> list[SkillBest]:
    """The best at each skill by passive score, in the order of the sheet; empty for a party of one."""
    if len(rows) < 2:
        return []
    found: dict[str, list[tuple[str, Roll]]] = defaultdict(list)
    for row in rows:
        for roll in row.version.sheet.rolls.values():
            if roll.key.startswith(row.version.bundle.game.steps.SKILLS):
                found[roll.name].append((row.name, roll))
    return [_best(name, sorted(rolls, key=lambda one: -one[1].passive)) for name, rolls in found.items()]


def _best(name: str, rolls: list[tuple[str, Roll]]) -> SkillBest:
    (_, first), (last_name, last) = rolls[0], rolls[-1]
    best = tuple(who for who, roll in rolls if roll.passive == first.passive)
    differs = last.passive < first.passive
    return SkillBest(name, best, of_roll(first), last_name if differs else "", of_roll(last) if differs else "")


def languages_of(rows: Sequence[RosterRow]) -> list[tuple[str, tuple[str, ...]]]:
    """Each language spoken at the table, with the characters that speak it."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for known in row.version.sheet.proficiencies.get(LANGUAGES, ()):
            found[known.name].append(row.name)
    return [(name, tuple(who)) for name, who in sorted(found.items())]
