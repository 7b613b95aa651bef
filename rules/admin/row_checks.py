"""Checks of the admin's forms beyond the bounds of columns. Each adds its error at the field."""

from collections.abc import Collection, Iterable

from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet, ModelForm

from rules.contradictions import IN_VAIN, contradicting
from rules.engine.phrases import first_up
from rules.games.house_rules import unfit
from rules.homebrew import readable_by
from rules.lint import SETTLED_ONLY, is_settled
from rules.models import Circumstance, Effect, Element, Resource, Source, Switch
from rules.models.vocabulary import EffectKind, Status, SwitchType, TestWord
from rules.packs.columns import KIND_OF_COLUMN
from rules.patterns.words import article, out_of_place
from rules.stat_graph import graph_around

SETTLED_SENTENCE = f"{first_up(SETTLED_ONLY)}."
NOT_EVERYONES = "Not everyone who plays by this source has that one. Choose something else."


def check_targets(form: ModelForm, ruleset_id: int | None, readable: Collection[int] | None) -> None:
    """Refuse references to another ruleset, to a source that is not among the `readable` ids, to an element of a wrong
    kind, and new ones to a retired row."""
    for name, value in list(form.cleaned_data.items()):
        for target in value if isinstance(value, QuerySet) else [value]:
            if not isinstance(target, Model) or name not in form.fields or name == "owner":
                continue
            home = getattr(target, "owner", None) or target
            theirs, source = getattr(home, "ruleset_id", None), getattr(home, "source_id", None)
            if ruleset_id and theirs and theirs != ruleset_id:
                form.add_error(name, f"{target} belongs to another ruleset.")
            elif source and readable is not None and source not in readable:
                form.add_error(name, f"{target} is part of {home.source}. {NOT_EVERYONES}")
            elif isinstance(target, Element | Switch):
                if target.status == Status.RETIRED and name in form.changed_data:
                    kind = "element" if isinstance(target, Element) else "house rule"
                    form.add_error(name, f"{target} is retired. Publish it again, or name another {kind}.")
                wanted = KIND_OF_COLUMN.get(name)
                if wanted and target.kind != wanted:
                    form.add_error(name, f"{target} is not {article(wanted.label)}.")


def readable_ids(source: Source | None) -> set[int] | None:
    """The ids of the sources that rows of this source may name; None without a source."""
    return set(readable_by(source).values_list("pk", flat=True)) if source else None


def check_grant(form: ModelForm) -> None:
    element, when = form.cleaned_data["element"], form.cleaned_data.get("when")
    if wrong := out_of_place(element.kind, form.cleaned_data["grant_as"]):
        form.add_error("grant_as", f"{element} is {wrong}.")
    if when and not is_settled(when.detection, when.tests.values_list("test", "negate")):
        form.add_error("when", SETTLED_SENTENCE)


def check_switch(form: ModelForm) -> None:
    """Refuse a value that the house rule cannot have."""
    switch = form.cleaned_data.get("switch")
    words = form.cleaned_data["word"].split("|") if switch else ()
    if sentence := next(filter(None, (unfit(switch, word) for word in words)), ""):
        form.add_error("word", sentence)


def check_resource(form: ModelForm, ruleset_id: int | None) -> None:
    """Refuse a test of a resource that no element of the ruleset has."""
    if form.cleaned_data.get("test") != TestWord.RESOURCE_EMPTY:
        return
    slug = form.cleaned_data["word"]
    if not Resource.objects.filter(owner__ruleset=ruleset_id, slug=slug).exists():
        form.add_error("word", f"No resource has the slug {slug}.")


def check_together(forms: Iterable[ModelForm]) -> None:
    """Refuse a test that can never be met together with those before it."""
    forms = [form for form in forms if not form.errors]
    rows = [form.cleaned_data for form in forms]
    switches = {row["switch"] for row in rows if row["switch"]}
    at = contradicting(rows, {one for one in switches if one.type == SwitchType.LIST})
    if at is not None:
        forms[at].add_error("test", f"{first_up(IN_VAIN)}.")


def check_modifiers(formset: BaseInlineFormSet, forms: Iterable[ModelForm]) -> None:
    """Refuse rows by which a statistic could not be computed, even if only two new rows together do that."""
    source = getattr(formset.instance, "source", None)
    if source is None:  # the form is refused for that already
        return
    graph = graph_around(source, [form.instance.pk for form in formset.initial_forms])
    computed: dict[str, ModelForm] = {}  # statistic -> the form that computes it from another
    for form in forms:
        stat, of_stat, when = (form.cleaned_data.get(name) for name in ("stat", "of_stat", "when"))
        graph.modifiers.append((stat.key, of_stat and of_stat.key, when and when.slug))
        if of_stat or when:
            computed.setdefault(stat.key, form)
    path = graph.wrong_path()
    form = next((form for stat, form in computed.items() if stat in path), None)
    if form:
        form.add_error("of_stat" if form.cleaned_data.get("of_stat") else "when", graph.sentence(path))


def check_circumstance(formset: BaseInlineFormSet, forms: Collection[ModelForm]) -> None:
    """Refuse tests that would keep a statistic from being computed, or a grant from being settled."""
    circumstance = formset.instance
    if circumstance.pk is None:  # no row can depend on it yet
        return
    tests = [(form, form.cleaned_data["stat"].key) for form in forms if form.cleaned_data.get("stat")]
    graph = graph_around(circumstance.source)
    stored = Circumstance.objects.get(pk=circumstance.pk)  # rows know it by its stored slug
    graph.tested[stored.slug] = {stat for _, stat in tests}
    path = graph.wrong_path()
    for form, stat in tests:
        if stat in path:
            form.add_error("stat", graph.sentence(path))
    decides_grants = Effect.objects.filter(kind=EffectKind.GRANT, when_id=circumstance.pk).exists()
    for form in forms if decides_grants else ():
        test, negate = form.cleaned_data.get("test"), form.cleaned_data.get("negate")
        if test and not is_settled(circumstance.detection, [(test, negate)]):
            form.add_error("test", f"Grants depend on this circumstance. {SETTLED_SENTENCE}")
