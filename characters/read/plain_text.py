"""A sheet as plain text, for a terminal."""

from collections.abc import Iterable

from rules.engine.build import Build, Spell
from rules.engine.bundle import Bundle
from rules.engine.difference import features
from rules.engine.sheet import Roll, Sheet

from .number_format import of_roll, of_stat


def readable(bundle: Bundle, build: Build, sheet: Sheet) -> str:
    """The sheet in lines: numbers by group, rolls, attacks, what is known and owned, what is open or wrong."""
    levels = bundle.game.levels
    level = levels.in_words(sheet.level).lower()
    lines = [", ".join(filter(None, (sheet.name or "Unnamed character", level)))]
    if sheet.picks.open:
        lines.append(f"{sheet.picks.open} of {sheet.picks.earned} {levels.NAME}s still to take")
    for group, numbers in _groups(bundle, sheet).items():
        lines += _block(group or "Other", (f"{name} {number}" for name, number in numbers))
    lines += _block("Rolls", (f"{roll.name} {_roll(roll)}" for roll in sheet.rolls.values()))
    attacks = (f"{one.name} ({one.grip}) {_roll(one.roll)}, {one.damage} {one.type}" for one in sheet.attacks)
    lines += _block("Attacks", attacks)
    lines += _block("Spells", (_spell(bundle, spell) for spell in build.spells))
    for place, known in sheet.proficiencies.items():
        lines += _block(place.capitalize(), (one.name for one in known))
    lines += _block("Features", sorted(bundle.elements[ref].name for ref in features(sheet)))
    lines += _block("Conditions", (bundle.elements[ref].name for ref in sheet.conditions))
    resources = [one for one in sheet.resources.values() if one.style != "turn"]
    lines += _block(
        "Resources", (f"{one.name} {one.spent if one.counts_up else one.left}/{one.max}" for one in resources)
    )
    creation = bundle.game.creation
    unranked = creation.rank_stats(bundle).keys() - build.inputs.keys()
    still = [f"{creation.NAME} ({len(unranked)})"] if unranked else []
    still += [f"{line.choice.prompt} ({line.open})" for line in sheet.choices if line.open]
    lines += _block("Open", still)
    lines += _block("Problems", (f"{problem.where}: {problem.text}" for problem in sheet.problems))
    return "\n".join(lines) + "\n"


def _groups(bundle: Bundle, sheet: Sheet) -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for stat in sorted(bundle.stats.values(), key=lambda stat: stat.sort):
        if stat.visible and stat.key in sheet.values:
            groups.setdefault(stat.group, []).append((stat.name, of_stat(stat, sheet.value(stat.key), bundle)))
    return groups


def _roll(roll: Roll) -> str:
    return roll.certain or of_roll(roll)


def _spell(bundle: Bundle, spell: Spell) -> str:
    words = bundle.game.spells.in_words(bundle, spell)
    return f"{spell.name} ({words.removesuffix('.')})" if words else spell.name


def _block(title: str, entries: Iterable[str]) -> list[str]:
    entries = list(entries)
    return [f"{title}: {'; '.join(entries)}"] if entries else []
