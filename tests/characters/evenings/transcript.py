"""An evening in writing: each player's action, its sentence in the history, the facts that moved, and the dice.

`> roll roll=skill.athletics target=12 [6 4 1]` is an action or a verb with its fields, and the faces that the dice will
show. The lines below it are the answer: the sentence, each address that moved, each roll; or what is refused, beside
which field. `{rope}` is the number of the row with that name; `{roll}` and `{change}` are those of the newest roll and
change.
"""

import json
import re

from django.http import Http404

from characters.actions.registry import action_names
from characters.change.fact_address import ROWS
from characters.change.fact_store import stored
from characters.change.refusals import Refused
from characters.models import RollRecord
from characters.verbs.leveling import seen
from rules.games.outcome import Rolled
from tests.characters.cast import new_key
from tests.characters.play.table import Fixed, play
from tests.support.characters import sheet_of

from .looks import look

COMMAND = re.compile(r"> (?P<name>\w+)(?P<fields>.*?)(?: \[(?P<faces>[\d ]*)\])?$")
FIELD = re.compile(r"""(\w+)=((?:"[^"]*"|'[^']*'|\{[^}]*\}|\S)*)""")
CALLED = ("ref", "custom", "name", "other", "activity", "text")
KEY = re.compile(r"(?<=cast\.)\d+|\b\d+(?=\.(?P<grip>one-hand|two-hands|off-hand|thrown|spell))")
UNWRITTEN = {"chance", "sure"}  # arguments that the journal does not keep
PLAIN = Rolled("", "", "", (), 0)
SHOWN = {"kind", "key", "name", "faces", "total", "modifiers", "dice_because", "again_by"}


class Dice(Fixed):
    """Dice that show these faces; a face also chooses the place in a list."""

    def choice(self, rows):
        return rows[self.randint(1, len(rows)) - 1]


def told(seat, text):
    """The transcript with the answers that the site gives."""
    lines = []
    for line in text.splitlines():
        if line.startswith("> "):
            lines += [line, *answer(seat, line)]
        elif line.startswith("? "):
            asked = FIELD.sub("", line[2:]).split()
            what = {field: of(seat, value, typed=False) for field, value in FIELD.findall(line)}
            lines += [line, *(facts(seat) if asked == ["facts"] else by_name(seat, look(seat, asked, what)))]
        elif not line or line.startswith("#"):
            lines.append(line)
    return "\n".join(lines) + "\n"


def facts(seat):
    """Everything stored about the character."""
    names = rows(seat)
    return sorted(f"  {label(names, at)}: {said(value)}" for at, value in seat.facts.items())


def by_name(seat, lines):
    """The lines with names for the ids in the keys of attacks and spells: ids differ from database to database."""
    names = rows(seat)
    return [KEY.sub(lambda found: called(names, found[0], found["grip"]), line) for line in lines]


def called(names, number, grip):
    word = "item" if grip and grip != "spell" else "spell"
    return names.get(f"{word}:{number}", number).partition(":")[2] or number


def answer(seat, line):
    name, fields, faces = COMMAND.fullmatch(line).group("name", "fields", "faces")
    chance = Dice(*map(int, (faces or "").split()))
    what = {field: of(seat, value, typed=name not in action_names()) for field, value in FIELD.findall(fields)}
    what |= {"chance": chance} if faces is not None else {}
    names = rows(seat)
    try:
        change = getattr(play, name)(seat.character.pk, seat.who, new_key(), **what)
    except Refused as refused:
        field = f" ({refused.field})" if refused.field else ""
        return [f"Refused{field}: {refused.sentence}"]
    except Http404 as missing:
        return [f"Not found: {missing}"]
    assert not chance.faces, f"dice that nobody rolled: {chance.faces}"
    assert change.verb == name
    if name not in action_names():
        assert change.what.items() >= {one: value for one, value in what.items() if one not in UNWRITTEN}.items()
    names |= rows(seat)
    moved = [f"  {label(names, at)}: {in_words(change.before[at], change.after[at])}" for at in change.after]
    rolls = RollRecord.objects.filter(change=change).order_by("pk")
    return [change.sentence, *sorted(moved), *[f"  {roll_in_words(seat, names, roll)}" for roll in rolls]]


def of(seat, value, *, typed):
    """The value of a field: a row's name becomes its id, and an argument of a verb (`typed`) gets its own type."""
    value = value[1:-1] if value[:1] in ("'", '"') else value
    if value == "{roll}":
        return str(seat.character.rolls.filter(follows=None).latest("pk").pk)
    if value == "{change}":
        return str(seat.fresh.version)
    if value == "{seen}":
        return seen(sheet_of(seat.fresh)[0], seat.fresh.version)
    names = {name: at for at, name in rows(seat).items()} if "{" in value else {}
    value = re.sub(r"\{(\w+:)?([^{}\":]+)\}", lambda found: row(names, *found.groups()), value)
    if typed and re.fullmatch(r"-?\d+|true|false|null|[\[{].*", value):
        return json.loads(value)
    return value


def row(names, word, called):
    at = next(at for name, at in names.items() if name.partition(":")[2] == called)
    return at if word else at.partition(":")[2]


def rows(seat):
    """The name of each row, such as `item:rope`, by its address, in the order of the rows."""
    character = seat.fresh
    known = seat.__dict__.setdefault("names", {})
    if character.version not in known:
        known[character.version] = named(stored(character))
    return dict(known[character.version])


def named(facts):
    found = {}
    for at, value in sorted(facts.items(), key=lambda fact: (len(fact[0]), fact[0])):
        word = at.partition(":")[0]
        if word in ROWS:
            name = f"{word}:{next(value[key] for key in CALLED if value.get(key))}"
            name = re.sub("(weapon|armor|gear|tool):", "", name).replace("\n", " / ")
            found[at] = name if name not in found.values() else f"{name}, another"
    return found


def label(names, at):
    if at.startswith("used:"):
        return f"used of {names.get('item:' + at[5:], at)}"
    return names.get(at, at)


def in_words(before, after):
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
        return ", ".join(f"{key} {said(before.get(key))} → {said(after.get(key))}" for key in sorted(keys))
    return f"{said(before)} → {said(after)}"


def said(value):
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
        return "a moment"
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True).replace('"', "")


def roll_in_words(seat, names, roll):
    named = {**names, str(roll.aspect): names.get(roll.aspect, roll.aspect)}
    dice = ", ".join(f"{name} {number}" for name, number in roll.dice_because)
    added = ", ".join(f"{name} {number:+}" for name, number in roll.modifiers)
    more = {name: getattr(roll, name) for name in Rolled.__dataclass_fields__ if name not in SHOWN}
    more = [f"{name} {value}" for name, value in more.items() if value != getattr(PLAIN, name)]
    more += [f"follows {roll.follows.kind} {roll.follows.key}"] if roll.follows else []
    more += [f"aspect {named[roll.aspect]}"] if roll.aspect else []
    faces = " ".join(map(str, roll.faces)) or "no dice"
    key = KEY.sub(lambda found: called(names, found[0], found["grip"]), roll.key)
    because = f"{f' ({dice})' if dice else ''}{f' {added}' if added else ''}"
    return f"{roll.kind} {key} “{roll.name}”: {faces}{because} = {roll.total}{''.join(f'; {one}' for one in more)}"
