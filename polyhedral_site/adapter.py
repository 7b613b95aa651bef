from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.ratelimit import consume
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest

from campaigns.verbs.membership import claim_seats, lock_tables
from characters.people import Person, claim_drafts, visitor_of

from . import guessing
from .connections import household, told_by_proxies


class AccountAdapter(DefaultAccountAdapter):
    """The accounts library's hooks. Signing up and signing in both end in `login`, which moves a guest's drafts and
    seats to the account."""

    error_messages = {  # in the voice of the site (docs/voice.md)
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account is closed.",
        "cannot_remove_primary_email": "This is your main address. Make another address the main one first.",
        "duplicate_email": "Your account already has this address.",
        "email_password_mismatch": "This address and password do not match.",
        "email_taken": "Another account already has this address.",
        "enter_current_password": "Type your current password.",
        "incorrect_password": "That is not your password.",
        "invalid_or_expired_key": "This link no longer works.",
        "invalid_password_reset": "This link no longer works. Ask for a new one.",
        "max_email_addresses": "An account has at most %d addresses.",
        "too_many_login_attempts": "Too many wrong passwords. Try again later.",
        "unknown_email": "No account has this address.",
        "unverified_primary_email": "Confirm this address before you make it your main one.",
        "username_blacklisted": "You cannot use this name. Choose another one.",
        "username_taken": "This name is taken. Choose another one.",
        "username_password_mismatch": "This name and password do not match.",
        "same_as_current": "That is the current one. Choose another.",
        "rate_limited": "Too many tries. Wait a few minutes, then try again.",
    }

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        with transaction.atomic():  # one write to disk in all, since others wait for each
            super().login(request, user)
            guest = visitor_of(request).guest
            lock_tables(Person(guest=guest))
            claim_drafts(request, user)
            claim_seats(guest, user)

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, Any]) -> None:
        """Limits the mail to each address. Each kind is counted separately: links that a stranger asks for must not
        keep the owner from hearing about a changed password."""
        if consume(self.request, action="mail", key=f"{template_prefix} {email.lower()}"):
            super().send_mail(template_prefix, email, context)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address to count by, where an IPv6 network counts as one. Behind a proxy it is the address that the proxy
        names, or else the proxy's own."""
        return told_by_proxies(request.headers.get("X-Forwarded-For", "")) or household(request.META["REMOTE_ADDR"])

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        name = (credentials.get("email") or credentials.get("username", "")).lower()
        self.limits = guessing.limits(request, name, self.get_client_ip(request))
        guessing.refuse_if_reached(request, self.limits)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        guessing.count(request, self.limits)
