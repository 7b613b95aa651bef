"""The entries of homebrew that are not published yet, and the faults that keep them from it, for their authors."""

from collections.abc import Sequence

from rules.packs.pack_difference import RowDifference
from rules.unpublished import Unpublished

MOVED_ON = "Someone has changed something since you opened this page. Read what is different now, then press again."


def lines_of(found: Unpublished) -> list[RowDifference]:
    """The differences, without those of the source itself."""
    return [one for one in found.lines if one.kind != "source"]


def faults_of(found: Unpublished) -> list[str]:
    """The faults as sentences that name the entries."""
    names = {ref: row["name"] for ref, row in found.working.elements.items()}
    return [f"{names.get(one.where, one.where)}: {one.reason}." for one in found.faults]


def shown(lines: Sequence[RowDifference]) -> list[RowDifference]:
    """The entries that differ, without the rows that were made along with them."""
    return [line for line in lines if ":" in line.key]
