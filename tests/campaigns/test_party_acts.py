"""A storyteller's act on several characters, undone as one; and proposals that wait for a player's answer."""

import pytest
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from campaigns.acts import acts_of
from campaigns.models import PartyAct
from campaigns.verbs import campaigns, membership, party_acts, seats
from characters import access
from characters.actions import proposals, undo
from characters.actions.together import deeds_of
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.models import Change, Proposal, RollRecord
from characters.read.open import OpenCharacter
from characters.read.party import versions_of
from polyhedral_site.account_deletion import delete
from tests.campaigns.acting import act, lost
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import facts, first_level, new_key, person, refuses
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def test_an_act_changes_each_character_in_the_storytellers_name(campaign, party):
    made = act(campaign, party)
    assert lost(party) == {"bo": 4, "cid": 4}
    assert made.sentence == "Damage 4: Bo and Cid."
    assert made.by.user == person().user
    for one in party.values():
        change = one.changes.first()
        assert (change.verb, change.actor, change.key) == ("take_damage", person().user, made.key)


def test_half_damage_applies_only_where_it_was_chosen_and_is_rounded_down(campaign, party):
    made = act(campaign, party, to={party["bo"].pk: "", party["cid"].pk: party_acts.HALF}, sent={"amount": "7"})
    assert lost(party) == {"bo": 7, "cid": 3}
    assert made.sentence == "Damage 7: Bo and Cid (half)."


def test_the_end_of_a_condition_that_the_rules_no_longer_have_is_named(party):
    version = versions_of([party["bo"]])[party["bo"].pk]
    deed = deeds_of("polyhedral")["remove_condition"]
    assert deed.words({"condition": "condition:prone"}, version) == "End a condition Prone"
    assert deed.words({"condition": "condition:moon-sick-b2c3d4"}, version) == "End a condition Moon sick"
    assert deeds_of("polyhedral")["mark"].words({"name": "act two: noon"}, version) == "Mark act two: noon"


@pytest.mark.parametrize("option", ["quarter", "x\0y", "help-x", "Half"])
@pytest.mark.parametrize("proposed", [False, True])
def test_only_an_offered_option_may_be_chosen_for_a_character(campaign, party, option, proposed):
    with pytest.raises(Refused, match="Choose one of the ways"):
        act(campaign, party, to={party["bo"].pk: option}, proposed=proposed)
    assert not PartyAct.objects.exists()
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("name", "sent", "sentence"),
    [
        ("add_condition", {"condition": "condition:\0prone"}, "cannot save"),
        ("take_damage", {"amount": "3", "critical": "\0"}, "cannot save"),
        ("long_rest", {"day_passed": "x" * 1_000}, "too long"),
    ],
)
def test_fields_that_cannot_be_stored_are_not_proposed(campaign, party, name, sent, sentence):
    with pytest.raises(Refused, match=sentence) as refused:
        act(campaign, party, name, sent=sent, proposed=True)
    assert refused.value.field == list(sent)[-1]
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("amount", "split", "each", "sentence"),
    [
        ("101", False, 101, "XP 101: Bo and Cid."),
        ("101", True, 50, "XP 101 split, 50 each: Bo and Cid."),
        ("03000", True, 1500, "XP 3,000 split, 1,500 each: Bo and Cid."),
    ],
)
def test_xp_goes_to_each_or_is_split(campaign, party, amount, split, each, sentence):
    made = act(campaign, party, "add_xp", sent={"amount": amount, "sure": "yes"}, split=split)
    assert made.sentence == sentence
    assert [facts(one)["field:xp"] for one in party.values()] == [each, each]


def test_an_act_that_gives_things_says_how_many(campaign, party):
    given = [act(campaign, party, "add_item", sent={"custom": "Rope", "quantity": many}) for many in ("", "1", "2")]
    assert [one.sentence for one in given] == [
        "Item Rope: Bo and Cid.",
        "Item Rope: Bo and Cid.",
        "Item 2 × Rope: Bo and Cid.",
    ]


def test_less_xp_has_a_true_minus(campaign, party):
    act(campaign, party, "add_xp", sent={"amount": "100"})
    assert act(campaign, party, "add_xp", sent={"amount": "-50"}).sentence == "XP −50: Bo and Cid."


def test_an_act_that_fails_for_one_character_names_it_and_changes_nobody(campaign, party):
    play.take_damage(party["bo"].pk, person("bo"), new_key(), amount=1)
    with pytest.raises(RefusedForSome) as refused:
        act(campaign, party, "heal")
    assert {pk: why.sentence for pk, why in refused.value.refusals.items()} == {
        party["cid"].pk: "Health is full already."
    }
    assert lost(party) == {"bo": 1, "cid": 0}
    assert not PartyAct.objects.exists()


def test_the_same_form_counts_once_and_another_with_its_key_is_refused(campaign, party):
    key = new_key()
    first = act(campaign, party, key=key)
    assert act(campaign, party, key=key) == first
    with pytest.raises(KeyReused):
        act(campaign, party, key=key, sent={"amount": "5"})
    assert lost(party) == {"bo": 4, "cid": 4}


def test_a_key_used_on_one_character_is_refused_for_an_act(campaign, party):
    key = new_key()
    play.take_damage(party["cid"].pk, person("cid"), key, amount=1)
    with pytest.raises(KeyReused):
        act(campaign, party, key=key)
    assert lost(party) == {"bo": 0, "cid": 1}


def test_an_act_on_nobody_is_refused(campaign, party):
    with refuses("to"):
        act(campaign, party, to={})


def test_only_storytellers_act_and_only_on_seated_characters(campaign, party):
    own = {party["bo"].pk: ""}
    for who, to in (("bo", None), ("bo", own), ("zoe", None)):
        with pytest.raises(Http404):
            act(campaign, party, who=person(who), to=to)
    # A character may leave between the page and the press: that is a refusal, and tells nobody which ids there are.
    elsewhere, left = first_level(person("bo")), party["cid"]
    seats.stand_up(campaign.pk, person("cid"), left.seat.pk)
    for pk in (elsewhere.pk, left.pk, 999_999):
        with pytest.raises(RefusedForSome) as refused:
            act(campaign, party, to={**own, pk: ""})
        assert {one: no.sentence for one, no in refused.value.refusals.items()} == {pk: party_acts.GONE}
    assert lost(party) == {"bo": 0, "cid": 0}
    assert not PartyAct.objects.exists()


def test_a_storytellers_own_character_that_sits_elsewhere_is_not_acted_on(campaign, party):
    own = first_level(person(), name="Dag")
    with pytest.raises(RefusedForSome) as refused:
        act(campaign, {**party, "dag": own})
    assert {pk: no.sentence for pk, no in refused.value.refusals.items()} == {own.pk: party_acts.GONE}
    assert lost({**party, "dag": own}) == {"bo": 0, "cid": 0, "dag": 0}


def test_one_undo_undoes_an_act_for_all_and_another_does_it_again(campaign, party):
    made = act(campaign, party)
    undone = party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert lost(party) == {"bo": 0, "cid": 0}
    assert undone.sentence == "Undone: Damage 4: Bo and Cid."
    with pytest.raises(Refused, match="undone already"):
        party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    again = party_acts.undo(campaign.pk, person(), new_key(), undone.pk)
    assert lost(party) == {"bo": 4, "cid": 4}
    assert again.sentence == "Redone: Damage 4: Bo and Cid."
    once_more = party_acts.undo(campaign.pk, person(), new_key(), again.pk)
    assert lost(party) == {"bo": 0, "cid": 0}
    assert once_more.sentence == "Undone: Damage 4: Bo and Cid."
    assert [one.is_undoing for one in (made, undone, again, once_more)] == [False, True, False, True]


def test_what_is_done_again_names_those_whom_it_does_not_reach(campaign, party, proposed):
    """Cid had not answered, so the proposal was withdrawn; nobody does it again."""
    proposals.answer(party["bo"].pk, person("bo"), proposed["bo"].pk, 0, {})
    undone = party_acts.undo(campaign.pk, person(), new_key(), PartyAct.objects.get().pk)
    again = party_acts.undo(campaign.pk, person(), new_key(), undone.pk)
    assert again.sentence == "Redone for Bo: Damage 4: Bo and Cid. Unchanged: Cid."
    assert lost(party) == {"bo": 4, "cid": 0}


def test_undoing_an_act_skips_a_change_that_a_player_has_undone(campaign, party):
    made = act(campaign, party)
    play.undo(party["bo"].pk, person("bo"), new_key(), party["bo"].changes.first().sequence)
    party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert lost(party) == {"bo": 0, "cid": 0}


def test_an_act_that_a_player_has_undone_and_done_again_is_undone_and_done_again_for_all(campaign, party):
    made, bo = act(campaign, party), party["bo"]

    def turned():
        play.undo(bo.pk, person("bo"), new_key(), bo.changes.latest("sequence").sequence)

    turned()
    turned()
    undone = party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert lost(party) == {"bo": 0, "cid": 0}
    assert undone.sentence == "Undone: Damage 4: Bo and Cid."
    turned()
    turned()
    party_acts.undo(campaign.pk, person(), new_key(), undone.pk)
    assert lost(party) == {"bo": 4, "cid": 4}


def test_an_undo_that_one_character_does_not_allow_says_that_nothing_was_done(campaign, party):
    made, bo = act(campaign, party, "add_item", sent={"custom": "Rope"}), party["bo"]
    play.remove_item(bo.pk, person("bo"), new_key(), item=bo.items.latest("pk").pk)
    with pytest.raises(Refused, match=r"^Nothing was done\. “Bo gets Rope\.” cannot be undone: "):
        party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert party["cid"].items.filter(custom="Rope").exists()


def test_an_act_that_one_character_cannot_do_again_says_which(campaign, party, monkeypatch):
    made, bo = act(campaign, party, "add_item", sent={"custom": "Rope"}), party["bo"]
    undone = party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    play.add_item(bo.pk, person("bo"), new_key(), custom="Sack")
    monkeypatch.setattr(undo, "MOST_ITEMS", party["cid"].items.count() + 1)
    with pytest.raises(Refused, match=r"^Nothing was done\. “Bo gets Rope\.” cannot be redone: there would be [^“]+$"):
        party_acts.undo(campaign.pk, person(), new_key(), undone.pk)


def test_undoing_an_act_does_not_reach_a_character_who_left(campaign, party):
    made = act(campaign, party)
    membership.leave(campaign.pk, person("cid"))
    party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert lost(party) == {"bo": 0, "cid": 4}


def test_undoing_an_act_does_not_reach_the_storytellers_own_character_once_it_has_stood_up(campaign, party):
    party["dag"] = first_level(person(), name="Dag")
    seat = seats.bring(campaign.pk, person(), party["dag"].pk)
    made = act(campaign, party)
    seats.stand_up(campaign.pk, person(), seat.pk)
    party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert lost(party) == {"bo": 0, "cid": 0, "dag": 4}


def test_a_player_and_another_table_cannot_undo_an_act(campaign, party):
    made = act(campaign, party)
    with pytest.raises(Http404):
        party_acts.undo(campaign.pk, person("bo"), new_key(), made.pk)
    other = saltmarsh("bo")
    with pytest.raises(Http404):
        party_acts.undo(other.pk, person("bo"), new_key(), made.pk)
    assert lost(party) == {"bo": 4, "cid": 4}


# Proposals


@pytest.fixture
def proposed(campaign, party):
    """Four damage, proposed to both."""
    act(campaign, party, proposed=True, reason="The roof comes down")
    return {name: one.proposals.get() for name, one in party.items()}


def test_a_proposal_changes_nothing_until_its_player_accepts(party, proposed):
    assert lost(party) == {"bo": 0, "cid": 0}
    change = proposals.answer(party["bo"].pk, person("bo"), proposed["bo"].pk, 0, {})
    assert (change.actor, change.sentence) == (person("bo").user, "Bo takes 4 damage.")
    assert lost(party) == {"bo": 4, "cid": 0}


def waiting(character, who):
    character.refresh_from_db()
    opened = OpenCharacter.of(character, who, None)
    return proposals.waiting_of(character, opened.version, who)


def test_a_proposals_outcome_is_worked_out_from_the_character_as_it_is_now(party, proposed):
    mine = party["bo"]
    ((_, _, foreseen),) = waiting(mine, person("bo"))[0].ways
    assert foreseen.sentence == "Bo takes 4 damage."
    health = next(move for move in foreseen.moves if move.name == "Health")
    play.take_damage(mine.pk, person("bo"), new_key(), amount=2)
    ((_, _, foreseen),) = waiting(mine, person("bo"))[0].ways
    later = next(move for move in foreseen.moves if move.name == "Health")
    assert (int(later.before), int(later.after)) == (int(health.before) - 2, int(health.after) - 2)


def test_an_accepted_proposal_counts_once_and_is_over(party, proposed):
    mine, asked = party["bo"], proposed["bo"].pk
    first = proposals.answer(mine.pk, person("bo"), asked, 0, {})
    assert proposals.answer(mine.pk, person("bo"), asked, 0, {}) == first
    with pytest.raises(Refused):
        proposals.decline(mine.pk, person("bo"), asked)
    assert waiting(mine, person("bo")) == []


def test_a_declined_proposal_is_over(party, proposed):
    mine, asked = party["bo"], proposed["bo"].pk
    proposals.decline(mine.pk, person("bo"), asked)
    proposals.decline(mine.pk, person("bo"), asked)
    with pytest.raises(Refused):
        proposals.answer(mine.pk, person("bo"), asked, 0, {})
    assert lost(party)["bo"] == 0
    assert waiting(mine, person("bo")) == []


def test_only_the_player_answers_a_proposal(party, proposed):
    mine, asked = party["bo"], proposed["bo"].pk
    for who in (person(), person("cid"), person("zoe")):
        with pytest.raises(Http404):
            proposals.answer(mine.pk, who, asked, 0, {})
        with pytest.raises(Http404):
            proposals.decline(mine.pk, who, asked)
    with pytest.raises(Http404):  # Cid's proposal at an address of Bo's character
        proposals.answer(mine.pk, person("bo"), proposed["cid"].pk, 0, {})
    assert lost(party) == {"bo": 0, "cid": 0}


def test_an_undo_withdraws_waiting_proposals_and_undoes_accepted_ones(campaign, party, proposed):
    proposals.answer(party["bo"].pk, person("bo"), proposed["bo"].pk, 0, {})
    party_acts.undo(campaign.pk, person(), new_key(), PartyAct.objects.get().pk)
    assert lost(party) == {"bo": 0, "cid": 0}
    with pytest.raises(Refused):
        proposals.answer(party["cid"].pk, person("cid"), proposed["cid"].pk, 0, {})


def test_an_undo_withdraws_no_proposal_of_another_act(campaign, party, proposed):
    other = act(campaign, party, proposed=True)
    party_acts.undo(campaign.pk, person(), new_key(), other.pk)
    assert [one.proposal for one in waiting(party["bo"], person("bo"))] == [proposed["bo"]]


def test_one_player_declines_what_another_has_accepted(party, proposed):
    proposals.answer(party["bo"].pk, person("bo"), proposed["bo"].pk, 0, {})
    proposals.decline(party["cid"].pk, person("cid"), proposed["cid"].pk)
    assert (lost(party), waiting(party["cid"], person("cid"))) == ({"bo": 4, "cid": 0}, [])


def test_what_nobody_had_answered_is_withdrawn_and_not_undone(campaign, party, proposed):
    withdrawn = party_acts.undo(campaign.pk, person(), new_key(), PartyAct.objects.get().pk)
    assert withdrawn.sentence == "Withdrawn: Damage 4: Bo and Cid."
    assert not any(one.may_be_undone for one in acts_of(campaign))


def to_another_table(campaign, cid):
    """The table goes into the bin, and Cid sits down at another one."""
    campaigns.throw_away(campaign.pk, person())
    other = saltmarsh()
    sits(other, person("cid"), name="cid")
    seats.bring(other.pk, person("cid"), cid.pk)


GOES = {
    "leaves": lambda campaign, cid: membership.leave(campaign.pk, person("cid")),
    "is removed": lambda campaign, cid: membership.remove(campaign.pk, person(), cid.seat.member_id),
    "stands up": lambda campaign, cid: seats.stand_up(campaign.pk, person("cid"), cid.seat.pk),
    "is taken off the table": lambda campaign, cid: seats.stand_up(campaign.pk, person(), cid.seat.pk),
    "goes to another table": to_another_table,
}


@pytest.mark.parametrize("how", GOES)
def test_a_proposal_does_not_outlast_its_characters_seat(campaign, party, proposed, how):
    GOES[how](campaign, party["cid"])
    with pytest.raises(Refused, match="answered or withdrawn"):
        proposals.answer(party["cid"].pk, person("cid"), proposed["cid"].pk, 0, {})
    assert waiting(party["cid"], person("cid")) == []
    assert len(waiting(party["bo"], person("bo"))) == 1


@pytest.mark.parametrize("goes", [lambda pk: membership.leave(pk, person("bo")), lambda pk: delete(person("bo").user)])
def test_whoever_takes_a_prepared_character_next_finds_no_former_proposals(campaign, party, goes):
    prepared = first_level(person(), name="Dag")
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    act(campaign, {"dag": prepared}, proposed=True)
    goes(campaign.pk)
    seats.take(campaign.pk, person("cid"), seat.pk)
    assert waiting(prepared, person("cid")) == []


def test_an_undo_says_for_whom_it_is_undone_and_who_stayed_as_they_were(campaign, party, proposed):
    proposals.answer(party["bo"].pk, person("bo"), proposed["bo"].pk, 0, {})
    membership.remove(campaign.pk, person(), party["cid"].seat.member_id)
    undone = party_acts.undo(campaign.pk, person(), new_key(), PartyAct.objects.get().pk)
    assert undone.sentence == "Undone for Bo: Damage 4: Bo and Cid. Unchanged: Cid."
    assert lost(party) == {"bo": 0, "cid": 0}


def test_a_compel_is_always_proposed_and_cannot_be_declined(campaign, party):
    act(campaign, party, "compel", sent={"words": "Never leaves a friend"})
    mine, asked = party["bo"], party["bo"].proposals.get().pk
    with pytest.raises(Refused, match="must be answered"):
        proposals.decline(mine.pk, person("bo"), asked)
    accept, refuse = waiting(mine, person("bo"))[0].ways
    assert (accept[1].word, refuse[1].word) == ("Accept", "Refuse")
    play.adjust(mine.pk, person("bo"), new_key(), resource="resolve", by="-1")
    accept, refuse = waiting(mine, person("bo"))[0].ways  # at 0 Resolve the rules leave no choice (RS-14)
    assert refuse[2].refused
    change = proposals.answer(mine.pk, person("bo"), asked, 0, {})
    assert change.sentence == "Bo accepts a compel by “Never leaves a friend” and gains 1 Resolve."


def test_waiting_proposals_have_a_limit(campaign, party):
    for _ in range(proposals.MOST):
        act(campaign, party, proposed=True)
    with pytest.raises(Refused, match="wait for the player"):
        act(campaign, party, proposed=True)
    assert Proposal.objects.count() == 2 * proposals.MOST
    Proposal.objects.update(declined_at=timezone.now())
    act(campaign, party, proposed=True)  # what was answered makes room
    assert Proposal.objects.count() == 2 * proposals.MOST + 2


@pytest.mark.parametrize("proposed", [False, True])
def test_characters_are_locked_in_the_order_of_their_ids(campaign, party, monkeypatch, proposed):
    """So of two who change the same characters, neither waits for a lock of the other's while holding one."""
    order, lock = [], access.locked
    monkeypatch.setattr(access, "locked", lambda pk, who: order.append(pk) or lock(pk, who))
    backwards = sorted((one.pk for one in party.values()), reverse=True)
    act(campaign, party, to=dict.fromkeys(backwards, ""), proposed=proposed)
    assert order == sorted(one.pk for one in party.values())


def test_only_who_may_play_a_character_asks_its_player_and_once_by_each_key(party, proposed):
    asked = [proposals.Proposed(party["bo"].pk, {"amount": "4"})]
    with pytest.raises(Http404):
        proposals.propose(asked, person("cid"), "take_damage", new_key())
    with pytest.raises(KeyReused), transaction.atomic():
        proposals.propose(asked, person(), "take_damage", proposed["bo"].key)


def test_the_number_of_a_characters_proposals_changes_with_each_and_says_whether_one_waits(campaign, party, proposed):
    pk = party["cid"].pk
    numbers = [proposals.stamp_of(pk)]
    act(campaign, party, proposed=True)
    numbers.append(proposals.stamp_of(pk))
    for asked in party["cid"].proposals.all():
        proposals.decline(pk, person("cid"), asked.pk)
        numbers.append(proposals.stamp_of(pk))
    assert len(set(numbers)) == 4
    assert [proposals.none_open(one) for one in numbers] == [False, False, False, True]


def test_half_of_an_amount_of_one_is_not_proposed(campaign, party):
    with pytest.raises(Refused):
        act(campaign, party, "heal", {party["bo"].pk: "half"}, sent={"amount": "1"}, proposed=True)
    assert not Proposal.objects.exists()


def test_a_proposal_that_is_no_longer_valid_says_why_and_can_be_declined(client, campaign, party):
    """An older version stored an amount of 0 for half of 1."""
    act(campaign, party, "heal", sent={"amount": "1"}, proposed=True)
    Proposal.objects.update(sent={"amount": "0"})
    ours = party["bo"].proposals.get()
    client.force_login(person("bo").user)
    sheet = client.get(party["bo"].get_absolute_url())
    assert sheet.status_code == 200
    assert "Enter a whole number from 1" in sheet.content.decode()
    answer = client.post(f"{party['bo'].get_absolute_url()}proposed/{ours.pk}/", {"key": new_key(), "way": "0"})
    assert answer.status_code == 422
    proposals.decline(party["bo"].pk, person("bo"), ours.pk)


def test_an_undo_names_the_characters_that_it_does_not_reach(campaign, party):
    made = act(campaign, party)
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    undone = party_acts.undo(campaign.pk, person(), new_key(), made.pk)
    assert undone.sentence == "Undone for Cid: Damage 4: Bo and Cid. Unchanged: Bo."
    assert lost(party) == {"bo": 4, "cid": 0}


def test_an_accepted_proposal_that_is_undone_and_done_again_shows_as_accepted(party, proposed):
    bo, key = party["bo"], person("bo")
    proposals.answer(bo.pk, key, proposed["bo"].pk, 0, {})
    states = []
    for _ in range(3):
        told = acts_of(PartyAct.objects.get().campaign)[0]
        states.append(next(one.state for one in told.answers if one.character == bo))
        play.undo(bo.pk, key, new_key(), bo.changes.first().sequence)
    assert states == ["accepted", "undone", "accepted"]


def test_one_xp_cannot_be_split_between_two(campaign, party):
    with pytest.raises(RefusedForSome, match="comes to 0 XP"):
        act(campaign, party, "add_xp", sent={"amount": "1"}, split=True)
    assert not Change.objects.filter(verb="add_xp").exists()


def test_of_several_rolls_of_one_answer_the_last_counts(campaign, party):
    """As on the sheet: a game that also rolls the difficulty rolls that first."""
    act(campaign, party, "roll", {party["bo"].pk: ""}, sent={"roll": "check.mind"}, rule="each", target=12)
    change = proposals.answer(party["bo"].pk, person("bo"), party["bo"].proposals.get().pk, 0, {})
    made = change.rolls.get()
    RollRecord.objects.filter(pk=made.pk).update(name="Difficulty")
    made.pk, made._state.adding = None, True
    made.save()
    [answer] = acts_of(campaign)[0].answers
    assert [answer.rolled.name, *change.rolls.values_list("name", flat=True)] == ["Mind", "Mind", "Difficulty"]
