"""A condition with stacks, as an admin or an author writes it."""

import pytest

from campaigns.verbs import campaigns, encounters, seats
from characters import verbs
from characters.people import Person
from characters.read.versions import read
from rules.models import Source
from tests.characters.cast import new_key
from tests.factories import ConditionFactory, SourceFactory

pytestmark = pytest.mark.django_db
FIELD = 'name="stacks"'


@pytest.fixture
def bleeding(player):
    core = Source.objects.get(is_core=True)
    extra = SourceFactory(ruleset=core.ruleset, slug="extra", title="Extra")
    ConditionFactory(
        source=extra, ruleset=core.ruleset, slug="bleeding", name="Bleeding", status="published",
        stackable=True, max_stacks=3,
    )  # fmt: skip
    verbs.set_sources(player.pk, Person(player.user), new_key(), sources=["extra"])
    return "condition:bleeding"


def test_it_is_given_with_a_number_and_again_with_a_higher_one(player, bleeding):
    assert FIELD in player.get().content.decode()
    player.send("add-condition", condition=bleeding, stacks="2", source="a bolt", rounds="4")
    assert player.last.sentence == "Borrin Ashlar is bleeding × 2 by a bolt for 4 rounds."
    player.send("add-condition", condition=bleeding, stacks="3", source="a bolt")
    assert [(row.text, row.source) for row in read(player.character).table.held] == [("Bleeding × 3", "a bolt")]


def test_more_than_the_rules_allow_are_refused(player, bleeding):
    refused = player.send("add-condition", condition=bleeding, stacks="4")
    assert refused.status_code == 422
    assert "Bleeding stacks up to 3." in refused.content.decode()


def test_a_storyteller_gives_it_with_a_number_and_reads_it_in_an_encounter(player, bleeding):
    who = Person(player.user)
    table = campaigns.create(who, new_key(), name="Saltmarsh").pk
    seats.bring(table, who, player.pk)
    act = f"/campaigns/{table}/act/add-condition/"
    assert FIELD in player.client.get(act).content.decode()
    sent = {"key": new_key(), "do": "now", "to": [player.pk], "condition": bleeding, "stacks": "3"}
    assert player.client.post(act, sent).status_code == 303
    encounters.begin(table, who, new_key())
    assert "Bleeding × 3" in player.client.get(f"/campaigns/{table}/encounter/").content.decode()


def test_no_number_is_asked_for_where_no_condition_takes_one(player):
    assert FIELD not in player.get().content.decode()
