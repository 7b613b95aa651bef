"""A difference in full: things gained and lost, every number that moved, and the rows that moved it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from characters.pages.builder.diff_text import ability_stats, diff_text
from rules.engine import DiffLine, Step
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.phrases import number as plain
from rules.engine.phrases import signed

# The sections in reading order. `_section` says which moves go into each.
SECTIONS = {
    "features": "Features and talents",
    "uses": "Limited features",
    "numbers": "Numbers",
    "abilities": "Abilities",
    "attacks": "Attacks",
    "spell": "Spells",
    "rolls": "Checks and saving throws",
    "proficiency": "Proficient with",
    "language": "Languages",
    "condition": "Conditions",
    "defense": "Resistances",
    "choice": "Still to choose",
    "problem": "Does not fit",
}
PLACES = {"feature": "features", "attack": "attacks", "roll": "rolls", "action": "numbers", "recovery": "uses"}
# The order of checks, by the first word of a roll's key.
ROLLS = ("initiative", "save", "check", "skill", "knowledge", "tool")
WORDLESS = {"ability", "critical", "damage-dice"}  # parts of a roll whose rows do not add up: their text says it


@dataclass(frozen=True, slots=True)
class Reason:
    """A row behind a moved number, with what it added on either side; "" where it did not apply. `was_text` is the text
    of `before` if it is another one."""

    source: str
    text: str
    before: str
    after: str
    ref: Ref
    was_text: str = ""


@dataclass(frozen=True, slots=True)
class MovedNumber:
    name: str
    before: str
    after: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class OneSided:
    """Something that only one side has. `text` is what the rules say about it."""

    name: str
    ref: Ref = ""
    text: str = ""


@dataclass(frozen=True)
class ComparisonSection:
    slug: str
    title: str
    rows: list[MovedNumber] = field(default_factory=list)
    left: list[OneSided] = field(default_factory=list)  # only the first has it
    right: list[OneSided] = field(default_factory=list)


def comparison_sections(bundle: Bundle, moves: Iterable[DiffLine], *others: Bundle) -> tuple[ComparisonSection, ...]:
    """Everything that differs, in sections; empty ones are left out. A feature that `bundle` does not have gets its
    name and text from one of the `others`."""
    titles = {**SECTIONS, **bundle.game.headings}
    sections = {slug: ComparisonSection(slug, title) for slug, title in titles.items()}
    for move in sorted(moves, key=lambda move: _order(bundle, move)):
        words = diff_text(bundle, move)
        if words is None or _left_out(bundle, move):
            continue
        section = sections[_section(bundle, move, words.kind)]
        if words.kind in ("value", "recovery", "roll", "attack", "action") or (words.before and words.after):
            section.rows.append(MovedNumber(words.name, words.before or "none", words.after or "none", reasons(move)))
        else:
            side = section.left if words.gone else section.right
            side.append(_one_sided(move, words.name, bundle, *others))
    return tuple(one for one in sections.values() if one.rows or one.left or one.right)


def _one_sided(move: DiffLine, name: str, bundle: Bundle, *others: Bundle) -> OneSided:
    ref, text = move.key if move.key in bundle.elements else "", ""
    if move.kind == "spell":
        text = move.after or move.before
    elif move.kind == "feature":
        element = next(one.elements[move.key] for one in (bundle, *others) if move.key in one.elements)
        name, text = element.name, element.text
    return OneSided(name, ref, text)


def reasons(move: DiffLine) -> tuple[Reason, ...]:
    """The rows behind a move. A row that is on both sides with different amounts is listed once, with both."""
    found: dict[tuple[object, ...], tuple[list[Step], list[Step]]] = {}
    for side, steps in enumerate((move.gone, move.why)):
        for step in steps:
            found.setdefault((step.source, step.ref, step.path, step.part, step.op), ([], []))[side].append(step)
    return tuple(
        Reason(
            source=step.source,
            text=step.text,
            before=_amount(was) if was else "",
            after=_amount(now) if now else "",
            ref=step.ref,
            was_text=was.text if was and was.text != step.text else "",
        )
        for was, now in chain.from_iterable(zip_longest(*sides) for sides in found.values())
        for step in [now or was]
    )


def _amount(step: Step) -> str:
    if step.part in WORDLESS:
        return ""
    if step.part == "dice":
        return f"{signed(step.amount)}D"
    if step.part == "damage":
        return f"{signed(step.amount)} damage"
    return plain(step.amount) if step.op in ("base", "set") else signed(step.amount)


def _section(bundle: Bundle, move: DiffLine, kind: str) -> str:
    if kind != "value":
        return PLACES.get(kind, kind)
    if move.key in _maxima(bundle):
        return "uses"
    return "abilities" if move.key in ability_stats(bundle) else "numbers"


def _left_out(bundle: Bundle, move: DiffLine) -> bool:
    """True for moves that are not shown: the level (it is the page's heading), hidden numbers that only read a house
    rule, and uses, which are shown as a number with its reasons."""
    if move.kind == "value":
        stat = bundle.stats[move.key]
        return move.key == "level" or bool(stat.switch and not stat.visible)
    return move.kind == "resource"


def _maxima(bundle: Bundle) -> set[str]:
    return {resource.max_stat for resource in bundle.resources.values() if resource.style == "uses"}


def _order(bundle: Bundle, move: DiffLine) -> tuple[int, str]:
    if move.kind == "value":
        stat = bundle.stats.get(move.key)
        return (stat.sort if stat else 0, move.key)
    if move.kind == "roll":
        word = move.key.partition(".")[0]
        return (ROLLS.index(word) if word in ROLLS else len(ROLLS), move.name)
    return (0, move.name)
