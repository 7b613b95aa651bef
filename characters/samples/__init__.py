"""Three finished characters that anybody may read and copy, each a character file beside this module."""

from pathlib import Path

from characters.models import Character
from characters.people import Person
from characters.verbs import import_file

FOLDER = Path(__file__).parent
FACES = {"borrin-ashlar": "drawn:bearded", "ilien-of-the-reeds": "drawn:pointed", "ysolde-marrow": "drawn:braided"}


def add_samples() -> list[str]:
    """Add the samples that are not there yet; answers the names of those added. Raises BadFile for a bad one."""
    there = set(Character.objects.exclude(sample="").values_list("sample", flat=True))
    added = []
    for path in sorted(FOLDER.glob("*.json")):
        if path.stem not in there:
            whose = {"sample": path.stem, "face": FACES.get(path.stem, "")}
            change = import_file(Person(), f"sample-{path.stem}", text=path.read_bytes(), **whose)
            added.append(str(change.character))
    return added
