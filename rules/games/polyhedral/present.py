"""The page of a sheet: its sections, in reading order."""

from functools import partial

from rules.games import sections
from rules.games.view import View, section

from . import page_sections, steps
from .page_sections import SHOWN, VITAL_RESOURCES


class SheetPage(View):
    """The whole sheet of one character, finished or not, ready for a template."""

    identity = section(sections.identity)
    vitals = section(page_sections.vitals)
    initiative = section(lambda bundle, build, sheet: sheet.rolls.get("initiative"))
    attackers = section(page_sections.attackers)
    abilities = section(page_sections.abilities)
    # Situations that all rolls of a kind share, shown once; each roll has them as well.
    every_save = section(partial(page_sections.alike, "save"))
    every_skill = section(partial(page_sections.alike, "skill"))
    every_knowledge = section(partial(page_sections.alike, "knowledge"))
    skills = section(partial(page_sections.checks, "skill"))
    knowledges = section(partial(page_sections.checks, "knowledge"))
    attacks = section(page_sections.attacks)
    spells = section(page_sections.spells)
    uses = section(partial(sections.uses, VITAL_RESOURCES))
    actions = section(sections.actions)
    features = section(sections.features)
    proficiencies = section(page_sections.proficiencies)
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
