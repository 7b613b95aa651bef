"""Acts in the log: the changes that one act made to several characters are one row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from campaigns.models import PartyAct
from campaigns.party_log import LogEntry, PartyLog


@dataclass(frozen=True)
class ActRow:
    """The changes of one act, newest first. act: None for one that nobody undoes for all at once, such as new house
    rules."""

    entries: Sequence[LogEntry]
    act: PartyAct | None = None

    @property
    def at(self) -> datetime:
        return self.entries[0].at

    @property
    def sentence(self) -> str:
        return self.act.sentence if self.act else self.entries[0].change.sentence

    @property
    def reason(self) -> str:
        """The storyteller's reason for the act: a change whose own sentence contains it has none."""
        return self.act.what.get("reason", "") if self.act else self.entries[0].change.reason

    @property
    def stands(self) -> bool:
        """False once it was undone for every character."""
        return any(entry.change.stands for entry in self.entries)

    @property
    def may_be_undone(self) -> bool:
        return self.act is not None and not self.act.inverted and self.stands


def page_of[Row](rows: Sequence[Row], most: int) -> Sequence[Row]:
    """The first of these rows, at most this many. An act that would be cut comes on the next page, unless it is longer
    than a page."""
    end = most if len(rows) > most else 0
    while end and _same_act(rows[end - 1]) == _same_act(rows[end]):
        end -= 1
    return rows[: end or most]


def by_act[Row](log: PartyLog, rows: Iterable[Row | LogEntry]) -> Iterator[Row | LogEntry | ActRow]:
    """The rows of the log, with neighbors that one act made joined into one.

    Only storytellers see the sentence of the act, since it names every character. Other readers, and acts that are no
    PartyAct, get one row if all its changes read the same.
    """
    runs = [list(run) for _, run in groupby(rows, _same_act)]
    several = {place: [row for row in run if isinstance(row, LogEntry)] for place, run in enumerate(runs) if run[1:]}
    acts = _acts(log, [entries[0].change.key for entries in several.values()]) if log.runs and several else {}
    for place, run in enumerate(runs):
        entries = several.get(place, [])
        act = acts.get(entries[0].change.key) if entries else None
        if act or len({entry.change.sentence for entry in entries}) == 1:
            yield ActRow(entries, act)
        else:
            yield from run


def _same_act(row: object) -> object:
    """Equal for the changes of one act by one person; anything else is equal to nothing."""
    return (row.change.key, row.who) if isinstance(row, LogEntry) else object()


def _acts(log: PartyLog, keys: Sequence[str]) -> dict[str, PartyAct]:
    """Proposals are left out: each player answers one by itself."""
    found = log.campaign.acts.filter(key__in=keys, proposed=False).select_related("inverted_by")
    return {act.key: act for act in found}
