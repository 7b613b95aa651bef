"""Checks of the admin's forms beyond the bounds of columns. Each adds its sentence at the field."""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet, ModelForm

from rules.homebrew import readable_by
from rules.models import Effect, Element, Source
from rules.models.vocabulary import Detection, EffectKind, Kind, Status, TestWord
from rules.stat_graph import StatGraph

# Tests that a grant may depend on: no number can change them, and once they hold they keep holding.
SETTLED = {TestWord.LEVEL, TestWord.RANK, TestWord.FIRST_JOB, TestWord.HAS, TestWord.SWITCH}
SETTLED_SENTENCE = (
    "A grant may only depend on level, rank, first job, a switch or something held, not on the lack of one."
)

NOT_EVERYONES = "Not everyone who plays by this has that: choose something else."


def check_targets(
    form: ModelForm,
    ruleset_id: int | None,
    readable: Collection[int] | None,
    kinds: Mapping[str, Kind] | None = None,
) -> None:
    """Refuse references to another ruleset, to a source whose id is not `readable`, newly to a retired row, or to an
    element of a wrong kind."""
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
            elif isinstance(target, Element):
                if target.status == Status.RETIRED and name in form.changed_data:
                    form.add_error(name, f"{target} is retired. Publish it again, or name another element.")
                wanted = (kinds or {}).get(name)
                if wanted and target.kind != wanted:
                    form.add_error(name, f"{target} is no {wanted.label}.")


def readable_ids(source: Source | None) -> set[int] | None:
    """The ids of the sources that rows of this one may name; None if there is no source."""
    return set(readable_by(source).values_list("pk", flat=True)) if source else None


def check_grant(form: ModelForm) -> None:
    when = form.cleaned_data.get("when")
    if when and not is_settled(when.detection, when.tests.values_list("test", "negate")):
        form.add_error("when", SETTLED_SENTENCE)


def is_settled(detection: str, tests: Iterable[tuple[str, bool]]) -> bool:
    """True if a grant may depend on a circumstance with these (test, negate) pairs."""
    return detection == Detection.AUTO and all(
        test in SETTLED and (not negate or test == TestWord.SWITCH) for test, negate in tests
    )


def check_modifiers(formset: BaseInlineFormSet, forms: Iterable[ModelForm]) -> None:
    """Refuse statistics that would be computed from themselves, even if only two new rows together do it."""
    rows: dict[ModelForm, tuple[str, str | None, int | None]] = {}
    for form in forms:
        stat, of_stat, when = (form.cleaned_data.get(name) for name in ("stat", "of_stat", "when"))
        rows[form] = (stat.key, of_stat.key if of_stat else None, when.pk if when else None)
    sent = [form.instance.pk for form in formset.initial_forms]
    graph = StatGraph(getattr(formset.instance, "source", None), without_rows=sent)
    graph.rows += rows.values()
    ring = graph.ring()
    if ring:
        form = next((form for form, (stat, *_) in rows.items() if stat in ring), None)
        if form:
            form.add_error("of_stat" if form.cleaned_data.get("of_stat") else "when", graph.sentence(ring))


def check_circumstance(formset: BaseInlineFormSet, forms: Collection[ModelForm]) -> None:
    """Refuse tests by which a statistic would depend on itself, or a grant on something that is not settled."""
    circumstance = formset.instance
    stats = {form.cleaned_data["stat"].key for form in forms if form.cleaned_data.get("stat")}
    graph = StatGraph(getattr(circumstance, "source", None), without_circumstance=circumstance.pk)
    graph.tested[circumstance.pk] = stats
    ring = graph.ring()
    for form in forms:
        if ring and form.cleaned_data.get("stat") and form.cleaned_data["stat"].key in ring:
            form.add_error("stat", graph.sentence(ring))
    decides_grants = circumstance.pk and Effect.objects.filter(kind=EffectKind.GRANT, when_id=circumstance.pk).exists()
    for form in forms if decides_grants else ():
        test, negate = form.cleaned_data.get("test"), form.cleaned_data.get("negate")
        if test and not is_settled(circumstance.detection, [(test, negate)]):
            form.add_error("test", f"Grants depend on this circumstance. {SETTLED_SENTENCE}")
