"""The facts about a character that circumstances test, known once its active elements are gathered."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .build import Build, Decision
from .bundle import Bundle
from .content import Choice, Element, Ref
from .requirements import RowContext, applies
from .sheet import ChoiceLine

UNLIMITED = 1_000_000


@dataclass(slots=True)
class Node:
    """An active element. ranks: the level at which each rank was reached; None if its rank is the character level."""

    element: Element
    path: tuple[str, ...]
    level: int
    ranks: tuple[int, ...] | None
    job: Ref = ""
    stacks: int = 1

    def rank(self, level: int) -> int:
        return level if self.ranks is None else len(self.ranks)

    def level_of(self, rank: int) -> int:
        """The character level at which this rank was reached; rank 0 means from the start."""
        if rank <= 0:
            return self.level
        if self.ranks is None:
            return max(self.level, rank)
        return max(self.level, self.ranks[rank - 1])


@dataclass(slots=True)
class Granted:
    """Something gained that is no active element: a proficiency, a language, a resistance, gear. giver: the element
    that grants it; "" for an award."""

    word: str
    ref: Ref
    path: tuple[str, ...]
    quantity: int = 1
    decision: Decision | None = None
    text: str = ""  # the player's own word
    giver: Ref = ""


@dataclass
class Gathered:
    """The result of gathering, and the facts that circumstances test."""

    bundle: Bundle
    build: Build
    level: int
    switches: dict[str, str]
    nodes: dict[Ref, Node] = field(default_factory=dict)
    granted: list[Granted] = field(default_factory=list)
    by_word: dict[tuple[str, Ref], Granted] = field(default_factory=dict)
    spread: dict[str, list[tuple[Decision, Choice]]] = field(default_factory=dict)
    lines: dict[tuple[str, int], ChoiceLine] = field(default_factory=dict)
    problems: list[tuple[Decision | None, str, str]] = field(default_factory=list)  # decision, choice key, sentence
    counted: list[tuple[Decision, Choice, Node]] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    starting_job: Ref = ""
    solved: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    worn: tuple[Element, ...] = ()
    held: tuple[tuple[Element, str], ...] = ()
    carried: tuple[Element, ...] = ()

    # The facts that tests ask for

    def has(self, ref: Ref) -> bool:
        return ref in self.nodes

    def skilled(self, ref: Ref) -> bool:
        return ("skilled", ref) in self.by_word

    def stat(self, key: str) -> int | None:
        """The value of the statistic; None until numbers are solved."""
        return self.solved.get(key)

    def rank(self, ref: Ref) -> int:
        node = self.nodes.get(ref)
        return node.rank(self.level) if node else 0

    def wears(self, word: str, ref: Ref) -> bool:
        """True if something worn is of the category `ref` or, without one, if the word fits: `any` armor (no shield),
        `shield`, or `unproficient` for either one without proficiency."""
        if ref:
            return any(item.armor and item.armor.category == ref for item in self.worn)
        for item in self.worn:
            if item.armor is None:
                continue
            shield = item.armor.hands > 0
            if word == "unproficient":
                if not self.skilled(item.armor.category) and not self.skilled(item.ref):
                    return True
            elif shield == (word == "shield"):
                return True
        return False

    def hands(self, word: str) -> bool:
        """True for `two-weapons` with a weapon in each hand; for `nothing` with no weapon and no shield."""
        weapons = [state for item, state in self.held if item.weapon and item.weapon.hands]
        if word == "two-weapons":
            return "main" in weapons and "off" in weapons
        return not weapons and not self.wears("shield", "")

    def empty(self, resource: str) -> bool:
        return self.left.get(resource, 1) <= 0

    def switch(self, key: str) -> str:
        return self.switches.get(key, "")

    def toggled(self, slug: str) -> bool:
        return slug in self.build.toggles

    def context(self, node: Node) -> RowContext:
        return RowContext(first_job=bool(node.job) and node.job == self.starting_job)

    def holds(self, when: str, node: Node) -> bool:
        """True if a grant or choice under this circumstance counts."""
        return not when or applies(self.bundle.circumstances[when], self, self.context(node))[0]


def number(text: str) -> int:
    """A switch's value as a number; words such as "none" or "unlimited" mean no limit."""
    try:
        return int(text)
    except ValueError:
        return {"on": 1, "off": 0, "true": 1, "false": 0}.get(text, UNLIMITED)


def refs_of(granted: Iterable[Granted], word: str) -> list[Granted]:
    """The grants with this word, each target once, with its shortest path. Own words are compared without regard to
    capitals."""
    seen: dict[str, Granted] = {}
    for row in granted:
        if row.word == word:
            rival = seen.get(target := row.ref or row.text.casefold())
            if rival is None or (len(row.path), row.path) < (len(rival.path), rival.path):
                seen[target] = row
    return list(seen.values())
