import pytest

from campaigns.verbs import seats
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import first_level, person


@pytest.fixture
def campaign():
    """Ana leads; Bo and Cid play."""
    made = saltmarsh()
    for name in ("bo", "cid"):
        sits(made, person(name), name=name)
    return made


@pytest.fixture
def party(campaign):
    """Bo's Mira and Cid's, called after them, in full health."""
    made = {name: first_level(person(name), name=name.title()) for name in ("bo", "cid")}
    for name, character in made.items():
        seats.bring(campaign.pk, person(name), character.pk)
    return made
