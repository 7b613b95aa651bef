"""The path of a hit and of its undo through the code: the files and functions to read (decision 049)."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OURS = ("characters", "rules", "polyhedral_site", "campaigns")
# The function that begins each leg of the journey. Outside them is the request's way in and out.
LEGS = {
    ("characters/actions/act.py", "run"): "change",
    ("rules/compile.py", "bundle_for"): "rules",
    ("rules/engine/derive.py", "derive"): "derive",
    ("characters/pages/sheet/live_regions.py", "changed_regions"): "answer",
    ("characters/pages/sheet/live_regions.py", "drawn"): "answer",
}


def journey(act):
    """The functions that ran in each leg, each as (file, name)."""
    legs, begun, seen = ["way"], [], {}

    def look(frame, event, argument):
        file = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if not file.startswith(OURS) or not file.endswith(".py"):
            return
        function = (file, frame.f_code.co_qualname)
        if event == "call":
            if function in LEGS:
                legs.append(LEGS[function])
                begun.append(frame)
            seen.setdefault(legs[-1], set()).add(function)
        elif event == "return" and begun and begun[-1] is frame:
            begun.pop()
            legs.pop()

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    return seen


def files(functions):
    return {file for file, _ in functions}


@pytest.mark.parametrize("undone", [False, True])
def test_the_code_of_a_change_is_short_enough_to_read_in_an_evening(player, undone):
    def act():
        if undone:
            return player.send("undo", change=str(player.character.version))
        return player.send("take-damage", amount="3")

    for amount in ("1", "2"):  # makes what is made once in a process
        player.send("take-damage", amount=amount)
        player.send("undo", change=str(player.character.version))
    player.send("take-damage", amount="2")
    seen = journey(act)
    assert {"way", "change", "derive", "answer"} <= set(seen)
    assert len(files(seen["change"])) <= 25
    assert len(seen["change"]) <= 100
