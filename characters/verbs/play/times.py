from characters.journal import Draft, Refused, perform
from characters.marks import marks
from characters.words import clean, listed, whole
from rules.games.outcome import name_of
from rules.models.words import Kind

from .table import Table, allowed, apply

MOST_MARKS, MOST_DOWNTIMES = 100, 200
TAUGHT = {Kind.LANGUAGE, Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL}


def mark(pk, person, key, *, name):
    """A mark in the history, such as “last night”, to compare with later."""
    name = clean(name, limit=80, field="name", empty="Give the mark a name.")

    def act(draft):
        if len(marks(draft.character)) >= MOST_MARKS:
            raise Refused(f"At most {MOST_MARKS} marks: undo one of them in the history first.", "name")
        return f"Mark: {name}."

    return perform(pk, person, "mark", key, {"name": name}, act)


def spend_downtime(pk, person, key, **asked):
    """Days between adventures: what they were spent on and what came of it (section 26), as `checked` takes it."""
    entry, came, learn = checked(**asked)

    def act(draft):
        name, (moved, names) = name_of(draft.build), brought(draft, came, learn)
        entries = draft.all("downtime").values()
        if len(entries) >= MOST_DOWNTIMES:
            raise Refused(
                f"At most {MOST_DOWNTIMES} entries of downtime: undo one of them in the history first.", "activity"
            )
        position = 1 + max((one["position"] for one in entries), default=-1)
        draft.create("downtime", [{**entry, "position": position}])
        also = f" Learned: {listed(names)}." if names else ""
        days = entry["days"]
        told = f" “{entry['outcome']}”" if entry["outcome"] else ""
        return f"{name}: {days} day{'s' * (days != 1)} of {entry['activity'].lower()}.{moved}{also}{told}"

    return perform(pk, person, "spend_downtime", key, {**entry, **came, "learn": learn}, act)


def preview_downtime(character, version, **asked):
    """The version after it, by the verb's own code. Raises Refused as the verb would. Writes nothing."""
    _, came, learn = checked(**asked)
    draft = Draft(character, version)
    brought(draft, came, learn)
    return draft.version


def checked(*, days, activity, notes="", outcome="", restore=False, ranks=0, points=0, learn=()):
    """What is written of a downtime, what the rules do for it, and the refs of what is learned.

    The rules give no results, so the storyteller's are entered (ruling 91): `restore` Resources, move them for good by
    `ranks`, regain `points` of resolve, `learn` languages or proficiencies (refs).
    """
    entry = {
        "days": whole(days, least=1, most=36_500, field="days"),
        "activity": clean(activity, limit=80, field="activity", empty="Say what the days are spent on."),
        "notes": clean(notes, limit=1_000, field="notes"),
        "outcome": clean(outcome, limit=300, field="outcome"),
    }
    came = {
        "restore": bool(restore),
        "ranks": whole(ranks, least=-10, most=10, field="ranks"),
        "points": whole(points, least=0, most=1_000, field="points"),
    }
    return entry, came, list(dict.fromkeys(learn))


def brought(draft, came, learn) -> tuple[str, list[str]]:
    """Put what came of it into the draft. Answers what the rules did, in words, and the names of what is learned."""
    table = Table(draft)
    outcome = allowed(lambda t: t.game.after_downtime(*t.rules, **came), table)
    apply(table, outcome)
    return outcome.sentence, [teach(draft, ref) for ref in learn]


def known_to(sheet) -> set[str]:
    """Refs of what a character is proficient with, and of the languages it knows."""
    return {one.ref for known in sheet.proficiencies.values() for one in known}


def teach(draft, ref) -> str:
    element = draft.version.bundle.elements.get(ref)
    if element is None or element.kind not in TAUGHT:
        raise Refused("That is nothing to learn in downtime.", "learn")
    if draft.read(f"award:{ref}") or ref in known_to(draft.begun.sheet):
        raise Refused(f"{element.name} is known already.", "learn")
    draft.put(f"award:{ref}", {"reason": "downtime"})
    return element.name
