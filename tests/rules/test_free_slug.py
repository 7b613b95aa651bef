"""A slug that is free: as it is, or with the least number behind it, and never too long."""

import pytest

from rules.free_slug import free_slug


@pytest.mark.parametrize(
    ("first", "taken", "most", "slug"),
    [
        ("tough", (), 80, "tough"),
        ("tough", ("medic",), 80, "tough"),
        ("tough", ("tough",), 80, "tough-2"),
        ("tough", ("tough", "tough-2", "tough-4"), 80, "tough-3"),
        ("abcdef", ("abcdef",), 6, "abcd-2"),
        ("abcdefgh", (), 6, "abcdef"),
    ],
)
def test_it_is_the_first_that_nothing_has(first, taken, most, slug):
    assert free_slug(first, taken, most) == slug


def test_numbers_of_two_digits_take_their_room():
    taken = {"abcdef", *(f"abcd-{number}" for number in range(2, 10))}
    assert free_slug("abcdef", taken, 6) == "abc-10"
