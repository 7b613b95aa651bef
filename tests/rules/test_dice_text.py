"""Dice as people write them, for creatures."""

import pytest

from rules.games.dice_text import Dice, read_dice, read_rolls
from rules.games.outcome import NotAllowed


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("3D", Dice(3, 6)),
        ("3 d + 2", Dice(3, 6, 2)),
        ("1d8-1", Dice(1, 8, -1)),
        ("d20", Dice(1, 20)),
        ("D 8", Dice(1, 8)),
    ],
)
def test_dice_are_read(text, dice):
    assert read_dice(text, 6) == dice


@pytest.mark.parametrize("text", ["", "d", "D+2", "3", "0D", "41D", "d1", "d101", "3D+1001", "three D"])
def test_other_text_is_refused(text):
    with pytest.raises(NotAllowed):
        read_dice(text, 6)


def test_a_line_is_a_name_and_then_its_dice():
    assert read_rolls("Bite 3D+4\n\nOld 8th claw d12", 6, "Bite 3D") == (
        ("Bite", "3D+4", Dice(3, 6, 4)),
        ("Old 8th claw", "d12", Dice(1, 12)),
    )
    with pytest.raises(NotAllowed, match="such as Claw 2D"):
        read_rolls("Bite d", 6, "Claw 2D")
