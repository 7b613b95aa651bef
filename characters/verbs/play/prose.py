"""Aspects, relationships and notes, edited in place. An edit says which text it started from, by its `mark`; when that
has been rewritten meanwhile nothing is stored and both texts are shown."""

import unicodedata

from characters.access import visible_to
from characters.journal import Refused, perform
from characters.models import Aspect, Character
from characters.prose import mark
from characters.words import clean, who, whole

KINDS = dict(Aspect.KINDS)
LIMITS = {"aspect": 300, "relationship": 300, "note": 4_000}
MOST = {"aspect": 40, "relationship": 40, "note": 100, "spell": 100}


class Conflict(Refused):
    """The text was rewritten while somebody else was writing: `mine` is what was sent, `theirs` what stands."""

    def __init__(self, mine, theirs, field="text"):
        super().__init__("Somebody has rewritten this meanwhile. Both texts are kept: choose, or join them.", field)
        self.mine, self.theirs = mine, theirs


class Gone(Refused):
    """There is no such text any more."""


def add_aspect(pk, person, key, *, kind, text):
    """One more trait, ideal, bond or flaw (section 7.1)."""
    if kind not in KINDS:
        raise Refused("An aspect is a trait, an ideal, a bond or a flaw.", "kind")
    text = clean(text, limit=300, field="text", empty="Write the aspect.")
    return _add(pk, person, key, "aspect", {"kind": kind, "text": text}, f"a new {KINDS[kind]}")


def add_relationship(pk, person, key, *, other="", based_on, text, agreed=False, linked=None):
    """A tie to another character, built on one of their aspects; it stands once both players agree (section 7.2).

    `linked` is the id of a character that this person may see; without a name in `other` it is called by its own.
    """
    other = clean(other, limit=80, field="other", empty="" if linked else "Name the other character.")
    if based_on not in KINDS:
        raise Refused("Build it on a trait, an ideal, a bond or a flaw.", "based_on")
    text = clean(text, limit=300, field="text", empty="Write the relationship.")
    value = {"other": other, "based_on": based_on, "text": text, "agreed": bool(agreed)}

    def act(draft):
        if linked is None:
            return added(draft, "relationship", value, f"a relationship with {other}")
        companion = _seen(pk, person, linked)
        name = other or str(companion)
        tie = {**value, "other": name, "linked_id": companion.pk}
        return added(draft, "relationship", tie, f"a relationship with {name}")

    return perform(pk, person, "add_relationship", key, {**value, "linked": linked}, act)


def link(pk, person, key, *, relationship, linked=None):
    """Say which character of this site a relationship is with, by its id, or by None that it is with none."""
    address = f"relationship:{whole(relationship, least=1, most=2**62, field='relationship')}"

    def act(draft):
        tie = {name: part for name, part in _standing(draft, address).items() if name != "linked_id"}
        if linked is None:
            draft.put(address, tie)
            return f"The relationship of {who(draft)} with {tie['other']} leads to no sheet."
        companion = _seen(pk, person, linked)
        draft.put(address, {**tie, "linked_id": companion.pk})
        return f"The relationship of {who(draft)} with {tie['other']} leads to the sheet of {companion}."

    return perform(pk, person, "link", key, {"relationship": relationship, "linked": linked}, act)


def agree(pk, person, key, *, relationship, agreed=True):
    """The other player agrees to a relationship, or no longer does."""
    address = f"relationship:{whole(relationship, least=1, most=2**62, field='relationship')}"

    def act(draft):
        value = _standing(draft, address)
        draft.put(address, {**value, "agreed": bool(agreed)})
        return f"The relationship of {who(draft)} with {value['other']} is {'agreed' if agreed else 'open again'}."

    what = {"relationship": relationship, "agreed": bool(agreed)}
    return perform(pk, person, "agree", key, what, act)


def add_note(pk, person, key, *, text):
    """A note, in several lines if need be."""
    return _add(pk, person, key, "note", {"text": lines(text)}, "a note")


def edit(pk, person, key, *, address, text, was):
    """Rewrite an aspect, relationship or note in place. `was` is the mark of the text that the writer started from.

    Raises Conflict with both texts when another one stands by now.
    """
    word = _word(address)
    text = lines(text) if word == "note" else clean(text, limit=LIMITS[word], field="text", empty="Write something.")

    def act(draft):
        value = _standing(draft, address)
        if was != mark(value["text"]) and text != value["text"]:
            raise Conflict(text, value["text"])
        agreed = {"agreed": False} if word == "relationship" and text != value["text"] else {}
        draft.put(address, {**value, "text": text, **agreed})
        return f"{who(draft)}: {'an' if word == 'aspect' else 'a'} {word} is rewritten."

    return perform(pk, person, "edit", key, {"address": address, "text": text, "was": was}, act)


def remove(pk, person, key, *, address):
    """Take an aspect, relationship or note away; undo brings it back."""
    word = _word(address)

    def act(draft):
        _standing(draft, address)
        draft.put(address, None)
        return f"{who(draft)}: {'an' if word == 'aspect' else 'a'} {word} is taken away."

    return perform(pk, person, "remove", key, {"address": address}, act)


def lines(text, field="text") -> str:
    """Several lines of a player's own words: without trailing space, and only what can be stored and shown."""
    if not isinstance(text, str):
        raise Refused("That is not text.", field)
    if len(text) > LIMITS["note"] * 4:
        raise Refused(f"That is too long: at most {LIMITS['note']} characters.", field)
    text = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip()
    if any(unicodedata.category(c) in ("Cc", "Cs") and c != "\n" for c in text):
        raise Refused("There are characters in it that cannot be kept.", field)
    if not text:
        raise Refused("Write something.", field)
    if len(text) > LIMITS["note"]:
        raise Refused(f"That is too long: at most {LIMITS['note']} characters.", field)
    return text


def _add(pk, person, key, word, value, what):
    return perform(pk, person, f"add_{word}", key, value, lambda d: added(d, word, value, what))


def added(draft, word, value, what) -> str:
    standing = draft.all(word)
    if len(standing) >= MOST[word]:
        raise Refused(f"At most {MOST[word]}, please.", "name" if word == "spell" else "text")
    position = 1 + max((entry["position"] for entry in standing.values()), default=-1)
    draft.create(word, [{**value, "position": position}])
    return f"{who(draft)} has {what}."


def _seen(pk, person, linked) -> Character:
    """Another character that this person may see. One that is not there and one of somebody else's look the same."""
    whole(linked, least=1, most=2**62, field="linked")
    found = Character.objects.filter(visible_to(person), pk=linked).exclude(pk=pk).first()
    if found is None:
        raise Refused("There is no other character by that address that you may see.", "linked")
    return found


def _word(address) -> str:
    word = address.partition(":")[0] if isinstance(address, str) else ""
    if word not in LIMITS:
        raise Refused("There is no such text.", "address")
    return word


def _standing(draft, address) -> dict:
    value = draft.read(address)
    if value is None:
        raise Gone("It is no longer there. Somebody has taken it away.", "address")
    return value
