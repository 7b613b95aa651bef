"""Aspects, relationships and notes; spells."""

from characters.journal import Refused
from characters.play.fields import MOST_TEXT, SheetOf, maybe, row, tick, word
from characters.verbs import play

from .registry import action


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


def spell_fields():
    return {
        "name": maybe(MOST_TEXT),
        "time": maybe(MOST_TEXT),
        "range": maybe(MOST_TEXT),
        "cantrip": tick(),
        "test": maybe(),
        "damage": maybe(MOST_TEXT),
        "text": maybe(MOST_TEXT),
    }


@action("spells", **spell_fields())
def add_spell(pk, person, key, **spell):
    return play.add_spell(pk, person, key, **spell)


@action("spells", "spell", spell=row(), was=maybe(64), do=maybe(20), **spell_fields())
def edit_spell(pk, person, key, *, do, spell, was, **fields):
    if do == "remove":
        return play.remove_spell(pk, person, key, spell=spell)
    return play.edit_spell(pk, person, key, spell=spell, was=was, **fields)
