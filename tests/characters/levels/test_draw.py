"""A level page fetched by htmx: the same page, but the message is announced instead of shown on top."""

import pytest

from characters import verbs
from tests.characters.levels.conftest import JOB, TALENT

pytestmark = pytest.mark.full


def after_taking_back(ysolde, **headers):
    ysolde.earn(3)
    ysolde.up(2)
    back = ysolde.post("take-back-level", level="2")
    return ysolde.client.get(back.headers["Location"], headers=headers)


def test_without_htmx_the_message_is_on_the_page(ysolde):
    page = after_taking_back(ysolde)
    assert "Ysolde Marrow undoes level 2: Fighter." in page.content.decode()
    assert "HX-Trigger" not in page.headers


def test_with_htmx_the_message_is_announced_once(ysolde):
    page = after_taking_back(ysolde, hx_request="true")
    assert page.headers["HX-Trigger"] == '{"say": {"value": "Ysolde Marrow undoes level 2: Fighter."}}'
    assert "undoes level" not in page.content.decode()
    again = ysolde.client.get(page.request["PATH_INFO"], headers={"hx-request": "true"})
    assert "HX-Trigger" not in again.headers
    assert "undoes level" not in again.content.decode()


def test_every_response_has_the_region_that_is_swapped(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    pick = {"take": TALENT, "for": "talent:medic"}
    answers = [
        ysolde.get("levels"), ysolde.get("level-up"), ysolde.get("level-up", **pick), ysolde.get("level-up", take="x"),
        ysolde.get("plan"), ysolde.get("plan-level", 3), ysolde.get("change-level", 2, **pick),
        ysolde.post("level-up", level="2", **pick), ysolde.post("level-up", level="3", saw="old:1", **pick),
        ysolde.post("experience", amount="0"), ysolde.post("take-back-level", level="9"), ysolde.post("forget-plan"),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers] == [200, 200, 200, 422, 200, 200, 200, 422, 409, 422, 422, 422]
    assert all(answer.content.decode().count('id="level-page"') == 1 for answer in answers)


@pytest.mark.parametrize("page", ["levels", "level-up", "plan"])
def test_a_page_that_tries_out_a_plan_takes_at_most_fourteen_queries(ysolde, page, django_assert_max_num_queries):
    ysolde.earn(4)
    ysolde.do(verbs.plan_level, level=2, take=JOB, targets=["job:fighter"], saw=ysolde.saw)
    assert 'id="take-planned"' in ysolde.get(page).content.decode()
    with django_assert_max_num_queries(14):
        ysolde.get(page)
