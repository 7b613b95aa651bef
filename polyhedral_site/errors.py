"""Error pages. The page of a server error shows an id; the log line of the same error carries it."""

import logging
import secrets

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string


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


def server_error(request):
    """Rendered without context processors: the database may be what failed."""
    try:
        page = render_to_string("500.html", {"error_id": error_id(request)})
    except TemplateDoesNotExist:
        page = f"Something went wrong here. Error {error_id(request)}."
    return HttpResponse(page, status=500)
