import pytest

from rules.number_text import LARGEST, number_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        (str(LARGEST), LARGEST),
        (str(LARGEST + 1), None),
        ("9" * 5_000, None),
        ("-1", None),
        ("+1", None),
        ("1.0", None),
        (" 1", None),
        ("1_0", None),
        ("²", None),  # a digit to Python, but not a number
        ("٣", None),
        ("\x00", None),
        ("", None),
        (None, None),
    ],
)
def test_only_plain_digits_are_read_as_a_number(text, number):
    assert number_in(text) == number


def test_a_number_above_the_maximum_is_refused():
    assert (number_in("99", 99), number_in("100", 99)) == (99, None)
