"""Dice on the server, from a cryptographic source, or entered by hand; every roll goes to the log."""

from dataclasses import asdict

from characters.journal import Refused
from characters.words import whole
from rules.games.outcome import Asked, NotAllowed

from .table import CHANCE, play


def asked_of(
    *, advantage=False, disadvantage=False, unskilled=False, dice=0, bonus=0, resolve=0, target=None, opponent=None,
    opponent_critical=False, faces=(), secret=False, critical=False,
) -> Asked:  # fmt: skip
    """How the table wants a roll made, every number within reach."""
    for name, number, least in (("dice", dice, -40), ("bonus", bonus, -1_000), ("resolve", resolve, 0)):
        whole(number, least=least, most=1_000 if name == "bonus" else 40, field=name)
    for name, number in (("target", target), ("opponent", opponent)):
        if number is not None:
            whole(number, least=-1_000, most=1_000, field=name)
    return Asked(
        bool(advantage), bool(disadvantage), dice, bonus, resolve, bool(unskilled), target, opponent,
        bool(opponent_critical), faces_of(faces), bool(secret), bool(critical),
    )  # fmt: skip


def faces_of(faces) -> tuple[int, ...]:
    faces = tuple(faces)
    if len(faces) > 80:
        raise Refused("That is more dice than anybody rolls.", "faces")
    if not all(isinstance(face, int) and 1 <= face <= 100 for face in faces):
        raise Refused("Write each face by itself, such as 6 4 1.", "faces")
    return faces


def roll(pk, person, key, *, roll, ability="", aspect="", chance=CHANCE, **how):
    """A check, save or initiative by its key on the sheet; `ability` asks for another one (section 12).

    `how` are the words of `asked_of`: advantage, disadvantage, unskilled, other dice, resolve, a target or opponent,
    faces of real dice, secret. `aspect` is the address of the one invoked for dice of resolve, if any.
    """
    asked = asked_of(**how)

    def happen(table):
        invoke(table, aspect, asked)
        found = table.game.roll_of(*table.rules, roll, ability)
        return table.game.checked(*table.rules, found, asked, chance)

    return play(pk, person, key, "roll", happen, roll=roll, ability=ability, aspect=aspect, **asdict(asked))


def roll_attack(pk, person, key, *, item, grip, aspect="", chance=CHANCE, **how):
    """An attack with a weapon, by its slug or the item's id, in one grip. Uses ammunition or a loaded shot.

    With `critical` a hit is critical whatever the dice show.
    """
    asked = asked_of(**how)

    def happen(table):
        invoke(table, aspect, asked)
        return table.game.attacked(*table.rules, table.game.attack_of(table.sheet, str(item), grip), asked, chance)

    return play(pk, person, key, "roll_attack", happen, item=str(item), grip=grip, aspect=aspect, **asdict(asked))


def roll_damage(pk, person, key, *, item, grip, chance=CHANCE, **how):
    """The damage of a hit or a spell, with `critical` by the house rule `criticalDamage` (ruling 4)."""
    asked = asked_of(**how)

    def happen(table):
        attack = table.game.striking(table.sheet, str(item), grip)
        return table.game.damaged(table.bundle, table.build, attack, chance, asked=asked)

    return play(pk, person, key, "roll_damage", happen, item=str(item), grip=grip, **asdict(asked))


def death_save(pk, person, key, *, aspect="", chance=CHANCE, **how):
    """A death saving throw, and what comes of it (ruling 81)."""
    asked = asked_of(**how)

    def happen(table):
        invoke(table, aspect, asked)
        return table.game.death_save(*table.rules, asked, chance)

    return play(pk, person, key, "death_save", happen, aspect=aspect, **asdict(asked))


def invoke(table, aspect, asked):
    """What is invoked for dice bought before a roll has served that roll (section 23.2)."""
    if not aspect:
        return
    invoked(table, aspect)
    if not asked.resolve:
        raise NotAllowed("An aspect goes with a point of Resolve.", "aspect")
    table.aspect = aspect


def invoked(table, address) -> str:
    """The words of one of the character's own aspects or relationships, by its address."""
    if not isinstance(address, str) or not address.startswith(("aspect:", "relationship:")):
        raise Refused("Choose one of the character's aspects.", "aspect")
    value = table.draft.read(address)
    if value is None:
        raise Refused("The character has no such aspect.", "aspect")
    if not value.get("agreed", True):
        raise Refused("That relationship stands only once both players have agreed.", "aspect")
    return value["text"]
