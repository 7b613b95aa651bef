"""The content of an element's page, from the library: sentences with links, tables, and what points at it."""

from dataclasses import dataclass

from rules.engine import item_words, sentence
from rules.engine.content import Effect, Element, Ref, Suggestion
from rules.engine.rank_table import is_in_table, rank_table
from rules.library import Library, kind_badge

ASPECT_TITLES = {"trait": "Personality traits", "ideal": "Ideals", "bond": "Bonds", "flaw": "Flaws"}


type Line = tuple[tuple[str, str], ...]
"""A sentence in pieces of (text, address). A piece with an address is a link to the element it names."""


@dataclass(frozen=True)
class ShownChoice:
    prompt: str
    sentence: str
    options: list[Element]
    stats: list[str]


class ElementPage:
    """The parts of one element's page. Each is empty if the element has nothing for it."""

    def __init__(self, library: Library, element: Element):
        self.library, self.element = library, element
        self.bundle = library.bundle

    @property
    def badge(self) -> str:
        return kind_badge(self.element.kind, self.bundle.kinds)

    @property
    def url(self) -> str:
        return self.library.url(self.element.ref)

    @property
    def parent(self) -> Element | None:
        return self.bundle.elements.get(self.element.parent)

    @property
    def groups(self) -> list[Element]:
        return self.library.sorted(self.element.groups)

    def figures(self) -> list[tuple[str, Line]]:
        """The columns of the element's kind: label and value."""
        element, rows = self.element, []
        if weapon := element.weapon:
            rows = [
                ("Group", self.link(weapon.category)),
                ("Damage", (text(f"{item_words.weapon_damage(weapon)} "), *self.link(weapon.damage_type))),
                ("Hands", plain(str(weapon.hands))),
            ]
        elif armor := element.armor:
            rows = [("Group", self.link(armor.category))]
            rows += [("Defense", plain(item_words.armor_defense(armor, self.bundle)))] if armor.base_defense else []
            rows += [("Hands", plain(str(armor.hands)))] if armor.hands else []
        elif element.ability:
            rows = [("Short", plain(element.ability.short))]
        elif element.job:
            rows = [("Highest rank", plain(str(element.job.max_rank)))]
        elif element.condition and element.condition.stackable:
            rows = [("Stacks", plain(f"up to {element.condition.max_stacks}"))]
        elif spell := element.spell:
            words = [("Casting time", spell.time), ("Range", spell.range), ("Spell attack", spell.attack)]
            rows = [(label, plain(value)) for label, value in words if value]
            rows += [("Saving throw", self.link(spell.saving_throw))] if spell.saving_throw else []
            rows += [("Damage", plain(spell.damage))] if spell.damage else []
            rows += [("Cantrip", plain("yes"))] if spell.cantrip else []
        if element.condition and (ends := sentence.condition_sentence(element.condition, self.bundle)):
            rows.append(("By itself", plain(ends.lower())))
        if element.key_ability:
            rows.append(("Ability", self.link(element.key_ability)))
        if element.cost_class and self.bundle.game.wealth.for_sale(self.bundle):
            rows.append(("Cost", plain(self.bundle.game.wealth.CLASSES[element.cost_class])))
        return rows

    def properties(self) -> list[tuple[Line, str]]:
        """The properties printed on an item, with their summaries."""
        elements = self.bundle.elements
        return [
            (self._line(item_words.property_phrase(use, self.bundle), use.property), elements[use.property].summary)
            for use in self.element.properties
            if use.property in elements
        ]

    def effects(self) -> list[Line]:
        return [self.effect(row) for row in self.element.effects if row.kind != "grant" and not is_in_table(row)]

    def grants(self) -> list[Line]:
        """The element's grants, except those at a rank of a job or path. Grants that differ only in what they grant are
        one line."""
        alike: dict[tuple[object, ...], list[Effect]] = {}
        for row in self.bundle.grants.get(self.element.ref, ()):
            if not is_in_table(row):
                saving = row.element.startswith("ability:")
                alike.setdefault((row.grant_as, row.when, row.from_rank, row.quantity, row.text, saving), []).append(
                    row
                )
        return [self._together(rows) for rows in alike.values()]

    def _together(self, rows: list[Effect]) -> Line:
        """One sentence for rows that differ only in what they grant."""
        names = [self.bundle.elements[row.element].name for row in rows]
        first = sentence.effect_sentence(rows[0], self.bundle)
        before, _, after = first.partition(names[0])
        parts = [text(before)]
        for place, (row, name) in enumerate(zip(rows, names, strict=True)):
            if place:
                parts.append(text(" and " if place == len(rows) - 1 else ", "))
            parts.append((name, self.library.url(row.element)))
        return (*parts, text(after))

    def ranks(self) -> list[tuple[int, list[Line]]]:
        """The rank table of a job or path: everything that each rank brings, including numbers, choices and actions."""
        return [
            (rank, [self._line(one.words, one.named) for one in brought])
            for rank, brought in rank_table(self.element, self.bundle)
        ]

    def choices(self) -> list[ShownChoice]:
        return [
            ShownChoice(
                choice.prompt,
                sentence.choice_sentence(choice, self.bundle),
                self.library.sorted(choice.options),
                [self.bundle.stats[key].name for key in choice.stats if key in self.bundle.stats],
            )
            for choice in self.element.choices
        ]

    def needs(self) -> list[Line]:
        return [plain(words) for words in sentence.requirements_sentences(self.element.prerequisites, self.bundle)]

    def actions(self) -> list[tuple[str, str, str]]:
        """Anchor, sentence and text of each action."""
        return [
            (f"action-{action.slug}", sentence.action_sentence(action, self.bundle), action.text)
            for action in sorted(self.element.actions, key=lambda action: action.timing_sort)
        ]

    def resources(self) -> list[Line]:
        return [
            *(plain(sentence.resource_sentence(row, self.bundle)) for row in self.element.resources),
            *(plain(sentence.recovery_sentence(row, self.bundle)) for row in self.element.recoveries),
        ]

    def suggestions(self) -> list[tuple[str, list[Suggestion]]]:
        tables = self.library.suggestions.get(self.element.ref, {})
        return [(title, tables[aspect]) for aspect, title in ASPECT_TITLES.items() if aspect in tables]

    def members(self) -> list[tuple[str, list[Element]]]:
        """The elements that belong to this one or use it, by kind."""
        refs = [*self.library.members.get(self.element.ref, ()), *self.library.used_by.get(self.element.ref, ())]
        found: dict[str, list[Element]] = {}
        for element in self.library.sorted(refs):
            found.setdefault(element.kind, []).append(element)
        return sorted(found.items())

    def came_from(self) -> list[Line]:
        """The elements that grant it and the choices that offer it."""
        lines = set()
        for row in self.library.granted_by.get(self.element.ref, ()):
            how = f", from rank {row.from_rank}" if row.from_rank > 1 else ""
            lines.add((text("Given by "), *self.link(row.owner), text(how)))
        for choice in self.library.offered_by.get(self.element.ref, ()):
            lines.add((text("A choice of "), *self.link(choice.owner), text(f": {choice.prompt}")))
        return sorted(lines)

    # Links

    def link(self, ref: Ref) -> Line:
        element = self.bundle.elements.get(ref)
        return ((element.name, self.library.url(ref)) if element else text(ref),)

    def effect(self, row: Effect) -> Line:
        return self._line(sentence.effect_sentence(row, self.bundle), row.element or row.subject or row.ability)

    def _line(self, words: str, ref: Ref) -> Line:
        """`words` with the name of the element `ref` in them as a link."""
        element = self.bundle.elements.get(ref)
        if not element or element.name not in words:
            return plain(words)
        before, name, after = words.partition(element.name)
        return (text(before), (name, self.library.url(ref)), text(after))


def text(words: str) -> tuple[str, str]:
    return (words, "")


def plain(words: str) -> Line:
    return (text(words),)
