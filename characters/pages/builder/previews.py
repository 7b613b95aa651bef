"""Previews of options, found by deriving the character with each of them. Nothing is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.engine import Build, Decision, DiffLine, derive, difference, options_for
from rules.engine.doubles import PROFICIENCY_KINDS
from rules.engine.phrases import answer_name
from rules.engine.sheet import ChoiceLine, Option, Sheet
from rules.lru import LRU

from .builder_character import BuilderCharacter
from .diff_text import DiffText, diff_text, diff_texts, uses_once

# Options of these kinds change only the rolls that they name, so all options of a question are derived at once.
PROFICIENCIES = {*PROFICIENCY_KINDS}
FACTS = (
    ("Numbers", {"value", "resource", "action", "attack"}),
    ("Speaks", {"language"}),
    ("Proficient with", {"proficiency"}),
    ("Against damage", {"defense"}),
    ("Features", {"feature"}),
    ("It asks you to", {"choice"}),
)

type ComparedFacts = tuple[tuple[str, tuple[str, ...]], ...]  # the rows of a comparison: label, values


class Preview(NamedTuple):
    """The changes that an option would bring now or, if it is taken already, brought. undoes: the names of the answers
    that it would undo."""

    moves: tuple[DiffText, ...] = ()
    undoes: tuple[str, ...] = ()


_facts = LRU[dict[str, ComparedFacts]](64)


def offered(opened: BuilderCharacter, line: ChoiceLine) -> tuple[Option, ...]:
    """The options of the question, each with the reason if it cannot be taken."""
    key, level = line.choice.key, line.level
    return opened.version.once(
        ("offered", key, level), lambda: options_for(opened.bundle, opened.build, opened.sheet, key, level)
    )


def previews(opened: BuilderCharacter, line: ChoiceLine) -> dict[Option, Preview]:
    """The preview of each option. Barred options have none."""
    return opened.version.once(("previews", line.choice.key, line.level), lambda: _previews(opened, line))


def _previews(opened: BuilderCharacter, line: ChoiceLine) -> dict[Option, Preview]:
    found: Mapping[Option, Sequence[DiffLine]]
    undone: dict[Option, tuple[str, ...]] = {}
    open_to = [option for option in offered(opened, line) if option.taken or not option.why_not]
    if {option.ref.partition(":")[0] for option in open_to} <= PROFICIENCIES:
        found = _together(opened, line, open_to)
    else:
        both = {option: _without_and_with(opened, line, option) for option in open_to}
        found = {option: difference(*sheets) for option, sheets in both.items()}
        if line.needs == 1:  # otherwise an answer replaces no other
            undone = {option: _undone(opened, after) for option, (_, after) in both.items() if not option.taken}
    return {
        option: Preview(
            diff_texts(opened.bundle, opened.steps, moves, line.choice.key, option.name), undone.get(option, ())
        )
        for option, moves in found.items()
    }


def _undone(opened: BuilderCharacter, after: Sheet) -> tuple[str, ...]:
    """The answers to questions that are asked now and not `after`, which `choose` drops (`drop_dependents`)."""
    asked, still = ({line.choice.key for line in sheet.choices} for sheet in (opened.sheet, after))
    gone = {key for key in asked - still if not opened.bundle.choices[key].budget}
    return tuple(answer_name(opened.bundle, one).rstrip(".") for one in opened.build.decisions if one.choice in gone)


def _without_and_with(opened: BuilderCharacter, line: ChoiceLine, option: Option) -> tuple[Sheet, Sheet]:
    made = answers_to(opened.build, line)
    answer = Decision(choice=line.choice.key, level=line.level, ref=option.ref, stat=option.stat)
    if line.choice.mode == "spread" and line.open:
        return opened.sheet, _with(opened, line, _one_point_more(made, answer))
    if option.taken:
        without = [one for one in made if (one.ref, one.stat) != (option.ref, option.stat)]
        return _with(opened, line, without), opened.sheet
    return opened.sheet, _with(opened, line, [*made[: line.needs - 1], answer])


def _one_point_more(made: list[Decision], answer: Decision) -> list[Decision]:
    if any(one.stat == answer.stat for one in made):
        return [replace(one, points=one.points + (one.stat == answer.stat)) for one in made]
    return [*made, answer]


def _together(opened: BuilderCharacter, line: ChoiceLine, options: list[Option]) -> dict[Option, list[DiffLine]]:
    """The changes of every option, derived together as if the question had room for all; each option gets the moves
    that name it."""
    owner = opened.bundle.elements[line.choice.owner]
    roomy = replace(line.choice, count=len(options), count_of="", for_duplicates=False)
    choices = tuple(roomy if choice.key == roomy.key else choice for choice in owner.choices)
    bundle = opened.bundle.with_elements([replace(owner, choices=choices)])
    answers = [Decision(choice=roomy.key, level=line.level, ref=option.ref) for option in options]
    none = _with(opened, line, []) if answers_to(opened.build, line) else opened.sheet
    all_of_them = derive(bundle, answered(opened.build, line, answers))
    moves = difference(none, all_of_them)
    return {option: [move for move in moves if _about(move, all_of_them) == option.ref] for option in options}


def _about(move: DiffLine, sheet: Sheet) -> str:
    if move.kind == "roll" and move.key in sheet.rolls:
        return sheet.rolls[move.key].subject
    return move.key if move.kind == "proficiency" else ""


def facts(opened: BuilderCharacter, line: ChoiceLine) -> dict[Option, ComparedFacts]:
    """The gains of each option for a character without any choices, so that the options can be compared row by row.

    They are the same for everyone who plays by the same rules, so they are cached.
    """
    options, switches = offered(opened, line), opened.build.switches
    refs = tuple(option.ref for option in options)
    key = (opened.bundle.ruleset, opened.bundle.revision, tuple(sorted(switches.items())), line.choice.key, refs)
    found = _facts.get(key, lambda: _facts_of(opened, line, refs))
    return {option: found[option.ref] for option in options}


def _facts_of(opened: BuilderCharacter, line: ChoiceLine, refs: tuple[str, ...]) -> dict[str, ComparedFacts]:
    nobody = Build(switches=opened.build.switches)
    none, rows = derive(opened.bundle, nobody), {}
    for ref in refs:
        answer = Decision(choice=line.choice.key, level=line.level, ref=ref)
        this = derive(opened.bundle, replace(nobody, decisions=(answer,)))
        moved = (move for move in difference(none, this) if move.key not in opened.steps.UNSAID)
        shown = [words for move in uses_once(opened.bundle, moved) if (words := diff_text(opened.bundle, move))]
        rows[ref] = tuple((label, told) for label, kinds in FACTS if (told := _told(shown, kinds)))
    return rows


def _told(moves: Iterable[DiffText], kinds: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{move.name} {move.after}".strip() for move in moves if move.kind in kinds))


def answers_to(build: Build, line: ChoiceLine) -> list[Decision]:
    """The answers to this one question, in order; also those that do not count."""
    made = [one for one in build.decisions if (one.choice, one.level) == (line.choice.key, line.level)]
    return sorted(made, key=lambda one: one.position)


def answered(build: Build, line: ChoiceLine, answers: list[Decision]) -> Build:
    """The build with other answers to this one question."""
    others = [one for one in build.decisions if (one.choice, one.level) != (line.choice.key, line.level)]
    placed = [replace(one, position=position) for position, one in enumerate(answers)]
    return replace(build, decisions=(*others, *placed))


def _with(opened: BuilderCharacter, line: ChoiceLine, answers: list[Decision]) -> Sheet:
    return derive(opened.bundle, answered(opened.build, line, answers))
