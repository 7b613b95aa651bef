"""Relationships at a table: paired by its storyteller, and on both sheets once both players agree to the same words."""

import re
from copy import deepcopy
from random import Random

import pytest
from django.db import DataError, IntegrityError, transaction
from django.http import Http404

from campaigns.models import Agreement, Pairing, PartyAct
from campaigns.verbs import agreements, membership, pairings, party_acts, seats, table_rules
from campaigns.verbs.pairings import BY_HAND, RANDOM, RING
from characters import verbs
from characters.actions import story
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.models import Change, Relationship
from rules.games import GAMES
from tests.campaigns.seated import party_of, saltmarsh
from tests.characters.cast import browser_of, first_level, new_key, person
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
NAMES = ("bo", "cid", "dan", "eve", "fay")
WORDS = {"based_on": "bond", "text": "You pulled me out of the tide."}


def table(names=NAMES):
    """A campaign that Ana leads, and a character for each of these players, named after them."""
    campaign = saltmarsh(**dict.fromkeys(names, "player"))
    decide(campaign, relationships="on")
    return campaign, party_of(campaign, *names)


@pytest.fixture(scope="module")
def made(shared):
    return shared(table)


@pytest.fixture
def campaign(made):
    return deepcopy(made[0])


@pytest.fixture
def party(made):
    return deepcopy(made[1])


def decide(campaign, **switches):
    return table_rules.decide(campaign.pk, person(), new_key(), switches=switches, sources=())


@pytest.fixture
def pairing(campaign, party):
    """Bo and Cid, without words."""
    return propose(campaign, BY_HAND, chosen=(party["bo"].pk, party["cid"].pk))[0]


def propose(campaign, way, key=None, who=None, **more):
    return pairings.propose(campaign.pk, who or person(), key or new_key(), way, **more)[0]


def agree(pairing, character, who, **words):
    return pairings.agree(pairing.campaign_id, person(who), pairing.pk, character.pk, **(WORDS | words))


def both_agree(pairing, party):
    agree(pairing, party["bo"], "bo")
    return agree(pairing, party["cid"], "cid")


def names_of(pairings):
    return [(str(one.first), str(one.second)) for one in pairings]


def signed_in(who):
    return browser_of(who)


def where(campaign, path=""):
    return f"/campaigns/{campaign.pk}/relationships/{path}"


def test_a_table_has_a_limit_of_relationships(campaign, party, monkeypatch):
    monkeypatch.setattr(pairings, "MOST_OPEN", 4)
    with pytest.raises(Refused, match="at most 4 relationships"):
        propose(campaign, RING)
    monkeypatch.setattr(pairings, "MOST_OPEN", 5)
    assert len(names_of(propose(campaign, RING))) == 5


def test_a_ring_of_five_makes_five_pairs_and_each_character_is_in_two(campaign, party):
    made = names_of(propose(campaign, RING))
    assert len(made) == 5
    assert all(sum(name.title() in pair for pair in made) == 2 for name in NAMES)


@pytest.mark.parametrize(("many", "pairs"), [(2, 1), (3, 3), (4, 4)])
def test_a_smaller_ring_makes_fewer_pairs(many, pairs):
    campaign, _ = table(NAMES[:many])
    assert len(propose(campaign, RING)) == pairs


def test_random_pairing_leaves_the_odd_character_out_and_names_it(campaign, party):
    made, left = pairings.propose(campaign.pk, person(), new_key(), RANDOM, chance=Random(7))
    assert len(made) == 2
    assert sorted([*(name for pair in names_of(made) for name in pair), *map(str, left)]) == [
        name.title() for name in NAMES
    ]
    Pairing.objects.all().delete()  # the same two pairs may be drawn again, and would be paired already
    page = signed_in("ana").post(where(campaign), {"key": new_key(), "way": RANDOM}, follow=True)
    assert "Left out: " in page.content.decode()


def test_pairing_by_hand_pairs_the_two_that_are_chosen(pairing):
    assert names_of([pairing]) == [("Bo", "Cid")]


@pytest.mark.parametrize("way", [RING, RANDOM])
def test_a_character_alone_is_paired_with_nobody(way):
    campaign, _ = table(["bo"])
    with pytest.raises(Refused, match="two characters"):
        propose(campaign, way)


def test_the_same_form_pairs_once(campaign, party):
    key = new_key()
    assert propose(campaign, RANDOM, key) == propose(campaign, RANDOM, key)
    assert Pairing.objects.count() == 2


def test_the_same_form_with_something_else_in_it_is_refused(campaign, party):
    bo, cid, dan = (party[name].pk for name in ("bo", "cid", "dan"))
    key, other = new_key(), new_key()
    made = propose(campaign, BY_HAND, key, chosen=(bo, cid), **WORDS)
    drawn = propose(campaign, RANDOM, other, drawn=[(bo, dan)])
    for which, way, more in (
        (key, BY_HAND, {"chosen": (bo, dan), **WORDS}),
        (key, BY_HAND, {"chosen": (bo, cid), **WORDS, "text": "Other words."}),
        (key, BY_HAND, {"chosen": (bo, cid), **WORDS, "based_on": "flaw"}),
        (key, RING, {}),
        (other, RANDOM, {"drawn": [(bo, dan), (bo, cid)]}),
        (other, RANDOM, {"drawn": [(cid, dan)]}),
    ):
        with pytest.raises(KeyReused):
            propose(campaign, way, which, **more)
    assert propose(campaign, BY_HAND, key, chosen=(bo, cid), **WORDS) == made
    assert propose(campaign, RANDOM, other, drawn=[(bo, dan)]) == drawn
    assert Pairing.objects.count() == 2


def test_characters_that_are_paired_already_are_not_paired_again(campaign, party, pairing):
    assert len(propose(campaign, RING)) == 4
    with pytest.raises(Refused, match="already paired"):
        propose(campaign, BY_HAND, chosen=(party["cid"].pk, party["bo"].pk))


def test_only_played_characters_with_relationships_are_paired(campaign, party):
    seats.bring(campaign.pk, person(), first_level(person(), name="Prepared").pk)
    assert [str(one) for one in pairings.to_pair(campaign)] == [name.title() for name in NAMES]
    decide(campaign)
    assert pairings.to_pair(campaign) == []
    with pytest.raises(Http404):
        propose(campaign, BY_HAND, chosen=(party["bo"].pk, party["cid"].pk))


def test_a_relationship_is_on_both_sheets_only_when_both_agree(campaign, party, pairing):
    assert not agree(pairing, party["bo"], "bo")
    assert not Relationship.objects.exists()
    assert agree(pairing, party["cid"], "cid")
    bo, cid = (party[name].relationships.get() for name in ("bo", "cid"))
    assert (bo.other, bo.linked_id, bo.agreed) == ("Cid", party["cid"].pk, True)
    assert (cid.other, cid.linked_id, cid.agreed) == ("Bo", party["bo"].pk, True)
    assert {one.text for one in (bo, cid)} == {WORDS["text"]}
    assert {one.based_on for one in (bo, cid)} == {"bond"}
    changes = Change.objects.filter(verb="add_relationship")
    assert {one.actor for one in changes} == {person("cid").user}
    assert PartyAct.objects.get().sentence == "Relationship: Bo and Cid."


def test_agreeing_twice_is_agreeing_once(party, pairing):
    agree(pairing, party["bo"], "bo")
    assert not agree(pairing, party["bo"], "bo")
    assert Agreement.objects.count() == 1
    assert agree(pairing, party["cid"], "cid")
    assert agree(pairing, party["cid"], "cid")
    assert Relationship.objects.count() == 2
    with pytest.raises(Refused):
        agree(pairing, party["cid"], "cid", text="Other words.")


def test_changed_words_ask_both_players_again(party, pairing):
    agree(pairing, party["bo"], "bo")
    assert not agree(pairing, party["cid"], "cid", text="I owe you a boat.")
    assert not Relationship.objects.exists()
    assert agree(pairing, party["bo"], "bo", text="I owe you a boat.")
    assert {one.text for one in Relationship.objects.all()} == {"I owe you a boat."}


def test_a_player_with_no_relationship_reads_who_proposes_one(campaign, party):
    shown = signed_in("bo").get(where(campaign)).content.decode()
    assert "A storyteller pairs the characters" in shown


def test_a_declined_pairing_is_shown_as_declined_and_stores_no_relationship(campaign, party, pairing):
    agree(pairing, party["bo"], "bo")
    for _ in range(2):
        agreements.decline(Pairing, campaign.pk, person("cid"), pairing.pk, party["cid"].pk)
    with pytest.raises(Refused):
        agree(pairing, party["cid"], "cid")
    assert not Relationship.objects.exists()
    for who in ("ana", "bo"):
        assert "Declined by Cid." in signed_in(who).get(where(campaign)).content.decode()
    assert propose(campaign, BY_HAND, chosen=(party["bo"].pk, party["cid"].pk))  # they can be paired again


def test_the_first_no_counts_and_nothing_is_left_to_withdraw(campaign, party, pairing):
    for name in ("bo", "cid"):
        agreements.decline(Pairing, campaign.pk, person(name), pairing.pk, party[name].pk)
    with pytest.raises(Refused, match="already been answered"):
        agreements.withdraw(Pairing, campaign.pk, person(), pairing.pk)
    found = Pairing.objects.get()
    assert (found.declined_by.name, found.withdrawn_at) == ("Bo", None)


def test_a_pair_waits_for_no_character_in_the_bin(campaign, party, pairing):
    agree(pairing, party["bo"], "bo")
    verbs.throw_away(party["bo"].pk, person("bo"), new_key())
    with pytest.raises(Refused, match="no longer sits"):
        agree(pairing, party["cid"], "cid")
    assert "Bo" not in {str(one) for one in pairings.to_pair(campaign)}


def test_a_relationship_on_the_sheets_is_neither_declined_nor_withdrawn(campaign, party, pairing):
    both_agree(pairing, party)
    with pytest.raises(Refused):
        agreements.decline(Pairing, campaign.pk, person("bo"), pairing.pk, party["bo"].pk)
    with pytest.raises(Refused):
        agreements.withdraw(Pairing, campaign.pk, person(), pairing.pk)


def test_a_withdrawn_pairing_is_gone_and_cannot_be_answered(campaign, party, pairing):
    for _ in range(2):
        agreements.withdraw(Pairing, campaign.pk, person(), pairing.pk)
    with pytest.raises(Refused):
        agree(pairing, party["bo"], "bo")
    with pytest.raises(Refused):
        agreements.decline(Pairing, campaign.pk, person("bo"), pairing.pk, party["bo"].pk)
    assert "Bo and Cid" not in signed_in("bo").get(where(campaign)).content.decode()


def test_one_undo_takes_a_relationship_off_both_sheets_and_another_brings_it_back(campaign, party, pairing):
    both_agree(pairing, party)
    back = party_acts.undo(campaign.pk, person(), new_key(), PartyAct.objects.get().pk)
    assert not Relationship.objects.exists()
    assert "on neither sheet" in signed_in("bo").get(where(campaign)).content.decode()
    assert pairings.draw(campaign.pk, person(), BY_HAND, chosen=(party["bo"].pk, party["cid"].pk))
    party_acts.undo(campaign.pk, person(), new_key(), back.pk)
    assert Relationship.objects.count() == 2
    assert "On both sheets" in signed_in("bo").get(where(campaign)).content.decode()
    with pytest.raises(Refused, match="already paired"):
        propose(campaign, BY_HAND, chosen=(party["bo"].pk, party["cid"].pk))


def test_a_sheet_without_room_keeps_the_relationship_off_both(monkeypatch, party, pairing):
    monkeypatch.setitem(story.MOST, "relationship", 0)
    agree(pairing, party["bo"], "bo")
    with pytest.raises(RefusedForSome):
        agree(pairing, party["cid"], "cid")
    assert not Relationship.objects.exists()
    assert Agreement.objects.count() == 1
    assert not PartyAct.objects.exists()


def test_a_removed_player_cannot_answer_and_the_other_cannot_agree(campaign, party, pairing):
    agree(pairing, party["bo"], "bo")
    membership.remove(campaign.pk, person(), campaign.members.get(name="Bo").pk)
    with pytest.raises(Http404):
        agree(pairing, party["bo"], "bo")
    with pytest.raises(Refused, match="no longer sits"):
        agree(pairing, party["cid"], "cid")
    assert not Relationship.objects.exists()
    assert "no longer plays here" in signed_in("cid").get(where(campaign)).content.decode()


@pytest.mark.parametrize("who", ["ana", "cid", "dan", "stranger"])
def test_only_the_player_answers_for_a_character(party, pairing, who):
    with pytest.raises(Http404):
        agree(pairing, party["bo"], who)
    with pytest.raises(Http404):
        agreements.decline(Pairing, pairing.campaign_id, person(who), pairing.pk, party["bo"].pk)
    assert not Agreement.objects.exists()


def test_only_storytellers_propose_and_withdraw_pairings(campaign, party, pairing):
    for who in ("bo", "stranger"):
        with pytest.raises(Http404):
            propose(campaign, RING, who=person(who))
        with pytest.raises(Http404):
            agreements.withdraw(Pairing, campaign.pk, person(who), pairing.pk)


def test_a_player_sees_only_pairings_of_their_own_characters(campaign, party, pairing):
    seen = {who: "Bo and Cid" in signed_in(who).get(where(campaign)).content.decode() for who in ("ana", *NAMES)}
    assert seen == {"ana": True, "bo": True, "cid": True, "dan": False, "eve": False, "fay": False}


def test_ids_of_another_campaign_are_not_found(campaign, party, pairing):
    other = saltmarsh("zoe")
    strange = first_level(person("zoe"), name="Zoe")
    for chosen in ((party["bo"].pk, strange.pk), (party["bo"].pk, 2**70)):
        with pytest.raises(Http404):
            propose(campaign, BY_HAND, chosen=chosen)
    with pytest.raises(Http404):
        agreements.withdraw(Pairing, other.pk, person("zoe"), pairing.pk)
    with pytest.raises(Http404):
        agreements.withdraw(Pairing, campaign.pk, person(), 2**70)
    zoe = signed_in("zoe")
    assert zoe.post(where(other, f"{pairing.pk}/{party['bo'].pk}/agree/"), WORDS).status_code == 404
    assert zoe.get(where(campaign)).status_code == 404


BAD = [
    ("way", {"way": ""}),
    ("way", {"way": "x"}),
    ("first", {"way": BY_HAND, "first": ""}),
    ("first", {"way": BY_HAND, "first": "999999"}),  # like a character that has left since the page was drawn
    ("second", {"way": BY_HAND, "second": "x"}),
    ("second", {"way": BY_HAND, "second": "first"}),
    ("based_on", {"based_on": "x"}),
    ("text", {"text": "x" * 301}),
    ("text", {"text": "x\x00"}),
]


@pytest.mark.parametrize(("field", "wrong"), BAD)
def test_bad_pairs_are_refused_at_their_field(campaign, party, field, wrong):
    bo, cid = party["bo"].pk, party["cid"].pk
    sent = {"key": new_key(), "way": RING, "first": bo, "second": cid} | wrong
    sent = {name: bo if value == "first" else value for name, value in sent.items()}
    answer = signed_in("ana").post(where(campaign), sent)
    assert answer.status_code == 422
    assert f"id_{field}_error" in answer.content.decode()
    if field in ("first", "second") and wrong[field] in ("999999", "x"):
        assert "Choose someone at this table." in html_of(answer)
    assert not Pairing.objects.exists()


@pytest.mark.parametrize(
    ("field", "wrong"), [("text", ""), ("text", "x" * 301), ("text", "x\x00"), ("based_on", ""), ("based_on", "x")]
)
def test_bad_words_are_refused_at_their_field(campaign, party, pairing, field, wrong):
    path = f"{pairing.pk}/{party['bo'].pk}/agree/"
    answer = signed_in("bo").post(where(campaign, path), WORDS | {field: wrong})
    assert answer.status_code == 422
    assert f"id_{pairing.pk}_{party['bo'].pk}_{field}_error" in answer.content.decode()
    assert not Agreement.objects.exists()


def test_pairing_and_agreeing_work_without_script(campaign, party):
    ana, bo, cid = (signed_in(who) for who in ("ana", "bo", "cid"))
    sent = {"key": new_key(), "way": BY_HAND, "first": party["bo"].pk, "second": party["cid"].pk}
    assert ana.post(where(campaign), sent).status_code == 303
    pairing = Pairing.objects.get()
    table = bo.get(campaign.get_absolute_url()).content.decode()
    assert 'class="visually-hidden">to answer</span>' in table
    for client, name in ((bo, "bo"), (cid, "cid")):
        path = f"{pairing.pk}/{party[name].pk}/agree/"
        assert client.post(where(campaign, path), WORDS).status_code == 303
    assert Relationship.objects.count() == 2
    assert "to answer" not in bo.get(campaign.get_absolute_url()).content.decode()
    assert "Undo for both" in ana.get(where(campaign)).content.decode()
    assert "Undo for both" not in bo.get(where(campaign)).content.decode()


def test_words_that_nobody_has_read_are_not_replaced(campaign, party, pairing):
    bo, cid = (signed_in(who) for who in ("bo", "cid"))
    path = where(campaign, f"{pairing.pk}/{party['cid'].pk}/agree/")
    saw = re.search(r'name="saw" value="(\w+)"', html_of(cid.get(where(campaign))))[1]
    bo.post(where(campaign, f"{pairing.pk}/{party['bo'].pk}/agree/"), WORDS | {"saw": saw})
    refused = cid.post(path, {"based_on": "flaw", "text": "Rivals.", "saw": saw})
    assert refused.status_code == 409
    text = html_of(refused)
    assert WORDS["text"] in text
    assert "Rivals." in text
    assert Pairing.objects.get().text == WORDS["text"]
    saw = re.search(r'name="saw" value="(\w+)"', text)[1]
    assert cid.post(path, {"based_on": "flaw", "text": "Rivals.", "saw": saw}).status_code == 303
    assert Pairing.objects.get().text == "Rivals."


def test_the_table_links_to_relationships_only_with_the_house_rule(campaign, party):
    assert where(campaign) in signed_in("bo").get(campaign.get_absolute_url()).content.decode()
    decide(campaign)
    assert where(campaign) not in signed_in("bo").get(campaign.get_absolute_url()).content.decode()


def test_a_game_without_relationships_has_no_such_page(monkeypatch, campaign):
    client = signed_in("ana")
    assert client.get(where(campaign)).status_code == 200
    monkeypatch.setitem(GAMES["polyhedral"].__dict__, "ring", None)
    assert client.get(where(campaign)).status_code == 404


def test_many_pairings_take_as_many_queries_as_one(campaign, party, pairing, django_assert_max_num_queries):
    client = signed_in("ana")
    client.get(where(campaign))
    with django_assert_max_num_queries(100) as one:
        client.get(where(campaign))
    propose(campaign, RING)
    with django_assert_max_num_queries(len(one)):
        client.get(where(campaign))


@pytest.mark.parametrize(
    "wrong",
    [{"second": "first"}, {"based_on": "x"}, {"text": "x" * 301}, {"key": "short"}],
    ids=["itself", "base", "text", "key"],
)
def test_the_database_refuses_a_bad_pairing(campaign, party, wrong):
    bo, cid = party["bo"], party["cid"]
    columns = {"campaign": campaign, "first": bo, "second": cid, "key": new_key()} | wrong
    columns["second"] = bo if columns["second"] == "first" else cid
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():  # PostgreSQL: too long
        Pairing.objects.create(**columns)
    Pairing.objects.create(campaign=campaign, first=bo, second=cid, key=new_key())


# The preview before a proposal


def page_of(campaign, name="ana", method="post", **sent):
    client = browser_of(name)
    path = f"{campaign.get_absolute_url()}relationships/"
    return client.get(path, headers=sent) if method == "get" else client.post(path, {"key": new_key(), **sent})


def names(pairs):
    return [(str(one), str(other)) for one, other in pairs]


@pytest.mark.parametrize("way", [RING, RANDOM])
def test_the_previewed_pairs_are_the_ones_proposed(campaign, party, way):
    pairs, left = pairings.draw(campaign.pk, person(), way)
    assert not Pairing.objects.exists()
    drawn = [(one.pk, other.pk) for one, other in pairs]
    made, out = pairings.propose(campaign.pk, person(), new_key(), way, drawn=drawn)
    assert [(one.first, one.second) for one in made] == pairs
    assert out == left


def test_the_page_shows_the_draw_and_its_form_carries_it(campaign, party):
    page = page_of(campaign, way=RANDOM, look="yes", **WORDS)
    assert page.status_code == 200
    pairs, text = page.context["looked"], page.content.decode()
    assert (len(pairs), len(page.context["left"])) == (2, 1)
    assert all(f"{one} and {other}" in text for one, other in pairs)
    assert WORDS["text"] in text
    assert not Pairing.objects.exists()
    sent = {"way": RANDOM, "drawn": page.context["drawn"], **WORDS}
    assert page_of(campaign, **sent).status_code == 303
    assert names((one.first, one.second) for one in Pairing.objects.all()) == names(pairs)


def test_a_pair_chosen_by_hand_is_previewed(campaign, party):
    page = page_of(campaign, way=BY_HAND, first=party["bo"].pk, second=party["cid"].pk, look="yes")
    assert "Bo and Cid" in page.content.decode()


@pytest.mark.parametrize("drawn", ["x", "1", "1-2-3", "1-2,3-4", "-1-2", "9" * 19 + "-1", "٣-٤", "1-2 " * 2000])
def test_a_draw_that_cannot_be_read_is_refused(campaign, party, drawn):
    page = page_of(campaign, way=RANDOM, drawn=drawn)
    assert page.status_code == 422
    assert pairings.LOOK_AGAIN in page.content.decode()
    assert not Pairing.objects.exists()


def test_a_draw_with_a_stranger_a_character_twice_or_a_pair_twice_is_refused(campaign, party):
    bo, cid, stranger = party["bo"].pk, party["cid"].pk, first_level(person("zoe")).pk
    for drawn in ([(bo, stranger)], [(bo, bo)], [(bo, cid), (cid, bo)], [(bo, 999_999)]):
        with pytest.raises(Refused, match="Show the pairs again"):
            pairings.propose(campaign.pk, person(), new_key(), RANDOM, drawn=drawn)
    assert not Pairing.objects.exists()


def test_a_draw_is_refused_once_two_of_its_characters_are_paired(campaign, party, pairing):
    bo, cid, dan, eve = (party[name].pk for name in ("bo", "cid", "dan", "eve"))
    with pytest.raises(Refused, match="Show the pairs again"):
        pairings.propose(campaign.pk, person(), new_key(), RANDOM, drawn=[(cid, bo), (dan, eve)])
    assert Pairing.objects.count() == 1


def test_players_and_strangers_draw_nothing(campaign, party):
    for name in ("bo", "zoe"):
        with pytest.raises(Http404):
            pairings.draw(campaign.pk, person(name), RING)
        assert page_of(campaign, name, way=RING, look="yes").status_code == 404


def test_a_following_page_gets_only_the_pairs(campaign, party, pairing):
    for name, found in (("bo", True), ("ana", True), ("dan", False)):
        part = page_of(campaign, name, "get", **{"HX-Request": "true"}).content.decode()
        assert part.strip().startswith(f'<div id="live" data-follows="campaign {campaign.pk}')
        assert ("Bo and Cid" in part) == found
        assert "Propose relationships" not in part


def test_an_agreement_ends_when_its_character_leaves_the_table(campaign, pairing, party):
    agree(pairing, party["bo"], "bo")
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    assert not pairing.agreements.exists()


def test_agreements_to_a_relationship_on_the_sheets_stay_when_a_character_leaves_the_table(campaign, pairing, party):
    agree(pairing, party["bo"], "bo")
    agree(pairing, party["cid"], "cid")
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    assert pairing.agreements.count() == 2


def test_the_last_agreement_is_refused_once_relationships_are_turned_off(campaign, pairing, party):
    agree(pairing, party["bo"], "bo")
    decide(campaign, relationships="off")
    with pytest.raises(Refused, match="turned off"):
        agree(pairing, party["cid"], "cid")


def test_the_last_agreement_is_refused_at_a_table_that_nobody_leads(campaign, pairing, party):
    agree(pairing, party["bo"], "bo")
    person().user.delete()
    with pytest.raises(Refused, match="Nobody leads this campaign"):
        agree(pairing, party["cid"], "cid")
