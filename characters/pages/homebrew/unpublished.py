"""The changes of a homebrew that are not published yet, and the faults that keep them from it."""

from collections.abc import Sequence
from functools import cached_property

from rules.lint import check_publication
from rules.models import Source
from rules.packs.pack_difference import RowDifference, difference
from rules.packs.source_rows import Pack, read_source
from rules.publications import beneath, in_force, stamp

MOVED_ON = "Someone has changed something since you opened this page. Read what is different now, then press again."


class Unpublished:
    """The working copy of a source, read once for everything that a page asks of it."""

    def __init__(self, source: Source):
        self.source = source
        self.working = read_source(source)
        self.others = beneath(source)

    @cached_property
    def lines(self) -> tuple[RowDifference, ...]:
        """The differences between the published rows and the working copy."""
        live = in_force(self.source) if self.source.revision else Pack()
        return tuple(one for one in difference(live, self.working, self.others) if one.kind != "source")

    @cached_property
    def faults(self) -> list[str]:
        """The faults that keep it from being published, in sentences that name the entries."""
        names = {ref: row["name"] for ref, row in self.working.elements.items()}
        found = [one for one in check_publication(self.source, self.working, self.others) if one.error]
        return [f"{names.get(one.where, one.where)}: {one.reason}." for one in found]

    @property
    def stamp(self) -> str:
        return stamp(self.source, self.working)


def shown(lines: Sequence[RowDifference]) -> list[RowDifference]:
    """The entries that differ, without the rows that were made along with them."""
    return [line for line in lines if ":" in line.key]
