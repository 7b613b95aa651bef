"""The devices on which someone has signed in. Each keeps a signed cookie for the account (decision 019).

The cookie gives no access. It only says that a password typed on this device does not come from a stranger.
"""

import secrets

from allauth.account.utils import filter_users_by_email, filter_users_by_username
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase

from .middleware import Respond

PREFIX = "device-"
YEAR = 60 * 60 * 24 * 365
PLACE = "/accounts/"


def salt(user: AbstractBaseUser) -> str:
    """A salt for this account and password, so that the cookie is worthless for another account or after a new
    password."""
    return f"{PREFIX}{user.pk} {user.get_session_auth_hash()}"


def token(request: HttpRequest, user: AbstractBaseUser) -> str:
    """The token in this device's cookie for the account; "" if the account has never signed in on it."""
    return request.get_signed_cookie(f"{PREFIX}{user.pk}", default="", salt=salt(user), max_age=YEAR)


def token_for(request: HttpRequest, name: str) -> str:
    """The token of the account with this name or address."""
    if not any(cookie.startswith(PREFIX) for cookie in request.COOKIES):
        return ""
    users = [*filter_users_by_username(name), *filter_users_by_email(name)]
    return next(filter(None, (token(request, user) for user in users)), "")


def remember(get_response: Respond) -> Respond:
    """Middleware: give the device its cookie with each page about accounts that a signed-in person gets. Signing up,
    signing in and choosing a new password all lead to one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path_info.startswith(PLACE) and request.user.is_authenticated and not token(request, request.user):
            response.set_signed_cookie(
                f"{PREFIX}{request.user.pk}",
                secrets.token_urlsafe(16),
                salt=salt(request.user),
                max_age=YEAR,
                path=PLACE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return middleware
