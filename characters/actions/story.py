"""Aspects, relationships and notes, edited in place.

An edit names the text it started from by its `digest`. If someone else has rewritten it in the meantime, nothing is
stored and both texts are shown.
"""

from typing import Any

from characters.access import visible_to
from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.refusals import Refused, StalePage
from characters.change.text_input import clean, who
from characters.models import Aspect, Character
from characters.people import Person
from characters.read.prose import digest
from rules.games.outcome import Outcome
from rules.games.sections import with_article
from rules.games.table_action import STORY, OneOf, RowNumber, SheetAddress, TableAction, Text, Tick, Word

from .action_context import ActionContext

KINDS = dict(Aspect.KINDS)
LIMITS = {"aspect": 300, "relationship": 300, "note": 4_000}
MOST = {"aspect": 40, "relationship": 40, "note": 100, "spell": 100}


class Gone(Refused):
    """The text no longer exists."""


def add_aspect(at: ActionContext, *, kind: str, text: str) -> Outcome:
    """Add a trait, ideal, bond or flaw (section 7.1)."""
    return Outcome(added(at.draft, "aspect", {"kind": kind, "text": text}, f"a new {KINDS[kind]}"))


def add_relationship(
    at: ActionContext, *, other: str, based_on: str, text: str, agreed: bool, linked: int | None, address: int | None
) -> Outcome:
    """Add a relationship with another character, built on one of their aspects; it counts once both players agree
    (section 7.2).

    `linked` is the id of a character that this person may see; a pasted `address` takes its place. Without `other`, the
    relationship is named after that character.
    """
    companion = seen(at, linked, address)
    if not other and companion is None:
        raise Refused("Name the other character.", "other")
    facts = {"other": other or str(companion), "based_on": based_on, "text": text, "agreed": agreed}
    if companion:
        facts["linked_id"] = companion.pk
    return Outcome(added(at.draft, "relationship", facts, f"a relationship with {facts['other']}"))


def link(at: ActionContext, *, relationship: int, linked: int | None, address: int | None) -> Outcome:
    """Set which character of this site a relationship is with, by its id; None unlinks it."""
    place = f"relationship:{relationship}"
    facts = {name: part for name, part in existing(at.draft, place).items() if name != "linked_id"}
    companion = seen(at, linked, address)
    at.draft.put(place, {**facts, "linked_id": companion.pk} if companion else facts)
    leads = f"now leads to the sheet of {companion}" if companion else "no longer leads to a sheet"
    return Outcome(f"The relationship of {who(at.draft)} with {facts['other']} {leads}.")


def agree(at: ActionContext, *, relationship: int, agreed: bool) -> Outcome:
    """The other player agrees to a relationship, or no longer does."""
    place = f"relationship:{relationship}"
    facts = existing(at.draft, place)
    at.draft.put(place, {**facts, "agreed": agreed})
    words = "agreed" if agreed else "open again"
    return Outcome(f"The relationship of {who(at.draft)} with {facts['other']} is {words}.")


def add_note(at: ActionContext, *, text: str) -> Outcome:
    return Outcome(added(at.draft, "note", {"text": text}, "a note"))


def edit(at: ActionContext, *, address: str, text: str, was: str) -> Outcome:
    """Rewrite an aspect, relationship or note in place. `was` is the digest of the text that the writer started from.

    Raises StalePage with the stored text if it has changed since.
    """
    word = kind_of(address)
    if word != "note":
        text = clean(text, limit=LIMITS[word], field="text")
    try:
        value = existing(at.draft, address)
    except Gone as gone:
        raise Refused(f"{gone.sentence} You can keep what you wrote as a note.", "text", "add-note") from gone
    if was != digest(value["text"]) and text != value["text"]:
        raise StalePage(field="text", stored=value["text"])
    agreed = {"agreed": False} if word == "relationship" and text != value["text"] else {}
    at.draft.put(address, {**value, "text": text, **agreed})
    return Outcome(f"{who(at.draft)} rewrites {with_article(word)}.")


def remove(at: ActionContext, *, address: str) -> Outcome:
    """Remove an aspect, relationship or note; undo brings it back."""
    word = kind_of(address)
    existing(at.draft, address)
    at.draft.put(address, None)
    return Outcome(f"{who(at.draft)} deletes {with_article(word)}.")


def added(draft: Draft, word: str, value: dict[str, Any], what: str) -> str:
    if len(draft.all_of(word)) >= MOST[word]:
        raise Refused(f"At most {MOST[word]} {word}s: delete one first.", "name" if word == "spell" else "text")
    draft.append(word, value)
    return f"{who(draft)} has {what}."


def seen(at: ActionContext, linked: int | None, address: int | None) -> Character | None:
    """Another character that this person may see. A missing character and one that they may not see are refused
    alike."""
    pk = address or linked
    if pk is None:
        return None
    found = Character.objects.filter(visible_to(at.person or Person()), pk=pk).exclude(pk=at.draft.character.pk).first()
    if found is None:
        field = "address" if address else "linked"
        raise Refused("There is no other character at that address, or you may not see it.", field)
    return found


def kind_of(address: str) -> str:
    word = fact_address.namespace(address)
    if word not in LIMITS:
        raise Refused("There is no such text.", "address")
    return word


def existing(draft: Draft, address: str, field: str = "address") -> dict[str, Any]:
    value = draft.read(address)
    if value is None:
        raise Gone("Someone has deleted this.", field)
    return value


ADDRESS = Word(80)
A_RELATIONSHIP = RowNumber("There is no such relationship.")
OTHERS = RowNumber("There is no such character.", needed=False)
ACTIONS = (
    TableAction(
        "add_aspect",
        add_aspect,
        STORY,
        "aspects",
        {
            "kind": OneOf(tuple(KINDS), "An aspect is a trait, an ideal, a bond or a flaw."),
            "text": Text(LIMITS["aspect"], empty="Write the aspect."),
        },
    ),
    TableAction(
        "add_relationship",
        add_relationship,
        STORY,
        "aspects",
        {
            "other": Text(80),
            "based_on": OneOf(tuple(KINDS), "Build it on a trait, an ideal, a bond or a flaw."),
            "text": Text(LIMITS["relationship"], empty="Write the relationship."),
            "agreed": Tick(),
            "linked": OTHERS,
            "address": SheetAddress(),
        },
    ),
    TableAction(
        "link",
        link,
        STORY,
        "aspects",
        {"relationship": A_RELATIONSHIP, "linked": OTHERS, "address": SheetAddress()},
        by=("relationship",),
    ),
    TableAction(
        "agree",
        agree,
        STORY,
        "aspects",
        {"relationship": A_RELATIONSHIP, "agreed": Tick(otherwise=True)},
        by=("relationship",),
    ),
    TableAction(
        "add_note", add_note, STORY, "aspects", {"text": Text(LIMITS["note"], empty="Write something.", lines=True)}
    ),
    TableAction(
        "edit",
        edit,
        STORY,
        "aspects",
        {"address": ADDRESS, "text": Text(LIMITS["note"], empty="Write something.", lines=True), "was": Word(64)},
        by=("address",),
    ),
    TableAction("remove", remove, STORY, "aspects", {"address": ADDRESS}, form="edit", by=("address",)),
)
