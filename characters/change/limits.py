"""Limits on making characters: they keep the disk from filling up, and nobody at a table reaches them (decision 017).

The counts take no lock: several forms sent at the same moment may each pass as the last one allowed, but a few more
characters do no harm.
"""

from datetime import timedelta

from django.utils import timezone

from characters import access
from characters.models import Beginning, Character
from characters.people import Person

# Eight people behind one address who each try the samples, a dozen random characters and copies make about 150.
OF_A_GUEST, OF_AN_ACCOUNT = 100, 1_000
OF_AN_ADDRESS = ((timedelta(hours=1), 300), (timedelta(days=1), 1_000))


def reason_to_refuse(person: Person) -> str:
    """The reason why this person may not make another character now, as a sentence; "" if they may."""
    have = Character.objects.filter(access.owned_by(person)).count()
    if person.user is None and have >= OF_A_GUEST:
        return (
            f"Without an account you can keep {OF_A_GUEST} characters, the bin included. "
            "Sign up to keep more, or download some and delete them."
        )
    if have >= OF_AN_ACCOUNT:
        return f"You have {OF_AN_ACCOUNT:,} characters, the bin included, and that is the limit. Delete some first."
    if person.user is None and any(begun(person.household, time) >= most for time, most in OF_AN_ADDRESS):
        return "Many characters have been made from your network. Sign up to make more now, or come back later."
    return ""


def begun(household: str, time: timedelta) -> int:
    """The number of characters without an account that this household has made within the time."""
    return Beginning.objects.filter(household=household, at__gt=timezone.now() - time).count() if household else 0


def record_beginning(person: Person) -> None:
    """Record that a visitor without an account has made a character."""
    if person.user is None and person.household:
        Beginning.objects.create(household=person.household)


def forget_old() -> None:
    """Delete the beginnings that no limit counts any more."""
    longest = max(time for time, _ in OF_AN_ADDRESS)
    Beginning.objects.filter(at__lt=timezone.now() - longest).delete()
