"""The actions of the live sheet, each posted as the page does, by eight people with a character each.

An action's fields, the steps before it and the state that it needs come from its test. The steps before it, and
restoring the character afterward, are not measured.
"""

import json

from characters.models import Change
from characters.read.prose import digest
from tests.characters.cast import new_key
from tests.characters.play_pages.actions import CASES, WORKING, own_spell, ready
from tests.support.characters import AsStored

from .figures import served
from .players import character, device_with_form, person
from .server_load import CONNECTIONS, Answer, Load, Request, Turn, posted

TEXT = "The ferryman knows more than he says." * 5


class Player(Turn, AsStored):
    """A player on one device, which knows the version that it shows."""

    def __init__(self, host, level, number=0):
        super().__init__(host)
        self.person, self.pk = person(number), character(level, number).pk
        self.user = self.person.user
        self.base = f"/characters/{self.pk}/"
        self.headers = {**device_with_form(number), "HX-Request": "true"}
        self.version, self.lost = "", False
        self.watch()

    def asking(self, slug, **fields) -> Request:
        headers = {**self.headers, "X-Version": self.version}
        return posted(f"{self.base}play/{slug}/", headers, {"key": new_key(), **fields})

    def send(self, slug, **fields) -> Answer:
        return self.took(self.ask(self.asking(slug, **fields)))

    def change(self) -> Answer:
        """Lose one health and, the next time, get it back."""
        self.lost = not self.lost
        return self.send("adjust", resource="health", by="-1" if self.lost else "+1")

    def watching(self) -> Request:
        return Request(f"{self.base}watch/", headers={**self.headers, "X-Version": self.version})

    def watch(self) -> Answer:
        return self.took(self.ask(self.watching()))

    def shown(self) -> Request:
        return Request(self.base, headers=self.headers)

    def took(self, answer) -> Answer:
        """Remember the version that came with the answer."""
        if told := answer.headers.get("HX-Trigger"):
            self.version = json.loads(told)["version"]["value"]
        return answer


class Acting(Player):
    """Does the steps before an action, does the action, and undoes all of it, newest first."""

    def __init__(self, host, level, number, slug):
        super().__init__(host, level, number)
        self.slug = slug
        if CASES[slug].spells:
            own_spell(self)
            self.watch()
        self.start, self.begun = self.facts, self.character.version

    def ready(self):
        page = CASES[self.slug].page
        return self.asking(self.slug, **ready(self, self.slug), **({"page": page} if page else {}))

    def done(self):
        standing = Change.objects.filter(character=self.pk, sequence__gt=self.begun, inverts=None, inverted_by=None)
        for sequence in list(standing.order_by("-sequence").values_list("sequence", flat=True)):
            self.send("undo", change=sequence)
        self.begun = self.character.version
        if self.facts != self.start:
            raise SystemExit(f"{self.slug} was not taken back.")


class Rewriting(Acting):
    """Rewrites a text; in the test of `edit`, the text is deleted."""

    def ready(self):
        self.send("add-note", text=TEXT)
        return self.asking("edit", address=f"note:{self.row('note')}", text=TEXT.upper(), was=digest(TEXT))


class Redoing(Acting):
    """Undoes an undo on the page of the history."""

    def ready(self):
        self.send("take-damage", amount="5")
        self.send("undo", change=self.character.version)
        return self.asking("undo", change=self.character.version, page="history")

    def done(self):
        self.send("undo", change=self.character.version)
        super().done()


class Healing(Acting):
    """Uses a feature that rolls dice, with the dice of the tray."""

    def ready(self):
        self.send("take-damage", amount="5")
        return self.asking("use", action="second-wind")


class OfOneKind(Acting):
    """Undoes a change on a history that is filtered by its kind."""

    def ready(self):
        self.send("take-damage", amount="5")
        return self.asking("undo", change=self.character.version, page="history", kind="health")


def load_of(slug, level, acting):
    return lambda host: Load(host, [acting(host, level, number, slug) for number in range(CONNECTIONS)])


MEASURED = [
    *((slug, slug, Acting) for slug in WORKING),
    ("edit, a text", "edit", Rewriting),
    ("use, a feature that rolls", "use", Healing),
    ("undo, an undoing", "undo", Redoing),
    ("undo, of one kind", "undo", OfOneKind),
]
MOST, MOST_OF_RESTS = 5, 9  # times the floor's POST; decision 029 says why rests may cost more
for name, slug, acting in MEASURED:
    most = MOST_OF_RESTS if CASES[slug].page == "rest" else MOST
    served(f"{name}, level 1", against="bump", target=most, size=8, queries=10)(load_of(slug, 1, acting))
    served(f"{name}, level 30", against="bump")(load_of(slug, 30, acting))
