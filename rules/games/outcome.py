"""The effect of an event at the table on a character: a game's procedures return it, and the site stores it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.engine.build import Award, Build, Held
from rules.engine.content import Ref
from rules.engine.phrases import joined


class NotAllowed(ValueError):
    """Raised with a sentence if the rules or the character's state forbid something. `field` names the input at
    fault."""

    def __init__(self, sentence: str, field: str = ""):
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


@dataclass(frozen=True, slots=True)
class Rolled:
    """The faces of a roll, and its result.

    kind: a word of at most 8 letters; each game has its own. faces: all of the same die. modifiers, dice_because: pairs
    of a name and a number. target: the number to reach or, when opposed, the opponent's total; without one, success is
    None. hit_is_critical: any hit is critical, whatever the dice show. turned_by: the name of the feature that turned a
    failed roll into a success. again_by: the slugs of the actions by which it was rerolled.
    """

    kind: str
    key: str
    name: str
    faces: tuple[int, ...]
    total: int
    die: int = 6
    modifiers: tuple[tuple[str, int], ...] = ()
    dice_because: tuple[tuple[str, int], ...] = ()
    target: int | None = None
    opposed: bool = False
    opponent_critical: bool = False
    critical: bool = False
    criticals_on: int = 6
    criticals_from_pool: int = 3
    success: bool | None = None
    by_hand: bool = False
    secret: bool = False
    hit_is_critical: bool = False
    turned_by: str = ""
    again_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """Amounts that change, conditions that begin and end, and the sentence for the history.

    spends: by resource slug; a negative amount is regained, and may not exceed what is spent. used: pieces by item key;
    lost: pieces that are gone for good. dropped: keys of items that fall from the hands. gains: things of the rules
    that are carried from now on. begins: replaces a condition from the same source. ends: (ref, source) pairs. rest:
    the rest in progress from now on, None for no change. rolls: go to the log, the one that the action is about
    last, or as additions to roll number `follows` if that is given. aspect: the address of the aspect invoked for them.
    learned: gained for good, with a reason such as `downtime`. downtime: days, activity, notes and outcome to record.
    """

    sentence: str = ""
    spends: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    gains: Mapping[Ref, int] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    begins: tuple[Held, ...] = ()
    ends: tuple[tuple[Ref, str], ...] = ()
    rest: str | None = None
    rest_dice: int = 0
    rolls: tuple[Rolled, ...] = ()
    follows: int | None = None
    aspect: str = ""
    learned: tuple[Award, ...] = ()
    downtime: Mapping[str, str | int] | None = None


def name_of(build: Build) -> str:
    """The character's name, to begin a sentence with."""
    return build.name or "The character"


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; "" for none."""
    return joined(tuple(words), "and")


def counted(number: int, word: str, several: str = "") -> str:
    """`1 hour`, `2 hours`."""
    return f"{number} {word}" if number == 1 else f"{number:,} {several or word + 's'}"
