"""Sources that are left out although some decisions come from them: those count again once the source is back."""

from characters.models import Character
from characters.people import Person
from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.index import read_indexes

from .open_sources import open_sources
from .versions import unknown


def left_out(character: Character, build: Build, bundle: Bundle) -> list[str]:
    """The slugs of such sources that the character's keeper may use. A character file lists them, so that its reader
    can look up names."""
    missing = unknown(build, bundle)
    if not missing:
        return []
    keeper = Person(character.owner, character.guest)
    among = open_sources(keeper).filter(ruleset=character.ruleset_id, is_core=False).exclude(slug__in=build.sources)
    slugs = dict(among.values_list("pk", "slug"))
    names = read_indexes(slugs)
    return sorted(slug for pk, slug in slugs.items() if any(name in names[pk][table] for table, name in missing))
