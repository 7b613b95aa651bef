"""A storyteller's reason for an act shows wherever the resulting change is read."""

import csv
from importlib import import_module

import pytest
from django.apps import apps

from campaigns.verbs import party_acts
from characters.actions import proposals
from characters.models import Change
from tests.characters.cast import new_key, person
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
QUOTED = "“The &lt;ogre&gt;”"


def hit(campaign, party, *, name="take_damage", reason="The <ogre>", **more):
    to = {party["bo"].pk: ""}
    return party_acts.do_to_several(campaign.pk, person(), new_key(), name, {"amount": "4"}, to, reason=reason, **more)


def newest(party) -> Change:
    return party["bo"].changes.first()


def test_a_change_keeps_the_reason_of_the_act(campaign, party):
    made = hit(campaign, party)
    assert (newest(party).key, newest(party).reason) == (made.key, "The <ogre>")
    party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert (newest(party).verb, newest(party).reason) == ("undo", "")


def test_an_accepted_proposal_keeps_its_reason(campaign, party):
    hit(campaign, party, proposed=True)
    proposals.answer(party["bo"].pk, person("bo"), party["bo"].proposals.get().pk, 0, {})
    assert newest(party).reason == "The <ogre>"


def test_a_reason_that_the_sentence_says_is_not_told_twice(campaign, party):
    sent = {"amount": "100", "reason": "The well"}
    party_acts.do_to_several(campaign.pk, person(), new_key(), "add_xp", sent, {party["bo"].pk: ""}, reason="The well")
    assert "The well" in newest(party).sentence
    assert newest(party).reason == ""


def test_the_same_form_with_another_reason_is_refused_and_the_first_reason_stays(campaign, party):
    made = hit(campaign, party)
    with pytest.raises(party_acts.KeyReused):
        party_acts.do_to_several(
            campaign.pk, person(), made.key, "take_damage", {"amount": "4"}, {party["bo"].pk: ""}, reason="The troll"
        )
    assert newest(party).reason == "The <ogre>"


@pytest.mark.parametrize(
    ("page", "begins"), [("", '<ol class="history"'), ("", '<div class="latest"'), ("history/", '<ol class="history"')]
)
def test_a_player_reads_the_reason_on_the_sheet_and_in_the_history(client, campaign, party, page, begins):
    hit(campaign, party)
    client.force_login(person("bo").user)
    found = html_of(client.get(f"{party['bo'].get_absolute_url()}{page}"))
    until_its_undo = found.partition(begins)[2].partition("<form")[0]
    assert QUOTED in until_its_undo


def test_the_log_and_its_files_tell_the_reason(client, campaign, party):
    hit(campaign, party, reason="=The ogre")
    client.force_login(person().user)
    log = f"{campaign.get_absolute_url()}log"
    assert "“=The ogre”" in html_of(client.get(f"{log}/"))
    told = client.get(f"{log}.json").json()["log"]
    assert [row["reason"] for row in told if row["reason"]] == ["=The ogre"]
    rows = csv.DictReader(client.get(f"{log}.csv").content.decode().splitlines())
    assert [row["reason"] for row in rows if row["reason"]] == ["'=The ogre"]


def test_a_site_from_before_gets_the_reasons_of_its_acts(campaign, party):
    hit(campaign, party)
    told = newest(party)
    hit(campaign, party, reason="")
    untold = newest(party)
    hit(campaign, party, reason="4 damage")  # words that the sentence has
    said = newest(party)
    Change.objects.update(reason="")
    import_module("campaigns.migrations.0026_reasons_of_changes").copy(apps, None)
    assert [Change.objects.get(pk=one.pk).reason for one in (told, untold, said)] == ["The <ogre>", "", ""]
