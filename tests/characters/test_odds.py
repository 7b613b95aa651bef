"""The exact chances beside a check."""

from fractions import Fraction

import pytest

from characters.read import number_format
from characters.samples import add_samples
from rules.engine import Build, Bundle
from rules.engine.sheet import Roll, Step
from rules.games import polyhedral
from rules.games.polyhedral.odds import chances, ways
from rules.games.polyhedral.play.ability_checks import check_ready
from rules.games.polyhedral.play.pool import RollOptions
from tests.support.characters import SAMPLES
from tests.support.html import html_of

RULES = Bundle("polyhedral", polyhedral.GAME, (), lookups={"difficulty": {n: 3 + 3 * n for n in range(1, 9)}})
ADVANTAGE = Step("Help", "advantage", 1, part="dice", op="advantage")
DISADVANTAGE = Step("Fog", "disadvantage", -1, part="dice", op="disadvantage")


def roll(*steps, modifier=0):
    steps = (Step("Core rules", "three dice", 3, part="dice", op="base"), *steps)
    return Roll("x", "X", dice=sum(s.amount for s in steps if s.applied), modifier=modifier, because=steps)


def unskilled(*steps):
    return roll(Step("Core rules", "not proficient", -1, part="dice", op="unskilled"), *steps)


def switched_off(step, why):
    return step._replace(applied=False, why=why)


@pytest.mark.parametrize(
    ("made", "dice"),
    [
        (roll(), [3, 4, 4, 2]),
        (unskilled(), [2, 3, 3, 1]),
        (unskilled(DISADVANTAGE), [1, 2, 2, 1]),
        (roll(ADVANTAGE), [4, 5, 4, 3]),
        (roll(DISADVANTAGE), [2, 3, 3, 2]),
        (roll(switched_off(ADVANTAGE, "when: to see or hear")), [3, 4, 4, 2]),
        (roll(switched_off(DISADVANTAGE, "unless petrified")), [3, 4, 4, 2]),
        (roll(ADVANTAGE, switched_off(ADVANTAGE, "advantage counts once")), [4, 5, 4, 3]),
        (
            roll(switched_off(ADVANTAGE, "canceled by Fog"), switched_off(DISADVANTAGE, "canceled by Help")),
            [3, 4, 3, 3],
        ),
        (unskilled(DISADVANTAGE, Step("Core rules", "at least one", 0, part="dice", op="minimum")), [1, 2, 2, 1]),
        (roll(switched_off(Step("Luck", "one more die", 1, part="dice", op="bonus"), "when rested")), [3, 4, 4, 2]),
        (
            unskilled(
                Step("Weights", "three fewer dice", -3, part="dice", op="bonus"),
                Step("Core rules", "never fewer than one die", 2, part="dice", op="minimum"),
            ),
            [1, 2, 1, 1],
        ),
    ],
)
def test_each_way_to_make_a_roll_has_its_number_of_dice(made, dice):
    assert [number for _, number in ways(made)] == dice


@pytest.mark.parametrize(
    ("modifier", "target", "percent"), [(3, 15, "37.50%"), (0, 12, "37.50%"), (4, 18, "16.20%"), (10, 27, "1.85%")]
)
def test_chances_by_the_total_equal_the_printed_ones(modifier, target, percent):
    found = chances(RULES, {"criticalChecks": "flavour"}, roll(modifier=modifier))
    (row,) = [row for row in found.rows if row.target == target]
    assert number_format.percent(row.by_total) == percent
    assert not found.apart


def test_critical_successes_are_explained_even_if_only_more_dice_can_bring_them():
    found = chances(RULES, {"criticalChecks": "autoSucceed"}, unskilled())
    assert found.critical_succeeds
    assert not found.apart
    assert not chances(RULES, {"criticalChecks": "flavour"}, roll()).critical_succeeds
    too_few = chances(RULES, {"criticalChecks": "autoSucceed"}, unskilled(DISADVANTAGE))
    assert {column.critical for column in too_few.columns} == {0}
    assert not too_few.critical_succeeds


def test_a_critical_counts_as_a_success_where_the_house_rules_say_so():
    found = chances(RULES, {"criticalChecks": "autoSucceed"}, roll())
    assert found.apart
    assert found.rows[-1].chances[0] == found.columns[0].critical == Fraction(2, 27)
    assert found.rows[-1].by_total == 0


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0.00%"),
        (Fraction(1), "100.00%"),
        (Fraction(1, 10**6), "0.01%"),
        (1 - Fraction(1, 10**6), "99.99%"),
        (Fraction(3, 8), "37.50%"),
    ],
)
def test_a_chance_is_written_with_two_decimals(chance, text):
    assert number_format.percent(chance) == text


@pytest.mark.parametrize(("number", "text"), [(1, "D4"), (2, "D6"), (4, "D6 +2"), (-1, "D4 −2")])
def test_a_step_beyond_the_ladder_of_dice_is_its_last_and_how_far_beyond(number, text):
    assert number_format.step_of({1: "D4", 2: "D6"}, number) == text
    assert number_format.step_of({}, number) == number_format.plain(number)


@pytest.mark.django_db
def test_the_page_has_eight_difficulties_and_four_ways_to_roll(client):
    add_samples()
    text = html_of(client.get(f"/samples/{SAMPLES[0]}/odds/skill.persuasion/"))
    assert text.count('<th scope="row"><b') == 8
    assert text.count('<td class="num">') == (8 + 1) * 4
    assert "Nearly impossible" in text
    assert "so it counts" in text


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["defense", "nothing", "skill.juggling", "against"])
def test_only_rolls_of_the_character_have_chances(client, key):
    add_samples()
    assert client.get(f"/samples/{SAMPLES[0]}/odds/{key}/").status_code == 404


def test_only_sixes_hit_automatically_where_the_house_rules_say_so():
    keen = roll()._replace(key="attack.club.one-hand", criticals_on=5)
    sixes, all_of_them = (chances(RULES, {"criticalAutoHit": word}, keen) for word in ("sixesOnly", "all"))
    assert sixes.columns == all_of_them.columns
    assert (sixes.rows[-1].chances[0], all_of_them.rows[-1].chances[0]) == (Fraction(2, 27), Fraction(7, 27))


def test_a_roll_that_is_critical_with_two_dice_may_succeed_by_those():
    made = unskilled()._replace(criticals_from_pool=2)
    found = chances(RULES, {"criticalChecks": "autoSucceed"}, made)
    assert found.rows[-1].chances[0] == found.columns[0].critical == Fraction(1, 36)


@pytest.mark.parametrize("helps", [{"criticalAutoHit": "all"}, {"criticalChecks": "autoSucceed"}])
@pytest.mark.parametrize("key", ["spell-attack", "save.mind", "initiative", "skill.stealth"])
def test_the_chances_shown_are_those_of_the_roll_itself(key, helps):
    rules = {"criticalAutoHit": "none", "criticalChecks": "flavour", **helps}
    made = roll()._replace(key=key)
    shown = {row.target: row.chances[0] for row in chances(RULES, rules, made).rows}
    build = Build(switches=rules)
    assert shown == {at: check_ready(RULES, build, made, RollOptions(target=at)).chance for at in shown}


def test_no_more_dice_are_counted_than_can_be_rolled():
    found = chances(RULES, {}, roll(Step("Giants", "many dice", 50, part="dice", op="bonus")))
    assert {column.dice for column in found.columns} == {40}
