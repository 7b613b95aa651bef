"""Several people at one table at once, each on a connection of their own, on whichever database the tests run."""

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from campaigns.models import DateSeen, Member, Pairing, PartyAct
from campaigns.verbs import (
    agreements,
    creature_actions,
    membership,
    other_device,
    pairings,
    party_acts,
    seats,
    session_dates,
    table_rules,
)
from characters.actions import proposals
from characters.change import journal
from characters.change.announcements import announce
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Change, Proposal
from tests.campaigns.acting import act, lost
from tests.campaigns.buying import BUYERS, agree, buy, has, poorer, propose
from tests.campaigns.fights import Fight
from tests.campaigns.seated import party_of, saltmarsh, sits
from tests.characters.cast import guest, mira, new_key, person
from tests.characters.play.table import play
from tests.support.at_once import at_once, until_one_waits

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]


@pytest.fixture
def fight():
    made = Fight()
    made.wolves(2)
    made.ordered(Mira=15, Wolf_1=12, Wolf_2=11, Nell=9)
    return made


@pytest.fixture
def campaign():
    return saltmarsh(**dict.fromkeys(BUYERS, "player"))


@pytest.fixture
def party(campaign):
    return party_of(campaign, *BUYERS)


def test_sixteen_who_press_next_at_once_pass_one_turn(fight):
    answers = at_once(*[lambda: fight.next(saw=0)] * 16)
    assert [one for one in answers if isinstance(one, Exception)] == []
    assert fight.turn == (1, "Mira")
    assert fight.encounter.steps == 1
    assert fight.verbs_of(fight.mira) == ["next_round"]


def test_turns_and_hits_at_once_do_not_deadlock(fight):
    """While turns pass, the players are hit: every hit counts, and nobody waits forever."""
    damage = [
        lambda who=who, pk=pk: play.take_damage(pk, who, new_key(), amount=1)
        for who, pk in ((fight.bo, fight.mira.pk), (fight.cid, fight.nell.pk)) * 4
    ]
    answers = at_once(*[lambda: [fight.next() for _ in range(4)] and None] * 4, *damage)
    assert [one for one in answers if isinstance(one, Exception)] == []
    assert [fight.verbs_of(one).count("take_damage") for one in (fight.mira, fight.nell)] == [4, 4]


def test_hits_at_once_all_count(fight):
    wolf = fight.named("Wolf 1").pk
    hit = partial(creature_actions.hit, fight.campaign.pk, fight.ana, amount=1, heal=False)
    assert at_once(*[lambda: hit(new_key(), wolf)] * 8) == ["Damage 1: Wolf 1."] * 8
    assert fight.named("Wolf 1").left == 3


def test_a_proposal_is_not_withdrawn_while_it_is_being_accepted(campaign, party, monkeypatch):
    act(campaign, party, proposed=True)
    mine, asked = party["bo"], Proposal.objects.get(character=party["bo"])
    accepting, pause = threading.Event(), threading.Event()

    def slow(*thing):
        accepting.set()
        pause.wait(0.3)
        announce(*thing)

    def withdraw():
        accepting.wait(10)
        with transaction.atomic():
            return proposals.withdraw([mine.pk], [asked.key])

    for module in (journal, proposals):
        monkeypatch.setattr(module, "announce", slow)
    accepted, withdrawn = at_once(lambda: proposals.answer(mine.pk, person("bo"), asked.pk, 0, {}), withdraw)
    assert (accepted.key, withdrawn) == (asked.key, set())


def test_sixteen_acts_at_once_on_the_same_characters_all_count(campaign, party):
    orders = [list(party.values()), list(party.values())[::-1]] * 8

    def one(order):
        return lambda: act(campaign, {str(n): who for n, who in enumerate(order)}, "add_xp")

    done = at_once(*[one(order) for order in orders])
    assert not [result for result in done if isinstance(result, Exception)]
    assert Change.objects.filter(verb="add_xp").count() == len(orders) * len(party)


def test_an_undo_for_all_reaches_the_others_while_a_player_undoes_their_own_part(campaign, party, monkeypatch):
    made, bo = act(campaign, party), party["bo"]
    undoing = threading.Event()

    def slow(*thing):
        if not undoing.is_set():
            undoing.set()
            until_one_waits()
        announce(*thing)

    def undo_for_all():
        undoing.wait(10)
        return party_acts.undo(campaign.pk, person(), new_key(), made.pk)

    monkeypatch.setattr(journal, "announce", slow)
    number = bo.changes.latest("sequence").sequence
    mine, for_all = at_once(lambda: play.undo(bo.pk, person("bo"), new_key(), number), undo_for_all)
    assert not isinstance(mine, Exception)
    assert not isinstance(for_all, Exception)
    assert for_all.sentence.endswith(" Unchanged: Bo.")
    assert lost(party) == dict.fromkeys(party, 0)


def test_the_last_two_agreements_at_once_make_one_purchase(campaign, party):
    made = propose(campaign, party, to=("cid", "dan"))
    at_once(*[lambda who=who: agree(made, party, who) for who in ("cid", "dan") * 4])
    assert (has(party["bo"]), PartyAct.objects.count()) == (1, 1)


@pytest.fixture
def pairing(campaign, party):
    """A relationship that is proposed to Bo and Cid."""
    table_rules.decide(campaign.pk, person(), new_key(), switches={"relationships": "on"}, sources=())
    chosen = [party[name].pk for name in ("bo", "cid")]
    return pairings.propose(campaign.pk, person(), new_key(), pairings.BY_HAND, chosen=chosen)[0][0]


def say_yes(pairing, party, name):
    words = {"based_on": "bond", "text": "You pulled me out of the tide."}
    return lambda: pairings.agree(pairing.campaign_id, person(name), pairing.pk, party[name].pk, **words)


def test_both_agreements_at_once_make_one_relationship(pairing, party):
    answers = at_once(*[say_yes(pairing, party, name) for name in ("bo", "cid") * 4])
    assert [one for one in answers if isinstance(one, Exception)] == []
    assert [party[name].relationships.count() for name in ("bo", "cid")] == [1, 1]


def test_a_relationship_is_agreed_to_or_withdrawn_and_not_both(pairing, party):
    say_yes(pairing, party, "bo")()
    withdraw = partial(agreements.withdraw, Pairing, pairing.campaign_id, person(), pairing.pk)
    answers = at_once(say_yes(pairing, party, "cid"), withdraw)
    assert [isinstance(one, Refused) for one in answers].count(True) == 1, answers
    done = not isinstance(answers[0], Refused)
    assert [party[name].relationships.count() for name in ("bo", "cid")] == [done, done]


def test_crosswise_purchases_at_once_do_not_deadlock(campaign, party):
    answers = at_once(
        *[
            lambda buyer=buyer, other=other: buy(campaign, party, buyer=buyer, to=(other,))
            for buyer, other in (("bo", "cid"), ("cid", "bo"), ("dan", "bo")) * 4
        ]
    )
    assert all(isinstance(one, PartyAct) for one in answers)
    assert [has(party[name]) for name in BUYERS] == [4, 4, 4]


def test_a_purchase_and_a_loss_of_resources_at_once_happen_one_after_the_other(campaign, party):
    answers = at_once(lambda: buy(campaign, party), lambda: poorer(party["cid"], "cid"))
    bought = isinstance(answers[0], PartyAct)
    assert bought or isinstance(answers[0], RefusedForSome)
    assert has(party["bo"]) == int(bought)


def test_pressing_seen_several_times_at_once_stores_one_row(campaign):
    at = timezone.now() + timedelta(days=3)
    date = session_dates.schedule(campaign.pk, person(), at=at, minutes=240, place="")
    at_once(*[partial(session_dates.note_seen, campaign.pk, person("bo"), date.pk, 0)] * 4)
    assert DateSeen.objects.filter(member__user=person("bo").user).count() == 1


@pytest.mark.parametrize(
    "leave", [seats.stand_up, lambda pk, who, seat: membership.leave(pk, who)], ids=["stands up", "leaves the table"]
)
def test_who_stands_up_acts_no_more_once_the_sitting_has_ended(campaign, monkeypatch, leave):
    """Otherwise the log would tell the act of the next player."""
    seat = seats.bring(campaign.pk, person(), mira(person()).pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    ended, end_sitting = threading.Event(), seats._end_sitting

    def slow(seat):
        at = end_sitting(seat)
        ended.set()
        until_one_waits()
        return at

    def act_late():
        ended.wait(10)
        return play.take_damage(seat.character_id, person("bo"), new_key(), amount=1)

    monkeypatch.setattr(seats, "_end_sitting", slow)
    left, acted = at_once(lambda: leave(campaign.pk, person("bo"), seat.pk), act_late)
    assert not isinstance(left, Exception)
    assert isinstance(acted, Http404)


def test_a_seat_that_another_device_takes_over_is_not_claimed_by_the_account(campaign, monkeypatch):
    """Signing in has locked the guest's tables, but not one that the guest has joined since."""
    nell = sits(campaign, guest(), name="Nell")
    token = other_device.make_device_link(campaign.pk, person(), nell.pk, new_key())
    taking, regrant = threading.Event(), seats.regrant

    def slow(campaign):
        taking.set()
        until_one_waits()
        regrant(campaign)

    def sign_in():
        taking.wait(10)
        with transaction.atomic():
            membership.claim_seats(guest().guest, person("dan").user)

    monkeypatch.setattr(seats, "regrant", slow)
    assert at_once(lambda: other_device.take_over(token, guest("b" * 64)).pk, sign_in) == [nell.pk, None]
    assert Member.objects.get(pk=nell.pk).guest == "b" * 64
