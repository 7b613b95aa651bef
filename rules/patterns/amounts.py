"""The amount in a line, as pages word it: “30”, “half Strength rounded down”, “8 + Vitality modifier (at least 1)”."""

import re
from typing import Any

from rules import models
from rules.engine.content import Amount
from rules.engine.phrases import MINUS, THINGS, limited_sum
from rules.models.vocabulary import Kind, Per

from .words import NotUnderstood, Words

PER = {  # how pages word it, then how it is read back; level: the word for a level
    " at each rank": Per.RANK,
    " at each {level}": Per.LEVEL,
    " for each stack": Per.STACK,
    " for each piece": Per.STACK,
    " per rank": Per.RANK,
    " per {level}": Per.LEVEL,
    " per stack": Per.STACK,
}
END_OF = {Per.ONCE: "", **{per: end for end, per in PER.items()}}
COUNTED: set[str] = {Kind.CONDITION, *THINGS}
NUMBER = r"-?\d{1,3}"
OF_AMOUNT = ("of_stat", "times", "divided_by", "round_up", "at_least", "at_most")  # columns besides the number itself
OF_STAT = re.compile(
    rf"(?:(?P<amount>{NUMBER}) (?P<sign>[+-]) |(?P<minus>-) ?)?"
    r"(?:(?P<half>half) |(?P<times>\d{1,3}) ?[×x*] )?(?P<stat>.+?)"
    r"(?: [÷/] ?(?P<divisor>[1-9]\d?))?(?: rounded (?P<rounded>up|down))?"
    rf"(?: \((?:at least (?P<at_least>{NUMBER}))?(?:, )?(?:at most (?P<at_most>{NUMBER}))?\))?",
    re.IGNORECASE,
)


def per_of(words: Words, text: str) -> tuple[str, Per]:
    """The text without “per level” or the like at its end, and how often the amount counts."""
    ends = {end.format(level=level.lower()): per for end, per in PER.items() for level in ("level", words.level)}
    end = next((end for end in ends if text.lower().endswith(end)), "")
    if not end:
        return text, Per.ONCE
    if ends[end] == Per.STACK and words.kind and words.kind not in COUNTED:
        raise NotUnderstood(f"Only conditions and goods are counted. Write “per rank” or “per {words.level}”.")
    return text[: -len(end)], ends[end]


def amount_of(words: Words, text: str) -> dict[str, Any]:
    """The columns of an amount that is counted once."""
    columns, stat = columns_of(text)
    if re.fullmatch(r"-?\d+", stat):
        raise NotUnderstood("Write a number of at most three digits.")
    if further := re.fullmatch(rf"{NUMBER} (?P<words>\w.*)", stat):
        raise words.no_circumstance(further["words"])
    least, most = columns.get("at_least"), columns.get("at_most")
    if least is not None and most is not None and least > most:
        raise NotUnderstood("The least must not be above the most.")
    return columns | ({"of_stat": words.stat(stat)} if stat else {})


def columns_of(text: str) -> tuple[dict[str, Any], str]:
    """The columns other than the statistic, and the statistic's name."""
    plain = text.strip().replace(MINUS, "-").replace("\N{EN DASH}", "-")
    if re.fullmatch(NUMBER, plain):
        return {"amount": int(plain)}, ""
    said = OF_STAT.fullmatch(plain)
    if not said:
        raise NotUnderstood("Write a number or a statistic, such as “half Strength rounded down”.")
    columns: dict[str, Any] = {
        name: int(said[name]) for name in ("amount", "at_least", "at_most") if said[name] is not None
    }
    times, divisor = int(said["times"] or 1), 2 if said["half"] else int(said["divisor"] or 1)
    columns["times"] = -times if said["minus"] or said["sign"] == "-" else times
    columns["divided_by"] = divisor
    columns["round_up"] = divisor > 1 and (said["rounded"] or "").lower() == "up"
    return columns, said["stat"]


def amount_words(row: models.Effect | models.Action, stat: str) -> str:
    """The amount of a row in words, without how often it counts; "" if a line with these words would not make the same
    columns. stat: the name of the other statistic."""
    amount = Amount(row.amount or 0, **{name: getattr(row, name) for name in OF_AMOUNT} | {"of_stat": stat})
    words = limited_sum(amount, stat)
    said, called = columns_of(words)
    made = models.Effect(**said)
    alike = all(getattr(made, name) == getattr(row, name) for name in ("amount", *OF_AMOUNT[1:]))
    return words if alike and called == stat else ""
