"""Publications: a source is in force as it was last published, and its rows are the working copy (decision 060)."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Model
from django.utils import timezone

from rules.models import Choice, Element, Publication, Resource, Source
from rules.models.ruleset import fresh_revision
from rules.models.vocabulary import Status
from rules.packs.columns import TABLES
from rules.packs.source_rows import Pack, completed, read_source


def publish(source: Source, author: User | None = None, note: str = "") -> Publication:
    """Put the present rows of `source` in force when the transaction ends."""
    with transaction.atomic():
        locked = Source.objects.select_for_update(of=("self",)).get(pk=source.pk)
        publication = recorded(locked, read_source(locked), author, note)
        Source.objects.filter(pk=locked.pk).update(revision=publication.revision, edited=None)
    source.revision, source.edited = publication.revision, None
    return publication


def recorded(source: Source, pack: Pack, author: User | None, note: str) -> Publication:
    """A new publication of this pack, not in force yet. The source must be locked already."""
    last = source.publications.aggregate(last=Max("number"))["last"] or 0
    return source.publications.create(
        number=last + 1, revision=fresh_revision(), author=author, note=note, pack=packed(pack)
    )


def publish_missing() -> list[Source]:
    """Publish the sources that are older than publications, and return them. One that was made in the admin was
    edited there, and is left for its authors to publish, as homebrew is."""
    missing = list(Source.objects.public().filter(revision=0, edited=None))
    for source in missing:
        publish(source)
    return missing


def edited(source: int) -> None:
    """Mark the source's working copy as edited; part of the caller's transaction."""
    Source.objects.filter(pk=source).update(edited=timezone.now())


def in_force(source: Source) -> Pack:
    """The pack that is in force. One query."""
    return published_as(source, source.revision)


def published_as(source: Source, revision: int) -> Pack:
    return unpacked(Publication.objects.values_list("pack", flat=True).get(source=source, revision=revision))


@lru_cache(maxsize=512)
def revisions_of(source: int, revision: int) -> tuple[int, ...]:
    """The revisions of all publications of a source up to this one, oldest first."""
    found = Publication.objects.filter(source=source, revision__lte=revision).order_by("revision")
    return tuple(found.values_list("revision", flat=True))


def is_in_force(row: Model) -> bool:
    """True if the publication in force has this row: then it keeps its slug or key and is not deleted. False for a
    source."""
    if row.pk is None or isinstance(row, Source):
        return False
    owner = row.owner if isinstance(row, Choice | Resource) else row
    return name_of(row) in names_in_force(owner.source_id, owner.source.revision)


def name_of(row: Model) -> str:
    """The name of a row (ref, key or slug) in characters, files and packs."""
    if isinstance(row, Element):
        return f"{row.kind}:{row.slug}"
    if isinstance(row, Choice | Resource):
        return f"{name_of(row.owner)} {row._meta.model_name} {row.slug}"
    return f"{row._meta.model_name} {getattr(row, 'key', '') or row.slug}"


@lru_cache(maxsize=64)
def names_in_force(source: int, revision: int) -> frozenset[str]:
    """The names (`name_of`) in this publication of the source; empty if nothing is published."""
    pack = _found(source, revision)
    parts = (
        f"{ref} {kind} {line['slug']}"
        for ref, row in pack.elements.items()
        for kind, lines in (("choice", row["choices"]), ("resource", row["resources"]))
        for line in lines
    )
    return frozenset([*(name for name, _ in _rows_of(pack)), *parts])


@lru_cache(maxsize=64)
def offered_in_force(source: int, revision: int) -> dict[str, str]:
    """Name (`name_of`) -> title of the rows that this publication offers to readers: no drafts, nothing retired."""
    rows = _rows_of(_found(source, revision))
    return {name: row["name"] for name, row in rows if row.get("status", Status.PUBLISHED) == Status.PUBLISHED}


def _found(source: int, revision: int) -> Pack:
    text = Publication.objects.filter(source=source, revision=revision).values_list("pack", flat=True).first()
    return Pack() if text is None else unpacked(text)


def _rows_of(pack: Pack) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name (`name_of`) -> row, for the rows of a pack that belong to no other row."""
    yield from pack.elements.items()
    for table, (model, _) in TABLES.items():
        yield from ((f"{model._meta.model_name} {name}", row) for name, row in getattr(pack, table).items())


def beneath(source: Source) -> list[Pack]:
    """The packs in force of the ruleset's other sources, which have the names that a difference mentions."""
    others = Source.objects.published().public().filter(ruleset=source.ruleset_id).exclude(pk=source.pk)
    return [in_force(other) for other in others.order_by("-is_core", "slug")]


def stamp(source: Source, working: Pack) -> str:
    """A hash that changes with the working copy and with the publication in force."""
    return sha256(f"{source.revision} ".encode() + packed(working)).hexdigest()[:32]


def packed(pack: Pack) -> bytes:
    return zlib.compress(json.dumps(asdict(pack), separators=(",", ":")).encode())


def unpacked(text: bytes) -> Pack:
    """The pack in a publication. A column that was added after it was published has its default."""
    return completed(Pack(**json.loads(zlib.decompress(bytes(text)))))
