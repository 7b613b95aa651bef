"""The pages of homebrew, alike for a table and for a person: the list, an entry, publishing, copies and packs."""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.access import MOST
from characters.pages.builder.step_answer import SeeOther
from characters.pages.packs.pack_forms import PackForm, ReportForm, carried
from characters.pages.packs.pack_pages import of_problems, zip_of
from characters.pages.publications.preview import AT_ONCE, Moved, foreseen, holders
from rules.comparison import Part, parts_of
from rules.copies import copied
from rules.entries import KINDS, Named, entries_of, put_away, restored, without
from rules.library import kind_badge, kind_title
from rules.lint import check_publication
from rules.models import ELEMENT_CLASSES, Element, Source
from rules.models.vocabulary import Status
from rules.packs.adopt import adopt
from rules.packs.load import PackError
from rules.packs.pack_difference import RowDifference, difference
from rules.packs.source_rows import Pack, read_source
from rules.publications import beneath, edited, in_force, publish, stamp

from .books import book_of
from .entry_form import EntryForm, form_for, mark
from .place import Place

MOVED_ON = "Someone has changed something since you opened this page. Read what is different now, then press again."
MEANWHILE = "Someone else has saved this entry meanwhile. Compare it with theirs below. Save again to replace theirs."
BROKEN = "With these entries the sheets cannot be worked out. Look at what has to be put right before you publish."

# Of the parts of an entry: what stands above them, or is the same for all of its kind.
LEFT_OUT = ("In short", "How to get it", "From")


@dataclass(frozen=True)
class Row:
    """An entry of the working copy, and in which way it is ahead of what is published."""

    entry: Element
    state: str
    url: str


@dataclass(frozen=True)
class Read:
    """An entry as it is published."""

    name: str
    badge: str
    summary: str
    text: str
    parts: list[Part]


@require_safe
def listing(request: HttpRequest, place: Place) -> HttpResponse:
    """Of who runs it the working copy; of everyone else what is published."""
    source = place.source()
    context: dict[str, Any] = {"place": place, "source": source}
    if place.runs:
        lines = lines_of(source) if source else ()
        states = {line.key: line.how for line in lines}
        by_kind = defaultdict(list)
        for entry in entries_of(source) if source else ():
            by_kind[kind_title(entry.kind)].append(
                Row(entry, state_of(entry, states.get(entry.ref, "")), place.url("homebrew-edit", entry.pk))
            )
        context |= {"kinds": list(by_kind.items()), "unpublished": len(shown(lines)), "new": kinds_to_make(place)}
        context["plays"] = place.plays() if source and source.revision else []
    else:
        context["entries"] = published(source) if source and source.revision else []
    return render(request, "characters/homebrew/list.html", context)


def state_of(entry: Element, how: str) -> str:
    if entry.status == Status.RETIRED:
        return "Retired" if not how else "Retired, not published yet"
    return {"added": "Not published yet", "changed": "Changed, not published yet"}.get(how, "")


def kinds_to_make(place: Place) -> list[tuple[str, str]]:
    return [(place.url("homebrew-new", kind), name_of(kind).capitalize()) for kind in KINDS]


def name_of(kind: str) -> str:
    return str(ELEMENT_CLASSES[kind]._meta.verbose_name)


def published(source: Source) -> list[Read]:
    library = book_of(source)
    own = [one for one in library.bundle.elements.values() if one.source == source.slug and one.status == "published"]
    return [
        Read(
            one.name,
            kind_badge(one.kind),
            one.summary,
            one.text,
            [part for part in parts_of(library, [one]) if part.title not in LEFT_OUT],
        )
        for one in sorted(own, key=lambda one: (KINDS.index(one.kind) if one.kind in KINDS else 99, one.name))
    ]


def lines_of(source: Source, working: Pack | None = None) -> tuple[RowDifference, ...]:
    """The changes that are not published yet."""
    live = in_force(source) if source.revision else Pack()
    found = difference(live, working or read_source(source), beneath(source))
    return tuple(one for one in found if one.kind != "source")


def shown(lines: Sequence[RowDifference]) -> list[RowDifference]:
    """The entries among what differs: what was made with them goes without saying."""
    return [line for line in lines if ":" in line.key]


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, place: Place, kind: str) -> HttpResponse:
    if kind not in KINDS:
        raise Http404("Nothing of this kind is made here.")
    if request.method != "POST":
        namespace = place.source() or place.ruleset().sources.filter(is_core=True).first()
        return _form_page(request, place, form_for(kind)(namespace, kind))
    with transaction.atomic():
        form = form_for(kind)(place.locked(), kind, request.POST)
        if form.is_valid():
            entry = form.save()
            edited(entry.source_id)
    if form.errors:
        return _form_page(request, place, form, status=422)
    messages.success(request, f"{entry} is saved. Publish it when it is ready.")
    return SeeOther(place.list_url)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, place: Place, entry: int) -> HttpResponse:
    if request.method != "POST":
        found = _whole(place.entry(entry))
        return _form_page(request, place, form_for(found.kind)(found.source, found.kind, instance=found))
    theirs = None
    with transaction.atomic():
        place.locked()
        found = _whole(place.entry(entry))
        was = mark(found)
        form = form_for(found.kind)(found.source, found.kind, request.POST, instance=found)
        if form.is_valid():
            if form.cleaned_data["was"] != was:
                theirs = _whole(place.entry(entry))
                form.add_error(None, MEANWHILE)
                form.data = form.data.copy()
                form.data["was"] = was
            else:
                _store(form)
        if form.errors:
            transaction.set_rollback(True)
    if form.errors:
        return _form_page(request, place, form, theirs=theirs, status=409 if theirs else 422)
    messages.success(request, f"{found} is saved. Publish it when it is ready.")
    return SeeOther(place.list_url)


def _store(form: EntryForm) -> None:
    try:
        without(form.instance, form.cleaned_data["gone"])
    except Named as needed:
        form.add_error("gone", str(needed))
    else:
        form.save()
        edited(form.source.pk)


def _whole(entry: Element) -> Element:
    """The entry with the columns of its kind."""
    found: Element = ELEMENT_CLASSES[entry.kind].objects.select_related("source", "ruleset").get(pk=entry.pk)
    return found


def _form_page(
    request: HttpRequest, place: Place, form: EntryForm, theirs: Element | None = None, status: int = 200
) -> HttpResponse:
    kind = name_of(form.kind)
    entry = form.instance if form.instance.pk else None
    open_ = bool(form.lines or form.others or form.errors.keys() & {"does", "gone"} or form.data.get("does"))
    context = {
        "place": place,
        "form": form,
        "plain": [form[name] for name in form.fields if name not in ("does", "gone", "was")],
        "kind": kind,
        "entry": entry,
        "theirs": theirs,
        "open": open_,
        "delete_url": place.url("homebrew-delete", entry.pk) if entry else "",
    }
    return render(request, "characters/homebrew/entry_form.html", context, status=status)


@require_POST
def delete(request: HttpRequest, place: Place, entry: int) -> HttpResponse:
    """A published entry is retired instead; with `back` it is offered again."""
    with transaction.atomic():
        place.locked()
        found = place.entry(entry)
        try:
            with transaction.atomic():
                if "back" in request.POST:
                    restored(found)
                    said = f"{found} is offered again, once you publish."
                elif put_away(found):
                    said = f"{found} is deleted."
                else:
                    said = f"{found} is retired: who has it keeps it. It is offered no more once you publish."
        except Named as needed:
            messages.error(request, f"{found} stays. {needed}")
        else:
            messages.success(request, said)
    return SeeOther(place.list_url)


@require_http_methods(["GET", "HEAD", "POST"])
def to_publish(request: HttpRequest, place: Place) -> HttpResponse:
    """The changes, and the characters whose numbers move by them; posted, they are in force."""
    if request.method != "POST":
        return _publish_page(request, place)
    with transaction.atomic():
        source = place.locked()
        refusals = _refusals(source, request.POST.get("saw", ""))
        if not refusals:
            first = not source.revision
            publish(source, request.user)
    if refusals:
        return _publish_page(request, place, refusals, status=422)
    messages.success(request, "Published. Now put it in play." if first else "Published.")
    return SeeOther(place.list_url)


def _refusals(source: Source, saw: str) -> list[str]:
    working = read_source(source)
    if saw != stamp(source, working):
        return [MOVED_ON]
    if not lines_of(source, working):
        return ["There is nothing to publish."]
    return faults_of(source)


def faults_of(source: Source) -> list[str]:
    """Why it cannot be played as it is, in sentences that name the entries."""
    names = {entry.ref: entry.name for entry in entries_of(source)}
    found = [one for one in check_publication(source) if one.error]
    return [f"{names.get(one.where, one.where)}: {one.reason}." for one in found]


def _publish_page(
    request: HttpRequest, place: Place, refusals: list[str] | None = None, status: int = 200
) -> HttpResponse:
    source = place.source()
    working = read_source(source) if source else Pack()
    lines = lines_of(source, working) if source else ()
    moves: list[Moved] = []
    faults = faults_of(source) if source and lines else []
    tried = elsewhere = 0
    if source and lines and not faults:
        playing = holders(source.ruleset.slug, source.slug, is_core=False)
        few = list(playing.filter(pk__in=place.characters().values("pk"))[:AT_ONCE])
        tried, elsewhere = len(few), playing.exclude(pk__in=place.characters().values("pk")).count()
        try:
            moves = foreseen(source, few) if few else []
        except Exception:  # rows not yet published can break any rule of any game, and an author has to be told
            logging.getLogger(__name__).exception("Homebrew whose rules cannot be worked out")
            faults = [BROKEN]
    context = {
        "place": place,
        "lines": shown(lines) or lines,
        "faults": [] if refusals else faults,
        "refusals": refusals or [],
        "moved": moves,
        "tried": tried,
        "elsewhere": elsewhere,
        "saw": stamp(source, working) if source else "",
    }
    return render(request, "characters/homebrew/publish.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, place: Place) -> HttpResponse:
    """An entry of the rules that are everyone's, as a beginning of one's own."""
    source = place.source()
    ruleset = source.ruleset if source else place.ruleset()
    offered = Element.objects.filter(
        ruleset=ruleset, source__in=Source.objects.published().public(), kind__in=KINDS, status=Status.PUBLISHED
    )
    if request.method == "POST":
        sent = request.POST.get("entry", "")
        found = (
            offered.filter(pk=int(sent)).first() if sent.isascii() and sent.isdigit() and int(sent) <= MOST else None
        )
        if found is not None:
            with transaction.atomic():
                made = copied(found, into=place.locked())
                edited(made.source_id)
            messages.success(request, f"{made} is yours to change.")
            return SeeOther(place.url("homebrew-edit", made.pk))
    by_kind = defaultdict(list)
    for one in offered.order_by("kind", "sort", "name"):
        by_kind[kind_title(one.kind)].append(one)
    context = {"place": place, "kinds": list(by_kind.items()), "wrong": request.method == "POST"}
    return render(request, "characters/homebrew/copy.html", context, status=422 if context["wrong"] else 200)


@require_safe
def download(request: HttpRequest, place: Place) -> HttpResponse:
    """The working copy as a pack, for another table."""
    source = place.source()
    if source is None:
        raise Http404("There is nothing to download.")
    return zip_of(source)


@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, place: Place) -> HttpResponse:
    """A pack is read and reported on; the form of the report carries it back, and stores it if nothing has moved."""
    if request.method != "POST":
        return _take_page(request, place, form=PackForm())
    pressed = "carried" in request.POST
    form = ReportForm(request.POST) if pressed else PackForm(request.POST, request.FILES)
    if not form.is_valid():
        lost = "The report has lost its files. Choose the pack again." if pressed else ""
        return _take_page(request, place, status=422, form=PackForm() if pressed else form, refusal=lost)
    files = form.cleaned_data["carried" if pressed else "pack"]
    with transaction.atomic():
        place.locked()  # so that the report and what is stored have the same names
    try:
        with transaction.atomic():
            source = place.locked()
            had = read_source(source)
            adopt(files, source)
            lines = difference(had, read_source(source), beneath(source))
            now = sha256(repr((sorted(files.items()), lines)).encode()).hexdigest()
            stored = pressed and form.cleaned_data["mark"] == now
            transaction.set_rollback(not stored)
    except PackError as wrong:
        return _take_page(request, place, status=422, form=PackForm(), **of_problems(wrong))
    if stored:
        messages.success(request, "The pack is taken in. Publish it when it is ready.")
        return SeeOther(place.list_url)
    report = ReportForm(initial={"carried": carried(files), "mark": now})
    stale = MOVED_ON if pressed else ""
    return _take_page(
        request, place, status=409 if pressed else 200, report=report, lines=shown(lines) or lines, refusal=stale
    )


def _take_page(request: HttpRequest, place: Place, status: int = 200, **shown: Any) -> HttpResponse:
    return render(request, "characters/homebrew/take.html", {"place": place, **shown}, status=status)


type Page = Callable[..., HttpResponse]
type PlaceOf = Callable[..., Place]


def homebrew_urls(under: str, writes: PlaceOf, reads: PlaceOf) -> list[URLPattern]:
    """The addresses of all these pages at a place. `writes` and `reads` find it for a request, or answer 404."""
    return [
        path(under, _at(listing, reads), name="homebrew"),
        path(f"{under}new/<slug:kind>/", _at(new, writes), name="homebrew-new"),
        path(f"{under}publish/", _at(to_publish, writes), name="homebrew-publish"),
        path(f"{under}copy/", _at(copy, writes), name="homebrew-copy"),
        path(f"{under}take/", _at(take, writes), name="homebrew-take"),
        path(f"{under}download/", _at(download, writes), name="homebrew-download"),
        path(f"{under}<int:entry>/", _at(edit, writes), name="homebrew-edit"),
        path(f"{under}<int:entry>/delete/", _at(delete, writes), name="homebrew-delete"),
    ]


def _at(page: Page, place_of: PlaceOf) -> Page:
    @wraps(page)
    def view(request: HttpRequest, campaign: int | None = None, **more: Any) -> HttpResponse:
        which = {} if campaign is None else {"campaign": campaign}
        return page(request, place_of(request, **which), **more)

    return view
