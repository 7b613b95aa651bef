"""Versions of characters, kept in memory.

The page before a change, the action that makes it and the answer after it all need the same facts and the same numbers;
reading and deriving them is most of what they cost. With the setting VERSION_CACHE off none is kept: each request reads
and derives, and an answer draws every region.
"""

from django.conf import settings

from characters.models import Character
from rules.compile import NoSuchSource
from rules.lru import LRU

from .load_build import bundle_of
from .versions import Version, unknown, version_number

VERSIONS = LRU(64 if settings.VERSION_CACHE else 0)


def find(pk: int, number: str) -> Version | None:
    """This version, if it is still kept; the rules may have changed since."""
    return VERSIONS.find((pk, number))


def put(character: Character, version: Version) -> None:
    """Keep this version, unless it names what its rules do not have: that may be renamed without their notice."""
    if not unknown(version.build, version.bundle):
        VERSIONS.put((character.pk, version_number(character)), version)


def current(character: Character) -> Version | None:
    """The version that the character has, if it is kept and goes by the rules as they are now."""
    version = find(character.pk, version_number(character))
    try:
        return version if version and bundle_of(character, version.build) is version.bundle else None
    except NoSuchSource:  # it went by one that has another name now, or is gone
        return None
