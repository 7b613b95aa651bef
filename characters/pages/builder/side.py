"""The sheet so far, beside every step: a handful of numbers, and what each was before the last answer."""

from dataclasses import dataclass

from characters.read import number_format
from rules.engine import phrases
from rules.engine.sheet import Sheet

from .builder_character import BuilderCharacter


@dataclass(frozen=True)
class SideNumber:
    """One number. `was` is empty unless the last answer moved it."""

    key: str
    name: str
    now: str
    was: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Sidebar:
    level: str  # in words
    words: str
    vitals: tuple[SideNumber, ...]
    abilities: tuple[tuple[SideNumber, ...], ...]  # rank, modifier, save
    attacks: tuple[SideNumber, ...]
    skills: tuple[SideNumber, ...]


def side_of(opened: BuilderCharacter, before: Sheet | None) -> Sidebar:
    """The side sheet. Numbers that differ from the sheet `before` also show the former value."""
    now = _lines(opened, opened.sheet)
    then = _lines(opened, before) if before else {}

    def marked(group: str) -> tuple[SideNumber, ...]:
        former = {line.key: line.now for line in then.get(group, ())}  # a rank may be the modifier in another format
        return tuple(
            SideNumber(line.key, line.name, line.now, was, line.strong)
            if before and (was := former.get(line.key, "nothing")) != line.now
            else line
            for line in now[group]
        )

    numbers = tuple(zip(marked("ranks"), marked("modifiers"), marked("saves"), strict=True))
    words = opened.steps.in_words(opened.bundle, opened.sheet)
    level = opened.game.levels.in_words(opened.sheet.level)
    return Sidebar(level, words, marked("vitals"), numbers, marked("attacks"), marked("skills"))


def _lines(opened: BuilderCharacter, sheet: Sheet) -> dict[str, list[SideNumber]]:
    bundle, steps = opened.bundle, opened.steps
    stats = [(key, bundle.stats.get(key)) for key in steps.GLANCE if key in sheet.values]

    def number(key: str, name: str) -> SideNumber:
        return SideNumber(key, name, number_format.of_stat(bundle.stats.get(key), sheet.value(key), bundle))

    return {
        "vitals": [number(key, stat.short_name or stat.name) for key, stat in stats if stat],
        "ranks": [number(one.rank_stat, element.name) for element, one in bundle.abilities],
        "modifiers": [
            SideNumber(one.modifier_stat, element.name, phrases.signed(sheet.value(one.modifier_stat)))
            for element, one in bundle.abilities
        ],
        "saves": [_roll(f"{steps.SAVES}{element.slug}", sheet) for element, _ in bundle.abilities],
        "attacks": [
            SideNumber(
                f"attack {attack.item_key} {attack.item} {attack.grip}",
                f"{attack.name}, {attack.grip.replace('-', ' ')}" if attack.ref != steps.UNARMED else attack.name,
                f"{number_format.of_roll(attack.roll)}, {attack.damage}",
            )
            for attack in sheet.attacks
        ],
        "skills": [_roll(f"{steps.SKILLS}{skill.slug}", sheet) for skill in bundle.of_kind("skill")],
    }


def _roll(key: str, sheet: Sheet) -> SideNumber:
    roll = sheet.rolls.get(key)
    if roll is None:
        return SideNumber(key, key.partition(".")[2], "")
    return SideNumber(key, roll.name, number_format.of_roll(roll), strong=bool(roll.proficient))
