"""Polyhedral at the table: what each event does to a character, as an Outcome. Pure: nothing is written here."""

from collections.abc import Sequence

from rules.games.action import Action

from . import counters, harm, turn
from .arms import attack_of, attack_ready, attacked, gathered, reloaded, reloads, shots_left
from .body import (
    DEAD,
    FAILURES,
    FALLEN,
    LAPSE,
    SAVES,
    STATES,
    begun_by_hand,
    deadly,
    is_down,
    lapsed,
    resized,
    settled,
    state_by_hand,
)
from .changes import Offer, offers, roll_changed
from .checks import check_ready, checked, roll_of
from .damage import damage_ready, damaged
from .dying import cheated, death_save, death_save_ready, revised
from .ends import lasts
from .features import action_of, begun_by_actions
from .points import (
    compelled,
    declared,
    extra_turn,
    most_extra_turns,
    nudge_elsewhere,
    paid,
    regained,
    turned_critical,
    with_die,
    with_nudge,
)
from .pool import Might, Ready, is_fumble, is_tie, might_become
from .rests import begun, brought_back, die_spent, finished, foreseen, is_medic, next_round, rested_long, treated
from .spells import cast, cast_ready, striking
from .turn import acted
from .wealth import after_downtime, pool_of, pooled_offer

ACTIONS: Sequence[Action] = (*harm.ACTIONS, *counters.ACTIONS, *turn.ACTIONS)

__all__ = [
    "ACTIONS",
    "DEAD",
    "FAILURES",
    "FALLEN",
    "LAPSE",
    "SAVES",
    "STATES",
    "Might",
    "Offer",
    "Ready",
    "acted",
    "action_of",
    "after_downtime",
    "attack_of",
    "attack_ready",
    "attacked",
    "begun",
    "begun_by_actions",
    "begun_by_hand",
    "brought_back",
    "cast",
    "cast_ready",
    "cheated",
    "check_ready",
    "checked",
    "compelled",
    "damage_ready",
    "damaged",
    "deadly",
    "death_save",
    "death_save_ready",
    "declared",
    "die_spent",
    "extra_turn",
    "finished",
    "foreseen",
    "gathered",
    "is_down",
    "is_fumble",
    "is_medic",
    "is_tie",
    "lapsed",
    "lasts",
    "might_become",
    "most_extra_turns",
    "next_round",
    "nudge_elsewhere",
    "offers",
    "paid",
    "pool_of",
    "pooled_offer",
    "regained",
    "reloaded",
    "reloads",
    "resized",
    "rested_long",
    "revised",
    "roll_changed",
    "roll_of",
    "settled",
    "state_by_hand",
    "shots_left",
    "striking",
    "treated",
    "turned_critical",
    "with_die",
    "with_nudge",
]
