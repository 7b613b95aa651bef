from characters.change.journal import Draft, Refused
from characters.change.text_input import clean, in_digits, who, whole
from characters.models import Change
from characters.people import Person
from rules.engine import Build, derive

from .building import rebuild

MOST = 100_000_000
AT_ONCE = 3  # levels


class AskFirst(Refused):
    """Nothing is wrong with it, but it is rarely meant: it is done when it is asked for again as `sure`."""


def check_leap(draft: Draft, before: int, sure: bool) -> None:
    """Ask before the level moves by more than AT_ONCE: a zero too many is soon typed."""
    level = derive(draft.bundle, draft.build).level
    if sure or abs(level - before) <= AT_ONCE:
        return
    by_milestone = draft.bundle.game.levels.by_milestone(draft.bundle, draft.build)
    having = "" if by_milestone else f" with {draft.read('field:xp'):,} XP"
    raise AskFirst(f"That is {abs(level - before)} levels at once. {who(draft)} would be level {level}{having}.")


def add_xp(pk: int, person: Person, key: str, *, amount: int, reason: str = "", sure: bool = False) -> Change:
    """Experience gained, or with a negative amount lost, and what for. No level is taken or taken back by it.

    AskFirst for a leap that is not `sure`.
    """
    whole(amount, least=-MOST, most=MOST, field="amount")
    reason = clean(reason, limit=120, field="reason")
    if not amount:
        raise Refused("Enter an amount.", "amount")

    def act(draft: Draft) -> str:
        return gained(draft, amount=amount, reason=reason, sure=sure)

    return rebuild(pk, person, "add_xp", key, {"amount": amount, "reason": reason}, act)


def gained(draft: Draft, *, amount: int, reason: str, sure: bool) -> str:
    """Move the draft's experience; the sentence for the history. AskFirst for a leap that is not `sure`."""
    bundle = draft.bundle
    before = derive(bundle, draft.build).level
    draft.add("field:xp", amount)
    now = draft.read("field:xp")
    if not 0 <= now <= MOST:
        raise Refused(f"That would make {in_digits(now)} XP; it can be from 0 to {MOST:,}.", "amount")
    check_leap(draft, before, sure)
    level = derive(bundle, draft.build).level
    moved = f" Level {before} to {level}." if level != before else ""
    what = f"{who(draft)} {'gains' if amount > 0 else 'loses'} {abs(amount):,} XP"
    return f"{what}{f' ({reason})' if reason else ''} and has {now:,}.{moved}"


def put_experience(draft: Draft, build: Build) -> None:
    """Give the draft the experience and the milestone of this build."""
    if build.xp > MOST:
        raise Refused(f"That would make {build.xp:,} XP; it can be from 0 to {MOST:,}.")
    draft.add("field:xp", build.xp - draft.read("field:xp"))
    draft.put("field:milestone", build.milestone)


def set_xp(pk: int, person: Person, key: str, *, xp: int) -> Change:
    """Correct the experience points to this number. Moves by the difference, as every number does."""
    whole(xp, least=0, most=MOST, field="xp")

    def act(draft: Draft) -> str:
        draft.add("field:xp", xp - draft.read("field:xp"))
        return f"{who(draft)} has {xp:,} XP."

    return rebuild(pk, person, "set_xp", key, {"xp": xp}, act)


def set_level(pk: int, person: Person, key: str, *, level: int | None, reason: str = "", sure: bool = False) -> Change:
    """The level under milestone advancement; None lets it follow from XP again. AskFirst as in `add_xp`."""
    if level is not None:
        whole(level, least=1, most=10_000, field="level")
    reason = clean(reason, limit=120, field="reason")

    def act(draft: Draft) -> str:
        before = derive(draft.bundle, draft.build).level
        draft.put("field:milestone", level)
        check_leap(draft, before, sure)
        what = f"{who(draft)} is level {level}" if level else f"The level of {who(draft)} follows from XP"
        return f"{what}{f' ({reason})' if reason else ''}."

    return rebuild(pk, person, "set_level", key, {"level": level, "reason": reason}, act)
