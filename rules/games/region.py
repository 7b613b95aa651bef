"""A part of a live page: one template with one id, drawn again when its content changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.engine.build import PLACES


@dataclass(frozen=True)
class Region:
    """A part of a live page.

    of: takes a version of the character (a `characters.read.versions.Version`) and returns everything that the template
    shows of it, except the content of `parts` and anything that depends on the rules alone. If that is equal in two
    versions, the region is not drawn again; if only a part has changed, only that part is. Only regions of the sheet
    use it. name: tells regions with the same template apart. by_log: it also shows the log, which is in no version, so
    it is always drawn unless empty. instead_of: without script, the forms of that region lead here, unless this one is
    empty. forms: shared actions whose forms this game has here, not in the region that the action names.
    """

    id: str
    template: str
    name: str = ""
    of: Callable[[Any], object] = lambda version: None
    parts: tuple["Region", ...] = ()
    by_log: bool = False
    instead_of: str = ""
    forms: tuple[str, ...] = ()


# Regions that a game may use unchanged on its sheet.


def _beside_conditions(s: Any) -> tuple[object, ...]:
    return (s.page.defenses, bool(s.table.situations))


def _around_notes(s: Any) -> tuple[object, ...]:
    return (s.page.numbers, bool(s.page.numbers or s.page.notes))


def _texts(word: str) -> Region:
    return Region(f"texts-{word}", "play/_texts.jinja", word, of=lambda s: s.prose[word])


def _things(place: str) -> Region:
    return Region(f"things-{place}", "play/_things.jinja", place, of=lambda s: s.table.things[place])


IDENTITY = Region(
    "identity",
    "sheet/head.jinja",
    of=lambda s: s.page.identity,
    parts=(Region("in-force", "play/_in_force.jinja", of=lambda s: s.table.held),),
)
WAYS = Region(
    "ways",
    "play/ways.jinja",
    of=lambda s: (s.build.plan, s.sheet.picks, s.page.identity.level, s.page.identity.xp is None),
)
UNFINISHED = Region("unfinished", "sheet/unfinished.jinja", of=lambda s: (s.page.missing, s.page.problems))
CONDITIONS = Region(
    "conditions",
    "play/conditions.jinja",
    of=_beside_conditions,
    parts=(
        Region("held", "play/_held.jinja", of=lambda s: s.table.held),
        Region("circumstances", "play/_situations.jinja", of=lambda s: s.table.situations),
    ),
)
ACTIONS = Region("actions", "sheet/actions.jinja", of=lambda s: s.page.actions)
EQUIPMENT = Region(
    "equipment",
    "play/things.jinja",
    of=lambda s: (s.table.carries, s.sheet.belongings),
    parts=tuple(_things(place) for place in PLACES),
)
PROFICIENCIES = Region("proficiencies", "sheet/proficiencies.jinja", of=lambda s: s.page.proficiencies)
STORY = Region(
    "aspects",
    "play/story.jinja",
    of=lambda s: (s.writes, s.table.has_relationships),
    parts=(_texts("aspect"), _texts("relationship"), _texts("note")),
)
NUMBERS = Region(
    "numbers",
    "sheet/numbers.jinja",
    of=_around_notes,
    parts=(Region("notes", "sheet/_notes.jinja", of=lambda s: s.page.notes),),
)
