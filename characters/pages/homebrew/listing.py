"""The list of a homebrew: the working copy for its writers, the published entries for readers. Also copies entries of
the rules into it."""

from collections import defaultdict
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from characters.pages.responses import SeeOther
from rules.comparison import ComparedPart, parts_of
from rules.copies import NotCopied, copied_into
from rules.engine.content import Element as PublishedElement
from rules.engine.phrases import kind_words
from rules.entries import FULL, KINDS, MOST_ENTRIES, entries_of
from rules.games import GAMES
from rules.library import kind_badge, kind_title
from rules.models import Element, Ruleset, Source
from rules.models.vocabulary import Status
from rules.number_text import number_in
from rules.publications import edited, offered_in_force
from rules.unpublished import Unpublished

from .books import book_of
from .entry_editing import kinds_of
from .place import HomebrewPlace
from .sent_before import made_before, slug_of
from .unpublished_entries import lines_of, shown

# Parts of an entry that the list leaves out: it shows them elsewhere, or all entries of the kind have the same.
LEFT_OUT = ("In short", "How to get it", "From")


@require_safe
def listing(request: HttpRequest, place: HomebrewPlace) -> HttpResponse:
    """The working copy for its writers, the published entries for everyone else."""
    source = place.source()
    context: dict[str, Any] = {"place": place, "source": source}
    if place.runs:
        lines = lines_of(Unpublished(source)) if source else []
        states = {line.key: line.how for line in lines}
        by_kind, kinds = defaultdict(list), GAMES[place.ruleset.game].kinds
        for entry in entries_of(source) if source else ():
            state, url = state_of(entry, states.get(entry.ref, "")), place.url("homebrew-edit", entry.pk)
            by_kind[kind_title(entry.kind, kinds)].append((entry, state, url))
        new = [
            (place.url("homebrew-new", kind), kind_words(kind, kinds)[0].capitalize())
            for kind in kinds_of(place.ruleset)
        ]
        context |= {"kinds": list(by_kind.items()), "unpublished": len(shown(lines)), "new": new}
        context["plays"] = place.plays() if source and source.revision else []
    else:
        context["entries"] = published(source) if source and source.revision else []
    return render(request, "characters/homebrew/list.html", context)


def state_of(entry: Element, how: str) -> str:
    if entry.status == Status.RETIRED:
        return "Retired" if not how else "Retired, not published yet"
    return {"added": "Not published yet", "changed": "Changed, not published yet"}.get(how, "")


def published(source: Source) -> list[tuple[PublishedElement, str, list[ComparedPart]]]:
    """Each entry as it is published, with the name of its kind and its parts."""
    library = book_of(source)
    own = [one for one in library.bundle.elements.values() if one.source == source.slug and one.status == "published"]
    return [
        (
            one,
            kind_badge(one.kind, library.bundle.kinds),
            [part for part in parts_of(library, [one]) if part.title not in LEFT_OUT],
        )
        for one in sorted(own, key=lambda one: (KINDS.index(one.kind) if one.kind in KINDS else 99, one.name))
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, place: HomebrewPlace) -> HttpResponse:
    """Copies an entry of the public rules, to be changed."""
    offered, wrong = offered_of(place.ruleset), ""
    if request.method == "POST":
        wanted = number_in(request.POST.get("entry"))
        found = next((one for _, one in offered if one.pk == wanted), None)
        try:
            made = copy_at(place, found, request.POST)
        except NotCopied as refused:
            wrong = str(refused)
        else:
            messages.success(request, f"{made} is yours to change.")
            return SeeOther(place.url("homebrew-edit", made.pk))
    by_kind, kinds = defaultdict(list), GAMES[place.ruleset.game].kinds
    for name, one in offered:
        by_kind[kind_title(one.kind, kinds)].append((name, one))
    context = {"place": place, "kinds": list(by_kind.items()), "wrong": wrong}
    return render(request, "characters/homebrew/copy.html", context, status=422 if wrong else 200)


def offered_of(ruleset: Ruleset) -> list[tuple[str, Element]]:
    """The public entries in force, each with its published name: nobody may see here what is saved but not yet
    published."""
    rows = Element.objects.filter(ruleset=ruleset, source__in=Source.objects.published().public(), kind__in=KINDS)
    named = [
        (offered_in_force(one.source_id, one.source.revision).get(one.ref), one)
        for one in rows.select_related("source").order_by("kind", "sort", "name")
    ]
    return [(name, one) for name, one in named if name is not None]


def copy_at(place: HomebrewPlace, entry: Element | None, sent: QueryDict) -> Element:
    """Copy the entry; if this form was sent before, return the copy that it made then. Raises NotCopied."""
    if entry is None:
        raise NotCopied("Choose one from the list.")
    with transaction.atomic():
        source = place.locked()
        if before := made_before(sent, source, entry.kind):
            return before
        if entries_of(source).count() >= MOST_ENTRIES:
            raise NotCopied(FULL)
        slug = slug_of(entry.slug, sent, source, entry.kind)
        made = copied_into(entry, source)
        made.slug = slug
        made.save(update_fields=["slug"])
        edited(source.pk)
    return made
