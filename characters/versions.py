"""One version of a character, kept in memory: a version never changes, whatever else does.

The page before a change, the verb that makes it and the answer after it all need the same facts and the same numbers;
reading and deriving them is most of what they cost.
"""

from dataclasses import dataclass
from functools import cached_property

from rules.compile import Kept, NoSuchSource, bundle_for
from rules.engine import Build, Bundle, Sheet, derive

from . import rows
from .addresses import name, namespace
from .build import build_from, bundle_of
from .prose import WORDS, mark_of, prose

KEPT = Kept(64)


@dataclass(frozen=True, eq=False)
class Version:
    """What is stored of a character and, asked for once, what it comes to and how its game presents that.

    Nobody changes the facts of a version; a draft lays its own over them.
    """

    facts: rows.Facts
    bundle: Bundle
    build: Build

    @cached_property
    def sheet(self) -> Sheet:
        return derive(self.bundle, self.build)

    @cached_property
    def page(self):
        return self.bundle.game.page(self.bundle, self.build, self.sheet)

    @cached_property
    def table(self):
        return self.bundle.game.table(self.bundle, self.build, self.sheet)

    @cached_property
    def prose(self) -> dict[str, tuple]:
        return {word: prose(self.facts, word) for word in WORDS}

    @cached_property
    def spell_marks(self) -> dict[str, str]:
        """For each spell, by the id of its row, the mark that an edit starts from."""
        return {name(address): mark_of(value) for address, value in self.facts.items() if namespace(address) == "spell"}

    @property
    def writes(self) -> bool:
        """Whether anything is written about the character."""
        return any(self.prose.values())

    @property
    def invocable(self) -> list[tuple[str, str]]:
        """Address and words of each aspect, and of each relationship that both players have agreed to."""
        aspects = [(one["address"], one["text"]) for one in self.prose["aspect"]]
        ties = [tie for tie in self.prose["relationship"] if tie["agreed"]]
        return aspects + [(tie["address"], f"{tie['other']}: {tie['text']}") for tie in ties]


def version_of(character) -> str:
    """What tells this version of a character from every other, also after a backup is put back: number and moment."""
    return f"{character.version}.{int(character.changed_at.timestamp() * 1_000_000)}"


def kept(pk: int, number: str) -> Version | None:
    """This version, if it is still kept; the rules may have changed since."""
    return KEPT.find((pk, number))


def keep(character, version: Version) -> None:
    KEPT.put((character.pk, version_of(character)), version)


def known(character) -> Version | None:
    """The version that the character has, if it is kept and goes by the rules as they are now."""
    version = kept(character.pk, version_of(character))
    try:
        return version if version and bundle_of(character, version.build) is version.bundle else None
    except NoSuchSource:  # it went by one that has another name now, or is gone
        return None


def read(character) -> Version:
    """The version that stands in the database, where no change can come between: under the lock, or from a copy.

    An edit of the rules can: rows and rules are two readings, and the names in the rows may be those before it. So the
    rules are asked for before the rows and after them, until they are the same.
    """
    bundle = bundle_for(character.ruleset)
    while (version := of(character, rows.stored(character))).bundle is not bundle:
        bundle = version.bundle
    return version


def of(character, facts: rows.Facts) -> Version:
    build = build_from(facts)
    return Version(facts, bundle_of(character, build), build)
