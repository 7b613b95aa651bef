"""Two editors of one entry: the second is shown both versions, chooses, and loses nothing."""

from copy import deepcopy

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules import models
from rules.patterns.lines import lines_of, write
from rules.patterns.words import Words
from tests.characters.cast import browser_of
from tests.support.rows_of_lines import understood

from .admin_form import Form

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    """A talent, and its page as Ada and Bo have opened it."""
    source = models.Source.objects.get(is_core=True)
    of_core = {"ruleset": source.ruleset, "source": source}
    for name in ("ada", "bo"):
        User.objects.create_superuser(name, f"{name}@example.com", "a long password")
    talent = models.Talent.objects.create(**of_core, slug="wary", name="Wary", summary="Sees it coming.")
    write(understood(["+1 to Defense"], Words(source, talent.name)), talent)
    models.Note.objects.create(owner=talent, text="Rarely asleep", order=5)  # no line says a note without a stop
    return talent, [Form(browser_of(name), models.Talent, talent, drawn=True) for name in ("ada", "bo")]


@pytest.fixture
def talent(begun):
    return deepcopy(begun[0])


@pytest.fixture
def editor(begun):
    return browser_of("ada")


@pytest.fixture
def other(begun):
    """Bo, who edits beside Ada."""
    return browser_of("bo")


@pytest.fixture
def forms(begun, editor, other):
    """The same page, opened by both."""
    mine, theirs = begun[1]
    return deepcopy(begun[1], {id(mine.client): editor, id(theirs.client): other})


def note(form, **columns):
    form.data |= {f"{form.prefixes['NoteInline']}-0-{name}": value for name, value in columns.items()}
    return form


def again(form, answer):
    """Send the page that came back as it is."""
    page = answer.context_data
    form.data["saw"] = page["saw"]
    for wrapped in page["inline_admin_formsets"]:
        for part in [wrapped.formset.management_form, *wrapped.formset.forms]:
            values = {field.html_name: field.value() for field in part}
            form.data = {name: value for name, value in form.data.items() if name not in values}
            form.data |= {
                name: "on" if value is True else value
                for name, value in values.items()
                if value is not None and value is not False
            }
    return form.send()


def summary(talent):
    talent.refresh_from_db()
    return talent.summary


def test_the_second_editor_sees_both_versions_and_nothing_is_stored(forms, talent):
    mine, theirs = forms
    assert theirs.fill(summary="Never surprised.").send().status_code == 302
    answer = mine.fill(summary="Sees everything.").send()
    assert answer.status_code == 200
    assert summary(talent) == "Never surprised."
    body = answer.content.decode()
    table = body.partition('class="theirs"')[2].partition("</section>")[0]
    assert "bo saved this" in table
    assert table.index("Never surprised.") < table.index("Sees everything.")
    assert 'value="Sees everything."' in body


def test_a_conflict_is_not_called_an_error_of_the_form(forms):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    body = mine.fill(summary="Sees everything.").send().content.decode()
    assert "Please correct" not in body
    assert "Not saved: Wary" in body.partition("<title>")[2].partition("</title>")[0]
    assert "Someone saved this after you opened it" in body
    assert "Yours is not saved." in body


def test_an_error_of_the_form_is_shown_beside_the_conflict(forms, talent):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    body = mine.fill(name="").send().content.decode()
    assert "Please correct the error below." in body
    assert "Someone saved this after you opened it" in body
    assert summary(talent) == "Never surprised."


def test_saving_again_stores_the_second_version(forms, talent):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    assert again(mine, mine.fill(summary="Sees everything.").send()).status_code == 302
    assert summary(talent) == "Sees everything."


def test_an_edit_between_the_two_saves_is_a_conflict_again(forms, talent, other):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    answer = mine.fill(summary="Sees everything.").send()
    Form(other, models.Talent, talent).fill(summary="Third.").send()
    assert again(mine, answer).status_code == 200
    assert summary(talent) == "Third."


def test_a_single_editor_sees_no_conflict(forms, talent):
    mine, _ = forms
    assert mine.fill(summary="Sees everything.").send().status_code == 302
    assert summary(talent) == "Sees everything."


def test_saving_the_same_page_twice_is_a_conflict(forms):
    mine, _ = forms
    assert mine.fill(summary="Sees everything.").send().status_code == 302
    assert mine.fill(summary="Sees more.").send().status_code == 200


@pytest.mark.parametrize("theirs_did", ["row", "line", "choice"])
def test_the_second_editor_sees_changes_of_rows(forms, talent, theirs_did):
    mine, theirs = forms
    if theirs_did == "row":
        note(theirs, text="Never asleep")
    elif theirs_did == "line":
        theirs.fill(does="+4 to Defense")
    else:
        theirs.fill(does="+1 to Defense\nchoose 2 of skills")
    assert theirs.send().status_code == 302
    answer = mine.fill(summary="Sees everything.").send()
    table = answer.content.decode().partition('class="theirs"')[2].partition("</section>")[0]
    assert {"row": "Never asleep", "line": "+4 to Defense", "choice": "choose 2 of skills"}[theirs_did] in table
    told = answer.context_data["theirs"]
    assert "Rarely asleep" not in told["their_rows"]
    assert ("Rarely asleep" in told["my_rows"]) == (theirs_did == "row"), "what both have is no difference"


def test_a_row_deleted_by_one_editor_comes_back_if_the_other_saves_a_change_of_it(forms, talent):
    mine, theirs = forms
    note(theirs, DELETE="on").send()
    assert not models.Note.objects.filter(owner=talent).exists()
    answer = note(mine, text="Hardly asleep").send()
    assert answer.status_code == 200
    assert again(mine, answer).status_code == 302
    assert models.Note.objects.get(owner=talent).text == "Hardly asleep"


def test_sentences_of_both_editors_can_be_combined(forms, talent):
    mine, theirs = forms
    theirs.fill(does="+1 to Defense\ngains Darksight").send()
    answer = mine.fill(does="+1 to Defense\nresists fire").send()
    assert "resists fire" in answer.context_data["adminform"].form["does"].value()
    mine.fill(does="+1 to Defense\ngains Darksight\nresists fire")
    assert again(mine, answer).status_code == 302
    assert [line.text for line in lines_of(talent)] == ["+1 to Defense", "gains Darksight", "resists Fire"]


HARDEN = "Bonus action: Harden, 1 use, back after a short rest"
STEPS = "each 3 levels: +1 to Defense"


@pytest.mark.parametrize(
    ("before", "theirs_say", "mine_say"),
    [
        ("+1 to Defense", "+4 to Defense", "+1 to Defense"),
        ("+1 to Defense", "+4 to Defense", "+7 to Defense"),
        ("+1 to Defense", STEPS, "+1 to Defense"),
        ("+1 to Defense", "", "+1 to Defense"),
        (STEPS, "+4 to Defense", STEPS),
        (STEPS, HARDEN, "+7 to Defense"),
        (HARDEN, "Reaction: Turn aside, 2 uses, back after a long rest", HARDEN),
        (HARDEN, STEPS, HARDEN),
        (HARDEN, "", HARDEN),
        ("choose 1 skill", "choose 2 of languages", "choose 3 of skills"),
    ],
)
def test_the_sentences_of_the_second_editor_replace_those_of_the_first(
    editor, other, talent, before, theirs_say, mine_say
):
    Form(editor, models.Talent, talent).fill(does=before).send()
    mine, theirs = Form(editor, models.Talent, talent), Form(other, models.Talent, talent)
    assert theirs.fill(does=theirs_say).send().status_code == 302
    answer = mine.fill(does=mine_say, summary="Sees everything.").send()
    assert answer.context_data["theirs"]
    assert again(mine, answer).status_code == 302
    assert [line.text for line in lines_of(talent)] == [mine_say]
    assert talent.effects.count() == sum(isinstance(row, models.Effect) for row in lines_of(talent)[0].rows) + 1
    assert summary(talent) == "Sees everything."


def test_the_third_row_of_a_list_is_told_from_the_next_list(editor, other, talent):
    """The rows of a second list of effects are named like the third row of the first."""
    lines = ["+1 to Defense", "+1 to Speed", "+1 to Health", "advantage on checks"]
    Form(editor, models.Talent, talent).fill(does="\n".join(lines)).send()
    mine, theirs = Form(editor, models.Talent, talent), Form(other, models.Talent, talent)
    theirs.fill(does="\n".join([*lines[:2], "+4 to Health", "advantage on initiative"])).send()
    assert again(mine, mine.fill(summary="Sees everything.").send()).status_code == 302
    assert [line.text for line in lines_of(talent)] == lines


def test_a_row_that_the_second_editor_changed_beside_a_changed_sentence_is_refused(forms, talent):
    mine, theirs = forms
    theirs.fill(does="+4 to Defense").send()
    mine.data[f"{mine.prefixes['StatModifierInline']}-0-amount"] = 2
    answer = again(mine, mine.fill(does="+7 to Defense").send())
    assert answer.status_code == 200
    assert "You also changed its sentence" in answer.content.decode()
    mine.data[f"{mine.prefixes['StatModifierInline']}-0-amount"] = 4
    assert mine.send().status_code == 302
    assert talent.effects.get(kind="modify").amount == 7


def test_a_preview_is_no_conflict(forms, talent):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    answer = mine.fill(summary="Sees everything.", _preview="1").send()
    assert answer.status_code == 200
    assert 'class="theirs"' not in answer.content.decode()
    assert summary(talent) == "Never surprised."


def test_a_form_without_a_stamp_is_no_conflict(forms, talent):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    del mine.data["saw"]
    assert mine.fill(summary="Sees everything.").send().status_code == 302
    assert summary(talent) == "Sees everything."


def test_nonsense_in_hidden_fields_is_refused_without_a_crash(forms, talent):
    mine, theirs = forms
    theirs.fill(summary="Never surprised.").send()
    for name, value in [("saw", "x" * 5000), ("notes-TOTAL_FORMS", "x"), ("effects-INITIAL_FORMS", "99999999")]:
        assert mine.fill(**{name: value}).send().status_code == 200
    assert summary(talent) == "Never surprised."


@pytest.mark.parametrize("model", [models.Circumstance, models.Choice, models.Stat])
def test_circumstances_choices_and_statistics_are_guarded_as_well(editor, other, model):
    row = model.objects.order_by("pk").first()
    name = "prompt" if model is models.Choice else "name"
    mine, theirs = Form(editor, model, row), Form(other, model, row)
    assert theirs.fill(**{name: "Theirs"}).send().status_code == 302
    assert mine.fill(**{name: "Mine"}).send().status_code == 200
    row.refresh_from_db()
    assert getattr(row, name) == "Theirs"


def test_the_page_runs_few_queries_and_a_conflict_reads_the_entry_once_more(forms, talent):
    mine, theirs = forms
    with CaptureQueriesContext(connection) as page:
        mine.client.get(mine.url)
    theirs.fill(summary="Never surprised.").send()
    with CaptureQueriesContext(connection) as refusal:
        mine.fill(summary="Sees everything.").send()
    refused = Form(mine.client, models.Talent, talent, drawn=True).fill(name="")
    with CaptureQueriesContext(connection) as another:
        refused.send()
    assert len(page) < 40
    assert len(refusal) <= len(another) + len(page) + 5


def test_a_save_that_is_sent_twice_is_one_save(forms, talent):
    mine, theirs = forms
    mine.fill(summary="Sees everything.", does="+1 to Defense\n+2 to Health").rows("NoteInline", {"text": "Dozes"})
    assert mine.send().status_code == 302
    assert mine.send().status_code == 302
    assert talent.effects.exclude(amount=None).count() == 2
    assert set(talent.effects.filter(amount=None).values_list("text", flat=True)) == {"Rarely asleep", "Dozes"}
    assert talent.effects.count() == 4
    assert summary(talent) == "Sees everything."
    theirs.fill(summary="Sees everything.", does="+1 to Defense\n+2 to Health").rows("NoteInline", {"text": "Dozes"})
    assert theirs.send().status_code == 200, "another editor is told"


def test_a_save_of_a_row_that_a_line_can_say_is_one_save_too(forms, talent):
    """Stored, the new row is a line that the form did not have."""
    mine, theirs = forms
    mine.rows("NoteInline", {"text": "Dozes."})
    assert mine.send().status_code == 302
    assert "note: Dozes" in [line.text for line in lines_of(talent)]
    assert mine.send().status_code == 302
    assert models.Note.objects.filter(owner=talent, text="Dozes.").count() == 1
    assert theirs.fill(summary="Never surprised.").send().status_code == 200
    assert again(theirs, theirs.send()).status_code == 302
    assert mine.send().status_code == 200, "somebody has saved since"


def test_the_history_does_not_show_that_a_form_was_sent(forms, talent):
    mine, _ = forms
    mine.fill(summary="Sees everything.").send()
    assert LogEntry.objects.get(object_id=str(talent.pk)).get_change_message() == "Changed Summary."


def test_a_second_save_with_other_words_is_shown_beside_the_first(forms, talent):
    mine, _ = forms
    assert mine.fill(summary="Sees everything.").send().status_code == 302
    assert note(mine, text="Never asleep").send().status_code == 200
    assert mine.fill(summary="Sees nothing.").send().status_code == 200
    assert summary(talent) == "Sees everything."
