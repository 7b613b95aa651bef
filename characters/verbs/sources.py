from collections.abc import Iterable

from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.models import Change
from characters.people import Person
from characters.read.open_sources import lacking, optional_sources
from rules.compile import bundle_for
from rules.games.outcome import listed

from .building import rebuild
from .leveling import check_seen


def set_sources(pk: int, person: Person, key: str, *, sources: Iterable[str], saw: str | None = None) -> Change:
    """Play by the core rules and just these sources, by their slugs.

    Choices from a source that is left out stay decided, as problems, and count again when it is back. saw: `seen` of
    the page that showed what would change; raises StalePage if that is no longer so.
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
            check_seen(draft, saw, bundle_for(draft.character.ruleset, now | wanted))
        if now == wanted:
            raise Refused("That is what is in play already.")
        for slug in now ^ wanted:
            draft.put(f"source:{slug}", True if slug in wanted else None)
        parts = [
            f"{listed(offered[slug].title for slug in sorted(slugs))} {'are' if len(slugs) > 1 else 'is'} {what}."
            for slugs, what in ((wanted - now, "in play"), (now - wanted, "left out"))
            if slugs
        ]
        return " ".join(parts)

    return rebuild(pk, person, "set_sources", key, {"sources": sorted(wanted), "saw": saw}, act)
