"""The admin: a talent with working rows is added; every bad row is refused at its field and nothing is stored."""

import re

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules import models
from rules.admin.preview import Previewed
from rules.contradictions import IN_VAIN, NO_TESTS
from rules.engine.phrases import first_up
from rules.models.vocabulary import Status
from tests.factories import SpellFactory

from .admin_form import Form, Game, new_talent

pytestmark = pytest.mark.full


def test_a_talent_with_working_rows_is_added(editor, game):
    form = new_talent(editor)
    form.rows("StatModifierInline", {"stat": game.defense, "op": "add", "amount": 1, "when": game.armored})
    form.rows("GrantInline", {"element": game.darksight, "grant_as": "gain", "when": game.veteran})
    form.rows("PrerequisiteInline", {"test": "level", "value": 3})
    before = game.edited
    answer = form.send()
    assert answer.status_code == 302, form.errors()
    talent = models.Talent.objects.get(slug="wary")
    assert talent.kind == "talent"
    assert sorted(talent.effects.values_list("kind", flat=True)) == ["grant", "modify"]
    assert game.edited > before
    page = editor.get(reverse("admin:rules_talent_change", args=[talent.pk])).content.decode()
    assert "+1 Defense while wearing armor" in page
    assert "Gains Darksight once a veteran" in page
    assert "Level 3 or more" in page


NO_AMOUNT = "Give a number, a statistic, or both."


@pytest.mark.parametrize(
    ("inline", "row", "field", "sentence"),
    [
        ("StatModifierInline", {"stat": "defense", "op": "add"}, "amount", NO_AMOUNT),
        ("StatModifierInline", {"stat": "defense", "amount": 1}, "op", "This field is required."),
        ("StatModifierInline", {"op": "add", "amount": 1}, "stat", "This field is required."),
        (
            "StatModifierInline",
            {"stat": "defense", "op": "add", "amount": 1, "divided_by": 0},
            "divided_by",
            "Divide by one or more.",
        ),
        ("StatModifierInline", {"stat": "defense", "op": "add", "amount": "1e9"}, "amount", "Enter a whole number."),
        ("RollModifierInline", {"roll": "check", "aspect": "bonus"}, "amount", f"This change needs {NO_AMOUNT[5:]}"),
        (
            "RollModifierInline",
            {"roll": "damage", "aspect": "damage_dice", "amount": 0},
            "amount",
            "This change takes a number from 1 to 100.",
        ),
        ("RollModifierInline", {"roll": "check"}, "aspect", "This field is required."),
        ("RollModifierInline", {"roll": "save", "aspect": "uses_ability"}, "ability", "Name the ability that is used."),
        ("RollModifierInline", {"roll": "damage", "aspect": "damage_type"}, "subject", "Name the damage type."),
        (
            "RollModifierInline",
            {"roll": "check", "aspect": "advantage", "ability": "darksight"},
            "ability",
            "Darksight is not an ability.",
        ),
        ("GrantInline", {"grant_as": "gain"}, "element", "This field is required."),
        ("GrantInline", {"element": "darksight"}, "grant_as", "This field is required."),
        ("GrantInline", {"element": "darksight", "grant_as": "gain", "quantity": 0}, "__all__", "Grant one or more."),
        (
            "GrantInline",
            {"element": "darksight", "grant_as": "resist"},
            "grant_as",
            "Darksight is a feature: choose “gains”.",
        ),
        (
            "GrantInline",
            {"element": "darksight", "grant_as": "gain", "when": "armored"},
            "when",
            "A grant may depend only on level, rank, starting job, house rules or something held, "
            "not on the lack of one.",
        ),
        ("NoteInline", {"stat": "defense"}, "text", "This field is required."),
        ("PrerequisiteInline", {"test": "has"}, "element", "This test needs it."),
        ("PrerequisiteInline", {"test": "stat_min", "value": 13}, "stat", "This test needs it."),
        ("PrerequisiteInline", {"test": "level"}, "value", "This test needs it."),
        ("PrerequisiteInline", {"test": "switch", "word": "9"}, "switch", "This test needs it."),
        (
            "PrerequisiteInline",
            {"test": "wears", "word": "hat"},
            "word",
            "Write one of these: any, armor, shield, unproficient.",
        ),
        ("PrerequisiteInline", {"test": "resource_empty", "word": "luck"}, "word", "No resource has the slug luck."),
    ],
)  # fmt: skip
def test_a_bad_row_is_refused_at_its_field(editor, game, inline, row, field, sentence):
    references = ("stat", "element", "when", "ability")
    row = {name: getattr(game, value) if name in references else value for name, value in row.items()}
    form = new_talent(editor).rows(inline, row)
    before = game.edited
    assert (field, sentence) in form.errors()
    assert not models.Talent.objects.filter(slug="wary").exists()
    assert game.edited == before


def test_the_page_shows_each_refused_row_with_its_error(editor, game):
    form = new_talent(editor)
    bad = {
        "StatModifierInline": {"op": "add", "amount": 1},
        "RollModifierInline": {"roll": "check"},
        "GrantInline": {"grant_as": "gain"},
        "NoteInline": {"stat": game.defense},
    }
    for inline, row in bad.items():
        form.rows(inline, row)
    form.drawn = True
    html = form.send().content.decode()
    for inline in bad:
        part = html.partition(f'id="{form.prefixes[inline]}-group"')[2].partition("-group")[0]
        assert part.count("This field is required.") == 1, inline


def test_an_amount_that_is_no_number_is_told_in_one_sentence(editor, game):
    form = new_talent(editor)
    form.rows("StatModifierInline", {"stat": game.defense, "op": "add", "amount": "many"})
    assert form.errors() == [("amount", "Enter a whole number.")]


def test_an_element_cannot_grant_itself(editor, game):
    form = Form(editor, models.Talent, game.talent)
    form.rows("GrantInline", {"element": game.talent, "grant_as": "gain"})
    assert ("element", "An element cannot grant itself.") in form.errors()


def test_a_statistic_that_would_need_itself_is_refused_with_its_path(editor, game):
    form = new_talent(editor)
    form.rows("StatModifierInline", {"stat": game.agility, "op": "add", "of_stat": game.defense})
    path = "Agility → Defense → Agility modifier → Agility"
    assert ("of_stat", f"These statistics would depend on themselves: {path}.") in form.errors()


def test_a_resource_has_a_slug_of_its_own_in_the_whole_game(editor, game):
    models.Resource.objects.create(owner=game.talent, slug="luck", name="Luck", max_stat=game.defense)
    form = new_talent(editor)
    form.rows("ResourceInline", {"slug": "luck", "name": "Luck", "max_stat": game.agility, "style": "uses", "die": 0})
    assert form.errors() == [("slug", "Tough has a resource luck already. Choose another slug.")]
    form.data[f"{form.prefixes['ResourceInline']}-0-slug"] = "fortune"
    assert form.send().status_code == 302, form.errors()
    fortune = models.Resource.objects.get(slug="fortune")
    assert Form(editor, models.Resource, fortune).fill(name="Good fortune").send().status_code == 302
    assert ("owner", "This field is required.") in Form(editor, models.Resource).fill(slug="luck").errors()


def test_a_new_entry_with_the_slug_of_another_is_refused_at_its_field(editor, game):
    sentence = "Another talent already has this slug. Choose another slug."
    assert new_talent(editor, slug="tough").errors() == [("slug", sentence)]
    assert new_talent(editor, slug="darksight").send().status_code == 302  # a feature has it, and no talent


def test_a_new_row_named_as_another_is_told_so_if_its_slug_is_left_to_the_site(editor, game):
    sentence = (
        "The slug made from this name is tough, which the talent “Tough” already has. "
        "Choose another name, or write a slug."
    )
    assert new_talent(editor, name="Tough", slug="").errors() == [("slug", sentence)]
    assert new_talent(editor, name="Tough", slug="tougher").send().status_code == 302


def test_a_row_that_takes_the_name_of_another_is_refused_at_its_field(editor, game):
    wary = game.element(models.Talent, "wary")
    for row, name, theirs in (
        (wary, "slug", "tough"), (game.agility, "key", "defense"), (game.veteran, "slug", "wearing-armor"),
    ):  # fmt: skip
        kind = row._meta.verbose_name
        sentence = f"Another {kind} already has this {name}. Choose another {name}."
        assert Form(editor, type(row), row).fill(**{name: theirs}).errors() == [(name, sentence)]
        assert Form(editor, type(row), row).fill(name="As it is").send().status_code == 302


def test_two_new_rows_that_loop_only_together_are_refused(editor, game):
    luck, fate = game.stat("luck", "Luck"), game.stat("fate", "Fate")
    one = {"stat": luck, "op": "add", "of_stat": fate}
    other = {"stat": fate, "op": "add", "of_stat": luck}
    assert new_talent(editor).rows("StatModifierInline", one).send().status_code == 302
    models.Talent.objects.get(slug="wary").delete()
    form = new_talent(editor).rows("StatModifierInline", one, other)
    assert ("of_stat", "These statistics would depend on themselves: Fate → Luck → Fate.") in form.errors()


def test_a_loop_through_a_circumstance_is_refused_on_both_pages(editor, game):
    agile = game.circumstance("agile", "while agile", test="stat_min", stat=game.defense, value=3)
    form = new_talent(editor).rows(
        "StatModifierInline", {"stat": game.agility, "op": "add", "amount": 1, "when": agile}
    )
    assert "Agility → Defense → Agility modifier → Agility" in dict(form.errors())["when"]
    models.StatModifier.objects.create(owner=game.talent, stat=game.agility, op="add", amount=1, when=game.veteran)
    form = Form(editor, models.Circumstance, game.veteran)
    form.rows("CircumstanceTestInline", {"test": "stat_min", "stat": game.defense, "value": 3})
    assert "Agility → Defense → Agility modifier → Agility" in dict(form.errors())["stat"]


def test_only_a_term_can_explain_a_statistic(editor, game):
    term = models.Term.objects.create(**game.made(slug="defense", name="Defense", summary="What must be reached."))
    Form(editor, models.Stat, game.defense).fill(term=term).send()
    game.defense.refresh_from_db()
    assert game.defense.term == term
    form = Form(editor, models.Stat, game.defense).fill(term=game.talent)
    assert "term" in dict(form.errors())


def test_references_into_another_ruleset_are_refused(editor, game):
    other = Game("other")
    sentence = "{} belongs to another ruleset."
    form = new_talent(editor, ruleset=game.ruleset, source=game.source)
    form.rows("StatModifierInline", {"stat": other.defense, "op": "add", "amount": 1})
    form.rows("GrantInline", {"element": other.darksight, "grant_as": "gain"})
    assert {("stat", sentence.format("Defense")), ("element", sentence.format("Darksight"))} <= set(form.errors())
    form = new_talent(editor, ruleset=game.ruleset, source=other.source, parent=other.talent)
    assert {"source", "parent"} <= dict(form.errors()).keys()
    choice = models.Choice.objects.create(owner=game.talent, slug="pick", prompt="Pick one")
    form = Form(editor, models.Choice, choice).rows("OptionInline", {"element": other.darksight})
    assert ("element", sentence.format("Darksight")) in form.errors()


def test_a_retired_target_is_refused_in_a_new_row_and_kept_in_an_old_one(editor, game):
    models.Grant.objects.create(owner=game.talent, element=game.darksight, grant_as="gain")
    models.Feature.objects.update(status=Status.RETIRED)
    sentence = "Darksight is retired. Publish it again, or name another element."
    form = new_talent(editor).rows("GrantInline", {"element": game.darksight, "grant_as": "gain"})
    assert ("element", sentence) in form.errors()
    assert Form(editor, models.Talent, game.talent).fill(summary="Hard to kill.").send().status_code == 302


@pytest.mark.parametrize("query", ["", "?noscript=1"])
def test_a_field_says_that_what_it_names_is_retired(editor, game, query):
    models.Grant.objects.create(owner=game.talent, element=game.darksight, grant_as="gain")
    game.talent.groups.add(game.element(models.Category, "hardy"))
    game.talent.parent = game.element(models.Job, "warden")
    game.talent.save()

    def body():
        page = reverse("admin:rules_talent_change", args=[game.talent.pk])
        return editor.get(f"{page}{query}").content.decode()

    before = body()
    models.Element.objects.exclude(kind=game.talent.kind).update(status=Status.RETIRED)
    after = body()
    for name in ("Darksight", "Hardy", "Warden"):
        assert f"selected>{name}</option>" in before
        assert f"selected>{name} (retired)</option>" in after


def test_a_retired_house_rule_is_refused_in_a_new_test(editor, game):
    cold = models.Switch.objects.create(
        **game.made(key="cold", name="Cold", type="flag", default="off", allowed=["on", "off"])
    )
    game.circumstance("cold", "on cold nights", test="switch", switch=cold, word="on")
    models.Switch.objects.update(status=Status.RETIRED)
    form = Form(editor, models.Circumstance, game.veteran)
    form.rows("CircumstanceTestInline", {"test": "switch", "switch": cold, "word": "on"})
    assert ("switch", "Cold is retired. Publish it again, or name another house rule.") in form.errors()
    kept = models.Circumstance.objects.get(slug="cold")
    assert Form(editor, models.Circumstance, kept).fill(name="in the cold").send().status_code == 302


def test_deleting_an_element_in_use_is_refused_and_lists_its_uses(editor, game):
    models.Grant.objects.create(owner=game.talent, element=game.darksight, grant_as="gain")
    url = reverse("admin:rules_feature_delete", args=[game.darksight.pk])
    page = editor.get(url)
    assert page.context["protected"]
    assert "Tough: grants" in page.content.decode()
    refused = editor.post(url, {"post": "yes"})
    assert refused.status_code == 200
    assert "Tough: grants" in refused.content.decode()
    assert models.Feature.objects.filter(slug="darksight").exists()
    models.Grant.objects.all().delete()
    before = game.edited
    assert editor.post(url, {"post": "yes"}).status_code == 302
    assert not models.Feature.objects.filter(slug="darksight").exists()
    assert game.edited > before


def test_elements_are_retired_readied_and_deleted_from_the_list(editor, game):
    url = reverse("admin:rules_talent_changelist")
    for action, status in (("retire", Status.RETIRED), ("ready", Status.PUBLISHED)):
        before = game.edited
        editor.post(url, {"action": action, "_selected_action": [game.talent.pk]})
        game.talent.refresh_from_db()
        assert game.talent.status == status
        assert game.edited > before
    game.element(models.Talent, "unused")
    editor.post(
        url,
        {"action": "delete_selected", "_selected_action": [models.Talent.objects.get(slug="unused").pk], "post": "yes"},
    )
    assert not models.Talent.objects.filter(slug="unused").exists()


def test_moving_an_element_marks_both_sources_as_edited(editor, game):
    home = models.Source.objects.create(ruleset=game.ruleset, slug="home", title="Home")
    before = game.edited
    assert Form(editor, models.Talent, game.talent).fill(source=home).send().status_code == 302
    home.refresh_from_db()
    assert home.edited
    assert game.edited > before


def test_an_edit_of_a_choice_is_an_edit_of_its_entry(editor, game):
    """Of both entries, if it moves to another. A form opened before is out of date then."""
    home = models.Source.objects.create(ruleset=game.ruleset, slug="home", title="Home")
    other = game.element(models.Talent, "other", source=home)
    choice = models.Choice.objects.create(owner=game.talent, slug="one", prompt="Which?", filter_kind="skill")

    def moved():
        """The entries updated since the last call."""
        rows = dict(models.Element.objects.values_list("pk", "updated"))
        found = {one for one in (game.talent, other) if rows[one.pk] != seen.get(one.pk)}
        seen.update(rows)
        return found

    seen, before = {}, game.edited
    moved()
    assert Form(editor, models.Choice, choice).fill(prompt="Which one?", owner=other).send().status_code == 302
    home.refresh_from_db()
    assert moved() == {game.talent, other}
    assert home.edited
    assert game.edited > before
    editor.post(reverse("admin:rules_choice_delete", args=[choice.pk]), {"post": "yes"})
    assert moved() == {other}


def test_an_element_cannot_move_to_another_ruleset(editor, game):
    other = Game("other")
    assert Form(editor, models.Talent, game.talent).fill(ruleset=other.ruleset).send().status_code == 302
    game.talent.refresh_from_db()
    assert game.talent.ruleset == game.ruleset


@pytest.mark.slow
def test_every_page_of_the_admin_opens(editor, game):
    index = editor.get(reverse("admin:index"))
    assert [app["name"] for app in index.context["app_list"]][:2] == [
        "Where characters come from",
        "What characters learn",
    ]
    listed = {model["object_name"] for app in index.context["app_list"] for model in app["models"]}
    assert {cls.__name__ for cls in models.ELEMENT_CLASSES.values()} < listed
    for app in index.context["app_list"]:
        for model in app["models"]:
            # Lists without a search and empty forms are opened in test_admin_queries.
            assert editor.get(model["admin_url"], {"q": "a\0b"}).status_code in (200, 302)
    for found in (models.Choice, models.Resource, models.Source, models.Ruleset, models.Stat, models.Circumstance):
        for row in found.objects.all()[:2]:
            name = f"admin:rules_{found._meta.model_name}_change"
            assert editor.get(reverse(name, args=[row.pk])).status_code == 200
    assert editor.get(reverse("admin:rules_element_change", args=[game.talent.pk]))["Location"] == reverse(
        "admin:rules_talent_change", args=[game.talent.pk]
    )


def test_editing_the_ruleset_or_a_source_marks_the_source_as_edited(editor, game):
    for model, row in ((models.Ruleset, game.ruleset), (models.Source, game.source)):
        before = game.edited
        assert Form(editor, model, row).fill(name="New", title="New").send().status_code == 302
        assert game.edited > before


def test_a_source_does_not_require_itself(editor, game):
    form = Form(editor, models.Source, game.source).fill(requires=game.source)
    sentence = "A source cannot require itself or a source that requires it."
    assert form.errors() == [("requires", sentence)]
    above = models.Source.objects.create(ruleset=game.ruleset, slug="above", title="Above")
    above.requires.add(game.source)
    assert form.fill(requires=above).errors() == [("requires", sentence)]
    assert Form(editor, models.Source, above).send().status_code == 302


def test_a_circumstance_that_its_tests_decide_has_some(editor, game):
    form = Form(editor, models.Circumstance).fill(name="late", slug="late", ruleset=game.ruleset, source=game.source)
    assert form.fill(detection="auto").errors() == [("", f"{first_up(NO_TESTS)}.")]
    form.rows("CircumstanceTestInline", {"test": "level", "value": 5})
    assert form.send().status_code == 302
    stored = Form(editor, models.Circumstance, models.Circumstance.objects.get(slug="late"))
    assert stored.fill(**{f"{stored.prefixes['CircumstanceTestInline']}-0-DELETE": "on"}).errors()
    assert stored.fill(detection="toggle").send().status_code == 302


def test_a_circumstance_may_ask_for_the_starting_job(editor, game):
    form = Form(editor, models.Circumstance, game.veteran).rows("CircumstanceTestInline", {"test": "first_job"})
    assert form.send().status_code == 302
    assert game.veteran.tests.filter(test="first_job").exists()


@pytest.mark.parametrize(
    "rows",
    [
        [{"test": "level", "value": 5}, {"test": "level", "value": 3, "negate": "on"}],
        [{"test": "stat_min", "stat": "defense", "value": 5}, {"test": "stat_max", "stat": "defense", "value": 4}],
        [{"test": "has", "element": "darksight"}, {"test": "has", "element": "darksight", "negate": "on"}],
    ],
)
def test_requirements_that_are_never_met_together_are_refused_at_the_second(editor, game, rows):
    rows = [{name: getattr(game, value) if name in ("stat", "element") else value for name, value in row.items()}
            for row in rows]  # fmt: skip
    for model, inline, row in (
        (models.Talent, "PrerequisiteInline", game.talent),
        (models.Circumstance, "CircumstanceTestInline", game.veteran),
    ):
        form = Form(editor, model, row).rows(inline, *rows)
        assert form.errors() == [("test", f"{first_up(IN_VAIN)}.")]
    either = [columns | {"either": 1} for columns in rows]
    assert Form(editor, models.Talent, game.talent).rows("PrerequisiteInline", *either).send().status_code == 302


def test_only_a_job_needs_to_be_the_starting_job(editor, game):
    form = Form(editor, models.Talent, game.talent).rows("PrerequisiteInline", {"test": "first_job"})
    assert form.errors() == [("test", "Only a job can be the starting job.")]


def test_the_values_of_a_house_rule_are_written_one_to_a_line(editor, game):
    form = Form(editor, models.Switch).fill(key="third", name="Third", type="choice", default="half a mile")
    form.fill(allowed="near\r\n\r\n half a mile \r\n", labels="Near\r\nFar, and wet")
    assert form.send().status_code == 302, form.errors()
    third = models.Switch.objects.get(key="third")
    assert (third.allowed, third.labels) == (["near", "half a mile"], ["Near", "Far, and wet"])
    again = Form(editor, models.Switch, third)
    assert again.data["labels"] == "Near\nFar, and wet"
    models.Switch.objects.filter(pk=third.pk).update(labels=["Close", "Far"])
    both = again.send().context_data["theirs"]["fields"]
    assert both == [("Labels", "Close\nFar", "Near\nFar, and wet")]


@pytest.mark.parametrize(
    ("columns", "field", "sentence"),
    [
        ({"type": "choice", "default": "x", "allowed": "9"}, "default", "It is none of the values offered: 9."),
        ({"type": "flag", "default": "x"}, "default", "It is none of the values offered: on, off."),
        ({"type": "number", "default": "many"}, "default", "Write a whole number."),
        (
            {"type": "number", "default": "2", "minimum": 3},
            "default",
            "Write a number from the minimum to the maximum.",
        ),
        (
            {"type": "number", "default": "4", "maximum": 3},
            "default",
            "Write a number from the minimum to the maximum.",
        ),
        (
            {"type": "number", "default": "none", "allowed": "none", "minimum": 3, "maximum": 1},
            "maximum",
            "Write a number that is not below the minimum.",
        ),
        (
            {"type": "choice", "default": "a", "allowed": "a\nb", "labels": "A"},
            "labels",
            "Write one for each value: 2, and not 1.",
        ),
        ({"type": "choice", "default": "a", "allowed": "a\nb\na"}, "allowed", "Write each line once."),
        (
            {"type": "list", "default": "a", "key": "Third rule"},
            "key",
            "Begin with a small letter. Then write letters and digits, such as bogDepth.",
        ),
    ],
)
def test_a_house_rule_that_nobody_could_set_is_refused_at_its_field(editor, game, columns, field, sentence):
    form = Form(editor, models.Switch).fill(**game.made(key="third", name="Third") | columns)
    assert form.errors() == [(field, sentence)]


def test_a_statistic_has_room_between_its_bounds(editor, game):
    form = Form(editor, models.Stat, game.agility).fill(minimum=3, maximum=1)
    assert form.errors() == [("maximum", "Write a number that is not below the minimum.")]
    too_far = "Write a number from −1,000,000 to 1,000,000."
    assert form.fill(minimum=-1_000_001, maximum=1_000_001).errors() == [("minimum", too_far), ("maximum", too_far)]
    assert form.fill(minimum=3, maximum=3).send().status_code == 302


def test_a_text_has_a_maximum_length(editor, game):
    form = Form(editor, models.Talent, game.talent).fill(text="x" * 8001)
    assert form.errors() == [("text", "Ensure this value has at most 8000 characters (it has 8001).")]
    assert form.fill(text="x" * 8000).send().status_code == 302


def test_a_test_of_a_house_rule_asks_for_a_value_that_it_can_have(editor, game):
    mud = models.Switch.objects.create(
        **game.made(key="mud", name="Mud", type="choice", default="knee", allowed=["knee", "neck"])
    )
    sentence = "“chin” is not possible here: choose knee or neck."
    for row, inline in ((game.veteran, "CircumstanceTestInline"), (game.talent, "PrerequisiteInline")):
        form = Form(editor, type(row), row).rows(inline, {"test": "switch", "switch": mud, "word": "knee|chin"})
        assert form.errors() == [("word", sentence)]
        form.data[next(name for name in form.data if name.endswith("-word") and form.data[name] == "knee|chin")] = (
            "neck"
        )
        assert form.send().status_code == 302


@pytest.mark.parametrize(
    ("columns", "field", "sentence"),
    [
        ({"amount": 32768}, "amount", "Ensure this value is less than or equal to 32767."),
        ({"amount": -32769}, "amount", "Ensure this value is greater than or equal to -32768."),
        ({"amount": 1, "from_rank": -1}, "from_rank", "Ensure this value is greater than or equal to 0."),
        ({"amount": 1, "at_least": 5, "at_most": 2}, "at_most", "Write a number that is not below the least."),
    ],
)
def test_a_number_that_no_pack_could_have_is_refused_on_each_database(editor, game, columns, field, sentence):
    form = new_talent(editor).rows("StatModifierInline", {"stat": game.defense, "op": "add"} | columns)
    assert (field, sentence) in form.errors()


def test_a_weapon_for_three_hands_is_refused_in_a_sentence(editor):
    club = models.Weapon.objects.get(slug="longsword")
    assert Form(editor, models.Weapon, club).fill(hands=3).errors() == [("hands", "A weapon takes no hand, 1 or 2.")]


def test_a_condition_that_stacks_says_how_far(editor):
    prone = models.Condition.objects.get(slug="prone")
    form = Form(editor, models.Condition, prone).fill(stackable="on", max_stacks=1)
    assert form.errors() == [("max_stacks", "Write 2 or more for a condition that stacks.")]


def test_the_damage_of_a_spell_is_read_when_it_is_typed(editor):
    spell = SpellFactory(source=models.Source.objects.get(is_core=True))
    [(field, sentence)] = Form(editor, models.Spell, spell).fill(damage="lots of fire").errors()
    assert field == "damage"
    assert sentence.startswith("Write dice and their kind, such as 2d6 fire")
    assert Form(editor, models.Spell, spell).fill(damage="2d6 fire").send().status_code == 302


def test_a_slug_says_which_letters_it_takes(editor, game):
    sentence = "Write small letters, digits and single hyphens, such as bog-walk."
    for slug in ("bog_walk", "Bog-Walk", "bog walk", "bog--walk"):
        assert set(new_talent(editor, slug=slug).errors()) == {("slug", sentence)}


def largest(model):
    """The row of a model whose page has the most to show."""
    if model is models.Spell:  # the shipped rules have none
        return SpellFactory(source=models.Source.objects.get(slug="polyhedral-core"))
    if issubclass(model, models.Element):
        return model.objects.annotate(size=Count("effects", distinct=True) + Count("actions", distinct=True)).latest(
            "size"
        )
    return (
        model.objects.annotate(size=Count("options")).latest("size")
        if model is models.Choice
        else model.objects.first()
    )


PAGES = [model for model in admin.site._registry if model._meta.app_label == "rules" and model is not models.Element]


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_every_page_runs_few_queries_and_has_few_row_forms(editor, model):
    url = reverse(f"admin:rules_{model._meta.model_name}_change", args=[largest(model).pk])
    with CaptureQueriesContext(connection) as queries:
        page = editor.get(url)
    assert len(queries) < 40
    assert sum(len(wrapped.formset.forms) for wrapped in page.context["inline_admin_formsets"]) <= 60


def test_the_page_of_a_job_shows_its_rows_as_sentences(editor):
    fighter = models.Job.objects.get(slug="fighter")
    body = editor.get(reverse("admin:rules_job_change", args=[fighter.pk])).content.decode()
    assert "Is proficient with Heavy armor as the starting job" in body


def preview(form):
    return form.fill(_preview="1").send()


def test_a_preview_shows_the_form_as_filled_in_and_stores_nothing(editor, game):
    models.Note.objects.create(owner=game.talent, text="Reads poorly.")
    models.Note.objects.create(owner=game.talent, text="Is deleted.", order=1)
    form = Form(editor, models.Talent, game.talent, drawn=True).fill(summary="As hard as nails.", text="So *tough*.")
    form.rows("StatModifierInline", {"stat": game.defense, "op": "add", "amount": 1, "when": game.armored})
    form.data[f"{form.prefixes['NoteInline']}-0-text"] = "Reads well."
    form.data[f"{form.prefixes['NoteInline']}-1-DELETE"] = "on"
    before = game.edited
    page = preview(form).content.decode()
    for words in ("As hard as nails.", "So <em>tough</em>.", "+1 Defense while wearing armor", "Reads well."):
        assert words in page
    assert "Reads poorly." not in page
    assert "Is deleted." not in page
    game.talent.refresh_from_db()
    assert game.talent.summary == ""
    assert list(game.talent.effects.order_by("order").values_list("text", flat=True)) == [
        "Reads poorly.",
        "Is deleted.",
    ]
    assert game.edited == before
    assert not LogEntry.objects.exists()


def test_a_preview_of_a_new_element_adds_nothing(editor, game):
    page = preview(new_talent(editor, summary="Sees it coming."))
    assert page.status_code == 200
    assert "Sees it coming." in page.rendered_content
    assert not models.Talent.objects.filter(slug="wary").exists()


def test_a_preview_says_which_needs_are_alternatives(editor, game):
    for value, either in ((13, 1), (20, 1), (2, 0)):
        models.Prerequisite.objects.create(
            owner=game.talent, test="stat_min", stat=game.defense, value=value, either=either
        )
    page = preview(Form(editor, models.Talent, game.talent, drawn=True)).rendered_content
    assert re.findall("<li>([^<]+)</li>", page.partition('id="preview"')[2]) == [
        "Defense 13 or more, or Defense 20 or more",
        "Defense 2 or more",
    ]


@pytest.mark.parametrize("drawn", [False, True])
def test_a_weapon_is_shown_with_its_dice_and_its_properties(editor, drawn):
    """On its page, and in the preview of what is typed there."""
    sword = models.Weapon.objects.get(slug="longsword")
    if drawn:
        page = preview(Form(editor, models.Weapon, sword, drawn=True).fill(dice=3)).rendered_content
    else:
        page = editor.get(reverse("admin:rules_weapon_change", args=[sword.pk])).content.decode()
    card = page.partition('id="preview"')[2]
    assert f"<li>{3 if drawn else 1}d{sword.die} slashing, in one hand</li>" in card
    assert "<li>Versatile (" in card


def test_a_save_that_breaks_a_constraint_is_tried_again(editor, game, monkeypatch):
    """Somebody else may save the same slug between the check of the form and the write."""
    form, save, theirs = new_talent(editor), Previewed.save_model, []

    def too_late(self, request, obj, *rest):
        if not theirs:
            theirs.append(obj.slug)
            raise IntegrityError
        save(self, request, obj, *rest)

    monkeypatch.setattr(Previewed, "save_model", too_late)
    assert form.send().status_code == 302
    assert theirs == ["wary"]
    assert models.Talent.objects.filter(slug="wary").count() == 1


def test_a_preview_of_a_refused_form_shows_the_error_at_its_field(editor, game):
    form = new_talent(editor, _preview="1").rows("StatModifierInline", {"op": "add", "amount": 1})
    assert ("stat", "This field is required.") in form.errors()


def test_an_editor_who_may_only_view_sees_the_card_and_cannot_preview(client, game, django_user_model):
    reader = django_user_model.objects.create_user("rea", "rea@example.com", "a long password", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(reader)
    models.StatModifier.objects.create(owner=game.talent, stat=game.defense, op="add", amount=1)
    url = reverse("admin:rules_talent_change", args=[game.talent.pk])
    page = client.get(url).content.decode()
    assert "+1 Defense" in page.partition('id="preview"')[2]
    assert "_preview" not in page
    assert client.post(url, {"_preview": "1"}).status_code == 403


def test_rows_with_an_order_are_marked_for_the_script(editor, game):
    models.Note.objects.create(owner=game.talent, text="Read twice.")
    page = editor.get(reverse("admin:rules_talent_change", args=[game.talent.pk])).content.decode()
    names = ("0-order", "actions-__prefix__-sort", "__prefix__-from_rank")
    note, action, rank = (re.search(rf"<input[^>]+{name}[^>]+>", page)[0] for name in names)
    assert "data-order" in note
    assert "data-order" in action
    assert "data-order" not in rank


def an_action(game, **columns):
    timing, _ = models.ActionTiming.objects.get_or_create(**game.made(slug="free", name="Free"))
    return {"slug": "will", "name": "Will", "timing": timing, "sort": 0, "uses": 1, "dice": 0, "die": 6, **columns}


def test_the_dice_of_an_action_have_a_roll(editor, game):
    form = new_talent(editor).rows("ActionInline", an_action(game, dice=2, die=8))
    assert form.errors() == [("roll", "Choose what its dice are rolled for, or write 0 dice.")]
    form.data[f"{form.prefixes['ActionInline']}-0-roll"] = "damage"
    assert form.send().status_code == 302


def test_an_admin_can_write_actions_that_change_a_roll_or_begin_a_condition(editor, game):
    bold = game.element(models.Condition, "bold")
    changing = an_action(game, changes="succeed", of_roll="save", when=game.armored)
    beginning = an_action(game, slug="brag", name="Brag", begins=bold)
    form = new_talent(editor).rows("ActionInline", changing, beginning)
    assert form.send().status_code == 302, form.errors()
    talent = models.Talent.objects.get(slug="wary")
    page = editor.get(reverse("admin:rules_talent_change", args=[talent.pk])).content.decode()
    assert "Free: Will, makes a failed saving throw succeed, while wearing armor" in page
    assert "Free: Brag, begins: Bold" in page


@pytest.mark.parametrize("half", [{"changes": "reroll"}, {"of_roll": "attack"}])
def test_an_action_that_changes_a_roll_needs_both_the_change_and_the_roll(editor, game, half):
    form = new_talent(editor).rows("ActionInline", an_action(game, **half))
    assert "fill in both, or neither" in str(form.errors())
    assert not models.Talent.objects.filter(slug="wary").exists()


def test_an_admin_can_write_the_end_of_a_condition(editor, game):
    bold = game.element(models.Condition, "bold")
    form = Form(editor, models.Condition, bold).fill(turns=1, ends_with="attack")
    assert form.send().status_code == 302, form.errors()
    page = editor.get(reverse("admin:rules_condition_change", args=[bold.pk])).content.decode()
    assert "Ends when the next turn starts or with an attack roll" in page


NO_IDS = ["x", "-1", "9" * 30, "1.5"]


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5"])
def test_a_reference_that_is_no_id_is_refused_at_its_field(editor, game, wrong):
    for field in ("parent", "groups"):
        form = Form(editor, models.Talent, game.talent).fill(**{field: wrong})
        assert field in {name for name, _ in form.errors()}
        assert editor.get(reverse("admin:rules_talent_add"), {field: wrong}).status_code == 200


@pytest.mark.parametrize(
    ("model", "field"),
    [(models.Talent, "parent"), (models.Talent, "groups"), (models.Source, "requires"), (models.RestEvent, "includes")],
)
def test_a_reference_that_is_too_large_a_number_is_refused_at_its_field(editor, game, model, field):
    form = Form(editor, model, model.objects.first()).fill(**{field: "9" * 30})
    assert field in {name for name, _ in form.errors()}


@pytest.mark.parametrize("wrong", NO_IDS)
def test_a_page_or_a_ticked_row_that_is_no_id_is_not_found(editor, game, wrong):
    for model in ("talent", "ability"):  # an ability has a table of its own
        assert editor.get(reverse(f"admin:rules_{model}_change", args=[wrong])).url == reverse("admin:index")
        listed = reverse(f"admin:rules_{model}_changelist")
        for action in ("ready", "copy", "delete_selected"):
            assert editor.post(listed, {"action": action, "_selected_action": wrong}).status_code == 302


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("source", "source=" + "9" * 30),
        ("stat", "switch=" + "9" * 30),
        ("ability", "groups=" + "9" * 30),
        ("talent", "id__in=1," + "9" * 30),
        ("choice", "id__range=1"),
        ("talent", "status__exact=%00"),
        ("choice", "owner__kind__exact=%00"),
    ],
)
def test_a_list_is_filtered_only_by_what_it_offers(editor, game, model, lookup):
    assert editor.get(f"{reverse(f'admin:rules_{model}_changelist')}?{lookup}").status_code == 400


@pytest.mark.parametrize(
    ("model", "lookup"),
    [("talent", "status__exact=draft"), ("talent", "source=" + "9" * 30), ("choice", "owner__kind__exact=job"),
     ("stat", "is_input__exact=1"), ("stat", "group__isnull=True")],
)  # fmt: skip
def test_a_list_is_filtered_by_each_of_its_filters(editor, game, model, lookup):
    assert editor.get(f"{reverse(f'admin:rules_{model}_changelist')}?{lookup}").status_code == 200
