"""The name of what was chosen, the same in the history, on the level pages and on the timeline."""

import pytest

from characters.pages.compare.timeline import taken
from characters.pages.levels.pick_names import in_words
from characters.verbs.choose import named
from rules.compile import bundle_for
from rules.engine import Build, Decision, derive
from rules.models import Ruleset

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ({"ref": "talent:medic"}, "Medic"),
        ({"ref": "talent:left-out"}, "Left out"),
        ({"stat": "rank.strength", "points": 2}, "+2 Strength"),
        ({"stat": "rank.left-out"}, "+1 Left out"),
        ({"write_in": "Old Tongue", "override": "A gift"}, "Old Tongue"),
    ],
)
def test_an_answer_has_one_name(answer, name):
    bundle = bundle_for(Ruleset.objects.get(slug="polyhedral"))
    decision = Decision("a-choice", **answer)
    assert named(bundle, [answer]) == [name]
    assert in_words(bundle, [decision]) == name
    assert taken(bundle, derive(bundle, Build()), decision).name == name
