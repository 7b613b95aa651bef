"""Sentences that an author completes, the rows that each becomes, and those rows read back as sentences.

The form that uses them is in `form.py`. Words of a game come from its rows; only those of the vocabulary are here. See
decisions 061 and 074.
"""
