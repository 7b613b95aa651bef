"""Makes rows from sentences, for tests."""

from rules.models import Element
from rules.patterns.lines import edit_of


def understood(lines, words):
    """The rows that these lines become as the first ones of an entry, unsaved."""
    return edit_of(Element(), [], lines, words).rows
