"""A search that finds anything by its name or text and forgives typos, the same on every database. Its results can be
narrowed to a kind and a source; without words, it finds everything in these.

The index (`search_index.py`) is made from the library and kept per process until a revision changes.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.utils.html import escape
from django.utils.safestring import SafeString

from rules.library import SHELVES, Library, kind_title, libraries
from rules.lru import LRU
from rules.number_text import number_in
from rules.search_index import ACTION, WORD, SearchEntry, SearchIndex, fold, words_of

LONGEST_QUERY = 100
MOST_WORDS = 8
MOST_RESULTS = 40
SNIPPET = 160

_kept = LRU["SearchIndex"](256)  # for the public libraries, and for homebrew, whose indexes are small


type Facets = tuple[Callable[[SearchEntry], str], Mapping[str, str]]
"""A function for an entry's value, by which results are narrowed, and value -> title."""


@dataclass(frozen=True)
class Result:
    """An entry that was found. source: the title of its source, if there is more than one game."""

    entry: SearchEntry
    name: SafeString
    snippet: SafeString
    source: str


@dataclass(frozen=True)
class Facet:
    """A kind or source that the results can be narrowed to, with the number of results left."""

    value: str
    title: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Search:
    """A cleaned query, its filters, and one page of its results."""

    query: str
    kind: str = ""
    source: str = ""
    state: str = ""
    results: tuple[Result, ...] = ()
    total: int = 0
    page: int = 1
    kinds: list[tuple[str, list[Facet]]] = field(default_factory=list)  # under the titles of their shelves
    sources: list[Facet] = field(default_factory=list)
    states: list[Facet] = field(default_factory=list)  # if the entries have states: see `find`

    @property
    def asked(self) -> bool:
        """True if anything was asked for; otherwise nothing is listed."""
        return bool(words_of(self.query) or self.kind or self.source or self.states)

    @property
    def first(self) -> int:
        return (self.page - 1) * MOST_RESULTS + 1

    @property
    def last(self) -> int:
        return self.first + len(self.results) - 1

    @property
    def address(self) -> str:
        """The parameters of this search, without the page and without empty ones."""
        said = {"q": self.query, "kind": self.kind, "source": self.source, "state": self.state}
        return urlencode({key: value for key, value in said.items() if value})

    @property
    def before(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def after(self) -> int | None:
        return self.page + 1 if self.last < self.total else None


def asked(values: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `find` as the box sends them."""
    return {
        "query": values.get("q", ""),
        "kind": values.get("kind", ""),
        "source": values.get("source", ""),
        "state": values.get("state", ""),
        "page": number_in(values.get("page"), 99_999) or 1,
    }


def find(
    query: str,
    kind: str = "",
    source: str = "",
    state: str = "",
    page: int = 1,
    *,
    books: Sequence[Library] | None = None,
    states: Mapping[str, str] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Search:
    """One page of the results for `query`, narrowed to a kind and a source. Never raises: an unknown kind, source,
    state or page counts as not given.

    states: ref -> state; only these elements are found, and can be narrowed to a state. titles: the names of states.
    books: the libraries to search, by default the public ones.
    """
    query = "".join(letter for letter in query[:LONGEST_QUERY] if unicodedata.category(letter)[0] != "C").strip()
    books = libraries() if books is None else books
    hits = _all(books, words_of(query)[:MOST_WORDS])
    if states is not None:
        hits = [hit for hit in hits if hit[0].ref in states and hit[0].kind != ACTION]
    sources, kinds = _sources(books), _kind_titles(books)
    facets: dict[str, Facets] = {
        "kind": (lambda entry: entry.kind, kinds),
        "source": (lambda entry: entry.source, sources),
        "state": (lambda entry: states[entry.ref] if states else "", titles or {}),
    }
    wanted = {"kind": kind, "source": source, "state": state}
    chosen = {name: value for name, value in wanted.items() if value and value in facets[name][1]}
    narrowed = Narrowed(hits, facets, chosen)
    found = narrowed.left()
    page = page if 1 < page <= -(-len(found) // MOST_RESULTS) else 1
    return Search(
        query,
        **chosen,
        results=tuple(
            _result(*hit, sources if len(books) > 1 else {})
            for hit in found[(page - 1) * MOST_RESULTS : page * MOST_RESULTS]
        ),
        total=len(found),
        page=page,
        kinds=_kinds(kinds, narrowed.counts("kind"), chosen.get("kind", "")),
        sources=narrowed.offered("source"),
        states=narrowed.offered("state"),
    )


@dataclass(frozen=True)
class Narrowed:
    """The hits, and the value chosen in each facet."""

    hits: list[tuple[SearchEntry, set[str]]]
    facets: Mapping[str, Facets]
    chosen: Mapping[str, str]

    def left(self, besides: str = "") -> list[tuple[SearchEntry, set[str]]]:
        """The hits that fit all chosen values, except that of the facet `besides`."""
        asks = [(self.facets[name][0], value) for name, value in self.chosen.items() if name != besides]
        return [hit for hit in self.hits if all(of(hit[0]) == value for of, value in asks)]

    def counts(self, name: str) -> Counter[str]:
        """For each value of this facet, the number of hits it would leave."""
        of, _ = self.facets[name]
        return Counter(of(entry) for entry, _ in self.left(besides=name))

    def offered(self, name: str) -> list[Facet]:
        _, titles = self.facets[name]
        return _facets(titles, self.counts(name), self.chosen.get(name, ""))


def _all(books: Sequence[Library], wanted: list[str]) -> list[tuple[SearchEntry, set[str]]]:
    """The entries that match the words, best first, each with its words that matched; all entries if there are no
    words."""
    indexes = [_kept.get((book.ruleset.pk, book.bundle.revision), partial(SearchIndex, book)) for book in books]
    if not wanted:
        return [(entry, set()) for index in indexes for entry in index.entries]
    found = sorted((hit for index in indexes for hit in index.find(wanted)), key=lambda hit: hit[0])
    return [(entry, matched) for _, entry, matched in found]


def _sources(books: Sequence[Library]) -> dict[str, str]:
    return {book.source_key(slug): source.title for book in books for slug, source in book.sources.items()}


def _kind_titles(books: Sequence[Library]) -> dict[str, str]:
    """The title of each kind in the games with entries of it: `Tricks, Talents` if two games differ."""
    titles = {}
    for kind in chain.from_iterable(SHELVES.values()):
        having = [book.bundle.kinds for book in books if book.bundle.of_kind(kind)]
        titles[kind] = ", ".join(dict.fromkeys(kind_title(kind, kinds) for kinds in having or [{}]))
    return {**titles, ACTION: "Actions"}


def _kinds(titles: Mapping[str, str], counts: Counter[str], chosen: str) -> list[tuple[str, list[Facet]]]:
    shelves = SHELVES | {"At the table": (ACTION,)}
    facets = [
        (title, _facets({kind: titles[kind] for kind in kinds}, counts, chosen)) for title, kinds in shelves.items()
    ]
    return [(title, found) for title, found in facets if found]


def _facets(titles: Mapping[str, str], counts: Counter[str], chosen: str) -> list[Facet]:
    """The values that would leave something, and the chosen one."""
    return [
        Facet(value, title, counts[value], value == chosen)
        for value, title in titles.items()
        if counts[value] or value == chosen
    ]


def _result(entry: SearchEntry, matched: set[str], sources: Mapping[str, str]) -> Result:
    snippet = _snippet(entry.text, matched)
    return Result(entry, _marked(entry.name, matched), snippet, sources.get(entry.source, ""))


def _snippet(text: str, matched: set[str]) -> SafeString:
    """A short text in full; of a longer one, the part around the first matching word, or else the beginning."""
    first = next((word.start() for word in WORD.finditer(text) if fold(word[0]) in matched), 0)
    start = 0 if first < SNIPPET // 2 or len(text) <= SNIPPET else text.rfind(" ", 0, first - SNIPPET // 3) + 1
    end = len(text) if len(text) - start <= SNIPPET else text.rfind(" ", start, start + SNIPPET)
    end = end if end > start else start + SNIPPET
    dots = "\N{HORIZONTAL ELLIPSIS}"
    return _marked(f"{dots if start else ''}{text[start:end]}{dots if end < len(text) else ''}", matched)


def _marked(text: str, matched: set[str]) -> SafeString:
    """The escaped text, with the words that matched in <mark>."""
    parts, done = [], 0
    for word in WORD.finditer(text):
        if fold(word[0]) in matched:
            parts += [escape(text[done : word.start()]), "<mark>", escape(word[0]), "</mark>"]
            done = word.end()
    return SafeString("".join([*parts, escape(text[done:])]))
