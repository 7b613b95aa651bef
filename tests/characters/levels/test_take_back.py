"""The last level is taken back, and everything that came with it is gone."""

import pytest

from characters import verbs
from characters.change.refusals import MovedOn, Refused
from tests.characters.cast import new_key
from tests.characters.levels.conftest import TALENT
from tests.characters.play.table import play


def test_taking_levels_back_restores_the_files_of_before(ysolde):
    ysolde.earn(9)
    files = []
    answers = {3: {"fighter.martial-path": ["path:champion"]}, 8: {"champion.fighting-style": ["feature:protection"]}}
    for level in range(2, 10):
        files.append(ysolde.file)
        ysolde.up(
            level,
            answers={
                **answers.get(level, {}),
                **({"fighter.fighting-style": ["feature:dueling"]} if level == 5 else {}),
            },
        )
    for level in range(9, 1, -1):
        ysolde.do(verbs.take_back_level, level=level)
        assert ysolde.file == files.pop()


def test_only_the_last_level_is_taken_back(ysolde):
    ysolde.fighter_to(4)
    before = ysolde.facts
    for level in (2, 3, 5, 1):
        with pytest.raises(Refused, match="The last level is 4"):
            ysolde.do(verbs.take_back_level, level=level)
    assert ysolde.facts == before


def test_a_level_taken_back_is_not_restored_beside_another_pick(ysolde):
    ysolde.fighter_to(2)
    back = ysolde.do(verbs.take_back_level, level=2)
    ysolde.up(2, TALENT, ["talent:medic"])
    before = ysolde.file
    with pytest.raises(MovedOn, match="level 2 has something else by now"):
        play.undo(ysolde.pk, ysolde.person, new_key(), back.sequence)
    assert ysolde.file == before


def test_an_undone_level_is_not_done_again_beside_another_pick(ysolde):
    ysolde.earn(2)
    undone = play.undo(ysolde.pk, ysolde.person, new_key(), ysolde.up(2).sequence)
    ysolde.up(2, TALENT, ["talent:medic"])
    with pytest.raises(MovedOn, match="level 2 has something else by now"):
        play.undo(ysolde.pk, ysolde.person, new_key(), undone.sequence)


def test_taking_back_is_refused_when_no_level_is_taken(ysolde):
    with pytest.raises(Refused, match="No level is taken"):
        ysolde.do(verbs.take_back_level, level=2)


def test_a_second_press_of_an_old_page_takes_no_further_level_back(ysolde):
    ysolde.fighter_to(4)
    assert ysolde.post("take-back-level", level="4").status_code == 303
    assert ysolde.post("take-back-level", level="4").status_code == 422
    assert ysolde.sheet.picks.taken == 2


@pytest.mark.parametrize(
    "fields", [{}, {"level": "x"}, {"level": "-1"}, {"level": "9" * 30}, {"level": "4", "key": "x"}]
)
def test_bad_forms_are_refused(ysolde, fields):
    ysolde.fighter_to(4)
    before = ysolde.facts
    assert ysolde.post("take-back-level", **fields).status_code == 422
    assert ysolde.facts == before
