"""The difference between two sheets: numbers that moved, and things that came or went."""

from collections import Counter
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from .sheet import ActionLine, Attack, Roll, Sheet, Step, Value

FEATURES = ("feature", "talent", "path")  # the kinds of element that count as features
AGAINST = "against"  # rolled by whoever attacks the character, so a better one is worse


class DiffLine(NamedTuple):
    """One thing that differs. before or after is "" for something that came or went.

    why: the rows that apply only on the new sheet, or with another amount there; gone: the same for the old one. worse:
    a number or roll fell, less of a counter is left, or one that counts up went up.
    """

    # value, roll, attack, action, condition, feature, proficiency, defense, resource, recovery, choice, problem; pages
    # also make those of counters (left, spent) and of a spell
    kind: str
    key: str
    name: str
    before: str
    after: str
    why: tuple[Step, ...] = ()
    gone: tuple[Step, ...] = ()
    worse: bool = False


def difference(before: Sheet, after: Sheet) -> tuple[DiffLine, ...]:
    """Everything that differs between two sheets, numbers first; empty for equal sheets."""
    return (
        *values(before, after),
        *rolls(before, after),
        *attacks(before, after),
        *actions(before, after),
        *conditions(before, after),
        *sets(before, after),
    )


def differing[K: (str, tuple[str, str, str]), V](old: Mapping[K, V], new: Mapping[K, V]) -> list[K]:
    """The keys under which two dictionaries hold different things, in order."""
    return sorted([key for key in old.keys() | new.keys() if old.get(key) != new.get(key)])


def values(before: Sheet, after: Sheet) -> list[DiffLine]:
    moved = []
    for key in differing(before.values, after.values):
        old, new = before.values.get(key), after.values.get(key)
        was, now = old.value if old else 0, new.value if new else 0
        if was != now:
            moved.append(DiffLine("value", key, key, str(was), str(now), *rows(old, new), worse=now < was))
    return moved


def rolls(before: Sheet, after: Sheet) -> list[DiffLine]:
    moved = []
    for key in differing(before.rolls, after.rolls):
        old, new = before.rolls.get(key), after.rolls.get(key)
        was, now = pool(old), pool(new)
        if was != now:
            name = new.name if new else old.name if old else key
            worse = weaker(new, old) if key == AGAINST else weaker(old, new)
            moved.append(DiffLine("roll", key, name, was, now, *rows(old, new), worse=worse))
    return moved


def attacks(before: Sheet, after: Sheet) -> list[DiffLine]:
    old = {(a.item, a.grip, a.item_key): a for a in before.attacks}
    new = {(a.item, a.grip, a.item_key): a for a in after.attacks}
    moved = []
    for key in differing(old, new):
        first, last = old.get(key), new.get(key)
        was, now = strike(first), strike(last)
        if was != now:
            name, worse = (last or old[key]).name, weaker(first and first.roll, last and last.roll)
            moved.append(DiffLine("attack", f"{key[0]}.{key[1]}", name, was, now, *rows(first, last), worse=worse))
    return moved


def actions(before: Sheet, after: Sheet) -> list[DiffLine]:
    """Actions of both sheets that roll other dice or have another number; one that came or went is told by whose it
    is."""
    old, new = ({f"{one.action.owner}.{one.action.slug}": one for one in sheet.actions} for sheet in (before, after))
    moved = []
    for key in differing(old, new):
        if key not in old or key not in new:
            continue
        first, last = old[key], new[key]
        was, now = first.in_words, last.in_words
        if was != now:
            worse = twice_the_mean(last) < twice_the_mean(first)
            moved.append(DiffLine("action", key, last.action.name, was, now, *rows(first, last), worse=worse))
    return moved


def conditions(before: Sheet, after: Sheet) -> list[DiffLine]:
    """Conditions that began, ended or differ in their stacks; those that others bring included."""
    moved = []
    for ref in differing(before.conditions, after.conditions):
        was, now = (str(sheet.conditions.get(ref, "")) for sheet in (before, after))
        name = (after if now else before).solver.found.bundle.called(ref)
        moved.append(DiffLine("condition", ref, name, was, now))
    return moved


def sets(before: Sheet, after: Sheet) -> list[DiffLine]:
    """Features, proficiencies, resistances, resources, open choices and problems that came or went, and resources that
    come back at other events."""
    moved = []
    for kind, old, new in (
        ("feature", features(before), features(after)),
        ("proficiency", proficiencies(before), proficiencies(after)),
        ("defense", defenses(before), defenses(after)),
        ("resource", resources(before, after), resources(after, before)),
        ("recovery", recoveries(before, after), recoveries(after, before)),
        ("choice", open_choices(before), open_choices(after)),
        ("problem", problems(before), problems(after)),
    ):
        for key in differing(old, new):
            if kind not in ("proficiency", "defense") or key not in old or key not in new:  # else it has another name
                moved.append(DiffLine(kind, key, key, old.get(key, ""), new.get(key, "")))
    return moved


def rows(
    old: Value | Roll | Attack | ActionLine | None, new: Value | Roll | Attack | ActionLine | None
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The rows behind the difference: those that came, and those that went."""
    was, now = old.because if old else (), new.because if new else ()
    return news(was, now), news(now, was)


def news(old: tuple[Step, ...], new: tuple[Step, ...]) -> tuple[Step, ...]:
    """The rows that apply now and did not before, or not with this amount, or not as often."""
    known = Counter(step for step in old if step.applied)
    found = []
    for step in new:
        if step.applied and known[step]:
            known[step] -= 1
        elif step.applied:
            found.append(step)
    return tuple(found)


def weaker(old: Roll | None, new: Roll | None) -> bool:
    """True if a roll has fewer dice than before, or as many and a smaller modifier. One that fails for certain counts
    as no dice, one that succeeds for certain as more than any. Of equal ones, the one that is more often critical is
    better."""
    return old is not None and new is not None and strength(new) < strength(old)


def strength(roll: Roll) -> tuple[float, ...]:
    """A sort key: the better roll is greater."""
    if roll.certain:
        return (-inf if roll.fails else inf,)
    return roll.dice, roll.modifier, -roll.criticals_on, -roll.criticals_from_pool


def pool(roll: Roll | None) -> str:
    return "" if roll is None else dice(roll) + critical(roll)


def dice(roll: Roll) -> str:
    return roll.certain or roll.words or f"{roll.dice}D{roll.modifier:+d}"


def critical(roll: Roll) -> str:
    """The dice that make a roll critical, unless they are the usual ones: `, critical on 4 with 2D`. "" where the game
    has words of its own for its rolls."""
    if roll.certain or roll.words:
        return ""
    usual = Roll("", "")
    on = f" on {roll.criticals_on}" if roll.criticals_on != usual.criticals_on else ""
    many = f" with {roll.criticals_from_pool}D" if roll.criticals_from_pool != usual.criticals_from_pool else ""
    return f", critical{on}{many}" if on or many else ""


def strike(attack: Attack | None) -> str:
    if attack is None:
        return ""
    return f"{dice(attack.roll)}, {attack.damage} {attack.type}{critical(attack.roll)}"


def twice_the_mean(line: ActionLine) -> int:
    return line.dice * (line.action.die + 1) + 2 * line.modifier


def features(sheet: Sheet) -> dict[str, str]:
    return {ref: ref for ref in sheet.active if ref.split(":")[0] in FEATURES}


def proficiencies(sheet: Sheet) -> dict[str, str]:
    """By ref; own words by their place on the sheet."""
    return {row.ref or f"{place}:{row.name}": row.name for place, rows in sheet.proficiencies.items() for row in rows}


def defenses(sheet: Sheet) -> dict[str, str]:
    return {f"{word}.{row.ref}": row.name for word, rows in sheet.defenses.items() for row in rows}


def resources(sheet: Sheet, other: Sheet) -> dict[str, str]:
    """The maximum of each resource that is uses here, or on the other sheet: one that becomes points is not lost."""
    return {
        slug: str(line.max)
        for slug, line in sheet.resources.items()
        if "uses" in (line.style, other.resources.get(slug, line).style)
    }


def recoveries(sheet: Sheet, other: Sheet) -> dict[str, str]:
    """The events that bring back each resource that both sheets have, `short-rest long-rest`."""
    both = sheet.resources.keys() & other.resources.keys()
    return {slug: " ".join(sheet.resources[slug].recovers) for slug in both}


def open_choices(sheet: Sheet) -> dict[str, str]:
    return {f"{line.choice.key}@{line.level}": str(line.open) for line in sheet.choices if line.open}


def problems(sheet: Sheet) -> dict[str, str]:
    return {f"{problem.where}: {problem.text}": problem.text for problem in sheet.problems}
