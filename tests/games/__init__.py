"""The content with which each game is tested, and games that exist only in the tests, to show that the site knows no
game by name."""

from . import pebbles

PACKS = {"polyhedral": "polyhedral-core", "pebbles": pebbles.PACK}
