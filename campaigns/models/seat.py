"""Characters at a table."""

from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from characters.models import Character
from characters.models.bounds import between

from .campaign import Campaign
from .member import Member

PROOFS = Signer(salt="seat")


class Seat(models.Model):
    """A character at a table; it sits at only one. It keeps its owner. `member` has played it since `began_at`; None if
    the storytellers have prepared it and it waits for a player. Its former sittings are rows of `Sitting`."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats")
    character = models.OneToOneField("characters.Character", models.CASCADE, related_name="seat")
    member = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="seats")
    level = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The one with which it sat down.")
    began_at = models.DateTimeField(
        default=timezone.now, help_text="When its player sat down with it, or it came free."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [between("level", 1, 10_000, "seat_level_in_bounds")]

    def __str__(self) -> str:
        return f"{self.character} at {self.campaign}"


class Sitting(models.Model):
    """A time in which a character sat at a table, and the member who played it; None if it waited for one, or if nobody
    knows. It begins when the one before it ended, unless the character was away in between."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="sittings")
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="sittings")
    member = models.ForeignKey(Member, models.SET_NULL, null=True, related_name="sittings")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="sitting_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.character} at {self.campaign}, until {self.ended_at}"


def proof_of(seat: Seat, character: Character) -> str:
    """The seat as a page shows it, signed. A form sent twice then gets its answer even after the seat is gone, and
    nobody else learns about the seat."""
    return PROOFS.sign_object([seat.pk, seat.member_id, str(character)])


def shown_by(proof: str) -> tuple[int | None, int | None, str]:
    """The seat, its player (None if it waits for one) and its character, as a page showed them; (None, None, "") if the
    proof is from no page."""
    try:
        seat, player, name = PROOFS.unsign_object(proof)
    except BadSignature:
        return None, None, ""
    return seat, player, name
