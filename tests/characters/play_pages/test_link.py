"""A relationship may link to another character, picked from the player's list or by the address of its sheet."""

import re

import pytest
from django.contrib.auth.models import User

from characters.models import Character
from characters.people import Person
from characters.read.character_file import write_file
from characters.read.prose import digest
from characters.verbs import copy, rename, throw_away
from tests.characters.cast import new_key
from tests.support.characters import SAMPLES, owned_by

TIE = {"other": "the smith", "based_on": "bond", "text": "Old friends"}


@pytest.fixture
def ilien(player):
    return owned_by(player.user, SAMPLES[1])


@pytest.fixture
def theirs(db):
    return owned_by(User.objects.create_user("cy"), SAMPLES[1])


@pytest.fixture
def tie(player):
    player.send("add-relationship", **TIE)
    return player.row("relationship")


def shown(player, character):
    """True if the texts of the player's sheet have a link to the sheet of this character."""
    html = player.get().content.decode()
    return f'class="prose-link" href="{character.get_absolute_url()}"' in html


def linked(player):
    return player.facts[f"relationship:{player.row('relationship')}"].get("linked_id")


def test_a_relationship_links_a_character_from_the_players_own_list(player, ilien):
    assert f'<option value="{ilien.pk}">{ilien}</option>' in player.get().content.decode()
    player.send("add-relationship", **TIE, linked=ilien.pk)
    assert linked(player) == ilien.pk
    assert shown(player, ilien)


def test_a_link_without_a_name_takes_the_name_of_the_character(player, ilien):
    response = player.send("add-relationship", **{**TIE, "other": ""}, linked=ilien.pk)
    assert response.status_code == 200
    assert player.facts[f"relationship:{player.row('relationship')}"]["other"] == str(ilien)


def test_a_relationship_with_neither_a_name_nor_a_link_is_refused(player):
    response = player.send("add-relationship", **{**TIE, "other": ""})
    assert response.status_code == 422
    assert "Name the other character." in response.content.decode()


@pytest.mark.parametrize("address", ["http://testserver{}", "{}", "{}history/?kind=play#x", "http://testserver{}at/1/"])
def test_a_relationship_links_a_character_by_its_address(player, tie, ilien, address):
    response = player.send("link", relationship=tie, address=address.format(ilien.get_absolute_url()))
    assert response.status_code == 200
    assert linked(player) == ilien.pk
    assert shown(player, ilien)


@pytest.mark.parametrize(
    "address",
    [
        "http://elsewhere.example{}",
        "{}no-such-page/",
        "the smith",
        "/characters/",
        "http://[",
        "//elsewhere.example{}",
        "\x00",
        "x" * 299,
    ],
)
def test_an_address_of_no_character_is_refused_by_its_field(player, tie, ilien, address):
    address = address.format(ilien.get_absolute_url())
    response = player.send("link", htmx=False, relationship=tie, address=address)
    html = response.content.decode()
    assert response.status_code == 422
    assert f'id="link-{tie}-address"' in html
    assert f'value="{address}" aria-describedby="link-{tie}-refused" aria-invalid="true" autofocus' in html
    assert linked(player) is None


def test_a_missing_character_and_somebody_elses_get_the_same_refusal(player, tie, theirs):
    answers = []
    for asked in (theirs.pk, 987654321, player.pk):
        for field in ({"linked": asked}, {"address": f"/characters/{asked}/"}):
            response = player.send("link", relationship=tie, **field)
            assert response.status_code == 422
            (sentence,) = re.findall(r'role="alert"[^>]*>([^<]+)<', response.content.decode())
            assert str(theirs) not in sentence
            answers.append(sentence)
            assert player.send("add-relationship", **TIE, **field).status_code == 422
    assert len(set(answers)) == 1
    assert linked(player) is None


def test_sample_characters_cannot_be_linked(player, tie):
    for field in ({"address": f"/samples/{SAMPLES[0]}/"}, {"linked": "0"}, {"linked": str(2**70)}):
        assert player.send("link", relationship=tie, **field).status_code == 422


def test_a_link_is_removed_by_choosing_none_and_restored_by_undo(player, tie, ilien):
    player.send("link", relationship=tie, linked=ilien.pk)
    player.send("link", relationship=tie, linked="")
    assert linked(player) is None
    player.send("undo", change=player.last.sequence)
    assert linked(player) == ilien.pk
    assert shown(player, ilien)


def test_agreeing_and_rewriting_keep_the_link(player, tie, ilien):
    player.send("link", relationship=tie, linked=ilien.pk)
    player.send("agree", relationship=tie, agreed="yes")
    assert player.facts[f"relationship:{tie}"]["agreed"] is True
    assert linked(player) == ilien.pk
    player.send("edit", address=f"relationship:{tie}", text="Older friends", was=digest("Old friends"))
    assert player.facts[f"relationship:{tie}"]["text"] == "Older friends"
    assert linked(player) == ilien.pk


def test_a_link_shows_the_current_name_of_the_character(player, tie, ilien):
    player.send("link", relationship=tie, linked=ilien.pk)
    player.get()
    rename(ilien.pk, Person(player.user), new_key(), name="Nell of the Weir")
    assert "Nell of the Weir" in player.get().content.decode()


def test_a_link_to_a_deleted_character_leaves_only_the_words(player, tie, ilien):
    player.send("link", relationship=tie, linked=ilien.pk)
    throw_away(ilien.pk, Person(player.user), new_key())
    assert not shown(player, ilien)
    before = player.facts
    Character.objects.filter(pk=ilien.pk).delete()
    assert player.facts == before, "nothing of this character changes outside its journal"
    assert not shown(player, ilien)
    assert "the smith" in player.get().content.decode().lower()
    assert player.send("agree", relationship=tie, agreed="yes").status_code == 200


def test_a_link_does_not_show_the_name_of_somebody_elses_character(player, tie, ilien):
    player.send("link", relationship=tie, linked=ilien.pk)
    Character.objects.filter(pk=ilien.pk).update(owner=User.objects.create_user("cy"))
    html = player.get().content.decode()
    assert not shown(player, ilien)
    assert str(ilien) not in html.replace(player.last.sentence, "")


def test_the_file_holds_only_the_words_and_a_copy_keeps_the_link(player, tie, ilien):
    words = write_file(player.character)
    player.send("link", relationship=tie, linked=ilien.pk)
    assert write_file(player.character) == words
    again = copy(player.pk, Person(player.user), new_key()).character
    assert again.relationships.get().linked_id == ilien.pk
