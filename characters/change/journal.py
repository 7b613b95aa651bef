"""The one way a character changes: lock, act, write, journal, commit; or return the change that the same form made
before."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils import timezone

from characters import access
from characters.access import GUEST, PLAY, ids_of, placeholder_person
from characters.models import Change, Character, RollRecord
from characters.people import Person
from characters.read import version_cache
from characters.read.former_rules import known_after
from rules.fast_sql import PLACEHOLDERS, PreparedInsert, PreparedObjects, PreparedUpdate, new_model
from rules.index import NotInRules, forget
from rules.number_text import LARGEST

from .announcements import announce
from .arguments import fingerprint_of, shortened, storable
from .draft import Draft
from .refusals import KeyReused, MovedOn, Refused, RefusedForSome
from .roll_log import rolled

type Act = Callable[[Draft], str]


@dataclass(frozen=True, slots=True)
class Part:
    """One character's part in a change of several: what is done to it, and the arguments of the verb."""

    pk: int
    what: dict[str, Any]
    act: Act


BY_KEY = PreparedObjects(
    lambda owner, pk, guest, key: Change.objects.filter(
        character__in=Character.objects.filter(access.lockable_by(placeholder_person(owner, guest)), pk=pk), key=key
    ).annotate(rolled=rolled()),
    *PLACEHOLDERS,
    GUEST,
    "the key of a form",
)
BY_SEQUENCE = PreparedObjects(
    lambda pk, sequence: (
        # `in`, not `=`: for `=`, SQLite plans the query anew each time, to see whether the partial index of beginnings
        # fits.
        Change.objects.filter(character=pk, sequence__in=[sequence])
        .select_related("inverted_by", "actor", "root")
        .defer("root__before")
        .annotate(rolled=rolled())
    ),
    PLACEHOLDERS[0],
    LARGEST,  # a placeholder for a positive number
)
CHANGES = PreparedInsert(Change)
ROLLS = PreparedInsert(RollRecord)
CHARACTERS = PreparedUpdate(Character)


def perform(
    pk: int,
    person: Person,
    verb: str,
    key: str,
    what: dict[str, Any],
    act: Act,
    *,
    may: str = PLAY,
    binned: bool = False,
    reason: str = "",
) -> Change:
    """Change one character and journal it, in one transaction that holds the character's lock.

    `act(draft)` changes the draft and returns the sentence for the history, or raises Refused. `what` holds the
    arguments of the verb, `reason` a storyteller's reason for it. If the same `key` comes again with equal arguments,
    nothing is done and the earlier Change is returned; with other arguments, KeyReused is raised. Raises Http404 if
    this person has no role that `may`, or if the character is in the bin (with `binned`: if it is not).
    """
    check_key(key)
    try:
        # `durable` makes this the outermost block: SQLite takes its write lock at BEGIN, and no caller's work holds it
        # longer.
        with transaction.atomic(durable=True):
            character = access.locked_for(pk, person, may, binned=binned)
            change, draft = record(character, person, verb, key, what, act, reason)
    except (Refused, Http404, IntegrityError) as error:
        # Few forms are sent twice, so the earlier change is looked up only after a failure. A form sent twice always
        # fails: by the constraint on its key, or because its first change is now the reason for a refusal.
        earlier = done_before(pk, person, key)
        if earlier is None:
            check_names(error)
            raise
        return answer_again(earlier, verb, what)
    version_cache.put(character, draft.version)  # for the answer, and for the next change
    return change


def perform_all(
    parts: Iterable[Part], person: Person, verb: str, key: str, *, actor: Person | None = None, reason: str = ""
) -> dict[int, Change]:
    """Change several characters, all of them or none, and journal it; returns each Change by the character's id.

    The caller has checked the key, has begun the transaction (`all_or_none`) and knows that this key has done nothing.
    Characters are locked in the order of their ids, so that two people who change the same characters take turns.
    `person` plays them all; `actor` is the person whom the history names, if that is someone else at the table.

    Raises RefusedForSome with the refusals by character, Http404 for a character that this person may not play, and
    KeyReused if this key has changed one of them in another way.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("Several characters change in one transaction, which the caller begins.")
    changes: dict[int, Change] = {}
    refusals: dict[int, Refused] = {}
    for part in sorted(parts, key=lambda one: one.pk):
        character = access.locked_for(part.pk, person, PLAY)
        try:
            changes[part.pk], draft = record(character, actor or person, verb, key, part.what, part.act, reason)
        except Refused as refused:
            refusals[part.pk] = refused
        except IntegrityError as known:
            raise KeyReused from known
        else:
            transaction.on_commit(partial(version_cache.put, character, draft.version))
    if refusals:
        raise RefusedForSome(refusals)
    return changes


@contextmanager
def all_or_none() -> Iterator[None]:
    """The transaction in which several characters change or begin. Raises MovedOn, as `perform` does, if a row of the
    rules is gone: the database notices that only when the transaction ends. Raises KeyReused if the same key has begun
    a character elsewhere at the same moment."""
    try:
        with transaction.atomic(durable=True):
            yield
    except IntegrityError as error:
        check_names(error)
        if "beginning_key_once" in str(error):
            raise KeyReused from error
        raise


def done_before(pk: int, person: Person, key: str) -> Change | None:
    """The change that this key has already made to this character, in the bin or not, if this person may lock it."""
    owner, guest = ids_of(person)
    return BY_KEY.first(owner, pk, guest, key)


def check_names(error: Exception) -> None:
    """Raise MovedOn if a row of the rules was deleted while this process still knew its id. The next try finds the new
    row, or its refusal names the entry that is gone."""
    if isinstance(error, IntegrityError) and "foreign key" in str(error).lower():
        forget()
        raise MovedOn("This was not saved: the rules have just been edited. Try again.") from error


def record(
    character: Character, person: Person, verb: str, key: str, what: dict[str, Any], act: Act, reason: str = ""
) -> tuple[Change, Draft]:
    """Run `act` on the locked character and write its Change; returns the Change and the draft that was written.

    For `perform`, `perform_all` and a character's beginning, which hold the lock.
    """
    draft = Draft(character)
    try:
        sentence = act(draft)
        before, after, columns = draft.commit()
    except NotInRules as gone:  # taken out of the working copy since it was published
        raise MovedOn(f"You cannot do that: the rules no longer have “{gone}”.") from gone
    now = timezone.now()
    character.version += 1
    columns |= {"version": character.version, "changed_at": now}
    if draft.before.bundle.newest > character.rules_seen:
        columns["rules_seen"] = known_after(character, draft.before)
    CHARACTERS.put(columns, id=character.pk)
    for column, value in columns.items():
        setattr(character, column, value)
    change = new_model(
        Change,
        character=character,
        sequence=character.version,
        actor=person.user,
        verb=verb,
        sentence=shortened(sentence),
        reason="" if reason in sentence else reason,  # a sentence about XP, for one, contains the reason
        before=before,
        after=after,
        what=storable(what) | draft.found,
        key=key,
        fingerprint=fingerprint_of(**what),
        inverts=draft.inverts,
        root_id=draft.inverts and (draft.inverts.root_id or draft.inverts.pk),
    )
    CHANGES.put(change)
    announce("character", character.pk)
    Change.inverted_by.related.set_cached_value(change, None)  # nothing can have undone it yet
    change.rolled = draft.inverts.rolled if draft.inverts else bool(draft.rolls)
    for roll in draft.rolls:
        roll.change, roll.character, roll.by_guest = change, character, person.user is None
        ROLLS.put(roll)
    return change, draft


def answer_again(earlier: Change, verb: str, what: dict[str, Any]) -> Change:
    if (earlier.verb, earlier.fingerprint) != (verb, fingerprint_of(**what)):
        raise KeyReused
    return earlier


def check_key(key: object) -> None:
    """Raise Refused unless this is the key of a form: 8 to 64 printable characters of ASCII."""
    if not isinstance(key, str) or not 8 <= len(key) <= 64 or not key.isascii() or not key.isprintable():
        raise Refused("This form is incomplete. Reload the page and try again.")
