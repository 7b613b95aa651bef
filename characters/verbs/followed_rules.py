"""Makes a character play by the house rules of a table."""

from collections.abc import Collection, Mapping

from characters.actions.action_context import resized
from characters.change.draft import Draft
from characters.change.journal import Act
from characters.change.refusals import Refused
from characters.read.open_sources import lacking, optional_sources
from rules.engine import Build, Bundle
from rules.engine.content import Switch
from rules.engine.phrases import setting_words
from rules.games.contract import Game
from rules.games.house_rules import unfit
from rules.games.outcome import listed

from .experience import put_experience


class NothingToFollow(Refused):
    """The character already plays by these house rules."""


def differing(bundle: Bundle, build: Build, switches: Mapping[str, str], sources: Collection[str]) -> bool:
    """True if this character plays by other house rules: other optional sources, or other values of switches. Rules on
    how characters begin are left out. `bundle` is the rules bundle of the character; `switches` holds the values that
    are not the default."""
    moved = moved_switches(bundle.game, bundle.switches, build, switches)
    return bool(moved) or build.sources - bundle.core != frozenset(sources) - bundle.core


def moved_switches(game: Game, known: Mapping[str, Switch], build: Build, switches: Mapping[str, str]) -> list[Switch]:
    """The known house rules whose value differs between this character and `switches`, in the order of their keys."""
    keys = ({*build.switches, *switches} & known.keys()) - {*game.terms}
    return [known[key] for key in sorted(keys) if build.switches.get(key) != switches.get(key)]


def following(switches: Mapping[str, str], sources: Collection[str]) -> Act:
    """An Act that makes a character play by exactly these switches and sources; rules on how characters begin do not
    count. Raises NothingToFollow if it already does.

    Raises Refused if a source builds on one that the table has not put in play; the source may have begun to do so
    since the table chose it.
    """

    def act(draft: Draft) -> str:
        bundle, before = draft.before.bundle, draft.before.build
        if not differing(bundle, before, switches, sources):
            raise NothingToFollow("Those are the house rules already.")
        offered = optional_sources(draft.character.ruleset_id, besides={*before.sources, *sources})
        changed = sorted((before.sources & offered.keys()) ^ (frozenset(sources) - bundle.core))
        if not offered.keys() >= set(changed):
            raise Refused("There is no such source of rules.", "source")
        for slug, sentence in lacking(offered, offered.keys() & sources).items() if changed else ():
            raise Refused(sentence, slug)
        for slug in changed:
            draft.put(f"source:{slug}", True if slug in sources else None)
        parts = []
        known = {**bundle.switches, **draft.bundle.switches}  # also those of sources that are about to be left out
        for rule in moved_switches(bundle.game, known, before, switches):
            value = switches.get(rule.key)
            if value is not None and (why_not := unfit(rule, value)):
                raise Refused(why_not, rule.key)
            draft.put(f"switch:{rule.key}", value)
            parts.append(f"“{rule.name}” is {setting_words(rule, value or rule.default)}")
        parts += [f"{offered[slug].title} is {'in play' if slug in sources else 'left out'}" for slug in changed]
        put_experience(draft, bundle.game.levels.under(draft.bundle, before, draft.build.switches))
        return f"By the house rules of the table, {listed(parts) or 'nothing changes'}.{resized(draft)}"

    return act
