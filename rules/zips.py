"""Small zips that people send and take along: read no further than they may be, and written the same each time."""

import zlib
from collections.abc import Iterable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

# Of what is packed in other ways, zipfile unpacks a whole block, however large, before it cuts off what was asked for.
PACKED = (ZIP_STORED, ZIP_DEFLATED)
# Raised by zipfile for what is no archive, is cut off, is encrypted, or is packed in a way that it does not know.
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)


class NotReadable(Exception):
    """The bytes are no zip that this site can read."""


class TooLarge(Exception):
    """Unpacked, it is more than it may be."""


def zipped(files: Iterable[tuple[str, bytes | str]]) -> bytes:
    """The files by name, in this order; the same bytes for the same files."""
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, data in files:
            # A moment of its own would make two downloads of the same files differ.
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return written.getvalue()


class Zip:
    """A zip that somebody sent. Raises NotReadable, here and when it is read."""

    def __init__(self, data: bytes) -> None:
        try:
            self.archive = ZipFile(BytesIO(data))
        except UNREADABLE as wrong:
            raise NotReadable from wrong

    @property
    def entries(self) -> list[ZipInfo]:
        """Without folders, and without the files that some systems add: `__MACOSX/._mira.json`."""
        return [one for one in self.archive.infolist() if not _hidden(one.filename)]

    def read(self, entries: Iterable[ZipInfo], *, most: int, each: int | None = None) -> list[bytes]:
        """The data of these, none further than `each` bytes and one more. Raises TooLarge for more than `most`
        bytes of all, before they are unpacked."""
        found, left = [], most
        try:
            for one in entries:
                if one.compress_type not in PACKED:
                    raise NotReadable
                with self.archive.open(one) as file:
                    found.append(file.read(min(left, each or left) + 1))
                left -= len(found[-1])
                if left < 0:
                    raise TooLarge
        except UNREADABLE as wrong:
            raise NotReadable from wrong
        return found


def _hidden(name: str) -> bool:
    return name.endswith("/") or name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")
