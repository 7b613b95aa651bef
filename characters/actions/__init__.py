"""Actions at the table: those that every game has, those of each game, and the running of one."""
