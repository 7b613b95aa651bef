"""Pages that follow a table and its characters, and telling them that something has changed."""

from collections.abc import Iterable

from django.db.models import F

from campaigns.models import Campaign, Screen
from characters.change.announcements import announce
from characters.models import Character
from characters.read.versions import version_number


def followed(campaign: Campaign, characters: Iterable[Character], screen: Screen | None = None) -> dict[str, str]:
    """The table and these characters, each with the version that the page shows (`static/js/follow.js`). Seated
    characters in the bin are included, since they may be restored."""
    numbers = {f"campaign {campaign.pk}": str(campaign.version)}
    binned = Character.objects.filter(seat__campaign=campaign).exclude(binned_at=None)
    numbers |= {f"character {one.pk}": version_number(one) for one in (*characters, *binned)}
    if screen is not None:
        numbers[f"screen {screen.pk}"] = screen.vitals
    return {"follows": ",".join(numbers), "numbers": ",".join(numbers.values())}


def tell_followers(pk: int) -> None:
    """Tell the pages that follow this campaign, once the transaction has ended, that it has changed."""
    Campaign.objects.filter(pk=pk).update(version=F("version") + 1)
    announce("campaign", pk)
