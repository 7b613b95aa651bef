"""One version of a character: its stored facts, and everything derived from them. A version never changes."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from characters.change import fact_address, fact_store
from characters.models import Character
from rules.compile import bundle_for
from rules.engine import Build, Bundle, Sheet, derive
from rules.games.contract import SheetView, TableView

from .load_build import build_from
from .prose import WORDS, digest_of, prose


@dataclass(frozen=True, eq=False)
class Version:
    """A character's stored facts, with its sheet and its game's views of the sheet, each worked out when first asked
    for.

    The facts of a version are never changed; a draft keeps its changes on top of them.
    """

    facts: fact_store.Facts
    bundle: Bundle
    build: Build
    known: dict[Hashable, Any] = field(default_factory=dict, init=False)  # filled by `once`

    def once[T](self, key: Hashable, make: Callable[[], T]) -> T:
        """A value that depends on this version alone, worked out when first asked for, such as the changes that an
        answer would bring."""
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    @cached_property
    def sheet(self) -> Sheet:
        return derive(self.bundle, self.build)

    @cached_property
    def page(self) -> SheetView:
        return self.bundle.game.page(self.bundle, self.build, self.sheet)

    @cached_property
    def table(self) -> TableView:
        return self.bundle.game.table(self.bundle, self.build, self.sheet)

    @property
    def states(self) -> tuple[str, ...]:
        """The states that the sheet shows apart from its conditions."""
        elsewhere = {row.ref for row in self.table.held}
        return tuple(self.bundle.called(held.ref) for held in self.build.conditions if held.ref not in elsewhere)

    @property
    def in_force(self) -> tuple[str, ...]:
        """All states and conditions, as words."""
        return (*self.states, *(row.text for row in self.table.held))

    @cached_property
    def prose(self) -> dict[str, tuple[dict[str, Any], ...]]:
        parts = fact_address.by_namespace(self.facts)
        return {word: prose(word, parts[word]) for word in WORDS}

    @cached_property
    def spell_digests(self) -> dict[str, str]:
        """By the id of each spell's row, the digest that an edit starts from."""
        return {row: digest_of(value) for row, value in fact_address.by_namespace(self.facts)["spell"].items()}

    @property
    def writes(self) -> bool:
        """True if anything is written about the character."""
        return any(self.prose.values())

    @property
    def invocable(self) -> list[tuple[str, str]]:
        """Address and words of each aspect, and of each relationship to which both players have agreed."""
        aspects = [(one["address"], one["text"]) for one in self.prose["aspect"]]
        agreed = [one for one in self.prose["relationship"] if one["agreed"]]
        return aspects + [(one["address"], f"{one['other']}: {one['text']}") for one in agreed]


def unknown(build: Build, bundle: Bundle) -> set[tuple[str, str]]:
    """Names in the build that its rules do not have, each with its table in `rules.index`."""
    decided = (*build.decisions, *build.plan)
    refs = {one.ref for one in decided} | {one.ref for one in build.items} | {one.ref for one in build.conditions}
    named = {
        "elements": (refs | {one.ref for one in build.awards}) - {""},
        "choices": {one.choice for one in decided},
        "switches": {*build.switches},
        "resources": {*build.spent},
        "circumstances": {*build.toggles},
    }
    return {(table, name) for table, names in named.items() for name in names - getattr(bundle, table).keys()}


def version_number(character: Character) -> str:
    """The number of the character's version, with the moment of its change, which tells two histories apart after a
    backup is restored."""
    return f"{character.version}.{int(character.changed_at.timestamp() * 1_000_000)}"


def read(character: Character) -> Version:
    """The version in the database. The character must not change meanwhile: the caller holds the lock, or checks
    afterwards.

    The rules may be edited meanwhile, and then the rows may have old names. So the rules are read before and after the
    rows, until both are the same.
    """
    bundle = bundle_for(character.ruleset)
    while (version := version_of(character, fact_store.stored(character))).bundle is not bundle:
        bundle = version.bundle
    return version


def version_of(character: Character, facts: fact_store.Facts) -> Version:
    """The character as these facts describe it, by the rules that are in play for it now."""
    build = build_from(facts)
    return Version(facts, rules_of(character, build.sources), build)


def rules_of(character: Character, sources: frozenset[str]) -> Bundle:
    """The rules with the core sources of the character's game, and these."""
    return bundle_for(character.ruleset, sources)
