"""A character's history as the procedures of its game read it: a `rules.games.table_action.Log`."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import cache

from django.db.models import Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from characters.change import fact_address, roll_log
from characters.models import Change, Character, RollRecord, not_undone
from rules.fast_sql import PLACEHOLDERS, PreparedObjects
from rules.games.table_action import ChangeMoves, LoggedRoll, Since


class StoredLog:
    def __init__(self, character: Character) -> None:
        self.character = character

    def roll(self, number: int) -> list[LoggedRoll]:
        records = roll_log.chain(self.character, number)
        if not records or records[0].pk != number or records[0].follows_id:
            return []
        return logged(records)

    def newest(self, kind: str) -> list[LoggedRoll]:
        return logged(roll_log.newest_of_kind(self.character, kind))

    def asked(self, action: str, since: Since) -> list[Mapping[str, object]]:
        begins = Q(verb__in=since.actions)
        if since.rest:
            begins &= Q(after__has_key="field:rest")
        if since.roll:
            begins |= Q(rolls__key=since.roll)
        began = Subquery(self.in_force.filter(begins).order_by("-sequence").values("sequence")[:1])
        asked = self.in_force.filter(verb=action, sequence__gt=Coalesce(began, 0))
        return list(asked.values_list("what", flat=True))

    def happened_since(self, change: int, *actions: str) -> bool:
        return change != self.character.version and self.newest_of(*actions) > change

    def newest_of(self, *actions: str) -> int:
        """The number of the newest change in force by one of these actions; 0 if there is none."""
        found = newest_by(actions).first(self.character.pk)
        return found.sequence if found else 0

    def last(self, *actions: str) -> tuple[str, timedelta] | None:
        found = newest_by(actions).first(self.character.pk)
        return (found.verb, timezone.now() - found.at) if found else None

    def moved_since(self, change: int, resources: Collection[str], conditions: Collection[str]) -> bool:
        if change == self.character.version:
            return False
        facts = [f"spent:{slug}" for slug in resources] + [fact_address.condition(ref) for ref in conditions]
        since = self.in_force.filter(inverts=None, sequence__gt=change, after__has_any_keys=facts)
        return since.exists()

    @property
    def in_force(self) -> QuerySet:
        return self.character.changes.filter(not_undone())


@cache
def newest_by(actions: tuple[str, ...]) -> PreparedObjects:
    """The query for a character's newest change in force by one of these actions. Cached, because a game asks for the
    same few again and again."""
    standing = Change.objects.filter(not_undone()).order_by("-sequence").values("pk")

    def newest(character: int) -> QuerySet:
        # One subquery per action, which the index answers. With `verb IN (...)`, every change would be read, back to
        # the first.
        each = [standing.filter(character=character, verb=action)[:1] for action in actions]
        found = Change.objects.filter(pk=Greatest(0, *(Coalesce(Subquery(one), 0) for one in each)))
        return found.only("sequence", "verb", "at")

    return PreparedObjects(newest, PLACEHOLDERS[0])


def logged(records: list[RollRecord]) -> list[LoggedRoll]:
    return [logged_roll(record, record.change) for record in records]


def logged_roll(record: RollRecord, change: Change) -> LoggedRoll:
    moves = moved_by(change)
    moved = {resource: moves.by(resource) for resource in moves.spent}
    how = {"aspect": record.aspect, "moved": moved, "conditions": frozenset(moves.conditions)}
    return LoggedRoll(record.pk, roll_log.rolled_of(record), change.sequence, **how)


def moved_by(change: Change) -> ChangeMoves:
    spent, conditions = {}, {}
    for address, after in change.after.items():
        word = fact_address.namespace(address)
        if word == "spent":
            spent[fact_address.name(address)] = (change.before[address], after)
        elif word == "condition":
            ref, source = fact_address.condition_parts(address)
            if not source:
                conditions[ref] = after is not None
    return ChangeMoves(spent, conditions)
