"""One box that finds anything by its name or its text and forgives typing errors, alike on every database.

The index is made from the library and kept per process until a revision moves. Every word of the query must be
found; names come before texts, exact before prefix before near.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from django.utils.html import escape
from django.utils.safestring import SafeString
from rapidfuzz import process
from rapidfuzz.distance import OSA

from rules.compile import LRU
from rules.library import Library, kind_badge, libraries
from rules.markdown import plain
from rules.models import Element
from rules.models.vocabulary import Status

LONGEST_QUERY = 100
MOST_WORDS = 8
MOST_RESULTS = 40
SNIPPET = 160
WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W_]+)*")

EXACT, PREFIX, NEAR = 1.0, 0.8, 0.6
_kept = LRU(16)


@dataclass(frozen=True)
class Entry:
    """Something that can be found, and where it is read."""

    name: str
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
class Search:
    """A query, cut and cleaned, and its results."""

    query: str
    results: tuple[Result, ...] = ()
    total: int = 0


def find(query: str) -> Search:
    """The best results for `query`, at most MOST_RESULTS; whatever stands in it, this answers."""
    query = "".join(letter for letter in query[:LONGEST_QUERY] if unicodedata.category(letter)[0] != "C").strip()
    wanted = words_of(query)[:MOST_WORDS]
    if not wanted:
        return Search(query)
    found = []
    for library in libraries():
        index = _kept.get((library.ruleset.pk, library.bundle.revision), lambda library=library: Index(library))
        found += index.find(wanted)
    found.sort(key=lambda hit: hit[0])
    results = tuple(_result(entry, matched) for _, entry, matched in found[:MOST_RESULTS])
    return Search(query, results, len(found))


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
        self.name_words, self.text_words = sorted(self.in_names), sorted(self.in_texts)
        self.joined = [entry.joined for entry in self.entries]

    def find(self, wanted: list[str]) -> list[tuple[tuple, Entry, set[str]]]:
        """(rank, entry, the words of the entry that matched) of all hits, not sorted; a smaller rank is better."""
        by_word = [self._hits(word) for word in wanted]
        whole = "".join(wanted)
        found = {}
        for number in set.intersection(*map(set, by_word)):
            hits = [hits[number] for hits in by_word]
            score = sum(hit.score for hit in hits) / len(hits)
            found[number] = Hit(score, all(hit.in_name for hit in hits), set().union(*(hit.words for hit in hits)))
        for number, distance in self._near_names(whole):
            if number not in found or not found[number].in_name:
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
        """The entries that have the word, or one near it, in their name or else their text."""
        hits: dict[int, Hit] = {}
        for in_name, places, vocabulary in (
            (True, self.in_names, self.name_words),
            (False, self.in_texts, self.text_words),
        ):
            for own, score in _matches(word, vocabulary).items():
                for number in places[own]:
                    hit = hits.setdefault(number, Hit(score, in_name, set()))
                    hit.words.add(own)
                    if hit.in_name == in_name:
                        hit.score = max(hit.score, score)
        return hits

    def _near_names(self, whole: str) -> list[tuple[int, int]]:
        """Entries whose whole name is near the whole query, spaces aside: (number, distance)."""
        allowed = _errors_allowed(whole)
        if not allowed:
            return []
        found = process.extract(
            whole, self.joined, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=MOST_RESULTS
        )
        return [(number, int(distance)) for _, distance, number in found]


def _errors_allowed(word: str) -> int:
    """The number of letters that may be wrong, missing, too many or swapped."""
    return 0 if len(word) < 4 else 1 if len(word) < 6 else 2


def _matches(word: str, vocabulary: list[str]) -> dict[str, float]:
    """The words of a sorted vocabulary that `word` stands for, with a score."""
    start = bisect_left(vocabulary, word)
    found = {
        own: EXACT if own == word else PREFIX for own in takewhile(lambda own: own.startswith(word), vocabulary[start:])
    }
    if not found and (allowed := _errors_allowed(word)):
        near = process.extract(
            word, vocabulary, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=MOST_RESULTS
        )
        found |= {own: NEAR - distance / 10 for own, distance, _ in near}
    return found


def _entries(library: Library):
    texts = {
        f"{kind}:{slug}": plain(text)
        for kind, slug, text in Element.objects.filter(ruleset=library.ruleset.pk)
        .exclude(status=Status.DRAFT)
        .values_list("kind", "slug", "text")
    }
    for element in library.bundle.elements.values():
        url, retired = library.url(element.ref), element.status == Status.RETIRED
        text = " ".join(part for part in (element.summary, texts.get(element.ref, "")) if part)
        yield _entry(element.name, kind_badge(element.kind), url, text, retired)
        for action in element.actions:
            if fold(action.name) != fold(element.name):
                yield _entry(action.name, "action", f"{url}#action-{action.slug}", plain(action.text), retired)


def _entry(name, badge, url, text, retired):
    words = tuple(words_of(name))
    return Entry(name, badge, url, text, retired, "".join(words), words)


def _result(entry: Entry, matched: set[str]) -> Result:
    return Result(entry, _marked(entry.name, matched), _snippet(entry.text, matched))


def _snippet(text: str, matched: set[str]) -> SafeString:
    """The part of the text round the first word that matched, or its beginning."""
    first = next((word.start() for word in WORD.finditer(text) if fold(word[0]) in matched), 0)
    start = 0 if first < SNIPPET // 2 else text.rfind(" ", 0, first - SNIPPET // 3) + 1
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
