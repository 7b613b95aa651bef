"""Two levels or two characters side by side: what differs, bad queries, and the cost."""

from dataclasses import replace

import pytest
from django.urls import reverse

from characters.pages.builder.diff_text import diff_text
from characters.pages.compare.comparison_text import comparison_sections
from characters.samples import add_samples
from rules.compile import bundle_for
from rules.engine import DiffLine, derive, difference
from rules.engine.build import Award
from rules.engine.content import Amount, Effect, Stat
from rules.engine.sheet import Step
from rules.games import sections
from tests.characters.cast import first_level, mira, person
from tests.support.heroes import blessed, hero
from tests.support.homebrew import homebrew
from tests.support.html import html_of

from .conftest import plan


def test_a_level_is_compared_with_the_one_before_it(read):
    text = read("compare/")
    assert "Mira, level 6 and level 7" in text
    assert 'value="6"' in text


def test_the_first_level_is_compared_with_the_plan_for_the_second(ana):
    young = first_level()
    plan(young, 2)
    text = html_of(ana.get(f"/characters/{young.pk}/compare/"))
    assert "level 1 and level 2" in text
    assert "Spirit" in text
    assert "nothing differs" not in text


def test_features_come_with_their_text_and_numbers_with_their_rows(read):
    text = read("compare/", first=2, second=4)
    assert "Only level 4" in text
    assert "Improved Critical" in text
    assert "Your weapon attacks are critical" in text
    for words in ("Strength modifier", "taken at level 3: +1", "Attacks", "Checks and saving throws"):
        assert words in text
    assert "rank.strength" not in text


def test_comparing_backward_still_shows_features_of_the_higher_level(read):
    text = read("compare/", first=4, second=2)
    assert "Only level 4" in text
    assert "Only level 2" not in text


def test_two_characters_of_one_name_are_told_apart(read):
    text = read("compare/", first=4, other=first_level().pk)
    assert "Only Mira" in text
    assert '<th scope="col">the other Mira</th>' in text


def test_a_level_compared_with_itself_differs_in_nothing(read):
    assert "nothing differs" in read("compare/", first=3, second=3)


def test_a_visible_number_that_starts_from_a_house_rule_is_shown_with_what_else_moves_it(db):
    core = bundle_for("polyhedral")
    stat = Stat("grit", "Grit", switch="shieldBonus")
    core = replace(core, stats={**core.stats, "grit": stat})
    adds = Effect(kind="modify", owner="", stat="grit", op="add", amount=Amount(flat=1))
    bundle, build = blessed(core, hero(), adds)
    sheet = derive(bundle, build)
    assert (stat, 3) in sections.numbers((), bundle, build, sheet)
    parts = {part.slug: part for part in comparison_sections(bundle, difference(derive(core, hero()), sheet))}
    assert [(row.name, row.before, row.after) for row in parts["numbers"].rows] == [("Grit", "2", "3")]


def test_a_feature_has_its_name_where_the_rules_of_the_other_side_lack_it(db):
    moths = homebrew("Moths", moth="Mothwing")
    talent, more, core = moths.elements.get(), bundle_for("polyhedral", {moths.slug}), bundle_for("polyhedral")
    has, lacks = derive(more, replace(hero(), awards=(Award(talent.ref),))), derive(core, hero())
    [features] = [one for one in comparison_sections(core, difference(has, lacks), more) if one.slug == "features"]
    assert [one.name for one in features.left] == ["Mothwing"]


def test_a_player_compares_two_of_their_own_characters(read, character):
    other = mira(name="Nell", levels=None, xp=0, state=None)
    text = read("compare/", other=other.pk)
    assert "Mira and Nell" in text
    assert "Only Mira" in text
    assert f"/characters/{other.pk}/at/1/" in text


def test_a_character_may_be_compared_with_a_sample(read):
    add_samples()
    from characters.models import Character

    sample = Character.objects.exclude(sample="").first()
    text = read("compare/", other=sample.pk, first=1)
    assert f"Mira and {sample}" in text
    assert reverse("characters:sample", args=[sample.sample]) in text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"first": "0"}, "Enter a level, 1 or more."),
        ({"first": "-3"}, "Enter a level, 1 or more."),
        ({"first": "three"}, "Enter a level, 1 or more."),
        ({"first": "1.5"}, "Enter a level, 1 or more."),
        ({"first": "9" * 40}, "Enter a level"),
        ({"second": "\0"}, "Enter a level"),
        ({"second": "8"}, "Mira has no level 8: the last is 7."),
        ({"first": "40", "second": "2"}, "Mira has no level 40: the last is 7."),
        ({"other": "999999"}, "There is no such character to compare with."),
        ({"other": "x"}, "There is no such character to compare with."),
        ({"other": "\0"}, "There is no such character to compare with."),
    ],
)
def test_a_bad_comparison_is_refused_at_its_field(read, query, sentence):
    text = read("compare/", status=422, **query)
    assert sentence in text
    assert 'aria-invalid="true"' in text


def test_another_persons_character_is_refused_like_a_missing_one(read):
    theirs = mira(person("bo"), name="Theirs")
    text = read("compare/", status=422, other=theirs.pk)
    assert "There is no such character to compare with." in text
    assert "Theirs" not in text


@pytest.mark.parametrize("query", [{}, {"first": 1, "second": 7}])
def test_the_page_takes_at_most_fourteen_queries(read, query, django_assert_max_num_queries):
    read("compare/", **query)
    with django_assert_max_num_queries(14):
        read("compare/", **query)


def test_names_are_escaped(read):
    other = mira(name="<i>Nell</i>")
    text = read("compare/", other=other.pk)
    assert "&lt;i&gt;Nell&lt;/i&gt;" in text
    assert "<i>Nell" not in text


class TestTold:
    """The sections, made from the engine's differences."""

    @pytest.fixture
    def bundle(self, db):
        return bundle_for("polyhedral")

    def sections(self, bundle, before, after):
        moves = difference(derive(bundle, before), derive(bundle, after))
        return {section.slug: section for section in comparison_sections(bundle, moves)}

    def test_a_row_whose_amount_differs_is_listed_once_with_both_amounts(self, bundle):
        found = self.sections(bundle, hero(level=2), hero(level=3))
        health = next(row for row in found["numbers"].rows if row.name == "Health")
        assert [(one.source, one.before, one.after) for one in health.reasons] == [("Fighter", "+16", "+24")]

    def test_where_the_words_of_a_row_differ_each_amount_has_its_own(self, bundle):
        found = self.sections(bundle, hero(), hero(agility=14))
        modifier = next(row for row in found["abilities"].rows if row.name == "Agility modifier")
        (one,) = modifier.reasons
        words = "−5 + half agility {} rounded down"
        assert (one.before, one.was_text) == ("0", words.format(10))
        assert (one.after, one.text) == ("2", words.format(14))

    def test_numbers_are_in_the_order_and_format_of_the_rules(self, bundle):
        found = self.sections(bundle, hero(), hero(strength=14, agility=13))
        assert [row.name for row in found["abilities"].rows][:2] == ["Strength", "Agility"]
        modifier = next(row for row in found["abilities"].rows if row.name == "Strength modifier")
        assert (modifier.before, modifier.after) == ("+0", "+2")
        assert any(row.after.endswith(" ft") for row in found["numbers"].rows)

    def test_uses_are_listed_once_in_their_own_section(self, bundle):
        found = self.sections(bundle, hero(level=1), hero(level=2))
        assert [row.name for row in found["uses"].rows] == ["Action Surge"]
        assert "Action Surge" not in [row.name for row in found["numbers"].rows]

    def test_a_thing_that_only_one_has_is_on_its_side(self, bundle):
        found = self.sections(bundle, hero(languages=["elvish"]), hero(lineage="dwarf", culture="dwarven-culture"))
        assert "Dwarven" in [thing.name for thing in found["language"].right]
        assert found["features"].right

    def test_a_language_in_own_words_is_a_language(self, bundle):
        learned = replace(hero(), awards=(Award("", "downtime", "Sea cant"),))
        found = self.sections(bundle, hero(), learned)
        assert [thing.name for thing in found["language"].right] == ["Sea cant"]
        assert "proficiency" not in found

    def test_a_number_without_a_name_is_not_listed(self, bundle):
        assert diff_text(bundle, DiffLine("value", "no-such-stat", "no-such-stat", "0", "1")) is None
        assert (
            comparison_sections(bundle, [DiffLine("value", "no-such-stat", "x", "0", "1", (Step("x", "y", 1),))]) == ()
        )

    @pytest.mark.parametrize("level", range(1, 16))
    def test_every_section_has_something_to_say(self, bundle, level):
        for section in self.sections(bundle, hero(), hero(level=level, rank=min(level, 15))).values():
            assert section.rows or section.left or section.right


def test_a_level_1_character_is_compared_with_another_character(ana, character):
    fresh = first_level(name="Nell")
    text = html_of(ana.get(f"/characters/{fresh.pk}/compare/"))
    assert "Nell and Mira" in text
    assert "Only Mira" in text
