"""A form sent without script leads back to the part of the page it belongs to, never to the tray at the end."""

import pytest
from django.urls import reverse

from characters import verbs
from characters.people import Person
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.characters.cast import item_of, new_key, person
from tests.characters.play.table import play
from tests.games import pebbles
from tests.support.html import html_of

pytestmark = pytest.mark.django_db

AFTER = {
    "skill.athletics": "skills",
    "knowledge.medicine": "knowledges",
    "check.mind": "abilities",
    "save.mind": "abilities",
    "attack.unarmed-strike.unarmed": "attacks",
    "damage.unarmed-strike.unarmed": "attacks",
    "initiative": "vitals",
}


@pytest.mark.parametrize(("roll", "place"), AFTER.items(), ids=AFTER)
def test_a_roll_leads_back_to_what_was_rolled(player, roll, place):
    answer = player.send("roll", roll=roll, htmx=False)
    assert (answer.status_code, answer.url) == (303, f"{player.base}#{place}")


def test_an_undo_leads_to_the_vital_numbers(player):
    player.send("take-damage", amount="3", htmx=False)
    answer = player.send("undo", change=player.character.version, htmx=False)
    assert answer.url == f"{player.base}#vitals"


def test_the_address_that_a_form_leads_back_to_has_a_maximum_length(player):
    answer = player.send("add-note", text="Once", page="pool", ranks="9" * 20_000, htmx=False)
    assert answer.status_code == 303
    assert len(answer.url) < 1_000
    assert player.character.version == 2


def test_an_empty_weapon_is_reloaded_beside_its_attack(player):
    for slug, quantity in (("weapon:pistol-revolver", 1), ("gear:bullets", 9)):
        play.add_item(player.pk, Person(player.user), new_key(), ref=slug, quantity=quantity)
    weapon = item_of(player.character, "pistol-revolver")
    player.send("equip", item=weapon, state="main")
    reload = f'name="item" value="{weapon}">Reload'
    assert reload not in html_of(player.get())
    player.send("roll", roll=f"attack.{weapon}.one-hand")
    assert reload in html_of(player.get())
    answer = player.send("reload", item=weapon, htmx=False)
    assert answer.url == f"{player.base}#attacks"
    assert player.last.sentence.endswith("reloads Revolver pistol.")
    assert reload not in html_of(player.get())


def test_a_form_of_a_page_that_the_game_lacks_leads_to_the_sheet(client):
    load_rules(pebbles.PACK)
    ana = person()
    pim = verbs.start(ana, new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character
    client.force_login(ana.user)
    sent = {"key": new_key(), "name": "Dawn", "page": "rest"}
    answer = client.post(reverse("characters:play-mark", args=[pim.pk]), sent)
    assert answer.url.partition("#")[0] == pim.get_absolute_url()
