from dataclasses import replace

from characters.journal import Refused
from characters.words import clean, whole
from rules.games.outcome import NotAllowed, Outcome, name_of
from rules.models.words import Kind

from .table import play

MOST_ROUNDS = 1_000


def add_condition(pk, person, key, *, condition, source="", until="", rounds=0, stacks=1):
    """Put the character under a condition. One condition may stand several times, once for each source (ruling 84).

    `until` is the slug of the rest that ends it or the player's own words, `rounds` how many turns it lasts; neither
    is until it is removed, or what the rules say (ruling 98).
    """
    source = clean(source, limit=120, field="source")
    until = clean(until, limit=120, field="until")
    whole(rounds, least=0, most=MOST_ROUNDS, field="rounds")
    whole(stacks, least=1, most=100, field="stacks")

    def happen(table):
        element = known(table, condition)
        if declared := table.game.state_by_hand(table.build, table.sheet, element.ref, on=True):
            return declared
        if stacks > 1 and not element.condition.stackable:
            raise NotAllowed(f"{element.name} does not stack.", "stacks")
        held = replace(table.game.lasts(table.bundle, element.ref, until, rounds), source=source, stacks=stacks)
        if held in table.build.conditions:
            raise NotAllowed("That stands already.", "condition")
        by = f" by {source}" if source else ""
        sentence = f"{name_of(table.build)} is {element.name.lower()}{by}{lasting(table, held)}."
        return table.game.begun_by_hand(table.build, table.sheet, held, sentence)

    what = {"condition": condition, "source": source, "until": until, "rounds": rounds, "stacks": stacks}
    return play(pk, person, key, "add_condition", happen, **what)


def remove_condition(pk, person, key, *, condition, source=None):
    """Take a condition away: from one source, or from every one when `source` is None."""

    def happen(table):
        element = known(table, condition)
        if declared := table.game.state_by_hand(table.build, table.sheet, element.ref, on=False):
            return declared
        ends = tuple(
            (held.ref, held.source)
            for held in table.build.conditions
            if held.ref == element.ref and source in (None, held.source)
        )
        if not ends:
            raise NotAllowed(f"The character is not {element.name.lower()}.", "condition")
        by = f" by {source}" if source else ""
        return Outcome(f"{name_of(table.build)} is no longer {element.name.lower()}{by}.", ends=ends)

    return play(pk, person, key, "remove_condition", happen, condition=condition, source=source)


def next_round(pk, person, key):
    """The character's next turn begins: counted rounds tick down, each-turn features come back (ruling 98)."""
    return play(pk, person, key, "next_round", lambda table: table.game.next_round(*table.rules))


def toggle(pk, person, key, *, circumstance, on):
    """Switch a circumstance of the table on or off: cover, dim light, an attacker near or far.

    What it contradicts, another of its group, is switched off by the same change.
    """

    def happen(table):
        found = table.bundle.circumstances.get(circumstance)
        if found is None or found.detection == "auto":
            raise NotAllowed("There is no such circumstance to switch.", "circumstance")
        table.draft.put(f"toggle:{circumstance}", True if on else None)
        others = contradicted(table.bundle, table.build.toggles, found) if on else []
        for other in others:
            table.draft.put(f"toggle:{other.slug}", None)
        instead = "".join(f"; {other.name}, no longer" for other in others)
        return Outcome(f"{name_of(table.build)}: {found.name}, {'yes' if on else 'no longer'}{instead}.")

    return play(pk, person, key, "toggle", happen, circumstance=circumstance, on=bool(on))


def contradicted(bundle, on, circumstance):
    """What of the circumstances that are `on`, by slug, cannot be so together with this."""
    others = [bundle.circumstances[slug] for slug in sorted(on & bundle.circumstances.keys())]
    return [
        other for other in others if other.group and other.group == circumstance.group and other is not circumstance
    ]


def known(table, ref):
    """The condition's element. Those that a counter stands for are moved by that counter."""
    element = table.bundle.elements.get(ref) if isinstance(ref, str) else None
    if element is None or element.kind != Kind.CONDITION:
        raise Refused("There is no such condition.", "condition")
    if element.condition is not None and element.condition.resource:
        raise NotAllowed(f"{element.name} is a number of its own: change that.", "condition")
    return element


def lasting(table, held) -> str:
    rounds = f" for {held.rounds} round{'s' * (held.rounds != 1)}" if held.rounds else ""
    event = table.bundle.events.get(held.until)
    until = f": {event.name.lower()}" if event else f" {held.until}"
    return f"{rounds}{' at most' * bool(rounds)}, until{until}" if held.until else rounds
