"""The registry of actions: those of every game, and those that each game lists."""

from dataclasses import replace
from functools import cache

from django.http import Http404

from characters.models import Character
from rules.games import GAMES
from rules.games.table_action import TableAction

from . import conditions, marks, spell_notes, story, things, undo
from .xp import ADD_XP

SHARED: tuple[TableAction, ...] = (
    *conditions.ACTIONS,
    *things.ACTIONS,
    *story.ACTIONS,
    *spell_notes.ACTIONS,
    *marks.ACTIONS,
    *undo.ACTIONS,
)


@cache
def actions_of(game: str) -> dict[str, TableAction]:
    """The actions of a character of this game, by name: its own, and the shared ones whose region its sheet has."""
    moved, places = GAMES[game].moved, {"tray", "history", *[region.id for region in GAMES[game].regions]}
    placed = [replace(action, region=moved[action.name]) if action.name in moved else action for action in SHARED]
    shared = [action for action in placed if action.region in places]
    return {action.name: action for action in (*GAMES[game].play.ACTIONS, *shared)}


@cache
def all_actions_of(game: str) -> dict[str, TableAction]:
    """The actions of this game, and XP, which a storyteller gives to several characters. No form of the sheet sends
    XP."""
    return {**actions_of(game), ADD_XP.name: ADD_XP}


@cache
def named(name: str) -> dict[str, TableAction]:
    """The actions of this name, by game. Every game has the shared ones."""
    return {game: actions_of(game)[name] for game in GAMES if name in actions_of(game)}


@cache
def action_names() -> frozenset[str]:
    """The names of the actions of all games; several games may each have their own action of one name."""
    return frozenset(name for game in GAMES for name in actions_of(game))


@cache
def action_slugs() -> dict[str, str]:
    """The names of the actions of all games, by the last part of their address."""
    return {action.slug: name for name in sorted(action_names()) for action in named(name).values()}


def action_of(pk: int, name: str) -> TableAction:
    """The action of this name for this character. Queries the character's game only if the games' actions differ."""
    found = named(name)
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    game = Character.objects.filter(pk=pk).values_list("ruleset__game", flat=True).first()
    if game not in found:
        raise Http404("No such action.")
    return found[game]
