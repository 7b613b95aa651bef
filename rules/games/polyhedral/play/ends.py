"""The end of conditions: after rounds and turns, with a rest, with a roll (sections 22, 27.8, 30, rulings 72, 98)."""

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.build import Build, Held
from rules.engine.bundle import Bundle
from rules.engine.content import Condition, Ref
from rules.games.outcome import listed

# Conditions to end, as in Outcome.ends: each with its source.
type Over = tuple[tuple[Ref, str], ...]


def held_as(build: Build, ref: Ref) -> Over:
    """The condition, once for each of its sources; empty if the character does not have it."""
    return tuple((held.ref, held.source) for held in build.conditions if held.ref == ref)


def called(bundle: Bundle, build: Build, ref: Ref, source: str) -> str:
    """The name of a condition, with its source if the character has it from several."""
    several = len(held_as(build, ref)) > 1
    return f"{bundle.called(ref)} by {source}" if source and several else bundle.called(ref)


def condition_of(bundle: Bundle, ref: Ref) -> Condition:
    element = bundle.elements.get(ref)
    return (element and element.condition) or Condition(stackable=False, max_stacks=1)


def lasts(bundle: Bundle, ref: Ref, until: str, rounds: int) -> Held:
    """The condition as it begins. It ends as `until` and `rounds` say or, without both, as its own rows say."""
    if until or rounds:
        return Held(ref, until=until, rounds=rounds)
    condition = condition_of(bundle, ref)
    return Held(ref, until=condition.until, rounds=condition.turns)


def ended_by_event(bundle: Bundle, build: Build, event: str, *, brief: bool) -> Over:
    """The conditions that an event ends: those that last until it, those without an end of their own whose content
    names it and, unless the event is `brief`, those counted in rounds."""
    events = bundle.included[event]
    return tuple(
        (held.ref, held.source)
        for held in build.conditions
        if (held.until or condition_of(bundle, held.ref).until) in events or (held.rounds and not brief)
    )


def ended_by_roll(bundle: Bundle, build: Build, kind: str) -> Over:
    """The conditions that end with a roll of this kind: check, save or attack."""
    return tuple(
        (held.ref, held.source) for held in build.conditions if condition_of(bundle, held.ref).ends_with == kind
    )


def ticked(held: Iterable[Held]) -> tuple[Over, tuple[Held, ...]]:
    """The conditions that end, and those that continue with one round less, after one more round or turn."""
    counted = [one for one in held if one.rounds]
    over = tuple((one.ref, one.source) for one in counted if one.rounds == 1)
    return over, tuple(replace(one, rounds=one.rounds - 1) for one in counted if one.rounds > 1)


def of_own_turns(bundle: Bundle, build: Build) -> list[Held]:
    """The conditions that count the character's own turns, not the rounds of the fight."""
    return [held for held in build.conditions if condition_of(bundle, held.ref).turns]


def no_longer(bundle: Bundle, over: Over) -> str:
    """A sentence on the conditions that have ended."""
    names = [bundle.called(ref).lower() for ref in dict.fromkeys(ref for ref, _ in over)]
    return f" No longer {listed(names)}." if names else ""
