"""Rolls, what is added to them, and the points of resolve that change none."""

from characters.journal import Refused
from characters.play.fields import MOST_TEXT, asked_how, faces, how_fields, maybe, number, row, tick, word
from characters.verbs import play

from .registry import action

A_ROLL = "Choose what to roll: press Roll, Attack or Damage beside it."
# Where rolls stand on the sheet, by the word that their keys begin with.
ROLLED_AT = {
    "skill": "skills",
    "knowledge": "knowledges",
    "check": "abilities",
    "save": "abilities",
    "attack": "attacks",
    "damage": "attacks",
    "critical": "attacks",
    "reload": "attacks",
    "cast": "spells",
}


def region_of(posted) -> str:
    """The region that has what a form of the tray is about; the vital numbers where that is not told."""
    return ROLLED_AT.get(posted.get("roll", "").partition(".")[0], "vitals")


@action("tray", roll=word(160, error_messages={"required": A_ROLL}), ability=maybe(60), **how_fields())
def roll(pk, person, key, *, roll, ability, **how):
    """`roll` is a key of the sheet, or `attack.`, `damage.` or `critical.` with a weapon and its grip, `cast.` with a
    spell, `reload.` with a weapon, `use.` with an action that rolls dice, or the death save."""
    kind, _, rest = roll.partition(".")
    if kind == "reload":
        return play.reload(pk, person, key, item=rest)
    how = asked_how(how)
    if kind == "use":
        faces = how.pop("faces")
        if ability or any(how.values()):
            raise Refused("Only real dice go with this.")
        return play.use(pk, person, key, action=rest, faces=faces)
    if kind not in ("attack", "damage", "critical", "cast", "death-save"):
        return play.roll(pk, person, key, roll=roll, ability=ability, **how)
    if ability:
        raise Refused("This goes with no other ability.", "ability")
    if kind == "death-save":
        return play.death_save(pk, person, key, **how)
    if kind == "cast":
        return play.cast(pk, person, key, spell=rest, **how)
    item, _, grip = rest.rpartition(".")
    if kind == "attack":
        return play.roll_attack(pk, person, key, item=item, grip=grip, **how)
    if how.pop("aspect"):
        raise Refused("Damage goes without Resolve.", "aspect")
    how["critical"] |= kind == "critical"
    return play.roll_damage(pk, person, key, item=item, grip=grip, **how)


@action("tray", "roll", roll=row(), aspect=maybe(), faces=faces(), do=word(10))
def spend_on(pk, person, key, *, roll, aspect, faces, do):
    """Resolve on a roll that has been made."""
    if do == "critical":
        return play.turn_critical(pk, person, key, roll=roll)
    if do == "die":
        return play.extra_die(pk, person, key, roll=roll, aspect=aspect, faces=faces)
    return play.nudge(pk, person, key, roll=roll, up=do != "down", aspect=aspect)


@action("tray", "roll", "action", roll=row(), action=word(80), faces=faces())
def change_roll(pk, person, key, *, roll, action, faces):
    """A feature on a roll that has failed."""
    return play.change_roll(pk, person, key, roll=roll, action=action, faces=faces)


@action("tray", "roll", roll=row(), aspect=maybe(), detail=maybe(MOST_TEXT))
def detail(pk, person, key, *, roll, aspect, detail):
    """A detail of the story that a roll brings in."""
    return play.declare(pk, person, key, aspect=aspect, detail=detail, roll=roll)


# Points of resolve that change no roll.


@action("times", up=word(5), whose=maybe(500))
def nudge(pk, person, key, *, up, whose):
    return play.nudge(pk, person, key, up=up != "no", whose=whose)


@action("times")
def turn_aside(pk, person, key):
    """An enemy's critical becomes a plain hit, where the house rules have it."""
    return play.turn_critical(pk, person, key)


@action("times")
def extra_turn(pk, person, key):
    return play.extra_turn(pk, person, key)


@action("times", aspect=maybe(), detail=maybe(MOST_TEXT))
def declare(pk, person, key, *, aspect, detail):
    return play.declare(pk, person, key, aspect=aspect, detail=detail)


@action("times", aspect=maybe(), words=maybe(MOST_TEXT), accept=word(5), by_player=tick())
def compel(pk, person, key, *, aspect, words, accept, by_player):
    """`words` tell of a disposition or another aspect that stands nowhere, and count before what is picked."""
    try:
        return play.compel(pk, person, key, aspect=words or aspect, accept=accept == "yes", by_player=by_player)
    except Refused as refused:
        if words and refused.field == "aspect":
            raise Refused(refused.sentence, "words") from refused
        raise


@action("times", points=number(), reason=maybe(MOST_TEXT))
def regain(pk, person, key, *, points, reason):
    return play.regain(pk, person, key, points=1 if points is None else points, reason=reason)
