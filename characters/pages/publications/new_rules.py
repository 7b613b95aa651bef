"""New rules: what was published since the owner last saw the sheet, and what it moved there."""

from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from characters.models import Character
from characters.pages.builder.diff_text import DiffText
from characters.read.former_rules import by_former_rules
from characters.read.versions import Version
from rules.engine import Bundle
from rules.models import Publication

from .moved_characters import Move, moves

OPEN = 5  # moves that are open to read; the others unfold
MOST_NOTES = 5


@dataclass(frozen=True)
class NewRules:
    """`moves` are shown, `others` unfold below them. `notes`: the newest publications. `newest`: the revision that Seen
    sends."""

    moves: tuple[Move, ...]
    others: tuple[Move, ...]
    notes: tuple[Publication, ...]
    newest: int


def new_rules(character: Character, version: Version) -> NewRules | None:
    """The changes on the sheet by new rules; None if there are none. Costs no query if nothing was published, and one
    more if something moved.

    Moves that the game does not show are listed only if there are no others.
    """
    former = by_former_rules(character, version)
    found = moves(former, version) if former else ()
    if former is None or not found:
        return None
    shown = tuple(move for move in found if isinstance(move.shown, DiffText)) or found
    notes = tuple(published_between(character, former.bundle, version.bundle)[:MOST_NOTES])
    return NewRules(shown[:OPEN], shown[OPEN:], notes, version.bundle.newest)


def published_between(character: Character, former: Bundle, now: Bundle) -> QuerySet:
    was = dict(former.revision)
    since = [
        Q(source__slug=slug, revision__gt=was[slug], revision__lte=revision)
        for slug, revision in now.revision
        if revision > was[slug]
    ]
    found = Publication.objects.filter(reduce(or_, since), source__ruleset=character.ruleset_id)
    return found.select_related("source").defer("pack").order_by("-revision")
