"""A derived sheet as plain data, as `manage.py sheet --json` prints it. docs/character-file.md describes the format."""

from collections import Counter
from collections.abc import Iterable

from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.difference import features
from rules.engine.phrases import MINUS
from rules.engine.sheet import Attack, Proficiency, Sheet, Step

from .creation import rank_stats
from .paths import TAKE, open_path


def answer(sheet: Sheet, bundle: Bundle) -> dict[str, object]:
    """Everything about a character in JSON types, each list sorted by slug."""
    return {
        "name": sheet.name,
        "level": sheet.level,
        "picks": {"earned": sheet.picks.earned, "taken": sheet.picks.taken, "open": sheet.picks.open},
        "values": {
            key: {"value": value.value, "because": because(value.because)}
            for key, value in sorted(sheet.values.items())
        },
        "rolls": {
            key: {
                "dice": roll.dice,
                "modifier": roll.modifier,
                "proficient": roll.proficient,
                "passive": roll.passive,
                "because": because(roll.because),
            }
            for key, roll in sorted(sheet.rolls.items())
        },
        "attacks": [attack(one) for one in sorted(sheet.attacks, key=lambda a: (a.item, a.grip))],
        "proficiencies": {place: slugs(rows) for place, rows in sheet.proficiencies.items()},
        "features": sorted(map(slug_of, features(sheet))),
        "resources": [
            {"slug": line.slug, "max": line.max, "left": line.left, "recovers": list(line.recovers)}
            for _, line in sorted(sheet.resources.items())
            if line.style != "turn"
        ],
        "conditions": sorted(slug_of(ref) for ref in sheet.conditions if ref not in bundle.tracked),
        "open": open_choices(sheet, bundle),
        "problems": [{"where": problem.where, "text": problem.text} for problem in sheet.problems],
    }


def because(steps: Iterable[Step]) -> list[dict[str, object]]:
    return [
        {"source": step.source, "text": step.text, "amount": step.amount, "applied": step.applied}
        | ({} if step.applied else {"why": step.why})
        | ({"part": step.part} if step.part else {})
        for step in steps
    ]


def attack(one: Attack) -> dict[str, object]:
    return {
        "item": one.item,
        "grip": one.grip,
        "dice": one.roll.dice,
        "modifier": one.roll.modifier,
        "damage": one.damage.replace(MINUS, "-"),
        "type": one.type,
        "because": because(one.because),
    }


def slugs(rows: Iterable[Proficiency]) -> list[str]:
    """The slug of each row; a player's own words stay as written."""
    return sorted({slug_of(row.ref) if row.ref else row.name for row in rows})


def slug_of(ref: Ref) -> str:
    return ref.partition(":")[2]


def open_choices(sheet: Sheet, bundle: Bundle) -> list[dict[str, object]]:
    """Open choices, including ability ranks. Level picks not taken are counted in `picks` instead."""
    needs = Counter[str]()
    for line in sheet.choices:
        if line.open and (line.choice.key not in TAKE or line.made):
            needs[open_path(line.choice.key, line.level)] += line.open
    if unranked := rank_stats(bundle).keys() - sheet.solver.found.build.inputs.keys():
        needs["abilities.ranks"] = len(unranked)
    return [{"choice": path, "needs": count} for path, count in sorted(needs.items())]
