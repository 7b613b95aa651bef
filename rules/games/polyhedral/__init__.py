"""Polyhedral: pools of six-sided dice against a target."""

from rules.games.contract import Game

from . import (
    answer,
    attacks,
    audit,
    chance,
    creation,
    file,
    level,
    odds,
    paths,
    places,
    play,
    present,
    rolling,
    rolls,
    spells,
    steps,
    table,
    wealth,
)

GAME = Game(
    name="polyhedral",
    unread=level.UNREAD,
    unread_values=level.UNREAD_VALUES,
    levels=level,
    given=level.given,
    build_rolls=rolls.build_rolls,
    build_attacks=attacks.build_attacks,
    audit=audit.audit,
    chances=odds.chances,
    page=present.Page,
    table=table.Table,
    steps=steps,
    creation=creation,
    rolling=rolling,
    chance=chance,
    wealth=wealth,
    places=places,
    spells=spells,
    file=file,
    paths=paths,
    answer=answer.answer,
    play=play,
)
