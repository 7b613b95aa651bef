"""The log of rolls: the rows that are in force, and each roll with the dice and nudges that were added to it later."""

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from characters.models import Character, RollRecord, not_undone
from characters.people import Person
from rules.fast_sql import PLACEHOLDERS, PreparedObjects
from rules.games.outcome import Rolled

# Columns of a roll's change that the log does not read.
UNREAD = [f"change__{column}" for column in ("sentence", "what", "key", "fingerprint")]


def in_force(rows: QuerySet) -> QuerySet:
    """These rows without those that were undone, and without additions to a roll that was undone."""
    rows = rows.filter(not_undone("change")).filter(Q(follows=None) | not_undone("follows__change"))
    return rows.select_related("change").defer(*UNREAD)


def seen_by(user: AbstractBaseUser | None, character: Character) -> QuerySet:
    """The rolls of a character that this user may see: a secret one only if they made it."""
    return in_force(RollRecord.objects.filter(character=character)).filter(told_to(user))


def told_to(user: AbstractBaseUser | None) -> Q:
    """A filter for rolls that this user may see, of characters that they play or run.

    The log does not say which guest made a secret roll, so all who play or run the character see it. Nobody sees a
    secret roll by an account that was deleted.
    """
    return Q(secret=False) | Q(by_guest=True) | Q(change__actor=user, change__actor__isnull=False)


def is_seen_by(user: AbstractBaseUser | None, record: RollRecord) -> bool:
    mine = user is not None and record.change.actor_id == user.pk
    return not record.secret or record.by_guest or mine


def of_one_roll(change: int) -> QuerySet:
    """All rows of the roll that this change made or added to."""
    made = RollRecord.objects.filter(change=change)
    root = Subquery(made.values(root=Coalesce("follows", "pk"))[:1])
    return with_additions(root)


def with_additions(root: int | Subquery) -> QuerySet:
    """The row of a roll, and those that added to it, in order."""
    return RollRecord.objects.filter(Q(pk=root) | Q(follows=root)).order_by("pk")


def rolled() -> Exists:
    """For a query of changes: whether each rolled dice, or undoes or does again what rolled them."""
    return Exists(RollRecord.objects.filter(change=Coalesce(OuterRef("root"), OuterRef("pk"))))


ALL = PreparedObjects(lambda change: of_one_roll(change).select_related("change").defer(*UNREAD), PLACEHOLDERS[0])
STANDS = PreparedObjects(lambda change: in_force(of_one_roll(change)), PLACEHOLDERS[0])
# Not filtered by character: SQLite would then look through all the rolls that the character ever made.
CHAIN = PreparedObjects(lambda root: in_force(with_additions(root)), PLACEHOLDERS[0])
NEWEST_OF_KIND = PreparedObjects(
    lambda character, kind: in_force(RollRecord.objects.filter(character=character, kind=kind).order_by("-pk"))[:1],
    PLACEHOLDERS[0],
    "a kind of roll",
)
NEWEST_VISIBLE = PreparedObjects(lambda character, user: seen_by(user, character).order_by("-pk")[:1], *PLACEHOLDERS)


def rolled_of(record: RollRecord) -> Rolled:
    """A row of the log as the game's procedures read it."""
    columns = {name: getattr(record, name) for name in Rolled.__dataclass_fields__}
    columns["faces"], columns["again_by"] = tuple(record.faces), tuple(record.again_by)
    for name in ("modifiers", "dice_because"):
        columns[name] = tuple((word, number) for word, number in columns[name])
    return Rolled(**columns)


def chain(character: Character, root: int) -> list[RollRecord]:
    """A roll and what was added to it, oldest first, without what was undone; empty if there is no such roll."""
    return [row for row in CHAIN.all(root) if row.character_id == character.pk]


def newest_of_kind(character: Character, kind: str) -> list[RollRecord]:
    """The newest roll of a kind that is in force, with what was added to it, oldest first; empty if there is none."""
    return whole(character, NEWEST_OF_KIND.first(character.pk, kind))


def newest_visible(character: Character, person: Person) -> list[RollRecord]:
    """The newest roll that this person may see, with what was added to it, as in `newest_of_kind`."""
    return whole(character, NEWEST_VISIBLE.first(character.pk, person.user and person.user.pk))


def chain_of_change(change: int, person: Person) -> list[RollRecord]:
    """The roll that this change made or added to, without what was undone, oldest first; empty if this person may not
    see it."""
    records = STANDS.all(change)
    return records if all(is_seen_by(person.user, record) for record in records) else []


def whole(character: Character, row: RollRecord | None) -> list[RollRecord]:
    if row is None or row.follows_id is None:
        return [row] if row else []
    return chain(character, row.follows_id)


def log_of(character: Character, person: Person, *, before: int | None = None, most: int) -> list[list[RollRecord]]:
    """Rolls that this person may see, each with what was added to it, newest first. `before` is the number of a roll:
    only earlier ones are returned."""
    mine = seen_by(person.user, character)
    made = mine.filter(follows=None) if before is None else mine.filter(follows=None, pk__lt=before)
    roots = list(made.order_by("-pk").values_list("pk", flat=True)[:most])
    chains: dict[int, list[RollRecord]] = {root: [] for root in roots}
    for row in mine.filter(Q(pk__in=roots) | Q(follows__in=roots)).order_by("pk"):
        chains[row.follows_id or row.pk].append(row)
    return list(chains.values())
