"""What may be asked for at the table: for each action its fields with their shapes and bounds, and the verb it calls.

The rules are asked by the verbs; a field only says what it may hold.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms

from characters import verbs
from characters.journal import Refused, fingerprint_of
from characters.verbs import play

from .fields import (
    MOST_TEXT,
    SheetOf,
    asked_how,
    downtime_asked,
    faces,
    how_fields,
    key,
    maybe,
    number,
    others_ranks,
    row,
    tick,
    word,
)


@dataclass(frozen=True)
class Action:
    """`region` is where its form stands; `by` names the fields that tell several such forms of a page apart.

    No `forms.Form`: that copies its fields for every request, and the page's own templates draw these forms.
    """

    slug: str
    fields: dict[str, forms.Field]
    do: Callable
    region: str
    by: tuple[str, ...]

    def read(self, posted) -> dict:
        """What was asked for by the name of the field. Raises Refused at the first that cannot be read."""
        asked = {}
        for name, field in self.fields.items():
            try:
                asked[name] = field.clean(field.widget.value_from_datadict(posted, {}, name))
            except forms.ValidationError as error:
                raise Refused(error.messages[0], name) from error
        return asked

    def place(self, posted) -> str:
        """The name of the form on its page."""
        return "-".join([self.slug, *(posted.get(field, "")[:80].replace(":", "-") for field in self.by)])


ACTIONS: dict[str, Action] = {}
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
}
AN_AMOUNT = "Type an amount such as 7."
A_ROLL = "Choose what to roll: press Roll, Attack or Damage beside it."


def region_of(posted) -> str:
    """The region that has what a form of the tray is about; the vital numbers where that is not told."""
    return ROLLED_AT.get(posted.get("roll", "").partition(".")[0], "vitals")


def action(region: str, *by: str, **fields: forms.Field):
    """Register a function `(pk, person, key, **fields)` as the action of its name."""

    def register(do):
        slug = do.__name__.replace("_", "-")
        ACTIONS[slug] = Action(slug, {"key": key(), **fields}, do, region, by)
        return do

    return register


# Health, wounds and every other counter.


@action(
    "vitals",
    amount=word(20, error_messages={"required": AN_AMOUNT}),
    type=maybe(),
    also=number(least=0),
    also_type=maybe(),
    firearm=tick(),
    critical=tick(),
    near=tick(),
    do=maybe(20),
)
def hit(pk, person, key, *, amount, type, also, also_type, firearm, critical, near, do):
    if do not in ("damage", "heal"):
        return play.adjust(pk, person, key, resource="health", amount=amount)
    signs = "+" if do == "heal" else "-−–"  # as the number moves
    bare = amount.strip()
    bare = bare[1:] if bare[:1] and bare[0] in signs else bare
    if not (bare.isascii() and bare.isdigit() and len(bare) < 8):
        raise Refused(AN_AMOUNT, "amount")
    if do == "heal":
        return play.heal(pk, person, key, amount=int(bare))
    amounts = [(int(bare), type), *([(also, also_type)] if also else [])]
    return play.take_damage(pk, person, key, amounts=amounts, firearm=firearm, critical=critical, near=near)


@action("vitals", "resource", resource=word(80), by=maybe(20), amount=maybe(20))
def adjust(pk, person, key, *, resource, by, amount):
    try:
        return play.adjust(pk, person, key, resource=resource, amount=by or amount)
    except Refused as refused:
        if by and refused.field == "amount":  # a button was pressed: nothing is wrong in the field beside it
            raise Refused(refused.sentence, "by") from refused
        raise


@action("vitals", "action", action=word(80), faces=faces())
def use(pk, person, key, *, action, faces):
    return play.use(pk, person, key, action=action, faces=faces)


@action("down", **how_fields())
def death_save(pk, person, key, **how):
    return play.death_save(pk, person, key, **asked_how(how))


@action("down")
def cheat_death(pk, person, key):
    return play.cheat_death(pk, person, key)


@action("down", medic=tick())
def stabilize(pk, person, key, *, medic):
    return play.stabilize(pk, person, key, medic=medic)


# Conditions and circumstances.


@action("conditions", condition=word(), source=maybe(500), until=maybe(500), rounds=number(least=1), stacks=number())
def add_condition(pk, person, key, *, condition, source, until, rounds, stacks):
    what = {"condition": condition, "source": source, "until": until}
    return play.add_condition(pk, person, key, **what, rounds=rounds or 0, stacks=1 if stacks is None else stacks)


@action("conditions", condition=word(), source=maybe(500))
def remove_condition(pk, person, key, *, condition, source):
    return play.remove_condition(pk, person, key, condition=condition, source=source)


@action("conditions", switch=word())
def toggle(pk, person, key, *, switch):
    """`switch` is `+` or `-` and the circumstance."""
    return play.toggle(pk, person, key, circumstance=switch[1:], on=switch[:1] == "+")


@action("times")
def next_round(pk, person, key):
    return play.next_round(pk, person, key)


# Rests and times.


@action("rest", "rest", rest=word(60))
def begin_rest(pk, person, key, *, rest):
    return play.begin_rest(pk, person, key, rest=rest)


@action("rest", faces=faces())
def rest_die(pk, person, key, *, faces):
    return play.spend_rest_die(pk, person, key, faces=faces)


@action("rest", medic=maybe(5), by=maybe(500))
def treat_wounds(pk, person, key, *, medic, by):
    return play.treat_wounds(pk, person, key, medic={"yes": True, "no": False}.get(medic), by=by)


@action("rest")
def finish_rest(pk, person, key):
    return play.finish_rest(pk, person, key)


@action("rest", strenuous_minutes=number(least=0))
def long_rest(pk, person, key, *, strenuous_minutes):
    return play.long_rest(pk, person, key, strenuous_minutes=strenuous_minutes or 0)


@action("rest")
def end_adventure(pk, person, key):
    return play.end_adventure(pk, person, key)


@action(
    "rest",
    days=number(required=True),
    activity=maybe(500),
    notes=maybe(MOST_TEXT),
    outcome=maybe(MOST_TEXT),
    restore=tick(),
    ranks=number(),
    points=number(),
    learn=maybe(),
    shown=maybe(64),
)
def downtime(pk, person, key, *, shown, **asked):
    """`shown` tells for what of these fields the page has said what it would change."""
    if shown and shown != fingerprint_of(**asked):
        raise Refused("This is not what was looked at. Look at what it changes first.")
    return play.spend_downtime(pk, person, key, **downtime_asked(asked))


# Dice.


@action("tray", roll=word(160, error_messages={"required": A_ROLL}), ability=maybe(60), **how_fields())
def roll(pk, person, key, *, roll, ability, **how):
    """`roll` is a key of the sheet, or `attack.`, `damage.` or `critical.` with a weapon and its grip, `reload.` with a
    weapon, `use.` with an action that rolls dice, or the death save."""
    kind, _, rest = roll.partition(".")
    if kind == "reload":
        return play.reload(pk, person, key, item=rest)
    how = asked_how(how)
    if kind == "use":
        faces = how.pop("faces")
        if ability or any(how.values()):
            raise Refused("Only real dice go with this.")
        return play.use(pk, person, key, action=rest, faces=faces)
    if kind not in ("attack", "damage", "critical", "death-save"):
        return play.roll(pk, person, key, roll=roll, ability=ability, **how)
    if ability:
        raise Refused("This goes with no other ability.", "ability")
    if kind == "death-save":
        return play.death_save(pk, person, key, **how)
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


# Things.


@action("equipment", "item", item=row(), state=maybe(20), quantity=number(), do=maybe(20))
def thing(pk, person, key, *, item, state, quantity, do):
    if do == "drop":
        return verbs.remove_item(pk, person, key, item=item)
    if do == "reload":
        return play.reload(pk, person, key, item=item)
    if state:
        return verbs.equip(pk, person, key, item=item, state=state)
    return verbs.set_quantity(pk, person, key, item=item, quantity=quantity)


@action("equipment", custom=word(MOST_TEXT), quantity=number())
def add_thing(pk, person, key, *, custom, quantity):
    return verbs.add_item(pk, person, key, custom=custom, quantity=1 if quantity is None else quantity)


@action("equipment", search=word(5))
def gather(pk, person, key, *, search):
    return play.gather_ammunition(pk, person, key, search=search == "yes")


@action("equipment", ref=word(), ranks=others_ranks(), quantity=number())
def buy_together(pk, person, key, *, ref, ranks, quantity):
    return play.purchase_together(pk, person, key, ref=ref, ranks=ranks, quantity=1 if quantity is None else quantity)


# Aspects, relationships and notes.


@action("aspects", kind=word(20), text=word(MOST_TEXT))
def add_aspect(pk, person, key, *, kind, text):
    return play.add_aspect(pk, person, key, kind=kind, text=text)


def meaning(do, *who, linked, address, **asked):
    """An address that was pasted counts before what was picked, and a refusal is about it then."""
    try:
        return do(*who, linked=address or linked, **asked)
    except Refused as refused:
        if address and refused.field == "linked":
            raise Refused(refused.sentence, "address") from refused
        raise


@action(
    "aspects",
    other=maybe(MOST_TEXT),
    based_on=word(20),
    text=word(MOST_TEXT),
    agreed=tick(),
    linked=row(required=False),
    address=SheetOf(),
)
def add_relationship(pk, person, key, **tie):
    return meaning(play.add_relationship, pk, person, key, **tie)


@action("aspects", "relationship", relationship=row(), linked=row(required=False), address=SheetOf())
def link(pk, person, key, **tie):
    return meaning(play.link, pk, person, key, **tie)


@action("aspects", "relationship", relationship=row(), agreed=maybe(5))
def agree(pk, person, key, *, relationship, agreed):
    return play.agree(pk, person, key, relationship=relationship, agreed=agreed == "yes")


@action("aspects", text=word(MOST_TEXT))
def add_note(pk, person, key, *, text):
    return play.add_note(pk, person, key, text=text)


@action("aspects", "address", address=word(80), text=maybe(MOST_TEXT), was=maybe(64), do=maybe(20))
def edit(pk, person, key, *, address, text, was, do):
    if do == "remove":
        return play.remove(pk, person, key, address=address)
    try:
        return play.edit(pk, person, key, address=address, text=text, was=was)
    except play.Gone as gone:
        raise Refused(f"{gone.sentence} What you wrote can be kept as a note.", "text", "add-note") from gone


# History.


@action("tray", "change", change=row())
def undo(pk, person, key, *, change):
    return play.undo(pk, person, key, change)


@action("history", name=word(MOST_TEXT))
def mark(pk, person, key, *, name):
    return play.mark(pk, person, key, name=name)
