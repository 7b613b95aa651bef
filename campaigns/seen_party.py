"""The characters at a table as one of its people sees them, each row read once for all parts of a page."""

from dataclasses import dataclass
from functools import cached_property

from campaigns.models import Campaign, Member, Seat
from campaigns.names_apart import names_apart
from campaigns.roles import RUN
from characters.access import playable_by, visible_to
from characters.models import Character
from characters.people import Person


@dataclass(frozen=True)
class SeenParty:
    member: Member
    person: Person

    @property
    def campaign(self) -> Campaign:
        return self.member.campaign

    @property
    def runs(self) -> bool:
        return self.member.may(RUN)

    @cached_property
    def characters(self) -> dict[int, Character]:
        """Those at the table that this person plays or runs, by id."""
        found = Character.objects.filter(playable_by(self.person), seat__campaign=self.campaign)
        return {one.pk: one for one in found.select_related("ruleset").order_by("name", "pk")}

    @cached_property
    def mates(self) -> dict[int, Character]:
        """The others at the table, by id."""
        found = Character.objects.filter(visible_to(self.person), seat__campaign=self.campaign)
        others = found.exclude(pk__in=list(self.characters)).select_related("ruleset")
        return {one.pk: one for one in others.order_by("name", "pk")}

    @property
    def everyone(self) -> dict[int, Character]:
        return self.characters | self.mates

    @cached_property
    def seats(self) -> dict[int, Seat]:
        """Everyone's seats, by the character's id."""
        found = self.campaign.seats.select_related("character", "member", "exception")
        return {one.character_id: one for one in found}

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of everyone by id, with names that tell them apart."""
        names = names_apart(self.seats.values())
        return {pk: names.get(pk, str(one)) for pk, one in self.everyone.items()}

    @cached_property
    def people(self) -> dict[str, Member]:
        """Everyone who ever sat here, by id."""
        return {str(one.pk): one for one in self.campaign.members.all()}
