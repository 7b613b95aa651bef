"""The person asking: an account, a visitor without one, or both for a moment while a guest signs in."""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from .models import Character, Grant, Introduction, Looked

SESSION_KEY = "guest"


@dataclass(frozen=True)
class Person:
    """`guest` is the hash of the token in the visitor's session, as stored in `Character.guest`; "" without one.

    `household` is a keyed hash of the address that a request to begin a character comes from.
    """

    user: AbstractBaseUser | None = None
    guest: str = ""
    household: str = field(default="", compare=False)

    @property
    def ownership(self) -> dict[str, Any]:
        """The fields of a new character that make it this person's."""
        return {"owner": self.user} if self.user is not None else {"guest": self.guest}

    @property
    def columns(self) -> dict[str, Any]:
        """The fields that make a row of a table with a `user` and a `guest` this person's."""
        return {"user": self.user} if self.user is not None else {"guest": self.guest}

    @property
    def identified(self) -> bool:
        """True if this person could keep a character."""
        return self.user is not None or bool(self.guest)


NOBODY = Person()


def visitor_of(request: HttpRequest, *, remember: bool = False) -> Person:
    """The person behind a request. With `remember`, a visitor without an account gets a token to keep drafts by."""
    user = request.user if request.user.is_authenticated else None
    if remember and user is None and SESSION_KEY not in request.session:
        request.session[SESSION_KEY] = _first_token(request)
    household = household_of(request) if remember and user is None else ""
    return Person(user, hashed(request.session.get(SESSION_KEY, "")), household)


def _first_token(request: HttpRequest) -> str:
    """The token of a new guest. A form that the same browser sends again gets the same one: the answer to the first,
    with the token in it, may have been lost on the way."""
    browser, form = request.META.get("CSRF_COOKIE", ""), request.POST.get("key", "")
    if not browser or not form:
        return secrets.token_urlsafe(16)
    return salted_hmac("characters.guest", f"{browser} {form}", algorithm="sha256").hexdigest()


def household_of(request: HttpRequest) -> str:
    return salted_hmac("characters.household", get_adapter().get_client_ip(request), algorithm="sha256").hexdigest()


def claim_drafts(request: HttpRequest, user: AbstractBaseUser) -> int:
    """Give `user` the characters that this session made as a guest, those in the bin too, with the guest's roles and
    what they have read and seen. Forgets the token; returns how many characters.

    One UPDATE with a condition: a draft that someone else has claimed meanwhile stays theirs.
    """
    guest = hashed(request.session.pop(SESSION_KEY, ""))
    if not guest:
        return 0
    # First characters, then roles: the same order as when a seat moves to another device, so the two cannot deadlock.
    claimed = Character.objects.filter(guest=guest, owner=None).update(owner=user, guest="")
    Grant.objects.filter(guest=guest).update(user=user, guest="")
    if Introduction.objects.filter(guest=guest).delete()[0]:
        Introduction.objects.get_or_create(user=user)
    Looked.objects.filter(guest=guest).exclude(character__looked__user=user).update(user=user, guest="")
    return claimed


def hashed(token: object) -> str:
    """A secret as the database stores it: the token of a guest's session, an invite, a screen. "" for none."""
    return hashlib.sha256(token.encode()).hexdigest() if isinstance(token, str) and token else ""
