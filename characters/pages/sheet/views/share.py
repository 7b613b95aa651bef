"""The links by which others read a character: made, shown once, and ended by its owner."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from characters import sharing
from characters.access import playable, role_found
from characters.change.journal import Refused
from characters.pages.builder.step_answer import SeeOther
from characters.people import visitor_of


def unlisted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For what is opened by a secret address: search engines leave it out, and nobody keeps it after the link ends."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return shown


@require_safe
def links(request: HttpRequest, pk: int) -> HttpResponse:
    return show(request, pk)


@require_POST
def make(request: HttpRequest, pk: int) -> HttpResponse:
    """Answers the page itself: a redirect could carry the link only where it would be kept."""
    try:
        token = sharing.make_link(pk, visitor_of(request), request.POST.get("key", ""))
    except Refused as refused:
        return show(request, pk, refused=refused.sentence, status=422)
    return show(request, pk, made=request.build_absolute_uri(reverse("characters:shared", args=[token])))


@require_POST
def end(request: HttpRequest, pk: int, link: int) -> HttpResponse:
    sharing.end_link(pk, visitor_of(request), link)
    messages.success(request, "That link leads nowhere any more.")
    return SeeOther(reverse("characters:share", args=[pk]))


def show(request: HttpRequest, pk: int, *, made: str = "", refused: str = "", status: int = 200) -> HttpResponse:
    person = visitor_of(request)
    character = playable(pk, person)
    if not role_found(character, person).owns:
        raise Http404("Only its owner shares a character.")
    context = {"character": character, "links": sharing.links_of(character), "made": made, "refused": refused}
    return render(request, "characters/share.html", context, status=status)
