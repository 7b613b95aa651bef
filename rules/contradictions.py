"""Requirements that no character can ever meet together."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rules.models.vocabulary import Detection, TestWord

IN_VAIN = "this can never be met together with the other tests"
NO_TESTS = "its tests decide it, and it has none: add one, or let the sheet or the table decide"
STAT_TESTS = {TestWord.STAT_MIN, TestWord.STAT_MAX}
COUNTED = {*STAT_TESTS, TestWord.LEVEL, TestWord.RANK}
OF = ("element", "stat", "word")

type TestRow = Mapping[str, Any]


def contradicting(rows: Iterable[TestRow], lists: Collection[Any] = ()) -> int | None:
    """The index of the first test that cannot hold together with the others; None if all can. For a group of
    alternatives (`either`), of which none can hold, it is the first of the group. lists: the house rules that may have
    several values at once."""
    alone: list[tuple[int, TestRow]] = []
    groups: dict[int, list[tuple[int, TestRow]]] = defaultdict(list)
    for at, row in enumerate(rows):
        (groups[row["either"]] if row["either"] else alone).append((at, row))
    must = [row for _, row in alone]
    for number, (at, _) in enumerate(alone):
        if _is_in_vain(must[: number + 1], lists):
            return at
    for group in groups.values():
        if all(_is_in_vain([*must, row], lists) for _, row in group):
            return group[0][0]
    return None


def _is_in_vain(rows: Sequence[TestRow], lists: Collection[Any]) -> bool:
    """True if these tests cannot all hold."""
    spans: dict[tuple[Any, ...], tuple[float, float]] = {}
    wanted: dict[Any, list[set[str]]] = defaultdict(list)
    barred: dict[Any, set[str]] = defaultdict(set)
    for row in rows:
        test = row["test"]
        if test == TestWord.SWITCH:
            values = set(row["word"].split("|"))
            if row["negate"]:
                barred[row["switch"]] |= values
            else:
                wanted[row["switch"]].append(values)
            continue
        value = row["value"] or 0 if test in COUNTED else 1
        if (test == TestWord.STAT_MAX) == bool(row["negate"]):
            least, most = value + bool(row["negate"]), float("inf")
        else:
            least, most = float("-inf"), value - bool(row["negate"])
        subject = ("stat" if test in STAT_TESTS else test, *(row[column] for column in OF))
        low, high = spans.get(subject, (float("-inf"), float("inf")))
        spans[subject] = max(low, least), min(high, most)
    for switch, sets in wanted.items():
        together = sets if switch in lists else [set.intersection(*sets)]
        if any(values <= barred[switch] for values in together):
            return True
    return any(low > high for low, high in spans.values())


def lacks_tests(detection: str, tests: Collection[Any]) -> bool:
    """True if a circumstance of this detection needs tests and has none, so it would always hold."""
    return detection == Detection.AUTO and not tests
