from django.db import models
from django.utils import timezone

from characters.models.bounds import between, texts_at_most


class QueuedMail(models.Model):
    """A mail that waits to be sent. The row is deleted once it is sent or given up (decision 020)."""

    sender = models.CharField(max_length=320)
    recipient = models.CharField(max_length=320)
    subject = models.CharField(max_length=500)
    body = models.TextField(max_length=100_000)
    tries = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            between("tries", 0, 100, "queued_mail_tries"),
            texts_at_most("queued_mail_lengths", sender=320, recipient=320, subject=500, body=100_000),
        ]

    def __str__(self):
        return self.subject
