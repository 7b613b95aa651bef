"""An earlier pick is changed: later picks stay, and those that no longer fit become problems with a way to fix them."""

import pytest

from characters import verbs
from characters.change.refusals import Refused
from tests.characters.cast import refuses
from tests.characters.levels.conftest import ABILITIES, JOB, TALENT
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = pytest.mark.full


def change(ysolde, level, take, targets, **what):
    return ysolde.do(verbs.change_level, level=level, take=take, targets=targets, saw=ysolde.saw, **what)


def test_later_picks_are_kept(ysolde):
    ysolde.fighter_to(5)
    later = {address: value for address, value in ysolde.facts.items() if address.endswith(("@4", "@5"))}
    change(ysolde, 2, ABILITIES, ["rank.strength", "rank.mind"])
    assert {address: value for address, value in ysolde.facts.items() if address.endswith(("@4", "@5"))} == later
    assert ysolde.sheet.value("rank.fighter") == 4


def test_the_same_pick_again_is_no_change(ysolde):
    ysolde.fighter_to(2)
    with refuses("level"):
        change(ysolde, 2, JOB, ["job:fighter"])


def test_later_picks_that_no_longer_fit_become_problems_and_are_not_dropped(ysolde):
    ysolde.fighter_to(8)
    before = ysolde.facts
    change = ysolde.do(
        verbs.change_level, level=3, take=TALENT, targets=["talent:medic"], saw=ysolde.saw,
        answers={"fighter.martial-path": ["path:champion"]},
    )  # fmt: skip
    assert "no longer fit" in change.sentence
    assert ysolde.facts["choice:champion.fighting-style@8"] == before["choice:champion.fighting-style@8"]
    assert ysolde.facts["choice:fighter.martial-path@4"] == [{"ref": "path:champion"}]
    assert "choice:fighter.martial-path@3" not in ysolde.facts
    page = html_of(ysolde.get("levels"))
    assert [p.text for p in ysolde.sheet.problems]
    assert all(p.text.replace("'", "&#x27;") in page for p in ysolde.sheet.problems)
    assert "Undo<span" in page


def test_the_page_says_beforehand_which_picks_would_no_longer_fit(ysolde):
    ysolde.fighter_to(8)
    version = ysolde.character.version
    page = html_of(ysolde.get("change-level", 5, take=TALENT, **{"for": "talent:medic"}))
    assert "This would no longer fit" in page
    assert ysolde.character.version == version


def test_an_answer_that_no_longer_fits_can_be_dropped(ysolde):
    ysolde.fighter_to(8)
    change(ysolde, 5, TALENT, ["talent:medic"])
    assert ysolde.sheet.problems
    assert ysolde.post("drop-answer", 8, choice="champion.fighting-style").status_code == 303
    assert not ysolde.sheet.problems
    assert ysolde.post("drop-answer", 8, choice="champion.fighting-style").status_code == 422
    assert ysolde.post("drop-answer", 2, choice=JOB).status_code == 422


def test_a_talent_taken_later_is_not_taken_earlier_as_well(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    ysolde.up(3, TALENT, ["talent:medic"])
    before = ysolde.facts
    with pytest.raises(Refused, match="already"):
        change(ysolde, 2, TALENT, ["talent:medic"])
    assert ysolde.facts == before


def test_moved_points_stay_under_the_ceiling(ysolde):
    ysolde.earn(5)
    ysolde.up(2)
    for level in (3, 4):
        ysolde.up(level, ABILITIES, ["rank.strength"] * 2)
    strength = ysolde.sheet.value("rank.strength")
    assert strength == 20
    with pytest.raises(Refused, match="20"):
        change(ysolde, 2, ABILITIES, ["rank.strength"] * 2)
    change(ysolde, 3, ABILITIES, ["rank.mind"] * 2)
    assert ysolde.sheet.value("rank.strength") == 18


def test_undoing_a_changed_level_restores_the_file(ysolde):
    ysolde.fighter_to(8)
    file = ysolde.file
    made = change(ysolde, 5, TALENT, ["talent:medic"])
    play.undo(ysolde.pk, ysolde.person, "undo-the-change", made.sequence)
    assert ysolde.file == file


def test_bad_changes_of_a_level_are_refused(ysolde):
    ysolde.fighter_to(3)
    before = ysolde.facts
    for level, take, targets, field in [
        (4, JOB, ["job:fighter"], "level"),
        (1, JOB, ["job:fighter"], "level"),
        (2, "x", ["y"], "take"),
        (2, JOB, [], "targets"),
    ]:
        with refuses(field):
            change(ysolde, level, take, targets)
    assert ysolde.post("change-level", 3, take=TALENT, **{"for": "talent:tough"}).status_code == 422
    assert ysolde.post("change-level", 3, take=TALENT, **{"for": "talent:medic"}, saw="old:1").status_code == 409
    assert ysolde.get("change-level", 9).status_code == 404
    assert ysolde.facts == before


def test_a_level_is_changed_by_its_form(ysolde):
    """The martial path moves to another level: the same form asks for it, and the answer may wait."""
    ysolde.fighter_to(5)
    page = html_of(ysolde.get("change-level", 2, take=TALENT, **{"for": "talent:medic"}))
    assert "at level 4; it can wait" in page
    response = ysolde.post(
        "change-level", 2, take=TALENT, **{"for": "talent:medic", "q:fighter.martial-path": "path:champion"}
    )
    assert response.headers["Location"].endswith("/levels/")
    assert "talent:medic" in ysolde.sheet.active
    assert not ysolde.sheet.problems
