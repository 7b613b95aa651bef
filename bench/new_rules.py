"""Figures of pages after a publication has changed what they show, while the owner has not pressed Seen."""

from datetime import UTC, datetime

from django.urls import reverse

from characters.models import Character
from rules.models import Publication, Source
from rules.publications import in_force, packed

from .figures import served
from .players import character, device
from .server_load import Load, Request

OWNER = 90  # nobody else's figures see these rules


def since_other_rules(level: int) -> Character:
    """A character begun under an earlier publication of the core rules, which gave it another Defense."""
    core = Source.objects.get(slug="polyhedral-core")
    pack, earlier = in_force(core), core.revision - 1_000_000
    pack.stats["defense"]["minimum"] = 90
    Publication.objects.get_or_create(source=core, revision=earlier, defaults={"number": 0, "pack": packed(pack)})
    begun = datetime.fromtimestamp((earlier + 1_000) / 1_000_000, tz=UTC)
    one = character(level, OWNER)
    Character.objects.filter(pk=one.pk).update(created_at=begun)
    return one


@served("sheet, level 30, that new rules have changed", against="sheet", queries=13)
def sheet_by_new_rules(host):
    pk = since_other_rules(30).pk
    return Load.of(host, Request(reverse("characters:sheet", args=[pk]), headers=device(OWNER)))


@served("My characters, one", queries=12)
def list_of_one(host):
    character(30, OWNER + 1)
    return Load.of(host, Request(reverse("characters:list"), headers=device(OWNER + 1)))


@served("My characters, one that new rules have changed", queries=12)
def list_by_new_rules(host):
    since_other_rules(30)
    return Load.of(host, Request(reverse("characters:list"), headers=device(OWNER)))
