"""Actions at the table: those that every game has, the registry that joins them with each game's own, and the code that
runs one."""
