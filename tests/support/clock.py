"""Moves the clock of the site for a while."""

from datetime import timedelta
from unittest.mock import patch

from django.utils import timezone


def at(moment):
    """While this context is open, it is that moment, in every thread."""
    return patch.object(timezone, "now", lambda: moment)


def later(**time):
    """While this context is open, it is later by this much: `later(days=31)`."""
    return at(timezone.now() + timedelta(**time))
