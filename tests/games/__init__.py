"""Games that only the tests know, to show that the site knows none by name."""
