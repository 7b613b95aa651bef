"""The storyteller's acts on the characters of a table."""

from campaigns.verbs import party_acts
from characters.read.open import OpenCharacter
from tests.characters.cast import facts, new_key, person

LOST = "spent:health"


def act(campaign, party, name="take_damage", to=None, key=None, who=None, sent=None, **more):
    to = {one.pk: "" for one in party.values()} if to is None else to
    return party_acts.do_to_several(
        campaign.pk, who or person(), key or new_key(), name, sent or {"amount": "4"}, to, **more
    )


def lost(party):
    return {name: facts(one).get(LOST, 0) for name, one in party.items()}


def opened(character):
    character.refresh_from_db()
    return OpenCharacter.of(character, person(), None)
