"""The parts of a live page: each one partial with one id, drawn again when what it shows has moved."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from characters.drawing import draw
from characters.kept import own_of
from characters.versions import Version

from .forms import Forms
from .live import Live
from .numbers import Number, around_abilities, around_checks, of_abilities, of_checks


@dataclass(frozen=True)
class Region:
    """`of` answers everything that the partial shows of a version: equal answers mean that it need not be drawn. It is
    asked of regions of the sheet alone.

    What its parts show is left out of it: where only that has moved, only those are drawn. What its `numbers` show is
    not: where something has moved and what stands `around` them has not, only those that moved are drawn.
    """

    id: str
    template: str
    of: Callable[[Version], object] = lambda version: None
    parts: tuple["Region", ...] = ()
    around: Callable[[Version], object] | None = None
    numbers: Callable[[Version], Iterable[Number]] = lambda version: ()


def missing(s: Version) -> list[bool]:
    v = s.page.vitals
    return [part is None for part in (v.health, v.initiative, v.wounds, v.stamina, v.resolve)]


def measures(s: Version) -> tuple:
    v = s.page.vitals
    return (v.defense, v.initiative, v.speed, v.skill_bonus, v.resources, v.lifestyle, v.resources_lowered)


def beside_conditions(s: Version) -> tuple:
    return (s.table.offered, s.table.ends, s.page.defenses, bool(s.table.situations))


def times(s: Version) -> tuple:
    return (s.build.rest, s.build.rest_dice, s.invocable, s.table.resolve_criticals)


VITALS = (
    Region("health", "play/_health.jinja", lambda s: s.page.vitals.health),
    Region("measures", "play/_measures.jinja", measures),
    Region("count-wounds", "play/_wounds.jinja", lambda s: (s.page.vitals.wounds, s.page.vitals.threshold)),
    Region("count-stamina", "play/_stamina.jinja", lambda s: s.page.vitals.stamina),
    Region("count-resolve", "play/_resolve.jinja", lambda s: s.page.vitals.resolve),
)
CONDITIONS = (
    Region("held", "play/_held.jinja", lambda s: s.table.held),
    Region("circumstances", "play/_situations.jinja", lambda s: s.table.situations),
)
TEXTS = (Region("texts", "play/_texts.jinja", lambda s: s.prose),)
SHEET = (
    Region("identity", "sheet/head.jinja", lambda s: s.page.identity),
    Region("ways", "play/ways.jinja", lambda s: (s.build.plan, s.sheet.picks, s.page.identity.level)),
    Region("unfinished", "sheet/unfinished.jinja", lambda s: (s.page.missing, s.page.problems)),
    Region("vitals", "play/vitals.jinja", lambda s: (missing(s), s.table.uses, s.table.types), VITALS),
    Region("down", "play/down.jinja", lambda s: s.table.down),
    Region("times", "play/times.jinja", times),
    Region(
        "abilities",
        "sheet/abilities.jinja",
        lambda s: (s.page.abilities, s.page.every_save),
        around=lambda s: (around_abilities(s.page.abilities), s.page.every_save),
        numbers=lambda s: of_abilities(s.page.abilities),
    ),
    Region(
        "skills",
        "sheet/skills.jinja",
        lambda s: s.page.skills,
        around=lambda s: around_checks(s.page.skills),
        numbers=lambda s: of_checks(s.page.skills),
    ),
    Region(
        "knowledges",
        "sheet/knowledges.jinja",
        lambda s: (s.page.knowledges, s.page.tools),
        around=lambda s: (around_checks(s.page.knowledges), around_checks(s.page.tools)),
        numbers=lambda s: of_checks((*s.page.knowledges, *s.page.tools)),
    ),
    Region("attacks", "sheet/attacks.jinja", lambda s: (s.page.attacks, s.table.shots, s.page.vitals.attacks)),
    Region("conditions", "play/conditions.jinja", beside_conditions, CONDITIONS),
    Region("actions", "sheet/actions.jinja", lambda s: s.page.actions),
    Region("equipment", "play/things.jinja", lambda s: (s.table.things, s.table.shot, s.page.equipment)),
    Region("proficiencies", "sheet/proficiencies.jinja", lambda s: s.page.proficiencies),
    Region("aspects", "play/story.jinja", parts=TEXTS),
    Region("numbers", "sheet/numbers.jinja", lambda s: (s.page.numbers, s.page.notes)),
)
TRAY = Region("tray", "play/tray.jinja")
# Always part of an answer: what just happened, with its undoing, and the newest roll.
LATEST = Region("latest", "play/latest.jinja")
GLANCE = Region("glance", "play/glance.jinja")
REST = Region("rest", "play/rest.jinja")
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
        "asked": {},
        **more,
    }


def moved(earlier: Version | None, now: Version) -> list[Region | Number]:
    """The regions of the sheet, or their parts and numbers, that differ; all when the earlier version is not known."""
    if earlier is None or earlier.bundle is not now.bundle:
        return list(SHEET)
    found: list[Region | Number] = []
    for region in SHEET:
        if region.of(earlier) == region.of(now):
            found += [part for part in region.parts if part.of(earlier) != part.of(now)]
        elif region.around and region.around(earlier) == region.around(now):
            before = set(region.numbers(earlier))
            found += [number for number in region.numbers(now) if number not in before]
        else:
            found.append(region)
    return found


def drawn(request, live: Live, regions, *, place="", refusal=None, **more) -> str:
    """These regions as an answer to htmx."""
    forms = Forms(own_of(request), live.opened.base, place=place, refusal=refusal)
    if any(region.id == "ways" for region in regions):
        more["standing"] = live.standing
    context = context_of(live, forms=forms, regions=regions, **more)
    return draw(f"{live.shown.bundle.ruleset}/play/answer.jinja", context)
