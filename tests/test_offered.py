"""No page of a table offers its reader a form or a link that the matrix of rights refuses them
(tests/support/matrix.py)."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve
from django.utils import timezone

from campaigns.models import Campaign, Encounter
from campaigns.verbs import session_dates
from campaigns.verbs.campaign_notes import write
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.characters import owned_by
from tests.support.matrix import MATRIX, ROLES
from tests.support.visitors import url_of, visit

pytestmark = [pytest.mark.django_db, pytest.mark.full]

AT_THE_TABLE = ("owner", "storyteller", "party", "spectator")
PAGES = [name for name, line in MATRIX.items() if name.startswith("campaigns:") and line.method == "get"]
OFFERED = re.compile(r'\s(?:href|action|formaction|hx-get|hx-post|data-from)="(/[^"]*)"')


@pytest.fixture(scope="module")
def table(shared, visitors, arguments):
    """The campaign, with characters, a note and a date, so that each reader's pages have rows."""

    def planted():
        campaign, lead = Campaign.objects.get(pk=arguments["campaign"]), Person(visitors["owner"])
        for role in ("party", "storyteller"):
            member = campaign.members.get(user=visitors[role])
            campaign.seats.create(character=owned_by(visitors["owner"]), member=member)
        write(campaign.pk, lead, new_key(), text="High water at noon.", reader="everyone")
        session_dates.schedule(campaign.pk, lead, at=timezone.now() + timedelta(days=3), minutes=240, place="")
        return campaign

    return shared(planted)


def offers(sessions, arguments, names):
    """(page, role, name of an address) of each form and link on these pages."""
    for name in names:
        line = MATRIX[name]
        for role in (one for one in AT_THE_TABLE if line.statuses[ROLES.index(one)] == 200):
            answer = visit(sessions[role], role, url_of(name, {**arguments, **line.where}, role), line)
            for address in set(OFFERED.findall(answer.getvalue().decode(errors="replace"))):  # a download is no text
                try:
                    yield name, role, resolve(urlsplit(address).path).view_name
                except Resolver404:
                    continue  # a static file


def refused(role, name):
    """True if the matrix refuses this role an address that it does not refuse the storyteller."""
    statuses = MATRIX[name].statuses
    return statuses[ROLES.index(role)] == 404 != statuses[ROLES.index("owner")]


def test_no_page_offers_what_its_reader_may_not_do(sessions, arguments, table):
    found = set(offers(sessions, arguments, PAGES))
    assert len(found) > 300
    assert [one for one in sorted(found) if refused(*one[1:])] == []


def test_nor_does_it_in_the_archive_after_the_encounter(sessions, arguments, table):
    Encounter.objects.update(ended_at=timezone.now())
    Campaign.objects.update(archived_at=timezone.now())
    found = set(offers(sessions, arguments, ["campaigns:campaign", "campaigns:encounter"]))
    assert ("campaigns:encounter", "owner", "campaigns:resume-encounter") in found
    assert [one for one in sorted(found) if refused(*one[1:])] == []
