"""The one roll, the problems of a character, and what the sheet shows."""

from collections.abc import Mapping
from functools import partial

from rules.engine.build import PLACES, Build
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.sheet import Attack, Problem, ResourceLine, Roll, Sheet, Step
from rules.engine.solve import Solver
from rules.games import sections
from rules.games.outcome import counted
from rules.games.region import ACTIONS, IDENTITY, NUMBERS, STORY, UNFINISHED, WAYS, Region
from rules.games.rows import Figure, HeldRow, Situation, Thing
from rules.games.view import View, section

from . import files, steps

ON = 5  # a pebble that shows this or more counts
SHOWN = ("luck", "grip", "heart", "pebbles.max")


def build_rolls(solver: Solver) -> dict[str, Roll]:
    luck = solver.value("luck")
    why = Step("How to throw", "as many pebbles as luck", luck, part="dice", op="base")
    return {"throw": Roll("throw", "Throw", dice=luck, criticals_on=ON, because=(why,), words=counted(luck, "pebble"))}


def build_attacks(solver: Solver) -> tuple[Attack, ...]:
    return ()


def audit(solver: Solver, resources: Mapping[str, ResourceLine]) -> tuple[Problem, ...]:
    found = solver.found
    levels = files.levels_of(found.build.decisions)
    nameless = [] if found.build.name else [Problem("name", "The character has no name.")]
    broken = [Problem(files.decision_path(one, levels) if one else "", text) for one, _, text in found.problems]
    return (*nameless, *broken)


def chances(bundle: Bundle, switches: Mapping[str, str], roll: Roll) -> float:
    """The chance that at least one pebble counts."""
    return float(1 - ((ON - 1) / 6) ** roll.dice)


def remarks(roll: Roll) -> tuple[str, ...]:
    return (f"A pebble that shows {ON} or more counts.",)


REGIONS = (
    IDENTITY,
    UNFINISHED,
    WAYS,
    Region("hand", "play/hand.jinja", of=lambda s: (s.page.three, s.page.throw, s.page.pebbles)),
    ACTIONS,
    STORY,
    NUMBERS,
)


def roster(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Figure, ...]:
    line = sheet.resources["pebbles"]
    return (Figure("Pebbles", str(line.left), f"of {line.max}", left=line.left, most=line.max),)


class Page(View):
    identity = section(sections.identity)
    missing = section(steps.missing)
    problems = section(steps.problems)
    actions = section(sections.actions)
    features = section(sections.features)
    uses = section(partial(sections.uses, ()))
    defenses = section(sections.defenses)
    equipment = section(sections.equipment)
    conditions = section(sections.conditions)
    aspects = section(sections.aspects)
    notes = section(sections.notes)
    numbers = section(partial(sections.numbers, SHOWN))
    house_rules = section(sections.house_rules)
    exceptions = section(sections.exceptions)
    proficiencies: tuple[sections.ProficiencyGroup, ...] = ()

    @property
    def throw(self) -> Roll:
        return self.sheet.rolls["throw"]

    @property
    def pebbles(self) -> ResourceLine:
        return self.sheet.resources["pebbles"]

    @property
    def three(self) -> list[tuple[str, str, int]]:
        return [(key, self.bundle.stats[key].name, self.sheet.value(key)) for key in SHOWN[:3]]


class PlayView(View):
    held: tuple[HeldRow, ...] = ()
    offered: tuple[tuple[Ref, str], ...] = ()
    ends: tuple[tuple[str, str], ...] = ()
    situations: tuple[Situation, ...] = ()
    carries = False
    has_relationships = False
    things: dict[str, tuple[str, tuple[Thing, ...]]] = {place: (name, ()) for place, name in PLACES.items()}
