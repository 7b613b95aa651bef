"""An encounter as its pages show it: everyone in order, as far as the reader may see them."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil

from campaigns.models import Combatant, Condition, CreatureRoll, Encounter, Member
from campaigns.order import is_over, names_of, order_of, rounds_left, takes_turns, whose_turn
from campaigns.roles import RUN
from characters import access
from characters.actions.together import deeds_of
from characters.models import Character
from characters.people import Person
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.fast_sql import PLACEHOLDERS, Prepared, PreparedObjects
from rules.games.contract import EncounterRules, Game
from rules.games.dice_text import Dice, read_rolls
from rules.games.outcome import counted
from rules.games.rows import Figure


@dataclass(frozen=True)
class ShownCondition:
    """A condition in force. row: the encounter's own row for it, if the encounter ends it."""

    name: str
    until: str = ""
    row: Condition | None = None


@dataclass(frozen=True)
class OrderLine:
    """A combatant's line in the order, as one reader sees it.

    now: it has the turn. plays: the reader may change it. mine: it sits here as the reader's own. figure: its state in
    numbers, if the reader may see them; words: the same in words, always. guard: the number that hits must reach.
    """

    combatant: Combatant
    game: Game  # the character's own; for a creature, the table's
    name: str
    now: bool
    plays: bool
    mine: bool
    figure: Figure | None
    words: str
    guard: str
    held: tuple[ShownCondition, ...]
    offered: tuple[str, ...] = ()  # the conditions that it may have, by name
    rolls: tuple[tuple[str, str, Dice], ...] = ()
    latest: CreatureRoll | None = None

    @property
    def rules(self) -> EncounterRules:
        return self.game.encounter

    @property
    def way_to_place(self) -> str:
        """The words on the button that gives it an initiative."""
        return f"{'Roll' if self.rules.INITIATIVE else 'Sort by'} {self.rules.ORDER}"

    @property
    def hit_word(self) -> str:
        return hit_word(self.game)

    @property
    def heal_word(self) -> str:
        return heal_word(self.game)

    @property
    def character(self) -> Character | None:
        return self.combatant.seat.character if self.combatant.seat else None

    @property
    def tenths(self) -> int:
        """Its state in tenths, for a bar without numbers; 0 only if nothing is left."""
        return ceil(10 * self.figure.left / self.figure.most) if self.figure else 0

    @property
    def passed_over(self) -> bool:
        return not takes_turns(self.combatant)


@dataclass(frozen=True)
class Scene:
    """An encounter as one reader sees it. someone: true if a creature that is not shown has the turn."""

    encounter: Encounter
    rules: EncounterRules
    lines: tuple[OrderLine, ...]
    someone: bool

    @property
    def characters(self) -> list[Character]:
        return [line.character for line in self.lines if line.character]

    @property
    def now(self) -> OrderLine | None:
        return next((line for line in self.lines if line.now), None)

    @property
    def offered(self) -> list[str]:
        """The conditions that anyone in it may have."""
        return sorted({name for line in self.lines for name in line.offered})

    @property
    def to_enter(self) -> list[OrderLine]:
        """The lines of the visitor's own characters whose initiative may still be typed in."""
        own = [line for line in self.lines if line.mine and line.rules.INITIATIVE]
        return [line for line in own if line.combatant.initiative_is_open(self.encounter)]

    @property
    def to_place(self) -> list[OrderLine]:
        """Those who have no initiative yet and can get one: by a roll or, of characters, from their sheet."""
        without = [line for line in self.lines if line.combatant.initiative is None]
        return [line for line in without if line.rules.INITIATIVE or (line.rules.ORDER and line.character)]

    @property
    def own_to_roll(self) -> list[OrderLine]:
        """Those of `to_place` that the visitor plays at this table and that roll for it."""
        return [line for line in self.to_place if line.mine and line.rules.INITIATIVE]

    @property
    def mine(self) -> OrderLine | None:
        """The line that has the turn, if the visitor plays it at this table."""
        return self.now if self.now and self.now.mine else None


def hit_word(game: Game) -> str:
    """The label of the button for a hit. Creatures can be hit even in a game that has no act for it."""
    return _word_of(game, game.encounter.HIT) or "Hit"


def heal_word(game: Game) -> str:
    """The label of the button for healing; "" in a game that has no act for it."""
    return _word_of(game, game.encounter.HEAL)


def _word_of(game: Game, act: str) -> str:
    return deeds_of(game.name)[act].together.word if act else ""


MOST_ROLLS = 200
# The characters at a table that someone may see, and the ids of those that they may play.
SEEN = PreparedObjects(
    lambda campaign, owner, guest: Character.objects.filter(
        access.visible_to(access.placeholder_person(owner, guest)), seat__campaign=campaign
    ).select_related("ruleset"),
    *PLACEHOLDERS,
    access.GUEST,
)
PLAYED = Prepared(
    lambda campaign, owner, guest: Character.objects.filter(
        access.playable_by(access.placeholder_person(owner, guest)), seat__campaign=campaign
    ).values_list("pk"),
    *PLACEHOLDERS,
    access.GUEST,
)


def scene_for(encounter: Encounter, member: Member, person: Person) -> Scene:
    """The encounter as this person sees it."""
    runs, asked = member.may(RUN), (encounter.campaign_id, *access.ids_of(person))
    playing = {pk for (pk,) in PLAYED.rows(*asked)}
    return _Look(encounter, {one.pk: one for one in SEEN.all(*asked)}, playing, member, runs, counts=runs).scene


def scene_for_all(encounter: Encounter, *, counts: bool) -> Scene:
    """The encounter as everyone in the room may see it."""
    seated = Character.objects.filter(seat__campaign=encounter.campaign_id, binned_at=None).select_related("ruleset")
    return _Look(encounter, {one.pk: one for one in seated}, counts=counts).scene


@dataclass
class _Look:
    """An encounter as one reader sees it: the characters that they may see, and those that they play. counts: true if
    the numbers of creatures are shown too."""

    encounter: Encounter
    characters: Mapping[int, Character]
    playing: Collection[int] = frozenset()
    member: Member | None = None
    runs: bool = False
    counts: bool = False
    order: list[Combatant] = field(init=False)

    def __post_init__(self) -> None:
        self.order = order_of(self.encounter)
        self.by_pk = {one.pk: one for one in self.order}
        self.names = names_of(self.order, hidden=self.runs)
        self.current = whose_turn(self.encounter, self.order)

    @property
    def scene(self) -> Scene:
        shown = [self._of_creature(one) if one.creature else self._of_character(one) for one in self.order]
        lines = tuple(line for line in shown if line is not None)
        someone = self.current is not None and self.current.hidden and not self.runs
        return Scene(self.encounter, self.game.encounter, lines, someone)

    def _of_creature(self, one: Combatant) -> OrderLine | None:
        if one.hidden and not self.runs:
            return None
        game, rules = self.game, self.game.encounter
        figure = Figure(rules.VITAL, str(one.left), f"of {one.most}", one.left, one.most, bad=not one.left)
        return OrderLine(
            combatant=one,
            game=game,
            name=self.names[one.pk],
            now=one is self.current,
            plays=self.runs,
            mine=False,
            figure=figure if one.most and self.counts else None,
            words=rules.in_words(one.left, one.most) if one.most else "",
            guard=str(one.creature.guard) if self.runs and one.creature.guard else "",
            held=tuple(ShownCondition(row.name, self._until(row), row) for row in self.lasting[one.pk]),
            rolls=read_rolls(one.creature.rolls, rules.DIE, rules.EXAMPLE) if self.runs else (),
            latest=self.latest.get(one.pk),
        )

    def _of_character(self, one: Combatant) -> OrderLine | None:
        version = self.versions.get(one.seat.character_id)
        if version is None:
            return None
        game, rules = version.bundle.game, version.bundle.game.encounter
        figure = game.roster(version.bundle, version.build, version.sheet)[0]
        return OrderLine(
            combatant=one,
            game=game,
            name=self.names[one.pk],
            now=one is self.current,
            plays=one.seat.character_id in self.playing,
            mine=self.member is not None and one.seat.member_id == self.member.pk,
            figure=figure if figure.most else None,
            words=rules.in_words(figure.left, figure.most) if figure.most else "",
            guard=rules.guard(version.sheet) if self.runs else "",
            held=self._on_sheet(version, {(row.ref, row.source): row for row in self.lasting[one.pk]}),
            offered=tuple(name for _, name in version.table.offered) if self.runs else (),
        )

    def _on_sheet(self, version: Version, clocks: Mapping[tuple[str, str], Condition]) -> tuple[ShownCondition, ...]:
        """The conditions on the sheet, with the end that the encounter counts, if it does. One that another condition
        implies has only its name."""
        found = [ShownCondition(name) for name in version.states]
        for row in version.table.held:
            clock = clocks.get((row.ref, row.source))
            until = self._until(clock) if clock else row.ends if self.runs else ""
            found.append(ShownCondition(row.text) if row.implied_by else ShownCondition(row.text, until, clock))
        return tuple(found)

    def _until(self, condition: Condition) -> str:
        """The time left: in rounds, and with the turn at which they are counted if it is not the combatant's own."""
        if not condition.round:
            return ""
        whose = self.by_pk.get(condition.whose_id)
        left = rounds_left(condition, self.encounter, self.order)
        rounds, own = counted(left, "round"), condition.whose_id == condition.combatant_id
        if whose is None or (own and not condition.at_end) or (whose.hidden and not self.runs):
            return rounds
        turn = "its own" if own else f"{self.names[whose.pk]}’s"
        return f"{rounds}, to the {'end' if condition.at_end else 'start'} of {turn} turn"

    @cached_property
    def game(self) -> Game:
        return self.encounter.campaign.game

    @cached_property
    def versions(self) -> dict[int, Version]:
        return versions_of(self.characters.values())

    @cached_property
    def lasting(self) -> Mapping[int, list[Condition]]:
        """The conditions that are not over, by combatant."""
        found: Mapping[int, list[Condition]] = defaultdict(list)
        for condition in Condition.objects.filter(combatant__encounter=self.encounter):
            if not is_over(condition, self.encounter, self.order):
                found[condition.combatant_id].append(condition)
        return found

    @cached_property
    def latest(self) -> dict[int, CreatureRoll]:
        """The newest roll of each creature that the reader may see; a table screen shows none."""
        rolls = CreatureRoll.objects.filter(combatant__encounter=self.encounter)
        if not self.runs:
            rolls = rolls.filter(secret=False) if self.member else rolls.none()
        return {roll.combatant_id: roll for roll in reversed(rolls[:MOST_ROLLS])}
