"""The person or the table that a homebrew belongs to: all that the pages of homebrew ask of either."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import Http404

from characters.models import Character
from rules.entries import entries_of
from rules.models import Element, Ruleset, Source


class NoAccount(Http404):
    """Raised for a visitor without an account at a place that only an account has."""


class HomebrewPlace(ABC):
    """`title` is the title of the list; `above` are the pages above it, as words and addresses. `runs` is true for
    those who may write. `ruleset` is the one that the source is of; `games` are the rulesets for which there is such a
    list, each after its address."""

    title: str
    above: list[tuple[str, str]]
    runs: bool
    lede: str
    ruleset: Ruleset
    games: Sequence[tuple[str, Ruleset]] = ()

    @abstractmethod
    def url(self, name: str, *args: object) -> str:
        """The address of a page; `homebrew` names the list."""

    @property
    def list_url(self) -> str:
        return self.url("homebrew")

    @property
    def urls(self) -> dict[str, str]:
        """The addresses of the pages that are about all of its entries."""
        return {name: self.url(f"homebrew-{name}") for name in ("publish", "copy", "take", "download")}

    @abstractmethod
    def source(self) -> Source | None: ...

    @abstractmethod
    def locked(self) -> Source:
        """The source, locked until the transaction ends and made if there is none; Http404 for a person who may no
        longer write it."""

    @abstractmethod
    def characters(self) -> QuerySet[Character]:
        """The characters that the writer may read, to see what publishing would move."""

    @abstractmethod
    def plays(self) -> list[tuple[str, str]]:
        """Address and words of each page on which it can be put in play."""

    def entry(self, pk: int) -> Element:
        """An entry of the working copy; Http404 if there is none of this id, or it is in another source."""
        source = self.source()
        found = entries_of(source).select_related("source", "ruleset").filter(pk=pk).first() if source else None
        if found is None:
            raise Http404("There is no such entry.")
        return found
