"""The log of rolls as it stands: which rows count, and what a roll has become by dice and nudges added later."""

from collections.abc import Iterator
from itertools import islice

from django.db.models import Q
from django.db.models.functions import Coalesce

from rules.prepared import MARKS, PreparedObjects
from rules.systems.outcome import Rolled

from .models import RollRecord

# A change may be undone, and the undoing undone: so far in one query.
UNDOINGS = "change__inverted_by__inverted_by__inverted_by"
# Of an undoing only that it is there is read, and of the change what the log says and what it moved.
OF_UNDOING = ("character", "sequence", "at", "actor", "verb", "sentence", "before", "after", "key", "fingerprint")
UNREAD = [
    *(f"change__{column}" for column in ("verb", "sentence", "key", "fingerprint")),
    *(f"{'__'.join(['change', *['inverted_by'] * times])}__{column}" for times in (1, 2, 3) for column in OF_UNDOING),
]
MOST_SHOWN = 200
# The newest nearly always stands, and a log is long, so few rows are read at a time.
AT_ONCE = 3
AFTER_ALL = 2**63 - 1


def whole(rows):
    """What of the log says whether each row stands comes with it."""
    return rows.select_related(UNDOINGS).defer(*UNREAD)


CHAIN = PreparedObjects(
    lambda character, root: whole(
        RollRecord.objects.filter(Q(pk=root) | Q(follows=root), character=character).order_by("pk")
    ),
    *MARKS,
)
NEWEST = PreparedObjects(
    lambda character, before, kind: whole(
        RollRecord.objects.filter(character=character, pk__lt=before, kind=kind).order_by("-pk")[:AT_ONCE]
    ),
    *MARKS,
    "a kind of roll",
)


def stands(change) -> bool:
    """Whether a change is in force: not undone, or undone by something that was undone itself."""
    undoing = getattr(change, "inverted_by", None)
    return undoing is None or not stands(undoing)


def rolled_of(record: RollRecord) -> Rolled:
    """A row of the log as the game's procedures read it."""
    columns = {name: getattr(record, name) for name in Rolled.__dataclass_fields__}
    columns["faces"] = tuple(record.faces)
    for name in ("modifiers", "dice_because"):
        columns[name] = tuple((word, number) for word, number in columns[name])
    return Rolled(**columns)


def chain(character, root: int) -> list[RollRecord]:
    """A roll and what was added to it, oldest first, without what is undone; empty when there is no such roll."""
    return [row for row in CHAIN.all(character.pk, root) if stands(row.change)]


def newest(character, kind: str) -> list[RollRecord]:
    """The newest roll of a kind that stands, with what was added to it, oldest first; empty when there is none."""
    found: list[RollRecord] = []
    for row in islice(backwards(character, kind), MOST_SHOWN):
        if stands(row.change) and (not found or root_of(row) == root_of(found[0])):
            found.insert(0, row)
            if row.follows_id is None:
                return found
    return found


def backwards(character, kind: str) -> Iterator[RollRecord]:
    """The rows of a kind, newest first, undone ones too."""
    before: int | None = AFTER_ALL
    while before is not None:
        end, before = before, None
        for row in NEWEST.each(character.pk, end, kind):
            before = row.pk
            yield row


def root_of(row: RollRecord) -> int:
    """The id of the roll itself, of which a row may be what was added later."""
    return row.follows_id or row.pk


def log_of(character, person, *, most=MOST_SHOWN) -> list[list[RollRecord]]:
    """The rolls that were made or added to last, each whole. A secret roll is there only for whoever made it."""
    mine = RollRecord.objects.filter(character=character).filter(
        Q(secret=False) | Q(change__actor=person.user) | Q(change__actor=None)
    )
    newest = mine.order_by("-pk").values(root=Coalesce("follows", "pk"))[: most * 2]  # some may be undone
    rows = whole(mine.filter(Q(pk__in=newest) | Q(follows__in=newest)).order_by("-pk"))
    chains: dict[int, list[RollRecord]] = {}
    for row in rows:
        if stands(row.change):
            chains.setdefault(root_of(row), []).insert(0, row)
    return list(chains.values())[:most]
