"""The forms of an upload: one for the files, and one for the report on them."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django import forms

from rules.packs.packing import NoPack, gathered, unzipped, zipped

# In the form of the report, below the megabyte that the site takes at once. Three bytes of the zip take four letters.
MOST_CARRIED = 700_000
TOO_LARGE = "Even as a zip, that is more than this site takes at once (500 KB). Split it into several packs."
LOST = "The report has lost its files. Upload the pack again."


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        return list(files.getlist(name))


class PackForm(forms.Form):
    """The pack as files; `cleaned_data["pack"]` is the content of each by its name."""

    pack = forms.Field(
        label="The pack",
        widget=SeveralFiles(attrs={"accept": ".zip,.yaml"}),
        help_text="A zip of its folder, or all of its .yaml files at once.",
        error_messages={"required": "Choose a zip, or the .yaml files of a pack."},
    )

    def clean_pack(self) -> dict[str, bytes]:
        try:
            files = gathered((one.name, one.read()) for one in self.cleaned_data["pack"])
        except NoPack as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        if len(carried(files)) > MOST_CARRIED:
            raise forms.ValidationError(TOO_LARGE)
        return files


class ReportForm(forms.Form):
    """The same files again, as the report's page sent them along, and the digest of that report."""

    carried = forms.CharField(max_length=MOST_CARRIED, widget=forms.HiddenInput)
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def clean_carried(self) -> dict[str, bytes]:
        try:
            return unzipped(base64.b64decode(self.cleaned_data["carried"], validate=True))
        except (NoPack, binascii.Error, ValueError) as wrong:
            raise forms.ValidationError(LOST) from wrong


def carried(files: Mapping[str, bytes]) -> str:
    return base64.b64encode(zipped(files)).decode()
