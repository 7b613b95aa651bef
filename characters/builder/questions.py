"""A choice as the page shows it: what is asked, and each option with what it would change on this very character."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.urls import reverse

from rules.engine import Moved, derive, difference, options_for
from rules.engine.build import Build, Decision
from rules.engine.sheet import ChoiceLine, Option

from .desk import Desk
from .moves import Said, said

# Options of these kinds are compared side by side; the rows of the comparison and the kinds of change in each.
COMPARED = {"lineage", "culture", "background"}
FACTS = (
    ("Numbers", {"value", "resource", "attack"}),
    ("Speaks", {"language"}),
    ("Proficient with", {"proficiency"}),
    ("Traits", {"feature"}),
    ("You then choose", {"choice"}),
)
# Options of these kinds say little beyond their name, so their cards are small.
BRIEF = {"skill", "knowledge", "tool", "language"}
SHOWN_AT_ONCE = 6


@dataclass(frozen=True)
class Card:
    """One option. `value` is what its button sends; `facts` are rows of a comparison."""

    id: str
    value: str
    name: str
    summary: str
    taken: bool
    why_not: str
    moves: tuple[Said, ...]
    more: tuple[Said, ...] = ()
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    text: str = ""
    url: str = ""  # its page in the rules
    ranks: tuple[tuple[int, str], ...] = ()  # of a job: what each rank brings
    points: int = 0  # put on it so far, where points are spread


@dataclass(frozen=True)
class Question:
    anchor: str
    key: str
    level: int
    prompt: str
    origin: str
    needs: int
    made: int
    is_under: bool
    compares: bool
    brief: bool
    spread: bool
    write_in: bool
    cards: tuple[Card, ...]
    words: tuple[str, ...]
    each: int = 1  # the most points on one option
    problems: tuple[str, ...] = ()
    error: str = ""
    typed: str = ""

    @property
    def open(self) -> int:
        return max(0, self.needs - self.made)

    @property
    def full(self) -> bool:
        return not self.open

    @property
    def folds(self) -> bool:
        """Whether the options not taken are folded away: everything is chosen and nothing is compared."""
        return self.full and not self.compares and not self.spread

    @property
    def taken(self) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.taken)

    @property
    def others(self) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if not card.taken)

    @property
    def single(self) -> bool:
        return self.needs == 1


@dataclass(frozen=True)
class Refusal:
    """What was wrong with the form just sent, and what was typed in it: drawn beside the field `where`."""

    where: str = ""
    sentence: str = ""
    wrong: str = ""  # the input, where one of several is at fault
    typed: dict = field(default_factory=dict)


def sections(desk: Desk, step: str, refusal: Refusal | None = None) -> list[list[Question]]:
    """The questions of one step, each list headed by the question that brought the others."""
    placed = desk.sections[step]
    offers = {
        (line.choice.key, line.level): options_for(desk.bundle, desk.build, desk.sheet, line.choice.key, line.level)
        for section in placed
        for line in section.lines
    }
    texts = desk.texts(option.ref for options in offers.values() for option in options)
    return [
        [
            _question(desk, line, offers[line.choice.key, line.level], texts, refusal, is_under=bool(position))
            for position, line in enumerate(section.lines)
        ]
        for section in placed
    ]


def _question(desk: Desk, line: ChoiceLine, options: Iterable[Option], texts, refusal, *, is_under) -> Question:
    choice, anchor = line.choice, desk.steps.anchor(line.choice.key, line.level)
    kinds = {option.ref.partition(":")[0] for option in options if option.ref}
    compares = bool(kinds) and kinds <= COMPARED
    refused = refusal if refusal and refusal.where == anchor else Refusal()
    cards = tuple(_card(desk, line, option, anchor, texts, compares) for option in options)
    return Question(
        anchor=anchor,
        key=choice.key,
        level=line.level,
        prompt=choice.prompt,
        origin=", ".join(line.path) if is_under else "",
        needs=line.needs,
        made=line.made,
        is_under=is_under,
        compares=compares,
        brief=bool(kinds) and kinds <= BRIEF,
        spread=choice.mode == "spread",
        write_in=choice.write_in,
        cards=_compared(cards) if compares else cards,
        words=tuple(one.write_in for one in answers_to(desk.build, line) if one.write_in),
        each=choice.per_option_max,
        problems=tuple(problem.text for _, place, problem in desk.problems if place == anchor),
        error=refused.sentence,
        typed=refused.typed.get("word", ""),
    )


def _card(desk: Desk, line: ChoiceLine, option: Option, anchor: str, texts, compares: bool) -> Card:
    element = desk.bundle.elements.get(option.ref)
    value = option.ref or option.stat
    moves = said(desk.bundle, desk.steps, would_change(desk, line, option), line.choice.key)
    first = SHOWN_AT_ONCE if not compares else 0
    facts = _facts(desk, line, option) if compares else ()
    replaces = compares and line.made and not option.taken
    return Card(
        id=f"{anchor}-{value.replace(':', '-').replace('.', '-')}",
        value=value,
        name=option.name,
        summary=element.summary if element else "",
        taken=option.taken,
        why_not=option.why_not,
        moves=moves[:first],
        more=moves[first:] if first or replaces else (),
        facts=facts,
        text=texts.get(option.ref, ""),
        url=reverse("rules:element", args=[desk.bundle.ruleset, element.kind, element.slug]) if element else "",
        ranks=_ranks(desk, element) if element and element.job else (),
        points=sum(one.points for one in answers_to(desk.build, line) if option.stat and one.stat == option.stat),
    )


def _ranks(desk: Desk, job) -> tuple[tuple[int, str], ...]:
    """The rank table of a job: its grants by the rank they come at."""
    table: dict[int, list[str]] = {}
    for effect in job.effects:
        if effect.kind == "grant" and effect.grant_as == "gain" and effect.from_rank:
            table.setdefault(effect.from_rank, []).append(desk.bundle.elements[effect.element].name)
    for choice in job.choices:
        if choice.from_rank:
            table.setdefault(choice.from_rank, []).append(choice.prompt)
    return tuple((rank, ", ".join(dict.fromkeys(names))) for rank, names in sorted(table.items()))


def _compared(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Without the rows of the comparison that are empty on every card."""
    told = {label for card in cards for label, facts in card.facts if facts}
    return tuple(replace(card, facts=tuple(row for row in card.facts if row[0] in told)) for card in cards)


def would_change(desk: Desk, line: ChoiceLine, option: Option) -> tuple[Moved, ...]:
    """What taking `option` would change now; for one already taken, what it brings."""
    if line.choice.mode == "spread" and line.open:
        return difference(desk.sheet, derive(desk.bundle, answered(desk.build, line, _one_more(desk, line, option))))
    answer = Decision(choice=line.choice.key, level=line.level, ref=option.ref, stat=option.stat)
    if option.taken:
        without = [one for one in answers_to(desk.build, line) if (one.ref, one.stat) != (option.ref, option.stat)]
        return difference(derive(desk.bundle, answered(desk.build, line, without)), desk.sheet)
    kept = answers_to(desk.build, line)[: line.needs - 1]
    return difference(desk.sheet, derive(desk.bundle, answered(desk.build, line, [*kept, answer])))


def _one_more(desk: Desk, line: ChoiceLine, option: Option) -> list[Decision]:
    """The answers with one point more on this option."""
    made = answers_to(desk.build, line)
    if any(one.stat == option.stat for one in made):
        return [replace(one, points=one.points + (one.stat == option.stat)) for one in made]
    return [*made, Decision(choice=line.choice.key, level=line.level, stat=option.stat)]


def _facts(desk: Desk, line: ChoiceLine, option: Option):
    """What an option brings to somebody who has chosen nothing at all, so that all of them compare."""
    answer = Decision(choice=line.choice.key, level=line.level, ref=option.ref)
    none, this = (derive(desk.bundle, replace(desk.build, decisions=made, items=())) for made in ((), (answer,)))
    moves = said(desk.bundle, desk.steps, difference(none, this), line.choice.key)
    return tuple(
        (label, tuple(f"{move.name} {move.after}".strip() for move in moves if move.kind in kinds))
        for label, kinds in FACTS
    )


def answers_to(build: Build, line: ChoiceLine) -> list[Decision]:
    made = [one for one in build.decisions if (one.choice, one.level) == (line.choice.key, line.level)]
    return sorted(made, key=lambda one: one.position)


def answered(build: Build, line: ChoiceLine, answers: list[Decision]) -> Build:
    """The build with other answers to this one question."""
    others = [one for one in build.decisions if (one.choice, one.level) != (line.choice.key, line.level)]
    placed = [replace(one, position=position) for position, one in enumerate(answers)]
    return replace(build, decisions=(*others, *placed))
