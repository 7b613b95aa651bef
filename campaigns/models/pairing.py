"""Two characters who are to have a relationship, and the Yes of each of their players."""

from django.db import models
from django.db.models import F, Q

from characters.models import Aspect
from characters.models.bounds import texts_at_most
from characters.read.prose import digest

from .campaign import Campaign
from .joint import Joint, joint_constraints
from .member import Member


class Pairing(Joint):
    """A relationship that is proposed to the players of two characters at a table.

    `based_on` and `text` are empty until someone has written them. One form may propose several, which then share its
    key.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="pairings", db_index=False)
    first = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    second = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    based_on = models.CharField(max_length=8, choices=Aspect.KINDS, blank=True)
    text = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key", "first", "second"], name="pairing_key_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="pairing_is_of_two"),
            models.CheckConstraint(
                condition=Q(based_on__in=["", "trait", "ideal", "bond", "flaw"]), name="pairing_base_known"
            ),
            *joint_constraints("pairing"),
            texts_at_most("pairing_texts_in_bounds", text=300, key=64),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"

    @property
    def digest(self) -> str:
        """A digest of the words, by which a form tells which ones it showed."""
        return digest(f"{self.based_on} {self.text}")

    @property
    def act_words(self) -> str:
        return f"{self.first_id} {self.second_id}"

    def agreed(self) -> dict[int, int | None]:
        """Each character that it concerns, with the member who said yes for it; None if nobody has. By their ids."""
        said = {one.character_id: one.by_id for one in self.agreements.all()}
        return {one: said.get(one) for one in (self.first_id, self.second_id)}

    def agree(self, member: Member, character: int) -> None:
        Agreement.objects.update_or_create(pairing=self, character_id=character, defaults={"by": member})


class Agreement(models.Model):
    """The Yes of one player to the words as they are. It is deleted when the words are rewritten."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="agreements", db_index=False)
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    by = models.ForeignKey(Member, models.CASCADE, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["pairing", "character"], name="agreement_once")]

    def __str__(self) -> str:
        return f"{self.by} agrees: {self.pairing}"
