"""Finds the signed-in user with SQL made once: every request with a session begins with two such queries."""

import json
from functools import lru_cache
from typing import Any

from allauth.account import auth_backends
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from rules.fast_sql import PLACEHOLDERS, PreparedObjects


class SessionStore(db.SessionStore):
    by_key = PreparedObjects(
        lambda key: db.SessionStore.get_model_class().objects.filter(session_key=key), "the key of a session"
    )

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        # The site's own keys are all like this. A forged one may hold a NUL, which PostgreSQL accepts in no text.
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
    """A stored session as JSON, its signature checked. Kept by the stored text, which is the same at every request of a
    visitor."""
    return json.dumps(db.SessionStore().decode(session_data))


class AuthenticationBackend(auth_backends.AuthenticationBackend):
    # Two moments that no page shows need not be parsed for every request.
    by_id = PreparedObjects(
        lambda pk: get_user_model().objects.filter(pk=pk).defer("last_login", "date_joined"), PLACEHOLDERS[0]
    )

    def get_user(self, user_id: int) -> AbstractBaseUser | None:
        user = self.by_id.first(user_id)
        return user if user and self.user_can_authenticate(user) else None
