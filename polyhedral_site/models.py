from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaigns.notification_kinds import KINDS
from characters.models.bounds import between, texts_at_most


class QueuedMail(models.Model):
    """An email that waits to be sent. The row is deleted once it is sent, or after the last failed try (decision 020).

    headers: those besides the usual ones, by name. attachments: name, text and type of each.
    """

    sender = models.CharField(max_length=320)
    recipient = models.CharField(max_length=320)
    subject = models.CharField(max_length=500)
    body = models.TextField(max_length=100_000)
    headers = models.JSONField(default=dict)
    attachments = models.JSONField(default=list)
    tries = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            between("tries", 0, 100, "queued_mail_tries"),
            texts_at_most("queued_mail_lengths", sender=320, recipient=320, subject=500, body=100_000),
        ]

    def __str__(self) -> str:
        return self.subject


class MailChoice(models.Model):
    """Someone's choice to get one kind of notification by mail, soon or once a day. Without a row they get none.

    told: the moment up to which their notifications were mailed. Those from before the choice are never mailed.
    """

    SOON, DAILY = WHEN = ("soon", "daily")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mail_choices", db_index=False)
    kind = models.CharField(max_length=16)
    when = models.CharField(max_length=8)
    since = models.DateTimeField(auto_now_add=True)
    told = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="mail_choice_once"),
            models.CheckConstraint(condition=Q(kind__in=list(KINDS)), name="mail_choice_kind_known"),
            models.CheckConstraint(condition=Q(when__in=["soon", "daily"]), name="mail_choice_when_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.when}"
