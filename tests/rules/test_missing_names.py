"""A source whose rows name things of another source that is not in play: the rest of the sheet still works."""

import pytest

from rules.compile import bundle_for
from rules.engine import Build, Item, derive
from rules.engine.bundle import merge
from rules.engine.options import options_for
from rules.lint import holding
from rules.packs.load import load_rules

from .small_pack import FILES, write_layer, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]

HOUSE = {
    "switches": '- {key: hearth, name: House rule, type: number, default: "3"}',
    "stats": "[{key: charm, name: Charm, is_input: true}, {key: pluck.max, name: Pluck}]",
    "circumstances": "- {slug: at-home, name: at home, detection: toggle}",
    "events": "- {slug: feast, name: Feast}",
    "timings": "- {slug: at-leisure, name: At leisure}",
    "damage_types": "- {slug: cake, name: Cake}",
    "properties": "- {slug: sweet, name: Sweet}",
    "features": """
        - {slug: warmth, name: Warmth, resources: [{slug: pluck, name: Pluck, max_stat: pluck.max}]}
        """,
}
FAR = {
    "source": "{ruleset: {slug: small}, source: {slug: far, title: Far, requires: [house]}}",
    "stats": """
        - {key: rule, name: Rule, switch: hearth}
        - {key: spent, name: Spent, spent_of: pluck}
        - {key: young, name: Young, created_of: charm}
        - {key: poise.mod, name: Poise}
        """,
    "circumstances": """
        - {slug: charming, name: while charming, tests: [{test: stat_min, stat: charm, value: 1}]}
        - {slug: dull, name: while dull, tests: [{test: stat_min, stat: charm, value: 1, negate: true}]}
        - {slug: odd-one, name: if odd, tests: [{test: has, element: talent:odd}]}
        """,
    "abilities": "- {slug: poise, name: Poise, short: POI, rank_stat: charm, modifier_stat: poise.mod}",
    "skills": "- {slug: bow, name: Bow, key_ability: ability:poise}",
    "events": "- {slug: journey, name: Journey, includes: [feast]}",
    "weapons": """
        - slug: spoon
          name: Spoon
          category: category:clubs
          damage_type: damage-type:blunt
          properties: [{property: property:sweet}, {property: property:thrown}]
        - {slug: tart, name: Tart, category: category:clubs, damage_type: damage-type:cake}
        """,
    "talents": """
        - slug: guest
          name: Guest
          groups: [category:knacks]
          requires: [{test: stat_min, stat: charm, value: 1}]
          modify:
            - {stat: defense, op: add, amount: 1}
            - {stat: defense, op: add, amount: 1, when: at-home}
            - {stat: defense, op: add, amount: 2, when: charming}
            - {stat: defense, op: add, of_stat: charm}
            - {stat: charm, op: add, amount: 1}
          roll: [{roll: check, aspect: advantage, when: at-home}]
          note: [{text: Wipe your feet., when: at-home}]
          grant: [{element: feature:warmth, as: gain}, {element: talent:odd, as: gain}]
          choices:
            - {slug: where, prompt: Where?, filter_kind: skill, when: at-home}
            - {slug: points, prompt: Points?, mode: spread, stats: [charm, rank.grit]}
          recoveries: [{resource: pluck, event: sleep, full: true}, {resource: luck, event: feast, full: true}]
          actions:
            - {slug: rest, name: Rest, timing: at-leisure}
            - {slug: sing, name: Sing, timing: action, resource: pluck}
            - {slug: dine, name: Dine, timing: action, fires: feast}
            - {slug: wave, name: Wave, timing: action}
        - slug: kin
          name: Kin
          groups: [category:knacks]
          modify:
            - {stat: defense, op: add, amount: 4, when: dull}
            - {stat: defense, op: add, amount: 8, when: odd-one}
          grant: [{element: talent:odd, as: gain}]
        - slug: shy
          name: Shy
          groups: [category:knacks]
          requires:
            - {test: stat_min, stat: charm, value: 1, negate: true}
            - {test: switch, switch: hearth, word: "3", negate: true}
            - {test: has, element: feature:warmth, negate: true}
        """,
}


@pytest.fixture(scope="module")
def far_pack(small_pack, shared, tmp_path_factory):
    for name, files in (("house", HOUSE), ("far", FAR)):
        folder = write_layer(tmp_path_factory.mktemp(name), **files)
        shared(lambda folder=folder: load_rules(folder))


@pytest.fixture
def far(far_pack):
    return bundle_for("small", ["far"])


def test_a_sheet_leaves_out_rows_that_name_missing_things(far):
    sheet = derive(far, holding(far.elements["talent:guest"]))
    assert sheet.values["defense"].value == derive(far, Build()).values["defense"].value + 1
    assert [sheet.values[key].value for key in ("rule", "spent", "young")] == [0, 0, 0]
    assert "talent:odd" in sheet.active
    assert [line.action.slug for line in sheet.actions if line.action.owner == "talent:guest"] == ["wave"]
    assert [line.choice.stats for line in sheet.choices if line.choice.owner == "talent:guest"] == [("rank.grit",)]


def test_a_weapon_loses_an_unknown_property_but_is_left_out_if_its_damage_type_is_unknown(far):
    assert [use.property for use in far.elements["weapon:spoon"].properties] == ["property:thrown"]
    assert "weapon:tart" not in far.elements
    armed = Build(items=(Item(ref="weapon:spoon", state="main"), Item(ref="weapon:tart", state="off")))
    assert {attack.item for attack in derive(far, armed).attacks} == {"spoon"}


def test_a_skill_is_left_out_with_its_ability(far):
    assert "ability:poise" not in far.elements
    assert "skill:bow" not in far.elements


def kin(bundle):
    return derive(bundle, holding(bundle.elements["talent:kin"])).values["defense"].value


def test_a_circumstance_that_tests_a_missing_statistic_is_never_so_also_negated(far):
    assert kin(far) == derive(far, Build()).values["defense"].value + 8


def test_a_requirement_that_names_a_missing_thing_is_not_met(far):
    [test] = far.elements["talent:guest"].prerequisites
    assert (test.test, test.ref, test.stat) == ("has", "charm", "")
    assert not far.asks_numbers & {"talent:guest"}
    assert far.events["journey"].includes == ()


def test_a_negated_requirement_of_a_missing_thing_is_met_only_for_elements(far):
    tests = [(test.test, test.ref, test.negate) for test in far.elements["talent:shy"].prerequisites]
    assert tests == [("has", "charm", False), ("has", "hearth", False), ("has", "feature:warmth", True)]
    options = options_for(far, Build(), derive(far, Build()), "core-rules.talent", 1)
    assert {one.ref: one.why_not for one in options}["talent:shy"] == "Needs charm. Needs hearth."


def test_nothing_is_left_out_if_the_other_source_is_in_play(far):
    whole = bundle_for("small", ["far", "house"])
    guest = whole.elements["talent:guest"]
    assert (len(guest.effects), len(guest.actions), len(guest.recoveries), len(guest.choices)) == (9, 4, 2, 2)
    assert "weapon:tart" in whole.elements
    assert whole.stats["young"].created_of == "charm"


def test_an_element_that_names_nothing_unknown_is_not_copied(far):
    assert merge([far]).elements["talent:tough"] is far.elements["talent:tough"]


def test_a_renamed_element_is_found_by_rows_that_use_its_old_slug(far, tmp_path):
    talents = FILES["talents.yaml"].replace("{slug: odd, name: Odd}", "{slug: strange, was: odd, name: Strange}")
    paths = FILES["paths.yaml"].replace("talent:odd", "talent:strange")
    load_rules(write_pack(tmp_path / "small", talents=talents, paths=paths))
    now = bundle_for("small", ["far"])
    assert "talent:strange" in derive(now, holding(now.elements["talent:guest"])).active
    assert kin(now) == kin(far)
