from characters.actions.form_values import whole
from characters.change.draft import Draft
from characters.change.gain_experience import MOST, check_leap, check_range, gained
from characters.change.refusals import Refused
from characters.change.text_input import clean, who
from characters.models import Change
from characters.people import Person
from rules.engine import Build

from .building import rebuild


def add_xp(pk: int, person: Person, key: str, *, amount: int, reason: str = "", sure: bool = False) -> Change:
    """Add experience or, with a negative amount, remove it; `reason` says what for. Levels that are taken stay taken.

    Raises AskFirst for a leap that is not `sure`.
    """
    whole(amount, least=-MOST, most=MOST, field="amount")
    reason = clean(reason, limit=120, field="reason")

    def act(draft: Draft) -> str:
        return gained(draft, amount=amount, reason=reason, sure=sure)

    return rebuild(pk, person, "add_xp", key, {"amount": amount, "reason": reason}, act)


def put_experience(draft: Draft, build: Build) -> None:
    """Give the draft the experience and the milestone of this build."""
    check_range(draft, build.xp)
    draft.put("field:xp", build.xp)
    draft.put("field:milestone", build.milestone)


def set_level(pk: int, person: Person, key: str, *, level: int, reason: str = "", sure: bool = False) -> Change:
    """Set the level under milestone advancement. Raises AskFirst as `add_xp` does."""
    whole(level, least=1, most=10_000, field="level")
    reason = clean(reason, limit=120, field="reason")

    def act(draft: Draft) -> str:
        levels, before = draft.bundle.game.levels, draft.sheet.level
        if not levels.by_milestone(draft.bundle, draft.build):
            raise Refused(f"{who(draft)} gains {levels.EXPERIENCE}. Enter an amount instead.", "amount")
        draft.put("field:milestone", level)
        draft.check_moved("level")
        check_leap(draft, before, sure)
        return f"{who(draft)} is {levels.NAME} {level}{f' ({reason})' if reason else ''}."

    return rebuild(pk, person, "set_level", key, {"level": level, "reason": reason}, act)
