"""Namesakes are told apart by their players on every page that offers characters or says whose turn it is."""

from copy import deepcopy

import pytest

from campaigns.models import Member, Seat
from campaigns.names_apart import names_apart
from campaigns.order import names_of, order_of
from campaigns.verbs import combatants, encounters, party_acts, seats
from campaigns.verbs.table_rules import decide
from characters.models import Character
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import first_level, new_key, person
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
TWO = {"bo": "Nell (Bo)", "cid": "Nell (Cid)"}


@pytest.fixture(scope="module")
def seated(shared):
    return shared(table)


def table():
    made = saltmarsh(bo="player", cid="player", dan="player")
    for name, called in (("bo", "Nell"), ("cid", "Nell"), ("dan", "Mira")):
        seats.bring(made.pk, person(name), first_level(person(name), name=called).pk)
    return made


@pytest.fixture
def campaign(seated):
    return deepcopy(seated)


def test_only_namesakes_have_their_player_after_the_name():
    bo, cid = Member(name="Bo"), Member(name="Cid")
    first, second, mira = (Character(pk=pk, name=name) for pk, name in ((1, "Nell"), (2, "Nell"), (3, "Mira")))
    seated = [Seat(character=first, member=bo), Seat(character=second, member=cid), Seat(character=mira, member=bo)]
    assert names_apart(seated) == {1: "Nell (Bo)", 2: "Nell (Cid)", 3: "Mira"}
    assert names_apart([seated[0], Seat(character=second)]) == {1: "Nell (Bo)", 2: "Nell"}


@pytest.mark.parametrize(
    "below", ["act/take-damage/", "act/roll/", "notes/", "purchases/", "relationships/", "log/", "rules/"]
)
def test_every_page_that_offers_characters_tells_namesakes_apart(client, campaign, below):
    decide(campaign.pk, person(), new_key(), switches={"relationships": "on"}, sources=[])
    client.force_login(person().user)
    page = html_of(client.get(f"{campaign.get_absolute_url()}{below}"))
    assert [name for name in TWO.values() if name not in page] == []
    assert "Mira (" not in page


@pytest.mark.parametrize("said", ['name="to" value="{pk}" form="hand" aria-label="{name}"', ": {name}</span></button>"])
def test_the_roster_and_its_rows_say_which_namesake_a_control_is_for(client, campaign, said):
    client.force_login(person().user)
    page = html_of(client.get(campaign.get_absolute_url()))
    for seat in campaign.seats.exclude(character__name="Mira").select_related("member"):
        words = said.format(pk=seat.character_id, name=TWO[seat.member.name.lower()])
        assert words in page
        row = html_of(client.get(f"{campaign.get_absolute_url()}seats/{seat.pk}/"))
        assert 'form="hand"' not in said or words in row


def test_the_best_of_a_party_are_told_apart(client, campaign):
    client.force_login(person().user)
    page = html_of(client.get(campaign.get_absolute_url()))
    assert "Nell (Bo), Nell (Cid)" in page


@pytest.mark.parametrize(("below", "entry"), [("log/", ">{}</a>"), ("log/marks/0/", ">{}</a>"), ("log.csv", ",{},")])
def test_every_entry_of_the_log_says_which_namesake_it_is_of(client, campaign, below, entry):
    everyone = {one.character_id: "" for one in campaign.seats.all()}
    party_acts.do_to_several(campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, everyone)
    client.force_login(person().user)
    page = client.get(f"{campaign.get_absolute_url()}{below}").content.decode()
    assert [name for name in (*TWO.values(), "Mira") if entry.format(name) not in page] == []


def test_turns_and_acts_tell_namesakes_apart(campaign):
    encounter = encounters.begin(campaign.pk, person(), new_key())
    order = order_of(encounter)
    assert {*names_of(order, hidden=False).values()} == {*TWO.values(), "Mira"}
    nells = {one.seat.character_id: "" for one in order if one.seat.character.name == "Nell"}
    made = party_acts.do_to_several(campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, nells)
    assert made.sentence == "Damage 1: Nell (Bo) and Nell (Cid)."


def test_namesakes_who_may_join_an_encounter_are_told_apart(client, campaign):
    encounter = encounters.begin(campaign.pk, person(), new_key())
    for one in order_of(encounter):
        combatants.remove(campaign.pk, person(), one.pk)
    client.force_login(person().user)
    page = html_of(client.get(f"{campaign.get_absolute_url()}encounter/"))
    assert [name for name in TWO.values() if f">{name}</a>" not in page] == []
