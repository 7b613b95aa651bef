"""Games that exist only in the tests, to show that the site knows no game by name."""
