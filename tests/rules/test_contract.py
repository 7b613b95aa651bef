"""The parts of `rules.games.contract` that types cannot express, tested for each game with its own content."""

from dataclasses import replace
from random import Random

import pytest
from django.template.loader import select_template

from characters.read.explanations import explain
from characters.verbs.begin import random_build
from rules.compile import bundle_for
from rules.engine import Build, derive
from rules.engine.build import PLACES
from rules.engine.content import Switch
from rules.engine.gather import gather
from rules.games import GAMES
from rules.games.contract import SheetView, TableView
from rules.games.dice_text import read_rolls
from rules.games.house_rules import unfit
from rules.models.vocabulary import CostClass
from rules.packs.load import load_rules
from tests.games import PACKS

pytestmark = pytest.mark.django_db


def test_each_game_has_a_pack_here():
    assert set(PACKS) == set(GAMES)


@pytest.fixture(scope="module")
def loaded(shared):
    shared(lambda: [load_rules(pack) for pack in PACKS.values()])


@pytest.fixture(params=PACKS)
def bundle(request, loaded):
    return bundle_for(request.param)


@pytest.fixture
def game(bundle):
    return bundle.game


@pytest.fixture(params=range(3))
def build(request, bundle):
    return random_build(bundle, Random(request.param))


def test_a_bundle_brings_the_game_of_its_ruleset(request, game):
    name = request.node.callspec.params["bundle"]
    assert game is GAMES[name]
    assert game.name == name


def test_a_sheet_with_conditions_has_rules_for_them(game):
    assert ("conditions" in {region.id for region in game.regions}) == (game.conditions is not None)


def test_a_game_with_pages_of_its_own_has_rules_for_them(game):
    assert bool(game.pages) == (game.page_rules is not None)


def test_a_random_character_is_complete(bundle, game, build):
    sheet = derive(bundle, build)
    assert sheet.problems == ()
    assert list(game.steps.missing(bundle, build, sheet)) == []
    assert all(part.open <= 0 and not part.problem for part in game.steps.progress(bundle, build, sheet))


def test_an_empty_character_lists_what_is_missing_at_existing_steps(bundle, game):
    build = game.levels.at_start(bundle, Build())
    sheet = derive(bundle, build)
    found = list(game.steps.missing(bundle, build, sheet))
    assert found
    assert {one.step for one in found} <= set(game.steps.STEPS)
    assert {step for step, _, _ in game.steps.problems(bundle, build, sheet)} <= set(game.steps.STEPS)


def test_every_question_is_at_one_step(bundle, game, build):
    sheet = derive(bundle, build)
    placed = game.steps.sections(bundle, build, sheet)
    assert list(placed) == list(game.steps.STEPS) == list(game.steps.LEDES)
    lines = [line for of_step in placed.values() for section in of_step for line in section.lines]
    asked = [line for line in sheet.choices if line.needs]
    assert sorted(map(key_of, lines)) == sorted(map(key_of, asked))


def test_the_numbers_that_a_game_gives_are_known_to_requirements_without_its_doing(bundle, game, build):
    found = gather(bundle, build, game.levels.level_of(bundle, build))
    given = game.given(found)
    assert given
    assert [key for key in given if not bundle.stats[key].is_input] == []
    assert [found.stat(key) for key in given] == [None] * len(given)
    solved = derive(bundle, build).solver.found
    assert {key: solved.stat(key) for key in given} == {key: value.value for key, value in given.items()}


def key_of(line):
    return line.choice.key, line.level


def test_a_build_at_a_level_has_that_level_and_higher_levels_cost_more(bundle, game, build):
    levels = game.levels
    if not levels.in_words(1):  # a game without levels
        assert levels.level_of(bundle, replace(build, xp=1_000_000, milestone=9)) == 1
        return
    for level in (1, 2, 5):
        there = levels.at_level(bundle, build, level)
        assert levels.level_of(bundle, there) == level
        assert there.decisions == build.decisions
        if not levels.by_milestone(bundle, build):
            assert levels.xp_for(bundle, build, level) < levels.xp_for(bundle, build, level + 1)


def test_the_file_gives_the_same_character_again(bundle, game, build):
    document = game.file.write(build, derive(bundle, build), bundle)
    again, problems = game.file.read(document, bundle)
    assert (problems, game.file.write(again, derive(bundle, again), bundle)) == ((), document)
    assert game.file.read({"format": "none"}, bundle)[0] is None


def test_every_method_that_the_house_rules_allow_has_a_name(bundle, game, build):
    allowed = game.creation.methods_allowed(bundle, build)
    assert [slug for slug in allowed if not game.creation.METHODS.get(slug)] == []


def test_the_example_of_a_creatures_roll_can_be_read(game):
    assert len(read_rolls(game.encounter.EXAMPLE, game.encounter.DIE, "")) == 1


def test_every_class_of_cost_has_a_name_where_something_is_for_sale(bundle, game):
    """And in every game there is one for each class, because content may name any."""
    nothing, *classes = game.wealth.CLASSES
    assert (nothing, len(classes)) == ("", max(CostClass))
    assert all(classes) or not game.wealth.for_sale(bundle)


def test_the_number_for_the_order_of_an_encounter_has_a_word(bundle, game, build):
    rules = game.encounter
    by_sheet = not rules.INITIATIVE and rules.place(derive(bundle, build)) is not None
    assert bool(rules.ORDER) == bool(rules.INITIATIVE or by_sheet)


def test_every_section_can_be_made(bundle, game, build):
    sheet = derive(bundle, build)
    for view, wanted in ((game.page, SheetView), (game.table, TableView)):
        shown = view(bundle, build, sheet)
        assert [name for name in wanted.__annotations__ if getattr(shown, name) is None] == []
    assert set(game.table(bundle, build, sheet).things) == set(PLACES)


def test_the_house_rules_that_a_game_names_exist(bundle, game):
    assert game.unread <= set(bundle.switches)
    assert all(value in bundle.switches[key].allowed for key, value in game.of_tables)
    assert not any(unfit(switch, switch.default) for switch in bundle.switches.values())


@pytest.mark.parametrize(
    ("least", "most", "allowed", "offered"),
    [
        (1, None, ("none",), "a whole number of at least 1, or none"),
        (1, 20, (), "a whole number from 1 to 20"),
        (None, 5, (), "a whole number of at most 5"),
        (None, None, (), "a whole number"),
    ],
)
def test_a_number_that_a_house_rule_cannot_be_is_told_what_it_can_be(least, most, allowed, offered):
    rule = Switch("cap", "Cap", "number", "3", allowed, minimum=least, maximum=most)
    assert unfit(rule, "many") == f"“many” is not possible here: choose {offered}."


def test_each_number_of_the_first_glance_is_a_statistic(bundle, game):
    assert set(game.steps.GLANCE) <= set(bundle.stats)


def test_a_key_is_either_a_statistic_or_a_roll(bundle, build):
    assert not set(derive(bundle, build).rolls) & set(bundle.stats)


def test_a_character_begins_and_ends_at_a_step_and_each_step_has_a_template(game):
    assert {"origin", "review"} <= set(game.steps.STEPS)
    for step in game.steps.STEPS:
        assert select_template([f"games/{game.name}/builder/{step}.html", f"characters/builder/{step}.html"])


def test_a_roll_is_explained_only_by_its_own_game(bundle, game, build):
    sheet = derive(bundle, build)
    key, roll = next(iter(sheet.rolls.items()))
    said = set(explain(bundle, sheet, key).remarks)
    assert said >= set(game.remarks(roll)) > set()
    assert not said & {text for other in GAMES.values() if other is not game for text in other.remarks(roll)}
