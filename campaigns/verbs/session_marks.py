"""Session marks: set, removed and restored by those who run the table."""

from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import SessionMark
from campaigns.roles import RUN
from characters.change.refusals import KeyReused, Refused
from characters.people import Person

MOST = 500


def set_mark(pk: int, person: Person, key: str, *, name: str) -> SessionMark:
    """Set a mark at this moment. The same key returns the same mark."""
    with changing(pk, person, RUN, key=key) as member:
        known = SessionMark.objects.filter(campaign=pk, key=key).first()
        if known is not None:
            if known.name != name:
                raise KeyReused
            return known
        if SessionMark.objects.filter(campaign=pk).count() >= MOST:
            raise Refused(f"There are {MOST} marks already, and that is the limit.", "name")
        tell_followers(pk)
        return SessionMark.objects.create(campaign=member.campaign, name=name, key=key, by=member)


def remove_mark(pk: int, person: Person, mark: int, *, back: bool = False) -> SessionMark:
    """Remove a mark from the log, or with `back=True` restore it where it was. Repeating either changes nothing."""
    with changing(pk, person, RUN) as member:
        found = row_of(member.campaign.marks, mark)
        found.removed_at = None if back else found.removed_at or timezone.now()
        found.save(update_fields=["removed_at"])
        tell_followers(pk)
    return found
