"""The homebrew of a table: written by who runs it, read by everyone who sits there once it is published."""

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from campaigns.campaign_access import locked, member_of
from campaigns.roles import RUN
from campaigns.verbs.table_rules import homebrew_begun, homebrew_of
from characters.models import Character
from characters.pages.homebrew.place import HomebrewPlace
from characters.people import visitor_of
from rules.models import Source


class TablePlace(HomebrewPlace):
    """A table's homebrew, for those at the table who may do what `word` says."""

    title = "Homebrew"
    lede = "Made at this table. Nobody else sees it."

    def __init__(self, request: HttpRequest, campaign: int, word: str = RUN) -> None:
        self.person = visitor_of(request)
        member = member_of(campaign, self.person, word)
        self.campaign = member.campaign
        self.ruleset = self.campaign.ruleset
        self.runs = member.may(RUN)
        self.above = [
            ("Campaigns", reverse("campaigns:list")),
            (str(self.campaign), self.campaign.get_absolute_url()),
        ]

    def url(self, name: str, *args: object) -> str:
        return reverse(f"campaigns:{name}", args=[self.campaign.pk, *args])

    def source(self) -> Source | None:
        return homebrew_of(self.campaign)

    def locked(self) -> Source:
        return homebrew_begun(locked(self.campaign.pk, self.person, RUN).campaign)

    def characters(self) -> QuerySet[Character]:
        return Character.objects.filter(seat__campaign=self.campaign)

    def plays(self) -> list[tuple[str, str]]:
        return [(reverse("campaigns:rules", args=[self.campaign.pk]) + "#group-sources", "House rules of the table")]
