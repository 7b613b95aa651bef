"""A table is handed over, and one whose storyteller is gone is taken up by another member."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404
from pytest_django.asserts import assertContains

from campaigns.campaign_access import member_of
from campaigns.models import Member
from campaigns.notifications import notifications_of
from campaigns.verbs import leadership, membership, party_acts, seats
from characters.access import role_of
from characters.actions import proposals
from characters.change.refusals import Refused
from characters.models import Proposal
from polyhedral_site.account_deletion import delete
from tests.campaigns.seated import posted, saltmarsh, sits
from tests.characters.cast import guest, mira, new_key, person
from tests.support.at_once import at_once
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
ROLES = {"bo": "player", "cid": "player", "dan": "spectator", "eve": "co-storyteller"}


@pytest.fixture
def campaign():
    """Ana leads, Bo and Cid play, Dan watches, Eve helps, Nell is a guest."""
    made = saltmarsh(**ROLES)
    sits(made, guest(), "player", name="Nell")
    return made


def member(campaign, name):
    return campaign.members.get(name=name)


@pytest.mark.parametrize("heir", ["Bo", "Dan", "Eve"])
def test_a_table_is_handed_over_and_back(client, campaign, heir):
    answer = posted(client, campaign, "ana", "hand-over/", member=member(campaign, heir).pk)
    assert answer.status_code == 303
    assert member(campaign, heir).role == "storyteller"
    assert member_of(campaign.pk, person("ana")).role == "co-storyteller"
    page = client.get(campaign.get_absolute_url()).content.decode()
    assert f"{heir} leads this campaign now" in page
    assert posted(client, campaign, "ana", "hand-over/", member=member(campaign, heir).pk).status_code == 404
    back = posted(client, campaign, heir.lower(), "hand-over/", member=member_of(campaign.pk, person("ana")).pk)
    assert back.status_code == 303
    assert member_of(campaign.pk, person("ana")).role == "storyteller"


def test_roles_on_characters_follow_the_handover(campaign):
    character = mira(person("bo"))
    seats.bring(campaign.pk, person("bo"), character.pk)
    assert role_of(character, person("dan")).name == "spectator"
    leadership.hand_over(campaign.pk, person(), member(campaign, "Dan").pk)
    assert role_of(character, person("dan")).name == "storyteller"
    assert role_of(character, person("ana")).name == "storyteller"


def test_a_new_storyteller_still_answers_for_the_prepared_character_that_they_play(campaign):
    prepared = mira(person("eve"))
    seat = seats.bring(campaign.pk, person("eve"), prepared.pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    leadership.hand_over(campaign.pk, person(), member(campaign, "Bo").pk)
    party_acts.do_to_several(
        campaign.pk, person(), new_key(), "take_damage", {"amount": "4"}, {prepared.pk: ""}, proposed=True
    )
    assert [one.about for one in notifications_of(person("bo"))] == ["Mira", "Saltmarsh"]
    assert notifications_of(person("eve")) == []
    proposals.answer(prepared.pk, person("bo"), Proposal.objects.get().pk, 0, {})


@pytest.mark.parametrize("who", ["", "x", "0", "999999", "9" * 30, "guest", "gone", "self", "elsewhere"])
def test_a_person_who_cannot_lead_is_refused_at_the_field(client, campaign, who):
    if who == "gone":
        membership.remove(campaign.pk, person(), member(campaign, "Bo").pk)
    known = {
        "guest": member(campaign, "Nell").pk,
        "gone": member(campaign, "Bo").pk,
        "self": member_of(campaign.pk, person()).pk,
        "elsewhere": saltmarsh("cid").members.get().pk,
    }
    answer = posted(client, campaign, "ana", "hand-over/", member=known.get(who, who))
    assert answer.status_code == 422
    assert "id_member_error" in answer.content.decode()
    assert member_of(campaign.pk, person()).role == "storyteller"


def test_the_verb_refuses_people_who_cannot_lead(campaign):
    for heir, wrong in (("Nell", Refused), ("ana", Refused)):
        with pytest.raises(wrong):
            leadership.hand_over(campaign.pk, person(), member(campaign, heir).pk)
    with pytest.raises(Http404):
        leadership.hand_over(campaign.pk, person(), saltmarsh("cid").members.get().pk)
    assert member_of(campaign.pk, person()).role == "storyteller"


def test_nobody_leads_more_tables_than_they_may(campaign, monkeypatch):
    monkeypatch.setattr(leadership, "MOST_LED", 0)
    with pytest.raises(Refused, match="leads 0 campaigns already"):
        leadership.hand_over(campaign.pk, person(), member(campaign, "Bo").pk)


def test_only_the_storyteller_hands_the_table_over(client, campaign):
    for name in (*ROLES, "stranger"):
        assert posted(client, campaign, name, "hand-over/", member=member(campaign, "Eve").pk).status_code == 404


def test_a_co_storyteller_is_made_a_player_and_keeps_their_seats(client, campaign):
    eve, bos = member(campaign, "Eve"), mira(person("bo"))
    seats.bring(campaign.pk, person("bo"), bos.pk)
    seats.bring(campaign.pk, person("eve"), mira(person("eve"), name="Quint").pk)
    assert role_of(bos, person("eve")).name == "storyteller"
    path = f"people/{eve.pk}/player/"
    client.force_login(person().user)
    assert path in html_of(client.get(f"{campaign.get_absolute_url()}people/"))
    for _ in range(2):  # a form sent twice
        assert posted(client, campaign, "ana", path).status_code == 303
    assert member(campaign, "Eve").role == "player"
    assert role_of(bos, person("eve")).name == "party"
    assert campaign.seats.count() == 2
    assert path not in html_of(client.get(f"{campaign.get_absolute_url()}people/"))
    client.force_login(person("eve").user)
    assert client.get(f"{campaign.get_absolute_url()}people/").status_code == 404


def test_only_the_storyteller_makes_a_co_storyteller_a_player(client, campaign):
    sits(campaign, person("fay"), "co-storyteller", name="Fay")
    for name in (*ROLES, "stranger"):
        assert posted(client, campaign, name, f"people/{member(campaign, 'Fay').pk}/player/").status_code == 404
    for name in ("ana", "Dan"):  # who leads stays, and who watches is invited to play
        assert posted(client, campaign, "ana", f"people/{member(campaign, name).pk}/player/").status_code == 404
    assert [member(campaign, name).role for name in ("Fay", "Dan")] == ["co-storyteller", "spectator"]
    client.force_login(person("fay").user)
    assert "/player/" not in html_of(client.get(f"{campaign.get_absolute_url()}people/"))


def test_a_member_who_has_left_meanwhile_is_not_made_the_storyteller(campaign):
    eve = member(campaign, "Eve")
    membership.leave(campaign.pk, person("eve"))
    with pytest.raises(Http404):
        leadership.hand_over(campaign.pk, person(), eve.pk)
    assert member_of(campaign.pk, person()).role == "storyteller"


def test_a_co_storyteller_who_has_left_is_not_made_a_player(client, campaign):
    eve = member(campaign, "Eve")
    membership.leave(campaign.pk, person("eve"))
    assert posted(client, campaign, "ana", f"people/{eve.pk}/player/").status_code == 404
    assert member(campaign, "Eve").role == "co-storyteller"


def test_a_table_has_one_storyteller(campaign):
    with pytest.raises(IntegrityError), transaction.atomic():
        Member.objects.filter(pk=member(campaign, "Eve").pk).update(role="storyteller")


def test_a_table_whose_storyteller_is_gone_is_taken_up_by_a_co_storyteller(client, campaign):
    character = mira(person("bo"))
    seats.bring(campaign.pk, person("bo"), character.pk)
    person().user.delete()
    for name in ROLES:
        client.force_login(person(name).user)
        page = client.get(campaign.get_absolute_url()).content.decode()
        assert "Nobody leads this campaign" in page
        assert ("Take it over" in page) == (name == "eve"), name
    assert role_of(character, person("eve")).name == "storyteller"
    refused = posted(client, campaign, "bo", "take-up/")
    assertContains(refused, "Only a co-storyteller can take over this campaign.", status_code=422)
    assert posted(client, campaign, "eve", "take-up/").status_code == 303
    assert member(campaign, "Eve").role == "storyteller"
    assert "Nobody leads" not in client.get(campaign.get_absolute_url()).content.decode()


def test_without_a_co_storyteller_any_member_with_an_account_takes_the_table_up(campaign):
    membership.remove(campaign.pk, person(), member(campaign, "Eve").pk)
    person().user.delete()
    with pytest.raises(Refused, match="You need an account to lead a campaign."):
        leadership.take_up(campaign.pk, guest())
    with pytest.raises(Http404):
        leadership.take_up(campaign.pk, person("eve"))
    leadership.take_up(campaign.pk, person("dan"))
    assert member(campaign, "Dan").role == "storyteller"


def news(name):
    return [one.words for one in notifications_of(person(name))]


HANDED = "its storyteller has handed this campaign to you. You lead it now"
LEADERLESS = "nobody leads this campaign now. You can take it over"


def test_the_new_storyteller_is_told_until_they_see_it(client, campaign):
    leadership.hand_over(campaign.pk, person(), member(campaign, "Bo").pk)
    assert [news(name) for name in ("ana", "bo", "eve")] == [[], [HANDED], []]
    client.force_login(person("bo").user)
    page = html_of(client.get("/notifications/"))
    assert "Its storyteller has handed this campaign to you. You lead it now." in page
    assert f'action="{campaign.get_absolute_url()}news/seen/"' in page
    for _ in range(2):  # a form sent twice
        answer = posted(client, campaign, "bo", "news/seen/")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/notifications/")
    assert news("bo") == []


def test_a_table_that_is_handed_back_is_no_news_for_its_storyteller_in_between(campaign):
    leadership.hand_over(campaign.pk, person(), member(campaign, "Bo").pk)
    leadership.hand_over(campaign.pk, person("bo"), member_of(campaign.pk, person()).pk)
    assert [news(name) for name in ("ana", "bo")] == [[HANDED], []]


@pytest.mark.parametrize("helped", [True, False])
def test_whoever_may_take_a_table_up_is_told_until_someone_leads_it(campaign, helped):
    if not helped:
        membership.remove(campaign.pk, person(), member(campaign, "Eve").pk)
    delete(person().user)
    told = {"eve"} if helped else {"bo", "cid", "dan"}
    assert {name for name in ROLES if news(name) == [LEADERLESS]} == told
    assert notifications_of(guest()) == []
    leadership.take_up(campaign.pk, person("eve" if helped else "dan"))
    assert [news(name) for name in ROLES] == [[]] * 4


def test_a_player_who_deletes_their_account_is_no_news(campaign):
    delete(person("bo").user)
    assert [news(name) for name in ("ana", "cid", "eve")] == [[]] * 3


def test_a_table_that_is_led_is_not_taken_up(client, campaign):
    assert posted(client, campaign, "eve", "take-up/").status_code == 422
    assert member(campaign, "Eve").role == "co-storyteller"


@pytest.mark.django_db(transaction=True)
def test_of_three_who_take_a_table_up_at_once_one_leads(campaign):
    membership.remove(campaign.pk, person(), member(campaign, "Eve").pk)
    person().user.delete()
    people = [person(name) for name in ("bo", "cid", "dan")]
    answers = at_once(*[partial(leadership.take_up, campaign.pk, who) for who in people])
    assert sum(isinstance(answer, Member) for answer in answers) == 1
    assert sum(isinstance(answer, Refused) for answer in answers) == 2
    assert campaign.members.filter(role="storyteller").count() == 1
