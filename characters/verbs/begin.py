"""Beginnings of characters: empty, at random, as a copy, or from a file."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from django.http import Http404

from characters.access import role_found, visible
from characters.actions.action_context import CHANCE
from characters.change import fact_address, fact_store
from characters.change.begin_character import begin, begin_within
from characters.change.draft import Draft
from characters.change.journal import Act
from characters.change.refusals import Refused
from characters.change.text_input import who
from characters.models import Change, Character
from characters.people import Person
from characters.read.character_file import NoRules, facts_of, public, read_file, unstorable
from characters.read.open_sources import closed_homebrew
from characters.sharing import by_link
from rules.compile import bundle_for
from rules.engine import Build, Bundle, derive
from rules.engine.random_answers import answer_all
from rules.engine.random_levels import climb
from rules.engine.sheet import Problem
from rules.models import Ruleset

from .experience import put_experience


class BadFile(Refused):
    """A character file that cannot be imported. `problems` are the engine's: a JSON path and a sentence each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(f"{problem.where}: {problem.text}".lstrip(": ") for problem in problems), "file")


def start(person: Person, key: str, *, ruleset: Ruleset | None = None) -> Change:
    """Begin an empty character for this person, at the level at which new characters begin."""

    def act(draft: Draft) -> str:
        put_experience(draft, draft.bundle.game.levels.at_start(draft.bundle, draft.build))
        return "A new character."

    return begin(person, "start", key, {}, act, ruleset=ruleset or default_ruleset())


def at_terms(switches: Mapping[str, str], sources: Iterable[str], more_xp: int) -> Act:
    """An Act for an empty character that plays by these house rules and begins where they say, with this much XP on
    top."""

    def act(draft: Draft) -> str:
        for slug in sources:
            draft.put(f"source:{slug}", True)
        bundle = draft.bundle
        for key in switches.keys() & bundle.switches.keys():
            draft.put(f"switch:{key}", switches[key])
        build = bundle.game.levels.at_start(bundle, draft.build)
        put_experience(draft, replace(build, xp=build.xp + more_xp))
        return "A new character, by the rules of its table."

    return act


def surprise(person: Person, key: str, *, ruleset: Ruleset | None = None, chance: Random = CHANCE) -> Change:
    """Begin a complete, legal character at random, with all of its first levels spent."""
    ruleset = ruleset or default_ruleset()
    bundle = bundle_for(ruleset)
    build = random_build(bundle, chance)  # before the transaction locks anything, since it takes a while

    def act(draft: Draft) -> str:
        fill(draft, facts_of(bundle, build))
        return f"{who(draft)} was made at random."

    return begin(person, "surprise", key, {}, act, ruleset=ruleset)


def random_build(bundle: Bundle, chance: Random) -> Build:
    """A complete, legal character at random, with all of its first levels spent."""
    game = bundle.game
    build = answer_all(bundle, game.levels.at_start(bundle, Build()), chance, game.chance.OWN_WORDS)
    build = game.chance.with_ranks(bundle, build, chance)  # by the needs of the job
    build = climb(bundle, build, chance, game.chance.LEVEL_WORDS)
    return game.chance.with_the_rest(bundle, build, derive(bundle, build), chance)


def copy(pk: int, person: Person, key: str) -> Change:
    """Copy a character that this person may see, with “(copy)” behind its name. The copy lacks the history, homebrew
    that is not open to this person and, unless they play the original, its private parts."""
    original = visible(pk, person)
    whole = role_found(original, person).plays
    return _copy(original, person, key, f"{original.name[:73]} (copy)" if original.name else "", whole=whole)


def copy_sample(person: Person, key: str, *, sample: str) -> Change:
    """Copy one of the samples."""
    original = Character.objects.exclude(sample="").select_related("ruleset").filter(sample=sample).first()
    if original is None:
        raise Http404("No such character.")
    return _copy(original, person, key, original.name)


def copy_shared(person: Person, key: str, *, token: str) -> Change:
    """Copy the character that a link leads to, without its private parts."""
    original = by_link(token)
    return _copy(original, person, key, original.name)


def _copy(original: Character, person: Person, key: str, name: str, *, whole: bool = False) -> Change:
    def act(draft: Draft) -> str:
        facts = fact_store.stored(original)
        named = [fact_address.name(one) for one in facts if fact_address.namespace(one) == "source"]
        for source in closed_homebrew(original.ruleset_id, named, person):
            del facts[f"source:{source.slug}"]
        fill(draft, (facts if whole else public(facts)) | {"field:name": name})
        return f"{who(draft)} is a copy of {original}."

    return begin(person, "copy", key, {"original": original.pk}, act, ruleset=original.ruleset)


def import_file(person: Person, key: str, *, text: str | bytes, sample: str = "", face: str = "") -> Change:
    """Begin a character from the bytes or text of a character file; BadFile says what is wrong with it, and where.

    A file names no database ids; new ones are given here. With `sample` the character has no owner and everyone may
    copy it; a sample comes with a `face`.
    """
    ruleset, act = from_file(person, text, face)
    what = {"text": text if isinstance(text, str) else text.decode("utf-8-sig")}
    ownership = {"sample": sample} if sample else None
    return begin(person, "import_file", key, what, act, ruleset=ruleset, ownership=ownership)


def import_within(person: Person, key: str, read: tuple[Ruleset, Act], what: dict[str, str]) -> Change:
    """Like `import_file`, for a file that `from_file` has read and a caller that has begun the transaction. `what` are
    the arguments for the journal; they name the file that was sent."""
    ruleset, act = read
    return begin_within(person, "import_file", key, what, act, ruleset=ruleset)


def from_file(
    person: Person, text: str | bytes, face: str = "", *, besides: Collection[str] = ()
) -> tuple[Ruleset, Act]:
    """The ruleset that a character file plays by, and the Act that fills a new character from it. The character may
    play by sources that are open to this person, and by those in `besides`."""
    try:
        reading = read_file(text, person, besides)
    except NoRules as none:
        raise Refused(str(none), "file") from none
    if reading.build is None or reading.problems:
        raise BadFile(reading.problems)
    if problems := unstorable(reading.build):
        raise BadFile(problems)
    facts = facts_of(reading.bundle, reading.build) | ({"field:face": face} if face else {})

    def act(draft: Draft) -> str:
        fill(draft, facts)
        return f"{who(draft)} comes from a character file."

    return reading.ruleset, act


def fill(draft: Draft, facts: Mapping[str, Any]) -> None:
    """Put these facts into a new character: items, aspects and the like get new rows. The date of the bin is left
    out."""
    fresh: dict[str, dict[str, Any]] = {word: {} for word in fact_address.ROWS}
    for address, value in facts.items():
        word = fact_address.namespace(address)
        if word in fresh:
            fresh[word][address] = value
        elif address != "field:binned" and word != "used":
            draft.put(address, value)
    for word, values in fresh.items():
        if values:
            for old, new in zip(values, draft.create(word, list(values.values())), strict=True):
                used = facts.get(f"used:{fact_address.name(old)}")
                if word == "item" and used:
                    draft.put(f"used:{fact_address.name(new)}", used)


def default_ruleset() -> Ruleset:
    """The ruleset of a new character or table if none is given: the first whose rules are loaded."""
    ruleset = Ruleset.objects.playable().first()
    if ruleset is None:
        raise Refused("No rules are loaded here yet.")
    return ruleset
