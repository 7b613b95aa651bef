"""The page of a sheet, made of its parts in the order a player reads them."""

from functools import partial

from rules.engine.content import Stat
from rules.engine.sheet import Problem, Proficiency, Roll, Step
from rules.games import sections
from rules.games.contract import Missing
from rules.games.parts import Part, Parts
from rules.games.rows import (
    AbilityCell,
    ActionGroup,
    CheckRow,
    ConditionRow,
    ExceptionRow,
    FeatureRow,
    HouseRule,
    Identity,
    ItemRow,
    UsesRow,
)

from . import parts, steps
from .page import AttackRow, SpellRow, Vitals
from .parts import SHOWN, VITAL_RESOURCES


class Page(Parts):
    """The whole sheet of one character, complete or not, ready for a template."""

    identity: Identity
    vitals: Vitals
    initiative: Roll | None
    attackers: int
    abilities: tuple[AbilityCell, ...]
    every_save: tuple[str, ...]  # situations of all saving throws alike; the cells have them too
    skills: tuple[CheckRow, ...]
    knowledges: tuple[CheckRow, ...]
    attacks: tuple[AttackRow, ...]
    spells: tuple[SpellRow, ...]
    uses: tuple[UsesRow, ...]
    actions: tuple[ActionGroup, ...]
    features: tuple[FeatureRow, ...]
    proficiencies: tuple[tuple[str, tuple[Proficiency, ...]], ...]
    defenses: tuple[tuple[str, tuple[Proficiency, ...]], ...]
    equipment: tuple[tuple[str, tuple[ItemRow, ...]], ...]
    conditions: tuple[ConditionRow, ...]
    aspects: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[Step, ...]
    numbers: tuple[tuple[Stat, int], ...]
    house_rules: tuple[HouseRule, ...]
    exceptions: tuple[ExceptionRow, ...]
    missing: tuple[Missing, ...]
    problems: tuple[tuple[str, str, Problem], ...]

    made_of = {
        "identity": Part(sections.identity, ("level", "active"), ("name", "xp", "decisions")),
        "vitals": Part(parts.vitals, ("resources", "values")),
        "initiative": Part(parts.initiative, ("rolls.initiative",)),
        "attackers": Part(parts.attackers, ("rolls.against",)),
        "abilities": Part(parts.abilities, ("values", "rolls.check", "rolls.save")),
        "every_save": Part(parts.every_save, ("rolls.save",)),
        "skills": Part(partial(parts.checks, "skill"), ("rolls.skill",)),
        "knowledges": Part(partial(parts.checks, "knowledge"), ("rolls.knowledge",)),
        "attacks": Part(parts.attacks, ("attacks",)),
        "spells": Part(
            parts.spells, ("values", "rolls.spell-attack"), ("spells", "switches", "toggles", "conditions", "items")
        ),
        "uses": Part(partial(sections.uses, VITAL_RESOURCES), ("resources",)),
        "actions": Part(sections.actions, ("actions",)),
        "features": Part(sections.features, ("active",)),
        "proficiencies": Part(parts.proficiencies, ("proficiencies",)),
        "defenses": Part(sections.defenses, ("defenses",)),
        "equipment": Part(sections.equipment, ("belongings",), ("items",)),
        "conditions": Part(sections.conditions, ("conditions",), ("conditions",)),
        "aspects": Part(sections.aspects, (), ("aspects",)),
        "notes": Part(sections.notes, ("notes",)),
        "numbers": Part(partial(sections.numbers, SHOWN), ("values",)),
        "house_rules": Part(sections.house_rules, (), ("switches",)),
        "exceptions": Part(sections.exceptions, (), ("decisions",)),
        "missing": Part(steps.missing, ("choices",), ("name", "inputs", "decisions", "aspects")),
        "problems": Part(steps.problems, ("problems", "choices"), ("decisions",)),
    }
