"""Homebrew as libraries of the rules browser, with links to their own pages."""

from rules.compile import bundle_for, source_bundle, sources_of
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.library import Library, libraries
from rules.models import Ruleset, Source
from rules.models.ruleset import HOMEBREW

from ..rule_links import rule_url


class Homebrewed(Library):
    def url(self, ref: Ref) -> str:
        return rule_url(ref, self.bundle)


def books_of(ruleset: Ruleset, bundle: Bundle) -> list[Library]:
    """The libraries that a search for a character covers: the public one of its ruleset, and the homebrew in its
    bundle."""
    public = [library for library in libraries() if library.ruleset.pk == ruleset.pk]
    slugs = [slug for slug, _ in bundle.revision if slug.startswith(HOMEBREW)]
    if not slugs:
        return public
    layers = sources_of(ruleset, slugs)
    return [
        *public,
        *(Homebrewed(ruleset, source_bundle(one, layers), {one.slug: one}) for one in layers if one.slug in slugs),
    ]


def book_of(source: Source) -> Homebrewed:
    """A homebrew source as it is published, with the sources that it builds on."""
    slugs = [source.slug, *source.requires.values_list("slug", flat=True)]
    layers = sources_of(source.ruleset, slugs)
    return Homebrewed(source.ruleset, bundle_for(source.ruleset, slugs), {one.slug: one for one in layers})
