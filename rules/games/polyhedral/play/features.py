"""Actions with limited uses, and their dice, if any."""

from dataclasses import replace

from rules.engine.bundle import Bundle
from rules.engine.content import Action, Ref
from rules.engine.sheet import ActionLine, Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import At

from ..health import heal, healing
from .body import becoming, begun_by_hand, body_of, conscious, needs_turn
from .ends import lasts
from .harm import alive, by_wounds, halved_by_wounds
from .pool import thrown
from .rests import begin_rest

# Timings of actions that do not use a feature: a die in a rest, a point of Resolve.
OTHERWISE = {"rest", "resolve"}


def action_of(sheet: Sheet, slug: str) -> ActionLine:
    line = next((line for line in sheet.actions if line.action.slug == slug), None)
    if line is None:
        raise NotAllowed("The character cannot do that.", "action")
    return line


def spent(sheet: Sheet, action: Action) -> bool:
    """True if fewer uses are left than the action takes."""
    line = sheet.resources.get(action.resource)
    return bool(action.resource) and (line is None or line.left < action.uses)


def price(sheet: Sheet, action: Action) -> dict[str, int]:
    """The price of using the action, as an amount to spend. Raises NotAllowed if less is left."""
    if spent(sheet, action):
        raise NotAllowed(f"{action.name} is spent.", "action")
    return {action.resource: action.uses} if action.resource else {}


def used(at: At, slug: str, faces: tuple[int, ...] = (), whom: str = "") -> Outcome:
    """Use an action: spend its uses, roll its damage or healing, and begin the rest or condition that it brings.

    whom: the target, in the table's own words.
    """
    build, sheet = at.build, at.sheet
    line = action_of(sheet, slug)
    action = line.action
    if action.timing in OTHERWISE:
        raise NotAllowed(f"{action.name} has its own form.", "action")
    if action.changes:
        raise NotAllowed(f"{action.name} is used on a roll that it can change.", "action")
    needs_turn(sheet, action.timing, "action")
    conscious(build)
    if action.fires:
        return begin_rest(at, rest=slug)
    spends = price(sheet, action)
    if action.begins:
        return replace(begins(at, action, whom), spends=spends)
    if action.roll not in ("heal", "damage"):
        return Outcome(f"{name_of(build)} uses {action.name}{on(whom)}.", spends)
    shown = thrown(at.chance, line.dice, action.die, faces)
    total = max(0, sum(shown) + line.modifier)
    rolled = Rolled(
        action.roll, slug, action.name, shown, total, die=action.die, by_hand=bool(faces),
        modifiers=((action.name, line.modifier),) if line.modifier else (),
    )  # fmt: skip
    if action.roll == "damage":
        return Outcome(f"{name_of(build)} uses {action.name}{on(whom)}: {total} damage.", spends, rolls=(rolled,))
    body = alive(body_of(build, sheet))
    after, healed = heal(body, total), healing(total, body.wounds)
    rolled = replace(rolled, total=healed, modifiers=rolled.modifiers + by_wounds(total, healed))
    regained = f"regains {after.health - body.health} health{halved_by_wounds(total, healed)}"
    sentence = f"{name_of(build)} uses {action.name}: {total}, and {regained}."
    outcome = becoming(build, sheet, after, sentence)
    return replace(outcome, spends={**outcome.spends, **spends}, rolls=(rolled,))


def begins(at: At, action: Action, whom: str) -> Outcome:
    """Put the action's condition on its user, to end as its content says."""
    held = replace(lasts(at.bundle, action.begins, "", 0), source=whom)
    if held in at.build.conditions:
        raise NotAllowed(f"{at.bundle.elements[action.begins].name}: that is so already.", "action")
    return begun_by_hand(at.build, at.sheet, held, f"{name_of(at.build)} uses {action.name}{on(whom)}.")


def begun_by_actions(bundle: Bundle) -> frozenset[Ref]:
    """The conditions that an action puts on its user. Their source is the name of the target."""
    known: frozenset[Ref] | None = bundle.memo.get("begun by actions")
    if known is None:
        actions = (action for element in bundle.elements.values() for action in element.actions)
        known = bundle.memo["begun by actions"] = frozenset(action.begins for action in actions if action.begins)
    return known


def on(whom: str) -> str:
    return f" on {whom}" if whom else ""
