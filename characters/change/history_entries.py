"""A character's history to read: every change as a sentence, and the difference between then and now."""

from collections.abc import Sequence

from django.db.models import OuterRef, QuerySet
from django.db.models.functions import Coalesce

from characters.models import Change, Character
from characters.models.history import undoings
from characters.read.versions import version_of
from rules.engine import Bundle, Counters, Sheet
from rules.engine.difference import DiffLine, difference
from rules.fast_sql import PLACEHOLDERS, PreparedObjects

from . import fact_address, fact_store
from .former_names import as_now, rules_knowing, sources_gone
from .roll_log import rolled

# The columns that an entry shows, here and in a table's log. A page has 25 entries, and each further column costs time.
SHOWN = ("character", "sequence", "at", "verb", "sentence", "reason", "what", "actor__username")
UNREAD = ("before", "after", "key", "fingerprint")
LATEST = PreparedObjects(
    lambda character: (
        Change.objects.filter(character=character).order_by("-sequence").defer(*UNREAD).annotate(rolled=rolled())[:1]
    ),
    PLACEHOLDERS[0],
)


def shown(changes: QuerySet, *besides: str) -> QuerySet:
    """These changes with only the columns that an entry of the history shows and those `besides`, and `turned`: how
    often each was undone or done again since."""
    began = Coalesce(OuterRef("root_id"), OuterRef("pk"))
    turned = undoings(began, sequence__gt=OuterRef("sequence"))
    return changes.select_related("actor").only(*SHOWN, *besides).annotate(turned=turned)


def facts_at(character: Character, number: int, bundle: Bundle) -> fact_store.Facts:
    """The facts after the change of this number, under the names of today: the journal replayed backwards. `bundle` are
    the rules of today.

    A source that the rules no longer have is left out: nothing can be derived with it.
    """
    later = character.changes.filter(sequence__gt=number).order_by("-sequence")
    return taken_back(character, fact_store.stored(character), list(later.values_list("before", flat=True)), bundle)


def taken_back(
    character: Character, facts: fact_store.Facts, moved: Sequence[fact_store.Facts], bundle: Bundle
) -> fact_store.Facts:
    """These facts before changes, as in `facts_at`. `moved` is what each change had before, the newest first."""
    rules, facts = rules_knowing(character, bundle, moved), dict(facts)
    for before in moved:
        facts |= as_now(before, rules)
    facts = {address: value for address, value in facts.items() if value != fact_address.absent(address)}
    for gone in sources_gone(character, facts):
        del facts[gone]
    return facts


def since(character: Character, number: int) -> tuple[DiffLine, ...]:
    """The differences between that change and today, with resources and conditions. Both sides are derived by the rules
    of today, each with the sources that it had in play."""
    today = version_of(character, fact_store.stored(character))
    then = version_of(character, facts_at(character, number, today.bundle))
    return between(then.sheet, today.sheet)


def between(then: Sheet, today: Sheet) -> tuple[DiffLine, ...]:
    return (*left(then, today), *difference(then, today))


def left(then: Sheet, today: Sheet | Counters) -> list[DiffLine]:
    """The counters that differ, of those that the character has today. A counter that counts up gets the kind "spent",
    the others "left"."""
    kept = {slug: line for slug, line in today.resources.items() if line.style != "turn"}  # those of a turn come and go
    lines = [(then.resources[slug], line) for slug, line in kept.items() if slug in then.resources]
    shown = [
        ("spent", line, old.spent, line.spent) if line.counts_up else ("left", line, old.left, line.left)
        for old, line in lines
    ]
    return [
        DiffLine(kind, line.slug, line.name, str(a), str(b), worse=(b < a) == (kind == "left"))
        for kind, line, a, b in shown
        if a != b
    ]
