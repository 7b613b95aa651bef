"""A campaign: begun, described, archived, put into the bin and restored; and nobody locks its storyteller out."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import memberships
from campaigns.models import Campaign, Member, Seat
from campaigns.verbs import campaigns, seats
from characters.access import role_of
from characters.change.refusals import KeyReused, Refused, TooMany
from characters.models import Character, Grant
from characters.verbs.bin import delete_binned, delete_if_binned
from tests.campaigns.seated import brought, sits
from tests.characters.cast import guest, mira, new_key, person
from tests.support.clock import later
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
CAMPAIGNS = "/campaigns/"


@pytest.fixture
def campaign():
    return campaigns.create(person(), new_key(), name="Saltmarsh", description="On Fridays.")


def posted(client, who, path, **fields):
    client.force_login(who.user)
    return client.post(path, {"key": new_key(), **fields})


def test_an_empty_list_invites_to_begin_a_table(client):
    page = client.get(CAMPAIGNS).content.decode()
    assert "No campaign yet" in page
    assert "/campaigns/begin/" in page
    assert "To lead one you need an account." in page
    client.force_login(person().user)
    assert "To lead one you need an account." not in client.get(CAMPAIGNS).content.decode()


def test_an_empty_table_links_its_storyteller_to_the_invites(client, campaign):
    client.force_login(person().user)
    page = client.get(campaign.get_absolute_url()).content.decode()
    assert f'<a href="/campaigns/{campaign.pk}/people/">Invite your players</a>' in page
    assert "You have no free character to bring." in page


def test_a_table_is_begun_by_a_form_and_listed(client):
    response = posted(client, person(), "/campaigns/begin/", name="Saltmarsh", description="On Fridays.")
    made = Campaign.objects.get()
    assert response.headers["Location"] == made.get_absolute_url()
    assert [(one.name, one.role) for one in made.members.all()] == [("ana", "storyteller")]
    for path in (CAMPAIGNS, made.get_absolute_url()):
        assert "Saltmarsh" in client.get(path).content.decode()


def test_nobody_begins_more_tables_than_they_may(campaign, monkeypatch):
    monkeypatch.setattr(campaigns, "MOST_LED", 1)
    with pytest.raises(TooMany):
        campaigns.create(person(), new_key(), name="One more")
    sits(campaign, person("bo"))  # a table that they only play at does not count
    assert campaigns.create(person("bo"), new_key(), name="First")


def test_a_form_sent_twice_begins_one_table():
    key = new_key()
    first = campaigns.create(person(), key, name="Saltmarsh")
    assert campaigns.create(person(), key, name="Saltmarsh") == first
    with pytest.raises(KeyReused):
        campaigns.create(person("bo"), key, name="Saltmarsh")
    assert Campaign.objects.count() == 1


def test_a_guest_cannot_begin_a_table(client):
    with pytest.raises(Refused):
        campaigns.create(guest(), new_key(), name="Saltmarsh")
    assert client.get("/campaigns/begin/").headers["Location"].startswith("/accounts/login/")
    lost = client.post("/campaigns/begin/", {"key": new_key(), "name": "Saltmarsh", "description": "On Fridays."})
    assert lost.status_code == 401
    assert "On Fridays." in lost.content.decode()
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b"])
def test_a_bad_name_is_refused_at_its_field(client, campaign, name):
    for path in ("/campaigns/begin/", f"{campaign.get_absolute_url()}settings/"):
        response = posted(client, person(), path, name=name)
        assert response.status_code == 422
        assert 'aria-invalid="true"' in response.content.decode()
    assert Campaign.objects.get().name == "Saltmarsh"


def test_a_table_is_renamed_and_described(client, campaign):
    posted(client, person(), f"{campaign.get_absolute_url()}settings/", name="Reef", description="<b>Saturdays</b>")
    page = client.get(campaign.get_absolute_url()).content.decode()
    assert "Reef" in page
    assert "&lt;b&gt;Saturdays" in page


def test_settings_saved_in_another_tab_are_not_replaced_unread(client, campaign):
    path = f"{campaign.get_absolute_url()}settings/"
    client.force_login(person().user)

    def saw_on(page):
        return re.search(r'name="saw" value="([^"]+)"', page.content.decode())[1]

    saw = saw_on(client.get(path))
    assert posted(client, person(), path, name="Reef", description="Saturdays", saw=saw).status_code == 303
    assert posted(client, person(), path, name="Reef", description="Saturdays", saw=saw).status_code == 303
    late = posted(client, person(), path, name="Saltmarsh", description="Fridays", saw=saw)
    assert late.status_code == 409
    assert "Fridays</textarea>" in late.content.decode()
    assert "<p>Saturdays</p>" in late.content.decode()
    assert Campaign.objects.get().name == "Reef"
    assert posted(client, person(), path, name="Cove", description="Fridays", saw=saw_on(late)).status_code == 303
    assert Campaign.objects.get().description == "Fridays"


def test_an_archived_table_can_still_be_read_and_taken_out_of_the_archive(client, campaign):
    posted(client, person(), f"{campaign.get_absolute_url()}archive/", over="yes")
    listed = client.get(CAMPAIGNS)
    assert [one["member"].campaign for one in listed.context["archived"]] == [campaign]
    page = html_of(client.get(campaign.get_absolute_url()))
    assert f'To take it out, open its <a href="{campaign.get_absolute_url()}settings/">settings</a>.' in page
    posted(client, person(), f"{campaign.get_absolute_url()}archive/")
    assert [one["member"].campaign for one in client.get(CAMPAIGNS).context["going_on"]] == [campaign]


def test_the_page_says_what_is_lost_before_a_table_is_deleted(client, campaign):
    """And it is so: a character that sat there stays with its player when the table is gone."""
    client.force_login(person().user)
    page = html_of(client.get(f"{campaign.get_absolute_url()}settings/"))
    for words in (
        "in the bin for 30 days",
        "gone for good, with its log, notes,",
        "Characters stay with their players.",
    ):
        assert words in page
    character = mira()
    seats.bring(campaign.pk, person(), character.pk)
    campaign.delete()
    assert not Seat.objects.exists()
    assert client.get(character.get_absolute_url()).status_code == 200


def test_only_its_storyteller_finds_a_table_in_the_bin(client, campaign):
    campaign.members.create(user=person("bo").user, name="bo", role="co-storyteller")
    posted(client, person(), f"{campaign.get_absolute_url()}bin/")
    page = client.get(CAMPAIGNS)
    assert page.context["binned"] == [campaign]
    assert "Kept for 30 days, then gone for good." in page.content.decode()
    assert client.get(campaign.get_absolute_url()).status_code == 404
    assert list(memberships(person("bo"))) == []
    with pytest.raises(Http404):
        campaigns.restore(campaign.pk, person("bo"))
    posted(client, person(), f"{campaign.get_absolute_url()}restore/")
    assert client.get(campaign.get_absolute_url()).status_code == 200
    assert len(memberships(person("bo"))) == 1


def test_a_table_in_the_bin_gives_nobody_a_role_until_it_is_restored(campaign):
    sits(campaign, person("bo"))
    character = brought(campaign)
    roles = [role_of(character, person())]
    for act in (campaigns.throw_away, campaigns.restore):
        act(campaign.pk, person())
        roles.append(role_of(character, person()))
    assert [role and role.name for role in roles] == ["storyteller", None, "storyteller"]


@pytest.mark.parametrize("role", ["co-storyteller", "player", "spectator"])
def test_only_the_storyteller_describes_archives_or_bins_a_table(campaign, role):
    campaign.members.create(user=person("bo").user, name="bo", role=role)
    for act in (
        lambda who: campaigns.describe(campaign.pk, who, name="Mine", description="", accounts_only=False),
        lambda who: campaigns.archive(campaign.pk, who, over=True),
        lambda who: campaigns.throw_away(campaign.pk, who),
    ):
        with pytest.raises(Http404):
            act(person("bo"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"gone_at": timezone.now()},
        {"role": "player", "gone_at": None, "guest": "a" * 64},
        {"name": ""},
    ],
    ids=["gone", "two persons", "nameless"],
)
def test_the_database_keeps_the_storyteller_at_the_table(campaign, wrong):
    with pytest.raises(IntegrityError):
        Member.objects.filter(campaign=campaign).update(**wrong)


def test_a_table_has_one_storyteller(campaign):
    with pytest.raises(IntegrityError):
        campaign.members.create(user=person("bo").user, name="bo", role="storyteller")


def test_after_thirty_days_in_the_bin_a_campaign_is_gone_and_its_characters_stay(campaign):
    character = mira(person())
    seats.bring(campaign.pk, person(), character.pk)
    kept, restored = (campaigns.create(person(), new_key(), name=name) for name in ("Kept", "Restored"))
    for one in (campaign, restored):
        campaigns.throw_away(one.pk, person())
    campaigns.restore(restored.pk, person())
    with later(days=29):
        assert delete_binned(Campaign) == 0
    Campaign.objects.filter(pk=campaign.pk).update(binned_at=timezone.now() - timedelta(days=31))
    call_command("nightly")
    assert set(Campaign.objects.all()) == {kept, restored}
    assert Character.objects.get(pk=character.pk).owner == person().user
    assert not Seat.objects.exists()
    assert not Grant.objects.exists()


def test_emptying_the_bin_keeps_a_table_that_was_restored_meanwhile(campaign):
    """The date is read again under the lock of the campaign."""
    Campaign.objects.filter(pk=campaign.pk).update(binned_at=timezone.now() - timedelta(days=31))
    since = timezone.now() - timedelta(days=30)
    campaigns.restore(campaign.pk, person())
    assert not delete_if_binned(Campaign, campaign.pk, since)
    assert Campaign.objects.exists()
