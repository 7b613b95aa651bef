"""The words of everything that can be found, and how close each is to a typed word.

Every word of a query must be found. Names rank above texts; exact matches rank above prefixes, then endings, then near
misses.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, takewhile

from rapidfuzz import process
from rapidfuzz.distance import OSA

from rules.engine.content import Element
from rules.library import SHELVES, Library, kind_badge
from rules.markdown import plain
from rules.models.vocabulary import Status

SHORTEST_END = 4  # letters
MOST_NEAR = 40  # near words accepted for one typed word
WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W_]+)*")
ACTION = "action"  # the kind of an entry for an element's action
EXACT, PREFIX, ENDING, NEAR = 1.0, 0.8, 0.7, 0.6

type Nearness = tuple[int, bool, float, int, str, str, str]  # sorts hits (`SearchIndex._rank`)


@dataclass(frozen=True)
class SearchEntry:
    """Something that can be found, with its address."""

    ref: str
    name: str
    kind: str
    source: str  # as from `Library.source_key`
    badge: str
    url: str
    text: str
    retired: bool
    joined: str  # the name in search form, without spaces
    words: tuple[str, ...]  # of the name


@dataclass
class SearchHit:
    """The score of an entry for a word or the whole query, and the entry's words that matched."""

    score: float
    in_name: bool
    words: set[str]


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Text in the form that is searched: lower case, without accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter) and letter not in "'\u2019")


def words_of(text: str) -> list[str]:
    return [fold(word) for word in WORD.findall(text)]


class SearchIndex:
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

    def find(self, wanted: list[str]) -> list[tuple[Nearness, SearchEntry, set[str]]]:
        """(rank, entry, words of the entry that matched) for all hits, unsorted. A smaller rank is better."""
        by_word = [self._hits(word) for word in wanted]
        whole = "".join(wanted)
        found = {}
        for number in set.intersection(*map(set, by_word)):
            hits = [hits[number] for hits in by_word]
            score = sum(hit.score for hit in hits) / len(hits)
            found[number] = SearchHit(
                score, all(hit.in_name for hit in hits), set().union(*(hit.words for hit in hits))
            )
        if not any(hit.in_name for hit in found.values()):
            for number, distance in self._near_names(whole):
                found[number] = SearchHit(EXACT - distance / 10, True, set(self.entries[number].words))
        return [
            (self._rank(whole, self.entries[number], hit), self.entries[number], hit.words)
            for number, hit in found.items()
        ]

    def _rank(self, whole: str, entry: SearchEntry, hit: SearchHit) -> Nearness:
        tier = 2 if hit.in_name else 3
        if entry.joined.startswith(whole):
            tier = 0 if entry.joined == whole else 1
        return (tier, entry.retired, -round(hit.score, 3), len(entry.words), entry.name, entry.badge, entry.url)

    def _hits(self, word: str) -> dict[int, SearchHit]:
        """The entries with this word, or a similar one, in their name or text.

        Texts are searched for words that begin with this one; if there is none, for the words found in names; if there
        is none, for similar words.
        """
        hits: dict[int, SearchHit] = {}
        named = self.name_words.ended_by(word) | self.name_words.begun_by(word) or self.name_words.meant_by(word)
        texts = self.text_words.begun_by(word)
        texts = texts or {own: named[own] for own in named if own in self.in_texts} or self.text_words.meant_by(word)
        for in_name, places, found in ((True, self.in_names, named), (False, self.in_texts, texts)):
            for own, score in found.items():
                for number in places[own]:
                    hit = hits.setdefault(number, SearchHit(score, in_name, set()))
                    hit.words.add(own)
                    if hit.in_name == in_name:
                        hit.score = max(hit.score, score)
        return hits

    def _near_names(self, whole: str) -> list[tuple[int, int]]:
        """Entries whose whole name is similar to the whole query, without spaces: (number, distance).

        This looks at all names, so it is used only if no name has each of the words.
        """
        near = self.joined_names.near(whole)
        return [(number, distance) for name, distance in near.items() for number in self.joined[name]]


class Vocabulary:
    """Words to look up by their beginning, their end, or a misspelling."""

    def __init__(self, words: Iterable[str]):
        self.words = sorted(words)
        self.backwards = sorted(word[::-1] for word in self.words)
        self.alike: dict[tuple[int, str, str], list[str]] = defaultdict(list)
        for word in self.words:
            for end in ends(word):
                self.alike[len(word), *end].append(word)

    def begun_by(self, word: str) -> dict[str, float]:
        """The words that begin with this one, with a score."""
        return {own: EXACT if own == word else PREFIX for own in beginning_with(word, self.words)}

    def ended_by(self, word: str) -> dict[str, float]:
        """The words that end with this one, with a score; none for a very short word, because too many would match."""
        if len(word) < SHORTEST_END:
            return {}
        return {back[::-1]: ENDING for back in beginning_with(word[::-1], self.backwards)}

    def meant_by(self, word: str) -> dict[str, float]:
        """The words that are similar to this one, with a score."""
        return {own: NEAR - distance / 10 for own, distance in self.near(word).items()}

    def near(self, word: str) -> dict[str, int]:
        """The words that differ from this one by few errors, with the number of errors. Leaves out words of a very
        different length, and words whose first and last letters both differ, since hardly anyone gets both wrong."""
        allowed = _errors_allowed(word)
        found: dict[str, int] = {}
        for end in ends(word) if allowed else ():
            lengths = range(len(word) - allowed, len(word) + allowed + 1)
            alike = [own for length in lengths for own in self.alike.get((length, *end), ())]
            hits = process.extract(
                word, alike, scorer=OSA.distance, processor=None, score_cutoff=allowed, limit=MOST_NEAR
            )
            found |= {own: int(distance) for own, distance, _ in hits}
        return found


def beginning_with(word: str, in_order: list[str]) -> Iterator[str]:
    """The words in a sorted list that begin with this one."""
    onward = (in_order[at] for at in range(bisect_left(in_order, word), len(in_order)))
    return takewhile(lambda own: own.startswith(word), onward)


def ends(word: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The first and the last letter of the word, as two distinct keys."""
    return (word[:1], ""), ("", word[-1:])


def _errors_allowed(word: str) -> int:
    """The number of letters that may be wrong, missing, too many or swapped."""
    return 0 if len(word) < 4 else 1 if len(word) < 6 else 2


def _entries(library: Library) -> Iterator[SearchEntry]:
    places = {kind: place for place, kind in enumerate(chain.from_iterable(SHELVES.values()))}
    for element in sorted(library.bundle.elements.values(), key=lambda one: (places[one.kind], one.sort, one.name)):
        url = library.url(element.ref)
        text = " ".join(part for part in (element.summary, plain(element.text)) if part)
        yield _entry(library, element, element.name, element.kind, url, text)
        for action in element.actions:
            if fold(action.name) != fold(element.name):
                yield _entry(library, element, action.name, ACTION, f"{url}#action-{action.slug}", plain(action.text))


def _entry(library: Library, element: Element, name: str, kind: str, url: str, text: str) -> SearchEntry:
    words = tuple(words_of(name))
    source, badge = library.source_key(element.source), kind_badge(kind, library.bundle.kinds)
    retired = element.status == Status.RETIRED
    return SearchEntry(element.ref, name, kind, source, badge, url, text, retired, "".join(words), words)
