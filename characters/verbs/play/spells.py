"""Spells in the player's words: noted on the sheet, rewritten, taken away and cast (section 29, ruling 89)."""

from dataclasses import asdict

from characters.journal import Draft, Refused, perform
from characters.prose import mark_of
from characters.words import clean, who, whole
from rules.engine.build import Spell

from .prose import Conflict, Gone, added, lines
from .rolls import asked_of, invoke
from .table import CHANCE, play


def add_spell(pk, person, key, **spell):
    """Note a spell, with the fields of `checked`. Refused where the house rules have no magic."""
    value = checked(**spell)

    def act(draft):
        return added(draft, "spell", fitting(draft, value), f"a new spell, {value['name']}")

    return perform(pk, person, "add_spell", key, value, act)


def edit_spell(pk, person, key, *, spell, was, **fields):
    """Rewrite a spell. `was` is the mark of what the writer started from; Conflict where that has been rewritten."""
    address, value = address_of(spell), checked(**fields)

    def act(draft):
        stands = standing(draft, address)
        after = {**fitting(draft, value), "position": stands["position"]}
        if was != mark_of(stands) and after != stands:
            raise Conflict(value["text"], told(draft, stands))
        draft.put(address, after)
        return f"{who(draft)} rewrites the spell {value['name']}."

    return perform(pk, person, "edit_spell", key, {"spell": spell, "was": was, **value}, act)


def remove_spell(pk, person, key, *, spell):
    """Take a spell away; undo brings it back."""
    address = address_of(spell)

    def act(draft):
        name = standing(draft, address)["name"]
        draft.put(address, None)
        return f"{who(draft)} takes the spell {name} away."

    return perform(pk, person, "remove_spell", key, {"spell": spell}, act)


def cast(pk, person, key, *, spell, aspect="", chance=CHANCE, **how):
    """Cast a spell, by the id of its row: `how` its attack is rolled are the words of `asked_of`."""
    asked = asked_of(**how)

    def happen(table):
        invoke(table, aspect, asked)
        return table.game.cast(*table.rules, str(spell), asked, chance)

    return play(pk, person, key, "cast", happen, spell=str(spell), aspect=aspect, **asdict(asked))


def checked(*, name, time="", range="", cantrip=False, test="", damage="", text="") -> dict:  # noqa: A002
    """A spell as it is stored, all but its test, which only the rules of its game can read: melee or ranged for a
    spell attack, the slug of an ability for a saving throw, or ""."""
    return {
        "name": clean(name, limit=80, field="name", empty="Name the spell."),
        "time": clean(time, limit=40, field="time"),
        "range": clean(range, limit=40, field="range"),
        "cantrip": bool(cantrip),
        "test": clean(test, limit=60, field="test"),
        "damage": clean(damage, limit=40, field="damage"),
        "text": lines(text) if not isinstance(text, str) or text.strip() else "",
    }


def fitting(draft: Draft, value: dict) -> dict:
    """What is stored of a checked spell; Refused where the rules of its game have no such spell, or no magic."""
    rules = draft.bundle.game.spells
    if not rules.has_magic(draft.bundle, draft.build):
        raise Refused("The house rules have no magic.", "name")
    test, stored = value["test"], {name: part for name, part in value.items() if name != "test"}
    attack = test in rules.ATTACKS
    stored |= {"attack": test if attack else "", "saving_throw": "" if attack else test}
    for field, sentence in rules.unfit_parts(draft.bundle, Spell(**stored)):
        raise Refused(sentence, "test" if field == "saving_throw" else field)
    return stored


def address_of(spell) -> str:
    return f"spell:{whole(spell, least=1, most=2**62, field='spell')}"


def standing(draft: Draft, address: str) -> dict:
    value = draft.read(address)
    if value is None:
        raise Gone("It is no longer there. Somebody has taken it away.", "name")
    return value


def told(draft: Draft, value: dict) -> str:
    spell = Spell(**{name: part for name, part in value.items() if name != "position"})
    words = draft.bundle.game.spells.in_words(draft.bundle, spell)
    return "\n".join(line for line in (spell.name, words, spell.text) if line)
