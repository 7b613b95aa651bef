"""Fill the database of DATABASE_URL with much content, and print the request of a player there as JSON.

    python -m bench.much_content
Everything is loaded as packs of files: 5,000 entries in 50 public sources, and 1,000 in 200 sources of homebrew.
"""

import json
from itertools import accumulate, product
from random import Random

import django

django.setup()

from rules.models import Homebrew  # noqa: E402
from rules.packs.load import load_files  # noqa: E402

from .pages import page  # noqa: E402

SOURCES, EACH = 50, 100
PRIVATE, PRIVATE_EACH = 200, 5
SYLLABLES = [begin + end for begin in ("b", "dr", "g", "kl", "m", "n", "pr", "st", "th", "v") for end in "aeo"]
# As many different words as a text of this length has by Heaps' law, a few of them often and most of them rarely.
WORDS = ["".join(parts) for length in (2, 3) for parts in product(SYLLABLES, repeat=length)]
Random(0).shuffle(WORDS)
OFTEN = list(accumulate(1 / (10 + rank) for rank in range(10_000)))


def fill() -> None:
    for number in range(SOURCES):
        load_files(pack(f"book-{number}", EACH, Random(number)))
    for number in range(PRIVATE):
        loaded = load_files(pack(f"table-{number}", PRIVATE_EACH, Random(-number)))
        Homebrew.objects.create(source=loaded.source, tag=f"tag{number}")


def pack(slug: str, many: int, chance: Random) -> dict[str, bytes]:
    """Half of it talents, with a number, a requirement and an action; then weapons, features and skills, all with a
    text."""
    files: dict[str, list[str]] = {}
    for at in range(many):
        kind = ("talents", "weapons", "talents", "features", "talents", "skills")[at % 6]
        files.setdefault(kind, []).append(entry(kind, f"{slug}-{at}", chance))
    source = f"ruleset: {{slug: polyhedral}}\nsource: {{slug: {slug}, title: {words(chance, 2)}}}\n"
    return {"source.yaml": source.encode()} | {
        f"{name}.yaml": "\n".join(lines).encode() for name, lines in files.items()
    }


def entry(kind: str, slug: str, chance: Random) -> str:
    text = f"- slug: {slug}\n  name: {words(chance, 2)}\n  text: {words(chance, 60)}.\n"
    match kind:
        case "talents":
            return text + (
                "  modify: [{stat: speed, op: add, amount: 5, when: without-armor}]\n"
                "  requires: [{test: stat_min, stat: rank.strength, value: 12}]\n"
                f"  actions: [{{slug: {slug}-do, name: {words(chance, 2)}, timing: action, text: Do it.}}]\n"
            )
        case "weapons":
            return text + "  category: category:simple-weapons\n  die: 6\n  damage_type: damage-type:slashing\n"
        case "features":
            return text + "  groups: [category:fighting-styles]\n  modify: [{stat: defense, op: add, amount: 1}]\n"
    return text + "  key_ability: ability:strength\n"


def words(chance: Random, many: int) -> str:
    return " ".join(chance.choices(WORDS[: len(OFTEN)], cum_weights=OFTEN, k=many)).capitalize()


if __name__ == "__main__":
    fill()
    sheet = page("sheet")
    print(json.dumps({"path": sheet.path, "headers": sheet.headers}))
