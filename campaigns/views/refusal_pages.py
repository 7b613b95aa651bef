"""For views that change something and have no page: a refusal is shown on another page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters.change.refusals import Refused

type PostView = Callable[..., HttpResponse]


def refused_on(page: Callable[[HttpRequest, int, Refused], HttpResponse]) -> Callable[[PostView], PostView]:
    """A view for POST only; if it is refused, this page of the table says why."""

    def posted(view: PostView) -> PostView:
        @require_POST
        @wraps(view)
        def shown(request: HttpRequest, campaign: int, **which: int) -> HttpResponse:
            try:
                return view(request, campaign, **which)
            except Refused as refused:
                return page(request, campaign, refused)

        return shown

    return posted
