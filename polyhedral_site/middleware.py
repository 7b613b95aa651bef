from django.conf import settings
from django.utils.cache import patch_cache_control

from .errors import too_large


def limit_body(get_response):
    """Answer 413 to a body over the limit before anything reads it."""

    def middleware(request):
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return too_large(request)
        return get_response(request)

    return middleware


def keep_private(get_response):
    """Keep every page of a visitor with a session, signed in or with a draft, out of all caches."""

    def middleware(request):
        response = get_response(request)
        cookie = settings.SESSION_COOKIE_NAME
        if (cookie in request.COOKIES or cookie in response.cookies) and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response

    return middleware
