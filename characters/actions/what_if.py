"""The effect of an act on a character, found with the very procedure that would do it."""

from dataclasses import dataclass

from characters.change.draft import Draft
from characters.change.history_entries import between
from characters.change.journal import Act
from characters.change.refusals import Refused
from characters.models import Character
from characters.read.versions import Version
from rules.engine.difference import DiffLine


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The sentence for the history and what would move; or why it is refused."""

    sentence: str = ""
    moves: tuple[DiffLine, ...] = ()
    refused: str = ""
    rolls: bool = False  # the dice decide what happens


def tried(character: Character, version: Version, act: Act) -> tuple[Draft, str]:
    """The draft and the sentence of an act that is tried on this version. Raises Refused as the act would. Queries no
    facts and writes nothing."""
    draft = Draft(character, version)
    return draft, act(draft)


def foreseen(character: Character, version: Version, act: Act) -> Foreseen:
    """The effect of this act on a draft of the version. Nothing is written."""
    try:
        draft, sentence = tried(character, version, act)
    except Refused as refused:
        return Foreseen(refused=refused.sentence)
    if draft.rolls:
        return Foreseen(rolls=True)
    return Foreseen(sentence, between(version.sheet, draft.sheet))
