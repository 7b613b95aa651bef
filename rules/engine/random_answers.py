"""Answers a character's open choices at random."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from .build import Build, Decision
from .bundle import Bundle
from .content import Ref
from .derive import derive
from .doubles import counting
from .options import options_for
from .sheet import ChoiceLine, Sheet

type OwnWords = Mapping[str, Sequence[str]]


def answer_all(bundle: Bundle, build: Build, chance: Random, own_words: OwnWords) -> Build:
    """Answer every open choice, and the choices that these answers open. One with too few options stays open.

    An answer that the character also gets elsewhere is replaced (ruling 22). own_words: words to write, by kind of
    element, where a choice allows own words and lists too few options.
    """
    stuck: set[tuple[str, int]] = set()
    while True:
        sheet = derive(bundle, build)
        line = next((line for line in sheet.choices if line.open and (line.choice.key, line.level) not in stuck), None)
        if line is None:
            return build
        fresh = answers(bundle, build, sheet, line, chance, own_words)
        if not fresh:
            stuck.add((line.choice.key, line.level))
        others = tuple(d for d in build.decisions if (d.choice, d.level) != (line.choice.key, line.level))
        kept = counting(bundle, build, line) if line.choice.mode == "pick" else []
        made = tuple(replace(d, position=at) for at, d in enumerate((*kept, *fresh)))
        build = replace(build, decisions=others + made)


def answers(
    bundle: Bundle, build: Build, sheet: Sheet, line: ChoiceLine, chance: Random, own_words: OwnWords
) -> list[Decision]:
    """Random answers to the open part of one line, as many as can be found. A spread is dealt out from scratch."""
    key, level = line.choice.key, line.level
    options = [o for o in options_for(bundle, build, sheet, key, level) if not o.why_not and not o.taken]
    if line.choice.mode == "spread":
        return spread(line, [option.stat for option in options], chance)
    plain = [option for option in options if not asks_for_words(bundle, option.ref, own_words)]
    options = plain if len(plain) >= line.open else options
    picked = chance.sample(options, min(line.open, len(options)))
    made = [Decision(key, level, ref=option.ref) for option in picked]
    if len(made) < line.open and line.choice.write_in:
        used = {d.write_in for d in build.decisions}
        words = [word for word in own_words.get(line.choice.filter_kind, ()) if word not in used]
        some = chance.sample(words, min(line.open - len(made), len(words)))
        made += [Decision(key, level, write_in=word) for word in some]
    return made


def asks_for_words(bundle: Bundle, ref: Ref, own_words: OwnWords) -> bool:
    """True if taking this option raises a question that only a person can answer well, in own words."""
    questions = bundle.elements[ref].choices
    return any(one.write_in and one.from_rank <= 1 and one.filter_kind not in own_words for one in questions)


def spread(line: ChoiceLine, stats: Sequence[str], chance: Random) -> list[Decision]:
    points = dict.fromkeys(stats, 0)
    for _ in range(line.needs):
        free = [stat for stat in stats if points[stat] < line.choice.per_option_max]
        if free:
            points[chance.choice(free)] += 1
    return [Decision(line.choice.key, line.level, stat=stat, points=n) for stat, n in points.items() if n]
