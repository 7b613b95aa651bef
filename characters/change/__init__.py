"""Changes of a character: the journal, the facts it moves, undoing, and the history that is left."""
