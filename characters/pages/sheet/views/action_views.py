"""Every action at the table has an address of its own, and one view behind it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from characters.pages.sheet.live_answer import run_and_answer


def view_of(name: str) -> Callable[..., HttpResponse]:
    @require_http_methods(["POST", "GET", "HEAD"])
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        if request.method != "POST":  # somebody reloads the address of a form that was refused
            return redirect("characters:sheet", pk=pk)
        return run_and_answer(request, pk, name)

    return view
