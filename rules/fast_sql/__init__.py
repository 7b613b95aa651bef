"""The queries of nearly every request, with their SQL built once per process (`prepared`).

With the setting FAST_SQL off, the same names ask Django's ORM each time (`plain`), with the same results.
"""

from typing import TYPE_CHECKING

from django.conf import settings

from .prepared import NO_ROW, PLACEHOLDERS

if TYPE_CHECKING or settings.FAST_SQL:
    from .prepared import Prepared, PreparedDelete, PreparedInsert, PreparedObjects, PreparedUpdate, new_model
else:
    from .plain import Prepared, PreparedDelete, PreparedInsert, PreparedObjects, PreparedUpdate, new_model

__all__ = [
    "PLACEHOLDERS",
    "NO_ROW",
    "Prepared",
    "PreparedDelete",
    "PreparedInsert",
    "PreparedObjects",
    "PreparedUpdate",
    "new_model",
]
