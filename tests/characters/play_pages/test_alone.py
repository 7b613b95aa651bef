"""Pages beside the sheet: an answer draws what the change has moved on them, as they draw it whole."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.history import MOST_TURNED
from characters.models import Change, Character
from characters.versions import KEPT

from .conftest import regions

SAVEPOINT = 2  # of the test's own transaction
HIT = {"amount": "5", "do": "damage"}
OWN = re.compile(r'name="(?:key|csrfmiddlewaretoken)" value="\w+"')  # what every drawing has for itself


@pytest.fixture
def on(player):
    """Sends an action from a page that shows the newest version, or the version given."""

    def send(page, slug, version=None, **fields):
        version = player.get(f"{page}/").context["live"].version if version is None else version
        return player.send(slug, version=version, page=page, **fields)

    return send


def today(player):
    return f"day-{player.last.at.date()}"


def row(response, id, end):
    """One row of a page or an answer, without what is this drawing's own."""
    found = re.search(rf'<\w+ class="[\w -]+" id="{id}">.*?{end}', OWN.sub("", response.content.decode()), re.DOTALL)
    return found and found[0]


def test_a_mark_comes_above_all_others_and_among_the_marks(player, on):
    answer = on("history", "mark", name="last night")
    assert regions(answer) == [today(player), "marks"]
    assert f'hx-target="#{today(player)}" hx-swap="afterbegin"' in answer.content.decode()
    fresh, id = player.get("history/"), f"change-{player.last.sequence}"
    assert row(answer, id, "</li>") == row(fresh, id, "</li>") is not None
    assert row(answer, "marks", "</div>") == row(fresh, "marks", "</div>") is not None


def test_what_is_undone_is_drawn_again_and_its_undoing_above_it(player, on, django_assert_max_num_queries):
    player.send("hit", **HIT)
    hit, version = player.last.sequence, player.get("history/").context["live"].version
    with django_assert_max_num_queries(10 + SAVEPOINT):
        answer = on("history", "undo", version, change=hit)
    assert regions(answer) == [today(player), f"change-{hit}"]
    fresh = player.get("history/")
    for id in (f"change-{hit}", f"change-{hit + 1}"):
        assert row(answer, id, "</li>") == row(fresh, id, "</li>") is not None


def test_a_mark_that_is_undone_leaves_the_marks(player, on):
    on("history", "mark", name="last night")
    answer = on("history", "undo", change=player.last.sequence)
    assert regions(answer) == [today(player), f"change-{player.last.sequence - 1}", "marks"]
    assert "Compare now with" not in row(answer, "marks", "</div>")


def test_where_more_may_have_moved_the_history_comes_whole(player, on):
    player.send("hit", **HIT)
    older = player.get("history/").context["live"].version
    player.send("hit", **HIT)
    assert regions(on("history", "mark", older, name="a")) == ["history"]
    assert regions(on("history", "mark", name="b", kind="rests")) == ["history"]
    assert regions(on("history", "mark", "", name="c")) == ["history"]
    version = player.get("history/").context["live"].version
    KEPT.values.clear()
    assert regions(on("history", "mark", version, name="d")) == ["history"]


def test_the_first_change_of_a_day_brings_its_heading(player, on):
    character = player.character
    Character.objects.filter(pk=player.pk).update(changed_at=character.changed_at - timedelta(days=1))
    assert regions(on("history", "mark", name="next evening")) == ["history"]


def test_an_undoing_that_is_undone_turns_all_that_it_goes_back_to(player, on, django_assert_max_num_queries):
    player.send("hit", **HIT)
    hit = player.last.sequence
    for times in range(1, 6):
        last, version = player.last.sequence, player.get("history/").context["live"].version
        with django_assert_max_num_queries(10 + SAVEPOINT):
            answer = on("history", "undo", version, change=last)
        turned = [f"change-{number}" for number in range(last, hit - 1, -1)]
        assert len(turned) == times
        assert regions(answer) == [today(player), *turned]
        fresh = player.get("history/")
        for id in (f"change-{last + 1}", *turned):
            assert row(answer, id, "</li>") == row(fresh, id, "</li>") is not None


def test_however_often_it_is_undone_and_done_again_a_page_asks_the_same(player, on):
    player.send("roll", roll="skill.athletics", target="30")
    asked = {}
    for _ in range(2):
        for page in ("", "history/", "history/?kind=dice", "rolls/"):
            with CaptureQueriesContext(connection) as queries:
                assert player.get(page).status_code == 200
            assert asked.setdefault(page, len(queries)) == len(queries), page
        for _ in range(MOST_TURNED):
            player.send("undo", change=player.last.sequence)
    assert regions(on("history", "undo", change=player.last.sequence)) == ["history"]  # so many turn that all is drawn
    assert player.get("rolls/").context["live"].rolls(9) == []
    on("history", "undo", change=player.last.sequence)
    assert len(player.get("rolls/").context["live"].rolls(9)) == 1


def test_of_one_kind_the_same_is_drawn(player, on):
    player.send("hit", **HIT)
    hit = player.last.sequence
    player.send("add-note", text="Rain.")
    for change in (hit, hit + 2):  # and once more: undone, and done again
        answer, fresh = on("history", "undo", change=change, kind="health"), player.get("history/?kind=health")
        rows = [f"change-{number}" for number in (hit + 2, hit) if number <= change]
        assert regions(answer) == [today(player), *rows]
        for id in (f"change-{player.last.sequence}", *rows):
            assert row(answer, id, "</li>") == row(fresh, id, "</li>") is not None


def test_of_one_kind_a_mark_stands_only_among_the_marks(player, on):
    answer = on("history", "mark", name="last night", kind="health")
    assert regions(answer) == ["marks"]
    assert row(answer, "marks", "</div>") == row(player.get("history/?kind=health"), "marks", "</div>") is not None


def test_of_one_kind_what_was_done_on_another_day_comes_whole(player, on):
    player.send("hit", **HIT)
    hit = player.last
    Change.objects.filter(pk=hit.pk).update(at=hit.at - timedelta(days=1))
    assert regions(on("history", "undo", change=hit.sequence, kind="health")) == ["history"]


def test_a_page_of_older_changes_stays_where_it_is(player, on):
    for number in range(4):
        player.send("add-note", text=f"Note {number}")
    last = player.last.sequence
    answer, fresh = on("history", "undo", change=last - 1, before=last), player.get(f"history/?before={last}")
    assert regions(answer) == [f"change-{last - 1}"]
    assert row(answer, f"change-{last - 1}", "</li>") == row(fresh, f"change-{last - 1}", "</li>") is not None
    marked = on("history", "mark", name="a", before=last)
    assert regions(marked) == ["marks"]
    assert f'name="before" value="{last}"' in marked.content.decode()
    plain = player.send("undo", htmx=False, page="history", before=last, change=last - 2)
    assert plain.headers["Location"] == f"{player.base}history/?before={last}#history"
    KEPT.values.clear()
    whole = on("history", "undo", "", change=last - 2, before=last)  # refused: it is undone
    assert whole.status_code == 422
    assert f'id="change-{last}"' not in whole.content.decode()
    assert whole.content.decode().count(f'name="before" value="{last}"') > 1  # to mark and to undo


def test_a_roll_comes_above_the_others_and_is_drawn_again_when_something_is_added(player, on):
    player.character.inputs.filter(stat__key="rank.spirit").update(value=15)  # two points of resolve
    player.send("roll", roll="skill.athletics", target="30")
    answer = on("rolls", "roll", roll="skill.athletics", target="30")
    roll = player.character.rolls.latest("pk").pk
    assert regions(answer) == ["rolls"]
    assert 'hx-target="#rolls" hx-swap="afterbegin"' in answer.content.decode()
    assert row(answer, f"roll-{roll}", "</form>") == row(player.get("rolls/"), f"roll-{roll}", "</form>") is not None
    added = on("rolls", "spend-on", roll=roll, do="up")
    assert regions(added) == [f"roll-{roll}"]
    assert row(added, f"roll-{roll}", "</p>") == row(player.get("rolls/"), f"roll-{roll}", "</p>") is not None


def test_with_the_last_point_of_resolve_every_roll_is_drawn_again(player, on):
    player.send("roll", roll="skill.athletics", target="30")
    player.send("adjust", resource="resolve", amount="1")
    answer = on("rolls", "spend-on", roll=player.character.rolls.latest("pk").pk, do="up")
    assert regions(answer) == ["rolls"]
    assert 'hx-swap="outerMorph"' in answer.content.decode()
    assert "One resolve on it" not in answer.content.decode()
