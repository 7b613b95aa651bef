"""My characters: open, rename, copy, delete and restore them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.access import OWNER, lockable_by, owned_by, visible_to
from characters.actions.registry import action_names
from characters.change.refusals import Refused, TooMany
from characters.models import Change, Character
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.responses import SeeOther
from characters.people import Person, visitor_of
from characters.read.former_rules import is_moved
from characters.read.party import versions_of
from characters.samples import with_lines
from characters.unseen import is_unseen

A_PAGE = 12


def shelf_page(request: HttpRequest, *, refused: dict[str, Any] | None = None, status: int = 200) -> HttpResponse:
    person = visitor_of(request)
    kept = Character.objects.filter(owned_by(person)).select_related("ruleset")
    at_table = Change.objects.filter(character=OuterRef("pk"), verb__in=action_names()).order_by("-sequence")
    mine = kept.filter(binned_at=None).annotate(played_at=Subquery(at_table.values("at")[:1]), unseen=is_unseen(person))
    page = Paginator(mine, A_PAGE).get_page(request.GET.get("page"))
    versions = versions_of(page)
    binned = kept.exclude(binned_at=None).order_by("-binned_at")
    thrown = request.GET.get("thrown", "")
    context = {
        "page": page,
        "cards": [
            _card(BuilderCharacter(one, person, OWNER, versions[one.pk]), one.played_at, refused or {}) for one in page
        ],
        "binned": binned,
        "thrown": next((character for character in binned if str(character.pk) == thrown), None),
        "samples": with_lines(),
        "refused": refused or {},
        "guest": person.user is None,
        "kept_until": timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE),
    }
    return render(request, "characters/list.html", context, status=status)


shelf = require_safe(shelf_page)


def _card(opened: BuilderCharacter, played_at: datetime | None, refused: dict[str, Any]) -> dict[str, Any]:
    """The content of a character's card. `vital` is the resource that tells how they are doing."""
    character = opened.character
    parts = opened.steps.progress(opened.bundle, opened.build, opened.sheet)
    return {
        "character": character,
        "name": refused["typed"].get("name", "") if refused.get("pk") == character.pk else character.name,
        "level": opened.game.levels.in_words(opened.sheet.level),
        "in_force": opened.version.in_force,
        "vital": opened.sheet.resources.get(opened.steps.VITAL_RESOURCE),
        "played_at": played_at,
        "words": opened.steps.in_words(opened.bundle, opened.sheet),
        "open": sum(part.open for part in parts),
        "resume": opened.url(next((part.slug for part in parts if part.open), "review")),
        "problems": len(opened.problems),
        "rules_moved": is_moved(character, opened.version),
    }


@require_POST
def rename(request: HttpRequest, pk: int) -> HttpResponse:
    return _changed(request, pk, verbs.rename, name=request.POST.get("name", ""))


@require_POST
def copy(request: HttpRequest, pk: int) -> HttpResponse:
    return _changed(request, pk, verbs.copy, of=visible_to)


@require_POST
def throw_away(request: HttpRequest, pk: int) -> HttpResponse:
    return _changed(request, pk, verbs.throw_away, gone=True)


@require_POST
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    return _changed(request, pk, verbs.restore)


def _changed(
    request: HttpRequest,
    pk: int,
    verb: Callable[..., Change],
    *,
    of: Callable[[Person], Q] = lockable_by,
    gone: bool = False,
    **what: Any,
) -> HttpResponse:
    """Run a verb on a character `of` this person and return to the list, which shows a refusal beside the character."""
    person = visitor_of(request)
    get_object_or_404(Character.objects.filter(of(person)), pk=pk)
    try:
        change = verb(pk, person, request.POST.get("key", ""), **what)
    except TooMany as refused:
        messages.error(request, refused.sentence)
        return shelf_page(request, status=429)
    except Refused as refused:
        return shelf_page(request, refused={"pk": pk, "sentence": refused.sentence, "typed": request.POST}, status=422)
    if gone:
        return SeeOther(f"{reverse('characters:list')}?thrown={pk}")
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:list"))
