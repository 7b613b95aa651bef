"""Second jobs, and every house rule on jobs, health and Stamina Dice, through the engine (section 8)."""

from dataclasses import replace

import pytest

from rules.engine import Award, Decision, derive, options_for
from rules.engine.content import Effect
from rules.games.polyhedral.sheet_json import open_choices
from tests.support.heroes import hero

JOB = "core-rules.level-job"


@pytest.fixture
def bundle(guild_bundle):
    return guild_bundle


def two_jobs(level=6, fighter=3, scout=3, first="fighter", **more):
    """Ranks of the first job, then of the second; Vitality 14."""
    second = "scout" if first == "fighter" else "fighter"
    ranks = {"fighter": fighter, "scout": scout}
    build = hero(level=level, rank=ranks[first], job=first, vitality=14, **more)
    later = tuple(Decision(JOB, ranks[first] + 1 + n, ref=f"job:{second}") for n in range(ranks[second]))
    return replace(build, decisions=build.decisions + later)


def saves(sheet):
    return {row.ref for row in sheet.proficiencies["saves"]}


def known(sheet):
    return {row.ref for place in ("armor", "weapons", "tools") for row in sheet.proficiencies[place]}


def test_ranks_of_both_jobs_count_and_give_health(bundle):
    sheet = derive(bundle, two_jobs())
    assert sheet.value("health.max") == 3 * 10 + 3 * 7
    assert (sheet.value("rank.fighter"), sheet.value("rank.scout"), sheet.value("job-ranks")) == (3, 3, 6)
    assert not [problem for problem in sheet.problems if "path" not in problem.text]


def test_saves_come_from_the_first_job_alone(bundle):
    assert saves(derive(bundle, two_jobs())) == {"ability:strength", "ability:vitality"}
    assert saves(derive(bundle, two_jobs(first="scout"))) == {"ability:agility", "ability:mind"}


def test_a_later_job_gives_all_one_or_none_of_its_proficiencies(bundle):
    build = two_jobs(first="scout")
    everything = {f"category:{name}" for name in ("heavy-armor", "medium-armor", "shields", "martial-weapons")}
    assert everything <= known(derive(bundle, build))
    none = derive(bundle, replace(build, switches={"laterJobProficiencies": "none"}))
    assert not everything & known(none)
    one = replace(build, switches={"laterJobProficiencies": "one"})
    assert [(line.choice.key, line.open) for line in derive(bundle, one).choices if "later" in line.choice.key] == [
        ("fighter.later-proficiency", 1)
    ]
    chosen = replace(one, decisions=(*one.decisions, Decision("fighter.later-proficiency", 4, ref="category:shields")))
    assert everything & known(derive(bundle, chosen)) == {"category:shields"}


def test_a_later_job_of_which_every_proficiency_is_known_asks_for_none(bundle):
    """Weapons and armor from two places are kept once (ruling 22), so nothing is left to choose."""
    scout = bundle.elements["job:scout"]
    trained = [
        Effect(kind="grant", owner=scout.ref, element=ref, grant_as="skilled")
        for ref in bundle.choices["fighter.later-proficiency"].options
    ]

    def asked(effects):
        taught = bundle.with_elements([replace(scout, effects=(*scout.effects, *effects))])
        lines = derive(taught, two_jobs(first="scout", switches={"laterJobProficiencies": "one"})).choices
        return [line.open for line in lines if line.choice.key == "fighter.later-proficiency"]

    assert asked(trained[:-1]) == [1]
    assert asked(trained) == [0]


def test_a_path_that_was_awarded_leaves_no_question_if_there_is_no_other(bundle):
    """Only the champion is printed, and the storyteller gave it before its rank."""
    build = hero(level=3, rank=3)
    assert [line.open for line in derive(bundle, build).choices if line.choice.slug == "martial-path"] == [1]
    given = replace(build, awards=(Award("path:champion", "For the duel"),))
    assert [line.open for line in derive(bundle, given).choices if line.choice.slug == "martial-path"] == [0]


def test_a_path_that_was_awarded_brings_its_features_at_ranks_of_its_job(bundle):
    given = (Award("path:champion", "For the duel"),)

    def gained(build):
        features = ("improved-critical", "remarkable-athlete", "additional-fighting-style", "survivor")
        return [slug for slug in features if f"feature:{slug}" in derive(bundle, build).active]

    assert gained(replace(hero(level=13, rank=2), awards=given)) == []
    assert gained(replace(hero(level=13, rank=8), awards=given)) == gained(hero(level=13, rank=8, path="champion"))
    jobless = replace(hero(level=13), decisions=(), awards=given)
    assert gained(jobless) == []


@pytest.mark.parametrize(("ranks", "attacks", "uses", "wind"), [(0, 2, 1, 0), (3, 2, 1, 6), (11, 3, 2, 22)])
def test_an_awarded_feature_of_a_job_counts_the_ranks_of_the_job(bundle, ranks, attacks, uses, wind):
    """Level 20 is not fighter rank 20 (ruling 30)."""
    given = [f"feature:{slug}" for slug in ("extra-attack", "indomitable", "second-wind")]
    build = two_jobs(level=20, first="scout", scout=5, fighter=ranks)
    sheet = derive(bundle, replace(build, awards=tuple(Award(ref, "For the siege") for ref in given)))
    assert (sheet.value("attacks"), sheet.value("indomitable.max")) == (attacks, uses)
    assert next(line.modifier for line in sheet.actions if line.action.slug == "second-wind") == wind
    waiting = {step.why for step in sheet.values["attacks"].because if step.why.startswith("only from fighter rank")}
    assert (f"only from fighter rank 11; it is {ranks}" in waiting) == (ranks < 11)


def test_an_awarded_feature_that_no_job_gives_counts_levels(bundle):
    sheet = derive(bundle, replace(hero(level=7, rank=2), awards=(Award("feature:darksight"),)))
    assert sheet.active["feature:darksight"].rank == 7


def test_a_style_of_an_awarded_path_is_swapped_at_a_rank_of_its_job(bundle):
    build = replace(hero(level=9, rank=9, styles=["defense"]), awards=(Award("path:champion"),))
    styles = tuple(
        Decision("champion.fighting-style", level, 0, ref=f"feature:{slug}")
        for level, slug in ((8, "dueling"), (9, "protection"))
    )
    sheet = derive(bundle, replace(build, decisions=(*build.decisions, *styles)))
    assert [problem.text for problem in sheet.problems] == []
    assert {"feature:protection", "feature:dueling"}.intersection(sheet.active) == {"feature:protection"}


def test_health_per_level_follows_the_starting_job(bundle):
    switched = {"healthPer": "level"}
    assert derive(bundle, two_jobs(switches=switched)).value("health.max") == 6 * 10
    assert derive(bundle, two_jobs(first="scout", switches=switched)).value("health.max") == 6 * 7


def test_stamina_dice_by_level_or_by_job_ranks(bundle):
    build = two_jobs(level=9)
    assert derive(bundle, build).value("stamina.max") == 9
    assert derive(bundle, replace(build, switches={"staminaDice": "jobRanks"})).value("stamina.max") == 6


def test_a_house_rule_allows_only_one_job(bundle):
    build = replace(hero(level=3, rank=2), switches={"multipleJobs": "off"})
    offered = {one.ref: one.why_not for one in options_for(bundle, build, derive(bundle, build), JOB, 3)}
    assert "More than one job" in offered["job:scout"]
    assert not offered["job:fighter"]
    assert [
        p.text
        for p in derive(bundle, replace(two_jobs(), switches={"multipleJobs": "off"})).problems
        if "Scout" in p.text
    ]
    assert not [p for p in derive(bundle, two_jobs()).problems if "Scout" in p.text]


@pytest.mark.parametrize(("word", "third", "true"), [("text", 11, 14), ("table", 9, 12)])
def test_the_fighter_advances_by_text_or_by_table(bundle, word, third, true):
    def at(rank):
        return derive(bundle, hero(level=rank, switches={"fighterProgression": word}))

    assert (at(third - 1).value("attacks"), at(third).value("attacks")) == (2, 3)
    assert "feature:strike-true" not in at(true - 1).active
    assert "feature:strike-true" in at(true).active


def test_a_house_rule_gives_skills_with_the_first_job(bundle):
    sheet = derive(bundle, hero(level=1, switches={"jobSkillPicks": "2"}))
    assert [line.open for line in sheet.choices if line.choice.key == "core-rules.job-skills"] == [2]


def test_a_skill_of_the_first_job_that_the_culture_brings_too_names_both_questions(bundle):
    build = hero(level=1, culture="human-culture", skills=["insight", "stealth"], switches={"jobSkillPicks": "1"})
    job = Decision("core-rules.job-skills", ref="skill:stealth")
    (problem,) = derive(bundle, replace(build, decisions=(*build.decisions, job))).problems
    assert problem.where == "choices.human-culture.skills[1]"
    assert problem.text == "Stealth comes from “Choose skills of your first job” already; choose another."


def test_a_job_without_limit_break_ends_with_its_table(bundle):
    build = two_jobs(level=12, fighter=3, scout=5)
    offered = {one.ref: one.why_not for one in options_for(bundle, build, derive(bundle, build), JOB, 9)}
    assert offered["job:scout"] == "Scout ends at rank 5."
    assert [p.text for p in derive(bundle, two_jobs(level=12, scout=6)).problems if "ends at rank 5" in p.text]


def test_the_fighter_goes_on_past_fifteen(bundle):
    sheet = derive(bundle, hero(level=27))
    assert sheet.value("rank.fighter") == 27
    assert sheet.value("limit-breaks") == 3
    asked = [(line.level, line.needs) for line in sheet.choices if line.choice.key == "fighter.limit-break"]
    assert asked == [(15, 1), (20, 1), (25, 1)]


def breaking(bundle, level, *answers):
    """A fighter with these limit breaks, each with its level: the level and room of each question, and the problems."""
    made = (Decision("fighter.limit-break", at, place, write_in=word) for place, (at, word) in enumerate(answers))
    build = hero(level=level, path="champion", styles=("defense", "dueling"))
    sheet = derive(bundle, replace(build, decisions=(*build.decisions, *made)))
    asked = [(line.level, line.open) for line in sheet.choices if line.choice.key == "fighter.limit-break"]
    return asked, [problem.text for problem in sheet.problems if "limit-break" in problem.where]


def test_each_limit_break_waits_for_its_rank(bundle):
    wall, gate = "The last wall", "The first gate"
    asked, (problem,) = breaking(bundle, 20, (15, wall), (15, gate))
    assert asked == [(15, 0), (20, 1)]
    assert problem == "Choose or write a limit break: only 1 choice."
    assert breaking(bundle, 20, (15, wall), (20, gate)) == ([(15, 0), (20, 0)], [])
    assert breaking(bundle, 20, (20, wall)) == ([(15, 1), (20, 0)], [])
    assert breaking(bundle, 20, (20, wall), (20, gate)) == ([(15, 0), (20, 0)], [])  # the first came late
    assert {"choice": "fighter.limit-break", "needs": 2} in open_choices(derive(bundle, hero(level=20)), bundle)


def test_the_same_limit_break_again_leaves_the_later_question_open(bundle):
    asked, (problem,) = breaking(bundle, 25, (15, "The last wall"), (20, "the last wall"), (25, "The first gate"))
    assert asked == [(15, 0), (20, 1), (25, 0)]
    assert problem == "the last wall comes from level 15 already; choose another."


def test_features_count_their_own_jobs_rank(bundle):
    sheet = derive(bundle, two_jobs(level=10, fighter=5, scout=5))
    assert sheet.value("attacks") == 2
    wind = next(line for line in sheet.actions if line.action.slug == "second-wind")
    assert wind.modifier == 10
