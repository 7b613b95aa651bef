"""Links by which anyone may read a character. They do not change it, so its history does not mention them."""

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone

from . import access
from .access import OWN
from .change.journal import check_key
from .change.refusals import Refused
from .models import Character, Link
from .people import Person, hashed
from .tokens import token_for

MOST = 20


def make_link(pk: int, person: Person, key: str) -> str:
    """Make a link to this character; returns its token, which is shown only this once. The same key gives the same
    token."""
    check_key(key)
    token = token_for("link", pk, key)
    with transaction.atomic(durable=True):
        character = access.locked_for(pk, person, OWN)
        link = Link.objects.filter(character=character, token=hashed(token)).first()
        if link is None:
            if links_of(character).count() >= MOST:
                raise Refused(f"There are {MOST} links to this character already. Delete one that nobody needs.")
            Link.objects.create(character=character, token=hashed(token))
        elif link.ended_at is not None:
            raise Refused("That link was deleted. Make another.")
    return token


def end_link(pk: int, person: Person, link: int) -> None:
    """End this link, from the next request on. Repeating it changes nothing; Http404 if there is no such link."""
    with transaction.atomic(durable=True):
        found = access.locked_for(pk, person, OWN).links.filter(pk=link)
        if not found:
            raise Http404("No such link.")
        found.filter(ended_at=None).update(ended_at=timezone.now())


def links_of(character: Character) -> QuerySet:
    """The links of a character that have not been ended, the newest first."""
    return character.links.filter(ended_at=None)


def by_link(token: str) -> Character:
    """The character that a link leads to; else Http404."""
    found = (
        Character.objects.filter(links__token=hashed(token), links__ended_at=None, binned_at=None)
        .select_related("ruleset")
        .first()
    )
    if found is None:
        raise Http404("No such link.")
    return found
