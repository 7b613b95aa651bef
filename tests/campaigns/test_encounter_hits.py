"""The storyteller hits and heals a character from the encounter, as an act like any other."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client

from campaigns.models import Hit, PartyAct
from campaigns.verbs import creature_actions, party_acts, seats
from characters.change.refusals import Refused
from characters.read.party import versions_of
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import browser_of, new_key, person
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]
HTMX = {"HX-Request": "true"}


def begin():
    return Fight()


def health(character):
    version = versions_of([type(character).objects.select_related("ruleset").get(pk=character.pk)])[character.pk]
    return version.bundle.game.roster(version.bundle, version.build, version.sheet)[0].left


def press(fight, character, name="ana", headers=(), **fields):
    client = browser_of(name)
    path = f"{fight.campaign.get_absolute_url()}encounter/{character}/hit/"
    return client.post(path, {"key": new_key(), **fields}, headers=dict(headers))


def test_damage_is_in_the_history_and_among_the_acts(fight):
    before = health(fight.mira)
    response = press(fight, fight.mira.pk, amount="5")
    assert (response.status_code, response.headers["Location"]) == (
        303,
        f"{fight.campaign.get_absolute_url()}encounter/",
    )
    assert health(fight.mira) == before - 5
    change = fight.mira.changes.latest("sequence")
    assert (change.verb, change.actor) == ("take_damage", fight.ana.user)
    assert PartyAct.objects.get().sentence == "Damage 5: Mira."


def test_what_a_press_has_done_is_said_in_the_status_of_the_page_that_is_there_from_the_start(fight):
    fight.wolves(2)
    client, table, wolf = browser_of("ana"), fight.campaign.get_absolute_url(), fight.named("Wolf 2").pk

    def said(path, **fields):
        answer = client.post(f"{table}{path}", {"key": new_key(), **fields}, headers=HTMX)
        assert all("role" not in words for words in re.findall("<p[^>]*>[^<]*Damage", answer.content.decode()))
        return json.loads(answer.headers["HX-Trigger"])["say"]["value"]

    assert said(f"combatants/{wolf}/hit/", amount="4") == "Damage 4: Wolf 2."
    assert said(f"hits/{Hit.objects.get().pk}/undo/") == "Undone: Damage 4: Wolf 2."
    assert said(f"encounter/{fight.mira.pk}/hit/", amount="5") == "Damage 5: Mira."
    assert said(f"combatants/{wolf}/hide/", hidden="yes") == "Wolf 2 is hidden."
    assert said(f"combatants/{wolf}/hide/") == "Wolf 2 is shown."
    assert [said(f"combatants/{wolf}/remove/") for _ in range(2)] == [
        "Wolf 2 is out of the encounter.",
        "It is out of the encounter.",
    ]


def test_a_hit_carries_the_words_on_what_it_was_for(fight):
    """The history of the character has them, and the list of acts. The field is below “More”, outside of the form."""
    page = browser_of("ana").get(f"{fight.campaign.get_absolute_url()}encounter/").content.decode()
    mira = fight.named("Mira").pk
    assert re.search(rf'<form[^>]*/{fight.mira.pk}/hit/"[^>]*id="hit-{mira}"', page)
    assert f'name="reason" form="hit-{mira}"' in page
    press(fight, fight.mira.pk, amount="5", reason=" The roof falls in ")
    assert fight.mira.changes.latest("sequence").reason == "The roof falls in"
    assert "“The roof falls in”" in browser_of("ana").get(f"{fight.campaign.get_absolute_url()}acts/").content.decode()


def test_words_on_a_hit_that_is_refused_come_back(fight):
    before = health(fight.mira)
    answer = press(fight, fight.mira.pk, amount="five", reason="The roof")
    assert answer.status_code == 422
    assert 'value="The roof"' in answer.content.decode()
    answer = press(fight, fight.mira.pk, amount="5", reason="x" * 121)
    assert answer.status_code == 422
    assert "Reason: " in answer.content.decode()
    assert health(fight.mira) == before


def test_a_character_is_healed(fight):
    press(fight, fight.mira.pk, amount="5")
    press(fight, fight.mira.pk, amount="3", heal="yes")
    assert fight.mira.changes.latest("sequence").verb == "heal"


def test_with_script_the_response_offers_an_undo_that_returns_to_the_encounter(fight):
    before = health(fight.mira)
    page = press(fight, fight.mira.pk, headers=HTMX, amount="5").content.decode()
    act = PartyAct.objects.get()
    assert "Damage 5: Mira." in page
    assert f"acts/{act.pk}/undo/" in page
    client = browser_of(fight.ana)
    path = f"{fight.campaign.get_absolute_url()}acts/{act.pk}/undo/"
    assert client.post(path, {"key": new_key(), "fight": "yes"}).headers["Location"].endswith("/encounter/")
    assert health(fight.mira) == before


def test_the_newest_hit_can_be_undone_however_often_the_page_is_drawn(fight):
    """Also after the page has been told of this very hit and has drawn itself again."""
    where, client = f"{fight.campaign.get_absolute_url()}encounter/", Client()
    client.force_login(fight.ana.user)
    press(fight, fight.mira.pk, headers=HTMX, amount="5")
    act = PartyAct.objects.get()
    assert f"acts/{act.pk}/undo/" in client.get(where, headers=HTMX).content.decode()
    client.post(f"{fight.campaign.get_absolute_url()}acts/{act.pk}/undo/", {"key": new_key(), "fight": "yes"})
    assert f"acts/{act.pk}/undo/" not in client.get(where, headers=HTMX).content.decode()


def test_the_page_offers_to_undo_the_newest_hit_on_a_creature_or_a_character(fight):
    where, client = f"{fight.campaign.get_absolute_url()}encounter/", Client()
    client.force_login(fight.ana.user)
    fight.wolves()
    wolf = fight.named("Wolf").pk
    press(fight, fight.mira.pk, amount="5")
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf, amount=2, heal=False)
    page = client.get(where).content.decode()
    assert (f"acts/{PartyAct.objects.get().pk}/undo/" in page, "Damage 2: Wolf." in page) == (False, True)
    press(fight, fight.mira.pk, amount="1")
    page = client.get(where).content.decode()
    assert (f"acts/{PartyAct.objects.first().pk}/undo/" in page, "Damage 2: Wolf." in page) == (True, False)


def test_a_hit_that_the_player_has_undone_is_not_offered_to_be_undone(fight):
    where, client = f"{fight.campaign.get_absolute_url()}encounter/", browser_of(fight.ana)
    press(fight, fight.mira.pk, amount="5")
    act = PartyAct.objects.get()
    play.undo(fight.mira.pk, person("bo"), new_key(), change=fight.mira.changes.latest("sequence").sequence)
    assert f"acts/{act.pk}/undo/" not in client.get(where).content.decode()
    play.undo(fight.mira.pk, person("bo"), new_key(), change=fight.mira.changes.latest("sequence").sequence)
    assert f"acts/{act.pk}/undo/" in client.get(where).content.decode()


@pytest.mark.parametrize("why", ["before the encounter", "only proposed", "of another table"])
def test_only_a_hit_of_this_encounter_is_offered_to_be_undone(fight, why):
    where, client = f"{fight.campaign.get_absolute_url()}encounter/", browser_of(fight.ana)
    press(fight, fight.mira.pk, amount="5")
    act = PartyAct.objects.get()
    assert f"acts/{act.pk}/undo/" in client.get(where).content.decode()
    if why == "before the encounter":
        PartyAct.objects.update(at=fight.encounter.made_at - timedelta(seconds=1))
    elif why == "only proposed":
        PartyAct.objects.update(proposed=True)
    else:
        PartyAct.objects.update(campaign=saltmarsh())
    assert f"acts/{act.pk}/undo/" not in client.get(where).content.decode()


def test_an_undo_that_came_too_late_shows_the_encounter_with_the_reason(fight):
    press(fight, fight.mira.pk, amount="5")
    path, client = f"{fight.campaign.get_absolute_url()}acts/{PartyAct.objects.get().pk}/undo/", browser_of(fight.ana)
    assert client.post(path, {"key": new_key(), "fight": "yes"}).status_code == 303
    page = client.post(path, {"key": new_key(), "fight": "yes"}, headers=HTMX)
    assert page.status_code == 422
    assert "That is undone already." in page.content.decode()
    assert 'class="fight"' in page.content.decode()


def test_a_form_sent_twice_hits_once(fight):
    key, before = new_key(), health(fight.mira)
    for _ in range(2):
        party_acts.hit(fight.campaign.pk, fight.ana, key, fight.mira.pk, amount=5, heal=False)
    assert health(fight.mira) == before - 5


@pytest.mark.parametrize("amount", ["", "0", "-3", "x", "1e9", "9" * 30, "٣"])
def test_bad_amounts_are_refused_and_change_nothing(fight, amount):
    before = health(fight.mira)
    response = press(fight, fight.mira.pk, amount=amount)
    assert response.status_code == (303 if amount == "٣" else 422)  # a digit of another script is a number too
    assert health(fight.mira) == before - 3 * (amount == "٣")


def test_healing_an_unhurt_character_is_refused(fight):
    response = press(fight, fight.mira.pk, amount="3", heal="yes")
    assert response.status_code == 422
    assert not PartyAct.objects.exists()


@pytest.mark.parametrize("name", ["bo", "cid", "zoe"])
def test_only_storytellers_hit_characters(fight, name):
    before = health(fight.mira)
    assert press(fight, fight.mira.pk, name=name, amount="5").status_code == 404
    assert health(fight.mira) == before


def test_a_hit_on_a_character_that_has_just_left_is_refused_on_the_page(fight):
    seats.stand_up(fight.campaign.pk, fight.bo, fight.mira.seat.pk)
    response = press(fight, fight.mira.pk, amount="5")
    assert response.status_code == 422
    assert "That character no longer sits at this table. Nothing was done." in response.content.decode()


def test_characters_of_other_tables_are_not_hit(fight):
    other = saltmarsh("zoe")
    seats.stand_up(fight.campaign.pk, fight.bo, fight.mira.seat.pk)
    for campaign, who in ((fight.campaign.pk, fight.ana), (other.pk, person("zoe"))):
        for character in (fight.mira.pk, 2**63, 999_999):
            with pytest.raises(Refused, match="no longer sits at this table"):
                party_acts.hit(campaign, who, new_key(), character, amount=5, heal=False)


def test_a_game_without_hits_refuses_the_act(fight, monkeypatch):
    monkeypatch.setattr("rules.games.polyhedral.encounter_rules.HIT", "")
    with pytest.raises(Refused, match="does not have that"):
        party_acts.hit(fight.campaign.pk, fight.ana, new_key(), fight.mira.pk, amount=5, heal=False)


def test_only_the_storyteller_sees_the_hit_form_of_a_character(fight):
    client = browser_of(fight.ana)
    page = client.get(f"{fight.campaign.get_absolute_url()}encounter/").content.decode()
    assert f"/encounter/{fight.mira.pk}/hit/" in page
    client.force_login(fight.bo.user)
    assert "/hit/" not in client.get(f"{fight.campaign.get_absolute_url()}encounter/").content.decode()
