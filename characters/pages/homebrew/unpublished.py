"""The changes of a homebrew that are not published yet."""

from collections.abc import Sequence

from rules.models import Source
from rules.packs.pack_difference import RowDifference, difference
from rules.packs.source_rows import Pack, read_source
from rules.publications import beneath, in_force

MOVED_ON = "Someone has changed something since you opened this page. Read what is different now, then press again."


def lines_of(source: Source, working: Pack | None = None) -> tuple[RowDifference, ...]:
    """The changes that are not published yet."""
    live = in_force(source) if source.revision else Pack()
    found = difference(live, working or read_source(source), beneath(source))
    return tuple(one for one in found if one.kind != "source")


def shown(lines: Sequence[RowDifference]) -> list[RowDifference]:
    """The entries among what differs: what was made with them goes without saying."""
    return [line for line in lines if ":" in line.key]
