"""Levels ahead: planned without being taken, checked again as things change, taken with one press."""

import json

import pytest

from characters import verbs
from characters.change.refusals import MovedOn, Refused
from tests.characters.cast import document, new_key, person
from tests.characters.levels.conftest import ABILITIES, JOB, TALENT
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = pytest.mark.full

PATH = {"fighter.martial-path": ["path:champion"]}


def plan(ysolde, level, take=JOB, targets=("job:fighter",), **what):
    return ysolde.do(verbs.plan_level, level=level, take=take, targets=list(targets), saw=ysolde.saw, **what)


@pytest.fixture
def planner(ysolde):
    plan(ysolde, 2)
    plan(ysolde, 3, answers=PATH)
    plan(ysolde, 4, ABILITIES, ["rank.strength"] * 2)
    return ysolde


def test_a_plan_changes_nothing_on_the_sheet(ysolde):
    before = ysolde.sheet
    plan(ysolde, 2)
    plan(ysolde, 3, answers=PATH)
    assert ysolde.sheet == before
    assert ysolde.facts["plan:fighter.martial-path@3"] == [{"ref": "path:champion"}]


def test_a_plan_is_shown_apart_on_the_sheet_and_on_its_own_page(planner):
    assert "Planned: 2 Fighter 2" in html_of(planner.get("sheet"))
    page = html_of(planner.get("plan"))
    assert "Fighter 3" in page
    assert "Champion" in page
    assert "+2 Strength" in page


def test_the_next_planned_level_is_taken_with_one_press(planner):
    assert planner.post("take-planned", 2).status_code == 422  # not earned
    planner.earn(4)
    assert planner.post("take-planned", 3).status_code == 422  # not the next
    for level in (2, 3, 4):
        assert planner.post("take-planned", level).status_code == 303
    assert planner.sheet.picks.open == 0
    assert "path:champion" in planner.sheet.active
    assert not planner.sheet.problems


def test_a_plan_that_would_be_refused_has_no_button(ysolde):
    """The plan is tried out first. Here the rank has become the third, which asks for a path that was not planned."""
    plan(ysolde, 2, TALENT, ["talent:medic"])
    plan(ysolde, 3)
    ysolde.earn(3)
    for page in ("levels", "level-up", "plan"):
        assert 'id="take-planned"' in html_of(ysolde.get(page))
    ysolde.up(2)
    for page in ("levels", "level-up", "plan"):
        body = html_of(ysolde.get(page))
        assert 'id="take-planned"' not in body
        assert "Choose a martial path." in body
    assert ysolde.post("take-planned", 3).status_code == 422


def test_an_old_page_takes_no_planned_level(planner):
    planner.earn(4)
    saw = planner.saw
    assert planner.post("take-planned", 2, saw=saw).status_code == 303
    assert planner.post("take-planned", 3, saw=saw).status_code == 409
    assert planner.sheet.picks.taken == 1


def test_a_planned_level_taken_and_taken_back_is_planned_as_before(planner):
    planner.earn(4)
    file = planner.file
    planner.do(verbs.take_planned, level=2, saw=planner.saw)
    planner.do(verbs.take_back_level, level=2)
    assert planner.file == file


def test_a_plan_is_checked_again_when_an_earlier_level_changes(planner):
    planner.earn(2)
    planner.up(2, TALENT, ["talent:medic"])
    page = html_of(planner.get("plan"))
    assert "this opens at level" in page or "this needs" in page
    assert "does not fit" in html_of(planner.get("sheet"))
    assert not planner.sheet.problems


def test_a_plan_is_checked_again_when_a_house_rule_changes(planner):
    assert "would pass" not in html_of(planner.get("plan"))
    planner.do(verbs.set_switches, values={"abilityCap": "16"})
    assert "would pass 16" in html_of(planner.get("plan"))


def test_a_plan_is_replaced_and_forgotten(planner):
    plan(planner, 4, TALENT, ["talent:medic"])
    assert "plan:core-rules.level-abilities@4" not in planner.facts
    assert planner.post("forget-plan", level="4").status_code == 303
    assert not [address for address in planner.facts if address.startswith("plan:") and address.endswith("@4")]
    assert planner.post("forget-plan", level="4").status_code == 422
    assert planner.post("forget-plan").status_code == 422
    assert planner.post("forget-plan", all="1").status_code == 303
    assert not [address for address in planner.facts if address.startswith("plan:")]


def test_a_forgotten_plan_is_not_restored_beside_another(planner):
    gone = planner.do(verbs.forget_plan, level=4)
    plan(planner, 4, TALENT, ["talent:medic"])
    with pytest.raises(MovedOn, match="level 4 has something else by now"):
        play.undo(planner.pk, planner.person, new_key(), gone.sequence)


@pytest.mark.django_db
def test_a_plan_of_a_thousand_levels_is_shown_and_forgotten(client):
    ahead = [{"level": at, "take": "job", "job": "fighter"} for at in range(2, 1_001)]
    text = json.dumps(document(xp=0, levels=None, state=None, plan=ahead))
    character = verbs.import_file(person(), new_key(), text=text).character
    client.force_login(person().user)
    assert client.get(f"{character.get_absolute_url()}plan/").status_code == 200
    sent = {"key": new_key(), "all": "1"}
    assert client.post(f"{character.get_absolute_url()}plan/forget/", sent).status_code == 303
    assert not character.planned.exists()


@pytest.mark.parametrize(
    ("level", "take", "targets", "sentence"),
    [
        (6, JOB, ["job:fighter"], "Level 5 comes first"),
        (5, TALENT, ["talent:tough"], "already"),
        (5, ABILITIES, ["rank.strength"] * 3, "too many"),
        (5, "x", ["y"], "cannot give you that"),
        (20_000, JOB, ["job:fighter"], "from 2"),
    ],
)
def test_a_plan_is_checked_like_the_level_itself(planner, level, take, targets, sentence):
    before = planner.facts
    with pytest.raises(Refused, match=sentence):
        plan(planner, level, take, targets)
    assert planner.facts == before


def test_taken_levels_are_not_planned(ysolde):
    ysolde.fighter_to(3)
    with pytest.raises(Refused, match="taken already"):
        plan(ysolde, 3)
    assert ysolde.get("plan-level", 3).status_code == 404
    assert ysolde.get("plan-level", 6).status_code == 404
    assert ysolde.get("plan-level", 4).status_code == 200


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_below_the_first_pick_is_not_planned(ysolde, level):
    assert ysolde.get("plan-level", level).status_code == 404
    with pytest.raises(Refused):
        plan(ysolde, level)
    refused = ysolde.post("plan-level", level, take=JOB, to="job:fighter")
    assert refused.status_code == 422
    assert "Enter a whole number from 2" in refused.content.decode()


def test_a_level_is_planned_by_its_form(ysolde):
    response = ysolde.post("plan-level", 2, take=JOB, **{"for": "job:fighter"})
    assert response.headers["Location"].endswith("/plan/")
    assert ysolde.post("plan-level", 3, take=JOB, **{"for": "job:fighter"}).status_code == 422  # the path is asked


def test_the_file_carries_the_plan_and_is_the_same_without_one(planner, ysolde):
    document = json.loads(planner.file)
    assert document["plan"][1] == {
        "level": 3, "take": "job", "job": "fighter", "choices": {"fighter.martial-path": ["champion"]},
    }  # fmt: skip
    again = verbs.import_file(planner.person, "the-file-once-more", text=planner.file).character
    from characters.read.character_file import write_file

    assert write_file(again) == planner.file
    assert planner.do(verbs.forget_plan).verb == "forget_plan"
    assert "plan" not in json.loads(planner.file)


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        ({"level": 2, "take": "talent", "talent": "nope"}, "plan[0].talent"),
        ({"level": 1, "take": "talent", "talent": "medic"}, "plan[0].level"),
        ({"level": 2, "take": "job"}, "plan[0].job"),
        ({"level": 2, "take": "job", "job": "fighter", "more": 1}, "plan[0].more"),
        ({"level": 2, "choices": {"nope.nope": ["x"]}}, "plan[0].choices"),
    ],
)
def test_a_bad_plan_in_a_file_is_named_by_its_path(ysolde, entry, where):
    document = {**json.loads(ysolde.file), "plan": [entry]}
    with pytest.raises(verbs.begin.BadFile) as refused:
        verbs.import_file(ysolde.person, "a-file-with-a-fault", text=json.dumps(document))
    assert any(problem.where.startswith(where) for problem in refused.value.problems)
