"""Resources that a rest, a turn or the end of an adventure restores, by the rows of the character's elements."""

from .requirements import all_hold
from .sheet import Sheet


def due(sheet: Sheet, event: str) -> dict[str, int]:
    """The amount of each spent resource that an event would bring back, by slug, even if less is spent. Never 0.

    An event also brings back what the events it includes do. Rows under a circumstance count if it holds at that
    moment. Raises KeyError for an event that is not in the rules.
    """
    solver, lines = sheet.solver, sheet.resources
    found = solver.found
    events = found.bundle.included[event]
    back: dict[str, int] = {}
    for ref in sorted(found.bundle.recovering & found.nodes.keys()):
        node = found.nodes[ref]
        for row in node.element.recoveries:
            line = lines.get(row.resource)
            if line is None or not line.spent or row.event not in events:
                continue
            if row.when and not all_hold(found.bundle.circumstances[row.when].tests, found, found.context(node)):
                continue
            amount = line.spent if row.full else max(0, solver.amount(row.amount, node))
            if amount:
                back[row.resource] = back.get(row.resource, 0) + amount
    return back


def recovered(sheet: Sheet, event: str) -> dict[str, int]:
    """The amount of each resource that an event brings back, by slug. Never more than is spent, and never 0."""
    return {slug: min(sheet.resources[slug].spent, amount) for slug, amount in due(sheet, event).items()}
