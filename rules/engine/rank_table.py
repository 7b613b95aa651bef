"""The ranks of a job or path and what each brings: one table for the rules pages and the admin."""

from dataclasses import dataclass, replace

from .content import Action, Choice, Effect, Element, Ref
from .phrases import Lookup, name_of
from .sentence import action_sentence, effect_sentence

RANKED = ("job", "path")


@dataclass(frozen=True)
class Brought:
    """A thing that a rank brings, in words, with its row: a grant, a choice, a number or an action."""

    words: str
    row: Effect | Choice | Action

    @property
    def named(self) -> Ref:
        """The ref of the element that the words name; "" for none."""
        row = self.row
        return (row.element or row.subject or row.ability) if isinstance(row, Effect) else ""


def is_in_table(row: Effect | Action) -> bool:
    """True for a row that belongs to a rank. Rows that count from the start belong to none."""
    return row.owner.partition(":")[0] in RANKED and row.from_rank > 0


def rank_table(element: Element, names: Lookup) -> list[tuple[int, list[Brought]]]:
    """Each rank with what it brings, lowest first: grants, choices, numbers and actions."""
    if element.kind not in RANKED:
        return []
    ranks: dict[int, list[Brought]] = {}
    for effect in sorted(filter(is_in_table, element.effects), key=lambda row: row.kind != "grant"):
        words = effect_sentence(replace(effect, from_rank=0), names)
        if effect.grant_as == "gain":
            words = name_of(names.elements, effect.element) + _condition(effect.when, names)
        ranks.setdefault(effect.from_rank, []).append(Brought(words, effect))
    for choice in element.choices:
        words = choice.prompt + _condition(choice.when, names)
        ranks.setdefault(max(choice.from_rank, 1), []).append(Brought(words, choice))
    for action in filter(is_in_table, element.actions):
        words = action_sentence(replace(action, from_rank=0), names)
        ranks.setdefault(action.from_rank, []).append(Brought(words, action))
    return sorted(ranks.items())


def _condition(slug: str, names: Lookup) -> str:
    return f" ({name_of(names.circumstances, slug)})" if slug else ""
