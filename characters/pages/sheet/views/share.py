"""The links by which others read a character: made, shown once, and ended by its owner."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import sharing
from characters.access import playable, role_found
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.people import visitor_of


@require_http_methods(["POST", "GET", "HEAD"])
def make(request: HttpRequest, pk: int) -> HttpResponse:
    """Answers with the page itself: a redirect would have to carry the link, which would then be kept somewhere."""
    if request.method != "POST":  # someone reloads the page that showed the link
        return redirect("characters:share", pk)
    try:
        token = sharing.make_link(pk, visitor_of(request), request.POST.get("key", ""))
    except Refused as refused:
        return show(request, pk, refused=refused.sentence, status=422)
    return show(request, pk, made=request.build_absolute_uri(reverse("characters:shared", args=[token])))


@require_POST
def end(request: HttpRequest, pk: int, link: int) -> HttpResponse:
    sharing.end_link(pk, visitor_of(request), link)
    messages.success(request, "The link was deleted.")
    return SeeOther(reverse("characters:share", args=[pk]))


def show(request: HttpRequest, pk: int, *, made: str = "", refused: str = "", status: int = 200) -> HttpResponse:
    person = visitor_of(request)
    character = playable(pk, person)
    if not role_found(character, person).owns:
        raise Http404("Only the owner can share a character.")
    context = {"character": character, "links": sharing.links_of(character), "made": made, "refused": refused}
    return render(request, "characters/share.html", context, status=status)


links = require_safe(show)
