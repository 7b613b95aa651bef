"""A character as a file: a download can be uploaded again; a bad file is refused with the place and a sentence."""

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from characters.models import Change, Character
from characters.read import character_file
from characters.samples import FOLDER, add_samples
from rules.zips import Zip, zipped
from tests.support.characters import SAMPLES, document, owned_by, sheet_of

pytestmark = pytest.mark.django_db
URL = "/characters/upload/"


def send(client, text="", *, file=None, key=None, **headers):
    data = {"key": key or uuid.uuid4().hex, "text": text}
    if file is not None:
        data["file"] = SimpleUploadedFile("character.json", file, "application/json")
    return client.post(URL, data, headers=headers)


@pytest.mark.parametrize("slug", SAMPLES)
def test_the_download_of_a_sample_equals_its_file(client, slug):
    add_samples()
    response = client.get(f"/samples/{slug}/download/")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"].startswith(f'attachment; filename="{slug}.json"')
    assert json.loads(response.content) == json.loads((FOLDER / f"{slug}.json").read_bytes())


@pytest.mark.parametrize(
    ("name", "plain", "full"),
    [
        ("Mira", "mira.json", "Mira.json"),
        ('a"b\\c/../d', "abcd.json", "a%22b%5Cc%2F..%2Fd.json"),
        ("Þórr 🎲", "orr.json", "%C3%9E%C3%B3rr%20%F0%9F%8E%B2.json"),
        ("", "character.json", "character.json"),
    ],
)
def test_the_file_name_of_a_download_is_safe(client, ana, name, plain, full):
    client.force_login(ana)
    response = client.get(f"{owned_by(ana, name=name).get_absolute_url()}download/")
    assert response.headers["Content-Disposition"] == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"


@pytest.mark.parametrize("way", ["text", "file"])
def test_an_uploaded_download_becomes_an_equal_new_character(client, ana, way):
    client.force_login(ana)
    data = client.get(f"{owned_by(ana, SAMPLES[1]).get_absolute_url()}download/").content
    response = send(client, data.decode()) if way == "text" else send(client, file=data)
    assert response.status_code == 303
    fresh = Character.objects.latest("pk")
    assert response.url == fresh.get_absolute_url()
    assert fresh.owner == ana
    assert client.get(f"{response.url}download/").content == data
    assert sheet_of(fresh)[2].problems == ()


def test_a_guest_can_upload_a_character(client):
    response = send(client, json.dumps(document()))
    assert response.status_code == 303
    assert client.get(response.url).status_code == 200


def test_the_same_form_twice_makes_one_character(client, ana):
    client.force_login(ana)
    key, text = uuid.uuid4().hex, json.dumps(document())
    first, second = send(client, text, key=key), send(client, text, key=key)
    assert first.url == second.url
    assert Character.objects.count() == 1
    other = send(client, json.dumps(document(name="Another")), key=key)
    assert other.status_code == 422
    assert Character.objects.count() == 1


BAD = {
    "nothing": ("", ""),
    "no JSON": ("once upon a time", ""),
    "cut short": ('{"format": "polyhedral-character/1",', ""),
    "a list": ("[]", ""),
    "a number": ("7", ""),
    "another format": (json.dumps(document(format="polyhedral-character/9")), "format"),
    "a key too many": (json.dumps(document(strength=20)), "strength"),
    "a key twice": ('{"format": "polyhedral-character/1", "name": "A", "name": "B"}', "name"),
    "NaN": (json.dumps(document(xp=float("nan"))), ""),
    "infinity": (json.dumps(document(xp=float("inf"))), ""),
    "a huge number": (json.dumps(document(xp=2**70)), "xp"),
    "a fraction": (json.dumps(document(xp=0.5)), "xp"),
    "a number as a name": (json.dumps(document(name=7)), "name"),
    "a long name": (json.dumps(document(name="a" * 5000)), "name"),
    "NUL": (json.dumps(document(name="a\0b")), "name"),
    "half a surrogate": (json.dumps(document(name="a\ud800b")), "name"),
    "an unknown lineage": (json.dumps(document(origin={"lineage": "ogre"})), "origin.lineage"),
    "an unknown hand": (json.dumps(document(inventory=[{"item": "dagger", "state": "third hand"}])), "inventory[0]"),
    "two in one hand": (json.dumps(document(inventory=[{"item": "dagger", "state": "main"}] * 2)), "inventory[1]"),
    "deep": ("[" * 2000 + "]" * 2000, ""),
    "deep inside": ('{"format": ' + '{"a":' * 2000 + "1" + "}" * 2001, ""),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("way", ["text", "file"])
def test_a_bad_file_is_refused_with_the_place_of_its_fault(client, ana, what, way):
    text, path = BAD[what]
    client.force_login(ana)
    response = send(client, text) if way == "text" else send(client, file=text.encode())
    page = response.content.decode()
    assert response.status_code == 422
    assert 'role="alert"' in page
    assert path in page
    assert not Character.objects.exists()
    assert not Change.objects.exists()


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b"\x80abc", b"\x00" * 100, bytes(range(256))])
def test_bytes_that_are_no_text_are_refused(client, ana, data):
    client.force_login(ana)
    assert send(client, file=data).status_code == 422
    assert not Character.objects.exists()


def test_the_zip_of_a_table_is_refused_with_what_to_do(client, ana):
    client.force_login(ana)
    response = send(client, file=zipped([("mira.json", "{}")]))
    assert response.status_code == 422
    assert "This is a zip. Unpack it, and choose the file of one character." in response.content.decode()


def test_the_pasted_text_is_still_there_after_a_refusal(client, ana):
    client.force_login(ana)
    assert "once upon a time" in send(client, "once upon a time").content.decode()


def test_a_file_together_with_pasted_text_is_refused(client, ana):
    client.force_login(ana)
    data = json.dumps(document())
    response = send(client, data, file=data.encode())
    assert response.status_code == 422
    assert "not both" in response.content.decode()
    assert not Character.objects.exists()


@pytest.mark.parametrize("key", ["", "short", "x" * 65])
def test_a_form_without_its_key_is_refused(client, ana, key):
    client.force_login(ana)
    response = client.post(URL, {"text": json.dumps(document()), "key": key})
    assert response.status_code == 422
    assert "Reload the page" in response.content.decode()
    assert not Character.objects.exists()


def test_more_than_a_megabyte_is_refused_with_a_sentence(client, ana):
    client.force_login(ana)
    for response in (send(client, "x" * 1_000_001), send(client, file=b"x" * 5_000_000)):
        assert response.status_code == 413
        assert "the limit is 1 MB" in response.content.decode()


def test_the_upload_page_is_open_to_all_and_refuses_put(client):
    assert client.get(reverse("characters:upload")).status_code == 200
    assert client.put(URL).status_code == 405


def test_an_empty_list_and_a_filled_one_link_to_the_upload_page(client, ana):
    client.force_login(ana)
    for names in ([], ["Nell"]):
        for name in names:
            owned_by(ana, name=name)
        page = client.get(reverse("characters:list"))
        assert [card["character"].name for card in page.context["cards"]] == names
        assert f'href="{URL}">Upload a character file</a>' in page.text


def test_all_of_ones_characters_are_one_download(client, django_user_model, monkeypatch):
    """Read two at a time; those of others and those in the bin are left out."""
    monkeypatch.setattr(character_file, "AT_ONCE", 2)
    ana, bo = (django_user_model.objects.create_user(name) for name in ("ana", "bo"))
    mine = [owned_by(ana, name=name) for name in ("", "Ada", "Bea")]
    binned = owned_by(ana, name="Dora")
    Character.objects.filter(pk=binned.pk).update(binned_at=binned.created_at)
    owned_by(bo, name="Eve")
    client.force_login(ana)
    assert 'href="/characters/download/"' in client.get("/characters/").content.decode()
    answer = client.get("/characters/download/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="characters.zip"'
    found = Zip(answer.content)
    assert [one.filename for one in found.entries] == ["01-character.json", "02-ada.json", "03-bea.json"]
    singles = [client.get(f"/characters/{one.pk}/download/").content for one in mine]
    assert found.read(found.entries, most=10**6) == singles


def test_nobody_without_characters_is_offered_a_download(client):
    assert "/characters/download/" not in client.get("/characters/").content.decode()
    assert client.get("/characters/download/").status_code == 404
