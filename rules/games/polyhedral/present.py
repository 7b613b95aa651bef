"""The page of a sheet, made of its parts in the order a player reads them."""

from functools import partial

from rules.engine.content import Stat
from rules.engine.sheet import Problem, Proficiency, Roll, Step
from rules.games.parts import Part, Parts

from . import parts, steps
from .page import (
    AbilityCell,
    ActionGroup,
    AttackRow,
    CheckRow,
    ConditionRow,
    ExceptionRow,
    FeatureRow,
    HouseRule,
    Identity,
    ItemRow,
    SpellRow,
    UsesRow,
    Vitals,
)
from .steps import Missing


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
        "identity": Part(parts.identity, ("level", "active"), ("name", "xp", "decisions")),
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
        "uses": Part(parts.uses, ("resources",)),
        "actions": Part(parts.actions, ("actions",)),
        "features": Part(parts.features, ("active",)),
        "proficiencies": Part(parts.proficiencies, ("proficiencies",)),
        "defenses": Part(parts.defenses, ("defenses",)),
        "equipment": Part(parts.equipment, ("belongings",), ("items",)),
        "conditions": Part(parts.conditions, ("conditions",), ("conditions",)),
        "aspects": Part(parts.aspects, (), ("aspects",)),
        "notes": Part(parts.notes, ("notes",)),
        "numbers": Part(parts.numbers, ("values",)),
        "house_rules": Part(parts.house_rules, (), ("switches",)),
        "exceptions": Part(parts.exceptions, (), ("decisions",)),
        "missing": Part(steps.missing, ("choices",), ("name", "inputs", "decisions", "aspects")),
        "problems": Part(steps.problems, ("problems", "choices"), ("decisions",)),
    }
