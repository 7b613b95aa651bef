"""What may be done at the table: the actions that every game has, those of each game, and how one of them is run."""
