"""The unpublished edits of a source, and the faults that keep it from being published."""

import re
from functools import cached_property

from rules.engine.phrases import first_up, quoted
from rules.lint import Finding, check_packs, references
from rules.models import Source
from rules.models.ruleset import HOMEBREW
from rules.models.vocabulary import Kind
from rules.packs.columns import TABLES
from rules.packs.names import label
from rules.packs.pack_difference import RowDifference, difference
from rules.packs.source_rows import Pack, read_source
from rules.publications import beneath, in_force, stamp

# The words by which findings name rows that are no elements -> their table. Statistics have two: at the beginning of a
# finding and within.
TABLE_OF = {
    "stat": "stats",
    "statistic": "stats",
    "circumstance": "circumstances",
    "rest event": "events",
    "action timing": "timings",
    "house rule": "switches",
}


class Unpublished:
    """The working copy of a source, read once for everything that a page shows of it."""

    def __init__(self, source: Source):
        self.source = source
        self.working = read_source(source)
        self.others = beneath(source)

    @cached_property
    def live(self) -> Pack:
        return in_force(self.source) if self.source.revision else Pack()

    @cached_property
    def lines(self) -> tuple[RowDifference, ...]:
        """The differences between publication and working copy."""
        return difference(self.live, self.working, self.others)

    @cached_property
    def findings(self) -> list[Finding]:
        """Every finding about the content as it would be in force with this source published, errors first.

        Other homebrew is left out: it builds on public content, and homebrew of different tables is never in play
        together. If the source is homebrew, only its own elements are tried by themselves. A wrong name that another
        source in force already has is no finding; otherwise two such sources would keep each other from being
        published.
        """
        packs = [*self.others, self.working]
        packs.sort(key=lambda pack: (not pack.source["is_core"], pack.source["slug"]))
        tried = self.working.elements if self.source.slug.startswith(HOMEBREW) else None
        found = check_packs(self.source.ruleset, packs, tried)
        if not any(finding.error for finding in found):
            return found
        before = set(references([*self.others, self.live], of=self.others))
        return [finding for finding in found if finding not in before]

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.error]

    def in_names(self, fault: Finding) -> str:
        """The fault as a sentence for an author, with names of rows in place of refs and keys."""
        text = f"{fault.where}: {fault.reason}."
        named = "|".join(map(re.escape, sorted((key for key in self.names if key in text), key=len, reverse=True)))
        return first_up(re.sub(rf"\b(?:{named})(?![\w-])", lambda at: self.names[at[0]], text)) if named else text

    @cached_property
    def names(self) -> dict[str, str]:
        """Word in a finding -> name of the row for authors: "talent:tough" -> "talent “Tough”"."""
        found = {}
        for pack in (*self.others, self.working):
            for ref, row in pack.elements.items():
                found[ref] = f"{Kind(ref.partition(':')[0]).label} {quoted(row['name'])}"
            for word, table in TABLE_OF.items():
                for key, row in getattr(pack, table).items():
                    found[f"{word} {key}"] = f"{label(TABLES[table][0])} {quoted(row['name'])}"
        return found

    @property
    def stamp(self) -> str:
        return stamp(self.source, self.working)
