"""What a change reaches: read off the content once, the numbers and rolls that may move when something else does."""

from collections.abc import Callable, Iterable

from .bundle import Bundle
from .content import Effect, Ref, Requirement
from .requirements import AT_CHARACTER

# Something that may move, by its kind and name: ("stat", key), ("when", circumstance), ("element", ref: active or
# not, or at another rank), ("has", ref), ("rank", ref), ("skilled", ref), ("spent", resource), ("empty", resource),
# WORN, IN_HAND, ACTIONS, RESOURCES, RECOVERIES, and ("roll", kind, subject or ability or "" for all of the kind).
type Source = tuple[str, ...]
type Graph = dict[Source, set[Source]]

# The kinds of element that come and go without a decision.
COMING_AND_GOING = {"condition", "weapon", "armor", "gear", "tool"}
WORN, IN_HAND = ("items", "worn"), ("items", "in hand")
ACTIONS, RESOURCES, RECOVERIES = ("lines", "actions"), ("lines", "resources"), ("lines", "recoveries")


def reached(bundle: Bundle, moved: Iterable[Source]) -> frozenset[Source]:
    """These and everything that may move with them, however far. More than what will move, never less."""
    graph: Graph | None = bundle.memo.get("reads")
    if graph is None:
        graph = bundle.memo["reads"] = graph_of(bundle)
    found: dict[Source, frozenset[Source]] = bundle.memo.setdefault("reached", {})
    every: set[Source] = set()
    for source in moved:
        if source not in found:
            found[source] = walked(graph, source)
        every |= found[source]
    return frozenset(every)


def walked(graph: Graph, source: Source) -> frozenset[Source]:
    found: set[Source] = set()
    waiting = [source]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += graph.get(one, ())
    return frozenset(found)


def graph_of(bundle: Bundle) -> Graph:
    """From each source to what reads it."""
    graph: Graph = {}

    def reads(target: Source, *sources: Source) -> None:
        for source in sources:
            if source[1]:
                graph.setdefault(source, set()).add(target)

    for ref, element in bundle.elements.items():
        for effect in element.effects:
            reads_of(effect, reads, ("element", ref))
        for use in element.properties:  # of what is worn
            for effect in bundle.elements[use.property].effects:
                reads_of(effect, reads, ("element", ref))
        for action in element.actions:
            reads(ACTIONS, ("element", ref), ("stat", action.amount.of_stat))
        for resource in element.resources:
            reads(RESOURCES, ("element", ref), ("stat", resource.max_stat))
        for recovery in element.recoveries:
            reads(RECOVERIES, ("element", ref), ("when", recovery.when))
    for slug, circumstance in bundle.circumstances.items():
        reads(("when", slug), *(source for test in circumstance.tests for source in asked(test)))
    for key, stat in bundle.stats.items():
        reads(("stat", key), ("stat", stat.created_of), ("spent", stat.spent_of))
    return graph


def reads_of(effect: Effect, reads: Callable[..., None], owner: Source) -> None:
    if effect.kind == "modify":
        target: Source = ("stat", effect.stat)
    elif effect.kind == "roll":
        target = ("roll", effect.roll, effect.subject or effect.ability)
    else:
        return
    reads(target, owner, *read_by(effect))


def read_by(effect: Effect) -> tuple[Source, ...]:
    """What a row reads beside whether its owner is active, and at what rank."""
    return ("when", effect.when), ("stat", effect.amount.of_stat)


def asked(test: Requirement) -> list[Source]:
    """What a test of a circumstance asks about. Level, house rules and starting job do not move at the table."""
    match test.test:
        case "has" | "skilled" | "rank":
            return [(test.test, test.ref)]
        case "stat_min" | "stat_max":
            return [("stat", test.stat)]
        case "wears":
            return [WORN]
        case "wields" if test.word in AT_CHARACTER:
            return [IN_HAND]
        case "resource_empty":
            return [("empty", test.word)]
        case _:
            return []


def deciding(bundle: Bundle) -> frozenset[Source]:
    """What grants, choices and prerequisites ask about: where this moves, more than numbers may."""
    known: frozenset[Source] | None = bundle.memo.get("deciding")
    if known is None:
        every = bundle.elements.values()
        under = {effect.when for effects in bundle.grants.values() for effect in effects}
        under |= {choice.when for one in every for choice in one.choices}
        under.discard("")
        tests = [test for slug in under for test in bundle.circumstances[slug].tests]
        tests += [test for one in every for test in one.prerequisites]
        switched = {("when", slug) for slug in under if bundle.circumstances[slug].detection != "auto"}
        known = bundle.memo["deciding"] = frozenset(switched | {source for test in tests for source in asked(test)})
    return known


def standing_apart(bundle: Bundle) -> frozenset[Ref]:
    """The items and conditions that bring nothing but numbers and one another.

    Whether they are active moves nothing else of what is active, asked or granted.
    """
    known: frozenset[Ref] | None = bundle.memo.get("apart")
    if known is None:
        known = bundle.memo["apart"] = found_apart(bundle)
    return known


def found_apart(bundle: Bundle) -> frozenset[Ref]:
    apart = {one.ref for one in bundle.elements.values() if one.kind in COMING_AND_GOING}
    # What may be active without having come at the table, and all that it brings.
    waiting = list(bundle.elements.keys() - apart)
    while waiting:
        brought = {one.element for one in bundle.grants.get(waiting.pop(), ()) if one.grant_as in ("gain", "rank")}
        waiting += apart & brought
        apart -= brought
    apart -= {ref for choice in bundle.choices.values() for ref in choice.options if choice.grant_as == "gain"}
    apart -= {name for _, name in deciding(bundle)} | {choice.owner for choice in bundle.choices.values()}
    while more := {ref for ref in apart if any(brings_more(effect, apart) for effect in bundle.grants.get(ref, ()))}:
        apart -= more
    return frozenset(apart)


def brings_more(effect: Effect, apart: set[Ref]) -> bool:
    return effect.grant_as != "gain" or effect.element not in apart
