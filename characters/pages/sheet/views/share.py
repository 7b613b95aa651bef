"""The links by which others read a character: made, shown once, and ended by its owner."""

from functools import wraps

from django.contrib import messages
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from characters import sharing
from characters.access import playable, role_found
from characters.change.journal import Refused
from characters.pages.builder.step_answer import SeeOther
from characters.people import visitor_of


def unlisted(view):
    """For what is opened by a secret address: search engines leave it out, and nobody keeps it after the link ends."""

    @wraps(view)
    def shown(request, *args, **kwargs):
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return shown


@require_safe
def links(request, pk):
    return show(request, pk)


@require_POST
def make(request, pk):
    """Answers the page itself: a redirect could carry the link only where it would be kept."""
    try:
        token = sharing.make_link(pk, visitor_of(request), request.POST.get("key", ""))
    except Refused as refused:
        return show(request, pk, refused=refused.sentence, status=422)
    return show(request, pk, made=request.build_absolute_uri(reverse("characters:shared", args=[token])))


@require_POST
def end(request, pk, link):
    sharing.end_link(pk, visitor_of(request), link)
    messages.success(request, "That link leads nowhere any more.")
    return SeeOther(reverse("characters:share", args=[pk]))


def show(request, pk, *, made="", refused="", status=200):
    person = visitor_of(request)
    character = playable(pk, person)
    if not role_found(character, person).owns:
        raise Http404("Only its owner shares a character.")
    context = {"character": character, "links": sharing.links_of(character), "made": made, "refused": refused}
    return render(request, "characters/share.html", context, status=status)
