"""The picture of a table: an emblem, an upload that is written anew, or initials; shown to members and the invited."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import DataError, IntegrityError, transaction
from django.http import Http404
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.verbs import campaigns, membership
from characters.change.portraits import NOT_A_PICTURE, portrait
from characters.change.refusals import Refused
from characters.models import Character, Picture
from characters.verbs.face import keep_picture
from tests.campaigns.seated import invite, saltmarsh
from tests.characters.cast import mira, new_key, person
from tests.support.html import html_of
from tests.support.pictures import drawing, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(client):
    """Ana leads and is signed in; Bo plays, Eve helps."""
    made = saltmarsh(bo="player", eve="co-storyteller")
    client.force_login(person().user)
    return made


def upload(client, campaign, data, **more):
    picture = SimpleUploadedFile("us.jpg", data, "image/jpeg")
    return client.post(f"{campaign.get_absolute_url()}face/", {"picture": picture, "key": new_key(), **more})


def face_of(campaign):
    return Campaign.objects.get(pk=campaign.pk).face


def digest_of(campaign):
    return face_of(campaign).removeprefix("picture:")


def old():
    Picture.objects.update(made_at=timezone.now() - timedelta(days=2))


def test_initials_are_shown_until_a_picture_is_chosen(client, campaign):
    for path in (campaign.get_absolute_url(), "/campaigns/", f"/join/{invite(campaign)}/"):
        page = html_of((Client() if "join" in path else client).get(path))
        assert '<span class="face face-letters" aria-hidden="true">S</span>' in page, path


def test_an_emblem_is_chosen_and_shown_everywhere(client, campaign):
    answer = client.post(f"{campaign.get_absolute_url()}face/", {"face": "wave", "key": new_key()})
    assert answer.status_code == 303
    assert face_of(campaign) == "drawn:wave"
    for path in (campaign.get_absolute_url(), "/campaigns/", f"/join/{invite(campaign)}/"):
        assert "#wave" in html_of((Client() if "join" in path else client).get(path)), path
    assert 'aria-pressed="true"' in html_of(client.get(f"{campaign.get_absolute_url()}face/"))
    client.post(f"{campaign.get_absolute_url()}face/", {"face": "", "key": new_key()})
    assert face_of(campaign) == ""


def test_an_upload_is_written_anew_and_served_to_members_only(client, campaign):
    exif = opened(drawing()).getexif()
    exif[0x010E] = "CANARY place"
    data = drawing(exif=exif)
    assert b"CANARY" in data
    assert upload(client, campaign, data).status_code == 303
    url = f"{campaign.get_absolute_url()}face/{digest_of(campaign)}.webp"
    for path in (campaign.get_absolute_url(), "/campaigns/"):
        assert url in html_of(client.get(path)), path
    for name, status in {"ana": 200, "bo": 200, "eve": 200, "stranger": 404}.items():
        client.force_login(person(name).user)
        answer = client.get(url)
        assert answer.status_code == status, name
    assert Client().get(url).status_code == 404
    client.force_login(person("bo").user)
    answer = client.get(url)
    assert (answer["Content-Type"], answer["Cache-Control"].startswith("private")) == ("image/webp", True)
    assert opened(answer.content).format == "WEBP"
    assert b"CANARY" not in answer.content
    membership.leave(campaign.pk, person("bo"))
    assert client.get(url).status_code == 404


def test_an_invite_shows_the_picture_as_long_as_it_works(client, campaign):
    upload(client, campaign, drawing())
    token = invite(campaign)
    url = f"/join/{token}/face/{digest_of(campaign)}.webp"
    assert url in html_of(Client().get(f"/join/{token}/"))
    assert Client().get(url).status_code == 200
    other = saltmarsh("cid")
    stranger = membership.make_invite(other.pk, person("cid"), new_key(), role="player", most=1, days=1)
    assert Client().get(f"/join/{stranger}/face/{digest_of(campaign)}.webp").status_code == 404
    membership.revoke_invite(campaign.pk, person(), campaign.invites.first().pk)
    assert Client().get(url).status_code == 404
    assert url not in html_of(Client().get(f"/join/{token}/"))


def test_no_picture_of_another_table_is_served(client, campaign):
    upload(client, campaign, drawing())
    other = saltmarsh()
    assert client.get(f"{other.get_absolute_url()}face/{digest_of(campaign)}.webp").status_code == 404


@pytest.mark.parametrize("name", ["bo", "eve", "stranger"])
def test_only_the_storyteller_chooses_the_picture(client, campaign, name):
    client.force_login(person(name).user)
    assert client.get(f"{campaign.get_absolute_url()}face/").status_code == 404
    assert upload(client, campaign, drawing()).status_code == 404
    assert client.post(f"{campaign.get_absolute_url()}face/", {"face": "wave", "key": new_key()}).status_code == 404
    for verb, what in ((campaigns.set_face, {"face": "wave"}), (campaigns.set_picture, {"picture": b"x"})):
        with pytest.raises(Http404):
            verb(campaign.pk, person(name), **what)
    assert (face_of(campaign), Picture.objects.count()) == ("", 0)


@pytest.mark.parametrize("data", [b"no picture", b"", b"<svg onload=alert(1)>", drawing()[:40]])
def test_a_bad_file_is_refused_at_its_field(client, campaign, data):
    answer = upload(client, campaign, data)
    assert answer.status_code == 422
    assert "field-error" in html_of(answer)
    assert (NOT_A_PICTURE in html_of(answer)) == bool(data)
    assert (face_of(campaign), Picture.objects.count()) == ("", 0)


@pytest.mark.parametrize("face", ["nobody", "hooded", "picture:" + "0" * 64, "wave\0", "x" * 500])
def test_only_an_emblem_that_is_offered_is_accepted(client, campaign, face):
    answer = client.post(f"{campaign.get_absolute_url()}face/", {"face": face, "key": new_key()})
    assert answer.status_code == 422
    assert "There is no such emblem." in html_of(answer)
    assert face_of(campaign) == ""
    with pytest.raises(Refused):
        campaigns.set_face(campaign.pk, person(), face=face)


def test_a_form_without_a_key_is_refused(client, campaign):
    assert upload(client, campaign, drawing(), key="").status_code == 422
    assert face_of(campaign) == ""


def pictures():
    return list(Picture.objects.values_list("digest", flat=True))


BLUE, GREEN = (30, 30, 200), (30, 200, 30)


def test_only_a_tables_current_picture_is_stored(client, campaign):
    for color in (BLUE, GREEN, BLUE):
        for _ in range(2):
            assert upload(client, campaign, drawing(color=color)).status_code == 303
            assert pictures() == [digest_of(campaign)]
            assert client.get(f"{campaign.get_absolute_url()}face/{digest_of(campaign)}.webp").status_code == 200
    campaigns.set_face(campaign.pk, person(), face="wave")
    assert pictures() == []


def test_the_same_picture_stays_for_a_character_and_another_table(client, campaign):
    mine, other = mira(state=None), saltmarsh()
    for one in (mine, other, campaign):
        assert upload(client, one, drawing()).status_code == 303
    upload(client, campaign, drawing(color=BLUE))
    for one in (Character.objects.get(pk=mine.pk), Campaign.objects.get(pk=other.pk)):
        picture = one.face.removeprefix("picture:")
        assert client.get(f"{one.get_absolute_url()}face/{picture}.webp").status_code == 200
    assert Picture.objects.count() == 3


def test_a_picture_from_before_tables_had_their_own_stays_until_the_night(client, campaign):
    face = keep_picture(portrait(drawing()))
    Campaign.objects.filter(pk=campaign.pk).update(face=face)
    upload(client, campaign, drawing(color=BLUE))
    assert Picture.objects.count() == 2
    old()
    call_command("nightly")
    assert pictures() == [digest_of(campaign)]


def test_the_nightly_run_keeps_the_picture_of_a_table_in_the_bin(client, campaign):
    upload(client, campaign, drawing())
    first = digest_of(campaign)
    campaigns.throw_away(campaign.pk, person())
    old()
    call_command("nightly")
    assert Picture.objects.filter(digest=first).exists()
    campaigns.restore(campaign.pk, person())
    assert client.get(f"{campaign.get_absolute_url()}face/{first}.webp").status_code == 200


def test_the_database_refuses_a_face_that_is_too_long(campaign):
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(face="x" * 81)
