"""Requirements that can never all hold, whoever has to meet them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rules.models.vocabulary import Detection, TestWord

IN_VAIN = "this can never be met together with the tests before it"
NO_TESTS = "it is decided by its tests and has none: add one, or let the sheet or the table decide"
STAT_TESTS = {TestWord.STAT_MIN, TestWord.STAT_MAX}
COUNTED = {*STAT_TESTS, TestWord.LEVEL, TestWord.RANK}
OF = ("element", "stat", "switch", "word")


def contradicting(rows: Iterable[Mapping[str, Any]]) -> int | None:
    """The index of the first test that cannot hold together with those before it; None if all of them can. A test of
    which another would do as well (`either`) is not looked at."""
    spans: dict[tuple[Any, ...], tuple[float, float]] = {}
    for at, row in enumerate(rows):
        if row["either"]:
            continue
        test = row["test"]
        value = row["value"] or 0 if test in COUNTED else 1
        if (test == TestWord.STAT_MAX) == bool(row["negate"]):
            least, most = value + bool(row["negate"]), float("inf")
        else:
            least, most = float("-inf"), value - bool(row["negate"])
        subject = ("stat" if test in STAT_TESTS else test, *(row[column] for column in OF))
        low, high = spans.get(subject, (float("-inf"), float("inf")))
        spans[subject] = low, high = max(low, least), min(high, most)
        if low > high:
            return at
    return None


def lacks_tests(detection: str, tests: Collection[Any]) -> bool:
    """True if a circumstance with these tests would always be so."""
    return detection == Detection.AUTO and not tests
