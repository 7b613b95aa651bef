"""Creates, edits and deletes an entry of a homebrew. Two editors of one entry see both versions."""

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from characters.change.refusals import SAVED_MEANWHILE
from characters.pages.responses import SeeOther
from rules.engine.phrases import kind_words
from rules.entries import KINDS, StillNeeded, delete_for_good, delete_or_retire, restored, without
from rules.games import GAMES
from rules.models import ELEMENT_CLASSES, Choice, Element, Ruleset, Source
from rules.models.vocabulary import Kind
from rules.publications import edited

from .entry_form import COLUMNS, EntryForm, stamp_of
from .place import HomebrewPlace
from .sent_before import made_before
from .spell_form import SpellForm

FORMS: dict[str, type[EntryForm]] = {Kind.SPELL: SpellForm}


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, place: HomebrewPlace, kind: str) -> HttpResponse:
    if kind not in kinds_of(place.ruleset):
        raise Http404("Nothing of this kind is made here.")
    if request.method != "POST":
        namespace = place.source() or place.ruleset.sources.filter(is_core=True).first()
        return _form_page(request, place, form_for(kind)(namespace, kind))
    with transaction.atomic():
        source = place.locked()
        form = form_for(kind)(source, kind, request.POST)
        entry = made_before(request.POST, source, kind)
        if entry is None and form.is_valid():
            entry = form.save()
            edited(source.pk)
        transaction.set_rollback(entry is None)
    if entry is None:
        return _form_page(request, place, form, status=422)
    messages.success(request, f"{entry} is saved. Publish it when it is ready.")
    return SeeOther(place.list_url)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, place: HomebrewPlace, entry: int) -> HttpResponse:
    if request.method != "POST":
        found = _whole(place.entry(entry))
        return _form_page(request, place, form_for(found.kind)(found.source, found.kind, instance=found))
    theirs = None
    with transaction.atomic():
        place.locked()
        found = _whole(place.entry(entry))
        was = stamp_of(found)
        form = form_for(found.kind)(found.source, found.kind, request.POST, instance=found)
        if form.is_valid():
            if form.cleaned_data["was"] != was and _differs(form):
                theirs = _whole(place.entry(entry))
                form.add_error(None, SAVED_MEANWHILE)
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


def _differs(form: EntryForm) -> bool:
    """True if the form differs from the stored entry. A form that was sent before does not."""
    changed = {*form.changed_data} - {"was"}
    if "does" in changed and form.cleaned_data["does"].splitlines() == form.initial["does"].splitlines():
        changed.remove("does")  # only its line endings, which browsers change
    return bool(changed)


def _store(form: EntryForm) -> None:
    try:
        without(form.instance, form.cleaned_data["gone"])
    except StillNeeded as needed:
        form.add_error("gone", str(needed))
    else:
        form.save()
        edited(form.source.pk)


def form_for(kind: str) -> type[EntryForm]:
    fields = ("name", "summary", "text", *COLUMNS.get(kind, ()))
    return forms.modelform_factory(ELEMENT_CLASSES[kind], form=FORMS.get(kind, EntryForm), fields=fields)


def _whole(entry: Element) -> Element:
    """The entry with the columns of its kind."""
    found: Element = ELEMENT_CLASSES[entry.kind].objects.select_related("source", "ruleset").get(pk=entry.pk)
    return found


def _form_page(
    request: HttpRequest, place: HomebrewPlace, form: EntryForm, theirs: Element | None = None, status: int = 200
) -> HttpResponse:
    kind, _ = kind_words(form.kind, GAMES[place.ruleset.game].kinds)
    entry = form.instance if form.instance.pk else None
    open_ = bool(form.lines or form.others or form.errors.keys() & {"does", "gone"} or form.data.get("does"))
    context = {
        "place": place,
        "form": form,
        "plain": [form[name] for name in form.fields if name not in ("does", "gone", "was")],
        "kind": kind,
        "entry": entry,
        "theirs": theirs,
        "does": "does" in form.fields,
        "open": open_,
        "delete_url": place.url("homebrew-delete", entry.pk) if entry else "",
    }
    return render(request, "characters/homebrew/entry_form.html", context, status=status)


@require_POST
def delete(request: HttpRequest, place: HomebrewPlace, entry: int) -> HttpResponse:
    """Deletes an entry. A published one is retired instead; with `back`, a retired one is offered again, and with
    `for_good` it is deleted if nobody has it."""
    with transaction.atomic():
        place.locked()
        found = place.entry(entry)
        try:
            with transaction.atomic():
                if "back" in request.POST:
                    restored(found)
                    said = f"{found} is offered again, once you publish."
                elif "for_good" in request.POST:
                    delete_for_good(found)
                    said = f"{found} is deleted, once you publish."
                elif delete_or_retire(found):
                    said = f"{found} is deleted."
                else:
                    said = f"{found} is retired: those who have it keep it. Once you publish, it is no longer offered."
        except StillNeeded as needed:
            messages.error(request, f"{found} stays. {needed}")
        else:
            messages.success(request, said)
    return SeeOther(place.list_url)


def kinds_of(ruleset: Ruleset) -> list[str]:
    """The kinds of entry that this game has: there is one in its rules or a question for one, or its sheets note it."""
    public = Source.objects.published().public().filter(ruleset=ruleset)
    had = {*Element.objects.filter(source__in=public).values_list("kind", flat=True)}
    had |= {*Choice.objects.filter(owner__source__in=public).values_list("filter_kind", flat=True)}
    if GAMES[ruleset.game].spells.ATTACKS:
        had.add(Kind.SPELL)
    return [kind for kind in KINDS if kind in had]
