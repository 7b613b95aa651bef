"""Buying together, and Resources that move for good (sections 17 and 26, rulings 67 and 91)."""

from collections.abc import Sequence
from dataclasses import replace

from rules.engine.build import Build
from rules.engine.bundle import Bundle, Element
from rules.engine.sheet import Sheet
from rules.systems.outcome import NotAllowed, Outcome

from ..wealth import CLASSES, LIFESTYLES, lifestyle, pooled
from .body import RESOLVE
from .rests import brought_back

GAINED, LOST, LOWERED = "resources-gained", "resources-lost", "resources-lowered"


def pooled_offer(sheet: Sheet, element: Element, ranks: Sequence[int]) -> str:
    """What the pool of this character and the `ranks` of others affords, as a sentence; refused beyond its means."""
    together = pooled([sheet.value("resources.rank"), *ranks])
    if not ranks or together is None:
        raise NotAllowed("Only characters of the same lifestyle can pool their Resources.", "ranks")
    means = lifestyle(together)
    if element.cost_class > means:
        raise NotAllowed(
            f"{element.name} is {CLASSES[element.cost_class]}; together they are {LIFESTYLES[means]} ({together}).",
            "ref",
        )
    return f"Together: Resources {together}, {LIFESTYLES[means]}."


def after_downtime(bundle: Bundle, build: Build, sheet: Sheet, *, restore: bool, ranks: int, points: int) -> Outcome:
    """The effects that a spell of downtime may have (ruling 91): Resources restored, Resources moved for good by
    `ranks`, and Resolve regained by `points`."""
    outcome = brought_back(bundle, build, sheet, "downtime") if restore else Outcome()
    spends = dict(outcome.spends)
    if ranks:
        rank = sheet.value("resources.rank") + build.spent.get(LOWERED, 0)
        if not 0 <= rank + ranks <= 10:
            raise NotAllowed("Resources go from 0 to 10.", "ranks")
        spends |= moved_for_good(build, ranks)
    line = sheet.resources.get(RESOLVE)
    if points and line is not None:
        spends[RESOLVE] = -min(points, line.spent)
    return replace(outcome, spends={slug: amount for slug, amount in spends.items() if amount})


def moved_for_good(build: Build, ranks: int) -> dict[str, int]:
    """A gain first makes up for what was lost for good, and the other way about."""
    up, down = (GAINED, LOST) if ranks > 0 else (LOST, GAINED)
    undone = min(abs(ranks), build.spent.get(down, 0))
    return {up: abs(ranks) - undone, down: -undone}
