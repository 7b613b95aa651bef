"""Experience gained and lost, and levels by milestone."""

import pytest

from characters import verbs
from tests.characters.cast import refuses


def test_gained_with_a_reason(ysolde):
    change = ysolde.do(verbs.add_xp, amount=1400, reason="The mill")
    assert change.sentence == "Ysolde Marrow gains 1,400 XP (The mill) and has 1,400. Level 1 to 2."
    assert (ysolde.sheet.picks.earned, ysolde.sheet.picks.open) == (1, 1)


def test_losing_it_leaves_levels_over_drawn_and_deletes_nothing(ysolde):
    ysolde.fighter_to(4)
    before = {address: value for address, value in ysolde.facts.items() if address.startswith("choice:")}
    ysolde.do(verbs.add_xp, amount=-2000)
    assert {address: value for address, value in ysolde.facts.items() if address.startswith("choice:")} == before
    assert [p.text for p in ysolde.sheet.problems if "not earned" in p.text]
    assert b"are taken and not earned any more" in ysolde.get("levels").content
    assert b"are taken and not earned any more" in ysolde.get("sheet").content
    ysolde.do(verbs.add_xp, amount=2000)
    assert not ysolde.sheet.problems


@pytest.mark.parametrize("amount", [0, -1, 10**9, "5", None, True, 1.5])
def test_bad_amounts_are_refused(ysolde, amount):
    with refuses("amount"):
        ysolde.do(verbs.add_xp, amount=amount)
    assert ysolde.facts["field:xp"] == 0


def test_two_gains_by_their_forms(ysolde):
    assert ysolde.post("experience", amount="700", reason="A wolf").status_code == 303
    assert ysolde.post("experience", amount="300").status_code == 303
    assert ysolde.post("experience", amount="100", lose="1").status_code == 303
    assert ysolde.facts["field:xp"] == 900


@pytest.mark.parametrize(
    "fields", [{}, {"amount": ""}, {"amount": "many"}, {"amount": "0"}, {"amount": "-5"}, {"amount": "9" * 40},
               {"amount": "5", "lose": "1"}, {"amount": "5", "reason": "x" * 400}, {"amount": "5", "key": ""}],
)  # fmt: skip
def test_a_bad_form_is_answered_with_a_sentence(ysolde, fields):
    before = ysolde.facts
    response = ysolde.post("experience", **fields)
    assert response.status_code == 422
    assert b'role="alert"' in response.content
    assert ysolde.facts == before


def test_the_same_form_twice_counts_once(ysolde):
    for _ in range(2):
        ysolde.post("experience", amount="700", key="the-same-key-twice")
    assert ysolde.facts["field:xp"] == 700


def test_levels_by_milestone(ysolde):
    ysolde.do(verbs.set_switches, values={"advancement": "milestone"})
    page = ysolde.get("levels").content.decode()
    assert "Set the level" in page
    assert "Gain" not in page
    assert ysolde.post("milestone", level="5", reason="The tower fell").status_code == 303
    assert (ysolde.sheet.level, ysolde.sheet.picks.open) == (5, 4)
    assert ysolde.post("milestone", level="0").status_code == 422
    assert ysolde.sheet.level == 5
