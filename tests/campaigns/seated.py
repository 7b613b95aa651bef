"""The table that the tests share: Ana leads it, Bo plays, Cid is a stranger, a guest has no account."""

from campaigns.verbs import campaigns, membership, seats
from campaigns.verbs.membership import make_invite
from tests.characters.cast import first_level, mira, new_key, person


def saltmarsh(leader="ana", ruleset=None, **roles):
    """A table of the leader's, with further members by their name: `saltmarsh(bo="player")` lets Bo play."""
    made = campaigns.create(person(leader), new_key(), name="Saltmarsh", ruleset=ruleset)
    for name, role in roles.items():
        sits(made, person(name), role, name=name.capitalize())
    return made


EACH_ROLE = {"bo": "player", "cid": "player", "dan": "spectator", "eve": "co-storyteller"}


def each_role():
    """A table with every role: Ana leads, Bo plays Mira, Cid plays nobody, Dan watches, Eve helps."""
    made = saltmarsh(**EACH_ROLE)
    brought(made)
    return made


def invite(campaign, role="player", most=1, days=1):
    """The token of a new invite."""
    return make_invite(campaign.pk, person(), new_key(), role=role, most=most, days=days)


def sits(campaign, who, role="player", name="Bo"):
    """The person's membership of the table, by an invite of their own."""
    return membership.join(invite(campaign, role), who, name=name)


def brought(campaign, name="bo", called="Mira"):
    """The person's copy of Mira, with a seat at the table."""
    character = mira(person(name), name=called)
    seats.bring(campaign.pk, person(name), character.pk)
    return character


def party_of(campaign, *names):
    """A character for each of these players, named after them, at level 1 and in full health."""
    made = {name: first_level(person(name), name=name.capitalize()) for name in names}
    for name, character in made.items():
        seats.bring(campaign.pk, person(name), character.pk)
    return made


def posted(client, campaign, who, path, **fields):
    """The answer to a form that this person sends to an address below the table's."""
    client.force_login(person(who).user)
    return client.post(f"{campaign.get_absolute_url()}{path}", {"key": new_key(), **fields})
