"""Entries of homebrew: their rows that no sentence can express (decision 074), and deleting or retiring entries."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Model, ProtectedError, QuerySet

from rules import models, reading
from rules.games import GAMES
from rules.models.vocabulary import Kind, Status
from rules.publications import edited, is_in_force

KINDS: tuple[str, ...] = (
    Kind.TALENT, Kind.FEATURE, Kind.LINEAGE, Kind.CULTURE, Kind.BACKGROUND, Kind.JOB, Kind.PATH, Kind.WEAPON,
    Kind.ARMOR, Kind.GEAR, Kind.CONDITION, Kind.LANGUAGE, Kind.SPELL,
)  # fmt: skip
MOST_ENTRIES = 200
FULL = f"There are {MOST_ENTRIES} entries already, and that is the limit."


class StillNeeded(Exception):
    """The reason, as a sentence, why a line or an entry cannot be removed."""


@dataclass(frozen=True)
class Other:
    """Something that an entry does but no line can express, in words for its author, who may remove it."""

    key: str
    sentence: str


PARTS: dict[str, type[Model]] = {
    "effect": models.Effect,
    "choice": models.Choice,
    "prerequisite": models.Prerequisite,
    "resource": models.Resource,
    "action": models.Action,
}


def entries_of(source: models.Source) -> QuerySet[models.Element]:
    return models.Element.objects.filter(source=source).order_by("kind", "sort", "name", "pk")


def others_of(entry: models.Element, said: Collection[Model]) -> list[Other]:
    """Everything the entry does besides the rows `said`. Uses, with everything that brings them back, count as one
    thing."""
    rows = {name: list(reading.with_names(model.objects.filter(owner=entry.pk))) for name, model in PARTS.items()}
    back = list(reading.with_names(models.Recovery.objects.filter(owner=entry.pk)))
    counted = {row.max_stat_id for row in rows["resource"]}
    game = GAMES[entry.ruleset.game]
    names = reading.CollectedNames(level=game.levels.NAME, kinds=game.kinds)
    known = {(row._meta.concrete_model, row.pk) for row in said}
    found = []
    for name, its in rows.items():
        for row in its:
            if (PARTS[name], row.pk) in known or (name == "effect" and row.op == "base" and row.stat_id in counted):
                continue
            sentence = reading.sentence_of(row, names)
            if name == "resource":
                its_back = (reading.sentence_of(one, names) for one in back if one.resource == row)
                sentence = "; ".join([sentence, *its_back])
            found.append(Other(f"{name}-{row.pk}", sentence))
    return found


def without(entry: models.Element, keys: Collection[str]) -> None:
    """Remove these, and the rows made with them. Raises StillNeeded if something else needs one."""
    wanted = {name: [int(key.partition("-")[2]) for key in keys if key.startswith(f"{name}-")] for name in PARTS}
    try:
        for name in ("action", "effect", "choice", "prerequisite"):
            PARTS[name].objects.filter(owner=entry.pk, pk__in=wanted[name]).delete()
        for resource in models.Resource.objects.filter(owner=entry.pk, pk__in=wanted["resource"]):
            stat = resource.max_stat_id
            resource.delete()
            entry.effects.filter(stat=stat).delete()
            models.Stat.objects.filter(pk=stat).delete()
    except ProtectedError as needed:
        raise StillNeeded(_needs(needed, "Remove that first.")) from needed


def delete_or_retire(entry: models.Element) -> bool:
    """Delete the entry, or retire a published one, so that those who have it keep it. True if it is deleted. Raises
    StillNeeded."""
    if is_in_force(entry):
        edited(entry.source_id)
        models.Element.objects.filter(pk=entry.pk).update(status=Status.RETIRED)
        return False
    delete_for_good(entry)
    return True


def delete_for_good(entry: models.Element) -> None:
    """Delete the entry, published or not. Raises StillNeeded if another entry or a character has it.

    A published entry stays in force until its source is published. A character who takes it until then is refused.
    """
    edited(entry.source_id)
    stats = list(models.Resource.objects.filter(owner=entry.pk).values_list("max_stat", flat=True))
    try:
        for part in (models.Action, models.Effect, models.Recovery, models.Resource):
            part.objects.filter(owner=entry.pk).delete()
        models.Stat.objects.filter(pk__in=stats).delete()
        models.ELEMENT_CLASSES[entry.kind].objects.get(pk=entry.pk).delete()
    except ProtectedError as needed:
        raise StillNeeded(_needs(needed, "Change that first.")) from needed


def restored(entry: models.Element) -> None:
    """Offer a retired entry again."""
    edited(entry.source_id)
    models.Element.objects.filter(pk=entry.pk).update(status=Status.PUBLISHED)


def _needs(needed: ProtectedError, what_to_do: str) -> str:
    """The entries that need it. Characters are not named, since the author may not know their players."""
    if any(row._meta.app_label != models.Element._meta.app_label for row in needed.protected_objects):
        return "A character has it, in use or in the bin."
    owners = {
        str(getattr(row, "owner", None) or getattr(row, "choice", None) or row) for row in needed.protected_objects
    }
    return f"It is needed by {', '.join(sorted(owners)[:3])}. {what_to_do}"
