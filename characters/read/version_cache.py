"""Versions of characters, kept in memory.

The page before a change, the action that makes it and the answer after it need the same facts and numbers, and spend
most of their time on reading and deriving them. With the setting VERSION_CACHE off, none is kept: each request reads
and derives anew, and an answer draws every region.
"""

from collections.abc import Callable

from django.conf import settings

from characters.models import Character
from rules.compile import NoSuchSource
from rules.engine import Bundle
from rules.lru import LRU

from .versions import Version, rules_of, unknown, version_number

VERSIONS = LRU[Version](64 if settings.VERSION_CACHE else 0)


def find(pk: int, number: str) -> Version | None:
    """This version, if it is still kept; the rules may have changed since."""
    return VERSIONS.find((pk, number))


def put(character: Character, version: Version) -> None:
    """Keep this version, unless it names something that its rules do not have. A pack may rename that later, which
    changes the sheet but neither the character's version nor the revision of these rules."""
    if not unknown(version.build, version.bundle):
        VERSIONS.put((character.pk, version_number(character)), version)


def current(character: Character, rules: Callable[[Character, frozenset[str]], Bundle] = rules_of) -> Version | None:
    """The version that the character has, if it is in the cache and goes by the present rules.

    `rules` returns the present rules for a character and its optional sources; a caller with many characters passes its
    own.
    """
    version = find(character.pk, version_number(character))
    try:
        return version if version and rules(character, version.build.sources) is version.bundle else None
    except NoSuchSource:  # one of its sources was renamed or is gone
        return None
