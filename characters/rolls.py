"""The log of rolls as it stands: which rows count, and what a roll has become by dice and nudges added later."""

from django.db.models import Q
from django.db.models.functions import Coalesce

from rules.prepared import MARKS, PreparedObjects
from rules.systems.outcome import Rolled

from .models import RollRecord, standing

MOST_SHOWN = 200
# Of the change of a roll the log says when it was, and what it moved.
UNREAD = [f"change__{column}" for column in ("verb", "sentence", "key", "fingerprint")]


def in_force(rows):
    """Without what is undone, and without what was added to a roll that is undone."""
    rows = rows.filter(standing("change")).filter(Q(follows=None) | standing("follows__change"))
    return rows.select_related("change").defer(*UNREAD)


CHAIN = PreparedObjects(
    lambda character, root: in_force(
        RollRecord.objects.filter(Q(pk=root) | Q(follows=root), character=character).order_by("pk")
    ),
    *MARKS,
)
NEWEST = PreparedObjects(
    lambda character, kind: in_force(RollRecord.objects.filter(character=character, kind=kind).order_by("-pk"))[:1],
    MARKS[0],
    "a kind of roll",
)


def rolled_of(record: RollRecord) -> Rolled:
    """A row of the log as the game's procedures read it."""
    columns = {name: getattr(record, name) for name in Rolled.__dataclass_fields__}
    columns["faces"] = tuple(record.faces)
    for name in ("modifiers", "dice_because"):
        columns[name] = tuple((word, number) for word, number in columns[name])
    return Rolled(**columns)


def chain(character, root: int) -> list[RollRecord]:
    """A roll and what was added to it, oldest first, without what is undone; empty when there is no such roll."""
    return CHAIN.all(character.pk, root)


def newest(character, kind: str) -> list[RollRecord]:
    """The newest roll of a kind that stands, with what was added to it, oldest first; empty when there is none."""
    last = NEWEST.first(character.pk, kind)
    if last is None or last.follows_id is None:
        return [last] if last else []
    return chain(character, last.follows_id)


def log_of(character, person, *, most=MOST_SHOWN) -> list[list[RollRecord]]:
    """The rolls that were made or added to last, each whole. A secret roll is there only for whoever made it."""
    mine = in_force(RollRecord.objects.filter(character=character)).filter(
        Q(secret=False) | Q(change__actor=person.user) | Q(change__actor=None)
    )
    newest = mine.order_by("-pk").values(root=Coalesce("follows", "pk"))[: most * 2]  # more may be of one roll
    rows = mine.filter(Q(pk__in=newest) | Q(follows__in=newest)).order_by("-pk")
    chains: dict[int, list[RollRecord]] = {}
    for row in rows:
        chains.setdefault(row.follows_id or row.pk, []).insert(0, row)
    return list(chains.values())[:most]
