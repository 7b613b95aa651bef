"""Finds the signed-in user with prepared SQL, since every request with a session begins with two such queries."""

import json
from functools import lru_cache
from typing import Any

from allauth.account import auth_backends
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.http import HttpRequest
from django.utils import timezone

from rules.fast_sql import PLACEHOLDERS, PreparedObjects


class SessionStore(db.SessionStore):
    by_key = PreparedObjects(
        lambda key: db.SessionStore.get_model_class().objects.filter(session_key=key), "the key of a session"
    )

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        # All keys of the site look like this. A forged one may contain a NUL, which PostgreSQL accepts in no text.
        session = self.by_key.first(self.session_key) if self.session_key.isalnum() else None
        if session and session.expire_date > timezone.now():
            self.ends = session.expire_date
            return session
        self._session_key = None
        return None

    def decode(self, session_data: str) -> dict[str, Any]:
        return json.loads(_opened(session_data))


@lru_cache(2048)
def _opened(session_data: str) -> str:
    """A stored session as JSON, after checking its signature. Cached by the stored text, which is the same for all
    requests of a visitor."""
    return json.dumps(db.SessionStore().decode(session_data))


class AuthenticationBackend(auth_backends.AuthenticationBackend):
    # Two times that no page shows need not be parsed for every request.
    by_id = PreparedObjects(
        lambda pk: get_user_model().objects.filter(pk=pk).defer("last_login", "date_joined"), PLACEHOLDERS[0]
    )

    def get_user(self, user_id: int) -> AbstractBaseUser | None:
        user = self.by_id.first(user_id)
        return user if user and self.user_can_authenticate(user) else None

    def _authenticate(
        self, request: HttpRequest | None, username: str = "", email: str = "", password: str = "", **more: Any
    ) -> AbstractBaseUser | None:
        """Check the password of one account: the one with this name, or else with this address.

        The library checks all accounts with an address, and each twice. Its time would tell which addresses have an
        account, and someone who signs up often with one address could keep every sign-in waiting. Of several accounts
        that have not confirmed the address, the oldest counts, so that nobody can take it over by signing up later.
        """
        by_address = filter_users_by_email(email or username, prefer_verified=True, for_login=True)
        oldest = min(by_address, key=lambda user: user.pk, default=None)
        return self._check_password(get_user_by_username(username) or oldest, password)
