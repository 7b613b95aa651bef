import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.people import Person
from characters.read.version_cache import VERSIONS
from tests.support.characters import AsStored, owned_by, put_xp


class Player(AsStored):
    """Ana with a sample character at the table: sends forms, reads pages and what is stored."""

    def __init__(self, user, client):
        self.user, self.client = user, client
        self.pk = owned_by(user, house_rules={"switches": {"relationships": "on"}}).pk  # so that every form is there
        self.base = f"/characters/{self.pk}/"
        client.force_login(user)

    def get(self, below="", **headers):
        return self.client.get(self.base + below, headers=headers)

    def send(self, slug, htmx=True, client=None, version="", **fields):
        headers = {"HX-Request": "true", "X-Version": version} if htmx else {}
        fields = {"key": uuid.uuid4().hex, **fields}
        return (client or self.client).post(f"{self.base}play/{slug}/", fields, headers=headers)

    def put_resolve(self, points):
        """Give the character this much Resolve: every tenth level adds one, so this sets the experience."""
        put_xp(self.pk, Person(self.user), 10_000 * (points - 1))
        assert self.get().context["page"].vitals.resolve.left == points

    @property
    def last(self):
        return self.character.changes.order_by("-sequence").first()


def regions(response):
    """The ids of the regions that an answer carries."""
    return re.findall(r'<hx-partial hx-target="#([\w-]+)"', response.content.decode())


@pytest.fixture(scope="module")
def at_table(shared):
    return shared(lambda: Player(User.objects.create_user("ana", "ana@example.com"), Client()))


@pytest.fixture
def player(at_table, db, client):
    """The same for all tests of a module; the changes of each test are rolled back."""
    VERSIONS.values.clear()
    return at_table.in_browser(client)


@pytest.fixture
def stranger(db):
    client = Client()
    client.force_login(User.objects.create_user("bo", "bo@example.com"))
    return client
