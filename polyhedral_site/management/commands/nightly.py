import logging
from typing import Any

from django.core.management.base import BaseCommand

from campaigns.models import Campaign, CampaignNote
from characters import introductions, unseen
from characters.change.limits import forget_old
from characters.change.unreachable import Unreadable
from characters.verbs import bin_unreachable, empty_bin, forget_pictures
from characters.verbs.bin import delete_binned
from polyhedral_site.renewed import forget_ended

LOG = logging.getLogger(__name__)


class Command(BaseCommand):
    help = (
        "Cleans up, once a night. Puts characters into the bin whose owners have no account and a cookie that has run "
        "out. Deletes for good everything that has been in the bin for more than 30 days, sessions that "
        "ended as long ago, and pictures that nobody uses. Safe to run at any time."
    )

    def handle(self, **options: Any) -> None:
        try:
            binned = counted(bin_unreachable(), "put into the bin", "unreachable character")
        except Unreadable as unreadable:
            binned = f"No character was put into the bin: {unreadable}"
        deleted = counted(empty_bin(), "deleted for good from the bin")
        forget_old()
        forget_ended()
        introductions.delete_rows_of_gone_guests()
        unseen.delete_rows_of_gone_guests()
        pictures = counted(
            forget_pictures(Campaign.objects.values_list("face", flat=True)),
            "deleted for good",
            "unused picture",
        )
        tables = counted(delete_binned(Campaign), "deleted for good from the bin", "campaign")
        notes = counted(delete_binned(CampaignNote), "deleted for good from the bin", "campaign note")
        for line in (binned, deleted, pictures, tables, notes):
            LOG.info(line)


def counted(count: int, what: str, thing: str = "character") -> str:
    return f"{count} {thing}{'s' * (count != 1)} {what}."
