"""Levels on their pages: taken with a look at what each pick would do, changed, taken back, planned. Rules decide."""
