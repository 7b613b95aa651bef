"""A large element in the admin: read whole as sentences, edited part by part."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules import models
from rules.admin import by_parts
from tests.rules.admin_form import Form, Game

ROWS = (models.Effect, models.Choice, models.Prerequisite, models.Resource, models.Recovery, models.Action)


@pytest.fixture
def core_rules(db):
    return models.CoreRules.objects.get(slug="core-rules")


@pytest.fixture
def small_parts(monkeypatch):
    """An element of three rows is large, and a part has two rows."""
    monkeypatch.setattr(by_parts, "MOST_ROWS", 2)
    monkeypatch.setattr(by_parts, "A_PART", 2)


def url_of(element, part=""):
    url = reverse("admin:rules_corerules_change", args=[element.pk])
    return f"{url}?rows={part}" if part else url


def rows_of(element):
    return [list(model.objects.filter(owner=element.pk).order_by("pk").values()) for model in ROWS]


def part_form(client, element, part, **how):
    form = Form(client, models.CoreRules, element, f"?rows={part}", **how)
    assert len(form.prefixes) == 1
    return form


def parts_of(client, element):
    return re.findall(r'href="\?rows=([a-z]+-\d+)#parts"', client.get(url_of(element)).content.decode())


def test_a_large_element_shows_all_its_rows_as_sentences(editor, core_rules):
    page = editor.get(url_of(core_rules))
    whole = page.content.decode().partition('id="parts"')[2].partition("</fieldset>")[0]
    assert whole.count("<li>") == sum(len(rows) for rows in rows_of(core_rules))
    assert "+2 Defense behind half cover" in whole
    assert not page.context["inline_admin_formsets"]


@pytest.mark.slow
def test_each_part_is_small_runs_few_queries_and_saves_unchanged(editor, core_rules):
    before = rows_of(core_rules)
    parts = parts_of(editor, core_rules)
    assert len(parts) > 9
    for part in parts:
        with CaptureQueriesContext(connection) as queries:
            form = part_form(editor, core_rules, part, drawn=True)
        assert len(queries) <= 18
        (prefix,) = form.prefixes.values()
        assert int(form.data[f"{prefix}-TOTAL_FORMS"]) <= by_parts.A_PART
        assert form.send().status_code == 302, form.errors()
    assert rows_of(core_rules) == before


def test_the_element_itself_is_saved_without_touching_its_rows(editor, core_rules):
    before = rows_of(core_rules)
    assert Form(editor, models.CoreRules, core_rules).fill(summary="All of it.").send().status_code == 302
    core_rules.refresh_from_db()
    assert core_rules.summary == "All of it."
    assert rows_of(core_rules) == before


def test_a_row_is_added_changed_and_deleted_in_its_part(editor, core_rules):
    count, first = core_rules.effects.count(), core_rules.effects.filter(kind="note").first()
    form = part_form(editor, core_rules, "note-0").rows("NoteInline", {"text": "Read thrice."})
    form.data[f"{form.prefixes['NoteInline']}-0-text"] = "Read twice."
    assert form.send().status_code == 302, form.errors()
    first.refresh_from_db()
    assert first.text == "Read twice."
    assert core_rules.effects.count() == count + 1
    form = part_form(editor, core_rules, "note-0")
    form.data[f"{form.prefixes['NoteInline']}-0-DELETE"] = "on"
    assert form.send().status_code == 302, form.errors()
    assert core_rules.effects.count() == count


def test_save_and_continue_stays_at_the_part(editor, core_rules):
    answer = part_form(editor, core_rules, "note-0").fill(_continue="1").send()
    assert answer.headers["Location"].endswith(f"{url_of(core_rules, 'note-0')}#parts")


def test_a_row_added_meanwhile_does_not_shift_the_rows_of_a_part(editor, no_rules, small_parts):
    game = Game("game")
    for number in range(3):
        models.Note.objects.create(owner=game.core, text=f"Note {number}", order=number + 1)
    form = part_form(editor, game.core, "note-2")
    models.Note.objects.create(owner=game.core, text="Before all", order=0)
    assert form.send().status_code == 302, form.errors()
    assert sorted(game.core.effects.filter(kind="note").values_list("text", flat=True)) == [
        "Before all", "Note 0", "Note 1", "Note 2",
    ]  # fmt: skip


def test_a_ring_through_rows_of_another_part_is_refused(editor, no_rules, small_parts):
    """Defense is worked out from the modifier, and the modifier from agility, so agility cannot depend on defense."""
    game = Game("game")
    models.StatModifier.objects.create(owner=game.core, stat=game.defense, op="add", amount=1)
    form = part_form(editor, game.core, "statmodifier-2")
    form.rows("StatModifierInline", {"stat": game.agility, "op": "base", "of_stat": game.defense})
    assert any("depend on themselves" in sentence for _, sentence in form.errors())


def test_an_unknown_part_shows_the_whole_element(editor, core_rules):
    assert b"What it does" in editor.get(url_of(core_rules, "nothing-0")).content


def test_an_editor_who_may_only_view_sees_the_whole_element(client, core_rules, django_user_model):
    from django.contrib.auth.models import Permission

    reader = django_user_model.objects.create_user("rea", "rea@example.com", "a long password", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(reader)
    assert b"+2 Defense behind half cover" in client.get(url_of(core_rules)).content
    assert client.get(url_of(core_rules, "note-0")).status_code == 200


def test_a_part_of_the_form_without_script_has_empty_rows_and_leads_to_others_like_it(editor, core_rules):
    page = editor.get(f"{url_of(core_rules, 'note-0')}&noscript=1")
    [group] = page.context["inline_admin_formsets"]
    assert len(group.formset.extra_forms) == 2
    links = re.findall(r'href="(\?[^"]*)#parts"', page.content.decode())
    assert len(links) > 9
    assert all("noscript=1" in link for link in links)
    form = Form(editor, models.CoreRules, core_rules, "?rows=note-0&noscript=1")
    form.data["_continue"] = "1"
    assert form.send().headers["Location"].endswith("?rows=note-0&noscript=1#parts")
