"""The edits of a source that are not published yet, and the faults that keep them from it."""

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

# The table of each word by which findings call a row that is no element: of a statistic, at the beginning and within.
TABLE_OF = {
    "stat": "stats",
    "statistic": "stats",
    "circumstance": "circumstances",
    "rest event": "events",
    "action timing": "timings",
    "house rule": "switches",
}


class Unpublished:
    """The working copy of a source, read once for everything that a page asks of it."""

    def __init__(self, source: Source):
        self.source = source
        self.working = read_source(source)
        self.others = beneath(source)

    @cached_property
    def live(self) -> Pack:
        return in_force(self.source) if self.source.revision else Pack()

    @cached_property
    def lines(self) -> tuple[RowDifference, ...]:
        """The differences between the published rows and the working copy."""
        return difference(self.live, self.working, self.others)

    @cached_property
    def findings(self) -> list[Finding]:
        """Every finding about the content that would be in force once the source is published, errors first.

        Homebrew beside it is left out: it builds on public content, and homebrew of one table is never in play with
        that of another. If the source is homebrew, only its own elements are tried by themselves. A name that another
        source in force had wrong before is no finding: else two such sources would keep each other from being
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
        """The fault as a sentence for an author, with the names of rows in place of the refs and keys of files."""
        text = f"{fault.where}: {fault.reason}."
        named = "|".join(map(re.escape, sorted((key for key in self.names if key in text), key=len, reverse=True)))
        return first_up(re.sub(rf"\b(?:{named})(?![\w-])", lambda at: self.names[at[0]], text)) if named else text

    @cached_property
    def names(self) -> dict[str, str]:
        """The name of each row for authors, by what findings call it: "talent “Tough”" by "talent:tough"."""
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
