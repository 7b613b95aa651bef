"""A draft of a character: the stored facts with a verb's changes on top, until the journal commits it."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from characters.models import Change, Character, RollRecord
from characters.read import version_cache
from characters.read.load_build import build_from
from characters.read.versions import Version, read, rules_of
from rules.engine import Build, Bundle, Sheet
from rules.games import strict_json
from rules.index import index_of

from . import fact_address, fact_store, fact_writer
from .refusals import Refused

MOST_BYTES = strict_json.LARGEST_FILE * 9 // 10  # of all facts; a file is larger, with each on its own line


class Draft:
    """A locked character while a verb changes it: the stored facts by address, with the verb's changes on top."""

    def __init__(self, character: Character, before: Version | None = None) -> None:
        """With `before`, the draft is only tried out: it starts from that version, not from the rows, and writes
        nothing."""
        self.character = character
        self._tried = before is not None
        if before is not None:
            self.before = before
        self._edits: fact_store.Facts = {}
        self._created: fact_store.Facts = {}
        self._version: Version | None = None
        self._bundle: Bundle | None = None
        self.rolls: list[RollRecord] = []  # written to the log with the Change
        self.inverts: Change | None = None  # the change that this one undoes
        self.found: dict[str, Any] = {}  # stored in `Change.what` with the arguments of the verb

    @property
    def facts(self) -> fact_store.Facts:
        """Every fact, with the draft's changes."""
        merged = {**self.stored, **self._created, **self._edits}
        for address, value in self._edits.items():
            if value in (None, []):
                del merged[address]
        for used in self.orphaned_usage:
            merged.pop(used, None)
        return merged

    @property
    def stored(self) -> fact_store.Facts:
        return self.before.facts

    @cached_property
    def before(self) -> Version:
        """The character before the draft changed anything."""
        return version_cache.current(self.character) or read(self.character)

    @property
    def orphaned_usage(self) -> list[str]:
        """The addresses of the uses of deleted items: they are deleted with the items, and an undo brings both back."""
        items = [address for address, value in self._edits.items() if not value and address.startswith("item:")]
        return [used for item in items if (used := f"used:{fact_address.name(item)}") in self.stored]

    @property
    def touched(self) -> set[str]:
        """The namespaces of the facts that the draft has set or created."""
        return {fact_address.namespace(address) for address in (*self._edits, *self._created)}

    @property
    def version(self) -> Version:
        """The character as it would be with the draft written: the same object until the draft changes again."""
        if self._version is None:
            self._version = Version(self.facts, self.bundle, build_from(self.facts)) if self.touched else self.before
        return self._version

    @property
    def bundle(self) -> Bundle:
        """The rules bundle by the draft's sources: the same object until one of them changes."""
        if self._bundle is None:
            moved = "source" in self.touched
            self._bundle = rules_of(self.character, build_from(self.facts).sources) if moved else self.before.bundle
        return self._bundle

    @property
    def build(self) -> Build:
        """The Build as it would be with the draft written: the stored one until the draft changes something."""
        return self.version.build

    @property
    def sheet(self) -> Sheet:
        """The sheet as it would be with the draft written: the same object until the draft changes again."""
        return self.version.sheet

    def read(self, address: str) -> Any:
        """The fact at `address`; None (0 for numbers) when there is none."""
        for facts in (self._edits, self._created, self.stored):
            if address in facts:
                return facts[address]
        return fact_address.absent(address)

    def put(self, address: str, value: Any) -> None:
        """Set a fact; None removes it. A value that it has already leaves the version as it is."""
        if value == self.read(address):
            return
        self._version = None
        if fact_address.namespace(address) == "source":
            self._bundle = None
        self._edits[address] = fact_address.as_stored(address, value)

    def add(self, address: str, amount: int) -> None:
        """Move a number by an amount."""
        self.put(address, self.read(address) + amount)

    def check_moved(self, field: str) -> None:
        """Raise Refused, at `field`, if the draft changes nothing: the history would have nothing to tell."""
        was = {address: self.stored.get(address, fact_address.absent(address)) for address in self._edits}
        if was == self._edits:
            raise Refused("That is so already.", field)

    def check_room(self) -> None:
        """Raise Refused if the facts have grown too large for a character file, which could then not be read again."""
        if size_of(self.facts) > max(MOST_BYTES, size_of(self.stored)):
            raise Refused("This sheet is full. Delete or shorten a text first.")

    def create(self, word: str, values: list[dict[str, Any]]) -> list[str]:
        """Add rows whose id the database gives (`fact_address.ROWS`); returns their addresses."""
        if self._tried:  # no row has a negative id
            made = {f"{word}:{-1 - len(self._created) - n}": value for n, value in enumerate(values)}
        else:
            made = fact_writer.create(self.character, word, values, index_of(self.bundle))
        self._version = None
        self._created |= made
        return list(made)

    def append(self, word: str, value: Mapping[str, Any]) -> str:
        """Add a row after the others of its namespace; returns its address."""
        position = 1 + max((one["position"] for one in self.all_of(word).values()), default=-1)
        return self.create(word, [{**value, "position": position}])[0]

    def all_of(self, namespace: str) -> fact_store.Facts:
        """Every fact of one namespace, with the draft's changes."""
        return {address: value for address, value in self.facts.items() if fact_address.namespace(address) == namespace}

    def commit(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Write the facts that changed. Returns them before and after, by address, and the columns of the character
        itself, which the caller updates. Raises Refused if a number leaves its range."""
        before = {address: self.stored.get(address, fact_address.absent(address)) for address in self._edits}
        moved = {address: value for address, value in self._edits.items() if before[address] != value}
        for address, value in moved.items():  # verbs and games check before, and name the field
            most = fact_address.highest(address)
            if fact_address.is_number(address) and not 0 <= value <= most:
                raise Refused(f"That would take a number on this sheet out of its range, 0 to {most:,}.")
        for used in self.orphaned_usage:
            before[used], moved[used] = self.stored[used], 0
        columns = fact_writer.write(self.character, moved, self.stored, index_of(self.bundle))
        before = {address: before.get(address) for address in (*self._created, *moved)}
        return before, {**self._created, **moved}, columns


def size_of(facts: fact_store.Facts) -> int:
    """The size of these facts as text, in bytes."""
    return len(json.dumps(facts, ensure_ascii=False).encode())
