"""The page of a level that was taken: what it brought, read from the change that took it."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from characters import verbs
from characters.models import Grant
from tests.characters.levels.conftest import ABILITIES, JOB, TALENT
from tests.support.html import html_of


def moment(ysolde, change):
    return html_of(ysolde.get("gained", change.sequence))


def main(page):
    """The page's words on the level, without the buttons and the keys of the forms."""
    return page.partition('class="moment"')[2].partition("moment-do")[0]


def test_taking_a_level_leads_to_the_page_of_what_it_brought(ysolde):
    health = ysolde.sheet.value("health.max")
    ysolde.earn(2)
    response = ysolde.post("level-up", level="2", take=JOB, **{"for": "job:fighter"})
    page = html_of(ysolde.client.get(response.headers["Location"]))
    assert '<span class="moment-level">Level 2</span>' in page
    assert '<span class="moment-pick">Fighter 2</span>' in page
    assert f"<del>{health}</del> <ins>{ysolde.sheet.value('health.max')}</ins>" in page
    assert "Action Surge" in page
    assert "take one additional action" in page  # in the rules' own words
    assert "1 use, back after a short rest" in page
    assert f'href="{ysolde.character.get_absolute_url()}">Back to the sheet' in page


def test_the_page_tells_an_action_that_does_more(ysolde):
    ysolde.earn(2)
    assert "<del>2D+2</del> <ins>2D+4</ins>" in moment(ysolde, ysolde.up(2))


def test_taking_a_planned_level_leads_to_its_page_too(ysolde):
    ysolde.do(verbs.plan_level, level=2, take=TALENT, targets=["talent:medic"], saw=ysolde.saw)
    ysolde.earn(2)
    where = ysolde.post("take-planned", 2).headers["Location"]
    assert '<span class="moment-pick">Medic</span>' in html_of(ysolde.client.get(where))


def test_the_page_shows_what_the_picks_answers_brought(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    page = moment(ysolde, ysolde.up(3, answers={"fighter.martial-path": ["path:champion"]}))
    assert "Champion" in page
    assert "Improved Critical" in page


def test_gains_of_a_level_itself_are_shown_with_that_levels_pick(ysolde):
    """All the experience came at once; the skill bonus of level 6 belongs to level 6."""
    ysolde.earn(6)
    changes = [ysolde.up(level, ABILITIES, ["rank.mind", "rank.spirit"]) for level in range(2, 7)]
    told = ["Skill bonus" in moment(ysolde, change) for change in changes]
    assert told == [False, False, False, False, True]


def test_a_check_is_named_apart_from_its_ability_and_an_attack_with_its_grip(ysolde):
    ysolde.earn(2)
    page = main(moment(ysolde, ysolde.up(2, ABILITIES, ["rank.strength"] * 2)))
    assert "Strength modifier" in page
    assert "Strength check" in page
    assert "Longsword (one hand)" in page
    assert "Unarmed strike (" not in page


def test_the_page_stays_the_same_after_later_changes(ysolde):
    ysolde.earn(4)
    change = ysolde.up(2, ABILITIES, ["rank.strength"] * 2)
    before = main(moment(ysolde, change))
    ysolde.up(3, ABILITIES, ["rank.strength"] * 2)
    ysolde.do(verbs.change_level, level=2, take=TALENT, targets=["talent:medic"], saw=ysolde.saw)
    assert before
    assert main(moment(ysolde, change)) == before


def test_the_page_replays_the_journal_once(ysolde):
    ysolde.earn(2)
    change = ysolde.up(2)
    with CaptureQueriesContext(connection) as queries:
        moment(ysolde, change)
    assert sum(query["sql"].startswith('SELECT "characters_change"."before" AS') for query in queries) == 1


def test_the_next_open_level_is_one_press_away(ysolde):
    ysolde.earn(3)
    page = moment(ysolde, ysolde.up(2))
    assert "Take level 3</a>" in page
    page = moment(ysolde, ysolde.up(3, TALENT, ["talent:medic"]))
    assert "take-next" not in page


def test_a_level_is_undone_from_its_page_which_then_says_so(ysolde):
    ysolde.earn(2)
    change = ysolde.up(2)
    assert 'id="undo-level"' in moment(ysolde, change)
    ysolde.post("play-undo", change=change.sequence)
    assert ysolde.sheet.picks.taken == 0
    page = moment(ysolde, change)
    assert "This level was undone." in page
    assert "undo-level" not in page
    assert "Fighter 2" in page


def test_undo_on_the_page_of_a_level_leads_to_the_levels(ysolde):
    ysolde.earn(2)
    change = ysolde.up(2)
    assert '<input type="hidden" name="page" value="levels">' in moment(ysolde, change)
    answer = ysolde.post("play-undo", change=change.sequence, page="levels")
    assert answer["Location"].startswith(reverse("characters:levels", args=[ysolde.pk]))
    assert "Take level 2" in html_of(ysolde.get("levels"))


def test_the_history_links_to_the_page_of_a_level(ysolde):
    ysolde.earn(2)
    change = ysolde.up(2)
    page = html_of(ysolde.get("history"))
    assert page.count("What it brought") == 1
    assert reverse("characters:gained", args=[ysolde.pk, change.sequence]) in page


def test_other_changes_have_no_such_page(ysolde):
    ysolde.earn(2)
    assert ysolde.get("gained", ysolde.character.version).status_code == 404
    assert ysolde.get("gained", 10**9).status_code == 404


@pytest.mark.parametrize(("role", "status"), [("party", 404), ("reader", 404), ("storyteller", 200)])
def test_the_page_is_for_those_who_play_or_run_the_character(ysolde, role, status):
    ysolde.earn(2)
    change = ysolde.up(2)
    other = User.objects.create_user("bo")
    Grant.objects.create(character=ysolde.character, user=other, role=role)
    ysolde.client.force_login(other)
    assert ysolde.get("gained", change.sequence).status_code == status


def test_the_page_writes_nothing_and_takes_at_most_thirty_queries(ysolde, django_assert_max_num_queries):
    ysolde.earn(2)
    change = ysolde.up(2)
    for _ in range(5):
        ysolde.do(verbs.rename, name="Ysa")
        ysolde.do(verbs.rename, name="Ysolde")
    before = ysolde.character.version
    with django_assert_max_num_queries(30):
        moment(ysolde, change)
    assert ysolde.character.version == before
