from characters.journal import fingerprint_of, perform
from characters.words import who, whole


def set_xp(pk, person, key, *, xp):
    """Correct the experience points to this number. Moves by the difference, as every number does."""
    whole(xp, least=0, most=100_000_000, field="xp")

    def act(draft):
        draft.add("field:xp", xp - draft.read("field:xp"))
        return f"{who(draft)} has {xp:,} XP."

    return perform(pk, person, "set_xp", key, fingerprint_of(xp=xp), act)


def set_level(pk, person, key, *, level):
    """The level under milestone advancement; None lets it follow from XP again."""
    if level is not None:
        whole(level, least=1, most=10_000, field="level")

    def act(draft):
        draft.put("field:milestone", level)
        return f"{who(draft)} is level {level}." if level else f"The level of {who(draft)} follows from XP."

    return perform(pk, person, "set_level", key, fingerprint_of(level=level), act)
