"""Before any rules are loaded a table has no game, and its pages that need one are not there."""

import pytest
from django.test import Client

from campaigns.models import Encounter
from tests.campaigns.seated import invite, saltmarsh
from tests.characters.cast import new_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_rules")]


@pytest.fixture
def campaign(client):
    made = saltmarsh()
    Encounter.objects.create(campaign=made, key=new_key())
    client.force_login(made.members.get().user)
    return made


@pytest.mark.parametrize("path", ["", "encounter/", "creatures/", "relationships/", "rules/", "terms/", "print/"])
def test_a_page_that_needs_a_game_is_not_found(client, campaign, path):
    assert client.get(f"{campaign.get_absolute_url()}{path}").status_code == 404
    assert client.get("/campaigns/").status_code == 200


def test_the_page_of_an_invite_is_not_found(campaign):
    assert Client().get(f"/join/{invite(campaign)}/").status_code == 404


def test_a_form_that_needs_a_game_keeps_what_was_typed(client, campaign):
    sent = {"key": new_key(), "name": "Wolf", "notes": "Flees when alone.", "many": "1"}
    answer = client.post(f"{campaign.get_absolute_url()}creatures/", sent)
    assert answer.status_code == 404
    assert "Flees when alone." in answer.content.decode()
