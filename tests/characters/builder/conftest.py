import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.characters import AsStored


class Draft(AsStored):
    """A visitor without an account in front of a fresh draft: posts the builder's forms, reads what is stored."""

    def __init__(self, client):
        self.client = client
        response = client.post(reverse("characters:start"), {"key": uuid.uuid4().hex})
        self.pk = int(re.search(r"/(\d+)/", response.headers["Location"])[1])

    def get(self, step, **query):
        return self.client.get(reverse("characters:build", args=[self.pk, step]), query)

    def post(self, url, /, *, htmx=False, **fields):
        headers = {"HX-Request": "true"} if htmx else {}
        fields = {"key": uuid.uuid4().hex, **fields}
        return self.client.post(reverse(f"characters:{url}", args=[self.pk]), fields, headers=headers)

    def choose(self, choice, take="", **fields):
        return self.post("choose", choice=choice, level=fields.pop("level", 1), take=take, **fields)

    def ranks(self, *ranks, method="points", **fields):
        names = ("strength", "agility", "vitality", "mind", "spirit", "presence")
        numbers = {f"rank.{name}": rank for name, rank in zip(names, ranks, strict=True)}
        return self.post("ranks", method=method, **numbers, **fields)


@pytest.fixture
def draft(client, db):
    return Draft(client)


@pytest.fixture
def envoy(begun, client, db):
    """The character of `envoy_of`, made once for a module; each test is rolled back."""
    return begun.in_browser(client)


@pytest.fixture(scope="module")
def begun(shared):
    return shared(lambda: envoy_of(Client()))


def envoy_of(client):
    """A dwarf of human culture, once an ambassador, now a fighter."""
    draft = Draft(client)
    for choice, ref in [
        ("core-rules.lineage", "lineage:dwarf"),
        ("core-rules.culture", "culture:human-culture"),
        ("core-rules.background", "background:ambassador"),
        ("core-rules.job", "job:fighter"),
    ]:
        assert draft.choose(choice, ref).status_code == 303
    return draft
