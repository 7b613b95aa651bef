"""Lines in the wording of other games. Each is put into the words of a pattern, or, if it could mean several things,
gets advice. Entries are read back in the words of the patterns only."""

import re
from collections.abc import Mapping
from contextlib import suppress

from rules.engine.phrases import kind_words

from .roll_lines import ROLLS
from .words import GIVEN, NotUnderstood, Words, article, level_shape

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}
OF_ROLLS = "|".join(ROLLS)
CHANGE = r"(advantage|disadvantage|[+-]\d{1,3})"
PER = r"(?:/| ?\b(?:per|each|every)\b) ?(?:an? )?"
BACK = r"(?:, |,? (?:is |are )?)(?:back|recharges?|recharged|regained|restored|refreshed)(?: after| on| with|:) "

# Applied in order, each to the result of those before it.
SPELLINGS = [
    (re.compile(shape, re.IGNORECASE), means)
    for shape, means in [
        (r"^(?:starting |beginning )?(?:at |from )?(\d{1,2})(?:st|nd|rd|th) (rank|level)[:,] ?", r"from \2 \1: "),
        (r"^attack(?: roll)?s against (?:you|it|the (?:creature|target|character)) have (advantage|disadvantage)$",
         r"\1 on attack rolls against this character"),
        (r"^(?:you|the (?:creature|target|character|wearer|wielder)) ", ""),
        (r"^(?:have|has|gains?|gets?|takes?|are|is|can|your) (?:an? )?", ""),
        (r"^(?:proficien(?:t|cy)|trained|training) (?:in|with) (?:any )?(.+ of your choice)$", r"\1"),
        (r"^(?:any )?(one|two|three|four|an?|[1-9]) (?:extra |additional )?(.+) of your choice$", r"choose \1 \2"),
        *((rf"^choose {word} ", f"choose {number} ") for word, number in NUMBERS.items()),
        (r"^(?:proficien(?:t|cy)|trained|training) (?:in|with) (?:the )?(.+?)(?: skill)?$", r"is proficient with \1"),
        (r"^resist(?:s|ant|ance)?(?: to| against)? (.+?)(?: damage)?$", r"resists \1"),
        (r"^(.+) resistance$", r"resists \1"),
        (r"^(?:immun(?:e|ity) (?:to|against)|(?:cannot|can[’']t|not) be) (?:the )?(.+?)(?: damage| condition)?$",
         r"is immune to \1"),
        (r"^(.+) immunity$", r"is immune to \1"),
        (r"^(?:vulnerab(?:le|ility)|weak(?:ness)?) (?:to|against) (.+?)(?: damage)?$", r"is vulnerable to \1"),
        (r"^(?:speaks?(?: and reads?)?|fluent in|languages?:) (.+)$", r"knows \1"),
        (r"^(?:starts|begins) with (?:an? )?(.+)$", r"owns \1"),
        (r"^(?:requires?|requirements?:|prerequisites?:|must (?:have|be)) (?:an? |at least )?(.+)$", r"needs \1"),
        (r"^needs (.+\d)(?:\+| or (?:higher|above|better))$", r"needs \1"),
        (r"^needs (?:proficien(?:t|cy) (?:in|with)|trained in) (.+)$", r"needs proficiency with \1"),
        (r"^needs (\d{1,2})(?:st|nd|rd|th) level$", r"needs level \1"),
        (rf"(^|, )once {PER}(.+)$", r"\g<1>1 use, back after \2"),
        (rf"(^|, )twice {PER}(.+)$", r"\g<1>2 uses, back after \2"),
        (rf"(^|, )([1-9]\d?)(?: uses?| times| charges?)? ?{PER}(.+)$", r"\g<1>\2 uses, back after \3"),
        (rf"(\d (?:uses?|charges?)){BACK}", r"\1, back after "),
        (r"^([1-9]\d?) charges?, ", r"\1 uses, "),
        (rf"^([1-9]\d?) (?!uses? ?\b)([^,:/]+?)(?:{BACK}| ?{PER})(.+)$", r"\1 uses of \2, back after \3"),
        (r", (?:costs?|costing) (\d)", r", spends \1"),
        (r", (?:heal|regains?) (\d*d\d)", r", heals \1"),
        (r", deals? ", ", "),
        (r"^([+-]\d{1,3}) (?:\w+ )?(?:bonus|penalty) (to|on) ", r"\1 \2 "),
        (r"^([+-]\d{1,3}) (?:feet|foot|ft\.?) (?:of |to )?", r"\1 to "),
        (r"^([+-]\d{1,3}) to hit\b", r"\1 on attack rolls"),
        (r"^(.+) (?:increases|is increased|improves) by (\d{1,3})(?: feet)?$", r"+\2 to \1"),
        (r"^(.+) (?:decreases|is decreased|is reduced) by (\d{1,3})(?: feet)?$", r"-\2 to \1"),
        (r"^(?!\w+ on )([a-z][^:,]*) ([+-]\d{1,3})$", r"\2 to \1"),
        (r"^auto(?:matically )?(fail|succeed)s?(?: on)? (.+)$", r"\2 \1 without a roll"),
        (rf"^{CHANGE} (?:on|to) (?:all|any) ", r"\1 on "),
        (r"\b(?:saves|saving throw)\b", "saving throws"),
        (rf"^{CHANGE} on (.* )?(?:attacks|attack roll)\b", r"\1 on \2attack rolls"),
        (rf"^{CHANGE} on damage rolls\b", r"\1 on damage"),
        (rf"^{CHANGE} on (?:skill|ability) check\b", r"\1 on checks"),
    ]
]  # fmt: skip

NO_ROLLS = re.compile(rf"{CHANGE} on (?!.*\b(?:{OF_ROLLS})\b)(.+)", re.IGNORECASE)
NUMBER = re.compile(r"([a-z][^:,\d]*?)(?: is| of)? (\d{1,3})(?: feet| ft\.?)?", re.IGNORECASE)
DICE = re.compile(r"[+-]?\d*d\d.*", re.IGNORECASE)


def beginning(line: str, level: str) -> str:
    """“from rank 3: ” at the beginning of a line, or the same with this word for a level; "" if there is none."""
    found = re.match(rf"(?:(?:from|at) )?(?:rank|{level_shape(level)}) \d{{1,2}}: ", line, re.IGNORECASE)
    return found[0] if found else ""


def respelled(line: str, level: str) -> str:
    """The line in the words of the patterns, if it is in a known foreign wording. level: the game's word for a
    level."""
    begun, rest = "", line
    for shape, means in SPELLINGS:
        rest = shape.sub(means, rest, count=1)
        if not begun and (begun := beginning(rest, level)):
            rest = rest.removeprefix(begun)
    return begun + rest


def advice_for(words: Words, line: str, grants: Mapping[str, str]) -> str:
    """Advice about a line that fits no pattern; "" if there is none. grants: wording in a line -> the word of that
    grant."""
    said = line.removeprefix(beginning(line, words.level))
    if rolled := NO_ROLLS.fullmatch(said):
        change, about = rolled.groups()
        return f"Say which rolls: “{change} on checks of {about}”, or “saving throws” in place of “checks”."
    if DICE.fullmatch(said):
        return (
            "A line has dice only after the name of an action, as in “Action: Burst, 1d8 damage”. "
            "A weapon's damage has its own fields."
        )
    with suppress(NotUnderstood):
        if number := NUMBER.fullmatch(said):
            stat = words.stat_alone(number[1]).name
            return f"Write “{stat} starts at {number[2]}”; or “{stat} becomes {number[2]}” if nothing else counts."
        named = words.element(said)
        if says := next((says for says, word in grants.items() if named.kind in GIVEN[word]), ""):
            return f"Write “{says} {named.name}”."
        called, _ = kind_words(named.kind, words.game.kinds)
        return f"{named.name} is {article(called)}, which no line gives."
    return ""
