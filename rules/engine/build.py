"""A player's decisions and everything that has happened since, as plain data: the second argument of `derive`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .content import Ref

# The places where an item may be, with their names, in the order of the sheet; HANDS are those that are hands.
PLACES: Mapping[str, str] = {
    "main": "Main hand",
    "off": "Off hand",
    "two-hands": "Both hands",
    "worn": "Worn",
    "carried": "Carried",
    "stowed": "Stowed",
}
HANDS: Mapping[str, frozenset[str]] = {
    "main": frozenset({"main"}),
    "off": frozenset({"off"}),
    "two-hands": frozenset({"main", "off"}),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer to one choice. Exactly one of `ref`, `stat`, `write_in` is set.

    level: the level it was made at; 1 is creation. position: its place among the answers to one choice at one level.
    points: for spread choices. override: the storyteller's reason for an exception to a requirement.
    """

    choice: str
    level: int = 1
    position: int = 0
    ref: Ref = ""
    stat: str = ""
    write_in: str = ""
    points: int = 1
    override: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """Something carried. `ref` names content; without one, `custom` has the player's own words.

    state: one of PLACES. key: tells identical items apart.
    """

    ref: Ref = ""
    custom: str = ""
    quantity: int = 1
    state: str = "carried"
    key: str = ""
    used: int = 0  # pieces shot or thrown and not gathered yet; for a firearm, shots since it was loaded


@dataclass(frozen=True, slots=True)
class Held:
    """A condition the character is under, with stacks and where it came from."""

    ref: Ref
    stacks: int = 1
    source: str = ""
    until: str = ""  # the rest event that ends it, or the player's own words
    rounds: int = 0  # rounds left; 0 if they are not counted


@dataclass(frozen=True, slots=True)
class Award:
    """An element given by the storyteller, with the reason; or, without `ref`, a language in the player's own words
    (ruling 48)."""

    ref: Ref
    reason: str = ""
    write_in: str = ""

    @property
    def kind(self) -> str:
        return "language" if self.write_in else self.ref.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship to another character, built on a trait, ideal, bond or flaw of theirs."""

    other: str
    based_on: str
    text: str
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Downtime:
    """Days between adventures: their number, the activity, and the result."""

    days: int
    activity: str
    notes: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell in the player's own words; the rules list none (ruling 89).

    attack: melee or ranged, for a spell attack. saving_throw: the slug of the ability with which its target resists. A
    spell has one of the two or neither. damage: dice and their kind, such as "2d6 fire". key: as for an Item.
    """

    name: str
    time: str = ""  # "action", "bonus action", "reaction", or any other time in words
    range: str = ""
    cantrip: bool = False
    attack: str = ""
    saving_throw: str = ""
    damage: str = ""
    text: str = ""
    key: str = ""


@dataclass(frozen=True)
class Build:
    """One character, ready to derive.

    spent: uses (or, for pools, points) spent, by resource slug. left: the number that remains instead, as in a
    character file. A resource in neither is full. switches: only values that differ from the default. milestone: the
    level under milestone advancement; otherwise the level follows from xp. plan: decisions for levels not taken yet;
    nothing is derived from it.
    """

    name: str = ""
    xp: int = 0
    milestone: int | None = None
    inputs: Mapping[str, int] = field(default_factory=dict)  # stat key -> chosen value
    method: str = ""  # for ability ranks: array, points, rolled, manual
    dice: tuple[tuple[int, ...], ...] = ()  # the rolled faces
    decisions: tuple[Decision, ...] = ()
    plan: tuple[Decision, ...] = ()
    items: tuple[Item, ...] = ()
    conditions: tuple[Held, ...] = ()
    awards: tuple[Award, ...] = ()
    aspects: tuple[tuple[str, str], ...] = ()  # (kind, text)
    relationships: tuple[Relationship, ...] = ()
    notes: tuple[str, ...] = ()
    downtimes: tuple[Downtime, ...] = ()
    spells: tuple[Spell, ...] = ()
    spent: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    toggles: frozenset[str] = frozenset()
    rest: str = ""  # the rest in progress
    rest_dice: int = 0  # dice spent in it
    switches: Mapping[str, str] = field(default_factory=dict)
    sources: frozenset[str] = frozenset()
