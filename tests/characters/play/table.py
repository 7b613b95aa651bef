"""A character at the table for each example: Mira's file with other ranks and state, played by Ana."""

from characters import verbs
from characters.actions.act import run
from characters.actions.action_context import CHANCE
from characters.actions.registry import action_names
from characters.models import RollRecord
from tests.characters.cast import facts, mira, new_key, person
from tests.support.characters import fresh, sheet_of

SWORD = [("longsword", "main")]


def newest():
    """The newest roll."""
    return RollRecord.objects.first()


class Fixed:
    """Dice that show these faces, in this order."""

    def __init__(self, *faces):
        self.faces = list(faces)

    def randint(self, low, high):
        face = self.faces.pop(0)
        assert low <= face <= high
        return face


class Play:
    """`play.take_damage(pk, person, key, amount=3)` is the action of that name; any other name is a verb.

    The change to undo may be passed by position, and the side of a roll as `advantage=True` or `disadvantage=True`.
    """

    def __getattr__(self, name):
        if name not in action_names():
            return getattr(verbs, name)

        def do(pk, who, key, *change, chance=CHANCE, **what):
            what |= zip(["change"], change, strict=False)
            sides = [side for side in ("advantage", "disadvantage") if what.pop(side, False)]
            what |= {"side": sides[0]} if len(sides) == 1 else {}
            return run(pk, who, key, name, what, chance=chance)

        return do


play = Play()


class Seat:
    """One character and who plays it: `seat.take_damage(...)` is that action by this person, with a new key."""

    def __init__(self, character, who=None):
        self.character = character
        self.who = who or person()

    def __getattr__(self, name):
        def do(**what):
            return getattr(play, name)(self.character.pk, self.who, what.pop("key", None) or new_key(), **what)

        return do

    def undo(self, change):
        return play.undo(self.character.pk, self.who, new_key(), change.sequence)

    @property
    def fresh(self):
        return fresh(self.character.pk)

    @property
    def sheet(self):
        return sheet_of(self.fresh)[2]

    @property
    def facts(self):
        return facts(self.character)

    def left(self, slug):
        return self.sheet.resources[slug].left

    def spent(self, slug):
        return self.facts.get(f"spent:{slug}", 0)

    @property
    def conditions(self):
        """The conditions in force, implied ones included, by slug."""
        return {ref.partition(":")[2] for ref in self.sheet.conditions}


def seated(*, level=1, take="job", state=None, ranks=None, switches=None, inventory=None, items=(), **changes):
    """A seat at the table. `ranks` are final ability ranks (10 by default), `take` is what each level takes."""
    base = dict.fromkeys(("strength", "agility", "vitality", "mind", "spirit", "presence"), 10) | (ranks or {})
    levels = [level_entry(at, take) for at in range(2, level + 1)]
    document = {
        "xp": (level - 1) * 1000,
        "abilities": {"method": "manual", "ranks": base},
        "levels": levels or None,
        "state": state,
        "house_rules": {"switches": switches} if switches else None,
        "inventory": inventory if inventory is not None else [{"item": slug, "state": where} for slug, where in items],
        "choices": {"human-culture.skills": ["athletics", "awareness"], "fighter.fighting-style": ["defense"]},
        **changes,
    }
    return Seat(mira(**document))


def suffering(*conditions, on=(), **more):
    """A seat under these conditions, with these circumstances switched on, all of it by the verbs."""
    seat = seated(**more)
    for slug in conditions:
        seat.add_condition(condition=f"condition:{slug}")
    for slug in on:
        seat.toggle(switch=f"+{slug}")
    return seat


def level_entry(at, take):
    choices = {"choices": {"fighter.martial-path": ["champion"]}} if at == 3 else {}
    return {"level": at, "take": "job", "job": "fighter", **choices} if take == "job" else {"level": at, **take(at)}


def with_resources(rank):
    """A seat with this Resources rank and no things: the Ambassador's 4, changed for good in downtime."""
    seat = seated(inventory=[])
    if rank != 4:
        seat.spend_downtime(days=7, activity="Profession", ranks=rank - 4)
    assert seat.sheet.value("resources.rank") == rank
    return seat
