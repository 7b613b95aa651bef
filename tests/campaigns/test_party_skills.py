"""The best of a party at each skill, and the languages spoken."""

import pytest

from campaigns.party_skills import best_at_skills, languages_of
from campaigns.roster import rows_of
from campaigns.seen_party import SeenParty
from tests.characters.cast import browser_of, new_key, person
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def rows(campaign):
    return rows_of(SeenParty(campaign.members.get(role="storyteller"), person()))


def one(campaign, name):
    return next(best for best in best_at_skills(rows(campaign)) if best.name == name)


def test_equal_characters_share_best_and_nobody_is_worst(campaign):
    stealth = one(campaign, "Stealth")
    assert (stealth.best, stealth.worst) == (("Bo", "Cid"), "")


def test_a_condition_that_takes_dice_makes_its_character_the_worst(campaign):
    cid = campaign.seats.get(character__name="Cid").character
    play.add_condition(cid.pk, person("cid"), new_key(), condition="condition:poisoned")
    athletics = one(campaign, "Athletics")
    assert (athletics.best, athletics.worst) == (("Bo",), "Cid")
    assert athletics.roll != athletics.worst_roll


def test_languages_say_who_speaks_them(campaign):
    spoken = dict(languages_of(rows(campaign)))
    assert spoken
    assert set(spoken.values()) == {("Bo", "Cid")}


def test_a_party_of_one_has_no_best(campaign):
    assert best_at_skills(rows(campaign)[:1]) == []


def test_only_the_storyteller_sees_the_best_of_the_party(campaign):
    for name, shown in (("ana", True), ("bo", False)):
        client = browser_of(name)
        assert ("Best in the party" in html_of(client.get(campaign.get_absolute_url()))) == shown
