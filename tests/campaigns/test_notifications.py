"""Notifications: each thing that waits for a person has a link, and is gone once it was answered elsewhere."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import DateSeen, Member, Pairing, PartyAct, Purchase, Seat, SessionDate
from campaigns.notifications import at_hand, notifications_of
from campaigns.verbs import agreements, campaigns, membership, pairings, party_acts, purchases, seats, session_dates
from campaigns.verbs.campaign_notes import write
from characters import unseen, verbs
from characters.actions import proposals
from characters.models import Grant
from characters.people import Person
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import as_guest, first_level, new_key, person
from tests.characters.play.table import play
from tests.support.html import html_of, says, without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]
PAGE = "/notifications/"
MARK = 'class="waits"'
DAY = timedelta(days=3)


@pytest.fixture(autouse=True)
def nothing_to_begin_with(party):
    """The changes by the table's house rules have been seen."""
    for name, character in party.items():
        character.refresh_from_db()
        unseen.note_seen(character, person(name), character.version)


def propose(campaign, party, name="take_damage", key=None, to=("bo",), **sent):
    sent = sent or {"amount": "4"}
    to = {party[one].pk: "" for one in to}
    return party_acts.do_to_several(campaign.pk, person(), key or new_key(), name, sent, to, proposed=True)


def schedule(campaign, days=3, who="ana"):
    at = (timezone.now() + timedelta(days=days)).replace(microsecond=0)
    return session_dates.schedule(campaign.pk, person(who), at=at, minutes=240, place="At Nell’s")


def number(name):
    return at_hand(person(name)).number


def page(client, name="bo"):
    client.force_login(person(name).user)
    return html_of(client.get(PAGE))


def test_when_nothing_waits_the_header_has_no_number_and_the_page_says_so(client, party):
    text = page(client)
    assert MARK not in text
    assert "Nothing is waiting for you." in text


def test_a_proposal_waits_until_it_is_answered_elsewhere(client, campaign, party):
    propose(campaign, party)
    propose(campaign, party)
    text = page(client)
    assert f'href="{party["bo"].get_absolute_url()}#proposed"' in text
    assert "2 proposals are waiting for your answer." in text
    assert [number(name) for name in ("ana", "bo", "cid", "stranger")] == [0, 1, 0, 0]
    one, other = party["bo"].proposals.all()
    proposals.decline(party["bo"].pk, person("bo"), one.pk)
    assert "A proposal is waiting for your answer." in page(client)
    proposals.answer(party["bo"].pk, person("bo"), other.pk, 0, {})
    assert number("bo") == 0
    assert "Nothing is waiting for you." in page(client)


def test_a_withdrawn_proposal_is_gone(campaign, party):
    act = propose(campaign, party)
    assert number("bo") == 1
    party_acts.undo(campaign.pk, person(), new_key(), act.pk)
    assert number("bo") == 0


def test_a_proposal_to_a_character_in_the_bin_waits_once_it_is_restored(campaign, party):
    propose(campaign, party)
    verbs.throw_away(party["bo"].pk, person("bo"), new_key())
    assert number("bo") == 0
    verbs.restore(party["bo"].pk, person("bo"), new_key())
    assert number("bo") == 1


def test_a_roll_that_is_asked_for_is_announced_as_a_roll(client, campaign, party):
    propose(campaign, party, "roll", roll="skill.athletics", target="12")
    propose(campaign, party)
    assert [(one.about, one.words) for one in notifications_of(person("bo"))] == [
        ("Bo", "a roll is waiting for you"),
        ("Bo", "a proposal is waiting for your answer"),
    ]
    assert number("bo") == 2
    text = page(client)
    assert "A roll is waiting for you." in text
    assert "athletics" not in text.lower()


def test_a_proposal_waits_for_the_player_and_not_for_the_owner(campaign, party):
    prepared = first_level(person(), name="Prepared")
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    party["bo"] = prepared
    propose(campaign, party)
    assert (number("ana"), number("bo")) == (0, 1)


def test_a_date_is_announced_until_it_is_seen_and_again_when_it_moves(client, campaign):
    date = schedule(campaign)
    assert [number(name) for name in ("ana", "bo", "cid", "stranger")] == [0, 1, 1, 0]  # Ana has set it
    text = page(client)
    assert "The next session:" in text
    assert "At Nell’s" in text
    assert f"{campaign.get_absolute_url()}session.ics" in text
    assert not DateSeen.objects.filter(member__user=person("bo").user).exists()  # reading the page writes nothing
    seen = f"{campaign.get_absolute_url()}dates/{date.pk}/seen/"
    for _ in range(2):
        answer = client.post(seen, {"key": new_key(), "moved": "0"})
        assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    assert (number("bo"), number("cid")) == (0, 1)
    schedule(campaign, days=4)
    assert number("bo") == 1
    assert "The next session has changed:" in page(client)
    client.post(seen, {"key": new_key(), "moved": "0"})  # an older page
    assert number("bo") == 1
    client.post(seen, {"key": new_key(), "moved": "99999999999"})
    assert DateSeen.objects.get(member__user=person("bo").user).moved == 1
    assert number("bo") == 0
    client.post(seen, {"key": new_key(), "moved": "0"})
    assert number("bo") == 0


@pytest.mark.parametrize("wrong", ["", "x", "-1", "²", "9" * 30])
def test_a_bad_count_of_moves_is_refused(client, campaign, wrong):
    date = schedule(campaign)
    client.force_login(person("bo").user)
    answer = client.post(f"{campaign.get_absolute_url()}dates/{date.pk}/seen/", {"key": new_key(), "moved": wrong})
    assert answer.status_code == 422
    assert "Press Seen again." in html_of(answer)
    assert number("bo") == 1


def test_a_date_of_another_table_is_not_found(client, campaign):
    other = saltmarsh("cid")
    date = session_dates.schedule(other.pk, person("cid"), at=timezone.now() + DAY, minutes=60, place="")
    client.force_login(person("bo").user)
    for table in (campaign, other):
        url = f"{table.get_absolute_url()}dates/{date.pk}/seen/"
        assert client.post(url, {"key": new_key(), "moved": "0"}).status_code == 404
    assert not DateSeen.objects.filter(member__user=person("bo").user).exists()


@pytest.mark.parametrize("end", ["call off", "begun", "archive", "bin", "leave"])
def test_a_date_that_no_longer_matters_is_gone(campaign, end):
    schedule(campaign)
    assert number("bo") == 1
    if end == "call off":
        session_dates.call_off(campaign.pk, person())
    elif end == "begun":
        SessionDate.objects.update(at=timezone.now() - timedelta(minutes=1))
    elif end == "archive":
        campaigns.archive(campaign.pk, person(), over=True)
    elif end == "bin":
        campaigns.throw_away(campaign.pk, person())
    else:
        membership.leave(campaign.pk, person("bo"))
    assert number("bo") == 0
    assert not notifications_of(person("bo"))


def test_the_database_stores_a_date_as_seen_once(campaign):
    date = schedule(campaign)
    row = DateSeen.objects.get(date=date)
    with pytest.raises(IntegrityError), transaction.atomic():
        DateSeen.objects.create(date=date, member=row.member, moved=0)


def test_changes_by_others_wait_until_the_owner_has_seen_them(client, campaign, party):
    for amount in ("1", "2"):
        party_acts.do_to_several(
            campaign.pk, person(), new_key(), "take_damage", {"amount": amount}, {party["bo"].pk: ""}
        )
    text = page(client)
    assert "Changed 2 times since you last looked." in text
    assert f'href="{party["bo"].get_absolute_url()}#looked"' in text
    assert [number(name) for name in ("ana", "bo", "cid")] == [0, 1, 0]
    party["bo"].refresh_from_db()
    unseen.note_seen(party["bo"], person("bo"), party["bo"].version)
    assert number("bo") == 0


def test_a_relationship_waits_for_each_players_answer(client, campaign, party):
    pairing = campaign.pairings.create(first=party["bo"], second=party["cid"], key=new_key())
    assert [number(name) for name in ("ana", "bo", "cid", "stranger")] == [0, 1, 1, 0]
    assert f'href="{campaign.get_absolute_url()}relationships/"' in page(client)
    pairings.agree(campaign.pk, person("bo"), pairing.pk, party["bo"].pk, based_on="bond", text="The tide.")
    assert [number(name) for name in ("bo", "cid")] == [0, 1]
    agreements.decline(Pairing, campaign.pk, person("cid"), pairing.pk, party["cid"].pk)
    assert number("cid") == 0


def test_a_relationship_with_a_player_who_has_left_waits_for_nobody(campaign, party):
    campaign.pairings.create(first=party["bo"], second=party["cid"], key=new_key())
    membership.leave(campaign.pk, person("cid"))
    assert (number("bo"), number("cid")) == (0, 0)


@pytest.mark.parametrize("end", ["withdrawn", "table in the bin", "character in the bin"])
def test_a_relationship_that_is_over_waits_for_nobody(campaign, party, end):
    pairing = campaign.pairings.create(first=party["bo"], second=party["cid"], key=new_key())
    if end == "withdrawn":
        agreements.withdraw(Pairing, campaign.pk, person(), pairing.pk)
    elif end == "table in the bin":
        campaigns.throw_away(campaign.pk, person())
    else:
        verbs.throw_away(party["bo"].pk, person("bo"), new_key())
    assert (number("bo"), number("cid")) == (0, 0)


def purchase(campaign, party, who="bo", to="cid"):
    what = {"ref": "armor:half-plate", "quantity": 1}
    return purchases.propose(campaign.pk, person(who), new_key(), party[who].pk, [party[to].pk], **what)


def purchases_for(name):
    return [one.path for one in notifications_of(person(name)) if "#purchase-" in one.path]


def test_a_shared_purchase_waits_for_players_who_have_not_agreed(client, campaign, party):
    made = purchase(campaign, party)
    assert [number(name) for name in ("ana", "bo", "cid", "stranger")] == [0, 0, 1, 0]
    text = page(client, "cid")
    assert f'href="{campaign.get_absolute_url()}purchases/#purchase-{made.pk}"' in text
    assert "A shared purchase is waiting for your answer, at Saltmarsh." in text
    purchases.agree(campaign.pk, person("cid"), made.pk, party["cid"].pk)
    assert (number("bo"), number("cid")) == (1, 0)  # Cid's Yes changed Bo's sheet
    assert purchases_for("bo") == []


@pytest.mark.parametrize("end", ["declined", "withdrawn", "left", "bin"])
def test_a_purchase_that_is_over_waits_for_nobody(campaign, party, end):
    made = purchase(campaign, party)
    if end == "declined":
        agreements.decline(Purchase, campaign.pk, person("cid"), made.pk, party["cid"].pk)
    elif end == "withdrawn":
        agreements.withdraw(Purchase, campaign.pk, person("bo"), made.pk)
    elif end == "left":
        membership.leave(campaign.pk, person("bo"))
    else:
        campaigns.throw_away(campaign.pk, person())
    assert number("cid") == 0


def test_a_finished_purchase_does_not_wait_for_a_later_player_of_the_character(campaign, party):
    prepared = first_level(person(), name="Prepared")
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    seats.take(campaign.pk, person("cid"), seat.pk)
    made = purchase(campaign, {**party, "prepared": prepared}, to="prepared")
    assert number("cid") == 1
    purchases.agree(campaign.pk, person("cid"), made.pk, prepared.pk)
    Seat.objects.filter(pk=seat.pk).update(member=campaign.members.get(user=person("bo").user))
    assert purchases_for("bo") == []
    PartyAct.objects.all().delete()  # the control: were it not bought, Bo would have to agree
    assert purchases_for("bo") == [f"{campaign.get_absolute_url()}purchases/#purchase-{made.pk}"]


def test_a_guests_notifications_move_to_their_account(client, campaign):
    guest = as_guest(client)
    sits(campaign, guest, name="Nell")
    character = first_level(guest, name="Nell")
    seats.bring(campaign.pk, guest, character.pk)
    propose(campaign, {"bo": character})
    date = schedule(campaign)
    assert at_hand(guest).number == 2
    text = html_of(client.get(PAGE))
    assert MARK in text
    assert "A proposal is waiting for your answer." in text
    session_dates.note_seen(campaign.pk, guest, date.pk, 0)
    nell = person("nell").user
    Member.objects.filter(guest=guest.guest).update(user=nell, guest="")  # as signing in does
    Grant.objects.filter(guest=guest.guest).update(user=nell, guest="")
    character.owner, character.guest = nell, ""
    character.save()
    assert number("nell") == 1


def test_no_secret_is_on_the_page(client, campaign, party):
    write(campaign.pk, person(), new_key(), text="CANARY-note", reader="storytellers")
    play.add_note(party["bo"].pk, person("bo"), new_key(), text="CANARY-own")
    play.roll(party["bo"].pk, person(), new_key(), roll="skill.athletics", secret=True)
    assert number("bo") == 0  # a secret roll of the storyteller is no news
    propose(campaign, party, "roll", roll="skill.athletics", target="37")
    party_acts.do_to_several(
        campaign.pk, person(), new_key(), "take_damage", {"amount": "3"}, {party["bo"].pk: ""}, reason="CANARY"
    )
    text = page(client)
    assert MARK in text
    assert "CANARY" not in text
    assert not says(without_tokens(text), 37)


def everything(campaign, party):
    propose(campaign, party, "roll", roll="skill.athletics", target="12")
    propose(campaign, party)
    schedule(campaign)
    campaign.pairings.create(first=party["bo"], second=party["cid"], key=new_key())
    purchase(campaign, party, "cid", "bo")
    party_acts.do_to_several(campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, {party["bo"].pk: ""})


def test_the_number_in_the_header_is_the_number_of_lines(client, campaign, party):
    everything(campaign, party)
    text = page(client)
    assert number("bo") == 6
    assert text.count("<li>") == 6
    assert "<b>6</b>" in text


def test_the_header_costs_one_query_and_a_fragment_none(client, campaign, party, django_assert_num_queries):
    everything(campaign, party)
    bo = person("bo")
    with django_assert_num_queries(1):
        assert at_hand(bo).number == 6
    with django_assert_num_queries(0):
        assert at_hand(Person()).number == 0
    client.force_login(person("bo").user)
    asks = "campaigns_sessiondate"
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{party['bo'].get_absolute_url()}proposed/")
    assert not [one for one in queries if asks in one["sql"]]  # a part of the sheet has no header
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    assert sum(asks in one["sql"] for one in queries) == 1
    with CaptureQueriesContext(connection) as queries:
        Client().get("/")
    assert not [one for one in queries if asks in one["sql"]]


def test_somebody_who_was_removed_from_two_tables_sees_the_news_of_each_alone():
    first, second = (saltmarsh(bo="player") for _ in range(2))
    for one in (first, second):
        membership.remove(one.pk, person(), one.members.get(name="Bo").pk)
    membership.news_seen(first.pk, person("bo"))
    assert [one.members.get(name="Bo").news_at is None for one in (first, second)] == [True, False]


def test_a_removal_pressed_twice_is_told_once():
    campaign = saltmarsh(bo="player")
    bo = campaign.members.get(name="Bo")
    removed_at = membership.remove(campaign.pk, person(), bo.pk).gone_at
    membership.news_seen(campaign.pk, person("bo"))
    membership.remove(campaign.pk, person(), bo.pk)
    bo.refresh_from_db()
    assert (bo.gone_at, bo.news_at) == (removed_at, None)


def test_news_of_a_table_in_the_bin_waits_for_nobody():
    campaign = saltmarsh(bo="player")
    membership.remove(campaign.pk, person(), campaign.members.get(name="Bo").pk)
    assert number("bo") == 1
    campaigns.throw_away(campaign.pk, person())
    assert number("bo") == 0


def test_somebody_who_removes_themselves_is_not_told_of_it():
    campaign = saltmarsh(eve="co-storyteller")
    helper = campaign.members.get(name="Eve")
    membership.remove(campaign.pk, person("eve"), helper.pk)
    helper.refresh_from_db()
    assert (helper.gone_at is None, helper.news_at) == (False, None)
