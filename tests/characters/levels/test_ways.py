"""Requirements: met or not, the shortest way to meet them, and exceptions made with a reason."""

import pytest
from django.test import Client

from characters import verbs
from characters.change.refusals import Refused
from rules.engine import derive, options_for
from rules.engine.levels import answered
from rules.engine.shortest_path import way_to
from tests.characters.levels.conftest import TALENT, Leveler
from tests.support.guild import REACHABLE
from tests.support.heroes import hero

pytestmark = pytest.mark.full

WEAK = {"strength": 12, "agility": 10, "vitality": 10, "mind": 10, "spirit": 10, "presence": 10}


@pytest.fixture
def bundle(guild_bundle):
    return guild_bundle


@pytest.fixture(scope="module")
def begun(guild_loaded, shared):
    return shared(
        lambda: Leveler(Client(), house_rules={"sources": ["guild"]}, abilities={"method": "manual", "ranks": WEAK})
    )


@pytest.fixture
def member(begun, guild, client):
    return begun.in_browser(client)


def replay(bundle, build, way):
    """The character after the way, each level earned as it comes."""
    for answer in way:
        earned = bundle.game.levels.at_level(bundle, build, max(answer.level, derive(bundle, build).level))
        option = next(
            (one for one in options_for(bundle, earned, derive(bundle, earned), answer.choice, answer.level)
             if one.ref == answer.targets[0]), None,
        )  # fmt: skip
        assert option is None or not option.why_not
        build = answered(bundle, earned, [answer])
        assert not derive(bundle, build).problems
    return build


@pytest.mark.parametrize("slug", REACHABLE)
def test_each_way_is_legal_when_it_is_walked(bundle, slug):
    build = hero(level=1, **WEAK)
    way = way_to(bundle, build, f"talent:{slug}", 2)
    there = derive(bundle, replay(bundle, build, way))
    assert f"talent:{slug}" in there.active


@pytest.mark.parametrize(
    ("slug", "levels"),
    [
        ("strong-arm", 2),
        ("quick-wit", 2),
        ("veteran", 4),
        ("seasoned", 1),
        ("unbowed", 5),
        ("brawny", 3),
        ("either-way", 3),
        ("master", 4),
    ],
)
def test_each_way_is_the_shortest(bundle, slug, levels):
    assert len(way_to(bundle, hero(level=1, **WEAK), f"talent:{slug}", 2)) == levels


def test_every_missing_requirement_is_named_beside_the_way(bundle):
    build = hero(level=1)
    offered = options_for(bundle, build, derive(bundle, build), "core-rules.level-talent", 2)
    (unbowed,) = (one for one in offered if one.ref == "talent:unbowed")
    assert unbowed.why_not == "Needs Tough. Needs Provoke."


def test_an_entry_that_no_pick_leads_to_has_no_way(bundle):
    assert way_to(bundle, hero(level=1), "talent:chosen", 2) is None
    assert way_to(bundle, hero(level=1), "feature:provoke", 2) is None
    assert len(way_to(bundle, hero(level=1), "talent:medic", 2)) == 1


def test_the_way_to_a_second_job_meets_its_requirement_first(bundle):
    way = way_to(bundle, hero(level=1, presence=11), "job:knight", 2)
    assert [answer.targets for answer in way] == [("job:fighter",), ("rank.presence",), ("job:knight",)] or [
        answer.targets for answer in way
    ] == [("rank.presence",), ("job:fighter",), ("job:knight",)]


def test_the_page_says_what_is_missing_and_how_to_get_there(member):
    member.earn(3)
    page = member.get("level-up").content.decode()
    assert "Needs Strength at least 13." in page
    assert "Shortest way: +1 Strength at level 2, then at level 3." in page


def test_an_unmet_requirement_is_refused_unless_a_reason_makes_it_an_exception(member):
    member.earn(2)
    with pytest.raises(Refused, match="Needs Strength at least 13"):
        member.up(2, TALENT, ["talent:strong-arm"])
    page = member.get("level-up", take=TALENT, **{"for": "talent:strong-arm"}).content.decode()
    assert "Why it is allowed anyway" in page
    refused = member.post("level-up", level="2", take=TALENT, **{"for": "talent:strong-arm"})
    assert refused.status_code == 422
    assert refused.content.decode().count("Say why it is allowed anyway.") == 1
    assert 'id="refusal"' not in refused.content.decode()
    member.up(2, TALENT, ["talent:strong-arm"], override="Won the wrestling at the fair")
    assert not member.sheet.problems
    assert "Won the wrestling at the fair" in member.get("levels").content.decode()
    assert '"override": "Won the wrestling at the fair"' in member.file


def test_an_exception_is_made_to_requirements_only(member):
    member.earn(3)
    member.up(2, TALENT, ["talent:medic"], override="Not needed")
    assert "override" not in member.facts["choice:core-rules.level-talent@2"][0]
    with pytest.raises(Refused, match=r"^You have it already\.$"):
        member.up(3, TALENT, ["talent:medic"], override="Please")
    with pytest.raises(Refused, match="taken already"):
        member.up(2, TALENT, ["talent:strong-arm"], override="Please")


def test_a_requirement_lost_later_is_a_problem(member):
    member.earn(4)
    member.up(2, "core-rules.level-abilities", ["rank.strength", "rank.mind"])
    member.up(3, TALENT, ["talent:strong-arm"])
    change = member.do(
        verbs.change_level, level=2, take="core-rules.level-job", targets=["job:fighter"], saw=member.saw
    )
    assert "no longer fit" in change.sentence
    assert "Strong arm needs Strength at least 13" in member.get("levels").content.decode()


def test_a_requirement_met_only_later_is_met_too_late(member):
    """A talent at level 3 is not helped by the Strength of level 4."""
    member.earn(5)
    member.up(2, "core-rules.level-abilities", ["rank.strength", "rank.mind"])
    member.up(3, TALENT, ["talent:strong-arm"])
    member.up(4, "core-rules.level-abilities", ["rank.strength", "rank.mind"])
    member.do(verbs.change_level, level=2, take="core-rules.level-job", targets=["job:fighter"], saw=member.saw)
    assert [problem.text for problem in member.sheet.problems] == [
        "Strong arm needs Strength at least 13; level 3 was too early."
    ]
