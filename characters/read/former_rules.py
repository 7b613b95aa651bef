"""The rules by which a character's owner last saw its sheet, if newer ones have been published since."""

import logging
from dataclasses import replace

from characters.models import Character
from rules.compile import bundle_at
from rules.engine import difference

from .version_cache import VERSIONS
from .versions import Version, version_number


def by_former_rules(character: Character, version: Version) -> Version | None:
    """The same decisions, derived under the rules that the owner knows. None if nothing was published since, or if
    today's code cannot derive a sheet from those rules."""
    if version.bundle.newest <= character.rules_seen:
        return None
    try:
        bundle = bundle_at(version.bundle, character.rules_seen)
        if bundle is version.bundle:
            return None
        key = (character.pk, version_number(character), bundle.revision)
        former = VERSIONS.get(key, lambda: replace(version, bundle=bundle))
        # Derive the sheet here, where a failure is caught. It is kept with its version.
        former.sheet  # noqa: B018
    except Exception:  # old rows can break today's code anywhere in compiling or deriving
        logging.getLogger(__name__).exception("The former rules of character %s cannot be worked out", character.pk)
        return None
    return former


def is_moved(character: Character, version: Version) -> bool:
    """True if a publication since has changed the sheet."""
    former = by_former_rules(character, version)
    return former is not None and bool(difference(former.sheet, version.sheet))


def known_after(character: Character, version: Version) -> int:
    """The value of `rules_seen` after a change: the revision in force, if it has changed nothing on the sheet, else the
    former value. If it always kept the former value, effects of later decisions would look like effects of the new
    rules."""
    return character.rules_seen if is_moved(character, version) else version.bundle.newest
