"""Changing a character: the journal, the facts by address, the history, the log of rolls, limits and refusals."""
