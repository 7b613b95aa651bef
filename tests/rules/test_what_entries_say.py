"""Sentences of chapters and entries about matters that no row covers: limits, exceptions, things that a sheet cannot
do."""

import re

import pytest

from rules.models import Element, Weapon

pytestmark = pytest.mark.django_db

SAID = [
    ("chapter:a-fight", "In darkness even that does not help", "6.1: Darksight gives nothing in darkness"),
    ("chapter:a-fight", "behind total cover nobody can aim", "27.13"),
    ("chapter:your-character", "languages, skills, things and features", "only the human culture brings a talent"),
    ("chapter:rest", "half your level in Stamina Dice, at least one", "25.2: a character of level 1 regains one"),
    ("chapter:resolve", "with all your points you refuse for free", "23.4"),
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
    ("rules:movement", "With less you can only move to someone who is already near", "ruling 77"),
    ("rules:travel", "half of that when something hinders you", "21.4"),
    ("rules:travel", "for a speed of 30 ft", "ruling 86"),
    ("rules:jumping-falling-and-breath", "run-up of 10 ft", "ruling 92"),
    ("rules:jumping-falling-and-breath", "never less than half a minute", "ruling 92"),
    ("rules:light-and-vision", "aim at the wrong place, you miss", "27.8"),
    ("rules:resolve", "Several points may go into one roll, but each aspect helps it only once", "23.2, ruling 103"),
    ("rules:resting", "half your level in Stamina Dice, at least one", "25.2"),
    ("rules:wounds", "any damage from a firearm", "ruling 62"),
    ("rules:wounds", "from your checks, attacks and saving throws", "30"),
    ("rules:dying", "A critical wakes you with 1 health; two ones count as two failures", "ruling 81"),
    ("rules:downtime", "bring back Resolve, or teach a language or a proficiency", "ruling 91"),
    ("rules:skills-knowledges-and-tools", "vehicles count as tools", "14"),
    ("rules:saving-throws", "proficient in two of them; later jobs add none", "15, ruling 30"),
    ("rules:magic", "need an action and a bonus action, and one of them must be a cantrip", "22"),
    ("talent:medic", "Someone you treat with it in a short rest loses a wound for each Stamina Die", "16"),
    ("property:ammunition", "except bullets from a firearm", "ruling 63"),
    ("property:thrown", "searching bring back half of what you threw, rounded down", "ruling 63"),
    ("gear:bullets", "ten minutes of searching after a fight bring back half of a blowgun's", "ruling 63"),
    ("feature:strike-true", "It is a critical only where every hit is one", "ruling 5"),
    ("feature:indomitable", "once per long rest", "8.3"),
    ("category:states", "Provoke, Protection and Strike True", "the three that features begin"),
]


@pytest.mark.parametrize(("ref", "words", "why"), SAID, ids=[f"{ref}: {words}" for ref, words, _ in SAID])
def test_an_entry_says_it(ref, words, why):
    kind, slug = ref.split(":")
    entry = Element.objects.get(kind=kind, slug=slug)
    assert words in " ".join(f"{entry.summary} {entry.text}".split()), why


def test_a_property_without_rows_is_noted_at_the_attack(core):
    """Nothing on the sheet counts the free interaction for Quick (ruling 60)."""
    notes = [effect.text for effect in core.elements["property:quick"].effects if effect.kind == "note"]
    assert notes == ["Drawing it or putting it away costs no free interaction."]


def test_a_weapon_is_called_light_only_if_it_has_the_property():
    """The rules' word for weapons that go with a second one (section 19)."""
    light = Weapon.objects.filter(property_uses__property__slug="light")
    others = Weapon.objects.exclude(pk__in=light)
    assert [one.slug for one in others if re.search(r"\blight\b", f"{one.summary} {one.text}", re.IGNORECASE)] == []
