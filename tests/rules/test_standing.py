"""For everything that may be chosen: whether a character has it, could take it or lacks something. It agrees with the
options of each choice."""

from dataclasses import replace

import pytest

from rules.compile import bundle_for
from rules.engine import Build, Decision, derive
from rules.engine.options import options_for
from rules.engine.standing import HAS, INSTEAD, LACKS, OPEN, standings
from rules.packs.load import load_rules
from tests.support.heroes import by_chance

from .small_pack import write_layer

pytestmark = [pytest.mark.django_db, pytest.mark.full]

TALENTS = """
- {slug: free, name: Free}
- {slug: strong, name: Strong, requires: [{test: stat_min, stat: rank.strength, value: 15}]}
- {slug: veteran, name: Veteran, requires: [{test: rank, element: job:fighter, value: 3}, {test: level, value: 4}]}
- slug: either
  name: Either
  requires:
    - {test: has, element: lineage:elf, either: 1}
    - {test: has, element: lineage:dwarf, either: 1}
"""


@pytest.fixture(scope="module")
def house(shared, tmp_path_factory):
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    shared(lambda: load_rules(write_layer(tmp_path_factory.mktemp("house"), source=source, talents=TALENTS)))


@pytest.fixture
def bundle(house):
    return bundle_for("polyhedral", ["polyhedral-core", "house"])


def made(bundle, *more, xp=0, strength=10, lineage="elf"):
    decisions = (
        Decision("core-rules.job", ref="job:fighter"),
        Decision("core-rules.lineage", ref=f"lineage:{lineage}"),
        Decision("core-rules.culture", ref="culture:human-culture"),
        *more,
    )
    return Build(xp=xp, inputs={"rank.strength": strength}, decisions=decisions)


def standing(bundle, build):
    return standings(bundle, build, derive(bundle, build))


def test_each_requirement_that_fails_is_named(bundle):
    found = standing(bundle, made(bundle, lineage="human"))
    assert found["talent:free"].state == OPEN
    assert found["talent:strong"].state == LACKS
    assert found["talent:strong"].why[0].endswith("at least 15.")
    assert found["talent:veteran"].why == ("Needs Fighter rank 3.", "Needs level 4.")
    assert found["talent:either"].why == ("Needs Elf or Dwarf.",)


def test_an_entry_whose_requirements_are_met_can_be_taken(bundle):
    ranks = [Decision("core-rules.level-job", level, ref="job:fighter") for level in (2, 3)]
    found = standing(bundle, made(bundle, *ranks, xp=3000, strength=15))
    assert {found[f"talent:{slug}"].state for slug in ("free", "strong", "veteran", "either")} == {OPEN}
    assert "You have a level for it." in found["talent:strong"].why


def test_a_talent_comes_with_the_next_level_if_none_is_left_to_spend(bundle):
    answered = Decision("human-culture.talent", ref="talent:tough")
    found = standing(bundle, made(bundle, answered))
    assert found["talent:free"] == (OPEN, ("With your next level.",))
    assert found["talent:tough"].state == HAS


def test_an_option_says_if_its_question_is_open_or_answered(bundle):
    found = standing(bundle, made(bundle))
    assert found["lineage:elf"].state == HAS
    assert found["lineage:human"] == (INSTEAD, ("In place of Elf.",))
    assert found["disposition:good"].state == OPEN
    assert found["disposition:good"].why[0].startswith("Still to choose: ")


def test_an_entry_that_another_offers_says_that_it_needs_the_other(bundle):
    found = standing(bundle, made(bundle))
    assert found["path:champion"] == (LACKS, ("Needs Fighter rank 3.",))
    assert found["tool:smiths-tools"].why[0].startswith("Needs Dwarven culture")
    ranks = [Decision("core-rules.level-job", level, ref="job:fighter") for level in (2, 3)]
    assert standing(bundle, made(bundle, *ranks, xp=2000))["path:champion"].state == OPEN


PATHS = """
- {slug: hermit, name: Hermit, parent: job:fighter}
- slug: elder
  name: Elder
  parent: job:fighter
  requires: [{test: level, value: 4}]
"""


@pytest.mark.parametrize(("answered", "state"), [(False, OPEN), (True, INSTEAD)], ids=["open", "answered"])
def test_a_requirement_must_be_met_at_the_level_of_the_question(tmp_path, answered, state):
    """The path is chosen at level 3, so one that needs level 4 cannot be taken, not even at level 4."""
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    load_rules(write_layer(tmp_path / "house", source=source, paths=PATHS))
    bundle = bundle_for("polyhedral", ["polyhedral-core", "house"])
    ranks = [Decision("core-rules.level-job", level, ref="job:fighter") for level in (2, 3, 4)]
    path = [Decision("fighter.martial-path", 3, ref="path:champion")] if answered else []
    build = made(bundle, *ranks, *path, xp=3000)
    found = standing(bundle, build)
    assert found["path:elder"] == (LACKS, ("Needs level 4 at level 3 already.",))
    said = "In place of Champion, at level 3." if answered else "Still to choose: Choose a martial path"
    assert found["path:hermit"] == (state, (said,))
    options = options_for(bundle, build, derive(bundle, build), "fighter.martial-path", 3)
    assert {one.ref: bool(one.why_not) for one in options if one.ref in ("path:elder", "path:hermit")} == {
        "path:elder": True,
        "path:hermit": False,
    }


def test_an_answer_does_not_meet_the_requirement_of_what_would_replace_it(tmp_path):
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    heir = "- {slug: heir, name: Heir, requires: [{test: has, element: talent:tough}]}"
    load_rules(write_layer(tmp_path / "house", source=source, talents=heir))
    bundle = bundle_for("polyhedral", ["polyhedral-core", "house"])
    build = made(bundle, Decision("human-culture.talent", ref="talent:tough"))
    (offered,) = (one for one in offers(bundle, build, "human-culture.talent") if one.ref == "talent:heir")
    assert offered.why_not == "Needs Tough."
    assert standing(bundle, build)["talent:heir"] == (OPEN, ("With your next level.",))


def test_the_starting_job_may_be_replaced_where_there_is_only_one(tmp_path):
    """The fighter asks to be the starting job if the house rules allow no second one."""
    source = "{ruleset: {slug: polyhedral}, source: {slug: house, title: House}}"
    load_rules(write_layer(tmp_path / "house", source=source, jobs="- {slug: scout, name: Scout, max_rank: 15}"))
    bundle = bundle_for("polyhedral", ["polyhedral-core", "house"])
    scout = Decision("core-rules.job", ref="job:scout")
    build = replace(made(bundle), switches={"multipleJobs": "off"})
    build = replace(build, decisions=(scout, *build.decisions[1:]))
    (fighter,) = (one for one in offers(bundle, build, "core-rules.job") if one.ref == "job:fighter")
    assert not fighter.why_not
    assert standing(bundle, build)["job:fighter"] == (INSTEAD, ("In place of Scout.",))


def offers(bundle, build, key):
    return options_for(bundle, build, derive(bundle, build), key, 1)


def test_a_job_that_the_character_has_offers_its_next_rank(bundle):
    found = standing(bundle, made(bundle))
    assert found["job:fighter"] == (OPEN, ("With your next level. It is rank 2.",))


def test_an_entry_of_a_source_that_is_not_in_play_has_no_standing(bundle):
    core = bundle_for("polyhedral", ["polyhedral-core"])
    assert "talent:free" not in standing(core, made(core))


@pytest.mark.parametrize("seed", range(10))
def test_an_option_that_a_choice_can_give_is_open(bundle, seed):
    """Checked at the character's level, for each question that is still open and each level still to spend."""
    build = by_chance(bundle, seed)
    dropped = {"human-culture.talent", "human-culture.skills", "core-rules.disposition", "fighter.fighting-style"}
    build = replace(build, decisions=tuple(one for one in build.decisions if one.choice not in dropped))
    sheet = derive(bundle, build)
    found = standings(bundle, build, sheet)
    options: dict[str, list] = {}
    for line in sheet.choices:
        if line.open and line.choice.options and not line.choice.for_duplicates:
            for option in options_for(bundle, build, sheet, line.choice.key, line.level):
                options.setdefault(option.ref, []).append(option)
    checked = 0
    for ref, each in options.items():
        if any(option.taken for option in each):
            continue
        checked += 1
        can = any(not option.why_not for option in each)
        assert (found[ref].state == OPEN) >= can, (ref, found[ref], each)
        if found[ref].state == HAS:
            assert not can
    assert checked
