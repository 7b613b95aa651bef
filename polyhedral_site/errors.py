"""Error pages. The page of a server error shows an id; the log line of the same error carries it."""

import logging
import secrets

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from .unsent import is_form, is_from_here, shown_again, unsent


def error_id(request):
    if not hasattr(request, "error_id"):
        request.error_id = secrets.token_hex(4)
    return request.error_id


class ErrorIdFilter(logging.Filter):
    def filter(self, record):
        request = getattr(record, "request", None)
        failed = record.levelno >= logging.ERROR and hasattr(request, "META")
        record.error_id = error_id(request) if failed else "-"
        return True


def too_large(request):
    megabytes = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1_000_000
    message = f"That is more than this site takes at once: the limit is {megabytes} MB. Nothing was stored."
    return render(request, "413.html", {"message": message}, status=413)


def stale_form(request, reason=""):
    if is_form(request) and is_from_here(request) and not request.htmx:
        return shown_again(request, 403)
    message = (
        "This form was opened before you signed in or out, or too long ago. Nothing was changed. Go back, reload the "
        "page and send it again."
    )
    return render(request, "403.html", {"message": message}, status=403)


def server_error(request):
    """Rendered without context processors: the database may be what failed. If the page fails too, one line is left."""
    number = error_id(request)
    try:
        page = render_to_string("500.html", {"error_id": number, **unsent(request)})
    except Exception:
        logging.getLogger(__name__).exception("The page of error %s could not be rendered", number)
        page = f"Something went wrong here. Error {number}."
    return HttpResponse(page, status=500)
