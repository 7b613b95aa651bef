"""Entries of one kind side by side, in the parts of their own pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules.element_page import ElementPage, Line, plain, text
from rules.engine.content import Element
from rules.library import Library

MOST_COMPARED = 3


@dataclass(frozen=True)
class ComparedPart:
    """A part of each entry, in the order of the entries. `alike` if it is the same for all."""

    title: str
    cells: list[list[Line]]

    @property
    def alike(self) -> bool:
        return len(self.cells) > 1 and all(cell == self.cells[0] for cell in self.cells)


def parts_of(library: Library, elements: Sequence[Element]) -> list[ComparedPart]:
    """The parts that any of the elements has."""
    pages = [ElementPage(library, element) for element in elements]
    figures = [dict(page.figures()) for page in pages]
    labels = dict.fromkeys(label for rows in figures for label in rows)
    found = [
        ComparedPart("In short", [[plain(page.element.summary)] if page.element.summary else [] for page in pages]),
        *(ComparedPart(label, [[rows[label]] if label in rows else [] for rows in figures]) for label in labels),
        *(ComparedPart(title, [lines(page) for page in pages]) for title, lines in LINES.items()),
        ComparedPart("From", [[plain(library.sources[page.element.source].title)] for page in pages]),
    ]
    return [part for part in found if any(part.cells)]


def ranks(page: ElementPage) -> list[Line]:
    return [(text(f"{rank}: "), *line) for rank, lines in page.ranks() for line in lines]


# The parts below the figures, with the lines of a page in each.
LINES: dict[str, Callable[[ElementPage], list[Line]]] = {
    "Needs": ElementPage.needs,
    "Properties": lambda page: [line for line, _ in page.properties()],
    "What it does": ElementPage.effects,
    "Rank by rank": ranks,
    "What it gives": ElementPage.grants,
    "What you choose": lambda page: [plain(question.prompt) for question in page.choices()],
    "What you can do with it": lambda page: [plain(sentence) for _, sentence, _ in page.actions()],
    "Uses": ElementPage.resources,
    "How to get it": ElementPage.came_from,
}
