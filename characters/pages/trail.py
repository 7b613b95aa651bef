"""The trail in the head of a page about one character: the way back to the list."""

from django.urls import reverse

from characters.models import Character


def trail(character: Character, here: str, *between: tuple[str, str]) -> list[tuple[str, str]]:
    """Pairs of words and address: the list of characters first, the page itself last, without an address."""
    mine = [] if character.sample else [("My characters", reverse("characters:list"))]
    return [*mine, (str(character), character.get_absolute_url()), *between, (here, "")]
