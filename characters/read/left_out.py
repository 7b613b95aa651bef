"""Sources that are not in play though something decided is of them: it counts again once they are back."""

from characters.models import Character
from characters.people import Person
from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.index import read_indexes

from .open_sources import open_sources


def left_out(character: Character, build: Build, bundle: Bundle) -> list[str]:
    """By slug, those that the character's keeper may have. A file tells them, or nothing could look up its names."""
    missing = unknown(build, bundle)
    if not missing:
        return []
    keeper = Person(character.owner, character.guest)
    among = open_sources(keeper).filter(ruleset=character.ruleset_id, is_core=False).exclude(slug__in=build.sources)
    slugs = dict(among.values_list("pk", "slug"))
    names = read_indexes(slugs)
    return sorted(slug for pk, slug in slugs.items() if any(name in names[pk][table] for table, name in missing))


def unknown(build: Build, bundle: Bundle) -> set[tuple[str, str]]:
    """Names in the build that its rules do not have, each with its table in `rules.index`."""
    decided = (*build.decisions, *build.plan)
    refs = {one.ref for one in decided} | {one.ref for one in build.items} | {one.ref for one in build.conditions}
    named = {
        "elements": (refs | {one.ref for one in build.awards}) - {""},
        "choices": {one.choice for one in decided},
        "switches": {*build.switches},
        "resources": {*build.spent},
        "circumstances": {*build.toggles},
    }
    return {(table, name) for table, names in named.items() for name in names - getattr(bundle, table).keys()}
