"""The sources that a character may choose content from: put in play or left out, after a preview of what that
changes."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict

from characters import verbs
from characters.models import Change
from characters.read.open_sources import lacking, optional_sources
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from rules.engine import Build, Bundle, derive, difference
from rules.models import ELEMENT_CLASSES, Source

from .comparison_text import comparison_sections
from .trial import RulesTrial, TrialPage

IN, OUT = ("in", "In play"), ("out", "Left out")


class SourcesForm(forms.Form):
    """One field a source, named by its slug. `data` None shows what is in play."""

    prefix = "source"

    def __init__(self, data: Mapping[str, Any] | None, *, offered: dict[str, Source], build: Build) -> None:
        self.offered = offered
        self.in_play = build.sources & offered.keys()
        super().__init__(data, initial={slug: IN[0] if slug in self.in_play else OUT[0] for slug in offered})
        for slug, source in offered.items():
            words = dict.fromkeys(("required", "invalid_choice"), "Choose whether it is in play.")
            self.fields[slug] = forms.ChoiceField(label=source.title, choices=[IN, OUT], error_messages=words)

    def clean(self) -> None:
        for slug, sentence in lacking(self.offered, self.wanted).items():
            self.add_error(slug, sentence)

    @property
    def wanted(self) -> frozenset[str]:
        return frozenset(slug for slug, value in self.cleaned_data.items() if value == IN[0])

    @property
    def apart(self) -> list[str]:
        """The sources whose state now differs from this form's, in words."""
        turned = self.wanted ^ self.in_play
        return [
            f"“{source.title}” is {'in play' if slug in self.in_play else 'left out'}"
            for slug, source in self.offered.items()
            if slug in turned
        ]


@dataclass(frozen=True)
class SourceRow:
    """A source as the page shows it. `brings` counts its elements of each kind."""

    source: Source
    brings: str
    field: forms.BoundField
    changed: bool


class SourcesPage(TrialPage):
    name = "sources"
    form: SourcesForm

    def form_of(self, data: QueryDict | None) -> SourcesForm:
        build = self.opened.build
        offered = optional_sources(self.opened.character.ruleset_id, self.opened.visitor, build.sources)
        return SourcesForm(data, offered=offered, build=build)

    def trial(self) -> RulesTrial:
        opened, form = self.opened, self.form
        ruleset, wanted = opened.character.ruleset, form.wanted
        there = derive(bundle_for(ruleset, wanted), replace(opened.build, sources=wanted))
        both = bundle_for(ruleset, opened.build.sources | wanted)
        moves = difference(opened.sheet, there)
        words = {True: IN[1], False: OUT[1]}
        return RulesTrial(
            rules=tuple(
                (source.title, words[slug in form.in_play], words[slug in wanted])
                for slug, source in form.offered.items()
                if slug in form.in_play ^ wanted
            ),
            sections=comparison_sections(both, moves),
            saw=seen(both, opened.character.version),
        )

    def keep(self, key: str, saw: str) -> Change:
        return verbs.set_sources(self.opened.character.pk, self.opened.visitor, key, sources=self.form.wanted, saw=saw)

    def more(self) -> dict[str, Any]:
        ruleset, form = self.opened.character.ruleset, self.form
        brings = brought(bundle_for(ruleset, form.offered))
        return {
            "core": Source.objects.published().filter(ruleset=ruleset.pk, is_core=True),
            "rows": [
                SourceRow(source, brings[slug], form[slug], form[slug].value() != form[slug].initial)
                for slug, source in form.offered.items()
            ],
        }


def brought(bundle: Bundle) -> dict[str, str]:
    """By source, the number of elements that it publishes of each kind: `1 job, 3 talents`."""
    found: dict[str, list[str]] = defaultdict(list)
    published = Counter((one.source, one.kind) for one in bundle.elements.values() if one.status == "published")
    for (source, kind), count in sorted(published.items()):
        names = ELEMENT_CLASSES[kind]._meta
        one, several = bundle.kinds.get(kind) or (names.verbose_name, names.verbose_name_plural)
        found[source].append(f"{count} {one if count == 1 else several}")
    return defaultdict(str, {source: ", ".join(parts) for source, parts in found.items()})
