"""A second long rest within a day is asked about on the page of rests (section 25.2)."""

import pytest

from characters.change.history_entries import since
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db

NOT_BY_SLEEP = "Resolve does not come back with sleep"
ASKED = "A day has passed since the last one"


def test_the_tick_for_a_passed_day_appears_only_after_a_long_rest(player):
    assert ASKED not in player.get("rest/").content.decode()
    player.send("take-damage", amount="5")
    assert player.send("long-rest", page="rest").status_code == 200
    assert ASKED in player.get("rest/").content.decode()


def test_the_rest_page_notes_that_spent_resolve_does_not_come_back_with_sleep(player):
    assert NOT_BY_SLEEP not in player.get("rest/").content.decode()
    player.send("adjust", resource="resolve", by="-1")
    assert NOT_BY_SLEEP in player.get("rest/").content.decode()


def test_the_rest_page_has_no_note_on_resolve_if_the_rest_restores_it(player):
    player.pk = owned_by(player.user, "ysolde-marrow").pk  # a human, who wakes with one point if none was left
    player.base = f"/characters/{player.pk}/"
    while player.send("adjust", resource="resolve", by="-1").status_code == 200:
        pass
    page = " ".join(player.get("rest/").content.decode().split())
    assert 'Resolve <span class="change"><del>0</del><ins >1</ins></span>' in page
    assert NOT_BY_SLEEP not in page


def test_a_second_long_rest_is_refused_without_the_tick_and_taken_with_it(player):
    for _ in range(2):
        player.send("take-damage", amount="5")
        response = player.send("long-rest", page="rest")
    assert response.status_code == 422
    assert "The last long rest was less than a day ago" in response.content.decode()
    assert 'name="day_passed" aria-describedby="long-rest-refused" aria-invalid="true"' in response.content.decode()
    assert player.send("long-rest", page="rest", day_passed="on").status_code == 200


def test_the_rest_page_of_the_dead_says_once_that_they_are_dead(player):
    player.send("adjust", resource="wounds", amount="10")
    page = player.get("rest/").content.decode()
    assert page.count("The character is dead") == 1
    assert "Downtime" in page


def test_what_a_rest_costs_is_shown_as_a_loss_and_what_it_heals_is_not(player):
    player.send("take-damage", amount="5")
    previews = player.get("rest/").context["previews"]
    (costs,) = [move for move in previews["rally"].counters if move.name == "Rally"]
    (heals,) = [move for move in previews["long_rest"].counters if move.name == "Health"]
    assert (costs.worse, heals.worse) == (True, False)


def test_fewer_wounds_are_not_shown_as_a_loss(player):
    player.send("mark", name="Unhurt", page="history")
    unhurt = player.last.sequence
    player.send("adjust", resource="wounds", amount="2")
    hurt = player.last.sequence
    (more,) = [move for move in since(player.character, unhurt) if move.name == "Wounds"]
    assert (more.kind, more.worse) == ("spent", True)
    player.send("adjust", resource="wounds", amount="-1")
    (less,) = [move for move in since(player.character, hurt) if move.name == "Wounds"]
    assert (less.kind, less.worse) == ("spent", False)
