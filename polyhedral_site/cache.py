from collections.abc import Callable
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connection

from .outages import NotStored


class Cache(DatabaseCache):
    """Django's cache in the database, but it raises an error if it cannot store.

    Django's own reports instead that someone else was faster, which the sign-in limits would take for too many
    attempts.
    """

    def add(self, key: str, value: Any, *args: Any, version: int | None = None, **kwargs: Any) -> bool:
        failed = None

        def run(execute: Callable[..., Any], *asked: Any) -> Any:
            nonlocal failed
            try:
                return execute(*asked)
            except DatabaseError as error:
                failed = error
                raise

        with connection.execute_wrapper(run):
            added = super().add(key, value, *args, version=version, **kwargs)
        if not added and not self.has_key(key, version=version):
            raise NotStored("The cache could not be written.") from failed
        return added
