"""Polyhedral at the table: what each event does to a character, as an Outcome. Pure: nothing is written here."""

from .arms import attack_of, attack_ready, attacked, gathered, reloaded, reloads, shots_left
from .body import DEAD, FAILURES, FALLEN, LAPSE, SAVES, STATES, begun_by_hand, lapsed, resized, settled, state_by_hand
from .checks import check_ready, checked, roll_of
from .counters import adjusted
from .damage import damage_ready, damaged
from .dying import cheated, death_save, death_save_ready, revised
from .features import action_of, used
from .harm import cured, hit, steadied, wounded
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
from .rests import begun, brought_back, die_spent, finished, foreseen, is_medic, lasts, next_round, rested_long, treated
from .wealth import after_downtime, pool_of, pooled_offer

__all__ = [
    "DEAD",
    "FAILURES",
    "FALLEN",
    "LAPSE",
    "SAVES",
    "STATES",
    "Might",
    "Ready",
    "action_of",
    "adjusted",
    "after_downtime",
    "attack_of",
    "attack_ready",
    "attacked",
    "begun",
    "begun_by_hand",
    "brought_back",
    "cheated",
    "check_ready",
    "checked",
    "compelled",
    "cured",
    "damage_ready",
    "damaged",
    "death_save",
    "death_save_ready",
    "declared",
    "die_spent",
    "extra_turn",
    "finished",
    "foreseen",
    "gathered",
    "hit",
    "is_fumble",
    "is_medic",
    "is_tie",
    "lapsed",
    "lasts",
    "might_become",
    "most_extra_turns",
    "next_round",
    "nudge_elsewhere",
    "paid",
    "pool_of",
    "pooled_offer",
    "regained",
    "reloaded",
    "reloads",
    "resized",
    "rested_long",
    "revised",
    "roll_of",
    "settled",
    "state_by_hand",
    "shots_left",
    "steadied",
    "treated",
    "turned_critical",
    "used",
    "with_die",
    "with_nudge",
    "wounded",
]
