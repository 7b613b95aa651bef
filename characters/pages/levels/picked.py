"""A preview of one pick: all that it changes, what it asks, and what it would break."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from characters.pages.builder.diff_text import DiffText, action_texts, diff_texts
from characters.pages.builder.questions import option_id
from rules.engine import derive, difference, options_for
from rules.engine.content import Element
from rules.engine.difference import features
from rules.engine.levels import LevelAnswer, LevelQuestion, Tried, answered, decisions_of, tried
from rules.engine.sheet import Option

from .level_view import LevelView
from .pick_names import in_words

COMPARED = 16  # for questions with more options, no changes are shown


@dataclass(frozen=True)
class OptionLine:
    id: str
    value: str
    name: str
    summary: str
    why_not: str
    moves: tuple[DiffText, ...]
    checked: bool


@dataclass(frozen=True)
class PickQuestion:
    """`field` is its name in the form. keep: what stays if no swap is made. later: its level, if that is not the level
    of the pick; such a question may be answered later."""

    key: str
    field: str
    anchor: str
    prompt: str
    needs: int
    options: tuple[OptionLine, ...]
    write_in: bool
    typed: str
    keep: str = ""
    later: int = 0
    error: str = ""

    @property
    def single(self) -> bool:
        return self.needs == 1


@dataclass(frozen=True)
class Picked:
    take: str
    targets: tuple[str, ...]
    name: str
    moves: tuple[DiffText, ...]
    gained: tuple[Element, ...]
    broken: tuple[str, ...]
    questions: tuple[PickQuestion, ...]
    lacks: str  # the requirement that an exception would be made to


def why_no_preview(view: LevelView, take: str, targets: Sequence[str]) -> str:
    """The reason why this pick cannot be previewed, as a sentence; "" if it can. The verb decides if it can be
    stored."""
    way = next((way for way in view.bundle.ways if way.key == take), None)
    if way is None:
        return f"A {view.bundle.game.levels.NAME} cannot give you that."
    options = {one.target: one for one in view.offered(take)}
    if not targets or any(target not in options for target in targets):
        return "That is not offered here."
    if way.mode != "spread":
        option = options[targets[0]]
        return "" if not option.why_not or option.lacking else option.why_not
    if len(targets) != way.count:
        return f"{way.prompt}."
    for target in dict.fromkeys(targets):
        if targets.count(target) > options[target].room:
            return options[target].why_not or f"{options[target].name} cannot go up by {targets.count(target)}."
    return ""


def picked(
    view: LevelView,
    take: str,
    targets: Sequence[str],
    given: Mapping[str, Sequence[str]],
    wrong: str,
    sentence: str,
) -> Picked:
    """The pick with the answers given so far. `wrong` is the question that `sentence` is about."""
    bundle, pick = view.bundle, LevelAnswer(take, view.level, tuple(targets))
    found = tried(bundle, view.build, view.sheet, pick, given)
    moved = diff_texts(bundle, view.opened.steps, difference(view.sheet, found.sheet), take)
    lacking = next((one.why_not for one in view.offered(take) if one.ref in targets and one.lacking), "")
    return Picked(
        take=take,
        targets=pick.targets,
        name=in_words(bundle, decisions_of(bundle, pick), found.build.decisions),
        moves=(
            *[move for move in moved if move.kind not in ("choice", "problem")],
            *action_texts(view.sheet, found.sheet),
        ),
        gained=tuple(bundle.elements[ref] for ref in features(found.sheet) if ref not in view.sheet.active),
        broken=() if lacking else _broken(view, found),
        questions=tuple(
            _question(view, found, one, given, sentence if wrong == one.choice.key else "") for one in found.asked
        ),
        lacks=lacking,
    )


def _broken(view: LevelView, found: Tried) -> tuple[str, ...]:
    """The problems that the pick brings, except those of answers to its own questions: the page asks these anew."""
    paths, decisions = view.bundle.game.paths, found.build.decisions
    levels, asked = paths.levels_of(decisions), {one.choice.key for one in found.asked}
    asked_anew = {paths.decision_path(decision, levels) for decision in decisions if decision.choice in asked}
    before = {problem.text for problem in view.sheet.problems}
    return tuple(
        problem.text
        for problem in found.sheet.problems
        if problem.text not in before and problem.where not in asked_anew
    )


def _question(
    view: LevelView, found: Tried, one: LevelQuestion, given: Mapping[str, Sequence[str]], error: str
) -> PickQuestion:
    bundle, choice = view.bundle, one.choice
    anchor = view.opened.steps.anchor(choice.key, one.level)
    chosen = list(given.get(choice.key, ()))
    own = answered(bundle, found.build, [LevelAnswer(choice.key, one.level, ())])
    base = found.sheet if own == found.build else derive(bundle, own)
    options = options_for(bundle, own, base, choice.key, one.level)
    if one.swap:
        options = tuple(option for option in options if option.target not in one.now)
    free = [option.target for option in options if not option.why_not]
    if len(free) == one.needs == 1 and not (chosen or one.swap or choice.write_in or one.level != view.level):
        chosen = free  # there is nothing else to choose

    def line(option: Option) -> OptionLine:
        element = bundle.elements.get(option.ref)
        moves: tuple[DiffText, ...] = ()
        if not option.why_not and len(options) <= COMPARED:
            there = derive(bundle, answered(bundle, own, [LevelAnswer(choice.key, one.level, (option.target,))]))
            moves = (
                *diff_texts(bundle, view.opened.steps, difference(base, there), choice.key, option.name),
                *action_texts(base, there, {option.ref}),
            )
        return OptionLine(
            option_id(anchor, option), option.target, option.name,
            element.summary if element else "", option.why_not, moves, option.target in chosen,
        )  # fmt: skip

    known = {option.target for option in options}
    return PickQuestion(
        key=choice.key,
        field=f"q:{choice.key}",
        anchor=anchor,
        prompt=choice.prompt,
        needs=one.needs,
        options=tuple(line(option) for option in options),
        write_in=choice.write_in,
        typed=next((target for target in chosen if target not in known), ""),
        keep=in_words(bundle, decisions_of(bundle, LevelAnswer(choice.key, one.level, one.now))) if one.swap else "",
        later=one.level if one.level != view.level else 0,
        error=error,
    )
