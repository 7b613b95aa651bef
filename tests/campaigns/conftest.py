from copy import deepcopy

import pytest

from tests.campaigns.seated import party_of, saltmarsh


def bos_and_cids():
    """Ana leads; Bo and Cid play."""
    made = saltmarsh(bo="player", cid="player")
    return made, party_of(made, "bo", "cid")


@pytest.fixture(scope="module")
def together(shared):
    """The campaign and the party, shared by the tests of a module, none of which may commit."""
    return shared(bos_and_cids)


@pytest.fixture
def campaign(together):
    return deepcopy(together[0])


@pytest.fixture
def party(together):
    return deepcopy(together[1])


@pytest.fixture
def fight(begun):
    return deepcopy(begun)
