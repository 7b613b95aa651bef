"""The files of a pack to one zip, and back from an upload, which may be of any size and content."""

from collections.abc import Iterable, Mapping
from zipfile import ZipInfo

from rules import zips

MOST_BYTES = 2_000_000  # of all files unpacked; the core rules have 160,000
MOST_NAMES = 500  # files of any kind in a zip
TOO_LARGE = f"Unpacked, that is more than {MOST_BYTES // 1_000_000} MB. Split it into several packs."


class NoPack(Exception):
    """The reason, as a sentence, why an upload is not a pack."""


def zipped(files: Mapping[str, bytes], folder: str = "") -> bytes:
    """The files as a zip, the same bytes for the same files."""
    return zips.zipped((f"{folder}/{name}" if folder else name, data) for name, data in sorted(files.items()))


def unzipped(data: bytes) -> dict[str, bytes]:
    """The YAML files beside the single `source.yaml` of a zip. Raises NoPack."""
    try:
        archive = zips.Zip(data)
        if len(archive.entries) > MOST_NAMES:
            raise NoPack(f"The zip has more than {MOST_NAMES} files. Pack only the folder of the pack.")
        named = beside_source(archive.entries)
        return dict(zip(named, archive.read(named.values(), most=MOST_BYTES), strict=True))
    except zips.TooLarge as wrong:
        raise NoPack(TOO_LARGE) from wrong
    except zips.NotReadable as wrong:
        raise NoPack(
            "This is not a zip that this site can read. Pack the folder once more, without a password."
        ) from wrong


def beside_source(names: Iterable[ZipInfo]) -> dict[str, ZipInfo]:
    places = [(one.filename.rpartition("/")[0], one.filename.rpartition("/")[2], one) for one in names]
    folders = [folder for folder, name, _ in places if name == "source.yaml"]
    if not folders:
        raise NoPack("There is no source.yaml in the zip. It is the file that says which pack this is.")
    if len(folders) > 1:
        raise NoPack("There is more than one source.yaml in the zip. Upload one pack at a time.")
    return once((name, one) for folder, name, one in places if folder == folders[0] and name.endswith(".yaml"))


def once[T](named: Iterable[tuple[str, T]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for name, one in named:
        if name in found:
            raise NoPack(f"{name[:80]} is there twice.")
        found[name] = one
    return found


def gathered(sent: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """The files of an upload by name, from one zip or from a folder of YAML files. Raises NoPack."""
    sent = list(sent)
    if len(sent) == 1 and not sent[0][0].endswith((".yaml", ".yml")):
        return unzipped(sent[0][1])
    files = once((name, data) for name, data in sent)
    if other := next((name for name in files if not name.endswith(".yaml")), ""):
        raise NoPack(f"{other[:80]} is no YAML file. Choose one zip, or the .yaml files of the pack.")
    if sum(map(len, files.values())) > MOST_BYTES:
        raise NoPack(TOO_LARGE)
    return files
