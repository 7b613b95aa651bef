"""The report of a load, and the error for a row that cannot be deleted."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """The changes of a load, made or only tried: the number of rows added, changed and so on, and a line for each row
    that changes. kept, replaced: rows edited on this site, whose edits stay or are lost."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    retired: int = 0
    deleted: int = 0
    lines: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)

    @property
    def moved(self) -> bool:
        return bool(self.added or self.changed or self.retired or self.deleted)

    def __str__(self) -> str:
        return (
            f"{self.added} added, {self.changed} changed, {self.unchanged} unchanged, "
            f"{self.retired} retired, {self.deleted} deleted"
        )


class StillUsed(Exception):
    """A choice, resource or action is no longer in the pack, but characters or other entries use it."""

    def __init__(self, ref: str, what: str):
        super().__init__(what)
        self.ref = ref
        self.what = what
