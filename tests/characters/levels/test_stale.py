"""A form of an outdated page: it says what has changed since, and stores nothing."""

import pytest

from characters import verbs
from characters.change.refusals import StalePage
from characters.verbs.leveling import seen
from rules.models import Source
from rules.publications import publish
from tests.support.characters import put_xp

from .conftest import JOB

CHARACTER = "Ysolde Marrow has changed since you opened this page: “{}” Nothing was changed; this is how it is now."
RULES = "The rules have changed since you opened this page. This is what it would do now."


def refused(ysolde, saw):
    before = ysolde.facts
    with pytest.raises(StalePage) as stale:
        ysolde.up(2, saw=saw)
    assert ysolde.facts == before
    return stale.value.sentence


def test_a_change_of_the_character_is_named_by_its_sentence(ysolde):
    ysolde.earn(2)
    saw = ysolde.saw
    change = put_xp(ysolde.pk, ysolde.person, 2000)
    assert refused(ysolde, saw) == CHARACTER.format(change.sentence)
    assert ysolde.up(2).sentence == "Ysolde Marrow takes Fighter at level 2."


def test_a_change_of_the_rules_is_named(ysolde):
    ysolde.earn(2)
    saw = ysolde.saw
    publish(Source.objects.get(is_core=True))
    put_xp(ysolde.pk, ysolde.person, 2000)
    assert refused(ysolde, saw) == RULES


@pytest.mark.parametrize("saw", ["", "nonsense", "polyhedral-core.1:1"])
def test_a_mark_that_no_page_has_sent_counts_as_a_change_of_the_rules(ysolde, saw):
    ysolde.earn(2)
    assert refused(ysolde, saw) == RULES


def test_a_form_names_the_rules_and_the_version_of_its_page(ysolde):
    (source,) = Source.objects.filter(is_core=True)
    assert seen(ysolde.bundle, 7) == f"{source.slug}.{source.revision}:7"


def test_changing_a_level_from_an_old_page_is_refused_like_taking_one(ysolde):
    ysolde.fighter_to(2)
    saw = ysolde.saw
    change = put_xp(ysolde.pk, ysolde.person, 1500)
    with pytest.raises(StalePage) as stale:
        ysolde.do(verbs.change_level, level=2, take=JOB, targets=["job:fighter"], saw=saw)
    assert stale.value.sentence == CHARACTER.format(change.sentence)
