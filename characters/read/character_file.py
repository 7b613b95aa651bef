"""Character files: from bytes to a Build with the rules it plays by, and from a character to text."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import batched
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from characters.change import fact_address, fact_store
from characters.models import Character
from characters.people import NOBODY, Person
from rules.compile import bundle_for
from rules.engine import derive
from rules.engine.build import HANDS, Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Problem
from rules.games import strict_json
from rules.index import read_indexes
from rules.models import Ruleset, Source
from rules.zips import zipped

from .open_sources import lacking, open_sources, optional_sources
from .party import versions_of
from .versions import Version, unknown, version_of

# Only the players of a character see these. Other readers' sheets, files and copies leave them out.
PRIVATE = {"note", "relationship", "downtime"}
AT_ONCE = 60  # characters of a download


class NoRules(LookupError):
    """There is no game in the database to read a character against."""


@dataclass(frozen=True)
class FileReading:
    """A file as read: the game's bundle and the Build, or the problems of the file."""

    ruleset: Ruleset
    bundle: Bundle
    build: Build | None
    problems: tuple[Problem, ...] = ()


def read_file(data: bytes | str, person: Person = NOBODY, besides: Collection[str] = ()) -> FileReading:
    """Read a character file by the rules in the database that are open to this person, and the sources in `besides`.
    Writes nothing; raises NoRules if the database has no rules."""
    document, problems = strict_json.loads(data)
    ruleset, among = _ruleset_of(document), open_sources(person, besides)
    sources = _sources_of(document, ruleset, among, "sources")
    bundle = bundle_for(ruleset, sources)
    names = bundle_for(ruleset, sources | _sources_of(document, ruleset, among, "left_out"))
    build, more = bundle.game.file.read(document, names)
    if sources:
        problems += _lacking(document, optional_sources(ruleset.pk, person, besides), sources)
    named = {problem.where for problem in problems}
    problems = (*problems, *(problem for problem in more if problem.where not in named))[: strict_json.MOST_PROBLEMS]
    return FileReading(ruleset, bundle, None if problems else build, problems)


def _ruleset_of(document: object) -> Ruleset:
    """The ruleset that the document names; else the first one, whose reader then says what is wrong."""
    named = document.get("ruleset") if isinstance(document, dict) else None
    playable = Ruleset.objects.playable()
    ruleset = playable.filter(slug=named).first() if isinstance(named, str) else None
    ruleset = ruleset or playable.first()
    if ruleset is None:
        raise NoRules("There are no rules in the database yet. Load them with: manage.py load_rules")
    return ruleset


def _sources_of(document: object, ruleset: Ruleset, among: QuerySet[Source], key: str) -> set[str]:
    house_rules = document.get("house_rules") if isinstance(document, dict) else None
    named = house_rules.get(key) if isinstance(house_rules, dict) else None
    wanted = [slug for slug in named if isinstance(slug, str)] if isinstance(named, list) else []
    if not wanted:
        return set()
    return set(among.filter(ruleset=ruleset, slug__in=wanted).values_list("slug", flat=True))


def _lacking(document: Any, offered: dict[str, Source], sources: Collection[str]) -> tuple[Problem, ...]:
    """A problem for each source that the document names without one that it builds on."""
    found = lacking(offered, offered.keys() & sources)
    named = document["house_rules"]["sources"] if found else []
    return tuple(Problem(f"house_rules.sources[{named.index(slug)}]", sentence) for slug, sentence in found.items())


def write_file(character: Character, *, whole: bool = True) -> str:
    """The character as the text of a character file; without its private parts unless `whole`."""
    facts = fact_store.stored(character)
    return _text_of(character, version_of(character, facts if whole else public(facts)))


def packed(characters: Iterable[Character]) -> bytes:
    """A zip with a whole file for each character, each the same as a single download. Characters are read `AT_ONCE` at
    a time, in a fixed number of queries, so a thousand need no more memory."""
    return zipped(
        (f"{at:02}-{slugify(one.name) or 'character'}.json", text)
        for at, (one, text) in enumerate(_texts_of(characters), 1)
    )


def _texts_of(characters: Iterable[Character]) -> Iterator[tuple[Character, str]]:
    for some in batched(characters, AT_ONCE):
        versions = versions_of(some)
        yield from ((one, _text_of(one, versions[one.pk])) for one in some)


def _text_of(character: Character, version: Version) -> str:
    bundle, build, file = version.bundle, version.build, version.bundle.game.file
    return file.dump(file.write(build, version.sheet, bundle, left_out(character, build, bundle)))


def public(facts: fact_store.Facts) -> fact_store.Facts:
    """These facts without the private ones."""
    return {address: value for address, value in facts.items() if fact_address.namespace(address) not in PRIVATE}


def left_out(character: Character, build: Build, bundle: Bundle) -> list[str]:
    """The slugs of sources that are not in play although some decisions come from them, if the character's keeper may
    use them. The file lists them, so that its reader can look up names."""
    missing = unknown(build, bundle)
    if not missing:
        return []
    keeper = Person(character.owner, character.guest)
    among = open_sources(keeper).filter(ruleset=character.ruleset_id, is_core=False).exclude(slug__in=build.sources)
    slugs = dict(among.values_list("pk", "slug"))
    names = read_indexes(slugs)
    return sorted(slug for pk, slug in slugs.items() if any(name in names[pk][table] for table, name in missing))


def facts_of(bundle: Bundle, build: Build) -> fact_store.Facts:
    """A Build as facts by address, which `build_from` reads back. A file says what is left of a resource; the facts say
    what is spent; ids are positions in the Build."""
    sheet = derive(bundle, build)
    spent = {**build.spent, **{slug: sheet.resources[slug].spent for slug in build.left if slug in sheet.resources}}
    facts: fact_store.Facts = {
        "field:name": build.name,
        "field:xp": build.xp,
        "field:milestone": build.milestone,
        "field:method": build.method,
        "field:dice": [list(faces) for faces in build.dice],
        "field:rest": build.rest,
        "field:rest_dice": build.rest_dice,
    }
    answers = [("choice", decision) for decision in build.decisions] + [("plan", decision) for decision in build.plan]
    for word, one in sorted(answers, key=lambda pair: (pair[1].level, pair[1].choice, pair[1].position)):
        made = fact_address.answer(one.ref, one.stat, one.write_in, one.points, one.override)
        facts.setdefault(f"{word}:{one.choice}@{one.level}", []).append(made)
    facts |= {f"input:{stat}": value for stat, value in build.inputs.items()}
    facts |= {f"spent:{slug}": amount for slug, amount in spent.items() if amount}
    facts |= {f"toggle:{slug}": True for slug in build.toggles}
    facts |= {f"switch:{key}": value for key, value in build.switches.items()}
    facts |= {f"source:{slug}": True for slug in build.sources}
    facts |= {fact_address.award(one.ref, one.write_in): {"reason": one.reason} for one in build.awards}
    facts |= dict(map(fact_address.condition_fact, build.conditions))
    for at, item in enumerate(build.items):
        named = {"ref": item.ref} if item.ref else {"custom": item.custom}
        facts[f"item:{at}"] = {**named, "quantity": item.quantity, "state": item.state, "position": at}
        if item.used:
            facts[f"used:{at}"] = item.used
    for at, (kind, text) in enumerate(build.aspects):
        facts[f"aspect:{at}"] = {"kind": kind, "text": text, "position": at}
    facts |= {f"relationship:{at}": {**asdict(one), "position": at} for at, one in enumerate(build.relationships)}
    facts |= {f"downtime:{at}": {**asdict(entry), "position": at} for at, entry in enumerate(build.downtimes)}
    for at, spell in enumerate(build.spells):
        facts[f"spell:{at}"] = {name: part for name, part in asdict(spell).items() if name != "key"} | {"position": at}
    facts |= {f"note:{at}": {"text": text, "position": at} for at, text in enumerate(build.notes)}
    return facts


def unstorable(build: Build) -> tuple[Problem, ...]:
    """Faults that a file may have and a stored character may not: two things in one hand."""
    problems, taken = [], set()
    for at, item in enumerate(build.items):
        if item.state in HANDS:
            if item.state in taken:
                problems.append(Problem(f"inventory[{at}].state", f"Something else is in that place: {item.state}."))
            taken.add(item.state)
    return tuple(problems)
