"""The time between two session marks in numbers: for each character that the reader plays or runs, and in sum.

Nothing here depends on one game: the game tells the level, and the numbers are the resources of its content, by name.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from campaigns.models import SessionMark
from campaigns.party_log import PartyLog
from characters.change import fact_address
from characters.models import Character, not_undone
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.games.contract import Levels

EXPERIENCE = ("field:xp", "field:milestone")


@dataclass
class Moves:
    """The total that each number went down, and up, by its name. Changes that were undone do not count."""

    down: Counter[str] = field(default_factory=Counter)
    up: Counter[str] = field(default_factory=Counter)
    rolls: int = 0
    criticals: int = 0

    @property
    def lines(self) -> list[tuple[str, int, int]]:
        return [(name, self.down[name], self.up[name]) for name in sorted({*self.down, *self.up})]

    def add(self, other: "Moves") -> None:
        self.down += other.down
        self.up += other.up
        self.rolls += other.rolls
        self.criticals += other.criticals


@dataclass(frozen=True)
class CharacterSummary:
    """One character between two marks. before, after: its levels, if the level or the
    experience has moved."""

    character: Character
    name: str
    levels: Levels
    moves: Moves
    xp: int
    before: int
    after: int

    @property
    def anything(self) -> bool:
        return bool(self.moves.lines or self.moves.rolls or self.xp or self.before != self.after)


@dataclass(frozen=True)
class SessionSummary:
    lines: list[CharacterSummary]

    @cached_property
    def together(self) -> Moves:
        found = Moves()
        for line in self.lines:
            found.add(line.moves)
        return found

    @property
    def xp(self) -> int:
        return sum(line.xp for line in self.lines)


def summary_of(log: PartyLog, mark: SessionMark) -> SessionSummary:
    """From this mark to the next, or until now. Thirty characters take no more queries than three."""
    versions = versions_of(log.characters.values())
    moves = _moves(log, mark, versions)
    gained = _experience(log, mark, versions)
    return SessionSummary(
        [
            CharacterSummary(one, log.names[pk], versions[pk].bundle.game.levels, moves[pk], *gained[pk])
            for pk, one in log.characters.items()
        ]
    )


def _moves(log: PartyLog, mark: SessionMark, versions: dict[int, Version]) -> dict[int, Moves]:
    found: dict[int, Moves] = defaultdict(Moves)
    changes = log.during(mark).filter(not_undone(), inverts=None)
    for character, before, after in changes.values_list("character", "before", "after"):
        resources = versions[character].sheet.resources
        for address, value in after.items():
            line = resources.get(fact_address.name(address)) if fact_address.namespace(address) == "spent" else None
            if line is not None and line.style != "turn":  # they are used and come back every turn
                moved = value - before[address]
                down = -moved if line.counts_up else moved
                (found[character].down if down > 0 else found[character].up)[line.name] += abs(down)
    for character, criticals in _rolls(log, mark).items():
        found[character].rolls, found[character].criticals = len(criticals), sum(criticals)
    return found


def _rolls(log: PartyLog, mark: SessionMark) -> dict[int, list[bool]]:
    """For each character, one bool per roll: whether it ended as a critical. Only the newest row of a roll tells."""
    during = log.during(mark).filter(not_undone()).values("pk")
    rows = log.rolls().filter(not_undone("change"), change__in=during).order_by("pk")
    found: dict[int, dict[int, bool]] = defaultdict(dict)
    for character, pk, follows, critical in rows.values_list("character", "pk", "follows", "critical"):
        found[character][follows or pk] = critical
    return {character: list(rolls.values()) for character, rolls in found.items()}


def _experience(log: PartyLog, mark: SessionMark, versions: dict[int, Version]) -> dict[int, tuple[int, int, int]]:
    """For each character, the experience gained, the level before and the level after."""
    was: dict[int, dict[str, Any]] = defaultdict(dict)
    now: dict[int, dict[str, Any]] = defaultdict(dict)
    changes = log.during(mark).filter(after__has_any_keys=EXPERIENCE).order_by("sequence")
    for character, before, after in changes.values_list("character", "before", "after"):
        for address in EXPERIENCE:
            if address in after:
                was[character].setdefault(fact_address.name(address), before[address])
                now[character][fact_address.name(address)] = after[address]
    return {pk: _gained(version, was[pk], now[pk]) for pk, version in versions.items()}


def _gained(version: Version, was: dict[str, Any], now: dict[str, Any]) -> tuple[int, int, int]:
    game, build = version.bundle.game, version.build
    first, last = replace(build, **was), replace(build, **now)
    before, after = (game.levels.level_of(version.bundle, one) for one in (first, last))
    return (now.get("xp") or 0) - (was.get("xp") or 0), before, after
