"""Names as a character file writes them: slugs, the game's abilities, and misprinted spellings."""

import re
from functools import cached_property

from rules.engine.build import Decision
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Ref

# Ruling 95: import accepts the printed forms.
PRINTED = {
    "boomarang": "boomerang",
    "bow-longbow": "longbow",
    "bow-short-bow": "short-bow",
    "explation": "exploration",
    "indominatable": "indomitable",
    "intimidate": "intimidation",
    "paralyed": "paralyzed",
    "pressence": "presence",
    "shortbow": "short-bow",
    "surpise": "surprised",
    "surprise": "surprised",
    "use-and-object": "use-an-object",
}
ITEM_KINDS = ("weapon", "armor", "gear", "tool")


class FileNames:
    """The names in one bundle, in both directions."""

    def __init__(self, bundle: Bundle):
        self.bundle = bundle
        # ability slug -> the statistic of its rank, in the abilities' order
        self.abilities = {element.slug: ability.rank_stat for element, ability in bundle.abilities}
        self.ability_of = {stat: slug for slug, stat in self.abilities.items()}

    def find(self, slug: str, kinds: tuple[str, ...]) -> Ref:
        """The element of one of `kinds` with this slug, misprinted spelling or former slug; "" if there is none."""
        refs = [f"{kind}:{name}" for name in (slug, PRINTED.get(plain(slug), "")) if name for kind in kinds]
        there = (ref for ref in refs if ref in self.bundle.elements)
        return next(there, "") or next((self.bundle.former[ref] for ref in refs if ref in self.bundle.former), "")

    def item(self, name: str) -> Ref:
        """The item with this slug, printed name or name on the site: `Half plate`, `Pistol, light`, `Light pistol`."""
        return self.find(name, ITEM_KINDS) or self.find(plain(name), ITEM_KINDS) or self.item_names.get(plain(name), "")

    def language(self, words: str) -> Ref:
        """The language with this slug or name, whatever the capitals; "" if the rules list none."""
        said = words.casefold()
        named = (one.ref for one in self.bundle.of_kind("language") if one.name.casefold() == said)
        return self.find(said, ("language",)) or next(named, "")

    @cached_property
    def item_names(self) -> dict[str, Ref]:
        """Each item by its name as a slug. Not every slug is the name: the Light pistol is `pistol-light`."""
        return {plain(item.name): item.ref for kind in reversed(ITEM_KINDS) for item in self.bundle.of_kind(kind)}

    def choice(self, key: str) -> Choice | None:
        """The choice with this key now, or before its owner was renamed."""
        return self.bundle.choices.get(self.bundle.former_choices.get(key, key))

    def ability(self, slug: str) -> str:
        """The statistic of an ability's rank; "" if there is no such ability."""
        return self.abilities.get(slug) or self.abilities.get(PRINTED.get(plain(slug), ""), "")

    def resource(self, slug: str) -> str:
        """The resource with this slug; "" if there is none."""
        return next((one for one in (slug, PRINTED.get(plain(slug), "")) if one in self.bundle.resources), "")

    def kinds_of(self, choice: Choice) -> tuple[str, ...]:
        """The kinds of element among a choice's options."""
        if choice.filter_kind:
            return (choice.filter_kind,)
        return tuple(dict.fromkeys(ref.partition(":")[0] for ref in choice.options))

    def answer(self, decision: Decision) -> object:
        """One answer as a file writes it."""
        name = decision.write_in or decision.ref.partition(":")[2] or decision.stat
        return {"option": name, "override": decision.override} if decision.override else name


def plain(text: str) -> str:
    """A printed name as a slug: `Bow, short bow` is bow-short-bow; apostrophes are dropped."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub("['’]", "", text.lower())).strip("-")
