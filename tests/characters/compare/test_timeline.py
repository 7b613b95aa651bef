"""Every level with its date, its picks, their effects, and the person who made them."""

import re

import pytest
from django.utils import timezone

from characters import verbs
from characters.models import Change
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import play
from tests.support.characters import put_xp
from tests.support.html import html_of

from .conftest import allow


def stop(text, level):
    """The text of one level's entry."""
    return re.search(rf'id="level-{level}".*?(?=<li class="stop|</ol>\s*(<nav|</div>))', text, re.DOTALL)[0]


def test_every_level_says_what_was_taken_and_what_it_changed(read):
    text = read("timeline/")
    assert re.findall(r'id="level-(\d+)"', text) == ["7", "6", "5", "4", "3", "2", "1"]
    assert "Champion" in stop(text, 3)
    assert "martial path" in stop(text, 3)
    assert "+1 Strength" in stop(text, 4)
    assert "Medic" in stop(text, 5)
    assert "<del>24</del><ins>36</ins>" in stop(text, 3)
    assert "Human" in stop(text, 1)
    assert "Not taken yet." in stop(text, 6)


def test_the_answers_of_level_1_are_in_the_order_of_the_builder(read):
    entry = stop(read("timeline/"), 1)
    answers = ["Human culture", "Elvish", "Ambassador", "Free", "+2 Strength", "Fighter, rank 1", "fighting style"]
    assert sorted(answers, key=entry.index) == answers


def test_one_of_several_skills_is_called_a_skill(read):
    page = read("timeline/")
    tags = set(re.findall(r'<span class="tag">([a-z ]+)</span>', page))
    assert "skill" in tags
    assert not tags & {"skills", "languages"}


def test_each_level_has_its_date_and_who_took_it(read, character):
    change = allow(character)
    moment = timezone.now().replace(year=2026, month=3, day=9)
    Change.objects.filter(pk=change.pk).update(at=moment)
    entry = stop(read("timeline/"), 6)
    assert "9 March 2026" in entry
    assert "by you" in entry


def test_a_changed_level_lists_the_changes_that_shaped_it(read, character):
    allow(character)
    what = {"choice": "core-rules.level-job", "drop": "job:fighter", "level": 6}
    change = verbs.unchoose(character.pk, person(), new_key(), **what)
    play.undo(character.pk, person(), new_key(), change.sequence)
    entry = stop(read("timeline/"), 6)
    assert "3 changes shaped it" in entry
    assert "Undone:" in entry


def test_an_exception_is_shown_with_its_reason(read, character):
    allow(character)
    entry = stop(read("timeline/"), 6)
    assert "By exception:" in entry
    assert "Saved the duke &lt;b&gt;twice&lt;/b&gt;" in entry


def test_each_level_links_to_its_sheet_and_its_comparison(read, character):
    entry = stop(read("timeline/"), 4)
    assert f"/characters/{character.pk}/at/4/" in entry
    assert "compare/?first=3&amp;second=4" in entry


@pytest.mark.parametrize("asked", ["1", "2", "99", "-1", "x", "\0"])
def test_levels_are_paged_ten_at_a_time(db, client, asked):
    character = mira(xp=24_000)
    client.force_login(person().user)
    response = client.get(f"/characters/{character.pk}/timeline/", {"page": asked})
    assert response.status_code == 200
    assert 5 <= html_of(response).count('id="level-') <= 10


def test_a_character_without_decisions_has_a_timeline(client, ana):
    fresh = verbs.start(person(), new_key()).character
    assert "Nothing is decided yet." in html_of(client.get(f"/characters/{fresh.pk}/timeline/"))


def test_the_highest_level_there_is_can_be_shown(db, client):
    character = mira(xp=100_000_000)
    client.force_login(person().user)
    assert "Level 10000" in html_of(client.get(f"/characters/{character.pk}/timeline/"))


def test_the_timeline_takes_at_most_fourteen_queries_however_long_the_history(
    read, character, django_assert_max_num_queries
):
    for xp in range(7000, 7030):
        put_xp(character.pk, person(), xp)
    read("timeline/")
    with django_assert_max_num_queries(14):
        read("timeline/")


def test_a_level_taken_but_not_earned_is_not_shown_as_planned(read, character):
    put_xp(character.pk, person(), 0)
    text = read("timeline/")
    assert "not earned</span>" in text
    assert "planned</span>" not in text
