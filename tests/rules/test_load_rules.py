"""`load_rules`: all of a pack or nothing, as often as wanted, and every mistake by file and line."""

import shutil
from io import StringIO
from textwrap import dedent

import pytest
from django.core.management import CommandError, call_command

from characters.models import Character, CharacterCondition, Decision, ResourceState
from rules.contradictions import IN_VAIN, NO_TESTS
from rules.games import GAMES
from rules.models import (
    Ability,
    Action,
    Choice,
    Condition,
    Effect,
    Element,
    HouseRules,
    Recovery,
    Resource,
    Ruleset,
    Source,
    Stat,
    Switch,
    SwitchValue,
)
from rules.models.vocabulary import TestWord as Word
from rules.packs import load
from rules.packs.check import PackReader
from rules.packs.load import PACKS, PackError, files_in, load_rules, shipped
from tests.games import pebbles

from .small_pack import FILES, write_layer, write_pack

pytestmark = pytest.mark.django_db


def problems(folder) -> list[str]:
    with pytest.raises(PackError) as refused:
        load_rules(folder)
    return refused.value.problems


def talent(slug="tough") -> Element:
    return Element.objects.get(kind="talent", slug=slug)


@pytest.fixture
def folder(tmp_path):
    return write_pack(tmp_path / "small")


@pytest.fixture
def loaded(folder, no_rules):
    load_rules(folder)
    return folder


def a_character() -> Character:
    return Character.objects.create(ruleset=Ruleset.objects.get(slug="small"), guest="0" * 64, name="Ada")


BARE_RULES = "- {slug: core-rules, name: Core rules, resources: [{slug: luck, name: Luck, max_stat: luck.max}]}"


# Loading


def test_a_first_load_writes_every_row(folder, no_rules):
    report = load_rules(folder)
    assert (report.added, report.changed, report.retired, report.deleted) == (38, 0, 0, 0)
    assert Stat.objects.get(key="luck-spent").spent_of.slug == "luck"
    assert Stat.objects.get(key="grit-at-start").created_of.key == "modifier.grit"
    assert Element.objects.get(slug="wall").parent.slug == "guard"
    assert Element.objects.get(slug="shirt").armor.adds_ability.slug == "strength"
    assert Element.objects.get(slug="scared").condition.resource.slug == "luck"
    assert Ruleset.objects.get(slug="small").armor_stat.key == "defense"
    assert [group.slug for group in talent().groups.all()] == ["knacks"]
    assert talent().effects.get().when.slug == "armored"
    assert [element.slug for element in Element.objects.filter(kind="talent").order_by("sort")] == [
        "tough",
        "lucky",
        "odd",
    ]


def test_a_new_ability_takes_over_the_statistics_of_another(loaded):
    sense = "- {key: rank.sense, name: Sense, is_input: true}\n- {key: modifier.sense, name: Sense modifier}"
    write_pack(
        loaded,
        stats=f"{dedent(FILES['stats.yaml'])}\n{sense}\n",
        abilities="- {slug: acumen, name: Mind, rank_stat: rank.wits, modifier_stat: modifier.wits, short: Mi}\n"
        + dedent(FILES["abilities.yaml"]).replace("wits,", "sense,"),
    )
    load_rules(loaded)
    stats = Ability.objects.values_list("slug", "rank_stat__key")
    assert {*stats} == {("strength", "rank.grit"), ("agility", "rank.sense"), ("acumen", "rank.wits")}


def test_the_shipped_core_loads_and_is_known_the_second_time(no_rules, django_assert_num_queries):
    assert load_rules("polyhedral-core").added > 300
    with django_assert_num_queries(1):
        assert not load_rules("polyhedral-core").moved
    report = load_rules("polyhedral-core", force=True)
    assert not report.moved
    assert report.lines == []


def test_a_second_load_changes_no_row(loaded):
    before = {model: list(model.objects.order_by("pk").values()) for model in (Element, Effect, Choice, Action, Stat)}
    revision = Source.objects.get().revision
    report = load_rules(loaded, force=True)
    assert (report.added, report.changed, report.unchanged) == (0, 0, 38)
    assert {model: list(model.objects.order_by("pk").values()) for model in before} == before
    assert Source.objects.get().revision == revision


def test_a_change_keeps_the_ids_and_moves_the_revision(loaded):
    ids = dict(Element.objects.values_list("slug", "pk"))
    choices = dict(Choice.objects.values_list("slug", "pk"))
    kept = Effect.objects.get(owner__slug="watch", kind="roll").pk
    revision = Source.objects.get().revision
    write_pack(
        loaded,
        features="""
        - slug: watch
          name: Night watch
          roll: [{roll: check, aspect: advantage, subject: skill:climb, when: at-dusk}]
          note: [{text: One of us sleeps., stat: defense}]
          choices: [{slug: path, prompt: Which way?, filter_kind: path, from_rank: 4}]
        """,
    )
    report = load_rules(loaded)
    assert report.lines == ["~ feature:watch: name, note, choices"]
    assert (report.changed, report.unchanged) == (1, 37)
    assert dict(Element.objects.values_list("slug", "pk")) == ids
    assert dict(Choice.objects.values_list("slug", "pk")) == choices
    assert Choice.objects.get(slug="path").from_rank == 4
    assert Effect.objects.get(owner__slug="watch", kind="roll").pk == kept
    assert Effect.objects.get(owner__slug="watch", kind="note").text == "One of us sleeps."
    assert Source.objects.get().revision > revision


def test_a_change_of_only_a_line_or_a_column_of_its_kind_marks_the_entry_as_updated(loaded):
    """Otherwise a form of homebrew opened before the load would be saved over it."""
    before = dict(Element.objects.values_list("slug", "updated"))
    talents = FILES["talents.yaml"].replace("op: add, amount: 1, when", "op: add, amount: 2, when")
    load_rules(write_pack(loaded, talents=talents, weapons=FILES["weapons.yaml"].replace("die: 4", "die: 6")))
    moved = {slug for slug, updated in Element.objects.values_list("slug", "updated") if updated != before[slug]}
    assert moved == {"tough", "club"}


def test_edits_in_the_admin_stay_until_a_load_by_force(loaded):
    Element.objects.filter(slug="tough").update(name="Tougher")
    load_rules(loaded)
    assert talent().name == "Tougher"
    report = load_rules(loaded, force=True)
    assert report.lines == ["~ talent:tough: name"]
    assert talent().name == "Tough"


def test_a_dry_run_writes_nothing(folder):
    report = load_rules(folder, save=False)
    assert report.added == 38
    assert "+ talent:tough" in report.lines
    assert not Ruleset.objects.filter(slug="small").exists()


def test_a_dry_run_compares_even_known_files(loaded):
    Element.objects.filter(slug="tough").update(name="Tougher")
    assert load_rules(loaded, save=False).lines == ["~ talent:tough: name"]
    assert talent().name == "Tougher"


def test_one_mistake_keeps_everything_out(loaded):
    write_pack(loaded, talents="- {slug: odd, name: New}\n- {slug: tough, name: Tough, sort: many}\n")
    assert problems(loaded) == ["talents.yaml:2: `sort`: must be a whole number."]
    assert talent("odd").name == "Odd"


# Rows that the pack no longer has


def test_an_element_nothing_needs_is_deleted(loaded):
    write_pack(loaded, talents="- {slug: odd, name: Odd}")
    report = load_rules(loaded)
    assert report.deleted == 2
    assert not Element.objects.filter(slug="tough").exists()


def test_an_element_a_character_has_is_retired_and_keeps_its_rows(loaded):
    choice = Choice.objects.get(slug="talent")
    Decision.objects.create(character=a_character(), choice=choice, level=1, position=0, element=talent())
    write_pack(loaded, talents="- {slug: odd, name: Odd}")
    report = load_rules(loaded)
    assert (report.retired, report.deleted) == (1, 1)
    assert "- talent:tough: retired, as it is in use" in report.lines
    assert talent().status == "retired"
    assert talent().effects.count() == 1
    again = load_rules(loaded, force=True)
    assert not again.moved

    write_pack(loaded)
    assert "~ talent:tough: status" in load_rules(loaded).lines
    assert talent().status == "published"


WEATHER = {
    "switches": FILES["switches.yaml"] + """
        - {key: weather, name: Weather, type: flag, default: "off", allowed: ["on", "off"]}
        """
}  # fmt: skip


def test_a_house_rule_in_use_is_retired_and_comes_back(loaded):
    write_pack(loaded, **WEATHER)
    load_rules(loaded)
    rules = HouseRules.objects.create(ruleset=Ruleset.objects.get(slug="small"))
    SwitchValue.objects.create(house_rules=rules, switch=Switch.objects.get(key="weather"), value="on")
    write_pack(loaded)
    report = load_rules(loaded)
    assert (report.retired, report.deleted) == (1, 0)
    assert "- house rule weather: retired, as it is in use" in report.lines
    assert Switch.objects.get(key="weather").status == "retired"
    assert not load_rules(loaded, force=True).moved
    write_pack(loaded, **WEATHER)
    assert "~ house rule weather: status" in load_rules(loaded).lines
    assert Switch.objects.get(key="weather").status == "published"


def test_elements_that_only_need_each_other_are_deleted_together(loaded):
    write_pack(loaded, paths=None, armors=None, rules=BARE_RULES, categories="- {slug: clubs, name: Clubs}",
               talents="- {slug: tough, name: Tough}", jobs="- {slug: guard, name: Guard}")  # fmt: skip
    load_rules(loaded)
    gone = ["wall", "odd", "lucky", "knacks", "mail", "shirt"]
    assert not Element.objects.filter(slug__in=gone).exists()


def test_a_choice_that_characters_answered_cannot_be_deleted(loaded):
    choice = Choice.objects.get(slug="talent")
    Decision.objects.create(character=a_character(), choice=choice, level=1, position=0, element=talent())
    write_pack(
        loaded,
        rules=BARE_RULES,
    )
    assert problems(loaded) == [
        "rules.yaml:1: choice talent is gone from rules:core-rules, but characters or other entries use it"
    ]
    assert Choice.objects.filter(pk=choice.pk).exists()
    assert Effect.objects.filter(owner__slug="core-rules").exists()


class TestLostResources:
    """The small pack's luck is spent by an action, counted by a condition and read by a statistic."""

    def test_a_resource_is_deleted_together_with_all_that_used_it(self, loaded):
        stats = FILES["stats.yaml"].replace("- {key: luck-spent, name: Luck spent, spent_of: luck}", "")
        write_pack(loaded, rules="- {slug: core-rules, name: Core rules}", stats=stats,
                   conditions="- {slug: scared, name: Scared}")  # fmt: skip
        report = load_rules(loaded)
        assert "- statistic luck-spent: deleted" in report.lines
        assert not Resource.objects.exists()
        assert not Action.objects.exists()

    def test_a_resource_under_a_new_slug_takes_over_all_that_used_the_old_one(self, loaded):
        renamed = {
            name: FILES[f"{name}.yaml"].replace("resource: luck", "resource: fate").replace("slug: luck", "slug: fate")
            for name in ("rules", "conditions")
        }
        stats = FILES["stats.yaml"].replace("spent_of: luck", "spent_of: fate")
        write_pack(loaded, **renamed, stats=stats)
        load_rules(loaded)
        assert [one.slug for one in Resource.objects.all()] == ["fate"]
        assert Action.objects.get(slug="push").resource.slug == "fate"
        assert Condition.objects.get(slug="scared").resource.slug == "fate"
        assert Stat.objects.get(key="luck-spent").spent_of.slug == "fate"

    def test_a_resource_of_another_element_keeps_its_row_and_all_that_used_it(self, loaded):
        luck = Resource.objects.get().pk
        for owner in ("gifted", "blessed"):  # the second time, the element that had it is gone
            self.move(loaded, owner)
            assert [(one.pk, one.owner.slug) for one in Resource.objects.all()] == [(luck, owner)]
            assert Action.objects.get(slug="push").resource_id == luck
            assert Condition.objects.get(slug="scared").resource_id == luck
            assert Stat.objects.get(key="luck-spent").spent_of_id == luck
            assert Recovery.objects.get().resource_id == luck
        assert not Element.objects.filter(slug="gifted").exists()

    def move(self, loaded, owner):
        luck = "resources: [{slug: luck, name: Luck, max_stat: luck.max, style: pool}]"
        talents = f"{FILES['talents.yaml'].rstrip()}\n        - {{slug: {owner}, name: Gifted, {luck}}}\n"
        load_rules(write_pack(loaded, rules=FILES["rules.yaml"].replace(luck, ""), talents=talents))

    def test_a_new_resource_takes_over_the_maximum_of_one_that_gets_another(self, loaded):
        old = "{slug: luck, name: Luck, max_stat: luck.max, style: pool}"
        new = f"{old.replace('luck.max', 'luck.most')}, {old.replace('luck,', 'fate,')}"
        stats = f"{FILES['stats.yaml'].rstrip()}\n        - {{key: luck.most, name: Most luck}}\n"
        load_rules(write_pack(loaded, rules=FILES["rules.yaml"].replace(old, new), stats=stats))
        assert sorted(Resource.objects.values_list("slug", "max_stat__key")) == [
            ("fate", "luck.max"),
            ("luck", "luck.most"),
        ]

    def test_a_resource_stays_while_a_character_has_spent_it(self, loaded):
        ResourceState.objects.create(character=a_character(), resource=Resource.objects.get(), spent=1)
        self.refused(loaded, conditions="- {slug: scared, name: Scared}")

    def test_a_resource_stays_while_an_entry_that_a_character_has_uses_it(self, loaded):
        scared = Condition.objects.get(slug="scared")
        CharacterCondition.objects.create(character=a_character(), element=scared)
        self.refused(loaded, conditions="- {slug: bored, name: Bored}")
        assert Condition.objects.get(slug="scared").resource.slug == "luck"

    def test_a_resource_stays_while_a_statistic_that_another_pack_uses_reads_it(self, loaded, tmp_path):
        gambler = "- {slug: gambler, name: Gambler, modify: [{stat: defense, op: add, of_stat: luck-spent}]}"
        load_rules(write_layer(tmp_path / "house", talents=gambler))
        stats = FILES["stats.yaml"].replace("- {key: luck-spent, name: Luck spent, spent_of: luck}", "")
        self.refused(loaded, stats=stats, conditions="- {slug: scared, name: Scared}")

    def refused(self, loaded, **changes):
        stats = FILES["stats.yaml"].replace(", spent_of: luck}", "}")
        write_pack(loaded, **{"rules": "- {slug: core-rules, name: Core rules}", "stats": stats, **changes})
        expected = "resource luck is gone from rules:core-rules, but characters or other entries use it"
        assert problems(loaded) == [f"rules.yaml:1: {expected}"]
        assert Action.objects.get(slug="push").resource.slug == "luck"
        assert Stat.objects.get(key="luck-spent").spent_of.slug == "luck"


def test_a_statistic_still_in_use_is_kept_and_reported(loaded):
    write_pack(
        loaded,
        talents="""
        - {slug: tough, name: Tough, groups: [category:knacks], modify: [{stat: toughness, op: base, amount: 1}]}
        - {slug: lucky, name: Lucky, groups: [category:knacks]}
        - {slug: odd, name: Odd}
        """,
        stats=(loaded / "stats.yaml").read_text() + "- {key: toughness, name: Toughness}\n",
    )
    load_rules(loaded)
    Decision.objects.create(
        character=a_character(), choice=Choice.objects.get(slug="talent"), level=1, position=0, element=talent()
    )
    write_pack(loaded, talents="- {slug: odd, name: Odd}")
    report = load_rules(loaded)
    assert "  statistic toughness: kept, as it is in use" in report.lines
    assert Stat.objects.filter(key="toughness").exists()


# A second layer


def test_a_layer_may_name_entries_of_the_core(loaded, tmp_path):
    house = write_layer(
        tmp_path / "house", talents="- {slug: brisk, name: Brisk, groups: [category:knacks], parent: job:guard}"
    )
    assert load_rules(house).added == 2
    assert talent("brisk").source.slug == "house"
    assert Ruleset.objects.get(slug="small").name == "Small game"
    assert load_rules(loaded, force=True).unchanged == 38


def test_a_layer_cannot_take_a_name_of_the_core(loaded, tmp_path):
    house = write_layer(tmp_path / "house", talents="- {slug: tough, name: Mine}")
    assert problems(house) == ["talents.yaml:1: element talent:tough already belongs to source small-core"]


def test_a_layer_may_name_only_entries_of_sources_that_it_requires(loaded, tmp_path):
    load_rules(write_layer(tmp_path / "house", talents="- {slug: brisk, name: Brisk}"))
    other = write_layer(
        tmp_path / "other",
        source="{ruleset: {slug: small}, source: {slug: other, title: Other}}",
        jobs="- {slug: thief, name: Thief, grant: [{element: talent:brisk, as: gain}]}",
    )
    assert problems(other) == [
        "jobs.yaml:1: there is no element talent:brisk (source house has it: add it to `requires`)"
    ]
    write_layer(other, source="{ruleset: {slug: small}, source: {slug: other, title: Other, requires: [house]}}")
    assert load_rules(other).added == 2


def test_a_pack_cannot_name_rows_of_another_ruleset(loaded, tmp_path):
    other = write_layer(
        tmp_path / "other",
        source="{ruleset: {slug: other, name: O, game: polyhedral}, source: {slug: other, title: O, is_core: true}}",
        talents="- {slug: thief, name: Thief, modify: [{stat: defense, op: add, amount: 1}]}",
    )
    assert problems(other) == ["talents.yaml:1: there is no statistic defense"]


def test_two_rulesets_may_use_the_same_names(loaded, tmp_path):
    source = """
        ruleset: {slug: twin, name: Twin, game: polyhedral, armor_stat: defense}
        source: {slug: twin-core, title: Twin, is_core: true}
        """
    load_rules(write_pack(tmp_path / "twin", source=source))
    for table, name in ((Element, "slug"), (Stat, "key"), (Resource, "slug")):
        names = table.objects.order_by(name).values_list(name, flat=True)
        of = "owner__ruleset__slug" if table is Resource else "ruleset__slug"
        assert [*names.filter(**{of: "twin"})] == [*names.filter(**{of: "small"})] != []
    assert Effect.objects.get(owner__slug="tough", owner__ruleset__slug="twin").stat.ruleset.slug == "twin"


# Mistakes


MISTAKES = {
    "not yaml": ({"talents": "- {slug: a"}, "talents.yaml:2: did not find expected ',' or '}'"),
    "not a list": ({"talents": "slug: a"}, "talents.yaml:1: this must be a list"),
    "not a mapping": ({"talents": "- tough"}, "talents.yaml:1: this must be a mapping of keys to values"),
    "unknown file": ({"rituals": "- {slug: a, name: A}"}, "rituals.yaml:1: a pack has no such file; its files are"),
    "unknown key": (
        {"talents": "- slug: a\n  name: A\n  color: red\n"},
        "talents.yaml:3: `color` is not known here; known:",
    ),
    "key twice": ({"talents": "- slug: a\n  name: A\n  name: B\n"}, "talents.yaml:3: `name` is given twice"),
    "anchor": (
        {"talents": "- &a {slug: a, name: A}\n- *a\n"},
        "talents.yaml:1: write the value out instead of pointing at an anchor",
    ),
    "tag": (
        {"talents": "- !!python/name:os {slug: a, name: A}"},
        "talents.yaml:1: the tag tag:yaml.org,2002:python/name:os is not allowed",
    ),
    "missing": ({"talents": "- slug: a\n"}, "talents.yaml:1: `name` is missing"),
    "empty": ({"talents": "- slug: a\n  name: ''\n"}, "talents.yaml:2: `name`: must not be empty."),
    "not one line": ({"talents": "- slug: a\n  name: |\n    A\n    B\n"}, "talents.yaml:2: `name`: must be one line."),
    "too long": (
        {"talents": f"- slug: a\n  name: {'A' * 121}\n"},
        "talents.yaml:2: `name`: Ensure this value has at most 120 characters (it has 121).",
    ),
    "bad slug": (
        {"talents": "- {slug: A b, name: A}"},
        "talents.yaml:1: `slug`: Enter a valid “slug” consisting of letters, numbers, underscores or hyphens. "
        "Enter a valid value.",
    ),
    "bad number": ({"talents": "- {slug: a, name: A, sort: 1e3}"}, "talents.yaml:1: `sort`: must be a whole number."),
    "out of range": (
        {"talents": "- {slug: a, name: A, sort: -1}"},
        "talents.yaml:1: `sort`: must be from 0 to 2147483647.",
    ),
    "bad flag": (
        {"talents": "- {slug: a, name: A, repeatable: yes}"},
        "talents.yaml:1: `repeatable`: must be true or false.",
    ),
    "bad word": (
        {"talents": "- {slug: a, name: A, status: lost}"},
        "talents.yaml:1: `status`: must be one of draft, published, retired.",
    ),
    "bad cost": (
        {"gear": "- {slug: a, name: A, cost_class: dear}"},
        "gear.yaml:1: `cost_class`: must be one of not-for-sale, common, uncommon, rare, very-rare, legendary.",
    ),
    "a list for a word": ({"talents": "- {slug: a, name: [A]}"}, "talents.yaml:1: `name` must be a single value"),
    "slug twice": (
        {"gear": "- {slug: a, name: A}\n- {slug: a, name: B}\n"},
        "gear.yaml:2: element gear:a is already in gear.yaml:1",
    ),
    "no such element": (
        {"gear": "- {slug: a, name: A, groups: [category:nowhere]}"},
        "gear.yaml:1: there is no element category:nowhere",
    ),
    "not a ref": (
        {"gear": "- {slug: a, name: A, parent: guard}"},
        "gear.yaml:1: there is no element guard (an element is named kind:slug)",
    ),
    "no such stat": (
        {"gear": "- {slug: a, name: A, modify: [{stat: charm, op: add, amount: 1}]}"},
        "gear.yaml:1: there is no statistic charm",
    ),
    "no such circumstance": (
        {"gear": "- {slug: a, name: A, note: [{text: B, when: at-dawn}]}"},
        "gear.yaml:1: there is no circumstance at-dawn",
    ),
    "wrong kind": (
        {"skills": "- {slug: climb, name: Climb, key_ability: talent:odd}"},
        "skills.yaml:1: talent:odd is not of kind ability",
    ),
    "a row without an amount": (
        {"gear": "- slug: a\n  name: A\n  modify:\n    - {stat: defense, op: add}\n"},
        "gear.yaml:4: Name the statistic and the operation, and give a number, a statistic, or both.",
    ),
    "a change without an amount": (
        {"gear": "- {slug: a, name: A, roll: [{roll: check, aspect: bonus}]}"},
        "gear.yaml:1: amount: This change needs a number, a statistic, or both.",
    ),
    "divided by nothing": (
        {"gear": "- {slug: a, name: A, modify: [{stat: defense, op: add, amount: 1, divided_by: 0}]}"},
        "gear.yaml:1: Divide by one or more.",
    ),
    "a test without its stat": (
        {"gear": "- {slug: a, name: A, requires: [{test: stat_min, value: 3}]}"},
        "gear.yaml:1: This test needs a statistic and a value.",
    ),
    "a test without its word": (
        {"gear": "- {slug: a, name: A, requires: [{test: wears}]}"},
        "gear.yaml:1: word: This test needs it.",
    ),
    "a test with a word of its own": (
        {"gear": "- {slug: a, name: A, requires: [{test: wears, word: hat}]}"},
        "gear.yaml:1: word: Write one of these: any, armor, shield, unproficient.",
    ),
    "granting itself": (
        {"gear": "- {slug: a, name: A, grant: [{element: gear:a, as: own}]}"},
        "gear.yaml:1: An element cannot grant itself.",
    ),
    "a recovery of nothing": (
        {"gear": "- {slug: a, name: A, recoveries: [{resource: luck, event: nap}]}"},
        "gear.yaml:1: Tick full, or give a number, a statistic, or both.",
    ),
    "an option twice": (
        {"gear": "- {slug: a, name: A, choices: [{slug: b, prompt: C, options: [job:guard, job:guard]}]}"},
        "gear.yaml:1: job:guard is listed twice",
    ),
    "a choice key twice": (
        {
            "gear": "- {slug: guard, name: A, choices: [{slug: b, prompt: C}]}",
            "jobs": "- {slug: guard, name: A, choices: [{slug: b, prompt: C}]}",
        },
        "jobs.yaml:1: choice guard.b is already in gear.yaml:1",
    ),
    "a resource twice": (
        {"gear": "- {slug: a, name: A, resources: [{slug: luck, name: B, max_stat: defense}]}"},
        "rules.yaml:18: resource luck is already in gear.yaml:1",
    ),
    "a maximum of two resources": (
        {"gear": "- {slug: a, name: A, resources: [{slug: b, name: B, max_stat: luck.max}]}"},
        "rules.yaml:18: luck.max is already used in gear.yaml:1",
    ),
    "a property twice": (
        {"gear": "- {slug: a, name: A, properties: [{property: property:thrown}, {property: property:thrown}]}"},
        "gear.yaml:1: property:thrown is here twice",
    ),
    "a line of a table twice": (
        {"lookups": "- {slug: a, name: A, rows: [{at: 1, value: 1}, {at: 1, value: 2}]}"},
        "lookups.yaml:1: 1 is here twice",
    ),
    "no source": (
        {"source": "ruleset: {slug: small, name: S, game: polyhedral}"},
        "source.yaml:1: `source` is missing",
    ),
    "a ruleset without a name": (
        {"source": "{ruleset: {slug: new}, source: {slug: new, title: New}}"},
        "source.yaml:1: the ruleset is new, so it needs `name`",
    ),
    "a game that is not here": (
        {"source": "{ruleset: {slug: new, name: N, game: chess}, source: {slug: new, title: N}}"},
        f"source.yaml:1: `game`: There is no game “chess” here; there is {', '.join(sorted(GAMES))}.",
    ),
    "no source to require": (
        {"source": "{ruleset: {slug: new, name: N, game: polyhedral}, source: {slug: new, title: N, requires: [old]}}"},
        "source.yaml:1: there is no source old to require",
    ),
    "a circumstance that is always so": (
        {"circumstances": "- {slug: late, name: late}"},
        f"circumstances.yaml:1: {NO_TESTS}",
    ),
    "tests that are never met together": (
        {
            "circumstances": "- {slug: late, name: late, tests: [{test: level, value: 5},\n"
            "  {test: level, value: 3, negate: true}]}"
        },
        f"circumstances.yaml:2: {IN_VAIN}",
    ),
    "requirements that are never met together": (
        {
            "talents": "- {slug: a, name: A, requires: [{test: stat_min, stat: defense, value: 5},\n"
            "  {test: stat_max, stat: defense, value: 4}]}"
        },
        f"talents.yaml:2: {IN_VAIN}",
    ),
    "a NUL": ({"talents": '- {slug: a, name: "A\\0"}'}, "talents.yaml:1: `name`: must not hold a NUL."),
    "a word for a list": ({"gear": "- {slug: a, name: A, groups: category:clubs}"}, "gear.yaml:1: this must be a list"),
    "a group twice": (
        {"gear": "- {slug: a, name: A, groups: [category:clubs, category:clubs]}"},
        "gear.yaml:1: category:clubs is listed twice",
    ),
    "a group that is no word": (
        {"gear": "- {slug: a, name: A, groups: [[category:clubs]]}"},
        "gear.yaml:1: this must be a word",
    ),
    "a rest that includes no rest": (
        {"events": "- {slug: nap, name: Nap, includes: [sleep]}"},
        "events.yaml:1: there is no rest event sleep",
    ),
    "a number of thirteen digits": (
        {"talents": "- {slug: a, name: A, sort: 1000000000000}"},
        "talents.yaml:1: `sort`: must be a whole number.",
    ),
    "a number too large by one": (
        {"talents": "- {slug: a, name: A, sort: 2147483648}"},
        "talents.yaml:1: `sort`: must be from 0 to 2147483647.",
    ),
    "no number in a lookup": (
        {"lookups": "- {slug: a, name: A, rows: [{at: x, value: 1}]}"},
        "lookups.yaml:1: `at`: must be a whole number.",
    ),
    "no such option": (
        {"gear": "- {slug: a, name: A, choices: [{slug: b, prompt: C, options: [job:king]}]}"},
        "gear.yaml:1: there is no element job:king",
    ),
    "no such statistic to spread on": (
        {"gear": "- {slug: a, name: A, choices: [{slug: b, prompt: C, mode: spread, stats: [charm]}]}"},
        "gear.yaml:1: there is no statistic charm",
    ),
    "a key of a choice that is not known": (
        {"gear": "- {slug: a, name: A, choices: [{slug: b, prompt: C, hue: red}]}"},
        "gear.yaml:1: `hue` is not known here; known:",
    ),
    "two choices with one slug": (
        {"gear": "- {slug: a, name: A, choices: [{slug: b, prompt: C}, {slug: b, prompt: D}]}"},
        "gear.yaml:1: choice a.b is already in gear.yaml:1",
    ),
    "two actions with one slug": (
        {
            "gear": "- slug: a\n  name: A\n  actions:\n    - {slug: b, name: B, timing: action}\n"
            "    - {slug: b, name: C, timing: action}\n"
        },
        "gear.yaml:5: b is here twice",
    ),
    "no such timing": (
        {"gear": "- {slug: a, name: A, actions: [{slug: b, name: B, timing: noon}]}"},
        "gear.yaml:1: there is no action timing noon",
    ),
    "no such event": (
        {"gear": "- {slug: a, name: A, recoveries: [{resource: luck, event: noon, full: true}]}"},
        "gear.yaml:1: there is no rest event noon",
    ),
    "no such resource": (
        {"gear": "- {slug: a, name: A, recoveries: [{resource: mana, event: nap, full: true}]}"},
        "gear.yaml:1: there is no resource mana",
    ),
    "a suggestion of no kind": (
        {"backgrounds": "- {slug: heir, name: Heir, suggestions: {mood: [x]}}"},
        "backgrounds.yaml:1: `mood` is not known here; known:",
    ),
    "a suggestion that says nothing": (
        {"backgrounds": "- {slug: heir, name: Heir, suggestions: {trait: ['']}}"},
        "backgrounds.yaml:1: `text`: must not be empty.",
    ),
    "suggestions in a list": (
        {"backgrounds": "- {slug: heir, name: Heir, suggestions: [x]}"},
        "backgrounds.yaml:1: this must be a mapping of keys to values",
    ),
    "a test of nothing": (
        {"circumstances": "- {slug: a, name: a, tests: [{test: flies}]}"},
        f"circumstances.yaml:1: `test`: must be one of {', '.join(Word.values)}.",
    ),
    "a statistic twice": (
        {"stats": "- {key: a, name: A}\n- {key: a, name: B}\n"},
        "stats.yaml:2: statistic a is already in stats.yaml:1",
    ),
    "a default that a house rule does not offer": (
        {"switches": "- {key: mud, name: Mud, type: choice, default: chin, allowed: [knee, neck]}"},
        "switches.yaml:1: default: It is none of the values offered: knee, neck.",
    ),
    "a statistic with its bounds the wrong way round": (
        {"stats": "- {key: mud, name: Mud, minimum: 9, maximum: 2}"},
        "stats.yaml:1: maximum: Write a number that is not below the minimum.",
    ),
    "a statistic with a bound that no statistic reaches": (
        {"stats": "- {key: mud, name: Mud, minimum: 0, maximum: 1000001}"},
        "stats.yaml:1: maximum: Write a number from −1,000,000 to 1,000,000.",
    ),
    "a text that is too long": (
        {"talents": f"- {{slug: a, name: A, text: {'x' * 8001}}}"},
        "talents.yaml:1: `text`: must have at most 8,000 characters.",
    ),
    "a switch without its key": (
        {"switches": "- {name: A, type: number, default: '1'}"},
        "switches.yaml:1: `key` is missing",
    ),
    "a weapon with a die that nobody has": (
        {"weapons": "- {slug: a, name: A, category: category:clubs, damage_type: damage-type:fire, die: 100}"},
        "weapons.yaml:1: The die of a weapon has from 1 to 20 sides.",
    ),
    "a weapon with more dice than can be rolled": (
        {"weapons": "- {slug: a, name: A, category: category:clubs, damage_type: damage-type:fire, dice: 41}"},
        "weapons.yaml:1: dice: At most 40 dice.",
    ),
    "an armor for three hands": (
        {"armors": "- {slug: a, name: A, category: category:mail, hands: 3}"},
        "armors.yaml:1: hands: Armor takes no hand, 1 or 2.",
    ),
    "a condition that stacks up to one": (
        {"conditions": "- {slug: a, name: A, stackable: true}"},
        "conditions.yaml:1: max_stacks: Write 2 or more for a condition that stacks.",
    ),
    "a weapon without its die": (
        {"weapons": "- {slug: a, name: A, category: category:clubs}"},
        "weapons.yaml:1: `damage_type` is missing",
    ),
    "an armor with a key of a weapon": (
        {"armors": "- {slug: a, name: A, category: category:mail, die: 4}"},
        "armors.yaml:1: `die` is not known here; known:",
    ),
    "an empty source": ({"source": ""}, "source.yaml:1: the pack has no source.yaml, or it is empty"),
    "a source that is a list": ({"source": "[a]"}, "source.yaml:1: this must be a mapping of keys to values"),
    "a key beside the source": (
        {"source": "{ruleset: {slug: small, name: S, game: polyhedral}, source: {slug: s, title: T}, author: me}"},
        "source.yaml:1: `author` is not known here; known:",
    ),
    "a source required twice": (
        {"source": "{ruleset: {slug: new, name: N, game: pebbles}, source: {slug: new, title: N, requires: [a, a]}}"},
        "source.yaml:1: a is listed twice",
    ),
    "a grant of nothing": (
        {"gear": "- {slug: a, name: A, grant: [{as: own}]}"},
        "gear.yaml:1: Name what is granted and how.",
    ),
    "a part that is no list": (
        {"gear": "- {slug: a, name: A, modify: {stat: defense}}"},
        "gear.yaml:1: this must be a list",
    ),
}


def is_it(problem, expected):
    """True if the problem is the expected sentence; a list of known names at its end is not compared."""
    return problem.startswith(expected) if expected.endswith((" known:", "files are")) else problem == expected


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_by_file_and_line(folder, name):
    files, expected = MISTAKES[name]
    found = problems(write_pack(folder, **files))
    rest = [problem for problem in found if not is_it(problem, expected)]
    assert len(rest) < len(found), found
    beside = ("there is no ", "this must be a mapping", "is here twice", "it needs", "is missing")
    assert all(any(words in problem for words in beside) for problem in rest), rest
    assert not Source.objects.filter(slug="small-core").exists()


def test_all_mistakes_come_at_once_in_reading_order(folder):
    write_pack(
        folder,
        talents="- {slug: tough, name: Tough, color: red}\n- {slug: odd}\n",
        gear="- {slug: rope, name: Rope, cost_class: dear, groups: [category:nowhere]}",
    )
    assert [problem.split(": ")[0] for problem in problems(folder)] == [
        "gear.yaml:1",
        "gear.yaml:1",
        "talents.yaml:1",
        "talents.yaml:2",
    ]


def test_a_file_that_is_not_utf_8_is_named(folder):
    (folder / "talents.yaml").write_bytes(b"- {slug: a, name: \xff}")
    assert "talents.yaml:1: the file is not UTF-8" in problems(folder)


def test_a_ring_is_refused_with_its_path(folder):
    ring = """
        - {slug: tough, name: Tough, modify: [{stat: rank.grit, op: add, of_stat: defense}]}
        - {slug: odd, name: Odd}
        """
    path = "statistics would depend on themselves: defense → modifier.grit → rank.grit → defense"
    assert problems(write_pack(folder, talents=ring)) == [
        f"rules.yaml:8: {path}",
        f"rules.yaml:9: {path}",
        f"talents.yaml:1: {path}",
    ]


def test_a_ring_over_two_sources_is_refused(loaded, tmp_path):
    house = write_layer(
        tmp_path / "house",
        talents="- {slug: brisk, name: Brisk, modify: [{stat: rank.grit, op: add, of_stat: defense}]}",
    )
    assert problems(house) == [
        "talents.yaml:1: statistics would depend on themselves: defense → modifier.grit → rank.grit → defense"
    ]


# The command


def test_the_command_prints_what_would_change(folder):
    out = StringIO()
    call_command("load_rules", str(folder), dry_run=True, stdout=out)
    assert "+ talent:tough\n" in out.getvalue()
    assert "(nothing written): 38 added, 0 changed" in out.getvalue()
    assert not Source.objects.filter(slug="small-core").exists()


def test_without_a_name_the_command_loads_every_pack_of_the_project(tmp_path, monkeypatch, no_rules):
    """The first game comes first, whatever the folders are called, and a core before what builds on it."""
    monkeypatch.setattr(load, "PACKS", tmp_path)
    write_pack(tmp_path / "z-core")
    write_layer(tmp_path / "a-layer")
    shutil.copytree(pebbles.PACK, tmp_path / "b-core")
    assert shipped() == ["z-core", "b-core", "a-layer"]
    call_command("load_rules", stdout=StringIO())
    assert [one.game for one in Ruleset.objects.order_by("pk")] == ["polyhedral", "pebbles"]
    assert Source.objects.count() == 3


def test_a_pack_that_does_not_exist_is_refused_with_a_sentence():
    with pytest.raises(CommandError, match="neither a pack of the project nor a folder"):
        call_command("load_rules", "nowhere", stdout=StringIO())


def test_reading_the_shipped_pack_finds_nothing_wrong():
    assert PackReader(files_in(PACKS / "polyhedral-core")).problems == []


def test_a_load_may_change_the_title_of_the_source(folder, loaded):
    write_pack(folder, source=FILES["source.yaml"].replace("title: ", "title: New ", 1))
    before = Source.objects.get(ruleset__slug="small").title
    report = load_rules(folder)
    assert Source.objects.get(ruleset__slug="small").title == f"New {before}"
    assert any("title" in line for line in report.lines)
