"""Static files as they are sent: with a hash in the name, compressed, and without comments and indents."""

import re
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("css/", "js/")
# Of a script only comments that have their lines to themselves: within a line, two strokes may belong to an address.
NOT_SENT = {
    "css": re.compile(rb"/\*.*?\*/|^[ \t]+|(?<=[;{}])\n", re.DOTALL | re.MULTILINE),
    "js": re.compile(rb"^[ \t]*//[^\n]*\n|^[ \t]+", re.MULTILINE),
}


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Comments and indents would be a twentieth of a first visit. Addresses are kept: a page has twenty of them, none
    changes while a process lives, and to put each together anew is a tenth of the page's time."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        if name not in self.addresses:
            self.addresses[name] = super().url(name, force)
        return self.addresses[name]

    def _save(self, name: str, content: File) -> str:
        ending = name.rpartition(".")[2]
        if name.startswith(OURS) and ending in NOT_SENT:
            content = ContentFile(NOT_SENT[ending].sub(b"", b"".join(content.chunks())))
        return super()._save(name, content)
