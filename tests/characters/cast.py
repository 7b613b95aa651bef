"""The cast that all tests share: Ana plays Mira, Bo is a stranger, a guest has no account."""

import copy
import json
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters import verbs
from characters.change import fact_store
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.models import Grant
from characters.people import SESSION_KEY, Person, hashed
from tests.support.characters import fresh

MIRA = json.loads(Path(__file__).with_name("mira.json").read_text("utf-8"))


def new_key():
    return uuid.uuid4().hex


def person(name="ana"):
    return Person(User.objects.get_or_create(username=name, email=f"{name}@example.com")[0])


def browser_of(who="ana"):
    """A browser in which this person, or the one of this name, is signed in."""
    client = Client()
    client.force_login((person(who) if isinstance(who, str) else who).user)
    return client


def guest(token="a" * 64):
    return Person(guest=token)


def as_guest(client, token="a guest's token"):
    """Make the client a guest's browser; returns the guest."""
    session = client.session
    session[SESSION_KEY] = token
    session.save()
    client.cookies["sessionid"] = session.session_key
    return guest(hashed(token))


def granted(character, role, name="bo"):
    """The person, who has this role for the character now."""
    Grant.objects.create(character=character, user=person(name).user, role=role)
    return person(name)


def document(**changes):
    """Mira's file with some keys changed; None leaves a key out."""
    changed = {**copy.deepcopy(MIRA), **changes}
    return {key: value for key, value in changed.items() if value is not None}


def mira(owner=None, **changes):
    """Mira as a character of Ana's."""
    return verbs.import_file(owner or person(), new_key(), text=json.dumps(document(**changes))).character


def first_level(owner=None, **changes):
    """Mira at level 1, in full health."""
    return mira(owner, xp=0, levels=None, state=None, house_rules=None, **changes)


def facts(character):
    return fact_store.stored(fresh(character.pk))


def present(facts):
    """The facts without those that say that nothing is there."""
    return {address: value for address, value in facts.items() if value not in (None, [], 0, "")}


def spend(character, amount, key=None, who=None):
    """A change of its own verb, outside the actions: this much stamina is spent."""

    def act(draft):
        draft.add("spent:stamina", amount)
        return f"{amount} spent."

    return perform(character.pk, who or person(), "spend", key or new_key(), {"amount": amount}, act)


def item_of(character, slug):
    """The id of the item with this slug, or with own words that end so."""
    return next(
        int(address.partition(":")[2])
        for address, value in facts(character).items()
        if address.startswith("item:") and value.get("ref", value.get("custom", "")).endswith(slug)
    )


@contextmanager
def refuses(field):
    """A verb is refused here, with a sentence for this field of its form."""
    with pytest.raises(Refused) as refused:
        yield refused
    assert refused.value.field == field
