"""Homebrew: a source that is a person's or a table's alone. Its readers are settled where people are known."""

import re
import secrets
from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from rules.free_slug import free_slug
from rules.models import Homebrew, Ruleset, Source
from rules.models.ruleset import HOMEBREW

LETTERS = "bcdfghjkmnpqrstvwxz23456789"  # none that make words
TAG = 6
ROOM = 4  # for the number of a second one
WORDS = re.compile(r"[A-Za-z0-9.]+")


def begun(ruleset: Ruleset, title: str, owner: User | None = None) -> Source:
    """A source that nobody else finds, with nothing in it yet; part of the caller's transaction."""
    tag = "".join(secrets.choice(LETTERS) for _ in range(TAG))
    source = Source.objects.create(ruleset=ruleset, slug=f"{HOMEBREW}{tag}", title=title[:120])
    Homebrew.objects.create(source=source, owner=owner, tag=tag)
    return source


def tag_of(source: Source) -> str:
    """The end of every name that is made in this source; "" for a source that is everyone's."""
    return Homebrew.objects.filter(source=source).values_list("tag", flat=True).first() or ""


def named(first: str, source: Source, taken: Collection[str], most: int) -> str:
    """A slug that is not `taken`, with the tag of its source: what two tables make never has the same name."""
    end = f"-{tag}" if (tag := tag_of(source)) else ""
    if end:  # made from what people write: only letters that every pack may have
        first = "-".join(WORDS.findall(first))[: most - len(end) - ROOM].rstrip("-.")
    return f"{free_slug(first, {one.removesuffix(end) for one in taken if one.endswith(end)}, most - len(end))}{end}"


def readable_by(source: Source) -> QuerySet[Source]:
    """The sources that rows of this one may name: itself and what is everyone's, of homebrew only the core of the game
    and what it builds on."""
    found = Source.objects.open_to(besides=[source.slug]).filter(ruleset=source.ruleset_id)
    if not tag_of(source):
        return found
    return found.filter(Q(pk=source.pk) | Q(is_core=True) | Q(pk__in=source.requires.values("pk")))
