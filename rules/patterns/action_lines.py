"""Lines about uses and actions: “3 uses of Sap, back after a short rest”, “Action: Burst, 2D damage, spends 1 Sap”."""

import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Model

from rules import models
from rules.engine.phrases import dice_words
from rules.games.dice_text import MOST_DICE, MOST_SIDES
from rules.models.vocabulary import Op

from .amounts import OF_AMOUNT, amount_of, amount_words
from .entry_rows import Rows, RowSentence, is_plain
from .words import NotUnderstood, Words, article

COUNT = r"[1-9]\d?"
BACK = r"back after (?:an? )?(?P<event>.+)"
MADE = r"heals [^:]+?|[^:]+? damage"
ROLLS = {"heals {}": models.Action.Rolls.HEAL, "{} damage": models.Action.Rolls.DAMAGE}
DICE = re.compile(r"(?P<dice>\d{0,3})d(?P<die>\d{0,3})(?: ?\+ ?(?P<more>.+))?", re.IGNORECASE)


def uses(words: Words, count: str, event: str, name: str | None) -> list[Model]:
    name = name or words.entry
    slug = words.new_slug(name)
    event = words.event(event)
    stat = models.Stat(key=f"{slug}.max", name=f"Uses of {name}"[:120])
    resource = models.Resource(slug=slug, name=name[:120], max_stat=stat)
    words.made.append(resource)
    return [
        stat,
        models.StatModifier(stat=stat, op=Op.BASE, amount=int(count)),
        resource,
        models.Recovery(resource=resource, event=event, full=True),
    ]


def sentences_of_uses(rows: Rows) -> Iterator[RowSentence]:
    for resource in rows.resources:
        named = resource.name == rows.entry.name[:120]
        if (named or is_sayable(resource.name)) and (found := uses_of(rows, resource, "" if named else resource.name)):
            yield found


def uses_of(rows: Rows, resource: models.Resource, name: str = "", rank: int = 0) -> RowSentence | None:
    """“1 use, back after a short rest”, if one row gives the uses and another brings all of them back."""
    bases = [row for row in rows.effects if row.stat_id == resource.max_stat_id and row.op == Op.BASE]
    recoveries = [row for row in rows.recoveries if row.resource_id == resource.pk]
    if (
        len(bases) == len(recoveries) == 1
        and is_plain(resource, "slug", "name", "max_stat")
        and is_plain(bases[0], "stat", "op", "amount", "from_rank")
        and bases[0].from_rank == rank
        and 0 < bases[0].amount < 100
        and is_plain(recoveries[0], "resource", "event", "full")
        and recoveries[0].owner_id == rows.entry.pk
    ):
        count, event = bases[0].amount, recoveries[0].event
        of = f" of {name}" if name else ""
        words = f"{count} use{'' if count == 1 else 's'}{of}, back after {article(event.name)}"
        return RowSentence(words, (resource.max_stat, bases[0], resource, recoveries[0]))
    return None


def action(
    words: Words,
    timing: str,
    name: str,
    roll: str | None,
    count: str | None,
    event: str,
    spent: str | None,
    resource: str,
) -> list[Model]:
    """An action that costs nothing, has its own uses (`count`), or spends those of another line or entry."""
    if re.search(r"\d?d\d|\dd\b", name, re.IGNORECASE):
        raise NotUnderstood("Name the action before its roll, as in “Bonus action: Second breath, heals 1d8”.")
    before = uses(words, count, event, name) if count else []
    cost = {"resource": before[2]} if count else {"resource": words.resource(resource), "uses": spent} if spent else {}
    row = models.Action(
        slug=before[2].slug if count else words.new_slug(name),
        name=name,
        timing=words.timing(timing),
        **cost,
        **(rolled(words, roll) if roll else {}),
    )
    row.uses = int(row.uses)
    return [*before, row]


def rolled(words: Words, said: str) -> dict[str, Any]:
    """The columns of an action's roll, from “heals 2D + Fighter rank” or “1d8 damage”."""
    form, total = next(
        (form, match[1]) for form in ROLLS if (match := re.fullmatch(form.format("(.+)"), said, re.IGNORECASE))
    )
    columns: dict[str, Any] = {"roll": ROLLS[form]}
    if (thrown := DICE.fullmatch(total)) is None:
        return columns | amount_of(words, total)
    dice, die = int(thrown["dice"] or 1), int(thrown["die"] or 6)
    if not 1 <= dice <= MOST_DICE or not 1 <= die <= MOST_SIDES:
        raise NotUnderstood(f"Write from 1 to {MOST_DICE} dice, of 1 to {MOST_SIDES} sides.")
    return columns | {"dice": dice, "die": die} | (amount_of(words, thrown["more"]) if thrown["more"] else {})


def sentences_of_actions(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.actions:
        roll = words_of_roll(rows, row)
        given = {"amount"} if row.amount is not None else set()
        said = {"dice", "die", *OF_AMOUNT, *given} if roll else set()
        if not is_sayable(row.name) or not is_plain(
            row, "slug", "name", "timing", "from_rank", "resource", "uses", "roll", *said
        ) or bool(row.roll) != bool(roll):  # fmt: skip
            continue
        start = f"{rows.begun(row)}{row.timing.name}: {row.name}{f', {roll}' if roll else ''}"
        if own := own_uses(rows, row):
            yield RowSentence(f"{start}, {own.text}", (*own.rows, row))
        elif row.resource and 0 < row.uses < 100:
            yield RowSentence(f"{start}, spends {row.uses} {rows.resource_name(row.resource)}", (row,))
        elif row.uses == 1 and not row.resource:
            yield RowSentence(start, (row,))


def own_uses(rows: Rows, row: models.Action) -> RowSentence | None:
    """The uses that only this action of the entry spends, one at a time, and that have its name."""
    resource = next((one for one in rows.resources if one.pk == row.resource_id), None)
    alone = len([one for one in rows.actions if one.resource_id == row.resource_id]) == 1
    if resource and alone and resource.name == row.name and row.uses == 1:
        return uses_of(rows, resource, rank=row.from_rank)
    return None


def words_of_roll(rows: Rows, row: models.Action) -> str:
    """The roll of an action as in a line; "" if it has none, or one that no line can express."""
    form = next((form for form, roll in ROLLS.items() if roll == row.roll), "")
    parts = [dice_words(row.dice, row.die)] if row.dice else []
    if row.amount is not None or row.of_stat:
        more = amount_words(row, rows.name(row.of_stat) if row.of_stat else "")
        if not more:
            return ""
        parts.append(more)
    said_in_full = parts and (row.dice or row.die == models.Action._meta.get_field("die").default)
    return form.format(" + ".join(parts)) if said_in_full else ""


def is_sayable(name: str) -> bool:
    """True if a name can be part of a sentence, where commas and colons separate the parts."""
    return len(name) <= 60 and not set(name) & set(",:")
