import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from characters import verbs
from characters.people import Person
from characters.read.character_file import write_file
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from tests.support.characters import AsStored, owned_by, put_xp, sheet_of

JOB, ABILITIES, TALENT = "core-rules.level-job", "core-rules.level-abilities", "core-rules.level-talent"


class Leveler(AsStored):
    """Ana with one character at the level pages: by verbs, and by the forms that the pages send."""

    def __init__(self, client, **changes):
        self.client, self.user = client, User.objects.create_user("ana", "ana@example.com", "a long password")
        client.force_login(self.user)
        self.person = Person(self.user)
        self.pk = owned_by(self.user, "ysolde-marrow", **changes).pk

    @property
    def sheet(self):
        return sheet_of(self.character)[2]

    @property
    def build(self):
        return sheet_of(self.character)[1]

    @property
    def bundle(self):
        return sheet_of(self.character)[0]

    @property
    def file(self):
        return write_file(self.character)

    @property
    def saw(self):
        return seen(self.bundle, self.character.version)

    def earn(self, level):
        return put_xp(self.pk, self.person, (level - 1) * 1000)

    def do(self, verb, **what):
        return verb(self.pk, self.person, uuid.uuid4().hex, **what)

    def up(self, level, take=JOB, targets=("job:fighter",), **what):
        what.setdefault("saw", self.saw)
        return self.do(verbs.level_up, level=level, take=take, targets=list(targets), **what)

    def fighter_to(self, level):
        """Take a fighter rank at every level up to this one, with answers for path, style and limit break."""
        self.earn(level)
        answers = {
            3: {"fighter.martial-path": ["path:champion"]},
            8: {"champion.fighting-style": ["feature:protection"]},
            15: {"fighter.limit-break": ["The last wall"]},
        }
        for at in range(2, level + 1):
            self.up(at, answers=answers.get(at, {}))

    def get(self, name, *arguments, **query):
        return self.client.get(reverse(f"characters:{name}", args=[self.pk, *arguments]), query)

    def post(self, name, *arguments, **fields):
        fields = {"key": uuid.uuid4().hex, "saw": self.saw, **fields}
        return self.client.post(reverse(f"characters:{name}", args=[self.pk, *arguments]), fields)


@pytest.fixture
def guild_bundle(guild):
    return bundle_for("polyhedral", {"guild"})


@pytest.fixture(scope="module")
def at_level_one(shared):
    return shared(lambda: Leveler(Client()))


@pytest.fixture
def ysolde(at_level_one, db, client):
    """A fighter of level 1."""
    return at_level_one.in_browser(client)
