"""Buying together, and Resources that move for good (sections 17 and 26, rulings 67 and 91)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Element
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome

from ..wealth import CLASSES, in_words, lifestyle, loss, pooled
from .body import RESOLVE
from .rests import brought_back

GAINED, LOST, LOWERED = "resources-gained", "resources-lost", "resources-lowered"


@dataclass(frozen=True, slots=True)
class Reach:
    """One class of goods: whether the pool affords it, and in words what it would mean to buy it alone."""

    number: int
    name: str
    together: bool
    alone: str


@dataclass(frozen=True, slots=True)
class Pool:
    """What several characters have together. Buying with it costs nobody a rank (ruling 67)."""

    words: str
    classes: tuple[Reach, ...]


def pool_of(sheet: Sheet, ranks: Sequence[int]) -> Pool:
    """This character's Resources with the `ranks` of others; refused where they cannot be put together."""
    own = sheet.value("resources.rank")
    if not lifestyle(own):
        raise NotAllowed("With Resources 0 there is nothing to put in.", "ranks")
    if not ranks:
        raise NotAllowed("Enter the Resources rank of each of the others.", "ranks")
    if not all(0 <= rank <= 10 for rank in ranks):
        raise NotAllowed("Resources go from 0 to 10.", "ranks")
    together = pooled([own, *ranks])
    if together is None:
        raise NotAllowed(
            f"Only characters of the same lifestyle can pool their Resources; here that is {in_words(own)}.", "ranks"
        )
    reach = lifestyle(together)
    classes = (Reach(at, name, at <= reach, _alone(own, at)) for at, name in enumerate(CLASSES) if at)
    return Pool(in_words(together), tuple(classes))


def _alone(rank: int, wanted: int) -> str:
    cost = loss(rank, wanted)
    if cost is None:
        return "no"
    return f"Resources fall to {in_words(rank - cost)}" if cost else "yes"


def pooled_offer(sheet: Sheet, element: Element, ranks: Sequence[int]) -> str:
    """What the pool has, as a sentence, where it affords the element; refused beyond its means."""
    pool = pool_of(sheet, ranks)
    if not pool.classes[element.cost_class - 1].together:
        raise NotAllowed(f"{element.name} is {CLASSES[element.cost_class]}; together they are {pool.words}.", "ref")
    return f"Together: Resources {pool.words}."


def after_downtime(bundle: Bundle, build: Build, sheet: Sheet, *, restore: bool, ranks: int, points: int) -> Outcome:
    """The effects that days of downtime may have (ruling 91): Resources restored, Resources moved for good by
    `ranks`, and Resolve regained by `points`. Its sentence is the rest of one, "" where nothing moves."""
    outcome = brought_back(bundle, build, sheet, "downtime") if restore else Outcome()
    spends = dict(outcome.spends)
    words = ["Resources restored."] if spends.get(LOWERED) else []
    if ranks:
        rank = for_good(build, sheet)
        if not 0 <= rank + ranks <= 10:
            raise NotAllowed("Resources go from 0 to 10.", "ranks")
        spends |= moved_for_good(build, ranks)
        words.append(f"Resources {'+' if ranks > 0 else '−'}{abs(ranks)} for good.")
    line = sheet.resources.get(RESOLVE)
    if points and line is not None:
        spends[RESOLVE] = -min(points, line.spent)
        words += [f"Resolve +{-spends[RESOLVE]}."] if spends[RESOLVE] else []
    told = "".join(f" {word}" for word in words)
    return replace(outcome, sentence=told, spends={slug: amount for slug, amount in spends.items() if amount})


def for_good(build: Build, sheet: Sheet) -> int:
    """The rank without what is lowered for a time; the one on the sheet is never below 0."""
    because = sheet.values["resources.rank"].because
    return sum(step.amount for step in because if step.applied and step.op != "minimum") + build.spent.get(LOWERED, 0)


def moved_for_good(build: Build, ranks: int) -> dict[str, int]:
    """A gain first makes up for what was lost for good, and the other way about."""
    up, down = (GAINED, LOST) if ranks > 0 else (LOST, GAINED)
    undone = min(abs(ranks), build.spent.get(down, 0))
    return {up: abs(ranks) - undone, down: -undone}
