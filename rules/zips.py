"""Small zips that people upload and download. Reading stops at limits, and writing gives the same bytes each time."""

import zlib
from collections.abc import Iterable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

# With other methods, zipfile unpacks a whole block, however large, before it cuts it to the requested size.
PACKED = (ZIP_STORED, ZIP_DEFLATED)
# Raised by zipfile for data that is not an archive, is cut off or encrypted, uses an unknown method, or has an offset
# too large for a machine integer.
UNREADABLE = (BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, OverflowError)


class NotReadable(Exception):
    """The bytes are not a zip that this site can read."""


class TooLarge(Exception):
    """The unpacked files are larger than allowed."""


def zipped(files: Iterable[tuple[str, bytes | str]]) -> bytes:
    """The files by name, in this order; the same bytes for the same files."""
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, data in files:
            # With the present time, two downloads of the same files would differ.
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return written.getvalue()


class Zip:
    """A zip that someone sent. Raises NotReadable, also while reading."""

    def __init__(self, data: bytes) -> None:
        try:
            self.archive = ZipFile(BytesIO(data))
        except UNREADABLE as wrong:
            raise NotReadable from wrong

    @property
    def entries(self) -> list[ZipInfo]:
        """The files in the zip, without those that some systems add, such as `__MACOSX/._mira.json`."""
        return [one for one in self.archive.infolist() if not _hidden(one.filename)]

    def read(self, entries: Iterable[ZipInfo], *, most: int, each: int | None = None) -> list[bytes]:
        """The data of these files, each cut at one byte more than `each`. Raises TooLarge, before unpacking anything,
        if together they claim more than `most` bytes."""
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
