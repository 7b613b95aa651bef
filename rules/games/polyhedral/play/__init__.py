"""Polyhedral at the table: the effect of each event on a character, as an Outcome. Pure: nothing is stored here.

This module is the `TableRules` and the `ConsequenceRules` of the game: its actions, and everything else that the site
needs from these.
"""

from collections.abc import Sequence

from rules.games.table_action import TableAction, Together, Way

from . import arms, changes, counters, dying, harm, on_rolls, points, rests, tray, turn, wealth_changes
from .arms import reloads
from .body import COUNTS, FALLEN, LAPSE, STATES, begun_by_hand, lapsed, resized, state_by_hand
from .changes import TURN_BEGINS, offers
from .dying import DEATH as DECISIVE
from .dying import decides, may_be_turned, moves_life
from .ends import lasts
from .life import after_undo
from .pool import how_far, is_fumble, is_tie, might_become
from .rests import ahead, slept_lately
from .tray import ROLL, ready_for, region_of
from .wealth_changes import BUY_TOGETHER, DOWNTIME, means_of, pool_of, spoken_here, teachable

ACTIONS: Sequence[TableAction] = (
    *harm.ACTIONS,
    *counters.ACTIONS,
    *turn.ACTIONS,
    *dying.ACTIONS,
    *tray.ACTIONS,
    *changes.ACTIONS,
    *on_rolls.ACTIONS,
    *points.ACTIONS,
    *rests.ACTIONS,
    *arms.ACTIONS,
    *wealth_changes.ACTIONS,
)

TOGETHER: Sequence[Together] = (
    Together(
        ROLL,
        "Ask for a roll",
        line="Roll",
        says=("roll",),
        for_some=(Way("Advantage", {"side": "advantage"}), Way("Disadvantage", {"side": "disadvantage"})),
        helped={"side": "advantage"},
        ways=(Way("Roll", takes=("faces",)),),
        proposed=True,
        often=True,
    ),
    Together("take_damage", "Damage", says=("amount",), half="amount", often=True),
    Together("heal", "Heal", says=("amount",), half="amount", often=True),
    Together("regain", "Resolve", says=("points",), often=True),
    Together(
        "compel",
        "Compel",
        says=("words",),
        ways=(Way("Accept", {"accept": "1"}), Way("Refuse", {"accept": ""}, answered="refused")),
        declinable=False,
        proposed=True,
    ),
    Together("long_rest", "Long rest"),
    Together("begin_rest", "Begin a short rest"),
    Together("finish_rest", "Finish the rest"),
    Together("end_adventure", "End the adventure"),
    Together(DOWNTIME, "Downtime", says=("activity",)),
)

__all__ = [
    "ACTIONS",
    "BUY_TOGETHER",
    "COUNTS",
    "DECISIVE",
    "DOWNTIME",
    "FALLEN",
    "LAPSE",
    "ROLL",
    "STATES",
    "TOGETHER",
    "TURN_BEGINS",
    "after_undo",
    "ahead",
    "begun_by_hand",
    "decides",
    "how_far",
    "is_fumble",
    "is_tie",
    "lapsed",
    "lasts",
    "may_be_turned",
    "means_of",
    "might_become",
    "moves_life",
    "offers",
    "pool_of",
    "ready_for",
    "region_of",
    "reloads",
    "resized",
    "slept_lately",
    "spoken_here",
    "state_by_hand",
    "teachable",
]
