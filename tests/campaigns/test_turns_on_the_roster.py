"""The roster's page says whose turn it is in the encounter and who follows, as far as the reader may see them."""

import re

import pytest

from campaigns.verbs import combatants, creature_actions
from characters.verbs.bin import restore, throw_away
from tests.campaigns.fights import Fight
from tests.characters.cast import new_key
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture(scope="module")
def begun(shared):
    def begin():
        made = Fight()
        made.wolves(2)
        made.wolves(hidden=True, name="Ogre")
        made.ordered(Mira=15, Wolf_1=12, Ogre=9, Wolf_2=7, Nell=3)
        return made

    return shared(begin)


@pytest.fixture
def fight(begun):
    return begun


def turns(client, fight, who):
    """The order on the table's page: the present turn with a star, whoever is passed over in brackets."""
    client.force_login(who.user)
    page = html_of(client.get(fight.campaign.get_absolute_url()))
    strip = page.partition('aria-labelledby="turns"')[2].partition("</ol>")[0]
    found = re.findall("<li([^>]*)>(.*?)</li>", strip, re.DOTALL)
    plain = [(with_, " ".join(re.sub("<[^>]+>", " ", text).split())) for with_, text in found]
    marked = {"aria-current": "* {}", "faint": "({})"}
    return [next((form for mark, form in marked.items() if mark in with_), "{}").format(text) for with_, text in plain]


def test_before_the_first_round_nothing_is_shown(client, fight):
    assert turns(client, fight, fight.ana) == []


def test_those_who_lead_see_everybody_and_others_nobody_who_is_hidden(client, fight):
    fight.next()
    assert turns(client, fight, fight.ana) == ["* Mira 15", "Wolf 1 12", "Ogre 9 hidden", "Wolf 2 7", "Nell 3"]
    assert turns(client, fight, fight.cid) == ["* Mira 15", "Wolf 1 12", "Wolf 2 7", "Nell 3"]


def test_the_turn_of_somebody_hidden_is_nobodys_for_others(client, fight):
    fight.until((1, "Ogre"))
    assert turns(client, fight, fight.ana) == ["* Ogre 9 hidden", "Wolf 2 7", "Nell 3", "Mira 15", "Wolf 1 12"]
    seen = ["Mira 15", "Wolf 1 12", "Wolf 2 7", "Nell 3"]
    assert turns(client, fight, fight.cid) == seen, "an order that began elsewhere would tell where the ogre stands"


def test_a_creature_that_is_down_stands_back_and_one_that_left_is_gone(client, fight):
    fight.next()
    wolf = fight.named("Wolf 2").pk
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf, amount=30, heal=False)
    assert turns(client, fight, fight.ana) == ["* Mira 15", "Wolf 1 12", "Ogre 9 hidden", "(Wolf 2 7)", "Nell 3"]
    combatants.remove(fight.campaign.pk, fight.ana, wolf)
    assert turns(client, fight, fight.ana) == ["* Mira 15", "Wolf 12", "Ogre 9 hidden", "Nell 3"]


def test_a_character_in_the_bin_is_no_more_in_the_order_than_in_the_encounter(client, fight):
    fight.next()
    throw_away(fight.mira.pk, fight.bo, new_key())
    assert turns(client, fight, fight.cid) == ["Wolf 1 12", "Wolf 2 7", "Nell 3"]
    restore(fight.mira.pk, fight.bo, new_key())
    assert turns(client, fight, fight.cid)[0] == "* Mira 15"
