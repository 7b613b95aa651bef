"""The live sheet: every action at the table as a form, the regions that it moves, history, rolls, and a glance."""
