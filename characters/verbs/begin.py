"""How a character comes to be: empty, by chance, as a copy, or from a file."""

from characters import rows
from characters.build import bundle_of
from characters.files import facts_of, read_file
from characters.journal import Refused, begin, fingerprint_of
from characters.models import Character
from characters.surprise import complete
from characters.words import who
from rules.models import Ruleset


def start(person, key, *, ruleset=None):
    """An empty character that this person keeps."""
    return begin(
        person,
        "start",
        key,
        fingerprint_of(),
        lambda draft: "A new character begins.",
        ruleset=ruleset or default_game(),
    )


def surprise(person, key, *, ruleset=None, chance=None):
    """A complete, legal character by chance. `chance` is a `random.Random`; by default the system's own source."""

    def act(draft):
        complete(draft, bundle_of(draft.character, draft.build), chance)
        return f"{who(draft)} turns up by chance."

    return begin(person, "surprise", key, fingerprint_of(), act, ruleset=ruleset or default_game())


def copy(pk, person, key):
    """One's own character again, as it stands, under a name that says so. The history is not copied."""
    original = Character.objects.visible_to(person).select_related("ruleset").get(pk=pk)
    return _copy(original, person, key, f"{original.name} (copy)"[:80] if original.name else "")


def copy_sample(slug, person, key):
    original = Character.objects.select_related("ruleset").exclude(sample="").get(sample=slug)
    return _copy(original, person, key, original.name)


def _copy(original, person, key, name):
    facts = rows.stored(original) | {"field:name": name}

    def act(draft):
        fill(draft, facts)
        return f"{who(draft)} is a copy of {original}."

    return begin(person, "copy", key, fingerprint_of(original=original.pk), act, ruleset=original.ruleset)


def import_file(person, key, *, text, keeper=None, sample=""):
    """A character from a character file; Refused with `problems` when the file has any.

    Nothing in the file names a row: ids are given here.
    """
    ruleset, build, problems = read_file(text)
    if problems:
        raise BadFile(problems)
    facts = facts_of(build)

    def act(draft):
        fill(draft, facts)
        return f"{who(draft)} comes from a character file."

    what = fingerprint_of(text=text if isinstance(text, str) else text.hex())
    columns = {"sample": sample} if sample else {}
    return begin(person, "import", key, what, act, ruleset=ruleset, keeper=keeper, **columns)


class BadFile(Refused):
    """A file that cannot be taken. `problems` are pairs of JSON path and sentence."""

    def __init__(self, problems):
        self.problems = problems
        first = problems[0]
        super().__init__(f"{first.where}: {first.text}" if first.where else first.text, "file")


def fill(draft, facts):
    """Write these facts as a new character's own: items and aspects get new rows."""
    fresh = {"item": [], "aspect": []}
    for address, value in facts.items():
        word = address.partition(":")[0]
        if word in fresh:
            fresh[word].append(value)
        elif address != "field:binned":
            draft.put(address, value)
    for word, values in fresh.items():
        if values:
            draft.create(word, values)


def default_game() -> Ruleset:
    """The game a new character is for when nobody says: the first whose rules are loaded."""
    ruleset = Ruleset.objects.filter(sources__is_core=True).order_by("pk").first()
    if ruleset is None:
        raise Refused("No rules are loaded yet.")
    return ruleset
