"""The way back from a page about one character, as its head shows it."""

from django.urls import reverse

from characters.models import Character


def trail(character: Character, here: str, *between: tuple[str, str]) -> list[tuple[str, str]]:
    """Words and addresses, the list of characters first and the page itself last, which has no address."""
    mine = [] if character.sample else [("My characters", reverse("characters:list"))]
    return [*mine, (str(character), character.get_absolute_url()), *between, (here, "")]
