"""Tests that can never all hold."""

import pytest

from rules.contradictions import contradicting


def switch(word, **more):
    return {"test": "switch", "switch": "method", "word": word, **more}


def level(value, **more):
    return {"test": "level", "value": value, **more}


def strength(test, value, **more):
    return {"test": test, "stat": "strength", "value": value, **more}


def tough(**more):
    return {"test": "has", "element": "tough", **more}


BLANK = {"element": None, "stat": None, "switch": None, "word": "", "value": None, "negate": False, "either": 0}


@pytest.mark.parametrize(
    ("rows", "at", "of_a_list"),
    [
        ([switch("points"), switch("array")], 1, None),
        ([switch("points|array"), switch("array|rolled")], None, None),
        ([switch("points|array"), switch("array|rolled"), switch("array", negate=True)], 2, None),
        ([switch("points"), switch("points|array", negate=True)], 1, 1),
        ([switch("points", negate=True), switch("array", negate=True)], None, None),
        ([switch("points|array"), switch("points", negate=True), switch("array", negate=True)], 2, 2),
        ([level(5), switch("points", either=1), switch("array", either=1)], None, None),
        ([level(5), level(3, negate=True, either=1), level(2, negate=True, either=1)], 1, 1),
        ([level(5), level(3, negate=True, either=1), switch("points", either=1)], None, None),
        ([level(3, negate=True, either=1), level(5)], 0, 0),
        ([level(5), level(5, negate=True)], 1, 1),
        ([strength("stat_min", 12), strength("stat_max", 12)], None, None),
        ([strength("stat_min", 13), strength("stat_max", 12)], 1, 1),
        ([strength("stat_max", 12), strength("stat_max", 12, negate=True)], 1, 1),
        ([tough(), tough(negate=True, value=5)], 1, 1),  # the number means nothing there
        ([level(3, negate=True, either=1), level(5, either=2)], None, None),
    ],
)
def test_the_test_in_vain_is_found(rows, at, of_a_list):
    rows = [BLANK | row for row in rows]
    assert contradicting(rows) == at
    assert contradicting(rows, lists={"method"}) == of_a_list
