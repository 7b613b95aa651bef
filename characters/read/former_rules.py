"""The rules that the owner of a character knows its sheet by, where newer ones have been published since."""

import logging
from dataclasses import replace

from characters.models import Character
from rules.compile import bundle_at
from rules.engine import difference

from .version_cache import VERSIONS
from .versions import Version, version_number


def by_former_rules(character: Character, version: Version) -> Version | None:
    """The same decisions under the rules that the owner knows, derived. None where nothing was published since, or
    where this release cannot work out a sheet by those rules."""
    if version.bundle.newest <= character.rules_seen:
        return None
    try:
        bundle = bundle_at(version.bundle, character.rules_seen)
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
    return character.rules_seen if is_moved(character, version) else version.bundle.newest
