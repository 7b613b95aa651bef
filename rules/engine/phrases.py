"""The words in sentences about content: names, amounts, ranks, plurals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from .build import Decision
from .content import Amount, Element, called, clause

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"

# Owners whose rows count from a character level; all others count from the rank of the job that brought them.
LEVEL_OWNERS = {"rules", "lineage", "culture", "background", "disposition", "talent", "size", "condition"}

PER = {"rank": "at each rank", "level": "at each {level}", "stack": "for each stack"}
# The stacks of a thing that is carried are its pieces.
THINGS = {"weapon", "armor", "gear", "tool"}
PROPERTY_NUMBER = "the number beside the property"
PLURALS = {"ability": "abilities", "knowledge": "knowledges", "category": "categories", "property": "properties"}
PLURALS |= {"armor": "armor", "gear": "gear", "rules": "rules", "damage-type": "damage types"}
# Operations that do not add, in words before their amount: "at most 19".
NOT_ADDED = {"multiply": "times", "at_least": "at least", "at_most": "at most", "set": "becomes"}


class Lookup(Protocol):
    """The source of names and words; a `Bundle` is one."""

    @property
    def elements(self) -> Mapping[str, Any]: ...
    @property
    def stats(self) -> Mapping[str, Any]: ...
    @property
    def circumstances(self) -> Mapping[str, Any]: ...
    @property
    def resources(self) -> Mapping[str, Any]: ...
    @property
    def events(self) -> Mapping[str, Any]: ...
    @property
    def switches(self) -> Mapping[str, Any]: ...
    @property
    def level(self) -> str: ...
    @property
    def kinds(self) -> Mapping[str, tuple[str, str]]: ...


@dataclass
class NamesByHand:
    """A lookup filled in by the caller, for rows that are in no bundle yet."""

    elements: dict[str, Any] = field(default_factory=dict)
    stats: dict[str, Any] = field(default_factory=dict)
    circumstances: dict[str, Any] = field(default_factory=dict)
    resources: dict[str, Any] = field(default_factory=dict)
    events: dict[str, Any] = field(default_factory=dict)
    switches: dict[str, Any] = field(default_factory=dict)
    # The words of the vocabulary
    level: str = "level"
    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def each_of(amount: Amount, owner: str, names: Lookup) -> str:
    """The words for an amount that counts more than once: " at each rank"; "" for one that counts once."""
    if amount.per == "stack" and owner.partition(":")[0] in THINGS:
        return " for each piece"
    per = "level" if amount.per == "rank" and counts_levels(owner) else amount.per
    return f" {PER[per].format(level=names.level)}" if per in PER else ""


def amount_phrase(amount: Amount, names: Lookup, owner: str = "") -> str:
    """A typed amount of a row of `owner` in words: "8 + Vitality modifier (at least 1) at each rank"."""
    phrase = limited_sum(amount, name_of(names.stats, amount.of_stat))
    if amount.per == "property_a":
        return PROPERTY_NUMBER if phrase == "1" else f"{phrase} {TIMES} {PROPERTY_NUMBER}"
    return phrase + each_of(amount, owner, names)


def limited_sum(amount: Amount, term: str) -> str:
    """The amount, counted once, with its limits: "8 + Vitality modifier (at least 1)"."""
    limits = [
        f"{word} {number(limit)}"
        for word, limit in (("at least", amount.at_least), ("at most", amount.at_most))
        if limit is not None
    ]
    return sum_of(amount, term) + (f" ({', '.join(limits)})" if limits else "")


def kind_words(kind: str, kinds: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """The words for one element of a kind and for several, "ability" and "abilities": a game's own (`kinds`), or else
    those of the vocabulary."""
    return kinds.get(kind) or (kind.replace("-", " "), PLURALS.get(kind, f"{kind}s"))


def answer_name(names: Lookup, answer: Decision) -> str:
    """The name of an answer, `Fighter` or `+2 Strength`; a name made from its slug if these rules do not have it."""
    if answer.stat:
        stat = names.stats.get(answer.stat)
        return f"+{answer.points} {stat.name if stat else called(answer.stat)}"
    element = names.elements.get(answer.ref)
    return element.name if element else answer.write_in or called(answer.ref)


def name_of(found: Mapping[str, Any], key: str) -> str:
    return str(found[key].name) if key in found else key


def setting_words(rule: Any, value: str) -> str:
    """A house rule's value in words: its label, or the value itself if it has none, such as a number."""
    labels: dict[str, str] = dict(zip(rule.allowed, rule.labels, strict=False))
    return labels.get(value, value)


def settings_words(found: Mapping[str, Any], key: str, values: str) -> str:
    """The values, separated by `|`, of the house rule with this key: "9 or 11"."""
    words = values.split("|")
    return " or ".join(setting_words(found[key], word) if key in found else word for word in words)


def when(slug: str, names: Lookup) -> str:
    if not slug:
        return ""
    # Set off by a comma: a circumstance that only the table knows qualifies the roll, not the character.
    comma = "," if getattr(names.circumstances.get(slug), "detection", "") == "table" else ""
    return f"{comma} {clause(name_of(names.circumstances, slug))}"


def sum_of(amount: Amount, term: str) -> str:
    """The flat amount plus the share of a statistic, called `term`: "−5 + half Strength rounded down"."""
    if not amount.of_stat:
        return number(amount.flat)
    times = abs(amount.times)
    if times == 1 and amount.divided_by == 2:
        term = f"half {term}"
    elif amount.divided_by != 1 or times != 1:
        term = f"{times} {TIMES} {term}" if times != 1 else term
        term = f"{term} \N{DIVISION SIGN} {amount.divided_by}" if amount.divided_by != 1 else term
    if amount.divided_by != 1:
        term += " rounded up" if amount.round_up else " rounded down"
    if amount.times < 0:
        return f"{number(amount.flat)} {MINUS} {term}" if amount.flat else f"{MINUS}{term}"
    return f"{number(amount.flat)} + {term}" if amount.flat else term


def factor_of(amount: Amount) -> str:
    """A plain amount that multiplies, in words: "halved", "doubled", "× 3/4"."""
    factor = Fraction(amount.flat, amount.divided_by)
    return {Fraction(1, 2): "halved", Fraction(2): "doubled"}.get(factor, f"{TIMES} {factor}")


def is_plain(amount: Amount) -> bool:
    """True for a bare number, which is written first, with its sign."""
    bare = not amount.of_stat and amount.at_least is None and amount.at_most is None
    return bare and amount.per != "property_a"


def listed_or_counted(words: Sequence[str], joined_by: str, *, at_most: int = 4, noun: str = "options") -> str:
    """The words as a list, or "6 options" if there are more than `at_most`."""
    if len(words) > at_most or not words:
        return f"{len(words)} {noun}"
    return joined(words, joined_by)


def joined(words: Sequence[str], by: str) -> str:
    """`a`, `a or b`, `a, b or c`; "" for none. by: the word before the last."""
    *others, last = words or ("",)
    return f"{', '.join(others)} {by} {last}" if others else last


def from_rank(owner: str, rank: int, names: Lookup) -> str:
    return f"from {step_of(owner, names)} {rank}"


def step_of(owner: str, names: Lookup) -> str:
    """The word for the steps by which this owner's rows count: the game's word for a level, or `rank`."""
    return names.level if counts_levels(owner) else "rank"


def counts_levels(owner: str) -> bool:
    return owner.partition(":")[0] in LEVEL_OWNERS


def quoted(text: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"


def number(value: int) -> str:
    return f"{MINUS}{-value}" if value < 0 else str(value)


def dice_words(number: int, die: int) -> str:
    """A number of dice as the rules write it: `3D` for d6, `2d8` for others."""
    return f"{number}D" if die == 6 else f"{number}d{die}"


def signed(value: int) -> str:
    return number(value) if value < 0 else f"+{value}"


def first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def not_offered(element: Element) -> str:
    """A sentence that a retired element can no longer be taken; "" for any other."""
    return f"{element.name} is no longer offered." if element.status == "retired" else ""
