"""The form of an entry of homebrew: first name and text, then what a thing of its kind must have, then what it does."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Model, QuerySet
from django.utils.html import format_html, format_html_join
from django.utils.text import slugify

from characters.change.refusals import Refused
from characters.change.text_input import clean
from rules.compile import bundle_for
from rules.engine.phrases import MINUS
from rules.entries import FULL, MOST_ENTRIES, entries_of, others_of
from rules.games import GAMES
from rules.homebrew import found_by_authors, readable_by
from rules.models import Ability, Choice, Element, Source
from rules.models.vocabulary import CostClass, Kind, Status
from rules.packs.scalars import LONGEST_TEXT, RANGES
from rules.patterns.form import SentencesForm
from rules.patterns.sentences import patterns_of

from .sent_before import slug_of

SENTENCES = (
    "Change a line, or delete it, and the entry changes with it. Complete any of these and leave out what you do not "
    "need: “+1 to [statistic]” is a whole sentence. <ul>{}</ul>"
)
COLUMNS: dict[str, tuple[str, ...]] = {
    Kind.JOB: ("max_rank",),
    Kind.PATH: ("parent",),
    Kind.WEAPON: ("category", "dice", "die", "damage_type", "hands", "ranged", "cost_class"),
    Kind.ARMOR: ("category", "base_defense", "adds_ability", "ability_cap", "hands", "cost_class"),
    Kind.GEAR: ("cost_class",),
    Kind.SPELL: ("time", "range", "damage", "cantrip"),
}
ITEMS: dict[str, str] = {Kind.WEAPON: "weapons", Kind.ARMOR: "armors"}
WORDS = {
    "summary": ("In one line", "Shown on cards, where it can be chosen."),
    "text": ("Text", "What it is and what happens, in your words. You can use Markdown."),
}
LABELS = {
    "max_rank": "Highest rank",
    "parent": "Job",
    "category": "Group",
    "dice": "Damage dice",
    "die": "Sides of each die",
    "damage_type": "Damage type",
    "hands": "Hands",
    "ranged": "For shooting or throwing",
    "cost_class": "Cost",
    "base_defense": "Defense",
    "adds_ability": "Ability added to it",
    "ability_cap": "At most this much of it",
}


class EntryForm(SentencesForm):
    """`was` says which state of the entry the page showed. `note` is shown above the fields."""

    note = ""
    group = forms.ModelChoiceField(Element.objects.none(), label="Offered among", required=False, empty_label="Nothing")
    gone = forms.MultipleChoiceField(
        label="Also in it (tick to remove)",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Someone has removed that already. Look again at what you tick."},
    )
    was = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, source: Source, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.source, self.kind = source, kind
        said = [row for line in self.lines for row in line.rows]
        self.others = others_of(self.instance, said) if self.instance.pk else []
        self.fields["gone"].choices = [(one.key, one.sentence) for one in self.others]
        self._word_fields()
        if kind == Kind.FEATURE:
            if self.instance.pk:
                self.initial["group"] = self.instance.groups.values_list("pk", flat=True).first()
            self.offer("group", groups_of(source))
        else:
            del self.fields["group"]
        self.initial["was"] = stamp_of(self.instance)
        for name, rows in self._rows().items():
            if name in self.fields:
                self.offer(name, rows)
        if "cost_class" in self.fields:
            rules = bundle_for(source.ruleset)
            if not rules.game.wealth.for_sale(rules):
                del self.fields["cost_class"]
            else:
                names = rules.game.wealth.CLASSES
                self.fields["cost_class"].choices = [(n, names[n] or label) for n, label in CostClass.choices]
                if self.instance.pk is None:
                    self.initial["cost_class"] = CostClass.COMMON
        if "parent" in self.fields:
            self.fields["parent"].required = True

    def _word_fields(self) -> None:
        """Labels, help, bounds and errors of the fields, in the words of these pages."""
        self.fields["name"].error_messages["required"] = "Give it a name."
        for name, (label, help_text) in WORDS.items():
            self.fields[name].label, self.fields[name].help_text = label, help_text
        self.fields["text"].max_length = LONGEST_TEXT
        self.fields["text"].validators.append(forms.fields.validators.MaxLengthValidator(LONGEST_TEXT))
        self.fields["text"].widget.attrs["rows"] = 6
        self.fields["does"].label = "One sentence to a line"
        game = GAMES[self.source.ruleset.game]
        kinds = frozenset(one.kind for one in bundle_for(self.source.ruleset).elements.values())
        patterns = patterns_of(game.levels.NAME if game.has_levels else "", kinds)
        listed = format_html_join("", "<li>{}</li>", ((one.sentence,) for one in patterns if one.sentence))
        self.fields["does"].help_text = format_html(SENTENCES, listed)
        for name in self.fields.keys() & LABELS.keys():
            self.fields[name].label = LABELS[name]
        for field in self.fields.values():
            if most := getattr(field, "max_length", None):
                field.error_messages["max_length"] = f"That is too long: at most {most:,} characters."
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField):
                low, high = RANGES[self._meta.model._meta.get_field(name).get_internal_type()]
                sentence = f"Write a number from {low:,} to {high:,}.".replace("-", MINUS)
                field.validators = [MinValueValidator(low, sentence), MaxValueValidator(high, sentence)]

    def offer(self, name: str, rows: QuerySet[Model]) -> None:
        """Offer those of the rows that the author may name, and the one that the entry has already: a form without it
        could not be saved."""
        field, found = self.fields[name], found_by_authors(rows, self.source)
        has = rows.model.objects.filter(pk=self.initial.get(name)).exclude(pk__in=[row.pk for _, row in found])
        found += [(f"{row} (no longer offered)", row) for row in has]
        field.queryset = rows.model.objects.filter(pk__in=[row.pk for _, row in found])
        field.to_field_name = "id"  # numbers that are too large are found by no `id`, but break the `pk` of an ability
        nothing = [("", field.empty_label)] if field.empty_label is not None else []
        field.choices = [*nothing, *((row.pk, called) for called, row in found)]
        field.error_messages["invalid_choice"] = "That is not offered here any more. Choose another one."

    def _rows(self) -> dict[str, QuerySet[Model]]:
        items = ITEMS.get(self.kind)
        kept = {f"{items}__isnull": False} if items else {}
        return {
            "parent": Element.objects.filter(kind=Kind.JOB),
            "category": Element.objects.filter(kind=Kind.CATEGORY, **kept).distinct(),
            "damage_type": Element.objects.filter(kind=Kind.DAMAGE_TYPE),
            "adds_ability": Ability.objects.all(),
        }

    def clean_name(self) -> str:
        try:
            name = clean(self.cleaned_data["name"], limit=120, field="name", empty="Give it a name.")
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused
        same = entries_of(self.source).filter(kind=self.kind, name__iexact=name).exclude(pk=self.instance.pk)
        if same.exists():
            raise forms.ValidationError("This name is taken. Choose another.")
        return name

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk is None and entries_of(self.source).count() >= MOST_ENTRIES:
            raise forms.ValidationError(FULL)
        if cleaned.get("name") and "does" in cleaned:
            self.read_sentences(self.source, cleaned["name"], cleaned["does"])
        return cleaned

    def save(self, commit: bool = True) -> Element:
        """Save the entry in the working copy of its source, as part of the caller's transaction."""
        entry = self.instance
        if entry.pk is None:
            entry.source, entry.ruleset = self.source, self.source.ruleset
            entry.slug = slug_of(slugify(self.cleaned_data["name"]) or "entry", self.data, self.source, self.kind)
            entry.status = Status.PUBLISHED
        saved: Element = super().save(commit)
        if "group" in self.fields:
            saved.groups.set([one] if (one := self.cleaned_data["group"]) else [])
        self.write_sentences(saved)
        return saved


def groups_of(source: Source) -> QuerySet[Element]:
    """The groups whose members some choice of the rules offers."""
    asked = Choice.objects.filter(owner__source__in=readable_by(source), filter_kind=Kind.FEATURE)
    return Element.objects.filter(pk__in=asked.exclude(filter_group=None).values("filter_group"))


def stamp_of(entry: Element) -> str:
    return entry.updated.isoformat() if entry.pk and entry.updated else ""
