"""The options that a choice offers this character, and the reason if one cannot be taken now."""

from collections.abc import Collection
from dataclasses import replace

from .answers import Answers
from .at_level import up_to
from .build import Build, Decision
from .bundle import Bundle
from .content import Choice, Element, Ref, Requirement
from .derive import solved
from .facts import Gathered, Granted
from .requirements import RowContext, in_words, unmet
from .sheet import Option, Sheet


def options_for(bundle: Bundle, build: Build, sheet: Sheet, key: str, level: int) -> tuple[Option, ...]:
    """Everything that the choice `key` offers at `level`, in reading order, with the reason if it cannot be taken; then
    retired options that the character has by this choice or may take again.

    `taken` marks the character's present answers here. Prerequisites are tested without them, since another answer
    would replace them. Below the character's present level, they must also have held at `level`. Raises KeyError if
    there is no such choice.
    """
    choice = bundle.choices[key]
    found = sheet.solver.found
    chosen = {d.ref or d.stat for d in build.decisions if d.choice == key and (d.level == level or not choice.budget)}
    offers = offered_to(found, choice)
    moments = [found]
    if any(bundle.elements[ref].prerequisites for ref in offers):
        answers = [d for d in build.decisions if (d.choice, d.level) == (key, level)]
        open_build = unanswered(build, answers)
        free = solved(bundle, open_build).found if answers else found
        earlier = () if bundle.growing_into.isdisjoint(offers) else then(bundle, open_build, free, level)
        moments = [free, *earlier]
    others = elsewhere(build, choice, level)
    options = [statistic(found, choice, stat, level, stat in chosen) for stat in choice.stats]
    for ref in dict.fromkeys((*offers, *(ref for ref in choice.retired if ref in chosen))):
        element = bundle.elements[ref]
        taken = ref in chosen
        why, lacking = "", tuple[tuple[Requirement, ...], ...]()
        if not taken and not choice.repeats:
            why = already(
                found.by_word.get((choice.grant_as, ref)), ref in others or (ref in found.nodes and ref not in chosen)
            )
        if not taken and choice.grant_as == "rank":
            why = at_last_rank(found, element)
        if not taken and not why:
            context = context_of(moments[0], choice, ref)
            lacking = next(filter(None, (unmet(element.prerequisites, moment, context) for moment in moments)), ())
            why = " ".join(f"Needs {in_words(group, bundle)}." for group in lacking)
        options.append(Option(ref=ref, name=element.name, taken=taken, why_not=why, lacking=lacking))
    return tuple(options)


def offered_to(found: Gathered, choice: Choice) -> tuple[Ref, ...]:
    """The elements that the choice offers this character, in reading order; then retired ones that the character has
    and may take again."""
    if not choice.repeats:
        return choice.options
    return (*choice.options, *(ref for ref in choice.retired if found.has(ref)))


def unanswered(build: Build, answers: Collection[Decision]) -> Build:
    return replace(build, decisions=tuple(one for one in build.decisions if one not in answers))


def then(bundle: Bundle, build: Build, now: Gathered, level: int) -> list[Gathered]:
    """The facts as of `level`, where prerequisites must have held too; empty unless that is below the level of `now`,
    the present facts."""
    if level >= now.level:
        return []
    return [solved(bundle, up_to(bundle, build, level)).found]


def statistic(found: Gathered, choice: Choice, stat: str, level: int, taken: bool) -> Option:
    """A statistic to put points on, with its room below the choice's ceiling."""
    name, room, why = found.bundle.stats[stat].name, choice.per_option_max, ""
    if choice.ceiling:
        spread = found.spread.get(stat, ())
        others = sum(d.points for d, _ in spread if (d.choice, d.level) != (choice.key, level))
        total = found.build.inputs.get(stat, 0) + others
        ceiling = Answers(found).constant(choice.ceiling)
        room = max(0, min(room, ceiling - total))
        why = "" if room else f"{name} is at {total}; {found.bundle.game.levels.NAME}s bring it to {ceiling} at most."
    return Option(stat=stat, name=name, taken=taken, why_not=why, room=room)


def elsewhere(build: Build, choice: Choice, level: int) -> set[Ref]:
    """The elements already taken by answers to other choices or at other levels."""
    return {
        d.ref for d in build.decisions if d.ref and (d.choice != choice.key or (choice.budget and d.level != level))
    }


def at_last_rank(found: Gathered, element: Element) -> str:
    """A sentence if the job has no further rank for this character; "" otherwise."""
    if element.job is None or element.job.limit_break or found.rank(element.ref) < element.job.max_rank:
        return ""
    return f"{element.name} ends at rank {element.job.max_rank}."


def context_of(found: Gathered, choice: Choice, ref: Ref) -> RowContext:
    """The context for the prerequisites of `ref`: whether it would be the first job."""
    return RowContext(first_job=found.starting_job in ("", ref) if choice.grant_as == "rank" else None)


def already(granted: Granted | None, taken: bool) -> str:
    """A sentence if the character has it already, granted or taken; "" otherwise."""
    if granted and granted.path:
        return f"You have it from {granted.path[-1]}."
    return "You have it already." if taken else ""
