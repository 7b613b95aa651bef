"""The face of a character: a drawn portrait or emblem of the site's own, an uploaded picture, or initials."""

from typing import Protocol

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

DRAWN, PICTURE = "drawn", "picture"
PORTRAITS = {
    "hooded": "Hooded",
    "helmed": "Helmed",
    "braided": "Braided",
    "bearded": "Bearded",
    "pointed": "Pointed ears",
    "scarred": "Scarred",
    "veiled": "Veiled",
    "crowned": "Crowned",
}
EMBLEMS = {
    "tower": "Tower",
    "tree": "Tree",
    "wave": "Waves",
    "star": "Star",
    "blades": "Crossed blades",
    "mountain": "Mountains",
    "key": "Key",
    "flame": "Flame",
}
ALL = {**PORTRAITS, **EMBLEMS}


class HasFace(Protocol):
    """A character, or anything else with a name and a face."""

    face: str
    name: str

    def get_absolute_url(self) -> str: ...


def medallion(character: HasFace, home: str = "") -> SafeString:
    """The face, to stand beside the name. It only repeats the name, so it is hidden from screen readers. An uploaded
    picture is fetched from below `home`, by default the character's own address."""
    kind, _, name = character.face.partition(":")
    if kind == DRAWN and name in ALL:
        return drawn(name)
    if kind == PICTURE:
        address = f"{home or character.get_absolute_url()}face/{name}.webp"
        return format_html(
            '<span class="face"><img src="{}" alt="" width="256" height="256" decoding="async"></span>', address
        )
    return format_html('<span class="face face-letters" aria-hidden="true">{}</span>', initials(character.name))


def drawn(name: str) -> SafeString:
    """One of the site's own portraits and emblems."""
    sprite = static("img/faces.svg")
    return format_html(
        '<span class="face" aria-hidden="true"><svg viewBox="0 0 64 64"><use href="{}#{}"/></svg></span>', sprite, name
    )


def initials(name: str) -> str:
    """Up to two letters: the first of the first word and of the last; "?" for no name."""
    words = [word for word in name.split() if word[0].isalnum()]
    ends = words[:1] + words[1:][-1:]
    return "".join(word[0] for word in ends).upper() or "?"
