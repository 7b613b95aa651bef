"""Sentences that an author completes, the rows that each becomes, and those rows read back as sentences.

The form that uses them is in `form.py`. Words of a game come from its rows; only those of the vocabulary are here. See
decisions 061 and 074.
"""

from .entry_rows import RowSentence
from .lines import MOST_LINES, MOST_READ_BACK, Edit, edit_of, lines_of, understood, write
from .sentences import PATTERNS
from .words import NotUnderstood, Words

__all__ = [
    "MOST_LINES", "MOST_READ_BACK", "PATTERNS", "Edit", "RowSentence", "NotUnderstood", "Words", "edit_of", "lines_of",
    "understood", "write",
]  # fmt: skip
