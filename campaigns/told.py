"""The things that a page of a table follows."""

from collections.abc import Iterable

from campaigns.models import Campaign, Screen
from characters.models import Character
from characters.read.versions import version_number


def followed(campaign: Campaign, characters: Iterable[Character], screen: Screen | None = None) -> dict[str, str]:
    """The table and these characters, and the number of each that the page shows (`static/js/follow.js`)."""
    numbers = {f"campaign {campaign.pk}": str(campaign.version)}
    numbers |= {f"character {one.pk}": version_number(one) for one in characters}
    if screen is not None:
        numbers[f"screen {screen.pk}"] = screen.vitals
    return {"follows": ",".join(numbers), "numbers": ",".join(numbers.values())}
