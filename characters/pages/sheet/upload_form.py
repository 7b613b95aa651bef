"""The form that takes a character file."""

from typing import Any

from django import forms

from rules.games.strict_json import LARGEST_FILE

ZIP = b"PK\x03\x04"  # the first bytes of every zip that holds a file


class UploadForm(forms.Form):
    """A character file, chosen or pasted. Only its size is checked here; the file's own reader knows the format."""

    file = forms.FileField(
        label="A character file",
        required=False,
        error_messages={"empty": "That file is empty."},
        widget=forms.ClearableFileInput(attrs={"accept": "application/json,.json"}),
        help_text="The file from “Download” on a sheet: one character as JSON, at most 1\N{NO-BREAK SPACE}MB.",
    )
    text = forms.CharField(
        label="Or its text",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    key = forms.CharField(min_length=8, max_length=64, widget=forms.HiddenInput)
    one_of = ("file", "text")  # the page marks neither as optional

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > LARGEST_FILE:
            raise forms.ValidationError("That is more than this site takes at once: the limit is 1 MB.")
        if file and file.read(len(ZIP)) == ZIP:
            raise forms.ValidationError("This is a zip. Unpack it, and choose the file of one character.")
        if file:
            file.seek(0)
        return file

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        file, text = given.get("file"), given.get("text")
        if not self.errors and bool(file) == bool(text):
            both = "Choose a file or paste its text, not both." if file else "Choose a file, or paste its text."
            raise forms.ValidationError(both)
        return given

    @property
    def document(self) -> bytes | str:
        """The document that was given: the file's bytes, or the pasted text."""
        return self.cleaned_data["file"].read() if self.cleaned_data["file"] else self.cleaned_data["text"]
