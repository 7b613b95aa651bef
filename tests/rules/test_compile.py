"""Bundles: compiled once per revision, layered per source, in a fixed number of queries."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from rules.compile import NoSuchSource, bundle_at, bundle_for, source_bundle, sources_of
from rules.engine.content import Amount, Condition
from rules.index import NotInRules, index_for, read_indexes
from rules.models import Ability, Choice, Element, Source, Stat
from rules.packs.load import load_rules
from rules.publications import publish
from tests.factories import SourceFactory

from .small_pack import write_layer

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture(scope="module")
def house_pack(small_pack, shared, tmp_path_factory):
    folder = write_layer(
        tmp_path_factory.mktemp("house"),
        talents="""
        - {slug: brisk, name: Brisk, groups: [category:knacks]}
        - {slug: rude, name: Rude}
        """,
        armors="- {slug: plate, name: Plate, category: category:mail, base_defense: 18}",
        jobs="- {slug: thief, name: Thief}",
    )
    shared(lambda: load_rules(folder))


@pytest.fixture
def house(house_pack):
    return Source.objects.get(slug="house")


def cold_queries(ruleset: str) -> int:
    for source in sources_of(ruleset, ()):
        publish(source)
    with CaptureQueriesContext(connection) as queries:
        bundle_for(ruleset)
    return len(queries)


def test_the_number_of_queries_does_not_depend_on_content(small):
    assert cold_queries("small") == cold_queries("polyhedral") <= 28


def test_bundle_at_returns_the_rules_in_force_at_that_revision(small, house, django_assert_num_queries):
    revisions = [small.revision]
    for summary in ("First.", "Second."):
        Element.objects.filter(source=small).update(summary=summary)
        revisions.append(publish(small).revision)
    now = bundle_for("small", ["house"])
    talents = [ref for ref, element in now.elements.items() if element.source == "small-core"]

    def summaries(moment):
        return {bundle_at(now, moment).elements[ref].summary for ref in talents}

    assert summaries(revisions[1]) == summaries(revisions[2] - 1) == {"First."}
    assert summaries(revisions[2]) == {"Second."}
    assert bundle_at(now, revisions[2]) is now
    assert "talent:rude" in bundle_at(now, revisions[1]).elements
    assert bundle_at(now, 1) is bundle_at(now, revisions[0])  # before that, it is as first published
    with django_assert_num_queries(0):
        bundle_at(now, revisions[1])


def test_a_warm_bundle_costs_one_query_and_is_the_same_object(small, django_assert_num_queries):
    bundle = bundle_for("small")
    with django_assert_num_queries(1):
        assert bundle_for("small") is bundle
    assert bundle_for(small.ruleset, ["small-core"]) is bundle


def test_an_edit_of_one_source_recompiles_only_that_source(small, house):
    before = bundle_for("small", ["house"])
    core = source_bundle(small, [small])
    Element.objects.filter(source=house, slug="rude").update(name="Very rude")
    publish(house)
    after = bundle_for("small", ["house"])
    assert (before.elements["talent:rude"].name, after.elements["talent:rude"].name) == ("Rude", "Very rude")
    small.refresh_from_db()
    assert source_bundle(small, [small, house]) is core


def test_an_edit_of_the_core_reaches_the_armor_of_a_layer(small, tmp_path):
    """An armor of the layer uses the modifier of a core ability; the rows of the layer do not change."""
    house = write_layer(
        tmp_path / "house",
        armors="- {slug: plate, name: Plate, category: category:mail, base_defense: 18, adds_ability: ability:agility}",
    )
    load_rules(house)
    assert bundle_for("small", ["house"]).elements["armor:plate"].effects[0].amount.of_stat == "modifier.wits"
    Ability.objects.filter(source=small, slug="strength").update(modifier_stat=Stat.objects.get(key="rank.grit"))
    Ability.objects.filter(source=small, slug="agility").update(modifier_stat=Stat.objects.get(key="modifier.grit"))
    publish(small)
    assert bundle_for("small", ["house"]).elements["armor:plate"].effects[0].amount.of_stat == "modifier.grit"


def test_an_edit_that_was_rolled_back_leaves_no_trace(small):
    bundle_for("small")

    def rename(name):
        Element.objects.filter(source=small, slug="odd").update(name=name)
        publish(small)
        return bundle_for("small").elements["talent:odd"].name

    with transaction.atomic():
        assert rename("Odder") == "Odder"
        transaction.set_rollback(True)
    assert bundle_for("small").elements["talent:odd"].name == "Odd"
    assert rename("Oddest") == "Oddest"


def test_an_edit_is_in_no_bundle_until_its_source_is_published(small):
    Element.objects.filter(source=small, slug="odd").update(name="Odder", summary="Odd.", text="Odder still.")
    assert bundle_for("small").elements["talent:odd"].name == "Odd"
    publish(small)
    odd = bundle_for("small").elements["talent:odd"]
    assert (odd.name, odd.summary, odd.text) == ("Odder", "Odd.", "Odder still.")


def test_a_source_that_was_never_published_cannot_be_in_play(small):
    SourceFactory(ruleset=small.ruleset, slug="new", revision=0)
    with pytest.raises(NoSuchSource):
        bundle_for("small", ["new"])


def test_drafts_are_hidden_and_retired_elements_are_not_offered(small):
    Element.objects.filter(source=small, slug="tough").update(status="draft")
    Element.objects.filter(source=small, slug="lucky").update(status="retired")
    publish(small)
    bundle = bundle_for("small")
    assert "talent:tough" not in bundle.elements
    assert bundle.elements["talent:lucky"].status == "retired"
    assert bundle.choices["core-rules.talent"].options == ()
    assert bundle.choices["core-rules.talent"].retired == ("talent:lucky",)


def test_options_are_listed_in_reading_order(small):
    bundle = bundle_for("small")
    assert bundle.choices["core-rules.talent"].options == ("talent:tough", "talent:lucky")
    assert bundle.choices["core-rules.background"].options == ("background:heir",)
    assert bundle.choices["core-rules.grit"].stats == ("rank.grit",)
    Choice.objects.filter(slug="path", owner__source=small).update(filter_parent=True)
    publish(small)
    assert bundle_for("small").choices["watch.path"].options == ()
    Element.objects.filter(source=small, slug="wall").update(
        parent=Element.objects.get(source=small, slug="watch"), kind="path"
    )
    publish(small)
    assert bundle_for("small").choices["watch.path"].options == ("path:wall",)


def test_content_of_a_layer_is_offered_by_choices_of_the_core(house):
    layered = bundle_for("small", ["house"])
    assert layered.choices["core-rules.talent"].options == ("talent:brisk", "talent:tough", "talent:lucky")
    assert layered.choices["core-rules.job"].options == ("job:guard", "job:thief")
    assert layered.elements["talent:brisk"].source == "house"
    alone = bundle_for("small")
    assert "talent:brisk" not in alone.elements
    assert alone.choices["core-rules.talent"].options == ("talent:tough", "talent:lucky")


def test_rows_are_compiled_into_the_records_of_the_engine(small):
    bundle = bundle_for("small")
    assert bundle.revision == (("small-core", small.revision),)
    tough = bundle.elements["talent:tough"]
    assert [(e.kind, e.stat, e.op, e.amount, e.when) for e in tough.effects] == [
        ("modify", "defense", "add", Amount(flat=1), "armored")
    ]
    assert [(r.test, r.stat, r.value) for r in tough.prerequisites] == [("stat_min", "rank.grit", 2)]
    assert [(e.grant_as, e.element, e.from_rank) for e in bundle.elements["job:guard"].effects] == [
        ("gain", "feature:watch", 2),
        ("skilled", "category:mail", 0),
    ]
    assert bundle.elements["weapon:club"].properties[0].b == 60
    assert bundle.elements["weapon:club"].cost_class == 1
    assert bundle.elements["weapon:club"].weapon.damage_type == "damage-type:blunt"
    assert bundle.elements["skill:climb"].key_ability == "ability:strength"
    assert bundle.elements["condition:scared"].condition == Condition(True, 3, "luck", 2, "nap", "save")
    dare, brag = bundle.elements["rules:core-rules"].actions[1:]
    assert (dare.changes, dare.of_roll, dare.when, brag.begins) == ("reroll", "save", "armored", "condition:scared")
    assert [action.timing_sort for action in bundle.elements["rules:core-rules"].actions] == [10, 10, 10]
    assert bundle.resources["luck"].max_stat == "luck.max"
    assert bundle.elements["rules:core-rules"].recoveries[0].event == "sleep"
    assert bundle.elements["rules:core-rules"].actions[0].text == "Push on."
    assert bundle.circumstances["at-dusk"].tests[1].switch == "mood"
    assert bundle.switches["mood"].allowed == ("grim", "gay")
    assert bundle.events["sleep"].includes == ("nap",)
    assert bundle.lookups["difficulty"] == {1: 6, 2: 9}
    assert bundle.lookup_labels["difficulty"] == {1: "Easy"}
    assert [(row.aspect, row.number, row.text, row.tag) for row in bundle.suggestions] == [
        ("ideal", 1, "Order.", "Good"),
        ("trait", 1, "I wave.", ""),
        ("trait", 2, "I nod.", ""),
    ]


def test_worn_armor_is_a_base_of_the_statistic_that_the_ruleset_names(house):
    bundle = bundle_for("small", ["house"])
    [shirt] = bundle.elements["armor:shirt"].effects
    assert (shirt.stat, shirt.op) == ("defense", "base")
    assert shirt.amount == Amount(flat=13, of_stat="modifier.grit", at_most=15)
    [plate] = bundle.elements["armor:plate"].effects
    assert plate.amount == Amount(flat=18)


def test_an_unknown_source_or_ruleset_is_named(small):
    with pytest.raises(LookupError, match="No source of rules named nowhere in small"):
        bundle_for("small", ["nowhere"])
    with pytest.raises(LookupError, match="No rules are loaded for nothing"):
        bundle_for("nothing")


# The index


def test_the_index_gives_the_id_of_each_row(house, django_assert_num_queries):
    index = index_for("small")
    assert index.elements["talent:brisk"] == Element.objects.get(source=house, slug="brisk").pk
    assert index.choices["core-rules.talent"] == Choice.objects.get(slug="talent", owner__ruleset__slug="small").pk
    for names in (index.resources, index.stats, index.circumstances, index.switches):
        assert names
        with pytest.raises(NotInRules, match="nothing"):
            names["nothing"]
    with django_assert_num_queries(1):
        assert index_for("small") is index


def test_a_renamed_row_is_in_the_index_after_a_publication(small):
    index_for("small")
    Element.objects.filter(source=small, slug="odd").update(slug="even")
    publish(small)
    assert "talent:even" in index_for("small").elements
    assert "talent:even" in read_indexes([small.pk])[small.pk]["elements"]
