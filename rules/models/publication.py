from django.conf import settings
from django.db import models


class Publication(models.Model):
    """A source as it was published. `pack` is a `rules.packs.source_rows.Pack` as compressed JSON. It never changes."""

    source = models.ForeignKey("rules.Source", on_delete=models.CASCADE, related_name="publications")
    number = models.PositiveIntegerField()
    revision = models.PositiveBigIntegerField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    note = models.TextField(blank=True)
    pack = models.BinaryField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["source", "number"], name="publication_number_once_in_source"),
            models.UniqueConstraint(fields=["source", "revision"], name="publication_revision_once_in_source"),
        ]

    def __str__(self) -> str:
        return f"{self.source}, publication {self.number}"
