"""Aspects, relationships, notes and downtime (sections 7 and 26, ruling 91)."""

import pytest

from characters.change.refusals import Refused, StalePage
from characters.read.prose import digest
from tests.characters.cast import mira, refuses
from tests.characters.play.table import Seat, seated

pytestmark = pytest.mark.django_db


def one(seat, word, at=0):
    return [address for address in seat.facts if address.startswith(f"{word}:")][at]


def test_an_aspect_is_edited_in_place(seat):
    address = one(seat, "aspect")
    old = seat.facts[address]
    seat.edit(address=address, text="Hears nobody out", was=digest(old["text"]))
    assert seat.facts[address] == {**old, "text": "Hears nobody out"}


def test_two_editors_never_lose_text(seat):
    seat.add_note(text="The mill burns\nand nobody saw it")
    address = one(seat, "note")
    was = digest(seat.facts[address]["text"])
    seat.edit(address=address, text="Bo's words", was=was)
    with pytest.raises(StalePage) as conflict:
        seat.edit(address=address, text="Ana's words", was=was)
    assert conflict.value.stored == "Bo's words"
    assert seat.facts[address]["text"] == "Bo's words"
    seat.edit(address=address, text="Bo's words", was=was)


def test_a_note_keeps_its_lines_and_an_aspect_is_one_line(seat):
    seat.add_note(text="One")
    note, aspect = one(seat, "note"), one(seat, "aspect")
    seat.edit(address=note, text="One\nTwo", was=digest("One"))
    seat.edit(address=aspect, text="One\nTwo", was=digest(seat.facts[aspect]["text"]))
    assert (seat.facts[note]["text"], seat.facts[aspect]["text"]) == ("One\nTwo", "One Two")


def test_editing_a_removed_text_is_refused(seat):
    address = one(seat, "aspect")
    gone = seat.remove(address=address)
    with pytest.raises(Refused, match="Someone has deleted this"):
        seat.edit(address=address, text="Still here", was="x")
    seat.undo(gone)
    assert address in seat.facts


def test_as_04_a_relationship_counts_once_both_players_agree(seat):
    seat.add_relationship(other="Garret", based_on="flaw", text="I never trust him first")
    address = one(seat, "relationship")
    assert not seat.facts[address]["agreed"]
    with pytest.raises(Refused, match="both players"):
        seat.declare(aspect=address)
    seat.agree(relationship=int(address.partition(":")[2]))
    assert seat.facts[address]["agreed"]
    assert seat.declare(aspect=address, detail="He owes me a favor")
    seat.edit(address=address, text="I trust him now", was=digest("I never trust him first"))
    assert not seat.facts[address]["agreed"]


@pytest.mark.parametrize(
    ("verb", "what", "field"),
    [
        ("add_aspect", {"kind": "hobby", "text": "Fishing"}, "kind"),
        ("add_aspect", {"kind": "bond", "text": " "}, "text"),
        ("add_aspect", {"kind": "bond", "text": "x" * 301}, "text"),
        ("add_note", {"text": ""}, "text"),
        ("add_note", {"text": "x" * 4001}, "text"),
        ("add_note", {"text": "a\x00b"}, "text"),
        ("add_note", {"text": "\ud800"}, "text"),
        ("add_relationship", {"other": "", "based_on": "flaw", "text": "x"}, "other"),
        ("add_relationship", {"other": "Bo", "based_on": "hat", "text": "x"}, "based_on"),
        ("remove", {"address": "item:1"}, "address"),
        ("remove", {"address": "note:1"}, "address"),
        ("edit", {"address": None, "text": "x", "was": ""}, "address"),
        ("agree", {"relationship": 12}, "address"),
    ],
)
def test_a_text_with_a_wrong_field_is_refused(seat, verb, what, field):
    before = seat.facts
    with refuses(field):
        getattr(seat, verb)(**what)
    assert seat.facts == before


def test_downtime_is_logged_with_its_outcome():
    seat = seated(ranks={"spirit": 14}, state={"resolve": 0})
    change = seat.spend_downtime(
        days=14, activity="Training", notes="with the ferrymen", outcome="speaks their cant", points=1,
        learn="skill:stealth",
    )  # fmt: skip
    assert change.sentence == ("Mira: 14 days of training. Resolve +1. Learned: Stealth. “speaks their cant”")
    assert seat.left("resolve") == 1
    assert seat.sheet.rolls["skill.stealth"].proficient
    assert seat.facts[one(seat, "downtime")]["outcome"] == "speaks their cant"
    later = seat.spend_downtime(days=14, activity="Training", learn="language:elvish")
    assert "language:elvish" in {row.ref for row in seat.sheet.proficiencies["languages"]}
    seat.undo(later)
    seat.undo(change)
    assert not seat.sheet.rolls["skill.stealth"].proficient
    assert not [address for address in seat.facts if address.startswith("downtime:")]


@pytest.mark.parametrize(
    "what",
    [
        {"days": 0},
        {"activity": ""},
        {"ranks": 7},
        {"learn": ["talent:tough"]},
        {"learn": ["nothing"]},
        {"notes": "x" * 1001},
    ],
)
def test_downtime_out_of_bounds_is_refused(what):
    with refuses(*what):
        seated().spend_downtime(**{"days": 1, "activity": "Research", **what})


def languages(seat):
    return [(row.ref, row.name, row.path) for row in seat.sheet.proficiencies["languages"] if "downtime" in row.path]


def test_a_language_in_own_words_is_learned_and_undone(seat):
    """Rulings 48 and 91."""
    change = seat.spend_downtime(days=14, activity="Training", language="  Sea   cant ", learn="skill:stealth")
    assert change.sentence == "Mira: 14 days of training. Learned: Stealth and Sea cant."
    assert languages(seat) == [("", "Sea cant", ("downtime",))]
    assert seat.facts["award:|Sea cant"] == {"reason": "downtime"}
    other = seat.spend_downtime(days=1, activity="Training", language="a|b: c")
    assert seat.facts["award:|a|b: c"] == {"reason": "downtime"}
    undoing = seat.undo(change)
    assert languages(seat) == [("", "a|b: c", ("downtime",))]
    seat.undo(other)
    seat.undo(undoing)
    assert languages(seat) == [("", "Sea cant", ("downtime",))]


@pytest.mark.parametrize("words", ["elvish", "Elvish", "ELVISH"])
def test_own_words_that_name_a_listed_language_mean_it(seat, words):
    change = seat.spend_downtime(days=14, activity="Training", language=words, learn="language:elvish")
    assert change.sentence == "Mira: 14 days of training. Learned: Elvish."
    assert languages(seat) == [("language:elvish", "Elvish", ("downtime",))]


@pytest.mark.parametrize("words", ["trade-cant", "Trade-CANT", "dwarven", "sea cant"])
def test_a_language_that_is_known_is_not_learned_again(words):
    seat = Seat(mira())
    seat.spend_downtime(days=14, activity="Training", language="Sea Cant")
    before = seat.facts
    with refuses("language") as refused:
        seat.spend_downtime(days=14, activity="Training", language=words)
    assert refused.value.sentence.lower() == f"{words.lower()} is known already."
    assert seat.facts == before


@pytest.mark.parametrize("words", ["x" * 121, "a\x00b", "\ud800"])
def test_a_language_out_of_bounds_is_refused(words):
    with refuses("language"):
        seated().spend_downtime(days=14, activity="Training", language=words)


def test_downtime_changes_resources_for_good(seat):
    seat.spend_downtime(days=30, activity="Profession", ranks=2)
    assert seat.sheet.value("resources.rank") == 6
    seat.spend_downtime(days=30, activity="Gambling", ranks=-3)
    assert seat.sheet.value("resources.rank") == 3
    assert (seat.spent("resources-gained"), seat.spent("resources-lost")) == (0, 1)
