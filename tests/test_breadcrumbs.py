"""Every page below a table or a character leads up: to the list, and to the page of the table or the sheet."""

import re

import pytest
from django.urls import reverse

from campaigns import urls as campaign_urls
from campaigns.verbs import seats
from characters import urls as character_urls
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import first_level, person
from tests.support.html import html_of
from tests.support.visitors import named_urls

pytestmark = pytest.mark.django_db

OWN_WAY = {"campaign", "sheet", "glance"}  # those that the others lead up to, and the numbers to be read from afar


def names_of(urls, argument):
    """The names of the addresses that need this argument and no other."""
    found = named_urls(urls.urlpatterns)
    return [name for name, arguments in found if arguments == (argument,) and name not in OWN_WAY]


def crumbs_of(client, url):
    """The addresses in the page's breadcrumbs, from the top; None if the address shows no page."""
    answer = client.get(url)
    if answer.status_code != 200 or b"<!doctype html>" not in answer.content[:40]:
        return None
    found = re.search(r'<nav class="breadcrumbs".*?</nav>', html_of(answer), re.DOTALL)
    return re.findall(r'href="([^"]*)"', found[0]) if found else []


@pytest.fixture
def made():
    """Ana leads a table; Bo plays a character there."""
    campaign = saltmarsh()
    sits(campaign, person("bo"), name="bo")
    character = first_level(person("bo"))
    seats.bring(campaign.pk, person("bo"), character.pk)
    return campaign, character


def test_each_page_of_a_table_leads_to_it(made, client):
    campaign, _ = made
    client.force_login(person("ana").user)
    urls = [reverse(f"campaigns:{name}", args=[campaign.pk]) for name in names_of(campaign_urls, "campaign")]
    found = {url: crumbs for url in urls if (crumbs := crumbs_of(client, url)) is not None}
    assert len(found) > 12
    above = [reverse("campaigns:list"), campaign.get_absolute_url()]
    assert {url: crumbs for url, crumbs in found.items() if crumbs[:2] != above} == {}


@pytest.mark.parametrize(("name", "lists"), [("bo", ["/characters/"]), ("ana", [])])
def test_each_page_of_a_character_leads_to_its_sheet(made, client, name, lists):
    """The owner's list is above it for the owner alone: the storyteller's own list has no such character."""
    _, character = made
    client.force_login(person(name).user)
    urls = [reverse(f"characters:{name}", args=[character.pk]) for name in names_of(character_urls, "pk")]
    found = {url: crumbs for url in urls if (crumbs := crumbs_of(client, url)) is not None}
    assert len(found) > 8
    above = [*lists, character.get_absolute_url()]
    assert {url: crumbs for url, crumbs in found.items() if crumbs[: len(above)] != above} == {}


def test_the_way_up_from_a_page_between_passes_it(made, client):
    _, character = made
    client.force_login(person("bo").user)
    url = reverse("characters:plan", args=[character.pk])
    assert crumbs_of(client, url) == [
        "/characters/",
        character.get_absolute_url(),
        reverse("characters:levels", args=[character.pk]),
    ]
