"""Download and upload of a character as a file."""

from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from characters.access import owned_by
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.responses import SeeOther, as_file
from characters.people import visitor_of
from characters.read.character_file import packed, write_file
from characters.read.open import OpenCharacter
from characters.verbs.begin import BadFile, import_file
from rules.engine.sheet import Problem

from ..upload_form import UploadForm


@require_safe
def download(request: HttpRequest, **where: Any) -> HttpResponse:
    opened = OpenCharacter.readable(request, **where)
    character = opened.character
    response = HttpResponse(write_file(character, whole=opened.role.plays).encode(), content_type="application/json")
    plain = slugify(character.name) or "character"
    full = quote(f"{character.name or 'character'}.json", safe="")
    response.headers["Content-Disposition"] = f"attachment; filename=\"{plain}.json\"; filename*=UTF-8''{full}"
    return response


@require_safe
def download_all(request: HttpRequest) -> HttpResponse:
    """A zip with the file of each of the visitor's characters; 404 if they have none. The bin is left out."""
    mine = Character.objects.filter(owned_by(visitor_of(request)), binned_at=None).order_by("name", "pk")
    if not mine.exists():
        raise Http404("No characters.")
    return as_file(packed(mine.select_related("ruleset")), "characters.zip", "application/zip")


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "characters/upload.html", {"form": UploadForm()})
    form, status = UploadForm(request.POST, request.FILES), 422
    problems: tuple[Problem, ...] = ()
    if form.is_valid():
        try:
            change = import_file(visitor_of(request, remember=True), form.cleaned_data["key"], text=form.document)
        except BadFile as refusal:
            problems = refusal.problems
        except Refused as refusal:
            form.add_error(None, refusal.sentence)
            status = refusal.status
        else:
            return SeeOther(change.character.get_absolute_url())
    return render(request, "characters/upload.html", {"form": form, "problems": problems}, status=status)
