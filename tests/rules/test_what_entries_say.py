"""What an entry must tell a player besides its rows: limits, exceptions and what nothing on the sheet does by itself."""

import pytest

from rules.models import Element

pytestmark = pytest.mark.django_db

SAID = [
    ("rules:working-together", "at least half of them", "2.8"),
    ("rules:levels", "by one every five levels, up to +10", "4"),
    ("rules:ability-ranks", "up to 15, and a rank of 9 or 8 gives you 1 or 2 points back", "5.1"),
    ("rules:resources", "With 0 you can buy nothing", "ruling 66"),
    ("rules:resources", "up to 10. A pool buys nothing above its means", "ruling 67"),
    ("rules:attacks", "disadvantage while an enemy within 5 ft can see you and is not incapacitated", "27.6"),
    ("rules:attacks", "11 for cloth, 15 for wood, 17 for stone and 19 for iron", "ruling 101"),
    (
        "rules:turns",
        "the one with the higher Agility rank goes first; if that is equal too, the two roll again",
        "21.3",
    ),
    ("rules:movement", "a hostile creature that is at least two sizes larger or smaller", "27.9"),
    ("rules:movement", "use the highest of your speeds", "27.11"),
    ("rules:movement", "With less you can only move to someone who is near already", "ruling 77"),
    ("rules:travel", "half of that when something hinders you", "21.4"),
    ("rules:travel", "for a speed of 30 ft", "ruling 86"),
    ("rules:jumping-falling-and-breath", "run-up of 10 ft", "ruling 92"),
    ("rules:jumping-falling-and-breath", "at least for half a minute", "ruling 92"),
    ("rules:light-and-vision", "aim at the wrong place, you miss", "27.8"),
    ("rules:resolve", "Several points may go into one roll, but each aspect helps it only once", "23.2, ruling 103"),
    ("rules:resting", "half your level in Stamina Dice, at least one", "25.2"),
    ("rules:wounds", "any damage from a firearm", "ruling 62"),
    ("rules:wounds", "from your checks, attacks and saving throws", "30"),
    ("rules:dying", "A critical wakes you with 1 health; two ones count as two failures", "ruling 81"),
    ("rules:downtime", "bring back Resolve, or teach a language or a proficiency", "ruling 91"),
]


@pytest.mark.parametrize(("ref", "words", "section"), SAID, ids=[f"{ref}: {words}" for ref, words, _ in SAID])
def test_an_entry_says_it(ref, words, section):
    kind, slug = ref.split(":")
    entry = Element.objects.get(kind=kind, slug=slug)
    assert words in " ".join(f"{entry.summary} {entry.text}".split()), section
