"""The links by which a television shows an encounter."""

from django.db.models import QuerySet
from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.models import Campaign, Screen
from campaigns.roles import RUN
from characters.change.announcements import announce
from characters.change.refusals import KeyReused, Refused
from characters.people import Person, hashed
from characters.tokens import token_for

MOST = 10


def make_screen(pk: int, person: Person, key: str, *, vitals: str) -> str:
    """The token of a new link, which is shown this once. The same key gives the same token."""
    with changing(pk, person, RUN, key=key) as member:
        campaign, token = member.campaign, token_for("screen", pk, key)
        screen = campaign.screens.filter(token=hashed(token)).first()
        if screen is None:
            if screens_of(campaign).count() >= MOST:
                raise Refused(f"There are {MOST} screens already. Delete one that nobody needs.")
            campaign.screens.create(token=hashed(token), vitals=vitals)
        elif screen.ended_at is not None:
            raise Refused("That screen was deleted. Make another.")
        elif screen.vitals != vitals:
            raise KeyReused
    return token


def change_screen(pk: int, person: Person, screen: int, *, vitals: str) -> None:
    with changing(pk, person, RUN) as member:
        found = row_of(screens_of(member.campaign), screen)
        Screen.objects.filter(pk=found.pk).update(vitals=vitals)
        announce("screen", found.pk)


def end_screen(pk: int, person: Person, screen: int) -> None:
    """End a screen's link: it shows nothing any more, and open pages get no more news. Repeating it changes nothing."""
    with changing(pk, person, RUN) as member:
        found = row_of(member.campaign.screens, screen)
        Screen.objects.filter(pk=found.pk, ended_at=None).update(ended_at=timezone.now())
        announce("screen", found.pk)


def screens_of(campaign: Campaign) -> QuerySet:
    """The screens of a campaign whose links work, the newest first."""
    return campaign.screens.filter(ended_at=None)
