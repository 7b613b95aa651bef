"""What a rest, a turn or the end of an adventure gives back, read from the rows of what the character has."""

from collections.abc import Mapping

from .requirements import all_hold
from .sheet import ResourceLine
from .solve import Solver


def recovered(solver: Solver, lines: Mapping[str, ResourceLine], event: str) -> dict[str, int]:
    """How much of each resource an event brings back, by slug: never more than is spent, and nothing that is 0.

    lines: the resources as the sheet has them. An event that includes another brings what that brings too. Rows under
    a circumstance count when it holds as the event comes. Raises KeyError for an event that is not in the rules.
    """
    found = solver.found
    found.left.update({slug: line.left for slug, line in lines.items()})
    solver.solve_all()
    events = {event, *found.bundle.events[event].includes}
    back: dict[str, int] = {}
    for ref in sorted(found.nodes):
        node = found.nodes[ref]
        for row in node.element.recoveries:
            line = lines.get(row.resource)
            if line is None or not line.spent or row.event not in events:
                continue
            if row.when and not all_hold(found.bundle.circumstances[row.when].tests, found, found.scene(node)):
                continue
            amount = line.spent if row.full else max(0, solver.amount(row.amount, node))
            if amount:
                back[row.resource] = min(line.spent, back.get(row.resource, 0) + amount)
    return back
