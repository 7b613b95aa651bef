"""The table that the tests share: Ana leads it, Bo plays, Cid is a stranger, a guest has no account."""

from campaigns.verbs import campaigns, membership
from campaigns.verbs.membership import make_invite
from characters.people import SESSION_KEY, hashed
from tests.characters.cast import new_key, person


def saltmarsh(leader="ana", ruleset=None):
    return campaigns.create(person(leader), new_key(), name="Saltmarsh", ruleset=ruleset)


def invite(campaign, role="player", most=1, days=1):
    """The token of a new invite."""
    return make_invite(campaign.pk, person(), new_key(), role=role, most=most, days=days)


def sits(campaign, who, role="player", name="Bo"):
    """The person's membership of the table, by an invite of their own."""
    return membership.join(invite(campaign, role), who, name=name)


def as_guest(client, token="a guest's token"):
    """Make the client a guest's browser; returns the hash that stands for the guest."""
    session = client.session
    session[SESSION_KEY] = token
    session.save()
    client.cookies["sessionid"] = session.session_key
    return hashed(token)
