from characters.journal import Refused, fingerprint_of, perform
from characters.words import clean, listed, whole
from rules.models.words import Kind
from rules.systems.outcome import name_of

from .table import Table, allowed, apply

TAUGHT = {Kind.LANGUAGE, Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL}


def mark(pk, person, key, *, name):
    """A mark in the history, such as “last night”, to compare with later."""
    name = clean(name, limit=80, field="name", empty="Give the mark a name.")
    return perform(pk, person, "mark", key, fingerprint_of(name=name), lambda draft: f"Mark: {name}.")


def spend_downtime(
    pk, person, key, *, days, activity, notes="", outcome="", restore=False, ranks=0, points=0, learn=()
):
    """Days between adventures: what they were spent on and what came of it (section 26).

    The rules give no results, so the storyteller's are entered (ruling 91): `restore` Resources, move them for good by
    `ranks`, regain `points` of resolve, `learn` languages or proficiencies (refs).
    """
    whole(days, least=1, most=36_500, field="days")
    activity = clean(activity, limit=80, field="activity", empty="Say what the days are spent on.")
    notes = clean(notes, limit=1_000, field="notes")
    told = clean(outcome, limit=300, field="outcome")
    whole(ranks, least=-10, most=10, field="ranks")
    whole(points, least=0, most=1_000, field="points")
    learn = list(dict.fromkeys(learn))

    def act(draft):
        table = Table(draft)
        happened = allowed(
            lambda t: t.game.after_downtime(*t.rules, restore=bool(restore), ranks=ranks, points=points), table
        )
        apply(table, happened)
        names = [teach(draft, table, ref) for ref in learn]
        position = 1 + max((entry["position"] for entry in draft.all("downtime").values()), default=-1)
        entry = {"days": days, "activity": activity, "notes": notes, "outcome": told, "position": position}
        draft.create("downtime", [entry])
        also = f" Learned: {listed(names)}." if names else ""
        return f"{name_of(table.build)}: {days} day{'s' * (days != 1)} of {activity.lower()}.{also}"

    what = {"days": days, "activity": activity, "notes": notes, "outcome": told}
    what |= {"restore": bool(restore), "ranks": ranks, "points": points, "learn": learn}
    return perform(pk, person, "spend_downtime", key, fingerprint_of(**what), act)


def teach(draft, table, ref) -> str:
    element = table.bundle.elements.get(ref)
    if element is None or element.kind not in TAUGHT:
        raise Refused("That is nothing to learn in downtime.", "learn")
    if draft.read(f"award:{ref}"):
        raise Refused(f"{element.name} is learned already.", "learn")
    draft.put(f"award:{ref}", {"reason": "downtime"})
    return element.name
