from django.db.models import F

from campaigns.models import Campaign
from characters.change import bell


def moved(pk: int) -> None:
    """Tell those who watch this campaign's page, once the transaction has ended, that it has changed."""
    Campaign.objects.filter(pk=pk).update(version=F("version") + 1)
    bell.ring("campaign", pk)
