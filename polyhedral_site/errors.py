"""Error pages. The page of a server error shows an id, which is also in the error's log line."""

import logging
import secrets
import sys
from typing import Any

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from .outages import FULL, UNPREPARED, UPDATED, Outage, outage_of
from .unsent import is_form, is_from_here, shown_again, unsent


def error_id(request: HttpRequest) -> str:
    if not hasattr(request, "error_id"):
        request.error_id = secrets.token_hex(4)
    return request.error_id


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    megabytes = most // 1_000_000
    reason = f"That is more than this site takes at once: the limit is {megabytes} MB. Nothing was saved."
    return render(request, "error_page.html", {"heading": "That is too large", "reason": reason}, status=413)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    if is_form(request) and is_from_here(request) and not request.htmx:
        return shown_again(request, 403)
    message = (
        "This form was opened before you signed in or out, or too long ago. Nothing was changed. Go back, reload the "
        "page and send it again."
    )
    return render(request, "403.html", {"message": message}, status=403)


def not_utf_8(request: HttpRequest) -> HttpResponse:
    request.encoding = "utf-8"  # also if the page failed to read the request
    reason = "This site reads forms in UTF-8 only, as every browser sends them. Nothing was changed."
    return render(request, "error_page.html", {"heading": "The site could not read that", "reason": reason}, status=415)


def server_error(request: HttpRequest) -> HttpResponse:
    """This page uses no context processors, since the database may be at fault."""
    outage = outage_of(sys.exception()) or unprepared()
    if outage:
        return out_of_service(request, outage)
    number = error_id(request)
    sentence = f"Something went wrong here. Error {number}."
    return HttpResponse(page_or_sentence(request, "500.html", sentence, error_id=number), status=500)


def unprepared() -> Outage | None:
    """The outage of a site that `manage.py prepare` has still to prepare, whatever error that led to."""
    from . import site_status  # not above: its models would be imported before the apps are, by the settings of the log

    try:
        lacks = site_status.unprepared()
    except DatabaseError:
        return None
    if lacks:
        logging.getLogger(__name__).error("The site %s", lacks)
    return UNPREPARED if lacks else None


def out_of_service(request: HttpRequest, outage: Outage) -> HttpResponse:
    if outage is FULL:
        # A connection that SQLite opened while the file could not be written stays read-only.
        connection.close()
    if outage is UPDATED:
        connection.pool.drain()  # each connection in the process has its own plans, and would fail next
    page = page_or_sentence(request, "503.html", outage.sentence, full=outage is FULL)
    return HttpResponse(page, status=outage.status, headers={"Retry-After": str(outage.retry_after)})


def page_or_sentence(request: HttpRequest, template: str, sentence: str, **context: Any) -> str:
    """The page with the sentence, drawn without context processors; if that fails, only the sentence."""
    try:
        return render_to_string(template, {"sentence": sentence, **context, **unsent(request)})
    except Exception:
        logging.getLogger(__name__).exception("The page %s could not be rendered", template)
        return sentence
