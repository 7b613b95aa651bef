"""An action costs at most ten queries beside those that find the session and the user."""

import pytest

from characters.build import load_build
from characters.play.live import kept, shown_of, version_of

from .actions import ready
from .test_actions import WORKING

SESSION_AND_USER = 2
SAVEPOINT = 2  # of the test's own transaction; outside it is the transaction itself


@pytest.mark.parametrize("slug", WORKING)
def test_an_action_takes_at_most_ten_queries(player, slug, django_assert_max_num_queries):
    fields = ready(player, slug)
    version = player.get().context["live"].version
    with django_assert_max_num_queries(10 + SESSION_AND_USER + SAVEPOINT):
        player.send(slug, version=version, **fields)


@pytest.mark.parametrize("slug", WORKING)
def test_what_an_answer_is_drawn_from_is_what_is_stored(player, slug):
    player.send(slug, **ready(player, slug))
    shown = kept(player.pk, version_of(player.character))
    assert shown.build == load_build(player.character)
    assert shown.prose == shown_of(player.character, player.facts).prose
