"""Homebrew: a source that is private to a person or a table. Apps that know people decide who reads it."""

import re
import secrets
from collections.abc import Collection
from itertools import count

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet

from rules.models import Homebrew, Ruleset, Source
from rules.models.ruleset import HOMEBREW
from rules.models.vocabulary import Status
from rules.publications import name_of, offered_in_force

LETTERS = "bcdfghjkmnpqrstvwxz23456789"  # no vowels, so that no words appear
TAG = 6
ROOM = 4  # characters left for the number of a second entry with that name
WORDS = re.compile(r"[A-Za-z0-9.]+")


def begun(ruleset: Ruleset, title: str, owner: User | None = None) -> Source:
    """A new, empty source that nobody else can see; part of the caller's transaction."""
    tag = "".join(secrets.choice(LETTERS) for _ in range(TAG))
    source = Source.objects.create(ruleset=ruleset, slug=f"{HOMEBREW}{tag}", title=title[:120])
    Homebrew.objects.create(source=source, owner=owner, tag=tag)
    return source


def tag_of(source: Source) -> str:
    """The end of every slug and key that is made in this source; "" for a public source."""
    return Homebrew.objects.filter(source=source).values_list("tag", flat=True).first() or ""


def named(first: str, source: Source, taken: Collection[str], most: int) -> str:
    """A slug that is not `taken`, with the tag of its source, so that entries of two tables never share one."""
    end = f"-{tag}" if (tag := tag_of(source)) else ""
    if end:  # people's own words: keep only the characters that packs allow
        first = "-".join(WORDS.findall(first))[: most - len(end) - ROOM].rstrip("-.")
    return f"{free_slug(first, {one.removesuffix(end) for one in taken if one.endswith(end)}, most - len(end))}{end}"


def free_slug(first: str, taken: Collection[str], most: int) -> str:
    """The slug `first` or, if it is `taken`, `first` with the lowest free number from 2 on; at most `most`
    characters."""
    ends = ("" if number == 1 else f"-{number}" for number in count(1))
    return next(one for end in ends if (one := f"{first[: most - len(end)]}{end}") not in taken)


def readable_by(source: Source) -> QuerySet[Source]:
    """The sources that rows of this one may name: itself and the public ones; for homebrew, itself, the core of its
    game, and what it builds on."""
    found = Source.objects.open_to(besides=[source.slug]).filter(ruleset=source.ruleset_id)
    if not tag_of(source):
        return found
    return found.filter(Q(pk=source.pk) | Q(is_core=True) | Q(pk__in=source.requires.values("pk")))


def found_by_authors(rows: QuerySet, source: Source) -> list[tuple[str, Model]]:
    """Pairs of (name, row) that an author of this homebrew may name: its own rows, and public ones in force, by their
    published names. Nothing unpublished of an admin is among them.

    Pass the core of the game for homebrew that does not exist yet.
    """
    own = source.pk if tag_of(source) else None
    readable = readable_by(source) if own else [source]
    found = []
    for row in rows.filter(source__in=readable).select_related("source"):
        if row.source_id != own:
            name = offered_in_force(row.source_id, row.source.revision).get(name_of(row))
        else:
            name = row.name if getattr(row, "status", "") != Status.RETIRED else None
        if name is not None:
            found.append((name, row))
    return found
