"""The contract of a game with the engine and the site. Each game is a folder here, and a `Game` made of its parts.

Most parts are modules: `rules.games.polyhedral.steps` is the `Steps` of Polyhedral. Everything here is pure: it turns
content, decisions and dice into numbers and sentences.

This is one long file on purpose: it lists, from top to bottom, everything that the site needs from a game.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Protocol

from rules.engine.build import Build, Decision, Held, Item, Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Element, Ref, Stat
from rules.engine.facts import Gathered
from rules.engine.random_answers import OwnWords
from rules.engine.sheet import Attack, ChoiceLine, Problem, ResourceLine, Roll, Sheet, Step, Value
from rules.engine.solve import Solver

from .outcome import Outcome, Rolled
from .region import Region
from .rows import (
    ActionGroup,
    ConditionRow,
    ExceptionRow,
    FeatureRow,
    Figure,
    HeldRow,
    HouseRule,
    Identity,
    ItemRow,
    Pool,
    Situation,
    Thing,
    UsesRow,
)
from .sections import ProficiencyGroup
from .table_action import At, LoggedRoll, Past, TableAction, TableLog, Together


@dataclass(frozen=True, slots=True)
class Section:
    """A question of creation, and the questions that its answers raise."""

    root: ChoiceLine
    under: tuple[ChoiceLine, ...] = ()

    @property
    def lines(self) -> tuple[ChoiceLine, ...]:
        return (self.root, *self.under)

    @property
    def settled(self) -> bool:
        """True if a level bought it and nothing is open."""
        return bool(self.root.choice.budget) and not any(line.open for line in self.lines)


@dataclass(frozen=True, slots=True)
class StepProgress:
    """The number of answers given in a step, and the number needed."""

    slug: str
    name: str
    chosen: int
    needed: int
    problem: bool = False

    @property
    def open(self) -> int:
        return self.needed - self.chosen


@dataclass(frozen=True, slots=True)
class Missing:
    """An answer that the character still needs: its step, its place on that page, and a sentence."""

    step: str
    anchor: str
    text: str


class Steps(Protocol):
    """The pages of the builder, with the questions and the progress of each."""

    # slug -> name, in order. A new character opens at `origin`; `review` says what is missing. `abilities`, `aspects`
    # and `equipment` have forms besides their questions. The game brings a template, `builder/<slug>.html`, for any
    # other step.
    STEPS: dict[str, str]
    LEDES: dict[str, str]  # slug -> the sentence under the title
    ASPECTS: dict[str, tuple[str, str]]  # kind -> name and explanation
    GLANCE: tuple[str, ...]  # statistics that the side sheet shows first
    VITAL_RESOURCE: str  # the resource that shows how characters are doing, in lists; "" for none
    UNSAID: set[str]  # statistics not listed, because each follows another one closely
    START: int  # an ability's rank before anything is chosen
    SKILLS: str  # the prefix of the keys of skill rolls; in a game without skills, one that no key has
    SAVES: str
    UNARMED: Ref

    def sections(self, bundle: Bundle, build: Build, sheet: Sheet) -> Mapping[str, Sequence[Section]]: ...

    def progress(self, bundle: Bundle, build: Build, sheet: Sheet) -> Sequence[StepProgress]:
        """The progress of each step, in the order of STEPS."""

    def missing(self, bundle: Bundle, build: Build, sheet: Sheet) -> Sequence[Missing]: ...

    def problems(self, bundle: Bundle, build: Build, sheet: Sheet) -> Sequence[tuple[str, str, Problem]]:
        """Each problem of the sheet, with the step where it can be fixed and its place on that page."""

    def anchor(self, key: str, level: int = 1) -> str:
        """The id of a choice on its page."""

    def in_words(self, bundle: Bundle, sheet: Sheet) -> str:
        """The character so far in a line: `Human, Human culture, Ambassador, Fighter`."""

    def means(self, sheet: Sheet) -> str:
        """The things that the character can afford, in words without a period."""

    def reminder(self, bundle: Bundle, build: Build, choice: Choice) -> str:
        """A sentence about house rules to keep in mind at a choice; "" for none."""


class Creation(Protocol):
    """Ability ranks: by points, from a fixed array, rolled, or written in."""

    NAME: str  # the name of the ranks, as in a list
    RANK: str  # of one in a sentence; `s` makes the plural: `rank`
    HAS: str  # the words before them in the history: `starts with`, or `has` where they may be raised later
    CHOSEN: str  # beside a chosen rank where its number is explained: `assigned at creation`
    TERMS: tuple[str, ...]  # the house rules for ability ranks, the method first
    METHODS: Mapping[str, str]  # those of `points`, `array`, `rolled`, `manual` in this game -> their names
    LOWEST: int  # the lowest rank that points may buy
    MANUAL: range  # the ranks that may be written in

    def rank_stats(self, bundle: Bundle) -> Mapping[str, Ref]:
        """The statistic of an ability's rank -> the ability, in reading order."""

    def methods_allowed(self, bundle: Bundle, build: Build) -> list[str]:
        """Those of METHODS that the house rules allow, in the order of their tabs."""

    def budget(self, bundle: Bundle, build: Build) -> int: ...

    def highest(self, bundle: Bundle, build: Build) -> int:
        """The highest rank that points may buy."""

    def cost(self, bundle: Bundle, rank: int) -> int:
        """The price of a rank in points. Raises ValueError for a rank that points cannot buy."""

    def total_cost(self, bundle: Bundle, ranks: Sequence[int]) -> int: ...

    def array(self, bundle: Bundle) -> list[int]: ...

    def result(self, faces: Sequence[int]) -> int:
        """The result of one roll for a rank."""

    def left_out(self, faces: Sequence[int]) -> Collection[int]:
        """The positions of the dice that do not count in such a roll."""

    def rank_problems(self, bundle: Bundle, build: Build) -> list[Problem]:
        """The faults of the chosen ranks, each with its place in a character file."""


EACH, SHARED = "each", "shared"


class Rolling(Protocol):
    """Rolling for ability ranks."""

    def roll(self, chance: Random) -> tuple[tuple[int, ...], ...]: ...

    def results(self, faces: Sequence[Sequence[int]]) -> list[int]: ...

    def may_roll_again(self, bundle: Bundle, build: Build) -> bool: ...

    def refused(self, bundle: Bundle, build: Build) -> str:
        """The reason why this character cannot roll now, as a sentence; "" if it can."""

    def at_table(self, bundle: Bundle, build: Build) -> str:
        """EACH if each player at a table gets a set of rolls, SHARED if all use one set; "" for any other method."""


class Chance(Protocol):
    """A random character: everything but the answers to its choices."""

    OWN_WORDS: OwnWords  # for questions that accept own words, by kind of element
    LEVEL_WORDS: OwnWords  # the same for the questions of levels

    def with_ranks(self, bundle: Bundle, build: Build, chance: Random) -> Build: ...

    def with_aspects(self, bundle: Bundle, build: Build, chance: Random) -> Build:
        """The build with an aspect of each kind that it lacks, after those it has."""

    def with_outfit(self, bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
        """The build with suitable items in use that it can easily afford, if it has none."""

    def with_the_rest(self, bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
        """The build with everything it still lacks: a name, and aspects and an outfit where the game has them."""


class Paths(Protocol):
    """Decisions as paths into the character file."""

    ORIGIN: Mapping[str, str]  # choices that are made at creation only -> their path

    def levels_of(self, decisions: Sequence[Decision]) -> list[int]:
        """The levels with an entry in the file."""

    def decision_path(self, decision: Decision, levels: Sequence[int]) -> str: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """The terms for buying a thing: whether it is allowed, the amounts spent by resource, and a sentence."""

    allowed: bool
    sentence: str = ""
    spends: Mapping[str, int] = field(default_factory=dict)


class Wealth(Protocol):
    """The cost of things, and the means of characters."""

    CLASSES: tuple[str, ...]  # the name of each class of cost; class 0 is "", not for sale

    def for_sale(self, bundle: Bundle) -> list[Element]: ...

    def offer(self, bundle: Bundle, build: Build, sheet: Sheet, element: Element, quantity: int = 1) -> Offer: ...


class Places(Protocol):
    """The places where an item may be, out of `engine.build.PLACES`. `element` is None for an item in the player's own
    words."""

    def offered(self, element: Element | None) -> tuple[str, ...]: ...

    def unfit(self, element: Element | None, place: str) -> str:
        """The reason why the item cannot go there, as a sentence; "" if it can."""

    def in_the_way(self, element: Element | None, place: str, other: Element | None, other_place: str) -> bool:
        """True if the other item, where it is, must make room."""

    def of_use(self, element: Element | None) -> tuple[str, ...]:
        """The places where the item serves its purpose, the best first; empty for an item that is only carried."""

    def unused(self, bundle: Bundle, items: Sequence[Item]) -> Iterable[Item]:
        """Items that could be put to use."""


class Spells(Protocol):
    """Spells that players make up."""

    ATTACKS: tuple[str, ...]  # the kinds of attack roll that a spell may have

    def has_magic(self, bundle: Bundle, build: Build) -> bool:
        """True where the house rules let characters note spells down."""

    def unfit_parts(self, bundle: Bundle, spell: Spell) -> Iterable[tuple[str, str]]:
        """The parts of a spell that the rules do not allow: the field, and a sentence."""

    def in_words(self, bundle: Bundle, spell: Spell) -> str:
        """A spell in one line, without its text and the caster's numbers; "" if nothing else is known of it."""


class FileFormat(Protocol):
    """The character file. Three of its keys tell the site the rules to read it by: `ruleset`, and in `house_rules` the
    lists `sources` and `left_out`. A file without these lists is read by the core rules alone."""

    def read(self, document: object, bundle: Bundle) -> tuple[Build | None, tuple[Problem, ...]]:
        """The build in a parsed document, or None and every problem with its path."""

    def write(self, build: Build, sheet: Sheet, bundle: Bundle, left_out: Sequence[str] = ()) -> dict[str, object]:
        """The document. left_out: sources that the build names things from but that are not in play."""

    def dump(self, document: dict[str, object]) -> str: ...


class SheetView(Protocol):
    """The content of the shared regions of a sheet. A game may show more, in regions of its own."""

    identity: Identity
    missing: tuple[Missing, ...]
    problems: tuple[tuple[str, str, Problem], ...]
    actions: tuple[ActionGroup, ...]
    features: tuple[FeatureRow, ...]
    uses: tuple[UsesRow, ...]
    proficiencies: tuple[ProficiencyGroup, ...]
    defenses: tuple[ProficiencyGroup, ...]
    equipment: tuple[tuple[str, tuple[ItemRow, ...]], ...]
    conditions: tuple[ConditionRow, ...]
    aspects: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[Step, ...]
    numbers: tuple[tuple[Stat, int], ...]
    house_rules: tuple[HouseRule, ...]
    exceptions: tuple[ExceptionRow, ...]


class TableView(Protocol):
    """The content that a live sheet adds to the shared regions."""

    held: tuple[HeldRow, ...]  # the conditions in force
    offered: tuple[tuple[Ref, str], ...]  # the conditions that may be given by hand
    ends: tuple[tuple[str, str], ...]  # the events that a condition may last until
    situations: tuple[Situation, ...]
    things: dict[str, tuple[str, tuple[Thing, ...]]]  # by place: its name, and the things there
    carries: bool
    has_relationships: bool  # True where the house rules have relationships between characters


class ConditionRules(Protocol):
    """Conditions added and removed by hand, for games whose content has conditions."""

    def state_by_hand(self, build: Build, sheet: Sheet, ref: Ref, *, on: bool) -> Outcome | None:
        """The outcome of setting by hand a state that follows from numbers; None for any other condition."""

    def lasts(self, bundle: Bundle, ref: Ref, until: str, rounds: int) -> Held:
        """The condition as it begins. It ends as `until` and `rounds` say or, without both, as its own rows say."""

    def begun_by_hand(self, build: Build, sheet: Sheet, held: Held, sentence: str) -> Outcome:
        """The outcome of putting the condition on a character. Raises NotAllowed if the character is immune to it."""


class PageRules(Protocol):
    """The rules behind the pages in `Game.pages`: rests, downtime, buying together, and rolls with options."""

    TURN_BEGINS: Sequence[str]  # actions that begin a turn; earlier rolls cannot be changed after that
    ROLL: str  # the action that makes a roll with the options on its page
    DOWNTIME: str  # the action of the page of downtime
    BUY_TOGETHER: str  # the action that buys together; its field `ranks` takes the others' ranks

    def ready_for(self, at: At, *, roll: str, ability: str, aspect: str, **how: Any) -> object:
        """The roll as it would be made, for the game's own template; None for a key that the sheet does not have."""

    def pool_of(self, sheet: Sheet, ranks: Sequence[int]) -> Pool:
        """The means of a character pooled with others of these ranks. Raises NotAllowed as the purchase would."""

    def means_of(self, sheet: Sheet) -> int:
        """The rank that a character brings into a shared purchase."""

    def ahead(self, bundle: Bundle, build: Build, sheet: Sheet) -> Mapping[str, Callable[[At], Outcome]]:
        """The outcomes that the page of rests previews, by their names in the game's template."""

    def slept_lately(self, log: TableLog) -> bool:
        """True if a long rest was taken within the last day."""

    def teachable(self, bundle: Bundle, sheet: Sheet) -> Sequence[Element]:
        """Proficiencies that the character lacks and downtime may teach."""

    def spoken_here(self, bundle: Bundle, build: Build, sheet: Sheet) -> Sequence[str]:
        """Other languages of the setting, which may be learned as own words."""

    def may_be_turned(self, log: TableLog, build: Build, save: Sequence[LoggedRoll]) -> bool:
        """True if the character's life depends on this failed roll, and it can still be turned into a success."""


class TableRules(Protocol):
    """The rules of play at the table."""

    ACTIONS: Sequence[TableAction]  # the game's own; those of every game are in `characters.actions`
    TOGETHER: Sequence[Together]  # those that may be done to several characters at once

    def reloads(self, element: Element | None) -> bool:
        """True if an item uses up loaded shots instead of its own pieces."""

    # Rolls, and further facts for the game's template of a roll

    def region_of(self, key: str) -> str:
        """The region of the sheet with the roll of this key."""

    def might_become(self, bundle: Bundle, build: Build, rolled: Rolled) -> object: ...

    def is_tie(self, bundle: Bundle, build: Build, rolled: Rolled) -> bool: ...

    def is_fumble(self, bundle: Bundle, build: Build, rolled: Rolled) -> bool: ...

    def how_far(self, bundle: Bundle, build: Build, rolled: Rolled) -> str:
        """The result of a roll without a target, in words; "" if there is nothing to say."""

    def offers(self, bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled) -> tuple[object, ...]:
        """The character's features that may change this roll."""


class ConsequenceRules(Protocol):
    """Conditions that follow from numbers, and rolls on which the character's life depends."""

    LAPSE: frozenset[Ref]  # conditions that end when numbers no longer allow them
    STATES: Sequence[Ref]  # conditions that follow from numbers
    COUNTS: Sequence[str]  # resources that are counted only while one of these lasts
    FALLEN: Held  # the condition that begins when a character falls by one of these

    def lapsed(self, build: Build, sheet: Sheet) -> Outcome:
        """The outcome that ends those conditions of LAPSE that the numbers no longer allow."""

    def resized(self, had: Sheet, build: Build, sheet: Sheet) -> Outcome:
        """The outcome for a character in play when new decisions have changed its numbers."""

    def after_undo(self, at: At, was: Build, past: Past) -> Outcome:
        """The outcome after an undo has restored all numbers but COUNTS. was: the build before the undo. Raises
        NotAllowed with what to undo first."""

    DECISIVE: str  # the kind of roll on which a life depends; "" if none does

    def decides(self, log: TableLog, build: Build, save: Sequence[LoggedRoll]) -> bool:
        """True if the character's life still depends on this roll."""

    def moves_life(self, entry: LoggedRoll) -> bool: ...


class EncounterRules(Protocol):
    """A scene that is played turn by turn, and the creatures in it that are not characters."""

    INITIATIVE: str  # the key of the roll that decides the order; "" if none does
    ORDER: str  # the word for the number that decides it: `initiative`; "" if the storyteller sets it
    ROLLS_IT: tuple[str, Mapping[str, str]]  # the action that rolls it, and its fields; ("", {}) for none
    TURN: str  # the action that begins a character's turn; "" for none
    HIT: str  # the action of TOGETHER that takes an `amount` from a character; "" for none
    HEAL: str  # the one that gives it back; "" for none
    VITAL: str  # the name of the number that hits take from a creature
    GUARD: str  # the name of the number that an attack must reach to hit; "" for none
    DIE: int  # the sides of a die written without a number of sides, as in `3D`
    CREATURE: str  # the usual roll of a creature for its place in the order; "" for none
    EXAMPLE: str  # an example of how to write a creature's roll: `Bite 3D`
    AVERAGE: int  # a creature's number for ties

    def guard(self, sheet: Sheet) -> str:
        """The number that an attack must reach to hit this character, as text; "" for none."""

    def place(self, sheet: Sheet) -> int | None:
        """The character's number in the order, highest first, in a game where no roll decides it (no INITIATIVE); None
        if the storyteller sets it."""

    def tie(self, bundle: Bundle, build: Build, sheet: Sheet) -> int:
        """The character's number for ties: of two equal places in the order, the higher number goes first. If these are
        equal too, a new roll decides."""

    def is_critical(self, faces: Sequence[int], die: int) -> bool: ...

    def in_words(self, left: int, most: int) -> str:
        """The state of a character whose numbers are not shown."""


class Levels(Protocol):
    """Experience to level, and back. In a game without experience, `by_milestone` is always true and `xp_for` always 0.
    In a game without levels, everyone stays at level 1, `in_words` is "", any experience buys other things, and NAME is
    only for content that speaks of a level anyway. A level buys something only if the content has choices with a
    `budget` and `every` (`Bundle.ways`)."""

    NAME: str  # of a level in a sentence; `s` makes the plural: `level`
    EXPERIENCE: str  # the word for what raises levels, in a sentence: `experience`; "" in a game with neither
    POINTS: str  # the same beside an amount: `XP`
    MILESTONE: str  # the heading of the form that sets a level where `by_milestone` is true
    STARTING: str  # the house rule on the starting level; "" for none

    def in_words(self, level: int) -> str:
        """The level beside a character's name, `Level 3`; "" in a game without levels."""

    def level_of(self, bundle: Bundle, build: Build) -> int: ...

    def at_level(self, bundle: Bundle, build: Build, level: int) -> Build:
        """The build with exactly the experience that `level` needs. Its decisions stay."""

    def at_start(self, bundle: Bundle, build: Build) -> Build:
        """The build with the experience of a new character."""

    def under(self, bundle: Bundle, build: Build, switches: Mapping[str, str]) -> Build:
        """The build under these house rules. If it has gained nothing yet, it gets the starting level that they set."""

    def by_milestone(self, bundle: Bundle, build: Build) -> bool:
        """True if the storyteller gives out levels instead of experience."""

    def xp_for(self, bundle: Bundle, build: Build, level: int) -> int:
        """The experience at which `level` begins."""


class RollAhead(Protocol):
    """A roll that is about to be made, for a template of the game."""

    @property
    def chance(self) -> Fraction | None:
        """The exact chance that it succeeds, 0 to 1; None if there is no number to reach."""


class Asking(Protocol):
    """Rolls that a storyteller asks several characters for, and how they count together."""

    ACTION: str  # the action that makes such a roll
    ROLL: str  # its field for the key of the roll
    TARGET: str  # its field for the number to reach
    # The conditions of success, after “As a group:” and “Against each other:”; "" in a game without such a rule.
    GROUP: str
    CONTEST: str

    def rolls(self, sheet: Sheet) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """The rolls that may be asked for: named groups, each with keys and names of the sheet's rolls."""

    def ladder(self, bundle: Bundle) -> Sequence[tuple[str, int]]:
        """The difficulties that have a name, easiest first."""

    def in_words(self, bundle: Bundle, target: int) -> str:
        """A number to reach, in words without a period: `Difficulty 12`."""

    def ready(self, at: At, answers: Mapping[str, Any]) -> RollAhead | None:
        """The roll as it would be made with these answers to ACTION; None if the character has no such roll."""

    def may_help(self, sheet: Sheet, key: str) -> bool:
        """True if this character may help another one with the roll of this key."""

    def measured(self, bundle: Bundle, build: Build, rolled: Rolled, target: int) -> Rolled:
        """A roll that was made without a target, compared with the difficulty set by the storyteller."""

    def needed(self, members: int) -> int | None:
        """The number of members who must succeed for the group to succeed; None if there are too few for a group."""

    def winner(self, rolls: Sequence[Rolled]) -> int | None:
        """The index of the roll that beats all others; None if none does."""


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that differs between games in how characters are made, shown and played.

    name: as a ruleset has it; also the folder of the game's templates. unread: house rules that nothing reads yet, so
    no page offers them. of_tables: pairs of a house rule and a value that means something only for several players, so
    the page of a single character does not offer it.
    """

    name: str
    unread: frozenset[str]
    of_tables: frozenset[tuple[str, str]]
    levels: Levels

    # The sheet. `given` returns the numbers that no row of content makes (each is a statistic with `is_input`).
    # `build_rolls` returns rolls by keys that no statistic has, since one page explains both. `audit` returns the
    # problems, each with a path into the character file: those that gathering found, and those the engine leaves to the
    # game, about ranks and prerequisites with numbers.
    given: Callable[[Gathered], dict[str, Value]]
    build_rolls: Callable[[Solver], dict[str, Roll]]
    build_attacks: Callable[[Solver], tuple[Attack, ...]]
    audit: Callable[[Solver, Mapping[str, ResourceLine]], tuple[Problem, ...]]
    chances: Callable[[Bundle, Mapping[str, str], Roll], object]  # of one roll, for a template of the game
    # Sentences beside the dice of a roll: a certain result, when it is critical, its value unrolled
    remarks: Callable[[Roll], tuple[str, ...]]
    page: Callable[[Bundle, Build, Sheet], SheetView]  # the content of the sheet
    table: Callable[[Bundle, Build, Sheet], TableView]  # the further content of the live sheet
    # The figures of each character on a party's roster. The first says how they are doing, and is also shown in
    # encounters.
    roster: Callable[[Bundle, Build, Sheet], Sequence[Figure]]
    regions: tuple[Region, ...]  # of the live sheet
    pages: frozenset[str]  # the optional pages of `characters.pages.sheet.live_pages` it has, by name

    # Making a character
    steps: Steps
    creation: Creation
    rolling: Rolling
    chance: Chance
    wealth: Wealth
    places: Places
    spells: Spells

    # The character file; `answer` is the sheet in JSON types
    file: FileFormat
    paths: Paths
    answer: Callable[[Sheet, Bundle], dict[str, object]]

    play: TableRules
    consequences: ConsequenceRules
    encounter: EncounterRules

    # None for a game without conditions, and for one without `pages`.
    conditions: ConditionRules | None = None
    page_rules: PageRules | None = None
    # None if nobody asks for rolls
    asking: Asking | None = None
    # Pairs that give everyone a relationship with both neighbors; None for a game without relationships
    ring: Callable[[Sequence[Any]], list[tuple[Any, Any]]] | None = None

    # The game's own headings for sections of comparisons (`characters.pages.compare.comparison_text`), and for the same
    # on the page of a level that was taken
    headings: Mapping[str, str] = field(default_factory=dict)
    # Kinds of element with other names in this game -> its words for one and for several: `talent: (skill, skills)`
    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # Elements with a small drawing -> its symbol in `static/games/<name>/signs.svg`. May be left out.
    signs: Mapping[Ref, str] = field(default_factory=dict)

    @property
    def has_levels(self) -> bool:
        return bool(self.levels.in_words(1))

    @property
    def moved(self) -> dict[str, str]:
        """Shared actions -> the region with their form in this game, if it is not the one that the action names."""
        return {action: region.id for region in self.regions for action in region.forms}

    @property
    def terms(self) -> tuple[str, ...]:
        """The house rules on how characters begin. A table's settings of these count only for characters that begin
        there."""
        return tuple(key for key in (self.levels.STARTING, *self.creation.TERMS) if key)
