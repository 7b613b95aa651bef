"""A free slug: unchanged, or with the lowest free number at its end, and never too long."""

import pytest

from rules.homebrew import free_slug


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
def test_a_taken_slug_gets_the_lowest_free_number(first, taken, most, slug):
    assert free_slug(first, taken, most) == slug


def test_a_number_of_two_digits_shortens_the_slug_by_one_more():
    taken = {"abcdef", *(f"abcd-{number}" for number in range(2, 10))}
    assert free_slug("abcdef", taken, 6) == "abc-10"
