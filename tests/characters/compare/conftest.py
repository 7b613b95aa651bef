import re
from copy import deepcopy

import pytest

from characters.change.journal import perform
from tests.characters.cast import mira, new_key, person
from tests.support.html import html_of


@pytest.fixture(scope="module")
def begun(shared):
    """Mira: five levels taken, two earned and open; fighter progression by table."""
    return shared(mira)


@pytest.fixture
def character(begun, db):
    return deepcopy(begun)


@pytest.fixture
def ana(character, client):
    client.force_login(person().user)
    return client


@pytest.fixture
def read(ana, character):
    """The text of a page below the character's own address: `read("timeline/")`."""

    def fetch(below, status=200, **query):
        response = ana.get(f"/characters/{character.pk}/{below}", query)
        assert response.status_code == status
        return html_of(response)

    return fetch


def saw(response):
    """The version that the form of a page showed its reader."""
    return re.search('name="saw" value="([^"]*)"', html_of(response))[1]


def allow(character):
    """A fighter rank at level 6, by exception."""
    by_exception = {"ref": "job:fighter", "override": "Saved the duke <b>twice</b>"}
    return decide(character, "choice:core-rules.level-job@6", [by_exception])


def plan(character, level):
    """A plan to raise Spirit at a later level."""
    return decide(character, f"plan:core-rules.level-abilities@{level}", [{"stat": "rank.spirit", "points": 2}])


def decide(character, address, made):
    """Store an answer without asking whether it is allowed."""

    def act(draft):
        draft.put(address, made)
        return "Decided."

    return perform(character.pk, person(), "decide", new_key(), {}, act)
