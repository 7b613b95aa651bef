"""Tests of circumstances and prerequisites, with words for a test that fails."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .bundle import Bundle
from .content import Circumstance, Requirement
from .phrases import name_of, settings_words

if TYPE_CHECKING:
    from .facts import Gathered


class RowContext(NamedTuple):
    """The facts around a row: whether its owner is the first job, whether the roll is trained, the attack's grip, and
    whether the roll is of a skill, knowledge or tool."""

    first_job: bool | None = None
    trained: bool | None = None
    grip: frozenset[str] = frozenset()
    named: bool = False


NOWHERE = RowContext()
AT_CHARACTER = {"nothing", "two-weapons"}


def holds(test: Requirement, facts: "Gathered", context: RowContext) -> bool:
    """True if one test holds, its `negate` included. The storyteller's agreement is never assumed."""
    return _plain(test, facts, context) != test.negate


def _plain(test: Requirement, facts: "Gathered", context: RowContext) -> bool:
    match test.test:
        case "has":
            return facts.has(test.ref)
        case "skilled":
            return facts.skilled(test.ref)
        case "stat_min" | "stat_max":
            value = facts.stat(test.stat)
            if value is None:
                return False
            return value >= test.value if test.test == "stat_min" else value <= test.value
        case "level":
            return facts.level >= test.value
        case "rank":
            return facts.rank(test.ref) >= test.value
        case "wears":
            return facts.wears(test.word, test.ref)
        case "wields":
            return facts.hands(test.word) if test.word in AT_CHARACTER else test.word in context.grip
        case "first_job":
            return bool(context.first_job)
        case "roll_trained":
            return bool(context.trained)
        case "roll_named":
            return context.named
        case "resource_empty":
            return facts.empty(test.word)
        case "switch":
            # If the value is a list, each of its entries counts.
            return not {word.strip() for word in facts.switch(test.switch).split(",")}.isdisjoint(test.word.split("|"))
        case _:
            return False


def all_hold(tests: Sequence[Requirement], facts: "Gathered", context: RowContext) -> bool:
    """True if every test holds; of those that share a non-zero `either`, one is enough."""
    found = [(test.either, holds(test, facts, context)) for test in tests]
    return {either for either, held in found if not held} <= {either for either, held in found if held and either}


def unmet(tests: Iterable[Requirement], facts: "Gathered", context: RowContext) -> tuple[tuple[Requirement, ...], ...]:
    """The unmet requirements: groups of rows, any one of which would do."""
    return tuple(group for group in groups_of(tests) if not any(holds(test, facts, context) for test in group))


def groups_of[Test: Requirement](tests: Iterable[Test]) -> tuple[tuple[Test, ...], ...]:
    """The tests in groups; one test of each must hold. A group is a single test, or all tests with the same
    `either`."""
    alone: list[tuple[Test, ...]] = []
    groups: dict[int, list[Test]] = {}
    for test in tests:
        if test.either:
            groups.setdefault(test.either, []).append(test)
        else:
            alone.append((test,))
    return (*alone, *(tuple(rows) for rows in groups.values()))


def applies(circumstance: Circumstance, facts: "Gathered", context: RowContext) -> tuple[bool, str]:
    """True if rows under this circumstance count now; otherwise False and the reason in words."""
    if circumstance.tests and not all_hold(circumstance.tests, facts, context):
        switched = circumstance.detection == "toggle" or facts.toggled(circumstance.slug)
        return False, circumstance.in_vain if switched else circumstance.unmet
    if circumstance.detection == "auto" or facts.toggled(circumstance.slug):
        return True, ""
    if circumstance.detection == "table" and circumstance.default_on:
        return True, ""
    return False, circumstance.aside


def in_words(tests: Iterable[Requirement], bundle: Bundle) -> str:
    """A group of alternative requirements as words: "fighter rank 3 or Strength at least 13"."""
    return " or ".join(_word(test, bundle) for test in tests)


def _word(test: Requirement, bundle: Bundle) -> str:
    words = words_of(
        test.test,
        value=test.value,
        name=name_of(bundle.elements, test.ref),
        stat=name_of(bundle.stats, test.stat),
        switch=name_of(bundle.switches, test.switch),
        setting=settings_words(bundle.switches, test.switch, test.word),
        level=bundle.game.levels.NAME,
    )
    return ("not " if test.negate else "") + (words or test.test.replace("_", " "))


def words_of(test: str, *, value: int | None, name: str, stat: str, switch: str, setting: str, level: str) -> str:
    """The words after “needs” for a test with these names; "" for a test that only circumstances use."""
    words: Mapping[str, str] = {
        "has": name,
        "skilled": f"proficiency with {name}",
        "stat_min": f"{stat} at least {value}",
        "stat_max": f"{stat} at most {value}",
        "level": f"{level} {value}",
        "rank": f"{name} rank {value}",
        "first_job": "being the starting job",
        "switch": f"the house rule “{switch}” set to {setting}",
        "storyteller": "the storyteller’s agreement",
    }
    return words.get(test, "")
