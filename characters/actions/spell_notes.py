"""Spells in the player's words: noted on the sheet, rewritten and removed (section 29, ruling 89). A spell of the rules
in play can be copied into them (decision 079)."""

from dataclasses import asdict
from typing import Any

from characters.change.draft import Draft
from characters.change.refusals import Refused, StalePage
from characters.change.text_input import who
from characters.read.prose import digest_of
from rules.engine.build import Spell
from rules.games import spell_entries
from rules.games.outcome import Outcome
from rules.games.table_action import STORY, Field, RowNumber, TableAction, Text, Tick, Word
from rules.markdown import paragraphs

from .action_context import ActionContext
from .form_values import answers_of
from .story import added, existing


def add_spell(at: ActionContext, **spell: Any) -> Outcome:
    """Note a spell. Refused where the house rules have no magic."""
    return Outcome(added(at.draft, "spell", fitting(at.draft, spell), f"a new spell, {spell['name']}"))


def learn_spell(at: ActionContext, *, ref: str) -> Outcome:
    """Note a spell of the rules in play. It is a copy in the player's words: later changes of the rules do not touch
    it."""
    found = next((one for one in at.bundle.offered("spell") if one.ref == ref), None)
    if found is None:
        raise Refused("There is no such spell.", "ref")
    spell = spell_entries.as_noted(found)
    sent = {**asdict(spell), "test": spell.attack or spell.saving_throw, "text": paragraphs(spell.text)}
    return add_spell(at, **answers_of(FIELDS, sent))


def edit_spell(at: ActionContext, *, spell: int, was: str, **fields: Any) -> Outcome:
    """Rewrite a spell. `was` is the digest of the text that the writer started from; StalePage if it has been rewritten
    since."""
    address = f"spell:{spell}"
    stands = existing(at.draft, address, "name")
    after = {**fitting(at.draft, fields), "position": stands["position"]}
    if was != digest_of(stands) and after != stands:
        raise StalePage(field="text", stored=spell_text(at.draft, stands))
    at.draft.put(address, after)
    return Outcome(f"{who(at.draft)} rewrites the spell {fields['name']}.")


def remove_spell(at: ActionContext, *, spell: int) -> Outcome:
    """Remove a spell; undo brings it back."""
    name = existing(at.draft, f"spell:{spell}", "name")["name"]
    at.draft.put(f"spell:{spell}", None)
    return Outcome(f"{who(at.draft)} deletes the spell {name}.")


def fitting(draft: Draft, value: dict[str, Any]) -> dict[str, Any]:
    """The stored parts of a spell; Refused where the rules of its game have no such spell, or no magic."""
    rules = draft.bundle.game.spells
    if not rules.has_magic(draft.bundle, draft.build):
        raise Refused("The house rules allow no magic.", "name")
    test, stored = value["test"], {name: part for name, part in value.items() if name != "test"}
    attack = test in rules.ATTACKS
    stored |= {"attack": test if attack else "", "saving_throw": "" if attack else test}
    for field, sentence in rules.unfit_parts(draft.bundle, Spell(**stored)):
        raise Refused(sentence, "test" if field == "saving_throw" else field)
    return stored


def spell_text(draft: Draft, value: dict[str, Any]) -> str:
    spell = Spell(**{name: part for name, part in value.items() if name != "position"})
    words = draft.bundle.game.spells.in_words(draft.bundle, spell)
    return "\n".join(line for line in (spell.name, words, spell.text) if line)


A_SPELL = RowNumber("There is no such spell.")
# All fields except `test` are stored as they are. Only the game's rules can read `test`: melee or ranged for a spell
# attack, the slug of an ability for a saving throw, or "".
FIELDS: dict[str, Field] = {
    "name": Text(spell_entries.LONGEST["name"], empty="Name the spell."),
    "time": Text(40),
    "range": Text(40),
    "cantrip": Tick(),
    "test": Text(60),
    "damage": Text(40),
    "text": Text(spell_entries.LONGEST["text"], lines=True),
}
ACTIONS = (
    TableAction("add_spell", add_spell, STORY, "spells", FIELDS),
    TableAction("learn_spell", learn_spell, STORY, "spells", {"ref": Word()}),
    TableAction(
        "edit_spell", edit_spell, STORY, "spells", {"spell": A_SPELL, "was": Word(64), **FIELDS}, by=("spell",)
    ),
    TableAction("remove_spell", remove_spell, STORY, "spells", {"spell": A_SPELL}, form="edit-spell", by=("spell",)),
)
