"""The difference between two sheets: numbers that changed, and things that were gained or lost."""

from collections import Counter
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from .sheet import ActionLine, Attack, Roll, Sheet, Step, Value

FEATURES = ("feature", "talent", "path")  # kinds of element that are shown as features
AGAINST = "against"  # rolled by attackers of the character, so a better roll is worse


class DiffLine(NamedTuple):
    """One thing that differs. before is "" for something gained, after for something lost.

    why: the rows that apply only on the new sheet, or with another amount there; gone: the same for the old sheet.
    worse: a number or roll got lower, less of a counter is left, or one that counts up got higher.
    """

    # value, roll, attack, action, condition, feature, proficiency, defense, resource, recovery, choice, problem; pages
    # add lines of their own for counters (left, spent) and spells
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
    """The keys with different values in two dictionaries, sorted."""
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
    """Actions on both sheets whose dice or number differ. One that was gained or lost is left out: the feature it
    belongs to says so."""
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
    """Conditions that began, ended or differ in their stacks, including those that other conditions bring."""
    moved = []
    for ref in differing(before.conditions, after.conditions):
        was, now = (str(sheet.conditions.get(ref, "")) for sheet in (before, after))
        name = (after if now else before).solver.found.bundle.called(ref)
        moved.append(DiffLine("condition", ref, name, was, now))
    return moved


def sets(before: Sheet, after: Sheet) -> list[DiffLine]:
    """Features, proficiencies, resistances, resources, open choices and problems that were gained or lost, and
    resources that now come back with other events."""
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
            if kind not in ("proficiency", "defense") or key not in old or key not in new:  # else only its name differs
                moved.append(DiffLine(kind, key, key, old.get(key, ""), new.get(key, "")))
    return moved


def rows(
    old: Value | Roll | Attack | ActionLine | None, new: Value | Roll | Attack | ActionLine | None
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The rows behind the difference: those that are new, and those that are gone."""
    was, now = old.because if old else (), new.because if new else ()
    return news(was, now), news(now, was)


def news(old: tuple[Step, ...], new: tuple[Step, ...]) -> tuple[Step, ...]:
    """The rows that apply now but did not before, or not with this amount, or not as often."""
    known = Counter(step for step in old if step.applied)
    found = []
    for step in new:
        if step.applied and known[step]:
            known[step] -= 1
        elif step.applied:
            found.append(step)
    return tuple(found)


def weaker(old: Roll | None, new: Roll | None) -> bool:
    """True if a roll has fewer dice than before, or equal dice and a smaller modifier. Certain failure counts as no
    dice, certain success as more than any number. Of otherwise equal rolls, the one that is critical less often is
    weaker."""
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
    """The dice that make a roll critical, as `, critical on 4 with 2D`; "" if they are the usual ones, or if the game
    has its own words for rolls."""
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
    """The maximum of each resource that has uses on this sheet or on the other: one that becomes a pool is not lost."""
    return {
        slug: str(line.max)
        for slug, line in sheet.resources.items()
        if "uses" in (line.style, other.resources.get(slug, line).style)
    }


def recoveries(sheet: Sheet, other: Sheet) -> dict[str, str]:
    """The events that bring back each resource on both sheets, as `short-rest long-rest`."""
    both = sheet.resources.keys() & other.resources.keys()
    return {slug: " ".join(sheet.resources[slug].recovers) for slug in both}


def open_choices(sheet: Sheet) -> dict[str, str]:
    return {f"{line.choice.key}@{line.level}": str(line.open) for line in sheet.choices if line.open}


def problems(sheet: Sheet) -> dict[str, str]:
    return {f"{problem.where}: {problem.text}": problem.text for problem in sheet.problems}
