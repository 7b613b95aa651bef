"""All characters of a table in one download, and back as seats that wait for players; and everyone on paper."""

import json
import zipfile
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Seat
from campaigns.verbs import party_file, seats, table_rules
from campaigns.verbs.party_file import bring_back
from characters.change import limits
from characters.change.refusals import KeyReused, Refused, TooMany
from characters.models import Change, Character
from characters.read.character_file import packed, write_file
from tests.campaigns.seated import brought, saltmarsh
from tests.characters.cast import document, facts, new_key, person
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def campaign():
    """Ana leads, Bo and Cid play, Dan watches."""
    return saltmarsh(bo="player", cid="player", dan="spectator")


def zipped(**files):
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name.replace("_json", ".json"), text)
    return written.getvalue()


def of_mira(**changes):
    return json.dumps(document(**changes))


def posted(client, campaign, data, who="ana", **fields):
    client.force_login(person(who).user)
    file = SimpleUploadedFile("party.zip", data)
    return client.post(f"{campaign.get_absolute_url()}files/", {"key": new_key(), "file": file, **fields})


def test_a_download_holds_the_file_of_each(client, campaign):
    first, second = brought(campaign), brought(campaign, "cid", "Quill of the =Hills/..")
    play.add_note(first.pk, person("bo"), new_key(), text="Of the lighthouse")
    client.force_login(person().user)
    answer = client.get(f"{campaign.get_absolute_url()}characters.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="saltmarsh-characters.zip"'
    with zipfile.ZipFile(BytesIO(answer.content)) as found:
        assert found.namelist() == ["01-mira.json", "02-quill-of-the-hills.json"]
        assert found.read("01-mira.json").decode() == write_file(Character.objects.get(pk=first.pk))
        assert found.read("02-quill-of-the-hills.json").decode() == write_file(Character.objects.get(pk=second.pk))


def test_uploading_a_download_brings_back_the_same_characters(client, campaign):
    brought(campaign)
    brought(campaign, "cid", "Quill")
    characters = list(Character.objects.select_related("ruleset").order_by("name"))
    data = packed(characters)
    other = saltmarsh()
    answer = posted(client, other, data)
    assert answer.status_code == 303
    made = [seat.character for seat in other.seats.order_by("pk")]
    assert [one.owner for one in made] == [person().user] * 2
    assert all(seat.member is None for seat in other.seats.all())
    assert (
        packed(Character.objects.select_related("ruleset").filter(pk__in=[one.pk for one in made]).order_by("name"))
        == data
    )
    page = client.get(other.get_absolute_url()).content.decode()
    assert "Made and waiting for players: Mira and Quill." in page


def test_the_same_form_makes_the_characters_once(campaign):
    key, data = new_key(), zipped(a_json=of_mira(), b_json=of_mira(name="Quill"))
    assert bring_back(campaign.pk, person(), key, data) == bring_back(campaign.pk, person(), key, data)
    assert campaign.seats.count() == 2
    seats.stand_up(campaign.pk, person(), campaign.seats.first().pk)
    seats.stand_up(campaign.pk, person(), campaign.seats.first().pk)
    with pytest.raises(KeyReused):
        bring_back(campaign.pk, person(), key, data)


def test_a_bad_file_is_named_and_no_character_is_made(client, campaign):
    answer = posted(client, campaign, zipped(a_json=of_mira(), b_json=of_mira(job="no-such-job"), c_json="{"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "b.json" in page
    assert "c.json" in page
    assert "a.json" not in page
    assert "id_file_error" in page
    assert not Character.objects.exists()


def test_an_upload_that_fails_halfway_leaves_nothing(campaign, monkeypatch):
    monkeypatch.setattr(limits, "OF_AN_ACCOUNT", 2)
    with pytest.raises(TooMany):
        bring_back(campaign.pk, person(), new_key(), zipped(a_json=of_mira(), b_json=of_mira(), c_json=of_mira()))
    assert not Character.objects.exists()
    assert not Change.objects.exists()


def bomb():
    return zipped(**{f"{at}_json": " " * 999_999 for at in range(9)})


def encrypted():
    data = bytearray(zipped(a_json=of_mira()))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    return bytes(data)


def broken():
    data = bytearray(zipped(a_json=of_mira()))
    data[60:90] = b"\xff" * 30
    return bytes(data)


BAD = {
    "nothing": lambda: b"",
    "no zip": lambda: b"PK\x03\x04 and so on",
    "text": lambda: of_mira().encode(),
    "none in it": lambda: zipped(readme="hello"),
    "only hidden ones": lambda: zipped(**{"__MACOSX/._mira_json": "x"}),
    "too many": lambda: zipped(**{f"{at}_json": "{}" for at in range(61)}),
    "a bomb": bomb,
    "encrypted": encrypted,
    "broken": broken,
    "one that is very large": lambda: zipped(a_json=" " * 1_000_001),
    "more than the page takes": lambda: b"x" * 1_000_001,
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_no_download_is_refused_at_its_field(client, campaign, what):
    answer = posted(client, campaign, BAD[what]())
    assert answer.status_code in (413, 422)
    assert answer.status_code == 413 or "id_file_error" in answer.content.decode()
    assert not Character.objects.exists()


def test_without_a_file_or_key_nothing_is_made(client, campaign):
    assert posted(client, campaign, zipped(a_json=of_mira()), key="").status_code == 422
    client.force_login(person().user)
    assert client.post(f"{campaign.get_absolute_url()}files/", {"key": new_key()}).status_code == 422
    assert not Character.objects.exists()


def test_an_upload_past_the_limit_of_seats_is_refused(campaign, monkeypatch):
    brought(campaign)
    monkeypatch.setattr(party_file, "MOST_SEATS", 2)
    with pytest.raises(Refused, match="there is room for 1 more"):
        bring_back(campaign.pk, person(), new_key(), zipped(a_json=of_mira(), b_json=of_mira()))
    assert Seat.objects.count() == 1
    bring_back(campaign.pk, person(), new_key(), zipped(a_json=of_mira()))
    assert Seat.objects.count() == 2


def test_an_upload_that_unpacks_to_more_than_the_limit_is_refused(campaign, monkeypatch):
    monkeypatch.setattr(party_file, "MOST_BYTES", len(of_mira()) + 1)
    with pytest.raises(Refused, match="more than this site takes at once"):
        bring_back(campaign.pk, person(), new_key(), zipped(a_json=of_mira(), b_json=of_mira()))


def test_players_and_strangers_can_neither_download_nor_upload(client, campaign):
    brought(campaign)
    for name in ("bo", "dan", "stranger"):
        assert posted(client, campaign, zipped(a_json=of_mira()), who=name).status_code == 404
        assert client.get(f"{campaign.get_absolute_url()}characters.zip").status_code == 404
    assert campaign.seats.count() == 1


def test_the_print_page_shows_everyone_and_nothing_private(client, campaign):
    character = brought(campaign)
    brought(campaign, "cid", "Quill")
    play.add_note(character.pk, person("bo"), new_key(), text="Canary-note")
    for name in ("ana", "bo", "cid", "dan"):
        client.force_login(person(name).user)
        page = client.get(f"{campaign.get_absolute_url()}print/").content.decode()
        assert "Canary-note" not in page
        for words in ("Mira", "Quill", "Played by Bo", "Athletics", "Defense"):
            assert words in page, name


@pytest.mark.parametrize("path", ["print/", "characters.zip"])
def test_many_characters_take_as_many_queries_as_few(client, campaign, path):
    def queries():
        client.get(f"{campaign.get_absolute_url()}{path}")
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"{campaign.get_absolute_url()}{path}").status_code == 200
        return len(captured)

    client.force_login(person().user)
    for at in range(2):
        brought(campaign, called=f"Mira {at}")
    few = queries()
    for at in range(6):
        brought(campaign, called=f"More {at}")
    assert queries() == few


def test_uploaded_characters_follow_the_tables_house_rules(campaign):
    table_rules.decide(campaign.pk, person(), new_key(), switches={"trackAmmunition": "off"}, sources=())
    (seat,) = bring_back(campaign.pk, person(), new_key(), zipped(a_json=of_mira(house_rules=None)))
    assert facts(seat.character)["switch:trackAmmunition"] == "off"


def test_the_same_form_with_another_file_is_refused(campaign):
    key = new_key()
    bring_back(campaign.pk, person(), key, zipped(a_json=of_mira()))
    with pytest.raises(KeyReused):
        bring_back(campaign.pk, person(), key, zipped(a_json=of_mira(name="Quill")))
    assert campaign.seats.count() == 1


def test_after_a_bad_file_no_more_is_read_than_a_single_file_may_hold(campaign, monkeypatch):
    """A zip of 60 KB may hold five megabytes, which would take minutes to read."""
    data = zipped(a_json=of_mira(xp="much"), b_json=of_mira(xp="more"), c_json=of_mira(xp="most"))
    for largest, told in (
        (10_000_000, ["a.json", "b.json", "c.json"]),
        (2 * len(of_mira(xp="much")), ["a.json", "b.json"]),
    ):
        monkeypatch.setattr(party_file, "LARGEST_FILE", largest)
        with pytest.raises(party_file.BadParty) as refused:
            bring_back(campaign.pk, person(), new_key(), data)
        assert [name for name, _ in refused.value.faults] == told
