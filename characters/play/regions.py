"""The parts of a live page: each one partial with one id, drawn again when what it shows has moved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from characters.drawing import draw
from characters.game_templates import template_of
from characters.kept import own_of
from characters.prose import WORDS
from characters.versions import Version
from rules.engine.build import PLACES

from .forms import Forms
from .live import Live


@dataclass(frozen=True)
class Region:
    """`of` answers everything that the partial shows of a version and that content alone does not decide: equal answers
    mean that it need not be drawn. It is asked of regions of the sheet alone.

    What its parts show is left out of it: where only that has moved, only those are drawn. `name` tells regions of one
    template apart.
    """

    id: str
    template: str
    name: str = ""
    of: Callable[[Version], object] = lambda version: None
    parts: tuple["Region", ...] = ()


def around_counters(s: Version) -> tuple:
    """The vital numbers without those that are parts: which of these there are, and the limited uses."""
    v = s.page.vitals
    return [part is None for part in (v.health, v.wounds, v.stamina, v.resolve, v.lowered)], s.table.uses


def measures(s: Version) -> tuple:
    v = s.page.vitals
    wealth = v.resources, v.lifestyle, v.resources_lowered
    return (v.defense, s.page.attackers, not s.page.initiative, v.speed, v.cannot_move, v.skill_bonus, wealth)


def attacks(s: Version) -> tuple:
    return (s.page.attacks, s.page.vitals.attacks, s.table.shots, s.table.to_reload)


def beside_conditions(s: Version) -> tuple:
    return (s.page.defenses, bool(s.table.situations))


def around_notes(s: Version) -> tuple:
    return (s.page.numbers, bool(s.page.numbers or s.page.notes))


IN_FORCE = (Region("in-force", "play/_in_force.jinja", of=lambda s: s.table.in_force),)
INITIATIVE = (Region("initiative", "play/_initiative.jinja", of=lambda s: s.page.initiative),)
VITALS = (
    Region("health", "play/_health.jinja", of=lambda s: s.page.vitals.health),
    Region("measures", "play/_measures.jinja", of=measures, parts=INITIATIVE),
    Region("count-wounds", "play/_wounds.jinja", of=lambda s: (s.page.vitals.wounds, s.page.vitals.threshold)),
    Region("count-stamina", "play/_stamina.jinja", of=lambda s: s.page.vitals.stamina),
    Region("count-resolve", "play/_resolve.jinja", of=lambda s: s.page.vitals.resolve),
    Region("count-lowered", "play/_lowered.jinja", of=lambda s: s.page.vitals.lowered),
)
CONDITIONS = (
    Region("held", "play/_held.jinja", of=lambda s: s.table.held),
    Region("circumstances", "play/_situations.jinja", of=lambda s: s.table.situations),
)
TEXTS = tuple(
    Region(f"texts-{word}", "play/_texts.jinja", word, of=lambda s, word=word: s.prose[word]) for word in WORDS
)
TIMES = (
    Region("rest-begun", "play/_rest_begun.jinja", of=lambda s: (s.build.rest, s.build.rest_dice)),
    Region("declare-aspect", "play/_by_aspect.jinja", "declare", of=lambda s: s.invocable),
    Region("compel-aspect", "play/_by_aspect.jinja", "compel", of=lambda s: s.invocable),
)
THINGS = (
    *(
        Region(f"things-{state}", "play/_things.jinja", state, of=lambda s, state=state: s.table.things[state])
        for state in PLACES
    ),
    Region("shot", "play/_shot.jinja", of=lambda s: s.table.shot),
)
NOTES = (Region("notes", "sheet/_notes.jinja", of=lambda s: s.page.notes),)
DOWN = Region("down", "play/down.jinja", of=lambda s: s.table.down)
SHEET = (
    Region("identity", "sheet/head.jinja", of=lambda s: s.page.identity, parts=IN_FORCE),
    Region("ways", "play/ways.jinja", of=lambda s: (s.build.plan, s.sheet.picks, s.page.identity.level)),
    Region("unfinished", "sheet/unfinished.jinja", of=lambda s: (s.page.missing, s.page.problems)),
    DOWN,
    Region("vitals", "play/vitals.jinja", of=around_counters, parts=VITALS),
    Region("times", "play/times.jinja", of=lambda s: s.table.resolve_criticals, parts=TIMES),
    Region("abilities", "sheet/abilities.jinja", of=lambda s: (s.page.abilities, s.page.every_save)),
    Region("skills", "sheet/skills.jinja", of=lambda s: s.page.skills),
    Region("knowledges", "sheet/knowledges.jinja", of=lambda s: s.page.knowledges),
    Region("attacks", "sheet/attacks.jinja", of=attacks),
    Region("spells", "sheet/spells.jinja", of=lambda s: (s.page.spells, s.table.notes_spells)),
    Region("conditions", "play/conditions.jinja", of=beside_conditions, parts=CONDITIONS),
    Region("actions", "sheet/actions.jinja", of=lambda s: s.page.actions),
    Region("equipment", "play/things.jinja", of=lambda s: (s.table.carries, s.sheet.belongings), parts=THINGS),
    Region("proficiencies", "sheet/proficiencies.jinja", of=lambda s: s.page.proficiencies),
    Region("aspects", "play/story.jinja", of=lambda s: (s.writes, s.table.ties), parts=TEXTS),
    Region("numbers", "sheet/numbers.jinja", of=around_notes, parts=NOTES),
    Region("roll-aspect", "play/_by_aspect.jinja", "roll", of=lambda s: s.invocable),  # stands in the tray
)
TRAY = Region("tray", "play/tray.jinja")
# Always part of an answer: what just happened, with its undoing, and the newest roll.
LATEST = Region("latest", "play/latest.jinja")
GLANCE = Region("glance", "play/glance.jinja")
REST = Region("rest", "play/rest.jinja")
DOWNTIME = Region("downtime-page", "play/downtime.jinja")
POOL = Region("pool", "play/pool.jinja")
HISTORY = Region("history", "play/history.jinja")
ROLLS = Region("rolls", "play/rolls.jinja")


def context_of(live: Live, **more) -> dict:
    """What every region reads, besides `forms`."""
    shown = live.shown
    return {
        "live": live,
        "opened": live.opened,
        "character": live.character,
        "bundle": shown.bundle,
        "build": shown.build,
        "page": shown.page,
        "table": shown.table,
        "base": live.opened.base,
        "before": None,  # where a page of the log of rolls begins
        **more,
    }


def moved(earlier: Version | None, now: Version) -> Sequence[Region]:
    """The regions of the sheet, or parts of them, that differ; all when the earlier version is not known."""
    if earlier is None or earlier.bundle is not now.bundle:
        return SHEET
    found = differing(SHEET, earlier, now)
    # Which failed save can still be turned goes by what has happened since: no version alone tells.
    return [DOWN, *found] if now.table.down and DOWN not in found else found


def differing(regions: Sequence[Region], was: Version, now: Version) -> list[Region]:
    found: list[Region] = []
    for region in regions:
        if region.of(was) != region.of(now):
            found.append(region)
        elif region.parts:
            found += differing(region.parts, was, now)
    return found


def drawn(request, live: Live, regions, *, place="", refusal=None, **more) -> str:
    """These regions as an answer to htmx."""
    forms = Forms(own_of(request), live.opened.base, place=place, refusal=refusal)
    context = context_of(live, forms=forms, **more)
    return "".join([sent(region, context) for region in regions])


def sent(region: Region, context: dict) -> str:
    """For htmx, which puts it in its place and leaves fields alone that somebody is writing in."""
    html = draw(template_of(context["bundle"], region.template), {**context, "name": region.name})
    return f'<hx-partial hx-target="#{region.id}" hx-swap="outerMorph">{html}</hx-partial>'
