"""Several characters at once: thirty take no more queries than three."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from characters.change.fact_store import stored_of_many
from characters.models import Change, Character
from rules.compile import bundle_for
from rules.engine import Bundle
from rules.models import HouseRules

from . import version_cache
from .load_build import build_from
from .versions import Version, version_number


def versions_of(characters: Iterable[Character]) -> dict[int, Version]:
    """The current version of each character, by its id; their rulesets must have been loaded with them.

    If a character changes after its row was read and before its facts are, its version has the new facts and is not put
    into the cache.
    """
    characters, found_once = list(characters), cache(bundle_for)

    def rules(character: Character, sources: frozenset[str]) -> Bundle:
        return found_once(character.ruleset, sources)

    found: dict[int, Version] = {
        one.pk: version for one in characters if (version := version_cache.current(one, rules))
    }
    unread = [one for one in characters if one.pk not in found]
    if unread:
        sources = _sources_of(unread)
        for one in unread:  # before the facts: if a name is edited in between, the next reader gets the new one
            rules(one, sources[one.house_rules_id])
        facts = stored_of_many(unread)
        numbers = {one.pk: version_number(one) for one in Character.objects.filter(pk__in=facts)}
        for one in unread:
            build = build_from(facts[one.pk])
            found[one.pk] = Version(facts[one.pk], rules(one, build.sources), build)
            if numbers.get(one.pk) == version_number(one) and build.sources == sources[one.house_rules_id]:
                version_cache.put(one, found[one.pk])
    return found


def _sources_of(characters: Iterable[Character]) -> dict[int | None, frozenset[str]]:
    """The optional sources of these characters, by the id of their house rules."""
    found = defaultdict[int | None, frozenset[str]](frozenset)
    named = {one.house_rules_id for one in characters if one.house_rules_id}
    rows = HouseRules.sources.through.objects.filter(houserules__in=named)
    for house_rules, source in rows.values_list("houserules", "source__slug"):
        found[house_rules] |= {source}
    return found


def newest_changes(characters: Iterable[Character]) -> dict[int, Change]:
    """The newest change of each character, by the character's id."""
    numbers = {one.pk: one.version for one in characters}
    changes = Change.objects.filter(character__in=numbers, sequence__in=set(numbers.values())).select_related("actor")
    changes = changes.defer("before", "after", "what", "key", "fingerprint")
    return {one.character_id: one for one in changes if one.sequence == numbers[one.character_id]}
