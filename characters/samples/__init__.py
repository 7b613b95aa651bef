"""Three finished characters that anyone may read and copy, each a character file beside this module."""

from pathlib import Path
from typing import NamedTuple

from characters.models import Character
from characters.people import Person
from characters.verbs import import_file

FOLDER = Path(__file__).parent


class Sample(NamedTuple):
    """The data of a sample besides its file. `line` says why you would play it."""

    face: str
    line: str


SAMPLES = {
    "borrin-ashlar": Sample(
        "drawn:bearded",
        "He taps a wall and knows who cheated on the mortar. What talk cannot mend, he takes down with a warhammer.",
    ),
    "ilien-of-the-reeds": Sample(
        "drawn:pointed",
        "No gate stays locked near her for long. She shoots from the reeds, then writes the loser a letter.",
    ),
    "ysolde-marrow": Sample(
        "drawn:braided",
        "The town that sent her has stopped writing. She still speaks for it, shield first, and counts the doors.",
    ),
}
NONE = Sample("", "")


def add_samples() -> list[str]:
    """Add the samples that are missing; returns the names of those added. Raises BadFile for a file that cannot be
    imported."""
    there = set(Character.objects.exclude(sample="").values_list("sample", flat=True))
    added = []
    for path in sorted(FOLDER.glob("*.json")):
        if path.stem not in there:
            whose = {"sample": path.stem, "face": SAMPLES.get(path.stem, NONE).face}
            change = import_file(Person(), f"sample-{path.stem}", text=path.read_bytes(), **whose)
            added.append(str(change.character))
    return added


def with_lines() -> list[tuple[Character, str]]:
    """The samples in the database, by name, each with its line."""
    found = Character.objects.exclude(sample="").only("name", "sample", "face").order_by("name")
    return [(character, SAMPLES.get(character.sample, NONE).line) for character in found]
