"""The admin's forms as an editor fills them in, and a small game to edit."""

import pytest
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils import timezone

from rules import models


class Game:
    """A small game: three statistics in a line, a talent, a job, circumstances."""

    def __init__(self, slug):
        self.ruleset = models.Ruleset.objects.create(slug=slug, name=slug.title(), game="polyhedral")
        self.source = models.Source.objects.create(
            ruleset=self.ruleset,
            slug=f"{slug}-core",
            title=f"{slug} core",
            is_core=True,
            revision=1,
            edited=timezone.now(),
        )
        self.core = self.element(models.CoreRules, "core-rules")
        self.defense = self.stat("defense", "Defense")
        self.agility = self.stat("agility", "Agility")
        self.modifier = self.stat("agility-modifier", "Agility modifier")
        models.StatModifier.objects.create(owner=self.core, stat=self.defense, op="base", of_stat=self.modifier)
        models.StatModifier.objects.create(owner=self.core, stat=self.modifier, op="base", of_stat=self.agility)
        self.armored = self.circumstance("wearing-armor", "while wearing armor", test="wears", word="any")
        self.veteran = self.circumstance("veteran", "once a veteran", test="level", value=5)
        self.darksight = self.element(models.Feature, "darksight")
        self.talent = self.element(models.Talent, "tough")

    def made(self, **columns):
        return {"ruleset": self.ruleset, "source": self.source, **columns}

    def stat(self, key, name):
        return models.Stat.objects.create(**self.made(key=key, name=name))

    def element(self, cls, slug, **columns):
        return cls.objects.create(**self.made(slug=slug, name=slug.replace("-", " ").title(), **columns))

    def circumstance(self, slug, name, detection="auto", **test):
        circumstance = models.Circumstance.objects.create(**self.made(slug=slug, name=name, detection=detection))
        models.CircumstanceTest.objects.create(circumstance=circumstance, **test)
        return circumstance

    @property
    def edited(self):
        return models.Source.objects.values_list("edited", flat=True).get(pk=self.source.pk)


class Form:
    """A page of the admin to fill in: `rows(inline, ...)` adds rows to an inline, `send` presses Save.

    The HTML is rendered only if `drawn`, because that is most of the work: fields and errors are in the context.
    """

    def __init__(self, client, model, obj=None, query="", *, drawn=False):
        name = f"admin:rules_{model._meta.model_name}"
        self.client, self.drawn = client, drawn
        self.url = (reverse(f"{name}_change", args=[obj.pk]) if obj else reverse(f"{name}_add")) + query
        answer = self.ask(client.get)
        assert answer.status_code == 200
        form = answer.context_data["adminform"].form
        self.data = {field.html_name: field.value() for field in form if field.value() is not None}
        self.data |= {"saw": answer.context_data["saw"]} if "saw" in answer.context_data else {}
        self.prefixes = {}
        for wrapped in answer.context_data["inline_admin_formsets"]:
            formset = wrapped.formset
            self.prefixes[type(wrapped.opts).__name__] = formset.prefix
            for part in [formset.management_form, *formset.forms]:
                self.data |= {field.html_name: field.value() for field in part if field.value() is not None}
        self.data = {key: "on" if value is True else value for key, value in self.data.items() if value is not False}

    def fill(self, **columns):
        self.data |= {name: pk_of(value) for name, value in columns.items()}
        return self

    def rows(self, inline, *rows):
        prefix = self.prefixes[inline]
        for row in rows:
            number = int(self.data[f"{prefix}-TOTAL_FORMS"])
            self.data[f"{prefix}-TOTAL_FORMS"] = number + 1
            defaults = {
                "times": 1,
                "divided_by": 1,
                "per": "once",
                "from_rank": 0,
                "order": 0,
                "quantity": 1,
                "either": 0,
            }
            self.data |= {f"{prefix}-{number}-{name}": pk_of(value) for name, value in (defaults | row).items()}
        return self

    def ask(self, method, *data):
        with pytest.MonkeyPatch.context() as patch:
            if not self.drawn:
                patch.setattr(SimpleTemplateResponse, "rendered_content", "")
            return method(self.url, *data)

    def send(self):
        return self.ask(self.client.post, self.data)

    def errors(self):
        """Every error of the answer as (field, sentence); fields of rows by their own names."""
        answer = self.send()
        assert answer.status_code == 200, "the form was accepted"
        found = list(self._errors(answer.context_data["adminform"].form))
        for wrapped in answer.context_data["inline_admin_formsets"]:
            found += [("", str(error)) for error in wrapped.formset.non_form_errors()]
            for form in wrapped.formset.forms:
                found += self._errors(form)
        return found

    @staticmethod
    def _errors(form):
        return [(name, error) for name, errors in form.errors.items() for error in errors]


def pk_of(value):
    return getattr(value, "pk", value)


def new_talent(editor, **columns):
    return Form(editor, models.Talent).fill(**{"name": "Wary", "slug": "wary", "status": "published"} | columns)
