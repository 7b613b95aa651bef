"""A character plays by the house rules of a table."""

from collections.abc import Collection, Mapping

from characters.actions.action_context import resized
from characters.change.journal import Act, Draft, Refused
from characters.change.text_input import listed
from rules.engine import Build
from rules.games.contract import Game
from rules.games.house_rules import unfit

from .experience import put_experience
from .sources import optional_sources


class NothingToFollow(Refused):
    """The character plays by these already."""


def differing(game: Game, build: Build, switches: Mapping[str, str], sources: Collection[str]) -> bool:
    """True if this character plays by other house rules than these: switches that differ from their defaults, and
    sources besides the core. The rules on how characters begin are left aside."""
    return in_play(game, build.switches) != in_play(game, switches) or build.sources != frozenset(sources)


def in_play(game: Game, switches: Mapping[str, str]) -> dict[str, str]:
    """Those of these house rules that are not about how characters begin."""
    return {key: value for key, value in switches.items() if key not in game.terms}


def following(switches: Mapping[str, str], sources: Collection[str]) -> Act:
    """Play by just these switches and sources, however the character began. NothingToFollow where it does."""

    def act(draft: Draft) -> str:
        bundle, before = draft.bundle, draft.build
        if not differing(bundle.game, before, switches, sources):
            raise NothingToFollow("Those are the house rules already.")
        told, wanted = [], in_play(bundle.game, switches)
        for key in sorted(in_play(bundle.game, before.switches).keys() | wanted.keys()):
            rule, value = bundle.switches.get(key), wanted.get(key)
            if rule is None:
                continue  # of a source that is no longer there
            if value is not None and (why_not := unfit(rule, value)):
                raise Refused(why_not, key)
            if before.switches.get(key) != value:
                draft.put(f"switch:{key}", value)
                told.append(f"“{rule.name}”: {value or rule.default}")
        offered = optional_sources(draft.character.ruleset_id, besides={*before.sources, *sources})
        for slug in sorted((before.sources & offered.keys()) ^ frozenset(sources)):
            if slug not in offered:
                raise Refused("There is no such source of rules.", "source")
            draft.put(f"source:{slug}", True if slug in sources else None)
            told.append(f"{offered[slug].title}, {'in play' if slug in sources else 'left out'}")
        put_experience(draft, bundle.game.levels.under(bundle, before, draft.build.switches))
        return f"House rules of the table: {listed(told)}.{resized(draft)}"

    return act
