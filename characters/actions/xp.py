from characters.change.gain_experience import MOST, gained
from rules.games.outcome import Outcome
from rules.games.table_action import Number, TableAction, Text, Tick

from .action_context import ActionContext, resized


def add_xp(at: ActionContext, *, amount: int, reason: str, sure: bool) -> Outcome:
    return Outcome(gained(at.draft, amount=amount, reason=reason, sure=sure) + resized(at.draft))


ADD_XP = TableAction(
    "add_xp",
    add_xp,
    None,
    "",
    {
        "amount": Number(-MOST, MOST, empty="Enter how much.", wrong="Enter a whole number."),
        "reason": Text(120),
        "sure": Tick(),
    },
)
