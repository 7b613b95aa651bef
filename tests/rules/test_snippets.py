"""The part of a text that a search result shows: the words around the first match, marked and escaped."""

import pytest

from rules.models import Element, Source
from rules.publications import publish
from rules.search import find

pytestmark = pytest.mark.django_db


def numbered(first, last):
    return " ".join(f"w{number:03}" for number in range(first, last + 1))


def dwarf(text, summary=""):
    Element.objects.filter(slug="dwarf", kind="lineage").update(text=text, summary=summary)
    for source in Source.objects.all():
        publish(source)


def snippet(query):
    (result,) = find(query).results
    assert result.name == "Dwarf"
    return result.snippet


@pytest.mark.parametrize(
    ("word", "first", "last", "before", "after"),
    [
        (1, 1, 32, "", "…"),
        (16, 1, 32, "", "…"),
        (17, 6, 37, "…", "…"),
        (50, 39, 70, "…", "…"),
        (79, 68, 99, "…", ""),
        (99, 88, 99, "…", ""),
    ],
)
def test_only_part_of_a_long_text_is_shown(word, first, last, before, after):
    dwarf(numbered(1, 99))
    marked = numbered(first, last).replace(f"w{word:03}", f"<mark>w{word:03}</mark>")
    assert snippet(f"w{word:03}") == f"{before}{marked}{after}"


@pytest.mark.parametrize(("length", "shown"), [(16, 1), (32, 1), (33, 22)])
def test_a_short_text_is_shown_whole(length, shown):
    """A text of up to 160 letters is short: 32 words of four, with the spaces between."""
    dwarf(numbered(1, length))
    start = "" if shown == 1 else "…"
    assert snippet(f"w{length:03}") == f"{start}{numbered(shown, length - 1)} <mark>w{length:03}</mark>"


def test_a_very_long_word_is_cut():
    dwarf("x" * 300)
    assert snippet("x" * 90) == f"{'x' * 160}…"


def test_every_word_that_matched_is_marked_and_the_rest_escaped():
    dwarf("stones & wolpert, <stones>", "Proud of Wolpert.")
    assert snippet("wolpert") == "Proud of <mark>Wolpert</mark>. stones &amp; <mark>wolpert</mark>, &lt;stones&gt;"
    assert snippet("proud wolpert").startswith("<mark>Proud</mark> of <mark>Wolpert</mark>.")


def test_a_match_in_the_name_is_marked_and_the_text_is_shown_from_its_beginning():
    dwarf(numbered(1, 99), "Short.")
    result = find("dwarf").results[0]
    assert result.name == "<mark>Dwarf</mark>"
    assert result.snippet == f"Short. {numbered(1, 30)}…"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("fire", ["Fire", "Firearm", "Flintlock pistol"]),
        ("second wind", ["Second Wind"]),
        ("dash", ["Dash", "Dashing", "Action"]),
        ("long sword", ["Longsword", "Glaive", "Slashing"]),
        ("elfs", ["Elf", "Half-elf"]),
        ("figh", ["Fighter", "Fighting Style", "Fighting styles"]),
        ("fightr", ["Fighter", "A fight, turn by turn", "Ammunition"]),
        ("elg", []),
        ("eef", []),
    ],
)
def test_the_best_results_come_first(query, names):
    assert [result.entry.name for result in find(query).results][:3] == names


@pytest.mark.parametrize(
    ("query", "found"),
    [("pron", True), ("prpne", True), ("ponre", False), ("dagegr", True), ("dagxxr", True), ("daxxxr", False)],
)
def test_a_longer_word_may_have_more_wrong_letters(query, found):
    """None in a word under four letters, one in a word under six, two in a longer word."""
    names = {result.entry.name for result in find(query).results}
    assert bool(names & {"Prone", "Dagger"}) is found
