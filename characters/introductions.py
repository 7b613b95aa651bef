"""The introduction to a sheet. It is shown at a person's first visit; once they have read it, never again on any of
their devices."""

from django.db import transaction

from rules.fast_sql import PLACEHOLDERS, Prepared

from .access import GUEST, ids_of, is_person, placeholder_person
from .models import Character, Introduction
from .people import Person

READ = Prepared(
    lambda owner, guest: Introduction.objects.filter(is_person(placeholder_person(owner, guest))).values_list("pk"),
    PLACEHOLDERS[1],
    GUEST,
)


def has_read(person: Person) -> bool:
    return bool(READ.rows(*ids_of(person)))


def note_read(person: Person) -> None:
    """Do not show the introduction to this person again. Repeating it changes nothing."""
    with transaction.atomic(durable=True):
        Introduction.objects.get_or_create(**person.columns)


def delete_rows_of_gone_guests() -> int:
    """Delete the rows of guests who have no character any more. Returns how many."""
    kept = Character.objects.exclude(guest="").values("guest")
    return Introduction.objects.filter(user=None).exclude(guest__in=kept).delete()[0]
