"""The stored ranks of a job or path, with a link to everything that each brings."""

from django.urls import reverse

from rules import models, reading
from rules.engine import content
from rules.engine.rank_table import RANKED, Brought, rank_table


def ranks_of(entry: models.Element) -> list[tuple[int, list[tuple[str, str]]]]:
    """Rank by rank, the words (as on the rules pages) and the address of each thing. Six queries."""
    if entry.kind not in RANKED or not entry.pk:
        return []
    names = reading.CollectedNames()
    effects = reading.with_names(models.Effect.objects.filter(owner=entry.pk))
    actions = reading.with_names(models.Action.objects.filter(owner=entry.pk)).order_by("sort", "pk")
    choices = list(reading.with_names(models.Choice.objects.filter(owner=entry.pk)))
    element = content.Element(
        entry.ref, entry.kind, entry.slug, entry.name, "",
        effects=tuple(reading.effect_row(row, names) for row in effects),
        choices=tuple(reading.choice_row(row, names) for row in choices),
        actions=tuple(reading.action_row(row, names) for row in actions),
    )  # fmt: skip
    pages = {row.slug: reverse("admin:rules_choice_change", args=[row.pk]) for row in choices}

    def page_of(brought: Brought) -> str:
        if isinstance(brought.row, content.Choice):
            return pages[brought.row.slug]
        return reverse("admin:rules_element_change", args=[names.elements[brought.named].pk]) if brought.named else ""

    return [(rank, [(one.words, page_of(one)) for one in brought]) for rank, brought in rank_table(element, names)]
