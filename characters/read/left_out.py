"""Sources that are not in play although something decided comes from them: it counts again once they are back."""

from characters.models import Character
from characters.people import Person
from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.index import read_indexes

from .open_sources import open_sources
from .versions import unknown


def left_out(character: Character, build: Build, bundle: Bundle) -> list[str]:
    """The slugs of those that the character's keeper may have. A file names them, or its reader could not look up
    names."""
    missing = unknown(build, bundle)
    if not missing:
        return []
    keeper = Person(character.owner, character.guest)
    among = open_sources(keeper).filter(ruleset=character.ruleset_id, is_core=False).exclude(slug__in=build.sources)
    slugs = dict(among.values_list("pk", "slug"))
    names = read_indexes(slugs)
    return sorted(slug for pk, slug in slugs.items() if any(name in names[pk][table] for table, name in missing))
