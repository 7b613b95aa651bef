from characters.change.journal import Refused
from characters.change.text_input import clean, in_digits, who, whole
from rules.engine import derive

from .building import rebuild

MOST = 100_000_000


def add_xp(pk, person, key, *, amount, reason=""):
    """Experience gained, or with a negative amount lost, and what for. No level is taken or taken back by it."""
    whole(amount, least=-MOST, most=MOST, field="amount")
    reason = clean(reason, limit=120, field="reason")
    if not amount:
        raise Refused("Enter an amount.", "amount")

    def act(draft):
        bundle = draft.bundle
        before = derive(bundle, draft.build).level
        draft.add("field:xp", amount)
        now = draft.read("field:xp")
        if not 0 <= now <= MOST:
            raise Refused(f"That would make {in_digits(now)} XP; it can be from 0 to {MOST:,}.", "amount")
        level = derive(bundle, draft.build).level
        moved = f" Level {before} to {level}." if level != before else ""
        what = f"{who(draft)} {'gains' if amount > 0 else 'loses'} {abs(amount):,} XP"
        return f"{what}{f' ({reason})' if reason else ''} and has {now:,}.{moved}"

    return rebuild(pk, person, "add_xp", key, {"amount": amount, "reason": reason}, act)


def put_experience(draft, build) -> None:
    """Give the draft the experience and the milestone of this build."""
    if build.xp > MOST:
        raise Refused(f"That would make {build.xp:,} XP; it can be from 0 to {MOST:,}.")
    draft.add("field:xp", build.xp - draft.read("field:xp"))
    draft.put("field:milestone", build.milestone)


def set_xp(pk, person, key, *, xp):
    """Correct the experience points to this number. Moves by the difference, as every number does."""
    whole(xp, least=0, most=MOST, field="xp")

    def act(draft):
        draft.add("field:xp", xp - draft.read("field:xp"))
        return f"{who(draft)} has {xp:,} XP."

    return rebuild(pk, person, "set_xp", key, {"xp": xp}, act)


def set_level(pk, person, key, *, level, reason=""):
    """The level under milestone advancement; None lets it follow from XP again."""
    if level is not None:
        whole(level, least=1, most=10_000, field="level")
    reason = clean(reason, limit=120, field="reason")

    def act(draft):
        draft.put("field:milestone", level)
        what = f"{who(draft)} is level {level}" if level else f"The level of {who(draft)} follows from XP"
        return f"{what}{f' ({reason})' if reason else ''}."

    return rebuild(pk, person, "set_level", key, {"level": level, "reason": reason}, act)
