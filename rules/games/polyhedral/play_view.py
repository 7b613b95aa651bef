"""The content of the live sheet: counters, hits, dying, conditions, circumstances, things."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rules.engine.build import PLACES, Build, Held, Item, Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Action, Ref
from rules.engine.sheet import ResourceLine, Sheet, make
from rules.games.house_rules import setting, switched_on
from rules.games.outcome import counted
from rules.games.rows import HeldRow, Situation, Thing
from rules.games.sections import back_after, properties, with_article
from rules.games.spell_entries import as_noted
from rules.games.view import View, section

from .health import DEADLY_WOUNDS
from .page_sections import VITAL_RESOURCES
from .places import offered
from .play.arms import pieces_left, reloads, shot_or_thrown, shots_left
from .play.body import DEAD, FAILURES, HEALTH, SAVES, STABLE, STATES, WOUNDS
from .play.dying import death_save_ready
from .play.features import begun_by_actions
from .play.pool import RollOptions
from .play.rests import LONG, SHORT, rests_of
from .spells import has_magic
from .turn_view import turn_of

LEFT_OUT = "Its source of rules is left out, so it changes nothing."
# Resources behind other numbers: events change them, and nobody edits them by hand.
BEHIND = {SAVES, FAILURES, "resources-gained", "resources-lost", "resources-lowered"}


@dataclass(frozen=True, slots=True)
class Use:
    """Something with limited uses: the number left, what brings them back, and the actions that spend them."""

    line: ResourceLine
    stat: str
    back: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Down:
    """A character at 0 health: its death saves so far, the exact chance of the next one, and whether death may be
    revoked."""

    word: str
    saves: int
    failures: int
    chance: Fraction | None
    resolve: int
    stabilize: str  # the difficulty of the Medicine check to stabilize
    may_live: bool


class ReadySpell(NamedTuple):
    """A spell of the rules in play, as it would be noted on the sheet. there: the sheet has one of this name
    already."""

    ref: Ref
    spell: Spell
    summary: str
    there: bool


def _uses(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, Use]:
    actions: dict[str, tuple[Action, ...]] = {}
    for line in sheet.actions:
        actions[line.action.resource] = (*actions.get(line.action.resource, ()), line.action)
    return {
        slug: Use(line, bundle.resources[slug].max_stat, back_after(bundle, line), actions.get(slug, ()))
        for slug, line in sheet.resources.items()
        if slug not in VITAL_RESOURCES | BEHIND and line.style != "turn" and line.max > 0
    }


def _down(bundle: Bundle, build: Build, sheet: Sheet) -> Down | None:
    held = {one.ref for one in build.conditions}
    line = sheet.resources.get(HEALTH)
    if line is None or line.max <= 0 or (line.left and not held & set(STATES)):
        return None
    word = "dead" if DEAD in held else "stable" if STABLE in held else "dying"
    chance = death_save_ready(bundle, build, sheet, RollOptions()).chance if word == "dying" else None
    resolve = sheet.resources["resolve"].left if "resolve" in sheet.resources else 0
    stabilize = setting(bundle, build, "stabilizeDifficulty")
    may_live = word == "dead" and build.spent.get(WOUNDS, 0) < DEADLY_WOUNDS
    return Down(word, build.spent.get(SAVES, 0), build.spent.get(FAILURES, 0), chance, resolve, stabilize, may_live)


def _held(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[HeldRow, ...]:
    """The conditions, implied ones last, without dying, stable and dead, which are shown elsewhere."""
    own = begun_by_actions(bundle)

    def row(ref: Ref, held: Held | None, stacks: int, by: str) -> HeldRow:
        element = bundle.elements.get(ref)
        summary = element.summary if element else LEFT_OUT
        source, led_by = held.source if held else "", "" if ref in own else "by "
        return HeldRow(ref, bundle.called(ref), summary, stacks, source, _ends(bundle, held), by, led_by)

    rows = [row(held.ref, held, held.stacks, "") for held in build.conditions if held.ref not in STATES]
    standing = {held.ref for held in build.conditions}
    for ref, stacks in sheet.conditions.items():
        if ref not in standing and ref in bundle.elements and ref not in STATES:
            path = sheet.active[ref].path if ref in sheet.active else ()
            by = f"{stacks} on the counter" if ref in bundle.tracked else " and ".join(path[:-1] or path)
            rows.append(row(ref, None, stacks, by or "what the numbers say"))
    return tuple(rows)


def _ends(bundle: Bundle, held: Held | None) -> str:
    if held is None:
        return ""
    event = bundle.events.get(held.until)
    until = [f"until {with_article(event.name.lower()) if event else held.until}"] if held.until else []
    rounds = [f"{counted(held.rounds, 'round')} left"] if held.rounds else []
    return ", ".join(rounds + until)


def _things(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, tuple[str, tuple[Thing, ...]]]:
    return {
        state: (label, tuple(_thing(bundle, item) for item in build.items if item.state == state))
        for state, label in PLACES.items()
    }


def _types(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, str], ...]:
    return tuple((element.slug, element.name) for element in bundle.offered("damage-type"))


def _offered(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[Ref, str], ...]:
    return tuple(
        (element.ref, element.name)
        for element in bundle.offered("condition")
        if element.ref not in STATES and element.ref not in bundle.tracked
    )


def _offered_ends(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, str], ...]:
    return tuple((slug, event.name) for slug, event in bundle.events.items() if slug in (SHORT, LONG))


def _situations(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Situation, ...]:
    waited = {slug for ref in bundle.situations.keys() & sheet.conditions for slug in bundle.situations[ref]}
    shown = [bundle.circumstances[slug] for slug in {*sheet.situations, *build.toggles & bundle.circumstances.keys()}]
    # Circumstances of one group, which exclude each other, are listed together, before those in no group.
    return tuple(
        make(Situation, (one.slug, one.name, one.slug in build.toggles, one.slug in waited))
        for one in sorted(shown, key=lambda one: (not one.group, one.group, one.slug))
    )


def _shot(bundle: Bundle, build: Build, sheet: Sheet) -> str:
    away = [(sum(item.used for item in piles), _thing(bundle, piles[0])) for piles in shot_or_thrown(bundle, build)]
    return ", ".join(f"{many} × {thing.name}" for many, thing in away)


def _shots(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, str]:
    return {f"{attack.thing}.{attack.grip}": shots_left(bundle, build, attack) for attack in sheet.attacks}


def _to_reload(bundle: Bundle, build: Build, sheet: Sheet) -> frozenset[str]:
    loaded = {item.key for item in build.items if item.used and reloads(bundle.elements.get(item.ref))}
    return frozenset(attack.item_key for attack in sheet.attacks if attack.item_key in loaded)


def _ready_spells(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ReadySpell, ...]:
    found = bundle.offered("spell") if has_magic(bundle, build) else ()
    noted = {spell.name.casefold() for spell in build.spells}
    return tuple(ReadySpell(one.ref, as_noted(one), one.summary, one.name.casefold() in noted) for one in found)


def _thing(bundle: Bundle, item: Item) -> Thing:
    element = bundle.elements.get(item.ref)
    refilled = reloads(element)
    gone = "thrown" if element and element.weapon else "used"
    shots = f"{item.used} {gone}, {pieces_left(item)} left" if item.used else ""
    if refilled:
        shots = f"{counted(item.used, 'shot')} since loading"
    return Thing(
        item.key,
        item.ref,
        item.custom or bundle.called(item.ref),
        item.quantity,
        properties(bundle, element),
        tuple((place, PLACES[place]) for place in offered(element) if place != item.state),
        shots,
        refilled and bool(item.used),
    )


class PlayView(View):
    """Everything that the live sheet adds to the sheet."""

    uses = section(_uses)  # by resource
    down = section(_down)
    types = section(_types)
    held = section(_held)
    offered = section(_offered)
    ends = section(_offered_ends)
    situations = section(_situations)
    things = section(_things)  # by place: its name, and the things there
    carries = section(lambda bundle, build, sheet: bool(build.items))
    shot = section(_shot)  # shot or thrown pieces that may be gathered; "" for none
    shots = section(_shots)
    to_reload = section(_to_reload)  # keys of items in hand that have been shot with
    resolve_criticals = section(lambda bundle, build, sheet: switched_on(bundle, build, "resolveCriticals"))
    has_relationships = section(lambda bundle, build, sheet: switched_on(bundle, build, "relationships"))
    notes_spells = section(lambda bundle, build, sheet: has_magic(bundle, build))
    ready_spells = section(_ready_spells)
    turn = section(turn_of)
    rests = section(rests_of)  # by slug
