from django.db.models import F

from campaigns.models import Campaign
from characters.change import bell


def moved(pk: int) -> None:
    """What stands on the page of this campaign is another from the end of the transaction on. Who watches is told."""
    Campaign.objects.filter(pk=pk).update(version=F("version") + 1)
    bell.ring("campaign", pk)
