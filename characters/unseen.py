"""“Since you last looked”: changes by others that a character's owner has not seen, and the newest publication whose
effect on the sheet they know."""

from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from rules.fast_sql import NO_ROW, PLACEHOLDERS, Prepared
from rules.games import GAMES

from .access import GUEST, ids_of, is_person, owned_by, placeholder_person
from .change import history_entries, roll_log
from .models import Change, Character, Looked, RollRecord
from .people import Person

MOST = 5  # so that the sheet below them stays in sight
TURNS = [game.encounter.TURN for game in GAMES.values() if game.encounter.TURN]  # actions that begin a turn


def unseen(owner: int, guest: str, character: int | OuterRef | None = None) -> QuerySet:
    """The changes that this owner has not seen, of all characters; the caller filters them by character. A query about
    a single character passes it here as well, so that the database looks up the owner's last change only once.

    Everything up to the owner's own newest change counts as seen. An undo is not such a change: it shows only that the
    owner saw the change it undoes. A change without an actor is the owner's, from before they had an account. Other
    people's secret rolls are left out. So are beginnings of turns, because a fight has so many of them that nothing
    else would show.
    """
    character = character or OuterRef("character")
    said = Looked.objects.filter(is_person(placeholder_person(owner, guest)), character=character)
    own = Change.objects.filter(Q(actor=owner) | Q(actor=None), character=character).exclude(verb="undo")
    rolls = RollRecord.objects.filter(change=Coalesce(OuterRef("root"), OuterRef("pk")))
    # One bound for both: with two, SQLite reads all changes after the lower one, perhaps every change there is.
    seen = Greatest(
        Coalesce(Subquery(said.order_by("-number").values("number")[:1]), 0),
        Coalesce(Subquery(own.order_by("-sequence").values("sequence")[:1]), 0),
    )
    return Change.objects.filter(
        ~Q(actor=owner),
        ~Exists(rolls.exclude(roll_log.told_to(placeholder_person(owner, guest).user))),
        ~Q(verb__in=TURNS),
        Q(root=None) | ~Q(root__verb__in=TURNS),
        actor__isnull=False,
        sequence__gt=seen,
    )


NUMBERS = Prepared(
    lambda pk, owner, guest: (
        unseen(owner, guest, pk).filter(character=pk).order_by("-sequence").values_list("sequence")[: MOST + 1]
    ),
    *PLACEHOLDERS,
    GUEST,
)


def is_unseen(person: Person) -> Exists:
    """For queries of this person's own characters: True if one has a change that they have not seen."""
    owner, guest = ids_of(person)
    return Exists(unseen(owner or NO_ROW, guest, OuterRef(OuterRef("pk"))).filter(character=OuterRef("pk")))


def changed_characters(person: Person) -> QuerySet:
    """This person's characters with changes that they have not seen."""
    return Character.objects.filter(owned_by(person), is_unseen(person), binned_at=None)


def unseen_by_character(person: Person) -> QuerySet:
    """The changes that this person has not seen, by character: its id, its name, how many, the first and the last."""
    owner, guest = ids_of(person)
    found = unseen(owner or NO_ROW, guest).filter(character__in=changed_characters(person))
    rows = found.order_by().values("character", "character__name")
    return rows.annotate(many=Count("pk"), oldest=Min("at"), newest=Max("at"))


def shown_to_owner(character: Character, person: Person) -> dict[str, Any] | None:
    """The newest changes that the owner has not seen, newest first, and whether there are more; None if all are
    seen."""
    numbers = [number for (number,) in NUMBERS.rows(character.pk, *ids_of(person))]
    if not numbers:
        return None
    found = history_entries.shown(character.changes.filter(sequence__in=numbers[:MOST]))
    return {"entries": list(found.order_by("-sequence")), "newest": numbers[0], "more": len(numbers) > MOST}


def note_seen(character: Character, person: Person, number: int) -> None:
    """Mark all changes up to this number as seen. A form from an older page changes nothing."""
    with transaction.atomic(durable=True):
        row, _ = Looked.objects.get_or_create(character=character, **person.columns, defaults={"number": number})
        Looked.objects.filter(pk=row.pk, number__lt=number).update(number=number)


def note_rules_seen(character: Character, revision: int) -> None:
    """Note that the owner has seen the effect on the sheet of all publications up to this revision. A form from an
    older page changes nothing."""
    Character.objects.filter(pk=character.pk, rules_seen__lt=revision).update(rules_seen=revision)


def delete_rows_of_gone_guests() -> int:
    """Delete the rows of guests who no longer have the character. Returns how many."""
    return Looked.objects.filter(user=None).exclude(character__guest=F("guest")).delete()[0]
