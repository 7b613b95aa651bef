"""A second long rest within a day is asked about, where one takes it (section 25.2)."""

import pytest

from characters.change.history_entries import since
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db

NOT_BY_SLEEP = "Resolve does not come back with sleep"
ASKED = "a day has passed since the last one"


def test_the_tick_is_there_only_where_it_is_asked(player):
    assert ASKED not in player.get("rest/").content.decode()
    player.send("take-damage", amount="5")
    assert player.send("long-rest", page="rest").status_code == 200
    assert ASKED in player.get("rest/").content.decode()


def test_of_resolve_that_is_spent_it_says_when_it_comes_back(player):
    assert NOT_BY_SLEEP not in player.get("rest/").content.decode()
    player.send("adjust", resource="resolve", by="-1")
    assert NOT_BY_SLEEP in player.get("rest/").content.decode()


def test_it_is_not_said_where_the_rest_brings_one_back(player):
    player.pk = owned_by(player.user, "ysolde-marrow").pk  # a human, who wakes with one where none was left
    player.base = f"/characters/{player.pk}/"
    while player.send("adjust", resource="resolve", by="-1").status_code == 200:
        pass
    page = " ".join(player.get("rest/").content.decode().split())
    assert 'Resolve <span class="change"><del>0</del><ins >1</ins></span>' in page
    assert NOT_BY_SLEEP not in page


def test_without_it_the_sentence_stands_by_it_and_with_it_she_sleeps(player):
    for _ in range(2):
        player.send("take-damage", amount="5")
        response = player.send("long-rest", page="rest")
    assert response.status_code == 422
    assert "The last long rest was less than a day ago" in response.content.decode()
    assert 'name="day_passed" aria-describedby="long-rest-refused" aria-invalid="true"' in response.content.decode()
    assert player.send("long-rest", page="rest", day_passed="on").status_code == 200


def test_what_a_rest_costs_is_shown_as_a_loss_and_what_it_heals_is_not(player):
    player.send("take-damage", amount="5")
    previews = player.get("rest/").context["previews"]
    (costs,) = [move for move in previews["rally"].counters if move.name == "Rally"]
    (heals,) = [move for move in previews["long_rest"].counters if move.name == "Health"]
    assert (costs.worse, heals.worse) == (True, False)


def test_less_of_a_counter_that_counts_up_is_no_loss(player):
    player.send("mark", name="Unhurt", page="history")
    unhurt = player.last.sequence
    player.send("adjust", resource="wounds", amount="2")
    hurt = player.last.sequence
    (more,) = [move for move in since(player.character, unhurt) if move.name == "Wounds"]
    assert (more.kind, more.worse) == ("spent", True)
    player.send("adjust", resource="wounds", amount="-1")
    (less,) = [move for move in since(player.character, hurt) if move.name == "Wounds"]
    assert (less.kind, less.worse) == ("spent", False)
