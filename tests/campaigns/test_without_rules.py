"""Before any rules are loaded there is no game, so nobody can begin a table."""

import pytest

from campaigns.models import Campaign
from tests.characters.cast import new_key, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_rules")]


def test_no_table_begins_and_the_form_keeps_what_was_typed(client):
    client.force_login(person().user)
    assert client.get("/campaigns/begin/").status_code == 200
    answer = client.post("/campaigns/begin/", {"key": new_key(), "name": "Saltmarsh", "description": "On Fridays."})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "No rules are loaded here yet." in text
    assert "On Fridays." in text
    assert not Campaign.objects.exists()
