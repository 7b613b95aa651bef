from collections.abc import Collection, Iterable

from characters.change.journal import Draft, Refused
from characters.change.text_input import listed
from characters.models import Change
from characters.people import NOBODY, Person
from characters.read.open_sources import open_sources
from rules.compile import bundle_for
from rules.models import Source

from .building import rebuild
from .leveling import check_seen


def set_sources(pk: int, person: Person, key: str, *, sources: Iterable[str], saw: str | None = None) -> Change:
    """Play by the core rules and just these sources, by their slugs.

    Choices from a source that is left out stay decided, as problems, and count again when it is back.
    saw: `seen` of the page that showed what would change; Stale when that is over.
    """
    wanted = frozenset(sources)

    def act(draft: Draft) -> str:
        offered = optional_sources(draft.character.ruleset_id, person, draft.build.sources)
        if wanted - offered.keys():
            raise Refused("There is no such source of rules.", "source")
        for slug, sentence in lacking(offered, wanted).items():
            raise Refused(sentence, slug)
        now = draft.build.sources & offered.keys()
        if saw is not None:
            check_seen(draft, bundle_for(draft.character.ruleset, now | wanted), saw)
        if now == wanted:
            raise Refused("That is what is in play already.")
        for slug in now ^ wanted:
            draft.put(f"source:{slug}", True if slug in wanted else None)
        told = [
            f"{listed(offered[slug].title for slug in sorted(slugs))} {'are' if len(slugs) > 1 else 'is'} {what}."
            for slugs, what in ((wanted - now, "in play"), (now - wanted, "left out"))
            if slugs
        ]
        return " ".join(told)

    return rebuild(pk, person, "set_sources", key, {"sources": sorted(wanted), "saw": saw}, act)


def optional_sources(ruleset: int, person: Person = NOBODY, besides: Collection[str] = ()) -> dict[str, Source]:
    """The sources of a ruleset that a character may play with or without, by slug: those that are open to the person,
    and what is in play already, `besides`."""
    found = open_sources(person, besides).filter(ruleset=ruleset, is_core=False).prefetch_related("requires")
    return {source.slug: source for source in found.order_by("title", "slug")}


def lacking(offered: dict[str, Source], wanted: Collection[str]) -> dict[str, str]:
    """Of the sources that are wanted, those that need another one too, each with the sentence that says so."""
    found = {}
    for slug in sorted(wanted):
        needs = [one.title for one in offered[slug].requires.all() if not one.is_core and one.slug not in wanted]
        if needs:
            found[slug] = f"{offered[slug].title} builds on {listed(needs)}: put both in play, or neither."
    return found
