"""Two points of resolve turn an enemy's critical into a plain hit, where the house rules have it (section 23.2)."""

import uuid

import pytest

from characters import verbs
from characters.people import Person

BUTTON = 'id="turn-aside"'


def house_rule(player, value):
    verbs.set_switches(player.pk, Person(player.user), uuid.uuid4().hex, values={"resolveCriticals": value})


def test_turning_a_critical_aside_costs_two_points_and_says_so(player):
    player.put_resolve(2)
    assert BUTTON in player.get().content.decode()
    response = player.send("turn-aside")
    assert response.status_code == 200
    assert player.facts["spent:resolve"] == 2
    assert player.last.sentence.endswith("turns an enemy’s critical into a plain hit.")


def test_undoing_a_critical_turned_aside_gives_the_points_back(player):
    player.put_resolve(2)
    player.send("turn-aside")
    player.send("undo", change=player.last.sequence)
    assert "spent:resolve" not in player.facts


@pytest.mark.parametrize("htmx", [True, False])
def test_turning_a_critical_aside_with_one_point_is_refused_beside_the_button(player, htmx):
    response = player.send("turn-aside", htmx=htmx)
    text = response.content.decode()
    assert response.status_code == 422
    assert "That takes 2 Resolve; you have 1." in text
    assert 'id="turn-aside-refused"' in text
    assert "spent:resolve" not in player.facts


def test_without_the_house_rule_there_is_no_button(player):
    player.put_resolve(2)
    house_rule(player, "off")
    assert BUTTON not in player.get().content.decode()
    assert player.send("turn-aside").status_code == 422
    assert "spent:resolve" not in player.facts


def test_the_menu_is_drawn_again_when_the_house_rule_changes(player):
    version = player.get().context["live"].version_number
    house_rule(player, "off")
    text = player.get("watch/", **{"X-Version": version}).content.decode()
    assert 'hx-target="#times"' in text
    assert BUTTON not in text
