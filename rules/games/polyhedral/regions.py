"""The regions of a live sheet, and the pages beside it."""

from dataclasses import replace
from typing import Any

from rules.games.region import (
    ACTIONS,
    CONDITIONS,
    EQUIPMENT,
    IDENTITY,
    NUMBERS,
    PROFICIENCIES,
    STORY,
    UNFINISHED,
    WAYS,
    Region,
)


def around_counters(s: Any) -> tuple[object, ...]:
    """The vital numbers around the counters. The counters are regions of their own: this says only which of them there
    are."""
    v = s.page.vitals
    return tuple(part is None for part in (v.health, v.wounds, v.stamina, v.resolve))


def measures(s: Any) -> tuple[object, ...]:
    v = s.page.vitals
    wealth = v.resources, v.lifestyle, v.resources_lowered
    return (v.defense, s.page.attackers, not s.page.initiative, v.speed, v.cannot_move, v.skill_bonus, wealth)


def attacks(s: Any) -> tuple[object, ...]:
    return (s.page.attacks, s.page.vitals.attacks, s.table.shots, s.table.to_reload)


def spells(s: Any) -> tuple[object, ...]:
    return (s.page.spells, s.table.notes_spells, s.table.ready_spells)


INITIATIVE = (Region("initiative", "play/_initiative.jinja", of=lambda s: s.page.initiative),)
VITALS = (
    Region("health", "play/_health.jinja", of=lambda s: s.page.vitals.health),
    Region("measures", "play/_measures.jinja", of=measures, parts=INITIATIVE),
    Region("count-wounds", "play/_wounds.jinja", of=lambda s: (s.page.vitals.wounds, s.page.vitals.threshold)),
    Region("count-stamina", "play/_stamina.jinja", of=lambda s: s.page.vitals.stamina),
    Region("uses", "play/_uses.jinja", of=lambda s: s.table.uses),
    Region("count-resolve", "play/_resolve.jinja", of=lambda s: s.page.vitals.resolve),
)
TIMES = (
    Region("rest-begun", "play/_rest_begun.jinja", of=lambda s: (s.build.rest, s.build.rest_dice)),
    Region("declare-aspect", "play/_by_aspect.jinja", "declare", of=lambda s: s.invocable),
    Region("compel-aspect", "play/_by_aspect.jinja", "compel", of=lambda s: s.invocable),
)
THINGS = (
    *EQUIPMENT.parts,
    Region("shot", "play/_shot.jinja", of=lambda s: s.table.shot),
    Region("count-lowered", "play/_lowered.jinja", of=lambda s: s.page.vitals.lowered),
)
REGIONS = (
    IDENTITY,
    WAYS,
    UNFINISHED,
    # First, for a character that is down: everything that may still help. The log says whether the failed save can be
    # turned.
    Region("down", "play/down.jinja", of=lambda s: s.table.down, by_log=True, instead_of="vitals"),
    Region("vitals", "play/vitals.jinja", of=around_counters, parts=VITALS),
    Region("turn", "play/turn.jinja", of=lambda s: (s.table.turn, bool(s.table.down))),
    Region(
        "times",
        "play/times.jinja",
        of=lambda s: s.table.resolve_criticals,
        parts=TIMES,
        forms=("add_condition",),
    ),
    Region("abilities", "sheet/abilities.jinja", of=lambda s: (s.page.abilities, s.page.every_save)),
    Region("skills", "sheet/skills.jinja", of=lambda s: (s.page.skills, s.page.every_skill)),
    Region("knowledges", "sheet/knowledges.jinja", of=lambda s: (s.page.knowledges, s.page.every_knowledge)),
    Region("attacks", "sheet/attacks.jinja", of=attacks),
    Region("spells", "sheet/spells.jinja", of=spells),
    CONDITIONS,
    ACTIONS,
    replace(EQUIPMENT, parts=THINGS),  # the ruleset decides whether Resources can be lowered
    PROFICIENCIES,
    STORY,
    NUMBERS,
    Region("roll-aspect", "play/_by_aspect.jinja", "roll", of=lambda s: s.invocable),  # in the tray
)
# The pages beside the sheet that only this game has.
PAGES = frozenset({"rest", "downtime", "pool", "glance", "prepare-roll"})
