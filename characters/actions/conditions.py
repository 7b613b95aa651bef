"""Conditions put on by hand, and the circumstances of the table."""

from collections.abc import Set
from dataclasses import replace

from characters.change.refusals import Refused
from rules.engine import Bundle
from rules.engine.build import Held
from rules.engine.content import Circumstance, Element
from rules.engine.phrases import not_offered
from rules.games.contract import ConditionRules
from rules.games.outcome import NotAllowed, Outcome, counted, name_of
from rules.games.sections import with_article
from rules.games.table_action import CONDITIONS, Number, TableAction, Text, Word
from rules.models.vocabulary import Kind

from .action_context import ActionContext


def add_condition(at: ActionContext, *, condition: str, source: str, until: str, rounds: int, stacks: int) -> Outcome:
    """Put the character under a condition. The same condition may hold several times, once for each source (ruling 84).

    `until` is the slug of the rest that ends it, or the player's own words; `rounds` is how many turns it lasts.
    Without either it lasts until it is removed, or as the rules say (ruling 98).
    """
    element = known(at, condition)
    if (gone := not_offered(element)) and element.ref not in {held.ref for held in at.build.conditions}:
        raise NotAllowed(gone, "condition")
    if declared := _rules(at).state_by_hand(at.build, at.sheet, element.ref, on=True):
        return declared
    most = at.bundle.stackable.get(element.ref, 1)
    if stacks > most:
        how_far = f"stacks up to {most}" if most > 1 else "does not stack"
        raise NotAllowed(f"{element.name} {how_far}.", "stacks")
    held = replace(_rules(at).lasts(at.bundle, element.ref, until, rounds), source=source, stacks=stacks)
    times, by = f" × {stacks}" if stacks > 1 else "", f" by {source}" if source else ""
    now = f"{name_of(at.build)} is {element.name.lower()}{times}{by}"
    if held in at.build.conditions:
        raise NotAllowed(f"{now} already.", "condition")
    sentence = f"{now}{lasting(at, held)}."
    return _rules(at).begun_by_hand(at.build, at.sheet, held, sentence)


def remove_condition(at: ActionContext, *, condition: str, source: str | None) -> Outcome:
    """End a condition: from one source, or from every one when `source` is None. A condition that the rules in play do
    not have, because its source of rules is left out, is simply removed."""
    if condition in at.bundle.elements or condition not in {held.ref for held in at.build.conditions}:
        element = known(at, condition)
        if declared := _rules(at).state_by_hand(at.build, at.sheet, element.ref, on=False):
            return declared
    name = at.bundle.called(condition).lower()
    ends = tuple(
        (held.ref, held.source)
        for held in at.build.conditions
        if held.ref == condition and source in (None, held.source)
    )
    if not ends:
        raise NotAllowed(f"The character is not {name}.", "condition")
    by = f" by {source}" if source else ""
    return Outcome(f"{name_of(at.build)} is no longer {name}{by}.", ends=ends)


def toggle(at: ActionContext, *, switch: str) -> Outcome:
    """Switch a circumstance of the table on or off: cover, dim light, an attacker near or far. `switch` is `+` or `-`
    and the circumstance.

    The same change switches off the rest of its group: circumstances of one group contradict each other.
    """
    on, found = switch[:1] == "+", at.bundle.circumstances.get(switch[1:])
    if found is None or found.detection == "auto":
        raise NotAllowed("There is no such circumstance to switch.", "circumstance")
    at.draft.put(f"toggle:{found.slug}", True if on else None)
    others = contradicted(at.bundle, at.build.toggles, found) if on else []
    for other in others:
        at.draft.put(f"toggle:{other.slug}", None)
    instead = "".join(f"; {other.name}, no longer" for other in others)
    return Outcome(f"{name_of(at.build)}: {found.name}, {'yes' if on else 'no longer'}{instead}.")


def _rules(at: ActionContext) -> ConditionRules:
    rules = at.bundle.game.conditions
    if rules is None:
        raise NotAllowed("There are no conditions in this game.", "condition")
    return rules


def contradicted(bundle: Bundle, on: Set[str], circumstance: Circumstance) -> list[Circumstance]:
    """The circumstances that are `on` (slugs) and that this one rules out."""
    others = [bundle.circumstances[slug] for slug in sorted(on & bundle.circumstances.keys())]
    return [
        other for other in others if other.group and other.group == circumstance.group and other is not circumstance
    ]


def known(at: ActionContext, ref: str) -> Element:
    """The condition's element. Refused if there is none; NotAllowed if it stands for a counter, which is changed
    instead."""
    element = at.bundle.elements.get(ref)
    if element is None or element.kind != Kind.CONDITION:
        raise Refused("There is no such condition.", "condition")
    if ref in at.bundle.tracked:
        raise NotAllowed(f"{element.name} has its own counter: change that.", "condition")
    return element


def lasting(at: ActionContext, held: Held) -> str:
    rounds = f" for {counted(held.rounds, 'round')}" if held.rounds else ""
    event = at.bundle.events.get(held.until)
    until = with_article(event.name.lower()) if event else held.until
    return f"{rounds}{' at most,' * bool(rounds)} until {until}" if held.until else rounds


ACTIONS = (
    TableAction(
        "add_condition",
        add_condition,
        CONDITIONS,
        "conditions",
        {
            "condition": Word(),
            "source": Text(120),
            "until": Text(120),
            "rounds": Number(0, 1_000, otherwise=0),
            "stacks": Number(1, 100, otherwise=1),
        },
        key=("c", "add a condition"),
    ),
    TableAction(
        "remove_condition",
        remove_condition,
        CONDITIONS,
        "conditions",
        {"condition": Word(), "source": Word(otherwise=None)},  # exactly as stored, perhaps from a file
    ),
    TableAction("toggle", toggle, CONDITIONS, "conditions", {"switch": Word()}),
)
