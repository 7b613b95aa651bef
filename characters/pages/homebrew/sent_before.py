"""Entries that a form made before: each slug holds a digest of its form, so a form that is sent twice finds its entry,
even if that was renamed since."""

from hashlib import sha256

from django.http import QueryDict

from rules.entries import entries_of
from rules.homebrew import named, tag_of
from rules.models import Element, Source


def digest_of(sent: QueryDict) -> str:
    """Eight letters that stand for this form with all its fields; "" for a form without a key."""
    fields = sorted((name, values) for name, values in sent.lists() if name != "csrfmiddlewaretoken")
    return sha256(repr(fields).encode()).hexdigest()[:8] if sent.get("key") else ""


def made_before(sent: QueryDict, source: Source, kind: str) -> Element | None:
    """The entry that this form has made already."""
    end = f"-{digest_of(sent)}-{tag_of(source)}"
    return entries_of(source).filter(kind=kind, slug__endswith=end).first() if digest_of(sent) else None


def slug_of(first: str, sent: QueryDict, source: Source, kind: str) -> str:
    """The slug of the entry that this form makes, which begins like `first`."""
    taken = set(entries_of(source).filter(kind=kind).values_list("slug", flat=True))
    return named("-".join(filter(None, (first[:50], digest_of(sent)))), source, taken, 80)
