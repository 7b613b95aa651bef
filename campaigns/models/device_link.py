"""A guest's seat on its way to another device."""

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils import timezone

from .member import Member


class DeviceLink(models.Model):
    """A link by which another device takes over a guest's seat, once.

    Only the hash of its token is stored. An ended row stays, so that its form sent again makes no second link.
    """

    member = models.ForeignKey(Member, models.CASCADE, related_name="device_links")
    token = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Exact(Length("token"), 64), name="device_link_token_is_a_hash"),
        ]

    def __str__(self) -> str:
        return f"A link to the seat of {self.member}"

    @property
    def over(self) -> bool:
        """True if no device can use it any more, perhaps because the guest has left or has an account by now."""
        ended = self.used_at is not None or self.revoked_at is not None or self.expires_at <= timezone.now()
        return ended or self.member.gone_at is not None or self.member.user_id is not None
