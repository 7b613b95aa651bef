"""People at a table, and the links by which they come."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils import timezone

from campaigns.roles import HELPS, LEADS, MAY, TAKE_PART, may
from characters.models.bounds import between, one_persons, texts_at_most

from .campaign import Campaign


class Member(models.Model):
    """One person at one table: an account, or a guest by the hash of the token in their session (`characters.people`).

    At most one is the storyteller: the person who made the campaign, or the one it was handed over to. Nobody can
    remove that row; it is deleted only with the account. The row of a member who left or was removed stays, with the
    moment, so that an older invite does not let them in again.
    """

    ROLES = tuple((role, role) for role in MAY)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="seats_at")
    guest = models.CharField(max_length=64, blank=True, db_index=True)
    guest_until = models.DateTimeField(
        null=True, blank=True, help_text="When an account took the place of a guest. What they did before has no actor."
    )
    name = models.CharField(max_length=40, help_text="What the others call them.")
    role = models.CharField(max_length=16, choices=ROLES)
    joined_at = models.DateTimeField(auto_now_add=True)
    gone_at = models.DateTimeField(null=True, blank=True)
    news_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the table was handed to them, or theirs to take up, or they were removed, until they see it.",
    )
    reveals_seen = models.PositiveBigIntegerField(
        default=0, help_text="The number of the newest reveal of a note that they have seen."
    )

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="member_user_once"),
            models.UniqueConstraint(fields=["campaign", "guest"], condition=~Q(guest=""), name="member_guest_once"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(role=LEADS), name="member_one_storyteller"),
            one_persons("member_is_one_person"),
            models.CheckConstraint(condition=~Q(role=LEADS) | Q(gone_at__isnull=True), name="member_storyteller_stays"),
            models.CheckConstraint(
                condition=Q(role__in=[*MAY]),
                name="member_role_known",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="member_has_name"),
            texts_at_most("member_texts_in_bounds", guest=64, name=40, role=16),
        ]

    def __str__(self) -> str:
        return self.name

    def may(self, word: str) -> bool:
        return may(self.role, word)

    @property
    def takes_part(self) -> bool:
        """False for those who only watch."""
        return self.may(TAKE_PART)


class Invite(models.Model):
    """A link by which people sit down: up to a number, until a moment, in this `role`. Only the hash of its token is
    stored."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invites")
    token = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=16, choices=Member.ROLES[1:])
    most = models.PositiveSmallIntegerField(help_text="How many people may use it.")
    uses = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Exact(Length("token"), 64), name="invite_token_is_a_hash"),
            models.CheckConstraint(condition=Q(uses__lte=models.F("most")), name="invite_uses_at_most"),
            models.CheckConstraint(
                condition=Q(role__in=[role for role in MAY if role != LEADS]), name="invite_role_known"
            ),
            between("most", 1, 100, "invite_most_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"An invite to {self.campaign}"

    @property
    def asks_for_account(self) -> bool:
        """True if guests cannot come in: the table asks for accounts, or the invite makes co-storytellers. If guests
        ran the table, nobody could tell what each of them did."""
        return self.campaign.accounts_only or self.role == HELPS

    @property
    def left(self) -> int:
        return self.most - self.uses

    @property
    def days(self) -> int:
        """The number of days the invite was made for. The row is a little younger than its form, so this is rounded."""
        return round((self.expires_at - self.made_at) / timedelta(days=1))

    @property
    def over(self) -> bool:
        """True if it no longer lets anyone in."""
        return self.revoked_at is not None or self.left <= 0 or self.expires_at <= timezone.now()
