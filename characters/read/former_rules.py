"""The rules that the owner of a character knows its sheet by, where newer ones have been published since."""

import logging
from dataclasses import replace

from characters.models import Character
from rules.compile import bundle_at
from rules.engine import Bundle, difference

from .version_cache import VERSIONS
from .versions import Version, version_number


def newest(bundle: Bundle) -> int:
    """The revision of the newest publication in these rules."""
    return max((revision for _, revision in bundle.revision), default=0)


def known(character: Character) -> int:
    """The revision up to which the owner knows what publications did to the sheet: what was in force when it was
    begun, or a later one. A revision is the microsecond of its publishing."""
    return max(character.rules_seen, int(character.created_at.timestamp() * 1_000_000))


def by_former_rules(character: Character, version: Version) -> Version | None:
    """The same decisions under the rules that the owner knows, derived. None where nothing was published since, or
    where this release cannot work out a sheet by those rules."""
    if newest(version.bundle) <= known(character):
        return None
    try:
        bundle = bundle_at(version.bundle, known(character))
        if bundle is version.bundle:
            return None
        key = (character.pk, version_number(character), bundle.revision)
        former = VERSIONS.get(key, lambda: replace(version, bundle=bundle))
        former.sheet  # noqa: B018  here, where it may fail
    except Exception:  # rows of any age, under the code of today
        logging.getLogger(__name__).exception("The former rules of character %s cannot be worked out", character.pk)
        return None
    return former


def is_moved(character: Character, version: Version) -> bool:
    """True if what was published since has changed the sheet."""
    former = by_former_rules(character, version)
    return former is not None and bool(difference(former.sheet, version.sheet))


def known_after(character: Character, version: Version) -> int:
    """The revision that the owner knows once the character changes: that in force, if it has moved nothing here. So
    what is decided later under the new rules is not taken for their doing."""
    unknown = newest(version.bundle) > known(character)
    return newest(version.bundle) if unknown and not is_moved(character, version) else character.rules_seen
