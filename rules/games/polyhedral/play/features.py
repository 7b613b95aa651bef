"""Using what has limited uses: an action of the sheet, with its dice where it has some."""

from dataclasses import replace
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import ActionLine, Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of

from ..health import heal, healing
from .body import becoming, body_of, conscious, needs_turn
from .harm import alive, by_wounds
from .pool import thrown
from .rests import BEGUN, begun

# Timings of what is no use of a feature: a die in a rest, a point of resolve.
OTHERWISE = {"rest", "resolve"}


def action_of(sheet: Sheet, slug: str) -> ActionLine:
    line = next((line for line in sheet.actions if line.action.slug == slug), None)
    if line is None:
        raise NotAllowed("The character cannot do that.", "action")
    return line


def used(
    bundle: Bundle, build: Build, sheet: Sheet, slug: str, resting: str, chance: Random, faces: tuple[int, ...] = ()
) -> Outcome:
    """Use an action: its uses are spent, its healing is rolled and taken, a rest that it brings begins."""
    line = action_of(sheet, slug)
    action = line.action
    if action.timing in OTHERWISE:
        raise NotAllowed(f"{action.name} has a form of its own.", "action")
    needs_turn(sheet, action.timing, "action")
    conscious(build)
    if action.fires and slug in BEGUN:
        return begun(build, sheet, resting, slug)
    spends = {}
    if action.resource:
        resource = sheet.resources.get(action.resource)
        if resource is None or resource.left < action.uses:
            raise NotAllowed(f"{action.name} is spent.", "action")
        spends = {action.resource: action.uses}
    if action.roll != "heal":
        return Outcome(f"{name_of(build)} uses {action.name}.", spends)
    body = alive(body_of(build, sheet))
    shown = thrown(chance, line.dice, action.die, faces)
    total = max(0, sum(shown) + line.modifier)
    after, healed = heal(body, total), healing(total, body.wounds)
    rolled = Rolled(
        "heal", slug, action.name, shown, healed, die=action.die, by_hand=bool(faces),
        modifiers=(((action.name, line.modifier),) if line.modifier else ()) + by_wounds(total, healed),
    )  # fmt: skip
    sentence = f"{name_of(build)} uses {action.name}: {total}, and regains {after.health - body.health} health."
    outcome = becoming(build, sheet, after, sentence)
    return replace(outcome, spends={**outcome.spends, **spends}, rolls=(rolled,))
