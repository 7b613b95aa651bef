"""The form of a homebrew spell. Players copy the spell onto their sheets, so it has the fields that a sheet asks
for."""

from dataclasses import replace
from typing import Any

from django import forms

from rules.compile import bundle_for
from rules.engine.build import Spell
from rules.games.spell_entries import unfit_parts
from rules.homebrew import found_by_authors
from rules.models import Ability, Source

from .entry_form import EntryForm

EXAMPLES = {"time": "e.g. action", "range": "e.g. 60 ft", "damage": "e.g. 2d6 fire"}


class SpellForm(EntryForm):
    """A form without sentences on what a spell does: a sheet copies the spell's words, but none of its rows."""

    note = "Players add a copy to their sheets. What you change here later does not change theirs."
    test = forms.ChoiceField(
        label="Attack or save", required=False, error_messages={"invalid_choice": "Choose one of those."}
    )
    field_order = ("name", "summary", "text", "time", "range", "test", "damage", "cantrip")

    def __init__(self, source: Source, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(source, kind, *args, **kwargs)
        del self.fields["does"]
        self.bundle = bundle_for(source.ruleset)
        self.abilities = {one.slug: one for _, one in found_by_authors(Ability.objects.all(), source)}
        self.tests = {word: Spell("", attack=word) for word in self.bundle.game.spells.ATTACKS}
        self.tests |= {slug: Spell("", saving_throw=slug) for slug in self.abilities}
        self.fields["test"].choices = [("", "Neither"), *((test, self.called(one)) for test, one in self.tests.items())]
        save = self.instance.saving_throw
        self.initial["test"] = self.instance.attack or (save.slug if save else "")
        for name, example in EXAMPLES.items():
            self.fields[name].help_text = ""
            self.fields[name].widget.attrs["placeholder"] = example
        self.fields["text"].help_text = "What happens, in your words."

    def called(self, spell: Spell) -> str:
        return self.bundle.game.spells.in_words(self.bundle, spell).removesuffix(".")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        said = {name: cleaned.get(name, "") for name in ("name", "damage", "text")}
        spell = replace(self.tests.get(cleaned.get("test", ""), Spell("")), **said)
        self.instance.attack, self.instance.saving_throw = spell.attack, self.abilities.get(spell.saving_throw)
        for field, sentence in unfit_parts(self.bundle, spell):
            self.add_error(field, sentence)
        return cleaned
