"""The standing of each element that the rules offer a character: the character has it, could take it, or lacks a
requirement. Uses the same functions as the options of a single choice, so the two agree."""

from collections import defaultdict
from functools import cache
from typing import NamedTuple

from .build import Build
from .bundle import Bundle
from .content import Choice, Element, Ref
from .derive import solved
from .facts import Gathered
from .options import already, at_last_rank, context_of, offered_to, then, unanswered
from .phrases import joined, name_of
from .requirements import RowContext, in_words, unmet
from .sheet import ChoiceLine, Sheet

OPEN, INSTEAD, LACKS, HAS = "open", "instead", "lacks", "has"
# If several choices offer the same element, the best standing counts.
BEST_FIRST = (OPEN, INSTEAD, LACKS)


class Standing(NamedTuple):
    """state: OPEN (there is an open question or level for it, or will be with the next level), INSTEAD (its question
    has another answer), LACKS or HAS. why: sentences on how to get it, or on each unmet requirement."""

    state: str
    why: tuple[str, ...]


def standings(bundle: Bundle, build: Build, sheet: Sheet) -> dict[Ref, Standing]:
    """The standing of every element that a choice of `bundle` offers, except those about which there is nothing to
    say."""
    seeker, offers = Seeker(bundle, build, sheet), defaultdict(list)
    for choice in bundle.choices.values():
        for ref in offered_to(seeker.found, choice):
            offers[ref].append(choice)
    found = {ref: seeker.standing(bundle.elements[ref], choices) for ref, choices in offers.items()}
    return {ref: standing for ref, standing in found.items() if standing}


class Seeker:
    """A character that looks for something to take."""

    def __init__(self, bundle: Bundle, build: Build, sheet: Sheet):
        self.bundle, self.sheet, self.found = bundle, sheet, sheet.solver.found
        self.lines: dict[str, list[ChoiceLine]] = defaultdict(list)
        for line in sheet.choices:
            self.lines[line.choice.key].append(line)

        @cache
        def without(key: str, chosen: tuple[str, ...]) -> Gathered:
            """The facts without these answers to a choice."""
            answers = [one for one in build.decisions if one.choice == key and one.ref in chosen]
            return solved(bundle, unanswered(build, answers)).found

        self.before = cache(lambda level: then(bundle, build, self.found, level))
        self.without = without

    def standing(self, element: Element, choices: list[Choice]) -> Standing | None:
        if had := self.had(element, choices):
            return Standing(HAS, (had,))
        answers = [answer for choice in choices if (answer := self.offer(element, choice))]
        if not answers:
            offered = [name for choice in choices if (name := self.whence(choice))]
            lacking = _lacking(self.found, element, RowContext())
            return Standing(LACKS, (f"Needs {joined(offered, 'or')}.", *lacking)) if offered else None
        best = min((one.state for one in answers), key=BEST_FIRST.index)
        return Standing(best, tuple(dict.fromkeys(why for one in answers if one.state == best for why in one.why)))

    def had(self, element: Element, choices: list[Choice]) -> str:
        """A sentence if the character has it and no choice could give it again; "" otherwise."""
        found = self.found
        for choice in choices:
            if choice.grant_as == "rank":
                if ended := at_last_rank(found, element):
                    return ended
            elif not choice.repeats and (
                had := already(found.by_word.get((choice.grant_as, element.ref)), element.ref in found.nodes)
            ):
                return had
        return ""

    def offer(self, element: Element, choice: Choice) -> Standing | None:
        """The element's standing for one choice that offers it; None if the choice has nothing to say about it.

        A question of an earlier level is answered at that level, so the requirements must have held there too.
        """
        found, lines, name = self.found, self.lines[choice.key], self.bundle.game.levels.NAME
        context = context_of(found, choice, element.ref)
        lacking = _lacking(found, element, context)
        if choice.budget and found.has(choice.owner):
            if lacking:
                return Standing(LACKS, lacking)
            when = f"You have a {name} for it." if self.sheet.picks.open else f"With your next {name}."
            again = f" It is rank {found.rank(element.ref) + 1}." if choice.grant_as == "rank" else ""
            return Standing(OPEN, (when + again,))
        if not lines or element.ref in {ref for line in lines for ref in line.chosen}:
            return None  # a job that was chosen here gets further ranks only from levels
        if element.prerequisites and not any(line.open for line in lines):
            free = self.without(choice.key, lines[0].chosen)
            lacking = _lacking(free, element, context_of(free, choice, element.ref))
        if lacking:
            return Standing(LACKS, lacking)
        early = {line.level: self.too_early(line.level, element, context) for line in lines}
        fitting = [line for line in lines if not early[line.level]]
        if not fitting:
            return Standing(LACKS, early[lines[0].level])
        if any(line.open for line in fitting):
            return Standing(OPEN, (f"Still to choose: {choice.prompt}",))
        line = fitting[0]
        names = [name_of(self.bundle.elements, one) for one in line.chosen]
        where = f", at {name} {line.level}" if line.level > 1 else ""
        return Standing(INSTEAD, (f"In place of {joined(names, 'or')}{where}.",))

    def too_early(self, level: int, element: Element, context: RowContext) -> tuple[str, ...]:
        """Sentences for the requirements that are met now but were not at the level that the question belongs to."""
        if element.ref not in self.bundle.growing_into:
            return ()
        return tuple(
            f"Needs {in_words(group, self.bundle)} at {self.bundle.game.levels.NAME} {level} already."
            for moment in self.before(level)
            for group in unmet(element.prerequisites, moment, context)
        )

    def whence(self, choice: Choice) -> str:
        """The owner (and rank) that the character still needs before the choice is asked; "" if it has that.

        If it has that, the choice is asked only for duplicates, or under circumstances that do not hold.
        """
        found = self.found
        if choice.for_duplicates or (found.has(choice.owner) and found.rank(choice.owner) >= choice.from_rank):
            return ""
        name = self.bundle.elements[choice.owner].name
        return f"{name} rank {choice.from_rank}" if choice.from_rank > 1 else name


def _lacking(found: Gathered, element: Element, context: RowContext) -> tuple[str, ...]:
    return tuple(f"Needs {in_words(group, found.bundle)}." for group in unmet(element.prerequisites, found, context))
