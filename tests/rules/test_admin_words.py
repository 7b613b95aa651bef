"""The words of the admin to an editor: messages after an action, refusals in full, and the start of its forms."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.urls import reverse

from rules import models
from rules.admin import by_parts
from rules.lint import is_settled
from rules.models.ruleset import HOMEBREWS

from .admin_form import Form, Game

pytestmark = pytest.mark.full


def after(editor, model, action, *rows):
    url = reverse(f"admin:rules_{model._meta.model_name}_changelist")
    answer = editor.post(url, {"action": action, "_selected_action": [row.pk for row in rows]})
    *_, newest = get_messages(answer.wsgi_request)
    return str(newest)


def test_a_list_action_says_how_many_elements_it_changed(editor, game):
    other, third = game.element(models.Talent, "quick"), game.element(models.Talent, "slow")
    assert after(editor, models.Talent, "retire", game.talent) == "1 is now retired."
    assert after(editor, models.Talent, "retire", game.talent, other, third) == "2 are now retired."
    assert after(editor, models.Talent, "ready", game.talent) == "1 is now ready."
    assert after(editor, models.Talent, "ready", game.talent) == "0 are now ready."


def test_copying_links_the_copy_and_refuses_the_core_rules(editor, game):
    said = after(editor, models.Talent, "copy", game.talent)
    made = models.Talent.objects.get(name="Tough (copy)")
    assert said == f'<a href="/admin/rules/talent/{made.pk}/change/">Tough (copy)</a> is now a draft.'
    assert after(editor, models.CoreRules, "copy", game.core) == (
        "These cannot be copied: a game needs exactly the ones it has."
    )


def test_a_new_element_begins_as_a_draft_of_the_only_game(editor, game):
    data = Form(editor, models.Talent).data
    assert (data["status"], data["ruleset"], data["source"]) == ("draft", game.ruleset.pk, game.source.pk)
    Game("other")
    data = Form(editor, models.Talent).data
    assert (data["status"], data.get("ruleset"), data.get("source")) == ("draft", None, None)


def test_a_test_of_a_statistic_is_called_that(editor, game):
    page = editor.get(reverse("admin:rules_circumstance_add")).content.decode()
    assert "statistic is at least" in page
    assert "statistic is at most" in page


def headings(editor, model, obj=None):
    name = f"admin:rules_{model._meta.model_name}"
    url = reverse(f"{name}_change", args=[obj.pk]) if obj else reverse(f"{name}_add")
    return {fieldset.name: str(fieldset.fields) for fieldset in editor.get(url).context["adminform"]}


def test_the_columns_of_a_kind_have_their_own_heading(editor, game):
    assert "'max_rank'" in headings(editor, models.Job)["Of this kind"]
    for model, found in ((models.Job, True), (models.Talent, False)):
        names = list(headings(editor, model))
        assert names == [None, *["Of this kind"] * found, "Where it belongs"]
    assert "'repeatable'" in headings(editor, models.Talent)["Where it belongs"]


def test_a_field_for_a_sentence_is_wider_than_one_for_a_name(editor, game):
    form = editor.get(reverse("admin:rules_talent_add")).context["adminform"].form
    assert form.fields["summary"].widget.attrs["class"] == "vTextField sentence"
    assert form.fields["name"].widget.attrs["class"] == "vTextField"
    parent = form.fields["parent"].widget
    assert (parent.can_delete_related, parent.can_view_related) == (False, False)


def test_fields_of_rows_are_named_and_explained_in_words(editor, game):
    page = editor.get(reverse("admin:rules_weapon_add")).context
    rows = {type(one.opts).__name__: one.formset.empty_form.fields for one in page["inline_admin_formsets"]}
    said = {
        page["adminform"].form.fields["cost_class"]: ("Price", "How expensive it is, if it can be bought."),
        rows["StatModifierInline"]["of_stat"]: (
            "Statistic to add", "The value of this statistic is added to the fixed number."
        ),
        rows["ActionInline"]["fires"]: ("Counts as", ""),
        rows["ActionInline"]["begins"]: (
            "Begins", "The condition you have once you use it. The condition says when it ends."
        ),
        rows["PropertyUseInline"]["a"]: ("First number", "The first number printed with the property."),
        rows["ResourceInline"]["max_stat"]: ("Maximum", ""),
    }  # fmt: skip
    assert [(field.label, field.help_text) for field in said] == list(said.values())


RING = "These statistics would depend on themselves: {}."
ONLY_SETTLED = (
    "A grant may depend only on level, rank, starting job, house rules or something held, not on the lack of one."
)


def test_a_refused_loop_names_its_whole_path(editor, game):
    agile = game.circumstance("agile", "while agile", test="stat_min", stat=game.defense, value=3)
    form = Form(editor, models.Talent, game.talent)
    form.rows("StatModifierInline", {"stat": game.agility, "op": "add", "amount": 1, "when": agile})
    path = "Agility → Defense → Agility modifier → Agility"
    assert form.errors() == [("when", RING.format(path))]
    form = Form(editor, models.Stat, game.agility).fill(created_of=game.defense)
    assert form.errors() == [("created_of", RING.format(path))]
    form = Form(editor, models.Circumstance, game.armored)
    form.rows("CircumstanceTestInline", {"test": "stat_min", "stat": game.agility, "value": 1})
    models.StatModifier.objects.create(owner=game.talent, stat=game.agility, op="add", amount=1, when=game.armored)
    assert form.errors() == [("stat", RING.format("Agility → Agility"))]


def test_a_circumstance_that_grants_depend_on_refuses_unsettled_tests_in_full(editor, game):
    models.Grant.objects.create(owner=game.talent, element=game.darksight, grant_as="gain", when=game.veteran)
    form = Form(editor, models.Circumstance, game.veteran)
    form.rows("CircumstanceTestInline", {"test": "wears", "word": "any"}, {"test": "level", "value": 2})
    assert form.errors() == [("test", f"Grants depend on this circumstance. {ONLY_SETTLED}")]
    form = Form(editor, models.Circumstance, game.armored)
    form.rows("CircumstanceTestInline", {"test": "wears", "word": "shield"})
    assert form.send().status_code == 302, form.errors()


@pytest.mark.parametrize(
    ("detection", "tests", "settled"),
    [
        ("auto", [("level", False), ("rank", False)], True),
        ("auto", [("first_job", False), ("has", False), ("switch", False)], True),
        ("auto", [("switch", True)], True),
        ("auto", [("has", True)], False),
        ("auto", [("level", True)], False),
        ("auto", [("level", False), ("wears", False)], False),
        ("auto", [], True),
        ("toggle", [("level", False)], False),
    ],
)
def test_a_grant_may_depend_only_on_settled_circumstances(detection, tests, settled):
    assert is_settled(detection, tests) is settled


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("parent", "An element cannot be its own parent."),
        ("groups", "An element cannot be a group of its own."),
    ],
)
def test_an_element_cannot_be_its_own_parent_or_group(editor, game, field, sentence):
    group = game.element(models.Category, "knacks")
    value = [group.pk] if field == "groups" else group
    assert Form(editor, models.Category, group).fill(**{field: value}).errors() == [(field, sentence)]
    assert Form(editor, models.Talent, game.talent).fill(**{field: value}).send().status_code == 302


def test_bad_rest_events_switches_and_terms_are_refused(editor, game):
    short = models.RestEvent.objects.create(**game.made(slug="short", name="Short rest"))
    long = models.RestEvent.objects.create(**game.made(slug="long", name="Long rest"))
    long.includes.add(short)
    sentence = "An event cannot include itself or an event that includes it."
    for event, included in ((short, long), (short, short)):
        assert Form(editor, models.RestEvent, event).fill(includes=[included.pk]).errors() == [("includes", sentence)]
    assert Form(editor, models.RestEvent, long).fill(includes=[short.pk]).send().status_code == 302
    form = Form(editor, models.Switch).fill(key="third", name="Third", type="choice", default="9")
    for wrong in ("", " \r\n "):
        assert form.fill(allowed=wrong).errors() == [("allowed", "Write the values, one per line.")]
    term = Form(editor, models.Stat, game.defense).fill(term=game.talent)
    assert [name for name, _ in term.errors()] == ["term"]


def test_the_parts_of_a_large_element_have_titles(editor, game, monkeypatch):
    monkeypatch.setattr(by_parts, "MOST_ROWS", 5)
    monkeypatch.setattr(by_parts, "A_PART", 2)
    for number in range(3):
        models.Note.objects.create(owner=game.core, text=f"Note {number}.", order=number)
    url = reverse("admin:rules_corerules_change", args=[game.core.pk])
    assert not editor.get(url).context["parts"], "five rows are not many"
    models.Note.objects.create(owner=game.core, text="Note 3.", order=3)
    page = editor.get(url).context
    parts = {part.slug: (part.title, part.sentences) for part in page["parts"]}
    assert parts["note-0"] == ("Notes 1 to 2", ["Note 0.", "Note 1."])
    assert parts["note-2"] == ("Notes 3 to 4", ["Note 2.", "Note 3."])
    assert parts["statmodifier-0"][0] == "Statistic modifiers"
    assert parts["action-0"] == ("Actions", [])
    assert page["part"] is None
    assert editor.get(f"{url}?rows=note-2").context["part"].slug == "note-2"


def test_every_kind_of_element_leads_to_its_own_page(editor, game):
    url = reverse("admin:rules_element_change", args=[game.darksight.pk])
    assert editor.get(url).headers["Location"] == f"/admin/rules/feature/{game.darksight.pk}/change/"
    gone = editor.get(reverse("admin:rules_element_change", args=[10**6]))
    assert gone.status_code == 302
    assert [str(message) for message in get_messages(gone.wsgi_request)] == [
        "element with ID “1000000” doesn’t exist. Perhaps it was deleted?"
    ]
    add = editor.get(reverse("admin:rules_element_add"))
    delete = editor.post(reverse("admin:rules_element_delete", args=[game.darksight.pk]), {"post": "yes"})
    assert (add.status_code, delete.status_code) == (403, 403)


def test_the_history_of_an_element_says_what_was_added_and_what_was_changed(editor, game):
    form = Form(editor, models.Talent).fill(name="Wary", slug="wary", status="published")
    form.rows("NoteInline", {"text": "Look twice."})
    assert form.send().status_code == 302
    talent = models.Talent.objects.get(slug="wary")
    form = Form(editor, models.Talent, talent).fill(summary="Looks twice.")
    assert form.send().status_code == 302
    said = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert said == ["Added. Added note “Wary: note for the table”.", "Changed Summary."]


def test_the_header_says_sign_out_as_the_site_does(editor):
    page = editor.get("/admin/").content.decode()
    assert "Sign out" in page
    assert "Log out" not in page


@pytest.mark.parametrize(
    ("model", "columns", "column", "made"),
    [
        (models.Circumstance, {"name": "In standing water", "detection": "toggle"}, "slug", "in-standing-water"),
        (models.RestEvent, {"name": "2nd Catnap!"}, "slug", "nd-catnap"),
        (models.Stat, {"name": "Bog Depth"}, "key", "bog-depth"),
        (models.Switch, {"name": "Bog depth counts", "type": "number", "default": "1"}, "key", "bogDepthCounts"),
        (models.Talent, {"name": "Bog Walk"}, "slug", "bog-walk"),
    ],
)
def test_a_slug_that_is_left_empty_is_made_from_the_name(editor, game, model, columns, column, made):
    assert Form(editor, model).fill(**columns).send().status_code == 302
    assert getattr(model.objects.get(name=columns["name"]), column) == made


def test_the_slug_of_a_row_that_is_left_empty_is_made_from_its_name(editor, game):
    timing = models.ActionTiming.objects.create(**game.made(slug="action", name="Action"))
    form = Form(editor, models.Talent).fill(name="Bog Walk")
    form.rows("ChoiceInline", {"prompt": "Choose a bog", "mode": "pick", "count": 1, "grant_as": "gain", "sort": 0})
    form.rows("ResourceInline", {"name": "Mud", "max_stat": game.defense, "style": "pool", "die": 0})
    form.rows("ActionInline", {"name": "Throw mud", "timing": timing, "uses": 1, "dice": 0, "die": 6, "sort": 0})
    assert form.send().status_code == 302
    walk = models.Talent.objects.get(slug="bog-walk")
    assert [walk.choices.get().slug, walk.resources.get().slug, walk.actions.get().slug] == [
        "choose-a-bog",
        "mud",
        "throw-mud",
    ]


def test_a_published_source_has_the_same_labels_as_a_new_one(editor, game):
    for source in (None, game.source):
        page = Form(editor, models.Source, source, drawn=True).ask(editor.get).content.decode()
        assert "Always in play" in page
        assert "License URL" in page


def test_the_slug_of_a_source_that_is_left_empty_is_made_from_its_title(editor, game):
    form = Form(editor, models.Source).fill(ruleset=game.ruleset, title="Homebrew of the bog")
    assert form.errors() == [("slug", HOMEBREWS)]
    assert form.fill(title="Tales of the bog").send().status_code == 302
    assert models.Source.objects.filter(slug="tales-of-the-bog").exists()


def test_a_name_of_which_no_slug_can_be_made_is_refused_at_the_slug(editor, game):
    answer = Form(editor, models.RestEvent).fill(name="123").send()
    assert answer.status_code == 200
    form = answer.context_data["adminform"].form
    assert form.errors == {"slug": ["Write one: none can be made from this name."]}


def test_a_house_rule_that_is_on_or_off_needs_no_values(editor, game):
    assert Form(editor, models.Switch).fill(name="Cold nights", type="flag", default="off").send().status_code == 302
    assert models.Switch.objects.get(key="coldNights").allowed == ["on", "off"]


def test_a_new_house_rule_says_what_its_default_may_be(editor, game):
    page = editor.get(reverse("admin:rules_switch_add"))
    assert "on or off, a number, or one of the values" in page.content.decode()
