"""Lines that change statistics: “+1 to Defense while wearing no armor”, “each 3 ranks: +1 to Defense”."""

import re
from collections.abc import Iterator

from django.db.models import Model

from rules import models
from rules.engine.phrases import signed
from rules.models.vocabulary import Kind, Op, Per, StatFormat

from .amounts import END_OF, OF_AMOUNT, amount_of, amount_words, per_of
from .entry_rows import Rows, RowSentence, is_plain, when
from .roll_lines import ROLLS
from .words import NotUnderstood, Words

ROLLED: set[str] = {Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL}  # these have rolls but no number
SETS = {"starts at": Op.BASE, "becomes": Op.SET, "is at least": Op.AT_LEAST, "is at most": Op.AT_MOST}


def number_of(words: Words, amount: str, stat: str) -> list[Model]:
    stat, when = words.split(stat)
    stat, per = per_of(words, stat)
    return [models.StatModifier(stat=stat_of(words, amount, stat), op=Op.ADD, amount=int(amount), when=when, per=per)]


def stat_of(words: Words, amount: str, name: str) -> models.Stat:
    """The statistic with this name. If the name is of something that is rolled, such as a skill, raises NotUnderstood
    with the sentence that changes such rolls."""
    try:
        return words.stat(name)
    except NotUnderstood as refused:
        if any(f"{name.lower()} ".startswith(f"{roll} ") for roll in ROLLS):
            raise NotUnderstood(f"Write “{amount} on {name.lower()}”.") from refused
        before, _ = words.parted(name, ())
        rolled = words.called(re.sub(" checks?$", "", before, flags=re.IGNORECASE), ROLLED)
        change = signed(int(amount))
        raise NotUnderstood(f"Write “{change} on checks of {rolled}”.") if rolled else refused from None


def sentences_of_numbers(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if row.op == Op.ADD and row.per in END_OF and is_plain(row, "stat", "op", "amount", "when", "per", "from_rank"):
            words = f"{signed(row.amount)} to {rows.name(row.stat)}{rows.end_of(row)}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{words}", (row,))


def number_added(words: Words, amount: str, stat: str) -> list[Model]:
    stat, when = words.split(stat)
    stat, per = per_of(words, stat)
    columns = amount_of(words, amount)
    return [models.StatModifier(stat=words.stat(stat), op=Op.ADD, when=when, per=per, **columns)]


def number_set(words: Words, stat: str, op: str, amount: str) -> list[Model]:
    changed = words.stat(stat)
    amount, when = words.split(amount)
    amount, per = per_of(words, amount)
    if changed.format == StatFormat.FEET:  # as pages word it
        amount = amount.removesuffix(" feet")
    return [models.StatModifier(stat=changed, op=SETS[op.lower()], when=when, per=per, **amount_of(words, amount))]


def sentences_of_added(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if row.op == Op.ADD and row.of_stat and " to " not in row.of_stat.name and (words := amount_in(rows, row)):
            added = f"adds {words} to {rows.name(row.stat)}{rows.end_of(row)}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{added}", (row,))


def sentences_of_sets(rows: Rows) -> Iterator[RowSentence]:
    names = {op: name for name, op in SETS.items()}
    for row in rows.effects:
        if row.op in names and (words := amount_in(rows, row)):
            number = f"{rows.name(row.stat)} {names[row.op]} {words}{rows.end_of(row)}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{number}", (row,))


def amount_in(rows: Rows, row: models.Effect) -> str:
    """The amount of a statistic's row in words; "" if the row says more than a line can."""
    said = ("stat", "op", *OF_AMOUNT, "when", "from_rank")
    plain = is_plain(row, *said, "per", *(["amount"] if row.amount is not None else []))
    return amount_words(row, rows.name(row.of_stat) if row.of_stat else "") if plain and row.per in END_OF else ""


def number_in_steps(words: Words, step: str, each: str, amount: str, stat: str) -> list[Model]:
    """A number that grows every few ranks: a statistic counts the ranks, and the amount divides it."""
    each = each.lower()
    if stat.lower().startswith("on "):
        line = f"from {each} {step}: {amount} {stat}"
        raise NotUnderstood(f"Only a statistic grows in steps. Write a line for each step, such as “{line}”.")
    stat, when = words.split(stat)
    if not 1 <= int(step) <= 99:
        raise NotUnderstood(f"Write from 1 to 99 {each}s, such as “each 3 {each}s”.")
    if not 1 <= int(amount[1:]) <= 9:
        raise NotUnderstood("Write from +1 to +9, or from −1 to −9.")
    slug = words.new_slug(f"{words.entry} {each}s")
    ranks = models.Stat(key=slug, name=f"{each.capitalize()}s for {words.entry}"[:120], visible=False)
    down = not amount.startswith("+")
    return [
        ranks,
        models.StatModifier(stat=ranks, op=Op.BASE, amount=1, per=Per.RANK if each == "rank" else Per.LEVEL),
        *(
            models.StatModifier(
                stat=words.stat(stat), op=Op.ADD, of_stat=ranks, divided_by=int(step), when=when,
                times=-1 if down else 1, round_up=down,
            )
            for _ in range(int(amount[1:]))
        ),
    ]  # fmt: skip


def sentences_of_steps(rows: Rows) -> Iterator[RowSentence]:
    for base in rows.effects:
        if not (base.op == Op.BASE and base.per in (Per.RANK, Per.LEVEL) and base.amount == 1 and is_made(rows, base)):
            continue
        steps = [row for row in rows.effects if row.of_stat_id == base.stat_id]
        said = ("stat", "op", "of_stat", "divided_by", "when", "times", "round_up")
        alike = {tuple(getattr(row, models.Effect._meta.get_field(name).attname) for name in said) for row in steps}
        if len(alike) != 1 or not is_plain(base, "stat", "op", "amount", "per") or not is_plain(steps[0], *said):
            continue
        first = steps[0]
        if first.op == Op.ADD and (first.times, first.round_up) in ((1, False), (-1, True)):
            amount = signed(first.times * len(steps))
            each = "rank" if base.per == Per.RANK else rows.level
            words = f"each {first.divided_by} {each}s: {amount} to {rows.name(first.stat)}{when(first)}"
            yield RowSentence(words, (base.stat, base, *steps))


def is_made(rows: Rows, base: models.Effect) -> bool:
    """True if a base's statistic may be one that a line has made to count ranks. Any other, such as Speed, would be
    renamed and hidden with the line."""
    stat = base.stat
    hidden = is_plain(stat, "ruleset", "source", "key", "name", "visible") and not stat.visible
    return hidden and stat.source_id == rows.entry.source_id
