"""`load_rules`: loads a folder of YAML files into the database, all or nothing. It may be repeated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import yaml
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction

from rules.engine.phrases import quoted
from rules.games import GAMES
from rules.models import Element, Publication, Ruleset, Source
from rules.models.ruleset import HOMEBREW, HOMEBREWS
from rules.models.vocabulary import Status
from rules.publications import beneath, edited, in_force, publish, published_as, recorded, unpacked

from . import columns as cols
from .check import PackReader
from .export import files_of
from .names import PackNames
from .pack_difference import RowDifference, difference
from .references import resolve
from .renaming import as_named_in, renamed
from .report import Report, StillUsed
from .source_rows import Pack, read_source
from .three_packs import RowConflict, conflicts, merged
from .write import Writer

PACKS = Path(__file__).parent
FROM_FILES = "Loaded from files."
KEPT = "The edits of this site, kept."
PLACE = re.compile(r":(\d+):")  # the line; a file name may have colons, too


class PackError(Exception):
    """Says why a pack cannot be loaded. `problems` has each reason as `file:line: reason`."""

    def __init__(self, problems: list[str]):
        self.problems = sorted(set(problems), key=placed)
        super().__init__("\n".join(self.problems))


def placed(problem: str) -> tuple[str, int, str]:
    """The file, line and reason of a problem."""
    file, line, reason = PLACE.split(problem, maxsplit=1)
    return file, int(line), reason.strip()


def folder_of(source_slug_or_path: str | Path) -> Path:
    """The folder of a pack: a path, or the name of a pack in this project. Raises PackError if it is neither."""
    shipped = PACKS / source_slug_or_path
    for folder in (Path(source_slug_or_path), shipped):
        if (folder / "source.yaml").is_file():
            return folder
    raise PackError([f"source.yaml:1: {source_slug_or_path} is neither a pack of the project nor a folder of one"])


def shipped() -> list[str]:
    """The names of the project's packs: first those of the first game in GAMES, because the game that was loaded first
    is the default for new characters; and each core before the packs that build on it."""
    games = list(GAMES)

    def place(folder: Path) -> tuple[int, bool, str]:
        document = yaml.safe_load((folder / "source.yaml").read_text("utf-8"))
        game, is_core = document["ruleset"].get("game"), document["source"].get("is_core", False)
        return games.index(game) if game in games else len(games), not is_core, folder.name

    return [folder.name for folder in sorted((one.parent for one in PACKS.glob("*/source.yaml")), key=place)]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.yaml"))}


def load_rules(source_slug_or_path: str | Path, *, save: bool = True, force: bool = False) -> Report:
    """Load the pack's files into the database. Raises PackError with every mistake.

    Nothing is written unless everything is right. Files that have not changed since they were loaded are not compared
    again. Edits made on this site stay wherever the files have not changed since they were loaded last; with `force`,
    the files replace them. save=False writes nothing and reports what would change.
    """
    files = files_in(folder_of(source_slug_or_path))
    digest = digest_of(files)
    if save and not force and (loaded := Source.objects.filter(pack_digest=digest).first()):
        return Report(lines=[f"{loaded.slug}: these files are loaded already"])
    with transaction.atomic():
        loaded = load_files(files) if force else load_beside_edits(files, digest)
        loaded.report.replaced = [named(row) for row in replaced(loaded)]
        transaction.set_rollback(not save)
    return loaded.report


@dataclass(frozen=True)
class Loaded:
    """A pack that was written: its source, the rows before, and the report.

    was: the pack that was published from the previously loaded files, from which the author of these may have started.
    """

    source: Source
    had: Pack
    report: Report
    was: Pack | None


def replaced(loaded: Loaded) -> tuple[RowConflict, ...]:
    """The rows that were edited or added on this site and that the files have now changed or removed."""
    if loaded.was is None:
        return ()
    others, now = beneath(loaded.source), read_source(loaded.source)
    was, had = (as_named_in(now, pack) for pack in (loaded.was, loaded.had))
    return conflicts(was, had, difference(had, now, others), others)


def named(row: RowDifference | RowConflict) -> str:
    return f"{row.kind} {quoted(row.name)}"


def load_beside_edits(files: Mapping[str, bytes], digest: str) -> Loaded:
    """`load_files`, but each edit made on this site stays unless the files change the same row. An unpublished edit
    stays unpublished.

    If the edits do not fit together with the new rows, they are replaced, too.
    """
    reader = PackReader(files)
    slug, ruleset = reader.pack.source.get("slug", ""), reader.pack.ruleset.get("slug", "")
    Ruleset.objects.select_for_update().filter(slug=ruleset).first()  # locked first, as in `write_pack`
    source = Source.objects.filter(ruleset__slug=ruleset, slug=slug).first()
    if reader.problems or source is None or not source.loaded:
        return load_read(reader, digest)
    had = published_as(source, source.loaded), in_force(source), read_source(source)
    was, live, here = (as_named_in(reader.pack, pack) for pack in had)
    new = merged(was, live, reader.pack)
    unpublished = merged(live, here, new)
    if unpublished == reader.pack:
        return load_read(reader, digest)
    try:
        with transaction.atomic():
            shipped_as = recorded(source, reader.pack, None, FROM_FILES)
            loaded = load_read(read_anew(new), digest, note=KEPT)
            Source.objects.filter(pk=source.pk).update(loaded=shipped_as.revision)
            if here != live:
                write_pack(read_anew(unpublished), digest, published=False)
                edited(source.pk)
    except PackError:
        return load_read(reader, digest)
    loaded.report.kept = [named(row) for row in difference(reader.pack, unpublished, beneath(source))]
    return loaded


def read_anew(pack: Pack) -> PackReader:
    return PackReader({name: text.encode() for name, text in files_of(pack).items()})


def load_files(files: Mapping[str, bytes]) -> Loaded:
    """`load_rules` for files in memory, even if they have not changed since they were loaded."""
    return load_read(PackReader(files), digest_of(files))


def load_read(reader: PackReader, digest: str, author: User | None = None, note: str = FROM_FILES) -> Loaded:
    """`load_files` for files that are read already, so no row is locked while reading."""
    if reader.pack.source.get("slug", "").startswith(HOMEBREW):  # it would overwrite someone's homebrew
        raise PackError([*reader.problems, f"source.yaml:1: {HOMEBREWS}"])
    try:
        with transaction.atomic():
            return write_pack(reader, digest, author=author, note=note)
    except (IntegrityError, DataError) as error:
        raise PackError([*reader.problems, f"source.yaml:1: the database refuses it: {error}"]) from error


def restore(publication: Publication) -> Report:
    """Make the working copy equal to the publication. Raises PackError if that is not possible.

    Elements and house rules in force that did not exist at that time are retired. Nothing is published.
    """
    source = publication.source
    with transaction.atomic():
        report = write_pack(read_anew(restorable(publication)), source.pack_digest, published=False).report
        edited(source.pk)
    return report


def as_restored(publication: Publication, working: Pack) -> Pack:
    """The working copy as `restore` will leave it: rows in force stay, elements and house rules among them retired."""
    live, after = in_force(publication.source), restorable(publication)
    for ref in (working.elements.keys() & live.elements.keys()) - after.elements.keys():
        after.elements[ref] = working.elements[ref] | {"status": Status.RETIRED}
    for table in cols.TABLES:
        had, rows = getattr(working, table), getattr(after, table)
        kept = {name: had[name] for name in (had.keys() & getattr(live, table).keys()) - rows.keys()}
        rows |= {name: row | {"status": Status.RETIRED} if "status" in row else row for name, row in kept.items()}
    return after


def restorable(publication: Publication) -> Pack:
    """The pack of a publication for `restore`, in which entries that were renamed since keep their present names.

    Characters know such an entry by its present name until the next publication, and their histories contain both
    names.
    """
    pack = unpacked(publication.pack)
    rows = list(Element.objects.filter(source=publication.source).values_list("kind", "slug", "was"))
    there = {f"{kind}:{slug}" for kind, slug, _ in rows}
    now = {}
    for kind, slug, was in rows:
        before = [ref for ref in (f"{kind}:{old}" for old in was.split()) if ref in pack.elements and ref not in there]
        if before and f"{kind}:{slug}" not in pack.elements:
            now[before[-1]] = f"{kind}:{slug}", was
    found = renamed(pack, {Element: {old: ref for old, (ref, _) in now.items()}})
    for ref, was in now.values():
        found.elements[ref]["was"] = was
    return found


def write_pack(
    reader: PackReader, digest: str, *, published: bool = True, author: User | None = None, note: str = FROM_FILES
) -> Loaded:
    pack = reader.pack
    ruleset = Ruleset.objects.select_for_update().filter(slug=pack.ruleset.get("slug", "")).first()
    _rename(pack, ruleset)
    beneath = _beneath(reader, ruleset)
    names = PackNames(ruleset, pack.source.get("slug", ""))
    resolve(reader, names, beneath)
    if reader.problems:
        raise PackError(reader.problems)
    if ruleset is None:
        plain = {column.key: pack.ruleset[column.key] for column in cols.RULESET if not column.target}
        ruleset = Ruleset.objects.create(**plain)
    source, made = Source.objects.select_for_update(of=("self",)).get_or_create(
        ruleset=ruleset, slug=pack.source["slug"], defaults={**pack.source}
    )
    had = read_source(source)
    if made:
        had.source = {}
    was = published_as(source, source.loaded) if source.loaded else None
    try:
        stays = None if published or not source.revision else in_force(source)
        report = Writer(source, pack, had, names, stays).write()
    except StillUsed as error:
        reader.problems.at(
            reader.lines[error.ref], f"{error.what} is gone from {error.ref}, but characters or other entries use it"
        )
        raise PackError(reader.problems) from None
    if published and (report.moved or source.edited):
        publish(source, author, note)
    if published:
        source.loaded = source.revision
    Source.objects.filter(pk=source.pk).update(pack_digest=digest, loaded=source.loaded)
    return Loaded(source, Pack() if made else had, report, was)


def _rename(pack: Pack, ruleset: Ruleset | None) -> None:
    """Give renamed rows the slugs that the pack has for them now, so that characters keep them under the new name."""
    mine = Element.objects.filter(source__ruleset=ruleset, source__slug=pack.source.get("slug", ""))
    for ref, row in pack.elements.items():
        kind, _, slug = ref.partition(":")
        if row["was"] and not Element.objects.filter(ruleset=ruleset, kind=kind, slug=slug).exists():
            old = mine.filter(kind=kind, slug__in=row["was"].split()).order_by("pk").first()
            if old is not None:
                Element.objects.filter(pk=old.pk).update(slug=slug)


def _beneath(reader: PackReader, ruleset: Ruleset | None) -> list[Source]:
    """The sources whose rows the pack may name: the core and those it requires."""
    pack = reader.pack
    own = pack.source.get("slug", "")
    if ruleset is None:
        for key in ("name", "game"):
            if pack.ruleset and not pack.ruleset[key]:
                reader.problems.append(f"source.yaml:1: the ruleset is new, so it needs `{key}`")
        others = []
    else:
        others = list(Source.objects.public().filter(ruleset=ruleset).exclude(slug=own).order_by("slug"))
    for slug in pack.requires:
        if slug not in {source.slug for source in others}:
            reader.problems.append(f"source.yaml:1: there is no source {slug} to require")
    return [source for source in others if source.is_core or source.slug in pack.requires]


def digest_of(files: Mapping[str, bytes]) -> str:
    """A hash of the files of a pack and of the columns read from them."""
    shape = [(column.key, str(column.field)) for part in (cols.ELEMENT, *cols.PARTS.values()) for column in part]
    digest = sha256(repr(shape).encode())
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()
