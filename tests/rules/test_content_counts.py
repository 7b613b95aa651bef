"""The counts that the rules state, compared with the database after loading."""

import re
from collections import Counter

import pytest

from rules.engine.phrases import setting_words
from rules.models import Action, Armor, Condition, Effect, Element, LookupRow, Skill, Suggestion, Switch, Weapon

pytestmark = pytest.mark.django_db

IN_GROUP = {
    ("knowledge", "common-knowledge"): 7,
    ("feature", "fighting-styles"): 9,
    ("property", "weapon-properties"): 11,
    ("property", "undefined-properties"): 4,
    ("condition", "states"): 11,  # seven of ruling 85, three that features put on their user, and dashing
}
OF_KIND = {
    "ability": 6,
    "skill": 14,
    "knowledge": 8,
    "tool": 3,
    "language": 3,
    "lineage": 4,
    "culture": 3,
    "disposition": 5,
    "size": 7,
    "job": 1,
    "path": 1,
    "talent": 2,
    "damage-type": 13,
    "term": 53,
}


def core():
    return Element.objects.filter(source__slug="polyhedral-core")


@pytest.mark.parametrize(("kind", "count"), OF_KIND.items())
def test_each_kind_is_complete(kind, count):
    assert core().filter(kind=kind).count() == count


@pytest.mark.parametrize(("kind", "group", "count"), [(*key, count) for key, count in IN_GROUP.items()])
def test_each_group_is_complete(kind, group, count):
    assert core().filter(kind=kind, groups__slug=group).count() == count


def test_every_skill_has_its_usual_ability():
    per_ability = Counter(Skill.objects.values_list("key_ability__slug", flat=True))
    assert per_ability == {"strength": 1, "agility": 3, "vitality": 1, "mind": 4, "spirit": 1, "presence": 4}


def test_there_are_33_weapons_in_four_groups():
    weapons = Weapon.objects.exclude(category__slug="unarmed").values_list("category__slug", "ranged")
    assert Counter(weapons) == {
        ("simple-weapons", False): 8,
        ("simple-weapons", True): 6,
        ("martial-weapons", False): 14,
        ("martial-weapons", True): 5,
    }


def test_there_are_12_armors_and_a_shield():
    assert Counter(Armor.objects.values_list("category__slug", flat=True)) == {
        "light-armor": 3,
        "medium-armor": 5,
        "heavy-armor": 4,
        "shields": 1,
    }


def test_there_are_20_conditions_besides_the_states():
    assert Condition.objects.exclude(groups__slug="states").count() == 20


def test_the_ambassador_suggests_26_aspects():
    of_ambassador = Suggestion.objects.filter(background__slug="ambassador").values_list("aspect", flat=True)
    assert Counter(of_ambassador) == {"trait": 8, "ideal": 6, "bond": 6, "flaw": 6}


def test_there_is_one_printed_background():
    assert [b.slug for b in core().filter(kind="background").exclude(slug="custom-background")] == ["ambassador"]


def test_the_champion_has_five_features():
    champion = Effect.objects.filter(owner__kind="path", owner__slug="champion", kind="grant", element__kind="feature")
    assert [effect.from_rank for effect in champion.order_by("from_rank")] == [3, 6, 8, 10, 13]


def test_the_fighter_has_fifteen_ranks_and_may_break_the_limit():
    job = core().get(kind="job").job
    assert (job.max_rank, job.limit_break) == (15, True)


def test_there_are_13_actions():
    assert Action.objects.filter(owner__slug="core-rules", timing__slug="action").count() == 13


def test_there_are_five_ways_to_spend_resolve():
    assert Action.objects.filter(timing__slug="resolve", resource__slug="resolve").count() == 5


def test_there_are_five_downtime_activities():
    assert Action.objects.filter(owner__kind="rules", timing__slug="downtime").count() == 5


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("difficulty", [6, 9, 12, 15, 18, 21, 24, 27]),
        ("point-buy", [-2, -1, 0, 1, 2, 3, 5, 7, 10, 13]),
        ("array", [15, 14, 13, 12, 10, 8]),
        ("lifestyle", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_the_tables_hold_the_printed_figures(table, values):
    assert list(LookupRow.objects.filter(table__slug=table).order_by("at").values_list("value", flat=True)) == values


def test_every_campaign_setting_is_a_switch_with_help():
    switches = Switch.objects.filter(source__slug="polyhedral-core")
    assert switches.count() == 49
    assert not switches.filter(help="").exists()


def test_every_value_of_a_house_rule_has_a_readable_label():
    """Not a word of the code: no camelCase, no hyphens, no true or false."""
    for switch in Switch.objects.filter(source__slug="polyhedral-core", type__in=("choice", "flag")):
        said = [setting_words(switch, value) for value in switch.allowed]
        assert switch.type == "flag" or len(switch.labels) == len(switch.allowed), switch.key
        assert not {"true", "false"} & set(said), switch.key
        assert not [word for word in said if re.search(r"[a-z][A-Z]|-", word)], switch.key


def test_everything_has_a_summary_and_a_text():
    without = [element for element in core() if not element.summary or not element.text]
    assert [element.ref for element in without if element.kind != "term"] == []


def test_a_term_is_a_sentence_and_leads_to_its_rule():
    terms = core().filter(kind="term").select_related("parent")
    assert len(terms) == OF_KIND["term"]
    assert [term.ref for term in terms if not term.summary.endswith(".")] == []
    assert [term.slug for term in terms if not term.parent or term.parent.kind != "rules"] == ["condition"]


@pytest.mark.parametrize(
    "word",
    ["ability", "skill", "knowledge", "tool", "lineage", "culture", "background", "disposition", "job", "path"]
    + ["talent", "feature", "condition", "action", "bonus-action", "reaction", "rally", "wound-threshold", "cantrip"],
)
def test_the_glossary_has_the_words_that_players_meet(word):
    assert core().filter(kind="term", slug=word).exists()


def test_summaries_fit_on_a_card():
    assert [element.ref for element in core() if len(element.summary) > 120] == []
