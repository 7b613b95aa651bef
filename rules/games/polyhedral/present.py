"""The page of a sheet, made of its sections in the order a player reads them."""

from functools import partial

from rules.games import sections
from rules.games.view import View, section

from . import parts, steps
from .parts import SHOWN, VITAL_RESOURCES


class Page(View):
    """The whole sheet of one character, complete or not, ready for a template."""

    identity = section(sections.identity)
    vitals = section(parts.vitals)
    initiative = section(parts.initiative)
    attackers = section(parts.attackers)
    abilities = section(parts.abilities)
    every_save = section(parts.every_save)  # situations of all saving throws alike; the cells have them too
    skills = section(partial(parts.checks, "skill"))
    knowledges = section(partial(parts.checks, "knowledge"))
    attacks = section(parts.attacks)
    spells = section(parts.spells)
    uses = section(partial(sections.uses, VITAL_RESOURCES))
    actions = section(sections.actions)
    features = section(sections.features)
    proficiencies = section(parts.proficiencies)
    defenses = section(sections.defenses)
    equipment = section(sections.equipment)
    conditions = section(sections.conditions)
    aspects = section(sections.aspects)
    notes = section(sections.notes)
    numbers = section(partial(sections.numbers, SHOWN))
    house_rules = section(sections.house_rules)
    exceptions = section(sections.exceptions)
    missing = section(steps.missing)
    problems = section(steps.problems)
