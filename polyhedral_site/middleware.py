import codecs
import re
import secrets
from collections.abc import Callable
from functools import partial

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from characters.people import visitor_of

from . import site_status
from .body_limits import limit_of
from .errors import not_utf_8, too_large
from .unsent import is_form, shown_again

STATUS = "/health/"
WORTH_COMPRESSING = 500
SMALL = 40_000  # bytes, such as an answer to an action: the fastest quality saves nearly as much in a fifth of the time
REFUSED = (409, 422)
ACCOUNTS = "/accounts/"  # the accounts library refuses with status 200
# These match the first field with an error, or else the error's sentence. People's own text is escaped and cannot look
# like this.
WRONG_FIELD = re.compile(rb'aria-invalid="true"')
REFUSAL = re.compile(
    rb'<p class="(?:field-error|notice notice-danger)"(?=[^>]* role="alert")|<div class="error-summary" role="alert"'
)
OF_A_THING = re.compile(r"/[a-z]+/\d+/")  # the address of a character, a campaign

type Respond = Callable[[HttpRequest], HttpResponseBase]


def middleware(answer: Callable[[Respond, HttpRequest], HttpResponseBase]) -> Callable[[Respond], Respond]:
    """A middleware from one function, which answers a request itself or by `get_response`."""
    return lambda get_response: partial(answer, get_response)


@middleware
def tell_status(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Answer `/health/` before anything checks the host name or requires HTTPS, because load balancers ask by IP
    address. The answer is the same whatever the request contains."""
    return site_status.health(request) if request.path in (STATUS, STATUS[:-1]) else get_response(request)


@middleware
def compress(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Compress pages for browsers that accept Brotli, which at these qualities costs less than gzip. Pictures are
    compressed already.

    Django masks the CSRF token anew on every page, and the padding hides the exact length. So someone who can make a
    visitor load pages cannot learn their content from their size (the BREACH attack).
    """
    response = get_response(request)
    picture = response.headers.get("Content-Type", "").startswith("image/")
    if response.streaming or picture or len(response.content) < WORTH_COMPRESSING:
        return response
    patch_vary_headers(response, ["Accept-Encoding"])
    accepted = {offer.split(";")[0].strip() for offer in request.headers.get("Accept-Encoding", "").split(",")}
    if "br" in accepted:
        quality = 1 if len(response.content) < SMALL else 5
        response.content = brotli.compress(response.content, quality=quality)
        response.headers["Content-Encoding"] = "br"
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["X-Padding"] = secrets.token_urlsafe(secrets.randbelow(75))
    return response


@middleware
def limit_body(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Answer 413 to a body over the limit, and 415 to one that is not in UTF-8, before anything reads it."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    most = limit_of(request.path_info.encode())
    if length.isdigit() and int(length) > most:
        return too_large(request, most)
    if "charset" in request.content_params:
        if not is_utf_8(request.content_params["charset"]):
            return not_utf_8(request)
        request.encoding = "utf-8"  # under its standard name
    return get_response(request)


def is_utf_8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name in {"utf-8", "ascii"}
    except (LookupError, ValueError):
        return False


@middleware
def keep_private(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Keep the pages of visitors with a session, signed in or with a draft, out of all caches."""
    response = get_response(request)
    cookie = settings.SESSION_COOKIE_NAME
    if (cookie in request.COOKIES or cookie in response.cookies) and not response.has_header("Cache-Control"):
        patch_cache_control(response, private=True, no_store=True)
    return response


@middleware
def begin_at_error(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Make a page that refuses a form, sent without script, open at the fault. With script, the script moves the focus
    there."""
    response = get_response(request)
    refused = response.status_code in REFUSED
    if request.method == "POST" and request.path.startswith(ACCOUNTS):
        refused = refused or response.status_code == 200
    if refused and not request.htmx:
        content, found = WRONG_FIELD.subn(rb"\g<0> autofocus", response.content, count=1)
        if not found:
            content = REFUSAL.sub(rb'\g<0> tabindex="-1" autofocus', content, count=1)
        response.content = content
    return response


@middleware
def explain_wrong_method(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Answer with a page if someone opens the address of a form, by reloading a refusal without script or restoring a
    tab."""
    response = get_response(request)
    if response.status_code != 405 or request.method not in {"GET", "HEAD"} or request.htmx:
        return response
    above = OF_A_THING.match(request.path)
    said = render(request, "405.html", {"above": above and above[0]}, status=405)
    said.headers["Allow"] = response.headers.get("Allow", "POST")
    return said


@middleware
def keep_typed(get_response: Respond, request: HttpRequest) -> HttpResponseBase:
    """Show a form again if its address is not found: with 404 or, for a visitor without an account or a draft, with
    401, whether or not anything has that address."""
    response = get_response(request)
    if response.status_code != 404 or not is_form(request):
        return response
    status = 404 if visitor_of(request).identified else 401
    return HttpResponse(status=status) if request.htmx else shown_again(request, status)
