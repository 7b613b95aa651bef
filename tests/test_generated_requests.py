"""Two thousand random requests to every address of the site, good and bad mixed: never an answer of 5xx.

They are made from the lines of the access matrix; arguments, query, body, headers and cookies are corrupted at random.
The owner of a character, a stranger and a visitor without an account send them.
"""

import json
import random

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from campaigns.verbs import campaigns
from characters.people import Person
from characters.samples import add_samples
from tests.support.characters import owned_by
from tests.support.matrix import MATRIX
from tests.support.visitors import named_urls

pytestmark = pytest.mark.slow

PARTS = 4
IN_EACH = 500
WORDS = (
    "", " ", "\x00", "a\x00b", "\udc80", "\ufffe", "NaN", "Infinity", "-0", "1e400", str(2**70), str(-(2**63) - 1),
    "٣", "0x10", "1.5", "+", "-1", "x" * 20_000, "../../etc/passwd", "%00", "%ed%a0%80", "'; drop table x --", "{}",
    "[[[[", '{"a":1,"a":2}', "lineage:elf", "lineage:", ":", "core-rules.lineage", "fighter.fighting-style",
    "condition:prone", "feature:defense", "rank.strength", "points", "15", "3", "2", "1", "on", "None", "null", "true",
)  # fmt: skip
FIELDS = (
    "key", "choice", "level", "take", "write_in", "points", "method", "name", "kind", "text", "file", "amount", "by",
    "item", "ref", "state", "quantity", "custom", "switch", "value", "q", "page", "tab", "saw", "preview", "reason",
    "rank.strength", "rank.spirit", "left", "right", "with", "next", "login", "password", "email", "resource", "roll",
    "character", "most", "days", "role", "description", "many", "hidden", "vital", "guard", "dice", "rolls", "notes",
    "which", "total", "way", "condition", "rounds", "turn_of", "at_end", "vitals", "heal",
)  # fmt: skip
TYPES = ("application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "text/plain", "")
DEEP = "[" * 2_000 + "]" * 2_000


class Asker:
    """Makes requests from a seed."""

    def __init__(self, seed, pk, campaign):
        self.chance = random.Random(seed)
        self.urls = {name: names for name, names in named_urls() if name in MATRIX}
        self.right = {"pk": pk, "ruleset": "polyhedral", "kind": "skill", "slug": "athletics", "step": "origin"}
        self.right |= {"key": "defense", "uidb36": "1", "level": 1, "sequence": 1}
        self.right |= {"token": "no-such-token", "link": 1, "campaign": campaign, "member": 1, "invite": 1, "seat": 1}
        self.right |= {"invitation": "no-such-invite", "screening": "no-such-screen", "handing": "no"}
        self.right |= dict.fromkeys(("encounter", "creature", "combatant", "hit", "condition", "screen"), 1)

    def url(self, name):
        values = {}
        for argument in self.urls[name]:
            usual = MATRIX[name].where.get(argument, self.right.get(argument, 1))
            spoiled = self.chance.random() < 0.25
            values[argument] = self.chance.choice([2**70, 0, 999_999, "x", "nine-lives", "ünï"]) if spoiled else usual
        try:
            return reverse(name, kwargs=values)
        except NoReverseMatch:
            return reverse(name, kwargs={a: MATRIX[name].where.get(a, self.right.get(a, 1)) for a in self.urls[name]})

    def fields(self, name):
        fields = dict(MATRIX[name].data)
        for _ in range(self.chance.randint(0, 5)):
            fields[self.chance.choice([*FIELDS, *fields])] = self.chance.choice(WORDS)
        return fields

    def ask(self, client):
        """Send one request; returns a description of it and the response."""
        name = self.chance.choice(sorted(self.urls))
        url, fields = self.url(name), self.fields(name)
        headers = {"HX-Request": "true"} if self.chance.random() < 0.4 else {}
        if self.chance.random() < 0.1:
            headers["Cookie"] = f"sessionid={self.chance.choice(['x', 'é', '0' * 5000])}; theme=\x7f"
        way = self.chance.random()
        if way < 0.35:
            query = {key: value.encode("utf-8", "replace").decode() for key, value in map(texts, fields.items())}
            return (name, url, query), client.get(url, query, headers=headers)
        if way < 0.8:
            return (name, url, fields), client.post(url, dict(map(texts, fields.items())), headers=headers)
        raw = self.chance.choice([DEEP, json.dumps(dict(map(texts, fields.items()))), "\x00" * 50, "key=%FF%FE&a=%ZZ"])
        kind = self.chance.choice(TYPES)
        method = self.chance.choice(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
        data = raw.encode("utf-8", self.chance.choice(["surrogatepass", "replace"]))
        return (name, method, url, kind), client.generic(method, url, data, content_type=kind, headers=headers)


def texts(pair):
    """Field and value as a browser could send them; surrogates become the replacement character."""
    key, value = pair
    return key, str(value).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_breaks_the_site(db, part, caplog):
    caplog.set_level("CRITICAL")
    add_samples()
    ana, bo = (User.objects.create_user(name, f"{name}@example.com", "a long password") for name in ("ana", "bo"))
    pk = owned_by(ana).pk
    clients = {"owner": Client(), "stranger": Client(), "nobody": Client()}
    clients["owner"].force_login(ana)
    clients["stranger"].force_login(bo)
    campaign = campaigns.create(Person(ana), "a-key-of-a-table", name="Saltmarsh").pk
    asker, tried, refused = Asker(part, pk, campaign), 0, 0
    for _ in range(IN_EACH):
        who = asker.chance.choice(["owner", "owner", "stranger", "nobody"])
        asked, response = asker.ask(clients[who])
        tried += 1
        refused += 400 <= response.status_code < 500
        assert response.status_code < 500, (who, asked)
        if asked[0] == "account_logout" and who != "nobody":
            clients[who].force_login(ana if who == "owner" else bo)
    print(f"{tried} requests, {refused} of them refused, none broken")
    assert tried == IN_EACH
    assert refused > tried // 10
