"""The person or the table whose homebrew it is: all that the pages of homebrew ask of either."""

from abc import ABC, abstractmethod

from django.db.models import QuerySet
from django.http import Http404

from characters.models import Character
from rules.entries import entries_of
from rules.models import Element, Ruleset, Source


class Place(ABC):
    """`title` names the page, `back` is where it leads back to in the words `back_words`. `runs` may write."""

    title: str
    back: str
    back_words: str
    runs: bool
    lede: str

    @abstractmethod
    def url(self, name: str, *args: object) -> str:
        """The address of a page: `homebrew` is the list."""

    @property
    def list_url(self) -> str:
        return self.url("homebrew")

    @property
    def publish_url(self) -> str:
        return self.url("homebrew-publish")

    @property
    def copy_url(self) -> str:
        return self.url("homebrew-copy")

    @property
    def take_url(self) -> str:
        return self.url("homebrew-take")

    @property
    def download_url(self) -> str:
        return self.url("homebrew-download")

    @abstractmethod
    def ruleset(self) -> Ruleset:
        """The game of a source that is still to be made."""

    @abstractmethod
    def source(self) -> Source | None: ...

    @abstractmethod
    def locked(self) -> Source:
        """The source until the transaction ends, made where there is none; Http404 for who may not write it by now."""

    @abstractmethod
    def characters(self) -> QuerySet[Character]:
        """The characters of which the writer may read what publishing moves."""

    @abstractmethod
    def plays(self) -> list[tuple[str, str]]:
        """The pages on which it is put in play: address and words."""

    def entry(self, pk: int) -> Element:
        """Of the working copy; Http404 for one of another source, as for one that there is not."""
        source = self.source()
        found = entries_of(source).select_related("source", "ruleset").filter(pk=pk).first() if source else None
        if found is None:
            raise Http404("There is no such entry.")
        return found
