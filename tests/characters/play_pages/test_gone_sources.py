"""A source of rules that was in play gets another name or goes: nobody's pages fail."""

import pytest

from characters import verbs
from characters.change.journal import MovedOn
from characters.people import Person
from characters.read.version_cache import find
from characters.read.versions import version_number
from rules.models import Source
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.factories import ConditionFactory, SourceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def extra():
    core = Source.objects.get(is_core=True)
    return SourceFactory(ruleset=core.ruleset, slug="extra", title="Extra")


@pytest.fixture
def put(player):
    """Play with just these sources; answers the number of the change."""

    def act(*slugs):
        return verbs.set_sources(player.pk, Person(player.user), new_key(), sources=slugs).sequence

    return act


def answers(player):
    pages = [player.get(page).status_code for page in ("", "history/", "watch/", "rest/")]
    return [*pages, player.send("change-health", amount="-1").status_code]


def test_another_slug_is_read_again(player, extra, put):
    put("extra")
    assert player.get().status_code == 200
    Source.objects.filter(pk=extra.pk).update(slug="renamed")
    assert answers(player) == [200, 200, 200, 200, 200]
    assert "source:renamed" in player.facts


def test_a_source_that_went_while_it_was_in_play(player, extra, put):
    put("extra")
    assert player.get().status_code == 200
    extra.delete()
    assert answers(player) == [200, 200, 200, 200, 200]


def test_the_history_of_a_version_with_a_source_that_is_gone(player, extra, put):
    number = put("extra")
    put()
    extra.delete()
    assert player.get(f"history/{number}/").status_code == 200


def test_leaving_out_a_source_that_is_gone_is_not_undone(player, extra, put):
    put("extra")
    number = put()
    extra.delete()
    with pytest.raises(MovedOn, match="use a source of rules that is gone"):
        play.undo(player.pk, Person(player.user), new_key(), number)
    assert player.send("undo", change=number).status_code == 422
    assert player.last.sequence == number


def test_leaving_out_a_source_that_is_there_is_undone(player, extra, put):
    put("extra")
    number = put()
    play.undo(player.pk, Person(player.user), new_key(), number)
    assert "source:extra" in player.facts
    assert "extra" in dict(find(player.pk, version_number(player.character)).bundle.revision)


def test_a_condition_of_a_source_that_is_left_out(player, extra, put):
    ConditionFactory(source=extra, ruleset=extra.ruleset, slug="hexed", name="Hexed", status="published")
    put("extra")
    player.send("add-condition", condition="condition:hexed")
    number = player.last.sequence
    put()
    assert answers(player) == [200, 200, 200, 200, 200]
    page = player.get(f"history/{number}/")
    assert page.status_code == 200
    assert "Hexed" in page.content.decode()
