"""The field for an entry's sentences, on every page that edits an entry."""

from typing import Any

from django import forms
from django.forms.models import model_to_dict
from django.utils.html import format_html, format_html_join

from rules.contradictions import contradicting
from rules.models import Element, Prerequisite, Source
from rules.models.vocabulary import SwitchType
from rules.stat_graph import check_patterns
from rules.tidy_field import TidyField

from .lines import MOST_READ_BACK, Edit, edit_of, lines_of
from .sentences import patterns_of
from .words import NotUnderstood, Words


class SentencesForm(forms.ModelForm):
    """A form of an entry, in which its effects are sentences to edit, one per line.

    Call `read_sentences` in `clean`, and `write_sentences` once the entry is stored.
    """

    does = TidyField(
        label="What it does",
        required=False,
        max_length=MOST_READ_BACK * 500,  # for this many lines; a note is the longest
        widget=forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"}),
        help_text=format_html(
            "One sentence to a line. Change or delete a line, and its rows change with it."
            "<details><summary>Sentences that you can complete</summary><ul>{}</ul></details>",
            format_html_join("", "<li>{}</li>", ((one.sentence,) for one in patterns_of("level"))),
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines_of(self.instance)
        self.initial["does"] = "\n".join(line.text for line in self.lines)
        self.edit = Edit(self.instance)

    def read_sentences(self, source: Source, name: str, text: str) -> None:
        """Parse the sentences. One that cannot be parsed is an error of the field."""
        if "does" not in self.fields:
            return
        try:
            edit = edit_of(
                self.instance, self.lines, text.splitlines(), Words(source, name, self._meta.model.kind_of_class)
            )
            self.check_sentences(edit, source)
        except NotUnderstood as refusal:
            self.add_error("does", list(refusal.args))
        except forms.ValidationError as refusal:
            self.add_error("does", refusal)
        else:
            self.edit = edit

    def check_sentences(self, edit: Edit, source: Source) -> None:
        check_patterns(edit, source, self.instance)
        if edit.leaving and (by := edit.hindrances()):
            raise forms.ValidationError(f"You cannot delete a sentence while something needs it: {', '.join(by[:5])}.")
        if self.needs_in_vain(edit):
            raise forms.ValidationError("No character can ever meet all that it needs. Change one of these lines.")
        if twice := edit.counted_twice():
            raise forms.ValidationError(f"Two lines have uses of {twice[0]}. Write one line for all of its uses.")

    def needs_in_vain(self, edit: Edit) -> bool:
        """True if the edit changes the entry's requirements so that no character could meet them all."""
        new = [row for row in edit.rows if isinstance(row, Prerequisite)]
        if not new:
            return False
        stored = Prerequisite.objects.filter(owner=self.instance.pk).select_related("switch")
        rows = [*(row for row in stored if row not in edit.replaced), *new]
        lists = {row.switch_id for row in rows if row.switch and row.switch.type == SwitchType.LIST}
        return contradicting(map(model_to_dict, rows), lists) is not None

    def write_sentences(self, entry: Element) -> None:
        self.edit.entry = entry
        self.edit.write()
