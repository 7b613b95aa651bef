"""Prepares everything that the first visitor would have to wait for: addresses, compiled rules, and the templates and
queries of a sheet."""

import logging

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.urls import get_resolver

LOG = logging.getLogger(__name__)


def warm() -> None:
    """Draw a sample's sheet as for a visitor, and load the regions that only a player sees.

    A database that is away may be back for the first visitor, so that does not keep the server from starting.
    """
    from characters.models import Character
    from characters.pages.compiled_regions import load_all
    from characters.pages.sheet.views.sheet_page import sheet
    from rules.fast_sql.prepared import Prepared

    _ = get_resolver().url_patterns  # loads the pages of all apps, with their queries
    load_all()
    try:
        for sample in Character.objects.exclude(sample="")[:1]:
            sheet(visit(), slug=sample.sample)
        with transaction.atomic():  # Django makes no statement that locks rows outside a transaction
            for query in Prepared.known:
                _ = query.compiled
    except DatabaseError as error:
        LOG.warning("The first visitor will wait a little longer: %s", type(error).__name__)


def visit() -> HttpRequest:
    """A request by an anonymous visitor, as middleware would pass it on."""
    request = HttpRequest()
    request.method, request.user, request.session, request.htmx = "GET", AnonymousUser(), {}, False
    request.META |= {
        "SERVER_NAME": (settings.ALLOWED_HOSTS or ["localhost"])[0].lstrip(".*") or "localhost",
        "SERVER_PORT": "80",
    }
    return request
