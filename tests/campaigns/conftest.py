from copy import deepcopy

import pytest

from campaigns.verbs import seats
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import first_level, person


def table():
    """Ana leads; Bo and Cid play."""
    made = saltmarsh()
    for name in ("bo", "cid"):
        sits(made, person(name), name=name)
    return made


def party_of(campaign):
    """Bo's and Cid's characters, named after their players, at level 1 and in full health."""
    made = {name: first_level(person(name), name=name.title()) for name in ("bo", "cid")}
    for name, character in made.items():
        seats.bring(campaign.pk, person(name), character.pk)
    return made


@pytest.fixture
def campaign():
    return table()


@pytest.fixture
def party(campaign):
    return party_of(campaign)


@pytest.fixture(scope="module")
def together(shared):
    """The campaign and the party, shared by the tests of a module, none of which may commit."""
    return shared(lambda: (made := table(), party_of(made)))


@pytest.fixture(scope="module")
def begun(request, shared):
    """The encounter that the tests of a module start from, made by its `begin`."""
    return shared(request.module.begin)


@pytest.fixture
def fight(begun):
    return deepcopy(begun)
