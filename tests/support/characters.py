"""Characters to test with: the samples, and users' copies of them."""

import json
import uuid
from copy import deepcopy

from characters.change import fact_store
from characters.models import Change, Character
from characters.people import Person
from characters.read.versions import read
from characters.samples import FOLDER
from characters.verbs import add_xp, import_file

SAMPLES = sorted(path.stem for path in FOLDER.glob("*.json"))


def fresh(pk) -> Character:
    """The character as it is stored now, with its ruleset."""
    return Character.objects.select_related("ruleset").get(pk=pk)


class AsStored:
    """A mixin for classes that play the character `pk` in a browser: reads its stored state."""

    @property
    def character(self) -> Character:
        return fresh(self.pk)

    def in_browser(self, client):
        """A copy, for one test, of an object that its module makes once: with this test's client, in the same
        session."""
        client.cookies.update(self.client.cookies)
        return deepcopy(self, {id(self.client): client})

    @property
    def facts(self):
        return fact_store.stored(self.character)

    def row(self, word):
        """The id of the newest row of a kind: item, note, aspect, relationship."""
        return max(int(one.partition(":")[2]) for one in self.facts if one.startswith(f"{word}:"))


def document(slug=SAMPLES[0], **changes):
    """A sample's character file as data, with some of its parts changed or, where None is given, left out."""
    merged = {**json.loads((FOLDER / f"{slug}.json").read_bytes()), **changes}
    return {key: value for key, value in merged.items() if value is not None}


def owned_by(user, slug=SAMPLES[0], **changes):
    """A character of this user, made from a sample's file."""
    text = json.dumps(document(slug, **changes))
    return import_file(Person(user), uuid.uuid4().hex, text=text).character


def sheet_of(character):
    """The rules that the stored character plays by, its Build and its sheet."""
    version = read(character)
    return version.bundle, version.build, version.sheet


def sheets(characters):
    return {one.pk: sheet_of(one)[2] for one in characters}


def put_xp(pk: int, person: Person, xp: int) -> Change:
    """Set a character's experience to this number."""
    now = Character.objects.values_list("xp", flat=True).get(pk=pk)
    return add_xp(pk, person, uuid.uuid4().hex, amount=xp - now, sure=True)
