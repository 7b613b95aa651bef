import uuid

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from characters.models import Character
from characters.read.faces import ALL
from characters.samples import FOLDER, SAMPLES
from tests.characters.builder.conftest import envoy_of
from tests.support.html import html_of


@pytest.fixture
def envoy(client, db):
    """Made anew for each test, because tests here count the characters."""
    return envoy_of(client)


def post(client, url, /, *args, **fields):
    return client.post(reverse(f"characters:{url}", args=args), {"key": uuid.uuid4().hex, **fields})


def shelf(client):
    return client.get(reverse("characters:list"))


def test_an_empty_shelf_says_that_nobody_is_here_yet(client, db):
    response = shelf(client)
    assert response.status_code == 200
    assert b"Nobody here yet" in response.content


def test_a_card_counts_the_open_choices(envoy, client):
    steps = envoy.get("review").context["steps"]
    card = shelf(client).context["cards"][0]
    assert card["words"] == "Dwarf, Human culture, Ambassador, Fighter"
    assert card["open"] == sum(step["needed"] - step["chosen"] for step in steps) > 10
    assert f"Incomplete: {card['open']} open" in shelf(client).content.decode()


def test_a_card_says_health_and_when_it_was_last_played(client, db):
    post(client, "surprise")
    character = Character.objects.get(sample="")
    page = html_of(shelf(client))
    assert "Not played yet" in page
    health = shelf(client).context["cards"][0]["vital"]
    assert f'Health <span class="number">{health.max} of {health.max}</span>' in page
    assert post(client, "play-take-damage", character.pk, amount=1).status_code == 303
    page = html_of(shelf(client))
    assert f"{health.max - 1} of {health.max}" in page
    played = Character.objects.get(sample="").changed_at
    assert f"Last played {date_format(timezone.localtime(played), 'j F Y')}" in page


def test_a_card_says_states_and_conditions(client, db):
    post(client, "surprise")
    character = Character.objects.get(sample="")
    assert ">Dead<" not in html_of(shelf(client))
    post(client, "play-add-condition", character.pk, condition="condition:poisoned")
    post(client, "play-take-damage", character.pk, amount=500)
    page = html_of(shelf(client))
    assert '<li class="tag">Dead</li>' in page
    assert '<li class="tag">Poisoned</li>' in page


def test_more_characters_take_no_more_queries(envoy, client):
    def asked():
        shelf(client)
        with CaptureQueriesContext(connection) as queries:
            shelf(client)
        return len(queries)

    before = asked()
    for _ in range(3):
        post(client, "copy", envoy.pk)
    assert asked() == before


def test_building_does_not_count_as_playing(envoy, client):
    assert shelf(client).context["cards"][0]["played_at"] is None


def test_the_menu_stays_open_after_a_name_was_refused(draft, client):
    page = html_of(post(client, "rename", draft.pk, name="x" * 81))
    assert '<details class="menu" open>' in page
    assert page.count('<details class="menu" open>') == 1
    assert '<details class="menu" open>' not in html_of(shelf(client))


def test_every_sample_has_a_line_and_a_face():
    assert {path.stem for path in FOLDER.glob("*.json")} == SAMPLES.keys()
    assert all(sample.line and sample.face.partition(":")[2] in ALL for sample in SAMPLES.values())


def test_a_character_is_renamed_copied_binned_and_restored(envoy, client):
    post(client, "rename", envoy.pk, name="Borrin")
    assert envoy.character.name == "Borrin"
    post(client, "copy", envoy.pk)
    assert Character.objects.filter(name="Borrin (copy)").count() == 1
    post(client, "bin", envoy.pk)
    response = shelf(client)
    assert [card["character"].name for card in response.context["cards"]] == ["Borrin (copy)"]
    assert [character.name for character in response.context["binned"]] == ["Borrin"]
    assert envoy.get("origin").status_code == 404
    post(client, "restore", envoy.pk)
    assert len(shelf(client).context["cards"]) == 2


def test_a_bad_name_is_refused_by_its_field(draft, client):
    response = post(client, "rename", draft.pk, name="x" * 81)
    assert response.status_code == 422
    assert b"At most" in response.content or b"too long" in response.content
    assert draft.character.name == ""


@pytest.mark.parametrize("name", ["rename", "copy", "bin", "restore"])
def test_another_persons_character_is_not_found(draft, client, name):
    client.logout()
    client.force_login(User.objects.create_user("bo"))
    assert post(client, name, draft.pk, name="Mine").status_code == 404
    assert draft.character.name == ""


def test_a_character_that_is_not_in_the_bin_cannot_be_restored(draft, client):
    assert post(client, "restore", draft.pk).status_code == 404


def test_starting_twice_with_one_form_makes_one_character(client, db):
    for _ in range(2):
        client.post(reverse("characters:start"), {"key": "the-same-form-sent-twice"})
    assert Character.objects.filter(sample="").count() == 1


def test_starting_without_a_key_makes_nothing(client, db):
    assert client.post(reverse("characters:start")).status_code == 422
    assert not Character.objects.filter(sample="").exists()


def test_a_surprise_is_complete_and_legal(client, db):
    response = post(client, "surprise")
    page = client.get(response.headers["Location"]).context["page"]
    assert list(page.missing) == []
    assert list(page.problems) == []


def test_copying_an_unknown_sample_is_not_found(client, db):
    assert post(client, "copy-sample", "nobody").status_code == 404


def test_signing_in_takes_the_drafts_along(draft, client):
    User.objects.create_user("ana", "ana@example.com", "a long password")
    client.post(reverse("account_login"), {"login": "ana", "password": "a long password"})
    assert draft.character.owner.username == "ana"
    assert draft.get("origin").status_code == 200
