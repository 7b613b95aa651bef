"""The kinds of change by which players filter the history: the verbs of each kind, and the newest changes of one kind
or of all."""

from functools import cache

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from characters.change.history_entries import shown
from characters.models import Change, Character
from rules.fast_sql import PLACEHOLDERS, PreparedObjects
from rules.games import GAMES
from rules.games.table_action import STORY, THINGS, HistoryKind
from rules.number_text import LARGEST

from .registry import actions_of

MOST_SHOWN = 200
BEYOND = 2**62  # above the number of any change
BUILDING = HistoryKind("building", "Building")
# The verbs of building and of levels. A verb that is under no kind belongs to the last one, BUILDING.
VERBS = {THINGS: ["purchase", "buy_outfit"], STORY: ["roll_aspect", "roll_missing_aspects", "drop_aspect"]}
OF_LEVELS = [
    *("add_xp", "set_level", "level_up", "take_back_level", "change_level", "drop_answer"),
    *("plan_level", "take_planned", "forget_plan"),
]


@cache
def kinds_of(game: str) -> dict[str, tuple[HistoryKind, list[str]]]:
    """Each kind with its verbs, by its slug: those of the game's actions, then those of building."""
    verbs: dict[HistoryKind, list[str]] = {}
    for action in actions_of(game).values():
        if action.kind:
            verbs.setdefault(action.kind, []).append(action.name)
    levels = GAMES[game].levels
    name = f"{levels.NAME}s" if GAMES[game].has_levels else levels.EXPERIENCE
    of_levels = {HistoryKind("levels", name.capitalize()): OF_LEVELS} if name else {}
    for kind, more in {**VERBS, **of_levels}.items():
        verbs.setdefault(kind, []).extend(more)
    return {kind.slug: (kind, found) for kind, found in {**verbs, BUILDING: []}.items()}


def is_of_kind(game: str, slug: str) -> Q:
    """A filter for changes of this kind. It needs the annotation `of`: the verb or, for an undo, the verb of its
    root."""
    _, verbs = kinds_of(game)[slug]
    if verbs:
        return Q(of__in=verbs)
    return ~Q(of__in=[verb for _, others in kinds_of(game).values() for verb in others])


def entries(
    character: Character, *, kind: str = "", before: int | None = None, since: int = 0, most: int = MOST_SHOWN
) -> list[Change]:
    """The newest changes, newest first, of all kinds or of one: those numbered below `before` and above `since`."""
    query = newest(character.ruleset.game if kind else "", kind, most)
    return list(query.all(character.pk, since, BEYOND if before is None else before))


@cache
def newest(game: str, kind: str, most: int) -> PreparedObjects:
    """The query for the newest `most` changes between two numbers, of this kind or of any."""

    def changes(character: int, since: int, before: int) -> QuerySet:
        found = Change.objects.filter(character=character, sequence__gt=since, sequence__lt=before)
        if kind:
            found = found.alias(of=Coalesce("root__verb", "verb")).filter(is_of_kind(game, kind))
        return shown(found).order_by("-sequence")[:most]

    return PreparedObjects(changes, PLACEHOLDERS[0], LARGEST, LARGEST - 1)  # placeholders for positive numbers
