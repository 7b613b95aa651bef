"""The ways to spend a level side by side: each option with what it would change on this very character."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from characters.pages.builder.diff_text import DiffText, action_texts, diff_texts
from characters.pages.builder.questions import option_id
from rules.engine import derive, difference
from rules.engine.at_level import up_to
from rules.engine.build import Decision
from rules.engine.content import Choice
from rules.engine.levels import LevelAnswer, answered, decisions_of
from rules.engine.sheet import Option
from rules.engine.shortest_path import way_to

from .level_view import LevelView
from .pick_names import way_in_words

AT_ONCE = {True: 3, False: 6}  # changes shown unfolded; fewer where points are spread


@dataclass(frozen=True)
class PickCard:
    """One pick. `rank` is the rank that it would bring; `way` the shortest way to it, if it is closed."""

    id: str
    name: str
    summary: str
    url: str
    moves: tuple[DiffText, ...] = ()
    more: tuple[DiffText, ...] = ()
    rank: int = 0
    why_not: str = ""
    way: str = ""
    may_except: bool = False
    chosen: bool = False
    stored: bool = False  # the level is spent on it, or planned for it


@dataclass(frozen=True)
class OptionColumn:
    key: str
    prompt: str
    cards: tuple[PickCard, ...]
    points: tuple[tuple[str, str], ...] = ()  # of a spread: (statistic, name) with room for a point
    each: tuple[str, ...] = ()  # of a spread: the statistic of each point, for a field each


def columns(view: LevelView, take: str = "", targets: tuple[str, ...] = ()) -> tuple[OptionColumn, ...]:
    """A column for each way to spend the level, the widest last. `take` and `targets` are the card that is chosen."""
    in_order = sorted(view.bundle.ways, key=lambda way: way.mode == "spread")
    return tuple(_column(view, way, targets if way.key == take else ()) for way in in_order)


def level_changes(view: LevelView) -> tuple[DiffText, ...]:
    """The changes that a level brings no matter how it is spent. The cards leave them out.

    If several levels are open, these are the changes of all of them: the sheet that the cards are compared with has had
    them since the last gain of XP.
    """

    def moves() -> tuple[DiffText, ...]:
        below = derive(view.bundle, up_to(view.bundle, view.build, view.level - 1))
        found = [one for one in difference(below, view.sheet) if one.key != "level" and one.kind != "choice"]
        return diff_texts(view.bundle, view.opened.steps, found)

    return view.once("of itself", moves)


def _column(view: LevelView, way: Choice, targets: tuple[str, ...]) -> OptionColumn:
    options = view.offered(way.key)
    if way.mode != "spread":
        return OptionColumn(way.key, way.prompt, tuple(_card(view, way, one, (one.ref,), targets) for one in options))
    whole = [one for one in options if one.room >= way.count or one.why_not]
    cards = tuple(_card(view, way, one, (one.stat,) * way.count, targets) for one in whole)
    points = tuple((one.stat, one.name) for one in options if one.room)
    first = [stat for stat, _ in points]
    each = targets if len(targets) == way.count else tuple((first + first[-1:] * way.count)[: way.count])
    return OptionColumn(way.key, way.prompt, cards, points, each)


def _card(view: LevelView, way: Choice, option: Option, wanted: tuple[str, ...], targets: Sequence[str]) -> PickCard:
    element = view.bundle.elements.get(option.ref)
    name = option.name if option.ref else f"+{way.count} {option.name}"
    closed = bool(option.why_not)
    moves = () if closed else _moves(view, way, wanted, option.name)
    ahead = way_to(view.bundle, view.unspent, option.ref, view.level) if option.lacking else None
    rank, at_once = 0, AT_ONCE[way.mode == "spread"]
    if way.grant_as == "rank":
        rank = 1 + sum(one.ref == option.ref and one.level <= view.level for one in view.unspent.decisions)
    return PickCard(
        id=option_id(way.slug, option),
        name=name,
        summary=element.summary if element else "",
        url="?" + urlencode([("take", way.key), *(("for", one) for one in wanted)]) + "#picked",
        moves=moves[:at_once],
        more=moves[at_once:],
        rank=rank,
        why_not=option.why_not,
        way=way_in_words(view.bundle, ahead) if ahead else "",
        may_except=bool(option.lacking),
        chosen=tuple(targets) == tuple(wanted) and (not closed or bool(option.lacking)),
        stored=same_pick(view.stored_pick, decisions_of(view.bundle, LevelAnswer(way.key, view.level, wanted))),
    )


def same_pick(one: tuple[Decision, ...], other: tuple[Decision, ...]) -> bool:
    """True if both take the same thing; their reasons for an exception may differ."""
    return {replace(d, override="") for d in one} == {replace(d, override="") for d in other}


def _moves(view: LevelView, way: Choice, targets: tuple[str, ...], name: str) -> tuple[DiffText, ...]:
    def moves() -> tuple[DiffText, ...]:
        there = derive(view.bundle, answered(view.bundle, view.build, [LevelAnswer(way.key, view.level, targets)]))
        moved = diff_texts(view.bundle, view.opened.steps, difference(view.sheet, there), way.key, name)
        return (*moved, *action_texts(view.sheet, there, targets))

    return view.once((way.key, targets), moves)
