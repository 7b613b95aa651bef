"""Aspects in the builder: rolled from what the background suggests, deleted by their words."""

from random import Random

from characters.actions.action_context import CHANCE
from characters.actions.story import KINDS, LIMITS, Gone, added
from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.change.text_input import clean, who
from characters.models import Change
from characters.people import Person
from rules.engine import Bundle
from rules.engine.content import Suggestion
from rules.engine.sheet import Sheet
from rules.games.outcome import listed
from rules.games.sections import with_article


def roll_aspect(pk: int, person: Person, key: str, *, kind: str, chance: Random = CHANCE) -> Change:
    """Add an aspect by a roll on the table of the character's background."""
    if kind not in KINDS:
        raise Refused("An aspect is a trait, an ideal, a bond or a flaw.", "kind")

    def act(draft: Draft) -> str:
        rows = suggested(draft.bundle, draft.before.sheet, kind)
        if not rows:
            raise Refused("Choose a background first: it brings the aspects to roll for.", "roll")
        row = chance.choice(rows)
        return f"{_add(draft, kind, row.text)} Rolled {row.number} on a d{len(rows)}."

    return perform(pk, person, "roll_aspect", key, {"kind": kind}, act)


def roll_missing_aspects(pk: int, person: Person, key: str, *, chance: Random = CHANCE) -> Change:
    """Add an aspect of each kind that the character lacks, none of them at odds with the disposition."""

    def act(draft: Draft) -> str:
        had = draft.build.aspects
        rolled = draft.bundle.game.chance.with_aspects(draft.bundle, draft.build, chance).aspects[len(had) :]
        if not rolled:
            raise Refused("You have one of each already.", "roll")
        for kind, text in rolled:
            _add(draft, kind, text)
        return f"{who(draft)} rolls {listed([f'a new {KINDS[kind]}' for kind, _ in rolled])}."

    return perform(pk, person, "roll_missing_aspects", key, {}, act)


def _add(draft: Draft, kind: str, text: str) -> str:
    text = clean(text, limit=LIMITS["aspect"], field="text")
    return added(draft, "aspect", {"kind": kind, "text": text}, f"a new {KINDS[kind]}")


def drop_aspect(pk: int, person: Person, key: str, *, kind: str, text: str) -> Change:
    """Delete the aspect of this kind with this text; only one, if two are alike."""

    def act(draft: Draft) -> str:
        standing = draft.all_of("aspect").items()
        address = next((at for at, value in standing if (value["kind"], value["text"]) == (kind, text)), None)
        if address is None:
            raise Gone("Someone has deleted this.", "drop")
        draft.put(address, None)
        return f"{who(draft)} deletes {with_article(KINDS[kind])}."

    return perform(pk, person, "drop_aspect", key, {"kind": kind, "text": text}, act)


def suggested(bundle: Bundle, sheet: Sheet, kind: str) -> list[Suggestion]:
    """The rows of this kind that the character's own backgrounds suggest."""
    return [row for row in bundle.suggestions if row.aspect == kind and row.background in sheet.active]
