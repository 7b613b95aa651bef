"""An action costs at most ten queries, those that find the session and the user included."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.change import fact_address
from characters.read.version_cache import find
from characters.read.versions import version_number, version_of

from .actions import WORKING, ready

pytestmark = pytest.mark.full

SAVEPOINT = 2  # in the test's own transaction; outside tests these are BEGIN and COMMIT
NEWS = int(connection.vendor == "postgresql")  # there, the news is sent by a query


@pytest.mark.parametrize("slug", WORKING)
def test_an_action_takes_at_most_ten_queries(player, slug, django_assert_max_num_queries):
    fields = ready(player, slug)
    version = player.get().context["live"].version_number
    with django_assert_max_num_queries(10 + SAVEPOINT + NEWS):
        response = player.send(slug, version=version, **fields)
    assert response.status_code == 200


@pytest.mark.parametrize("slug", WORKING)
def test_the_cached_version_after_an_action_equals_the_stored_one(player, slug):
    """The answer is drawn from the cached version, and the next verb starts from it."""
    player.send(slug, **ready(player, slug))
    now = find(player.pk, version_number(player.character))
    stored = version_of(player.character, player.facts)
    assert now.build == stored.build
    assert now.sheet == stored.sheet
    assert now.prose == stored.prose
    assert told(now.facts) == told(stored.facts)


def told(facts):
    """The facts that differ from having no row."""
    return {address: value for address, value in facts.items() if value != fact_address.absent(address)}


def test_undoing_an_addition_to_a_roll_shows_the_roll_in_few_queries(player, django_assert_max_num_queries):
    player.send("roll", roll="skill.athletics", faces="5 4")
    live = player.get().context["live"]
    player.send("nudge", roll=live.latest_roll.first.pk, up="yes")
    for sentence, added, most in (("Undone", False, 11), ("Redone", True, 12)):
        before = player.get().context["live"]
        with django_assert_max_num_queries(most + SAVEPOINT + NEWS):
            answer = player.send("undo", change=before.latest.sequence, version=before.version_number).content.decode()
        assert 'id="rolled"' in answer
        assert sentence in answer
        told = player.get().context["live"].latest_roll
        assert (told.first.pk, told.last != told.first) == (live.latest_roll.first.pk, added)


def test_the_log_of_rolls_is_read_only_for_what_rolled(player):
    for slug, fields, rolled in (("take-damage", {"amount": 5}, False), ("fall", {"feet": 10}, True)):
        assert reads_rolls(player, slug, **fields) == rolled
        assert reads_rolls(player, "undo", change=player.last.sequence) == rolled


def reads_rolls(player, slug, **fields):
    with CaptureQueriesContext(connection) as queries:
        player.send(slug, **fields)
    return any(one["sql"].startswith('SELECT "characters_rollrecord"') for one in queries)


def test_a_form_that_is_sent_again_shows_its_roll_again(player):
    for _ in range(2):
        assert 'id="rolled"' in player.send("roll", roll="skill.athletics", key="k" * 32).content.decode()
    assert player.character.rolls.count() == 1


def test_undoing_a_roll_shows_no_other_roll(player):
    for roll in ("skill.athletics", "skill.stealth"):
        player.send("roll", roll=roll)
    assert 'id="rolled"' not in player.send("undo", change=player.last.sequence).content.decode()
    assert player.get().context["live"].latest_roll is None
    player.send("undo", change=player.last.sequence)
    assert player.get().context["live"].latest_roll.first.key == "skill.stealth"


@pytest.mark.parametrize("kind", ["", "health"])
def test_undoing_on_the_history_page_takes_at_most_ten_queries(player, kind, django_assert_max_num_queries):
    """One finds the entries with their undos, and one the marks; none looks for the newest roll."""
    for _ in range(3):
        player.send("take-damage", amount=5)
        player.send("undo", change=player.last.sequence)
    player.send("take-damage", amount=5)
    change = player.last.sequence
    with django_assert_max_num_queries(10 + SAVEPOINT + NEWS):
        answer = player.send("undo", change=change, page="history", kind=kind).content.decode()
    assert 'id="history"' in answer
    assert "Redone" not in answer
