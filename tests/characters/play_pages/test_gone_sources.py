"""A source of rules in play is renamed, deleted or left out: nobody's pages fail."""

import pytest

from characters import verbs
from characters.change.refusals import MovedOn
from characters.people import Person
from characters.read.version_cache import find
from characters.read.versions import version_number
from rules.models import Source
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.factories import ConditionFactory, ElementFactory, SourceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def extra():
    core = Source.objects.get(is_core=True)
    return SourceFactory(ruleset=core.ruleset, slug="extra", title="Extra")


@pytest.fixture
def put(player):
    """Put just these sources in play; return the number of the change."""

    def act(*slugs):
        return verbs.set_sources(player.pk, Person(player.user), new_key(), sources=slugs).sequence

    return act


def answers(player):
    pages = [player.get(page).status_code for page in ("", "history/", "watch/", "rest/")]
    return [*pages, player.send("change-health", amount="-1").status_code]


def test_a_renamed_source_is_read_under_its_new_slug(player, extra, put):
    put("extra")
    assert player.get().status_code == 200
    Source.objects.filter(pk=extra.pk).update(slug="renamed")
    assert answers(player) == [200, 200, 200, 200, 200]
    assert "source:renamed" in player.facts


def test_pages_work_after_a_source_in_play_is_deleted(player, extra, put):
    put("extra")
    assert player.get().status_code == 200
    extra.delete()
    assert answers(player) == [200, 200, 200, 200, 200]


def test_the_history_shows_a_version_whose_source_is_gone(player, extra, put):
    number = put("extra")
    put()
    extra.delete()
    assert player.get(f"history/{number}/").status_code == 200


def test_leaving_out_a_source_that_is_gone_is_not_undone(player, extra, put):
    put("extra")
    number = put()
    extra.delete()
    with pytest.raises(MovedOn, match="needs a source of rules that is gone"):
        play.undo(player.pk, Person(player.user), new_key(), number)
    assert player.send("undo", change=number).status_code == 422
    assert player.last.sequence == number


def test_leaving_out_a_source_that_is_there_is_undone(player, extra, put):
    put("extra")
    number = put()
    play.undo(player.pk, Person(player.user), new_key(), number)
    assert "source:extra" in player.facts
    assert "extra" in dict(find(player.pk, version_number(player.character)).bundle.revision)


def test_no_undo_leaves_a_source_in_play_without_the_one_it_builds_on(player, extra, put):
    ebb = SourceFactory(ruleset=extra.ruleset, slug="ebb", title="Ebb")
    ebb.requires.add(extra)
    number = put("extra")
    put("extra", "ebb")
    with pytest.raises(MovedOn, match="Ebb builds on Extra: put both in play, or neither"):
        play.undo(player.pk, Person(player.user), new_key(), number)


@pytest.fixture
def hexed(player, extra, put):
    """The character has a condition of a source that is still in play."""
    ConditionFactory(source=extra, ruleset=extra.ruleset, slug="hexed", name="Hexed", status="published")
    put("extra")
    player.send("add-condition", condition="condition:hexed", rounds="3")


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("next-round", "Hexed for 2 more rounds."),
        ("long-rest", "Hexed ends."),
        ("extra-turn", "takes an extra turn."),
        ("remove-condition", "is no longer hexed."),
    ],
)
def test_a_condition_of_a_source_that_is_left_out_counts_down_and_ends(player, hexed, put, slug, said):
    put()
    assert player.get("rest/").status_code == 200
    assert "Its source of rules is left out" in player.get().content.decode()
    assert player.send(slug, condition="condition:hexed").status_code == 200
    assert said in player.last.sentence
    player.send("undo", change=player.last.sequence)
    assert player.facts["condition:condition:hexed|"]["rounds"] == 3


def test_a_thing_of_a_source_that_is_left_out_keeps_its_name(player, extra, put):
    ElementFactory(
        kind="gear", source=extra, ruleset=extra.ruleset, slug="tide-rope", name="Tide rope", status="published"
    )
    put("extra")
    player.send("add-item", ref="gear:tide-rope")
    put()
    assert ["Tide rope" in player.get(page).content.decode() for page in ("", "build/equipment/")] == [True, True]
    player.send("remove-item", item=player.row("item"))
    assert player.last.sentence.endswith("removes Tide rope.")


def test_the_history_names_a_condition_of_a_source_that_is_left_out(player, hexed, put):
    number = player.last.sequence
    put()
    assert answers(player) == [200, 200, 200, 200, 200]
    page = player.get(f"history/{number}/")
    assert page.status_code == 200
    assert "Hexed" in page.content.decode()
