"""Every text typed at a table is cleaned before it is stored: no characters that cannot be stored or shown."""

from datetime import timedelta
from importlib import import_module

import pytest
from django import forms
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign, CampaignNote, Condition, Creature, Member, SessionDate, SessionMark
from campaigns.verbs import creatures, encounters, session_dates
from tests.campaigns.seated import invite, saltmarsh
from tests.characters.cast import new_key, person

pytestmark = pytest.mark.django_db
AT = timezone.localtime() + timedelta(days=3)
WOLF = {"vital": "11", "guard": "13", "dice": "", "rolls": "", "notes": "", "many": "1"}
# Each field that people type in: its model and column, the page, the other fields, and whether it has several lines.
FIELDS = {
    "a new campaign": (Campaign, "name", "/campaigns/begin/", {}, False),
    "its description": (Campaign, "description", "/campaigns/begin/", {"name": "Reeds"}, True),
    "the settings": (Campaign, "name", "settings/", {}, False),
    "a note": (CampaignNote, "text", "notes/write/", {"reader": "everyone"}, True),
    "a mark": (SessionMark, "name", "log/marks/", {}, False),
    "a place": (
        *(SessionDate, "place", "next-session/"),
        *({"date": f"{AT:%Y-%m-%d}", "time": f"{AT:%H:%M}", "minutes": "240"}, False),
    ),
    "a creature": (Creature, "name", "creatures/", WOLF, False),
    "its notes": (Creature, "notes", "creatures/", {**WOLF, "name": "Wolf"}, True),
    "its rolls": (Creature, "rolls", "creatures/", {**WOLF, "name": "Wolf"}, True),
}


@pytest.fixture
def campaign(client):
    made = saltmarsh()
    encounters.begin(made.pk, person(), new_key())
    client.force_login(person().user)
    return made


def send(client, campaign, name, text):
    _, column, path, more, _ = FIELDS[name]
    address = path if path.startswith("/") else f"{campaign.get_absolute_url()}{path}"
    return client.post(address, {"key": new_key(), **more, column: text})


def kept(name):
    model, column = FIELDS[name][:2]
    return set(model.objects.values_list(column, flat=True))


@pytest.mark.parametrize("name", FIELDS)
def test_a_text_with_control_characters_is_refused(client, campaign, name):
    before = kept(name)
    for bad in ("\x01", "\x1b", "\x7f", "\x9f", "\0"):
        answer = send(client, campaign, name, f"Bite{bad} 3D")
        assert answer.status_code == 422
        assert "It contains characters that this site cannot save." in answer.content.decode()
    assert kept(name) == before


@pytest.mark.parametrize("name", FIELDS)
def test_line_breaks_become_spaces_in_a_one_line_field_and_newlines_in_others(client, campaign, name):
    for word, end in (("Roar", "\r"), ("Claw", "\r\n"), ("Kick", "\n")):
        assert send(client, campaign, name, f"Bite 3D{end}\t{word} 4D ").status_code == 303
        assert (f"Bite 3D\n {word} 4D" if FIELDS[name][-1] else f"Bite 3D {word} 4D") in kept(name)


def test_a_guests_name_and_a_condition_stay_on_one_line(client, campaign):
    Client().post(f"/join/{invite(campaign)}/", {"key": new_key(), "name": "Mad\rFox"})
    assert Member.objects.filter(name="Mad Fox").exists()
    creature = {"name": "Wolf", "vital": 1, "guard": 1, "dice": "", "rolls": "", "notes": ""}
    creatures.create(campaign.pk, person(), new_key(), many=1, hidden=False, **creature)
    wolf = campaign.encounters.get().combatants.get(creature__name="Wolf")
    client.post(
        f"{campaign.get_absolute_url()}conditions/",
        {"key": new_key(), "combatant": wolf.pk, "condition": "Fast\rasleep"},
    )
    assert Condition.objects.get().name == "Fast asleep"


def test_a_text_that_is_too_long_is_refused_in_the_sites_own_words(client, campaign):
    answer = send(client, campaign, "a mark", "x" * 81)
    assert answer.status_code == 422
    assert "That is too long: at most 80 characters." in answer.content.decode()


def test_a_calendar_never_has_a_bare_carriage_return(campaign):
    """Not even in a name that was stored before names were cleaned."""
    date = SessionDate(campaign=campaign, pk=1, at=timezone.now(), minutes=60, changed_at=timezone.now())
    campaign.name, date.place = "Salt\rmarsh", "By the\r\nsea"
    text = session_dates.as_calendar(date).replace(b"\r\n", b"\n")
    assert b"\r" not in text
    assert b"SUMMARY:Salt marsh" in text
    assert b"LOCATION:By the sea" in text


def test_no_form_of_a_table_has_a_plain_text_field():
    """Django's own CharField would let through what the site's field refuses."""
    import_module("campaigns.urls")  # so that every view's forms are imported
    found = {
        f"{form.__module__}.{form.__name__}.{name}"
        for form in every_form()
        for name, field in form.base_fields.items()
        if type(field) is forms.CharField
    }
    assert found == set()


def every_form(among=forms.Form):
    for form in among.__subclasses__():
        if form.__module__.startswith("campaigns."):
            yield form
        yield from every_form(form)


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u2060", "\u00ad \u200d"])
def test_a_name_of_invisible_characters_is_refused(client, campaign, name):
    answer = client.post("/campaigns/begin/", {"key": new_key(), "name": name})
    assert answer.status_code == 422
    assert list(Campaign.objects.values_list("name", flat=True)) == ["Saltmarsh"]


def test_joiners_within_a_name_stay(client, campaign):
    client.post("/campaigns/begin/", {"key": new_key(), "name": "The \U0001f9d1\u200d\U0001f680 crew"})
    assert Campaign.objects.filter(name="The \U0001f9d1\u200d\U0001f680 crew").exists()
