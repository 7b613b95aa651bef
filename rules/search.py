"""One box that finds anything by its name or its text and forgives typing errors, alike on every database. The results
can be narrowed to a kind and to a source; without words in the box, they are everything of them.

The index is made from the library and kept per process until a revision moves. Every word of the query must be
found; names come before texts, exact before prefix before ending before near.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from django.utils.html import escape
from django.utils.safestring import SafeString
from rapidfuzz import process
from rapidfuzz.distance import OSA

from rules.compile import LRU
from rules.library import SHELVES, Library, kind_badge, kind_title, libraries
from rules.markdown import plain
from rules.models.vocabulary import Status
from rules.number_text import number_in

LONGEST_QUERY = 100
MOST_WORDS = 8
SHORTEST_END = 4  # letters
MOST_RESULTS = 40
SNIPPET = 160
WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W_]+)*")

ACTION = "action"  # the kind of what an element lets you do
KINDS = {**{kind: kind_title(kind) for shelf in SHELVES for kind in shelf.kinds}, ACTION: "Actions"}
EXACT, PREFIX, ENDING, NEAR = 1.0, 0.8, 0.7, 0.6
_kept = LRU(256)  # of what is everyone's, and of homebrew, which is small


type Facets = tuple[Callable[["Entry"], str], Mapping[str, str]]
"""The value of an entry by which it is narrowed, and the titles of the values that there are."""


@dataclass(frozen=True)
class Entry:
    """Something that can be found, and where it is read."""

    ref: str
    name: str
    kind: str
    source: str
    badge: str
    url: str
    text: str
    retired: bool
    joined: str  # the name in search form, without spaces
    words: tuple[str, ...]  # of the name


@dataclass
class Hit:
    """A score of an entry for a word or the whole query, and the words of its own that matched."""

    score: float
    in_name: bool
    words: set[str]


@dataclass(frozen=True)
class Result:
    entry: Entry
    name: SafeString
    snippet: SafeString


@dataclass(frozen=True)
class Facet:
    """A kind or a source that what was found can be narrowed to, and how many would be left."""

    value: str
    title: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Search:
    """A query, cut and cleaned, what it is narrowed to, and a page of its results."""

    query: str
    kind: str = ""
    source: str = ""
    state: str = ""
    results: tuple[Result, ...] = ()
    total: int = 0
    page: int = 1
    kinds: list[tuple[str, list[Facet]]] = field(default_factory=list)  # under the titles of their shelves
    sources: list[Facet] = field(default_factory=list)
    states: list[Facet] = field(default_factory=list)  # where the entries have some: see `find`

    @property
    def asked(self) -> bool:
        """True if anything was asked for; else there is nothing to list."""
        return bool(words_of(self.query) or self.kind or self.source or self.states)

    @property
    def first(self) -> int:
        return (self.page - 1) * MOST_RESULTS + 1

    @property
    def last(self) -> int:
        return self.first + len(self.results) - 1

    @property
    def address(self) -> str:
        """The parameters that ask the same, the page left out; each only where it says something."""
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
    """A page of the results for `query` among those of a kind and a source; whatever stands in them, this answers. A
    kind, source, state or page that there is not counts as not asked for.

    With `states` (by ref) only those elements are found, and they can be narrowed to a state; `titles` says what each
    is called. `books` are the libraries to look in, where not in all that are everyone's.
    """
    query = "".join(letter for letter in query[:LONGEST_QUERY] if unicodedata.category(letter)[0] != "C").strip()
    books = libraries() if books is None else books
    hits = _all(books, words_of(query)[:MOST_WORDS])
    if states is not None:
        hits = [hit for hit in hits if hit[0].ref in states and hit[0].kind != ACTION]
    facets: dict[str, Facets] = {
        "kind": (lambda entry: entry.kind, KINDS),
        "source": (lambda entry: entry.source, _sources(books)),
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
        results=tuple(_result(*hit) for hit in found[(page - 1) * MOST_RESULTS : page * MOST_RESULTS]),
        total=len(found),
        page=page,
        kinds=_kinds(narrowed.counts("kind"), chosen.get("kind", "")),
        sources=narrowed.offered("source"),
        states=narrowed.offered("state"),
    )


@dataclass(frozen=True)
class Narrowed:
    """Hits, and what is chosen of each of their facets."""

    hits: list[tuple[Entry, set[str]]]
    facets: Mapping[str, Facets]
    chosen: Mapping[str, str]

    def left(self, besides: str = "") -> list[tuple[Entry, set[str]]]:
        """The hits by all that is chosen, `besides` left out."""
        asks = [(self.facets[name][0], value) for name, value in self.chosen.items() if name != besides]
        return [hit for hit in self.hits if all(of(hit[0]) == value for of, value in asks)]

    def counts(self, name: str) -> Counter[str]:
        """The number that each choice of this facet would leave."""
        of, _ = self.facets[name]
        return Counter(of(entry) for entry, _ in self.left(besides=name))

    def offered(self, name: str) -> list[Facet]:
        _, titles = self.facets[name]
        return _facets(titles, self.counts(name), self.chosen.get(name, ""))


def _all(books: Sequence[Library], wanted: list[str]) -> list[tuple[Entry, set[str]]]:
    """The entries that have the words wanted, the best first, with the words that matched; all where none is."""
    indexes = [_kept.get((book.ruleset.pk, book.bundle.revision), lambda book=book: Index(book)) for book in books]
    if not wanted:
        return [(entry, set()) for index in indexes for entry in index.entries]
    found = sorted((hit for index in indexes for hit in index.find(wanted)), key=lambda hit: hit[0])
    return [(entry, matched) for _, entry, matched in found]


def _sources(books: Sequence[Library]) -> dict[str, str]:
    return {slug: source.title for book in books for slug, source in book.sources.items()}


def _kinds(counts: Counter[str], chosen: str) -> list[tuple[str, list[Facet]]]:
    shelves = [*((shelf.title, shelf.kinds) for shelf in SHELVES), ("At the table", (ACTION,))]
    facets = [(title, _facets({kind: KINDS[kind] for kind in kinds}, counts, chosen)) for title, kinds in shelves]
    return [(title, found) for title, found in facets if found]


def _facets(titles: Mapping[str, str], counts: Counter[str], chosen: str) -> list[Facet]:
    """Those that something would be left of, and the one that is chosen."""
    return [
        Facet(value, title, counts[value], value == chosen)
        for value, title in titles.items()
        if counts[value] or value == chosen
    ]


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Text as the search compares it: lower case, without accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter) and letter not in "'\u2019")


def words_of(text: str) -> list[str]:
    return [fold(word) for word in WORD.findall(text)]


class Index:
    """The words of every entry of one library."""

    def __init__(self, library: Library):
        self.entries = list(_entries(library))
        self.in_names: dict[str, set[int]] = defaultdict(set)
        self.in_texts: dict[str, set[int]] = defaultdict(set)
        for number, entry in enumerate(self.entries):
            for word in entry.words:
                self.in_names[word].add(number)
            for word in words_of(entry.text):
                self.in_texts[word].add(number)
        self.name_words, self.text_words = Vocabulary(self.in_names), Vocabulary(self.in_texts)
        self.joined: dict[str, list[int]] = defaultdict(list)
        for number, entry in enumerate(self.entries):
            self.joined[entry.joined].append(number)
        self.joined_names = Vocabulary(self.joined)

    def find(self, wanted: list[str]) -> list[tuple[tuple, Entry, set[str]]]:
        """(rank, entry, the words of the entry that matched) of all hits, not sorted; a smaller rank is better."""
        by_word = [self._hits(word) for word in wanted]
        whole = "".join(wanted)
        found = {}
        for number in set.intersection(*map(set, by_word)):
            hits = [hits[number] for hits in by_word]
            score = sum(hit.score for hit in hits) / len(hits)
            found[number] = Hit(score, all(hit.in_name for hit in hits), set().union(*(hit.words for hit in hits)))
        if not any(hit.in_name for hit in found.values()):
            for number, distance in self._near_names(whole):
                found[number] = Hit(EXACT - distance / 10, True, set(self.entries[number].words))
        return [
            (self._rank(whole, self.entries[number], hit), self.entries[number], hit.words)
            for number, hit in found.items()
        ]

    def _rank(self, whole: str, entry: Entry, hit: Hit) -> tuple:
        tier = 2 if hit.in_name else 3
        if entry.joined.startswith(whole):
            tier = 0 if entry.joined == whole else 1
        return (tier, entry.retired, -round(hit.score, 3), len(entry.words), entry.name, entry.badge, entry.url)

    def _hits(self, word: str) -> dict[int, Hit]:
        """The entries that have the word, or one near it, in their name or else their text.

        Texts are looked through for the words of names that are near, and for others where there are no such names.
        """
        hits: dict[int, Hit] = {}
        named = self.name_words.ended_by(word) | self.name_words.begun_by(word) or self.name_words.meant_by(word)
        told = self.text_words.begun_by(word)
        told = told or {own: named[own] for own in named if own in self.in_texts} or self.text_words.meant_by(word)
        for in_name, places, found in ((True, self.in_names, named), (False, self.in_texts, told)):
            for own, score in found.items():
                for number in places[own]:
                    hit = hits.setdefault(number, Hit(score, in_name, set()))
                    hit.words.add(own)
                    if hit.in_name == in_name:
                        hit.score = max(hit.score, score)
        return hits

    def _near_names(self, whole: str) -> list[tuple[int, int]]:
        """Entries whose whole name is near the whole query, spaces aside: (number, distance).

        All names are looked at, so it is asked only where none has each of the words.
        """
        near = self.joined_names.near(whole)
        return [(number, distance) for name, distance in near.items() for number in self.joined[name]]


class Vocabulary:
    """Words to be found by their beginning, their end, or by what somebody has typed for them."""

    def __init__(self, words: Iterable[str]):
        self.words = sorted(words)
        self.alike: dict[tuple[int, str, str], list[str]] = defaultdict(list)
        for word in self.words:
            for end in ends(word):
                self.alike[len(word), *end].append(word)

    def begun_by(self, word: str) -> dict[str, float]:
        """The words that begin with it, with a score."""
        start = bisect_left(self.words, word)
        onward = (self.words[at] for at in range(start, len(self.words)))
        return {own: EXACT if own == word else PREFIX for own in takewhile(lambda own: own.startswith(word), onward)}

    def ended_by(self, word: str) -> dict[str, float]:
        """The words that end with it, with a score. A shorter one is the end of too many."""
        return {own: ENDING for own in self.words if own.endswith(word)} if len(word) >= SHORTEST_END else {}

    def meant_by(self, word: str) -> dict[str, float]:
        """The words that are near it, with a score."""
        return {own: NEAR - distance / 10 for own, distance in self.near(word).items()}

    def near(self, word: str) -> dict[str, int]:
        """The words with few errors, and how many. Those of quite another length are not looked at, nor those that
        begin and end otherwise: hardly anybody errs in both."""
        allowed = _errors_allowed(word)
        found: dict[str, int] = {}
        for end in ends(word) if allowed else ():
            lengths = range(len(word) - allowed, len(word) + allowed + 1)
            alike = [own for length in lengths for own in self.alike.get((length, *end), ())]
            hits = process.extract(
                word, alike, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=MOST_RESULTS
            )
            found |= {own: int(distance) for own, distance, _ in hits}
        return found


def ends(word: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Its first letter, and its last one, told apart by where they stand."""
    return (word[:1], ""), ("", word[-1:])


def _errors_allowed(word: str) -> int:
    """The number of letters that may be wrong, missing, too many or swapped."""
    return 0 if len(word) < 4 else 1 if len(word) < 6 else 2


def _entries(library: Library):
    places = {kind: place for place, kind in enumerate(kind for shelf in SHELVES for kind in shelf.kinds)}
    for element in sorted(library.bundle.elements.values(), key=lambda one: (places[one.kind], one.sort, one.name)):
        url = library.url(element.ref)
        text = " ".join(part for part in (element.summary, plain(element.text)) if part)
        yield _entry(element, element.name, element.kind, url, text)
        for action in element.actions:
            if fold(action.name) != fold(element.name):
                yield _entry(element, action.name, ACTION, f"{url}#action-{action.slug}", plain(action.text))


def _entry(element, name, kind, url, text):
    words = tuple(words_of(name))
    retired = element.status == Status.RETIRED
    return Entry(element.ref, name, kind, element.source, kind_badge(kind), url, text, retired, "".join(words), words)


def _result(entry: Entry, matched: set[str]) -> Result:
    return Result(entry, _marked(entry.name, matched), _snippet(entry.text, matched))


def _snippet(text: str, matched: set[str]) -> SafeString:
    """All of a short text; of a longer one the part round the first word that matched, or its beginning."""
    first = next((word.start() for word in WORD.finditer(text) if fold(word[0]) in matched), 0)
    start = 0 if first < SNIPPET // 2 or len(text) <= SNIPPET else text.rfind(" ", 0, first - SNIPPET // 3) + 1
    end = len(text) if len(text) - start <= SNIPPET else text.rfind(" ", start, start + SNIPPET)
    end = end if end > start else start + SNIPPET
    dots = "\N{HORIZONTAL ELLIPSIS}"
    return _marked(f"{dots if start else ''}{text[start:end]}{dots if end < len(text) else ''}", matched)


def _marked(text: str, matched: set[str]) -> SafeString:
    """The text escaped, with the words that matched in <mark>."""
    parts, done = [], 0
    for word in WORD.finditer(text):
        if fold(word[0]) in matched:
            parts += [escape(text[done : word.start()]), "<mark>", escape(word[0]), "</mark>"]
            done = word.end()
    return SafeString("".join([*parts, escape(text[done:])]))
