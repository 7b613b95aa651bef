"""The live sheet: every action at the table as a form, the regions that it changes, the history, the rolls, and the
glance page."""
