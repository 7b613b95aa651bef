from typing import Any

from django.core.cache.backends.db import DatabaseCache

from .outages import NotStored


class Cache(DatabaseCache):
    """The cache in the database, but it raises an error when it cannot store.

    Django's own reports that somebody else was faster, which the sign-in limits would take for too many attempts.
    """

    def add(self, key: str, value: Any, *args: Any, version: int | None = None, **kwargs: Any) -> bool:
        added = super().add(key, value, *args, version=version, **kwargs)
        if not added and not self.has_key(key, version=version):
            raise NotStored("The cache could not be written.")
        return added
