"""Sentences that an author completes, the rows made from each, and those rows read back as sentences.

`form.py` has the form that uses them. Only words of the vocabulary are here; a game's own words come from its rows. See
decisions 061 and 074.
"""
