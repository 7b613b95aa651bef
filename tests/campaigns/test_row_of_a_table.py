"""A row of a table by its id, or a 404; an id that no database can hold takes no query."""

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from campaigns.campaign_access import row_of
from campaigns.models import Member
from tests.campaigns.seated import saltmarsh

pytestmark = pytest.mark.django_db


def test_the_row_is_found():
    ana = saltmarsh().members.get()
    assert row_of(Member.objects, ana.pk) == ana


@pytest.mark.parametrize("pk", [0, -1, 2**62, 2**63 - 1, 2**63, 2**64, 10**40, -(2**63) - 1])
def test_any_other_id_is_a_404(pk):
    saltmarsh()
    with pytest.raises(Http404), CaptureQueriesContext(connection) as captured:
        row_of(Member.objects, pk)
    assert len(captured) == (-(2**63) <= pk < 2**63)


@pytest.mark.parametrize("part", ["notes/{}/", "creatures/{}/", "people/{}/remove/", "invites/{}/revoke/"])
def test_an_id_too_large_for_a_database_is_a_404_on_pages(client, part):
    campaign = saltmarsh()
    client.force_login(campaign.members.get().user)
    assert client.post(f"{campaign.get_absolute_url()}{part.format(10**30)}").status_code == 404
    assert client.get(f"{campaign.get_absolute_url()}seats/{10**30}/").status_code == 404


@pytest.mark.parametrize("part", ["news/seen/", "notes/seen/", "leave/"])
def test_a_table_with_an_id_too_large_for_a_database_is_a_404(client, part):
    client.force_login(saltmarsh().members.get().user)
    assert client.post(f"/campaigns/{10**30}/{part}", {"newest": "1"}).status_code == 404
