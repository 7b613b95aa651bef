"""Whole evenings, word for word: each file holds what was done at the table and everything that followed.

When a rule or a sentence changes, PLAY_AGAIN=1 rewrites the files. Read the difference before you keep it: the rules
decide what is right.
"""

import os
from pathlib import Path

import pytest

from characters import verbs
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import Seat, level_entry, seated

from .transcript import told

pytestmark = [pytest.mark.django_db, pytest.mark.full]

FIELD_KIT = [
    ("chain-mail", "worn"), ("shield", "worn"), ("longsword", "main"), ("handaxe", "stowed"),
    ("short-bow", "stowed"), ("pistol-revolver", "stowed"), ("boomerang", "carried"), ("healing-kit", "carried"),
]  # fmt: skip


def piles(*rows):
    return [{"item": slug, "state": state, "quantity": quantity} for slug, state, quantity in rows]


MEDIC = {"level": 4, "take": "talent", "talent": "medic"}


def fighter(level):
    return level_entry(level, "job")


def champion(level=9, **more):
    """A fighter with weapons to swing, shoot and throw."""
    kit = [{"item": slug, "state": state} for slug, state in FIELD_KIT]
    kit += piles(("arrows", "carried", 4), ("javelin", "carried", 3), ("bullets", "carried", 9))
    ranks = {"strength": 16, "agility": 13, "vitality": 14, "mind": 9, "spirit": 14}
    return seated(level=level, ranks=ranks, inventory=kit, **more)


# A file in which much does not fit together: every fault has its sentence.
ODD = {
    "xp": 4_000,
    "house_rules": {"switches": {"mixedCultures": "off", "abilityCap": "16", "abilityMethod": "pointBuy"}},
    "origin": {"lineage": "elf", "culture": "dwarven-culture", "background": "ambassador"},
    "abilities": {
        "method": "points",
        "ranks": {"strength": 15, "agility": 15, "vitality": 15, "mind": 15, "spirit": 7, "presence": 16},
        "bonuses": {"strength": 3, "mind": 1},
    },
    "choices": {
        "human-culture.skills": ["athletics"],
        "dwarven-culture.tool": ["smiths-tools"],
        "fighter.fighting-style": ["dueling", "defense"],
        "fighter.martial-path": ["champion"],
        "ambassador.knowledge": ["religion"],
        "ambassador.languages": ["elvish", "elvish", "dwarven"],
    },
    "levels": [
        {"level": 2, "take": "job", "job": "fighter", "choices": {"fighter.fighting-style": ["protection"]}},
        {"level": 3, "take": "abilities", "ranks": {"strength": 1, "agility": 3}},
        {"level": 4, "take": "talent", "talent": "medic", "choices": {"fighter.fighting-style": ["defense"]}},
        {"level": 5, "take": "abilities", "ranks": {"mind": 2, "presence": 1}},
        {"level": 6, "take": "talent", "talent": "medic"},
    ],
    "plan": [{"level": 7, "take": "talent", "talent": "medic"}],
    "awards": [{"kind": "talent", "element": "medic"}, {"kind": "skill", "element": "stealth", "reason": "a gift"}],
    "state": {"spent": {"second-wind": 4}, "health": 900, "resolve": 0},
}
# A file with everything that a file may hold.
WHOLE = {
    "milestone": 6,
    "choices": {
        "human-culture.language": ["elvish"],
        "human-culture.knowledge": ["history"],
        "human-culture.skills": ["athletics", {"option": "awareness", "override": "the storyteller's gift"}],
        "human-culture.talent": ["tough"],
        "ambassador.knowledge": ["religion"],
        "ambassador.languages": ["dwarven", "trade-cant"],
        "fighter.fighting-style": ["defense"],
    },
    "plan": [
        {"level": 7, "take": "abilities", "ranks": {"mind": 2}, "override": "a dream"},
        {"level": 8, "take": "job", "job": "fighter"},
    ],
    "awards": [{"kind": "skill", "element": "stealth", "reason": "a gift"}],
    "relationships": [
        {"other": "Bo", "based_on": "bond", "text": "Old friends", "agreed": True},
        {"other": "Cy", "based_on": "flaw", "text": "He owes me"},
    ],
    "notes": ["The mill burns\nagain", "Two"],
    "downtime": [
        {"days": 3, "activity": "Rest"},
        {"days": 14, "activity": "Training", "notes": "with Bo", "outcome": "speaks their cant"},
    ],
    "spells": [
        {"name": "Glow"},
        {"name": "Fire bolt", "time": "action", "range": "60 ft", "cantrip": True, "attack": "ranged",
         "damage": "2d6 fire", "text": "Hot.\nVery."},
        {"name": "Hush", "saving_throw": "mind"},
    ],
    "inventory": [
        {"item": "short-bow", "state": "two-hands"},
        {"item": "arrows", "quantity": 20, "used": 3},
        {"item": "javelin", "quantity": 2, "state": "stowed"},
        {"item": "a lost thing"},
        {"custom": "A letter in green wax"},
    ],
    "state": {
        "health": 12, "stamina": 3, "resolve": 0, "wounds": 2, "resources_lowered": 1,
        "rest": {"rest": "short-rest", "dice": 2},
        "conditions": [
            {"condition": "poisoned", "source": "a spider", "rounds": 3},
            {"condition": "exhausted", "stacks": 2, "until": "long-rest"},
        ],
        "toggles": ["half-cover"],
        "spent": {"second-wind": 1},
    },
}  # fmt: skip
EVENINGS = {
    "blows": lambda: champion(),
    "death": lambda: champion(),
    "dice": lambda: champion(),
    "shots": lambda: champion(),
    "turns": lambda: champion(),
    "rests": lambda: champion(level=4),
    "resolve": lambda: champion(),
    "table-rules": lambda: champion(
        switches={
            "criticalDamage": "doubleTotal", "criticalAutoHit": "sixesOnly", "fumbles": "on", "resolveCriticals": "off",
            "extraTurnsPerRound": "1", "playerCompels": "on", "trackAmmunition": "off", "massiveDamage": "off",
            "firearmWounds": "off", "deathSaveDifficulty": "12", "magic": "off", "criticalChecks": "flavour",
        }
    ),
    "things": lambda: champion(),
    "story": lambda: champion(),
    "downtime": lambda: champion(),
    "spells": lambda: champion(),
    "draft": lambda: Seat(verbs.start(person(), new_key()).character),
    "medic": lambda: champion(level=4, levels=[*map(fighter, (2, 3)), MEDIC]),
    "file": lambda: Seat(mira(**WHOLE)),
    "plain-file": lambda: Seat(mira(xp=None, levels=None, house_rules=None, inventory=None, aspects=None, state=None)),
    "odd": lambda: Seat(mira(**ODD)),
    "building": lambda: seated(),
    "levels": lambda: seated(level=4),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_equals_its_file(name):
    file = Path(__file__).with_name(f"{name}.txt")
    written = file.read_text("utf-8")
    played = told(EVENINGS[name](), written)
    if os.environ.get("PLAY_AGAIN"):
        file.write_text(played, "utf-8")
    assert played == written
