"""The standing of each element that the rules offer a character: the character has it, could take it, or lacks a
requirement. Uses the same functions as the options of a single choice, so that the two agree."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from .build import Build
from .bundle import Bundle
from .content import Choice, Element, Ref
from .derive import derive
from .facts import Gathered
from .options import already, at_last_rank, context_of, facts_of, then, unanswered
from .phrases import joined
from .requirements import RowContext, in_words, unmet
from .sheet import ChoiceLine, Sheet

OPEN, INSTEAD, LACKS, HAS = "open", "instead", "lacks", "has"
# If several choices offer the same element, the best standing counts.
BEST_FIRST = (OPEN, INSTEAD, LACKS)


class Standing(NamedTuple):
    """`state` is OPEN (a question or level is there for it, or will be with the next level), INSTEAD (the question for
    it has another answer), LACKS or HAS. `why` are sentences: how to get it, or each unmet requirement."""

    state: str
    why: tuple[str, ...]


def standings(bundle: Bundle, build: Build, sheet: Sheet) -> dict[Ref, Standing]:
    """The standing of every element that a choice of `bundle` offers; those about which there is nothing to say are
    left out."""
    found = facts_of(sheet)
    lines = defaultdict(list)
    for line in sheet.choices:
        lines[line.choice.key].append(line)
    offers = defaultdict(list)
    for choice in bundle.choices.values():
        for ref in choice.options:
            offers[ref].append(choice)
    before = cache(lambda level: then(bundle, build, sheet, level))

    @cache
    def asked(key: str, chosen: tuple[str, ...]) -> Gathered:
        """The facts without these answers to a choice."""
        open_build = unanswered(build, [one for one in build.decisions if one.choice == key and one.ref in chosen])
        return facts_of(derive(bundle, open_build))

    answers = {}
    for ref, choices in offers.items():
        if answer := _standing(found, sheet, bundle.elements[ref], choices, lines, before, asked):
            answers[ref] = answer
    return answers


def _standing(
    found: Gathered,
    sheet: Sheet,
    element: Element,
    choices: list[Choice],
    lines: dict[str, list[ChoiceLine]],
    before: Callable[[int], list[Gathered]],
    asked: Callable[[str, tuple[str, ...]], Gathered],
) -> Standing | None:
    if had := _had(found, element, choices):
        return Standing(HAS, (had,))
    offers = (_offer(found, sheet, element, choice, lines[choice.key], before, asked) for choice in choices)
    answers = [answer for answer in offers if answer]
    if not answers:
        offered = [name for choice in choices if (name := _whence(found, choice))]
        lacking = _lacking(found, element, RowContext())
        return Standing(LACKS, (f"Needs {joined(offered, 'or')}.", *lacking)) if offered else None
    best = min((one.state for one in answers), key=BEST_FIRST.index)
    return Standing(best, tuple(dict.fromkeys(why for one in answers if one.state == best for why in one.why)))


def _had(found: Gathered, element: Element, choices: list[Choice]) -> str:
    """A sentence if the character has it and no choice gives it again; "" otherwise."""
    for choice in choices:
        if choice.grant_as == "rank":
            if ended := at_last_rank(found, element):
                return ended
        elif choice.distinct != "free" and (
            had := already(found.by_word.get((choice.grant_as, element.ref)), element.ref in found.nodes)
        ):
            return had
    return ""


def _offer(
    found: Gathered,
    sheet: Sheet,
    element: Element,
    choice: Choice,
    lines: list[ChoiceLine],
    before: Callable[[int], list[Gathered]],
    asked: Callable[[str, tuple[str, ...]], Gathered],
) -> Standing | None:
    """The element's standing by one choice that offers it; None if the choice has nothing to say about it.

    A question of an earlier level is answered at that level, so the requirements must have held there too.
    """
    bundle, name = found.bundle, found.bundle.game.levels.NAME
    context = context_of(found, choice, element.ref)
    lacking = _lacking(found, element, context)
    if choice.budget and found.has(choice.owner):
        if lacking:
            return Standing(LACKS, lacking)
        again = f" It is rank {found.rank(element.ref) + 1}." if choice.grant_as == "rank" else ""
        open_now = f"You have a {name} for it." if sheet.picks.open else f"With your next {name}."
        return Standing(OPEN, (open_now + again,))
    if not lines or element.ref in {ref for line in lines for ref in line.chosen}:
        return None  # a chosen job gets further ranks only from levels
    if element.prerequisites and not any(line.open for line in lines):
        free = asked(choice.key, lines[0].chosen)
        lacking = _lacking(free, element, context_of(free, choice, element.ref))
    if lacking:
        return Standing(LACKS, lacking)
    grows = element.ref in bundle.growing_into
    early = {line.level: _too_early(before, line.level, element, context) if grows else () for line in lines}
    fitting = [line for line in lines if not early[line.level]]
    if not fitting:
        return Standing(LACKS, early[lines[0].level])
    if any(line.open for line in fitting):
        return Standing(OPEN, (f"Still to choose: {choice.prompt}",))
    line = fitting[0]
    names = [bundle.elements[one].name if one in bundle.elements else one for one in line.chosen]
    where = f", at {name} {line.level}" if line.level > 1 else ""
    return Standing(INSTEAD, (f"In place of {joined(names, 'or')}{where}.",))


def _lacking(found: Gathered, element: Element, context: RowContext) -> tuple[str, ...]:
    return tuple(f"Needs {in_words(group, found.bundle)}." for group in unmet(element.prerequisites, found, context))


def _too_early(
    before: Callable[[int], list[Gathered]], level: int, element: Element, context: RowContext
) -> tuple[str, ...]:
    """The requirements that are met now, but were not at the level that the question belongs to."""
    return tuple(
        f"Needs {in_words(group, moment.bundle)} at {moment.bundle.game.levels.NAME} {level} already."
        for moment in before(level)
        for group in unmet(element.prerequisites, moment, context)
    )


def _whence(found: Gathered, choice: Choice) -> str:
    """The owner (and rank) that a choice needs before it is asked; "" if the character has that.

    In that case the choice is asked only for duplicates, or under circumstances that do not hold.
    """
    if choice.for_duplicates or (found.has(choice.owner) and found.rank(choice.owner) >= choice.from_rank):
        return ""
    name = found.bundle.elements[choice.owner].name
    return f"{name} rank {choice.from_rank}" if choice.from_rank > 1 else name
