"""A retired job: a character with a rank in it can gain more, and no other character can begin it."""

import pytest

from characters import verbs
from characters.change.refusals import Refused
from rules.engine.standing import OPEN, standings
from rules.models import Job
from rules.publications import publish
from tests.characters.levels.conftest import JOB, TALENT
from tests.support.characters import sheet_of
from tests.support.edits import retire

FIGHTER = "job:fighter"


@pytest.fixture
def fighter(ysolde):
    """A fighter of rank 1 with two levels to spend, whose job is retired now."""
    ysolde.earn(3)
    retire(FIGHTER)
    return ysolde


def on_the_page(member, name="level-up", *arguments):
    columns = member.get(name, *arguments).context["columns"]
    return {card.name: card for column in columns if column.key == JOB for card in column.cards}


def test_a_fighter_goes_on_with_a_retired_job(fighter):
    assert on_the_page(fighter)["Fighter"].rank == 2
    picked = fighter.get("level-up", take=JOB, **{"for": FIGHTER}).context["pick"]
    assert (picked.name, picked.lacks) == ("Fighter 2", "")
    health = fighter.sheet.value("health.max")
    fighter.up(2)
    fighter.up(3, answers={"fighter.martial-path": ["path:champion"]})
    assert fighter.sheet.value("rank.fighter") == 3
    assert fighter.sheet.value("health.max") > health
    assert "path:champion" in fighter.sheet.active


def test_the_sheet_says_once_that_the_job_is_retired(fighter):
    fighter.up(2)
    told = [problem.where for problem in fighter.sheet.problems if "no longer offered" in problem.text]
    assert told == ["job"]


def test_a_later_rank_of_a_retired_job_is_planned_and_stands_among_what_can_be_taken(fighter):
    bundle, build, sheet = sheet_of(fighter.character)
    standing = standings(bundle, build, sheet)[FIGHTER]
    assert (standing.state, standing.why) == (OPEN, ("You have a level for it. It is rank 2.",))
    fighter.earn(1)
    assert on_the_page(fighter, "plan-level", 2)["Fighter"].rank == 2


def test_a_level_goes_back_to_a_retired_job_while_another_rank_is_there(fighter):
    fighter.up(2)
    for take, target in [(TALENT, "talent:medic"), (JOB, FIGHTER)]:
        fighter.do(verbs.change_level, level=2, take=take, targets=[target], saw=fighter.saw)
    assert fighter.sheet.value("rank.fighter") == 2


def test_nobody_else_begins_a_retired_job(ysolde, guild):
    ysolde.earn(2)
    ysolde.do(verbs.set_sources, sources=["guild"])
    assert "Scout" in on_the_page(ysolde)
    Job.objects.filter(slug="scout").update(status="retired")
    publish(guild)
    assert "Scout" not in on_the_page(ysolde)
    bundle, build, sheet = sheet_of(ysolde.character)
    assert "job:scout" not in standings(bundle, build, sheet)
    with pytest.raises(Refused, match="not offered"):
        ysolde.up(2, JOB, ["job:scout"])


def test_a_retired_job_ends_at_its_last_rank(fighter):
    Job.objects.filter(slug="fighter").update(max_rank=1, limit_break=False)
    retire(FIGHTER)
    assert on_the_page(fighter)["Fighter"].why_not == "Fighter ends at rank 1."
    with pytest.raises(Refused, match="ends at rank 1"):
        fighter.up(2)
