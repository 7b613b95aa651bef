"""Notes by the storytellers of a table, and the moments at which they were shown to players."""

from django.db import models
from django.db.models import Q

from characters.models.bounds import texts_at_most
from characters.read.prose import digest_of

from .campaign import Campaign
from .member import Member

STORYTELLERS, EVERYONE, ONE = "storytellers", "everyone", "character"


class CampaignNote(models.Model):
    """A text, and its readers besides the storytellers: nobody, everyone at the table, or the player of one character.

    If that character is gone for good, only the storytellers read it. A deleted note can be restored until the nightly
    cleanup.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notes")
    text = models.CharField(max_length=8000)
    audience = models.CharField(max_length=12)
    character = models.ForeignKey("characters.Character", models.SET_NULL, null=True, blank=True, related_name="+")
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=64)
    changed_at = models.DateTimeField()
    binned_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="campaign_note_key_once"),
            models.CheckConstraint(condition=~Q(text="") & ~Q(key=""), name="campaign_note_has_text_and_key"),
            models.CheckConstraint(
                condition=Q(audience__in=[STORYTELLERS, EVERYONE, ONE]), name="campaign_note_audience_known"
            ),
            models.CheckConstraint(
                condition=Q(audience=ONE) | Q(character__isnull=True), name="campaign_note_character_only_for_one"
            ),
            texts_at_most("campaign_note_texts_in_bounds", text=8000, audience=12, key=64),
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def seen_by(self) -> str:
        """The readers of the note, in words."""
        if self.audience == EVERYONE:
            return "Everyone at the table"
        if self.character is None:
            return "Storytellers only"
        return f"{self.character}’s player and the storytellers"

    @property
    def reader(self) -> str:
        """The readers of the note, as the form's value."""
        if self.audience != ONE:
            return self.audience
        return f"{ONE}:{self.character_id}" if self.character_id else STORYTELLERS

    @property
    def digest(self) -> str:
        """A digest of the text and its readers. An edit sends back the one it started from."""
        return digest_of({"text": self.text, "reader": self.reader})


class Reveal(models.Model):
    """A note was shown to the player of this character or, without one, to everyone at the table."""

    note = models.ForeignKey(CampaignNote, models.CASCADE, related_name="reveals")
    character = models.ForeignKey("characters.Character", models.CASCADE, null=True, blank=True, related_name="+")
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.note}: {self.to}"

    @property
    def to(self) -> str:
        """The people to whom the note was shown, in words."""
        return f"{self.character}’s player" if self.character else "everyone"
