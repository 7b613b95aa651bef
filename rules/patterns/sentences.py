"""The patterns: for each, the form of its sentence, the rows that it makes, and the way back from such rows to the
sentence. Those for numbers, rolls and actions are in separate files."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from django.db.models import Model

from rules import models
from rules.engine.phrases import joined, kind_words
from rules.games.contract import Game
from rules.models.vocabulary import EffectKind, GrantWord, Kind

from .action_lines import BACK, COUNT, MADE, action, sentences_of_actions, sentences_of_uses, uses
from .entry_rows import Rows, RowSentence, is_plain
from .needs import needed, sentences_of_needs
from .number_lines import (
    SETS,
    number_added,
    number_in_steps,
    number_of,
    number_set,
    sentences_of_added,
    sentences_of_numbers,
    sentences_of_sets,
    sentences_of_steps,
)
from .roll_lines import (
    MADE_ROLLS,
    ROLL_NAMES,
    ROLLS,
    for_its_own,
    roll_certain,
    roll_changed,
    sentences_of_certain,
    sentences_of_rolls,
)
from .words import GIVEN, PROFICIENT, NotUnderstood, Words, level_shape

GRANTS = {
    "gains": GrantWord.GAIN,
    "is proficient with": GrantWord.SKILLED,
    "knows": GrantWord.KNOWS,
    "owns": GrantWord.OWN,
    "resists": GrantWord.RESIST,
    "is immune to": GrantWord.IMMUNE,
    "is vulnerable to": GrantWord.VULNERABLE,
}
KINDS = {name: one for one in Kind for name in (one.label, f"{one.label}s", f"{one.label[:-1]}ies")}


@dataclass(frozen=True)
class Pattern:
    """A sentence to complete.

    make: makes the rows from the parts of a line, except for the rank that it begins at. sentences: finds such rows
    among those of an entry, except rows that say more than the sentence can, and completes the sentence for them.
    """

    sentence: str
    shape: re.Pattern[str]
    make: Callable[..., list[Model]]
    sentences: Callable[[Rows], Iterator[RowSentence]]

    def rows(self, words: Words, line: re.Match[str]) -> list[Model]:
        """The rows of a line of this shape, unsaved and without an owner, in the order to save them. If the line begins
        at a rank, so does each row."""
        parts = line.groupdict()
        rank = int(parts.pop("rank", None) or 0)
        made = self.make(words, **parts)
        for row in made:
            if hasattr(row, "from_rank"):
                row.from_rank = rank
        return made


def granted(words: Words, grant: str, element: str) -> list[Model]:
    word = GRANTS[grant.lower()]
    given = words.fitting(element, GIVEN[word], {f"{said} {{}}": GIVEN[other] for said, other in GRANTS.items()})
    return [models.Grant(element=given, grant_as=word)]


def sentences_of_grants(rows: Rows) -> Iterator[RowSentence]:
    names = {word: name for name, word in GRANTS.items()}
    for row in rows.effects:
        if row.grant_as in names and is_plain(row, "element", "grant_as", "from_rank"):
            yield RowSentence(f"{rows.begun(row)}{names[row.grant_as]} {rows.name(row.element)}", (row,))


def noted(words: Words, text: str, about: str | None) -> list[Model]:
    note = full(text.rstrip())
    if len(note) > (most := models.Note._meta.get_field("text").max_length):
        raise NotUnderstood(f"A note has at most {most} characters.")
    row = models.Note(text=note)
    if about and about.lower() in ROLLS:
        row.roll = ROLLS[about.lower()]
    elif about:
        row.stat = words.stat_alone(about)
    return [row]


def full(text: str) -> str:
    """The text as a full sentence: lines are written without a period."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def sentences_of_notes(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if (
            row.kind == EffectKind.NOTE
            and is_plain(row, "text", "from_rank", "this_item_only", "roll" if row.roll else "stat")
            and row.this_item_only == for_its_own(row, rows.entry)
            and [full(row.text.removesuffix("."))] == row.text.split("\n")
        ):
            about = ROLL_NAMES[row.roll] if row.roll else rows.name(row.stat) if row.stat else ""
            on = f" on {about}" if about else ""
            yield RowSentence(f"{rows.begun(row)}note{on}: {row.text.removesuffix('.')}", (row,))


def chosen(words: Words, count: str, kind: str) -> list[Model]:
    kinds = kinds_by_word(words.game)
    kind_word = kinds.get(kind.lower())
    if kind_word is None:
        near = get_close_matches(kind.lower(), kinds, 1)
        raise NotUnderstood(f"No kind is called “{kind}”.{f' Do you mean {near[0]}?' if near else ''}")
    number = int(count) if count.isdigit() else 1
    prompt = f"Choose {number} {kind_words(kind_word, words.game.kinds)[0] if number == 1 else kind.lower()}"
    return [
        models.Choice(
            slug=words.new_slug(f"{words.entry} {kind_word}"), prompt=prompt, count=number, filter_kind=kind_word,
            filter_parent=of_its_own(kind_word, words.kind), grant_as=held_as(kind_word),
        )
    ]  # fmt: skip


def kinds_by_word(game: Game) -> dict[str, Kind]:
    """Word -> the kind that it means: the game's own words, and those of the vocabulary, as in packs."""
    return KINDS | {word: Kind(kind) for kind, words in game.kinds.items() for word in words}


def of_its_own(kind: str, owner: str) -> bool:
    """True if an entry of kind `owner` offers only things made for it: a job offers its own paths."""
    return kind == Kind.PATH and owner == Kind.JOB


def held_as(kind: str) -> str:
    """The word for having a chosen element of this kind."""
    if kind in PROFICIENT:
        return GrantWord.SKILLED
    return GrantWord.KNOWS if kind == Kind.LANGUAGE else GrantWord.GAIN


def sentences_of_choices(rows: Rows) -> Iterator[RowSentence]:
    kinds = kinds_by_word(rows.game) if rows.choices else {}
    for row in rows.choices:
        kind = row.prompt.partition(" ")[2].partition(" ")[2]
        if (
            row.filter_kind
            and not row.listed
            and row.count > 0
            and kinds.get(kind) == row.filter_kind
            and row.prompt == f"Choose {row.count} {kind}"
            and row.grant_as == held_as(row.filter_kind)
            and row.filter_parent == of_its_own(row.filter_kind, rows.entry.kind)
            and is_plain(row, "slug", "prompt", "count", "filter_kind", "filter_parent", "grant_as", "from_rank")
        ):
            words = f"choose {row.count} {'of ' if row.count > 1 else ''}{kind}"
            yield RowSentence(f"{rows.begun(row)}{words}", (row,))


def pattern(
    sentence: str, shape: str, make: Callable[..., list[Model]], sentences: Callable[[Rows], Iterator[RowSentence]]
) -> Pattern:
    return Pattern(sentence, re.compile(shape, re.IGNORECASE), make, sentences)


@cache
def patterns_of(level: str, kinds: frozenset[str] = frozenset(Kind)) -> tuple[Pattern, ...]:
    """The patterns of a game with this word for a level. Authors may also use the word of the vocabulary, as in packs.
    Without a word, for a game without levels, no sentence shows one.

    The sentences name only things of these kinds. One for other kinds alone is "".
    """
    levels, per = level_shape(level or "level"), f" per {level}" if level else ""
    ranks = "ranks" if Kind.JOB in kinds else f"{level}s" if level else ""
    checked = next((kind for kind in (Kind.SKILL, Kind.ABILITY) if kind in kinds), "")
    needs = {
        "[entry]": True,
        f"{level} 5": level,
        "[job] rank 3": Kind.JOB in kinds,
        "[statistic] at least 13": True,
        "proficiency with [skill]": Kind.SKILL in kinds,
    }
    from_rank = rf"(?:(?:(?:from|at) )?(?:rank|{levels}) (?P<rank>\d{{1,2}}): )?"
    return (
        pattern(
            f"advantage on checks of [{checked}] [circumstance]" if checked else "",
            rf"{from_rank}(?P<change>advantage|disadvantage|[+-]\d{{1,3}})"
            rf" on (?:(?P<about>.+?) )??(?P<roll>{'|'.join(ROLLS)})(?:,? (?P<scope>.+))?",
            roll_changed,
            sentences_of_rolls,
        ),
        pattern(
            "saving throws of [ability] fail without a roll, or succeed [circumstance]"
            if Kind.ABILITY in kinds
            else "",
            rf"{from_rank}(?:(?P<about>.+?) )??(?P<roll>{'|'.join(MADE_ROLLS)})(?: (?P<scope>of .+?))?"
            r" (?P<change>fail|succeed) without a roll(?:,? (?P<when>.+))?",
            roll_certain,
            sentences_of_certain,
        ),
        pattern(
            f"+1 to [statistic]{per} [circumstance]",
            rf"{from_rank}(?P<amount>[+-]\d{{1,3}}) (?:to )?(?P<stat>.+)",
            number_of,
            sentences_of_numbers,
        ),
        pattern(
            "adds half [statistic] rounded down to [statistic] [circumstance]",
            rf"{from_rank}adds (?P<amount>.+?) to (?P<stat>.+)",
            number_added,
            sentences_of_added,
        ),
        pattern(
            f"each 3 {ranks}: +1 to [statistic] [circumstance]" if ranks else "",
            rf"each (?P<step>\d{{1,3}}) (?P<each>rank|{levels})s?: (?P<amount>[+-]\d{{1,3}}) (?:to )?(?P<stat>.+)",
            number_in_steps,
            sentences_of_steps,
        ),
        pattern(
            "[statistic] starts at 30; or “becomes”, “is at least”, “is at most”; in place of 30 also half [statistic] "
            "rounded down, 3 + [statistic], 2 × [statistic] (at least 1)",
            rf"{from_rank}(?P<stat>[^:]+?) (?P<op>{'|'.join(SETS)}) (?P<amount>.+)",
            number_set,
            sentences_of_sets,
        ),
        pattern(
            "note: [what the table must know]; also “note on [statistic]:”"
            + (" and “note on attack rolls:”" if Kind.WEAPON in kinds else ""),
            rf"{from_rank}note(?: on (?P<about>[^:]+))?: (?P<text>\S.*)",
            noted,
            sentences_of_notes,
        ),
        pattern(
            "1 use, back after [rest]; or “3 uses of [name], back after [rest]”",
            rf"(?P<count>{COUNT}) uses?(?: of (?P<name>[^,:]{{1,60}}))?, {BACK}",
            uses,
            sentences_of_uses,
        ),
        pattern(
            f"{joined([said for said, word in GRANTS.items() if kinds & GIVEN[word]], 'or')} [entry]",
            rf"{from_rank}(?P<grant>{'|'.join(GRANTS)}) (?P<element>.+)",
            granted,
            sentences_of_grants,
        ),
        pattern(
            "choose 2 of [kind]",
            rf"{from_rank}choose (?P<count>[1-9]\d?|an?) (?:of )?(?P<kind>[a-z ]+)",
            chosen,
            sentences_of_choices,
        ),
        pattern(
            "[timing]: [name of the action]; then, if it has them, “2D + [statistic] damage” or “heals 1d8”, and "
            "“1 use, back after [rest]” or “spends 1 [resource]”",
            rf"{from_rank}(?P<timing>(?!each |from |at |rank |{levels} )[^:,]+): (?P<name>[^,:]{{1,60}})"
            rf"(?:, (?P<roll>{MADE}))?"
            rf"(?:, (?P<count>{COUNT}) uses?, {BACK}|, spends (?P<spent>{COUNT}) (?P<resource>[^,:]+))?",
            action,
            sentences_of_actions,
        ),
        pattern(
            f"needs {', '.join(test for test, has in needs.items() if has)}: one of these, or several with “or” "
            "between",
            r"needs (?P<tests>.+)",
            needed,
            sentences_of_needs,
        ),
    )
