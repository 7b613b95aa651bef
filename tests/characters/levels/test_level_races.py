"""Two tabs spend the same level at the same moment: one pick, and one clear message."""

import pytest

from characters import verbs
from characters.change.refusals import StalePage
from characters.verbs.leveling import seen
from tests.characters.cast import first_level, new_key, person
from tests.support.at_once import at_once
from tests.support.characters import fresh, put_xp, sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_tabs_at_once_take_one_level():
    character, who = first_level(), person()
    put_xp(character.pk, who, 3000)
    now = fresh(character.pk)
    saw = seen(sheet_of(now)[0], now.version)

    def take(choice, target):
        return verbs.level_up(character.pk, who, new_key(), level=2, take=choice, targets=[target], saw=saw)

    answers = at_once(
        lambda: take("core-rules.level-job", "job:fighter"), lambda: take("core-rules.level-talent", "talent:medic")
    )
    refused = [answer for answer in answers if isinstance(answer, StalePage)]
    assert len(refused) == 1
    assert "has changed since you opened this page" in refused[0].sentence
    assert sheet_of(fresh(character.pk))[2].picks.taken == 1


def test_the_same_form_eight_times_is_one_level():
    character, who, key = first_level(), person(), new_key()
    put_xp(character.pk, who, 3000)
    now = fresh(character.pk)
    saw = seen(sheet_of(now)[0], now.version)
    what = {"level": 2, "take": "core-rules.level-job", "targets": ["job:fighter"], "saw": saw}
    answers = at_once(*[lambda: verbs.level_up(character.pk, who, key, **what)] * 8)
    assert len({getattr(answer, "pk", answer) for answer in answers}) == 1
    assert sheet_of(fresh(character.pk))[2].picks.taken == 1
