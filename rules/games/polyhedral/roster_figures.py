"""The figures of each character on a party's roster: those that storytellers look up mid-sentence."""

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.phrases import number
from rules.engine.sheet import ResourceLine, Sheet
from rules.games.outcome import counted
from rules.games.rows import Figure

# Rolls whose passive total counts (section 2.6).
PASSIVE = ("skill.awareness", "skill.insight", "skill.stealth")


def roster(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Figure, ...]:
    found = [_health(sheet), Figure("Defense", str(sheet.value("defense")))]
    found += [_left(sheet.resources[slug]) for slug in ("resolve", "stamina") if slug in sheet.resources]
    found += [
        Figure(roll.name, number(roll.passive), "passive", minor=True)
        for key in PASSIVE
        if (roll := sheet.rolls.get(key)) is not None
    ]
    found.append(Figure("Speed", str(sheet.value("speed")), "ft", minor=True))
    return tuple(found)


def _health(sheet: Sheet) -> Figure:
    line, wounds = sheet.resources.get("health"), sheet.resources.get("wounds")
    if line is None:
        return Figure("Health", "–")  # for a character that is not finished
    hurt = wounds.spent if wounds else 0
    note = f"of {line.max}" + (f", {counted(hurt, 'wound')}" if hurt else "")
    return Figure("Health", str(line.left), note, line.left, line.max, bad=not line.left or bool(hurt))


def _left(line: ResourceLine) -> Figure:
    return Figure(line.name, str(line.left), f"of {line.max}", line.left, line.max)
