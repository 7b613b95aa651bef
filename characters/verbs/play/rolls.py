"""Dice on the server, from a cryptographic source, or entered by hand; every roll goes to the log."""

from dataclasses import asdict

from characters.journal import Refused
from characters.words import whole
from rules.systems.outcome import Asked

from .table import CHANCE, play


def asked_of(
    *, advantage=False, disadvantage=False, unskilled=False, dice=0, bonus=0, resolve=0, target=None, opponent=None,
    opponent_critical=False, faces=(), secret=False,
) -> Asked:  # fmt: skip
    """How the table wants a roll made, every number within reach."""
    for name, number, least in (("dice", dice, -40), ("bonus", bonus, -1_000), ("resolve", resolve, 0)):
        whole(number, least=least, most=1_000 if name == "bonus" else 40, field=name)
    for name, number in (("target", target), ("opponent", opponent)):
        if number is not None:
            whole(number, least=-1_000, most=1_000, field=name)
    return Asked(
        bool(advantage), bool(disadvantage), dice, bonus, resolve, bool(unskilled), target, opponent,
        bool(opponent_critical), faces_of(faces), bool(secret),
    )  # fmt: skip


def faces_of(faces) -> tuple[int, ...]:
    faces = tuple(faces)
    if len(faces) > 80:
        raise Refused("That is more dice than anybody rolls.", "faces")
    if not all(isinstance(face, int) and 1 <= face <= 100 for face in faces):
        raise Refused("Write each face by itself, such as 6 4 1.", "faces")
    return faces


def roll(pk, person, key, *, roll, ability="", chance=CHANCE, **how):
    """A check, save or initiative by its key on the sheet; `ability` asks for another one (section 12).

    `how` are the words of `asked_of`: advantage, disadvantage, unskilled, other dice, resolve, a target or opponent,
    faces of real dice, secret.
    """
    asked = asked_of(**how)

    def happen(table):
        found = table.game.roll_of(*table.rules, roll, ability)
        return table.game.checked(*table.rules, found, asked, chance)

    return play(pk, person, key, "roll", happen, roll=roll, ability=ability, **asdict(asked))


def roll_attack(pk, person, key, *, item, grip, chance=CHANCE, **how):
    """An attack with a weapon, by its slug or the item's id, in one grip. Uses ammunition or a loaded shot."""
    asked = asked_of(**how)

    def happen(table):
        return table.game.attacked(*table.rules, table.game.attack_of(table.sheet, str(item), grip), asked, chance)

    return play(pk, person, key, "roll_attack", happen, item=str(item), grip=grip, **asdict(asked))


def roll_damage(pk, person, key, *, item, grip, critical=False, chance=CHANCE, **how):
    """The damage of a hit; a critical by the house rule `criticalDamage` (ruling 4)."""
    asked, critical = asked_of(**how), bool(critical)

    def happen(table):
        attack = table.game.attack_of(table.sheet, str(item), grip)
        return table.game.damaged(table.bundle, table.build, attack, chance, critical=critical, asked=asked)

    what = {"item": str(item), "grip": grip, "critical": critical, **asdict(asked)}
    return play(pk, person, key, "roll_damage", happen, **what)


def death_save(pk, person, key, *, chance=CHANCE, **how):
    """A death saving throw, and what comes of it (ruling 81)."""
    asked = asked_of(**how)
    return play(pk, person, key, "death_save", lambda t: t.game.death_save(*t.rules, asked, chance), **asdict(asked))
