"""A pack tried on the site as it stands: what it would change, and for whom. Nothing is stored."""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from characters.models import Character
from characters.pages.publications.moved_characters import AT_ONCE, MovedCharacter, holders, moved
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.lint import check_packs
from rules.models import Ruleset, Source
from rules.packs.check import PackReader
from rules.packs.load import Loaded, PackError, digest_of, load_read, replaced
from rules.packs.pack_difference import RowDifference, difference
from rules.packs.source_rows import Pack, read_source
from rules.packs.three_packs import RowConflict
from rules.publications import in_force


@dataclass(frozen=True)
class PackTrial:
    """`characters` are those tried, of the `playing` many that have the source in play; `before` and `after` are their
    versions.

    digest: the same for the same files and the same rules, so that the pack that is stored is the one in the report.
    """

    title: str
    rows: tuple[RowDifference, ...]
    conflicts: tuple[RowConflict, ...]
    characters: list[Character]
    before: Mapping[int, Version]
    after: Mapping[int, Version]
    playing: int
    digest: str

    @property
    def tried(self) -> int:
        return len(self.characters)

    @cached_property
    def moved(self) -> list[MovedCharacter]:
        """Worked out only when asked for: it takes as long as all the rest, and needs no database."""
        with as_pack_error():
            return moved(self.characters, self.before, self.after)

    @property
    def by_what(self) -> list[tuple[str, list[RowDifference]]]:
        """The rows by what would happen to them, without empty groups."""
        hows = ("added", "Added"), ("changed", "Changed"), ("retired", "Retired"), ("removed", "Removed")
        found = [(title, [row for row in self.rows if row.how == how]) for how, title in hows]
        return [(title, rows) for title, rows in found if rows]


class StaleReport(Exception):
    """The rules have changed since the report was made. trial: the report as it is now."""

    def __init__(self, trial: PackTrial) -> None:
        super().__init__("The rules here have changed since this report. Read the new one before you store the pack.")
        self.trial = trial


def tried(files: Mapping[str, bytes]) -> PackTrial:
    """The report on a pack. Raises PackError with every problem. Nothing is written."""
    reader = reader_of(files)
    with transaction.atomic():
        trial, _ = _written(reader, files)
        transaction.set_rollback(True)
    trial.moved  # noqa: B018  after the transaction, which others wait for; before a page is drawn, since it may raise
    return trial


def store(files: Mapping[str, bytes], digest: str, author: User) -> Source:
    """Write and publish the pack of a report with this digest. Raises StaleReport, or PackError as `tried` does."""
    reader = reader_of(files)
    with transaction.atomic():
        trial, source = _written(reader, files, author)
        stale = trial.digest != digest
        transaction.set_rollback(stale)
    if stale:
        trial.moved  # noqa: B018  as for the report
        raise StaleReport(trial)
    return source


class Faulty(PackError):
    """Rules whose rows are all well formed, but which cannot be played."""


def _written(reader: PackReader, files: Mapping[str, bytes], author: User | None = None) -> tuple[PackTrial, Source]:
    pack = reader.pack
    try:
        with transaction.atomic():
            return _tried(reader, files, set(), author)
    except Faulty:  # only new faults count
        ruleset = Ruleset.objects.filter(slug=pack.ruleset["slug"]).first()
        return _tried(reader, files, faults(ruleset, pack.source["slug"]) if ruleset else set(), author)


def _tried(
    reader: PackReader, files: Mapping[str, bytes], known: set[str], author: User | None
) -> tuple[PackTrial, Source]:
    pack = reader.pack
    game, slug = pack.ruleset.get("slug", ""), pack.source["slug"]
    is_core = pack.source["is_core"] or Source.objects.filter(ruleset__slug=game, slug=slug, is_core=True).exists()
    playing = holders(game, slug, is_core=is_core)
    characters = list(playing[:AT_ONCE])
    before = versions_of(characters)
    loaded = load_read(reader, digest_of(files), author)
    with as_pack_error():
        found = faults(loaded.source.ruleset, slug) - known
        after = versions_of(characters)
    if found:
        raise Faulty([f"source.yaml:1: {fault}" for fault in found])
    rows = difference(loaded.had, read_source(loaded.source), built_on(loaded.source))
    title, digest = pack.source["title"], report_digest(files, loaded, rows)
    trial = PackTrial(title, rows, replaced(loaded), characters, before, after, playing.count(), digest)
    return trial, loaded.source


@contextmanager
def as_pack_error() -> Iterator[None]:
    """Turns any failure of the rules into a PackError: content can break the code of any game, and its author has to
    know."""
    try:
        yield
    except Exception as error:
        logging.getLogger(__name__).exception("A pack was tried whose rules cannot be worked out")
        reason = f"with this pack the rules cannot be worked out ({type(error).__name__}: {error})"
        raise PackError([f"source.yaml:1: {reason}"]) from error


def reader_of(files: Mapping[str, bytes]) -> PackReader:
    """A reader of the pack, which has checked all that needs no database; `load_read` checks the rest."""
    reader = PackReader(files)
    if not reader.pack.source:
        raise PackError(reader.problems)
    return reader


def faults(ruleset: Ruleset, own: str) -> set[str]:
    """The faults that make the rules in force unplayable, in the public sources and in the source `own`."""
    sources = Source.objects.published().open_to(besides=[own]).filter(ruleset=ruleset).order_by("-is_core", "slug")
    found = check_packs(ruleset, [in_force(source) for source in sources])
    return {f"{one.where}: {one.reason}" for one in found if one.error}


def built_on(source: Source) -> list[Pack]:
    """The working copies of the sources that this one needs: the core, and those that it names."""
    others = Source.objects.filter(ruleset=source.ruleset_id).exclude(pk=source.pk)
    needed = others.filter(Q(is_core=True) | Q(pk__in=source.requires.values("pk")))
    return [read_source(one) for one in needed.order_by("slug")]


def report_digest(files: Mapping[str, bytes], loaded: Loaded, rows: Iterable[RowDifference]) -> str:
    """A hash of the files, of what they would change, and of the revisions of the game's other sources."""
    others = Source.objects.public().filter(ruleset=loaded.source.ruleset_id).exclude(pk=loaded.source.pk)
    others = others.order_by("slug")
    revisions = list(others.values_list("slug", "revision"))
    return hashlib.sha256(repr((sorted(files.items()), tuple(rows), revisions)).encode()).hexdigest()
