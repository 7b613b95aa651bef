"""Shared purchases at a table: previewed, agreed to by every player, made once, and undone for all at once (R67)."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from campaigns.models import PartyAct, Purchase, Share
from campaigns.verbs import agreements, campaigns, membership, party_acts, purchases, seats
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.models import Change
from tests.campaigns.buying import BUYERS, RARE, agree, buy, has, poorer, propose
from tests.campaigns.seated import party_of, saltmarsh, sits
from tests.characters.cast import browser_of, facts, first_level, new_key, person, refuses
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
COMMON, VERY_RARE = "gear:torch", "weapon:rifle-bolt-action"


@pytest.fixture(scope="module")
def together(shared):
    return shared(lambda: (made := saltmarsh(**dict.fromkeys(BUYERS, "player")), party_of(made, *BUYERS)))


def browser(name="bo"):
    return browser_of(name)


def where(campaign, rest=""):
    return f"/campaigns/{campaign.pk}/purchases/{rest}"


def test_a_purchase_is_made_once_every_player_has_agreed(campaign, party):
    before = has(party["bo"])
    made = propose(campaign, party, to=("cid", "dan"))
    assert not agree(made, party, "cid")
    assert has(party["bo"]) == before
    assert agree(made, party, "dan")
    assert has(party["bo"]) == before + 1
    assert agree(made, party, "dan")  # agreeing again changes nothing
    assert has(party["bo"]) == before + 1
    act = PartyAct.objects.get()
    assert set(act.characters.all()) == set(party.values())
    for name in BUYERS:
        (line,) = Change.objects.filter(character=party[name], key=act.key)
        assert (line.verb, line.actor) == ("purchase_together", person("dan").user)
        assert "Together: Resources 6, Comfortable." in line.sentence


def test_a_shared_purchase_costs_nobody_a_rank(campaign, party):
    before = {name: {a: v for a, v in facts(party[name]).items() if a.startswith("spent:")} for name in BUYERS}
    agree(propose(campaign, party), party, "cid")
    assert {name: {a: v for a, v in facts(party[name]).items() if a.startswith("spent:")} for name in BUYERS} == before


def test_a_character_of_another_lifestyle_is_refused_and_named(campaign, party):
    poorer(party["dan"], "dan")
    with pytest.raises(RefusedForSome) as refused:
        propose(campaign, party, to=("cid", "dan"))
    assert set(refused.value.refusals) == {party["dan"].pk}
    assert not Purchase.objects.exists()


def test_open_purchases_have_a_limit(campaign, party, monkeypatch):
    monkeypatch.setattr(purchases, "MOST_OPEN", 1)
    propose(campaign, party)
    with pytest.raises(Refused, match="that is the limit"):
        propose(campaign, party)
    assert Purchase.objects.count() == 1


def test_a_thing_beyond_their_means_is_refused(campaign, party):
    for asks in (propose, buy):
        with refuses("ref"):
            asks(campaign, party, ref=VERY_RARE)
    with refuses("ref"):
        propose(campaign, party, ref="gear:no-such-thing")
    assert not Purchase.objects.exists()


def test_a_purchase_needs_another_character_at_the_table(campaign, party):
    with refuses("to"):
        propose(campaign, party, to=())
    with refuses("to"):
        propose(campaign, party, to=("bo",))
    stranger = first_level(person("eve"))
    for number in (stranger.pk, 2**62):
        with pytest.raises(Http404):
            purchases.propose(campaign.pk, person("bo"), new_key(), party["bo"].pk, [number], ref=RARE, quantity=1)


def test_a_player_proposes_only_with_a_character_of_their_own(campaign, party):
    with refuses("to"):
        propose(campaign, party, who="dan")
    sits(campaign, person("fay"), role="spectator", name="Fay")
    with refuses("to"):
        propose(campaign, party, who="fay")


def test_a_sheet_that_changed_since_is_worked_out_again(campaign, party):
    made = propose(campaign, party)
    poorer(party["bo"], "bo")
    with pytest.raises(RefusedForSome) as refused:
        agree(made, party, "cid")
    assert set(refused.value.refusals) == {party["cid"].pk}
    assert not Share.objects.get(character=party["cid"]).agreed
    assert "Not possible right now: Cid:" in html_of(browser().get(where(campaign)))
    poorer(party["cid"], "cid")
    with refuses("ref"):  # 2 and 2 are 3: Modest
        agree(made, party, "cid")
    assert not PartyAct.objects.exists()


def test_more_waiting_purchases_take_no_more_queries(campaign, party):
    page = browser()

    def asked():
        page.get(where(campaign))
        with CaptureQueriesContext(connection) as queries:
            page.get(where(campaign))
        return len(queries)

    propose(campaign, party)
    before = asked()
    propose(campaign, party, quantity=2)
    propose(campaign, party, who="dan", buyer="dan", to=("cid",))
    assert asked() == before


def test_declined_and_withdrawn_purchases_cannot_be_agreed_to(campaign, party):
    made = propose(campaign, party)
    with pytest.raises(Http404):
        agreements.decline(Purchase, campaign.pk, person("dan"), made.pk, party["cid"].pk)
    agreements.decline(Purchase, campaign.pk, person("cid"), made.pk, party["cid"].pk)
    with pytest.raises(Refused):
        agree(made, party, "cid")
    other = propose(campaign, party)
    with pytest.raises(Http404):
        agreements.withdraw(Purchase, campaign.pk, person("cid"), other.pk)
    agreements.withdraw(Purchase, campaign.pk, person("bo"), other.pk)
    agreements.withdraw(Purchase, campaign.pk, person(), other.pk)
    with pytest.raises(Refused):
        agree(other, party, "cid")
    assert not PartyAct.objects.exists()


def test_nobody_agrees_for_another(campaign, party):
    made = propose(campaign, party)
    for who in ("bo", "dan", "ana"):
        with pytest.raises(Http404):
            purchases.agree(campaign.pk, person(who), made.pk, party["cid"].pk)
    with pytest.raises(Http404):
        purchases.agree(saltmarsh("eve").pk, person("eve"), made.pk, party["cid"].pk)


def test_a_purchase_with_a_player_who_has_left_is_refused(campaign, party):
    made = propose(campaign, party, to=("cid", "dan"))
    membership.remove(campaign.pk, person(), campaign.members.get(user=person("dan").user).pk)
    with pytest.raises(Refused):
        agree(made, party, "cid")


def test_a_yes_ends_when_its_character_leaves_the_table_unless_it_is_bought(campaign, party):
    bought, made = propose(campaign, party), propose(campaign, party)
    agree(bought, party, "cid")
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    seats.bring(campaign.pk, person("bo"), party["bo"].pk)
    assert not agree(made, party, "cid")
    assert agree(made, party, "bo")
    assert bought.shares.exclude(agreed=None).count() == 2


def test_a_yes_stays_when_another_character_leaves_the_table(campaign, party):
    made = propose(campaign, party, to=("cid", "dan"))
    agree(made, party, "cid")
    seats.stand_up(campaign.pk, person("cid"), party["cid"].seat.pk)
    assert [one.character for one in made.shares.exclude(agreed=None)] == [party["bo"]]


def test_a_yes_ends_when_its_character_is_brought_from_a_table_in_the_bin(campaign, party):
    made, elsewhere = propose(campaign, party), saltmarsh(bo="player")
    campaigns.throw_away(campaign.pk, person())
    seats.bring(elsewhere.pk, person("bo"), party["bo"].pk)
    assert not made.shares.exclude(agreed=None).exists()


def test_the_storyteller_buys_at_once_and_one_undo_undoes_it_for_all(campaign, party):
    before = has(party["bo"])
    act = buy(campaign, party)
    assert has(party["bo"]) == before + 1
    assert not Purchase.objects.exists()
    undone = party_acts.undo(campaign.pk, person(), new_key(), act.pk)
    assert has(party["bo"]) == before
    assert undone.characters.count() == 2
    assert not Change.objects.filter(key=act.key, inverted_by=None).exists()
    assert "Undone" in html_of(browser("ana").get(campaign.get_absolute_url()))


def test_a_storyteller_who_has_bought_finds_the_undo_for_all(campaign, party):
    ana = browser("ana")
    sent = {"buyer": party["bo"].pk, "to": [party["cid"].pk], "ref": RARE, "quantity": 1, "key": new_key()}
    answer = ana.post(where(campaign), sent)
    assert answer["Location"] == f"{campaign.get_absolute_url()}#acts"
    table = html_of(ana.get(answer["Location"]))
    assert '<h2 id="acts">Recently</h2>' in table
    assert "Undo for all" in table
    assert f'href="{answer["Location"]}">Recently</a>' in html_of(ana.get(where(campaign)))


def undo(purchase, who, key=None):
    return purchases.undo(purchase.campaign_id, person(who), key or new_key(), purchase.pk)


@pytest.mark.parametrize("who", ["bo", "cid", "ana"])
def test_those_who_agreed_and_the_storyteller_can_undo_a_purchase_for_all(campaign, party, who):
    made, key = propose(campaign, party), new_key()
    with pytest.raises(Http404):
        undo(made, who)  # it is not bought yet
    agree(made, party, "cid")
    undone = undo(made, who, key)
    assert undo(made, who, key) == undone
    assert (has(party["bo"]), undone.by.user, undone.characters.count()) == (0, person(who).user, 2)
    assert {one.actor for one in Change.objects.filter(key=key)} == {person(who).user}
    with pytest.raises(Refused, match="undone already"):
        undo(made, "cid")


def test_those_who_did_not_agree_or_no_longer_play_cannot_undo_a_purchase(campaign, party):
    made = propose(campaign, party)
    agree(made, party, "cid")
    for who in ("dan", "eve"):
        with pytest.raises(Http404):
            undo(made, who)
    other = saltmarsh("eve")
    with pytest.raises(Http404):
        purchases.undo(other.pk, person("eve"), new_key(), made.pk)
    seats.stand_up(campaign.pk, person("cid"), party["cid"].seat.pk)
    with pytest.raises(Http404):
        undo(made, "cid")
    assert has(party["bo"]) == 1


def test_undoing_a_purchase_that_changed_since_is_refused_on_the_page(campaign, party):
    made = propose(campaign, party)
    agree(made, party, "cid")
    (item,) = party["bo"].items.filter(element__slug=RARE.partition(":")[2])
    play.set_quantity(party["bo"].pk, person("bo"), new_key(), item=item.pk, quantity=3)
    answer = browser("cid").post(where(campaign, f"{made.pk}/undo/"), {"key": new_key()})
    assert (answer.status_code, has(party["bo"])) == (422, 3)
    assert "Nothing was done. “Bo buys" in html_of(answer)


def test_the_page_offers_undo_to_those_who_agreed(campaign, party):
    made = propose(campaign, party)
    agree(made, party, "cid")
    offered = {name: "Undo for all" in html_of(browser(name).get(where(campaign))) for name in ("ana", *BUYERS)}
    assert offered == {"ana": True, "bo": True, "cid": True, "dan": False}
    answer = browser("cid").post(where(campaign, f"{made.pk}/undo/"), {"key": new_key()})
    assert (answer.status_code, has(party["bo"])) == (303, 0)
    assert "Undo for all" not in html_of(browser("cid").get(where(campaign)))


def test_only_storytellers_buy_for_others(campaign, party):
    with pytest.raises(Http404):
        buy(campaign, party, who="bo")


def test_the_same_key_is_the_same_purchase(campaign, party):
    key = new_key()
    assert propose(campaign, party, key=key) == propose(campaign, party, key=key)
    with pytest.raises(KeyReused):
        propose(campaign, party, key=key, quantity=2)
    key = new_key()
    assert buy(campaign, party, key=key) == buy(campaign, party, key=key)
    with pytest.raises(KeyReused):
        buy(campaign, party, key=key, ref=COMMON)
    used = new_key()
    play.add_note(party["bo"].pk, person("bo"), used, text="Ebb")
    with pytest.raises(KeyReused):
        buy(campaign, party, key=used)
    assert has(party["bo"]) == 1


def test_the_key_of_a_proposal_with_somebody_else_is_refused(campaign, party):
    key = new_key()
    propose(campaign, party, key=key)
    for other in ({"to": ("dan",)}, {"to": ("cid", "dan")}, {"ref": COMMON}):
        with pytest.raises(KeyReused):
            propose(campaign, party, key=key, **other)


def test_players_do_not_buy_with_a_character_that_nobody_plays(campaign, party):
    waiting = first_level(name="Waiting")
    seats.bring(campaign.pk, person(), waiting.pk)
    with pytest.raises(RefusedForSome) as refused:
        propose(campaign, {**party, "waiting": waiting}, to=("cid", "waiting"))
    assert set(refused.value.refusals) == {waiting.pk}
    assert not Purchase.objects.exists()


def test_only_purchases_that_wait_count_toward_the_limit(campaign, party, monkeypatch):
    monkeypatch.setattr(purchases, "MOST_OPEN", 1)
    agree(propose(campaign, party), party, "cid")
    agreements.decline(Purchase, campaign.pk, person("cid"), propose(campaign, party).pk, party["cid"].pk)
    with pytest.raises(Refused, match="already been answered"):
        agreements.withdraw(Purchase, campaign.pk, person("bo"), Purchase.objects.latest("pk").pk)
    agreements.withdraw(Purchase, campaign.pk, person("bo"), propose(campaign, party).pk)
    assert propose(campaign, party)


def test_whoever_plays_a_character_later_does_not_undo_what_its_former_player_agreed_to(campaign, party):
    prepared = first_level(name="Waiting")
    seat = seats.bring(campaign.pk, person(), prepared.pk)
    seats.take(campaign.pk, person("cid"), seat.pk)
    both = {"bo": party["bo"], "cid": prepared}
    made = propose(campaign, both)
    agree(made, both, "cid")
    seats.stand_up(campaign.pk, person("cid"), seat.pk)
    seats.take(campaign.pk, person("dan"), seat.pk)
    with pytest.raises(Http404):
        undo(made, "dan")
    assert has(party["bo"]) == 1


def test_a_player_of_both_characters_buys_at_once(campaign, party):
    second = first_level(person("bo"), name="Second")
    seats.bring(campaign.pk, person("bo"), second.pk)
    propose(campaign, {**party, "second": second}, to=("second",))
    assert has(party["bo"]) == 1


def test_without_script_a_purchase_is_previewed_proposed_and_agreed_to(campaign, party):
    asked = {"buyer": party["bo"].pk, "to": [party["cid"].pk], "ref": "", "quantity": 1}
    ahead = browser().get(where(campaign), asked)
    assert ahead.context["reach"].words == "5, Comfortable"
    assert ahead.context["ahead"] is None
    ahead = browser().get(where(campaign), {**asked, "ref": RARE})
    assert "Bo buys Half plate together with others." in html_of(ahead)
    assert not Purchase.objects.exists()
    assert browser().post(where(campaign), {**asked, "ref": RARE, "key": new_key()}).status_code == 303
    made = Purchase.objects.get()
    table = html_of(browser("cid").get(campaign.get_absolute_url()))
    assert 'class="visually-hidden">to answer</span>' in table
    assert "to answer" not in html_of(browser("dan").get(campaign.get_absolute_url()))
    answer = browser("cid").post(where(campaign, f"{made.pk}/{party['cid'].pk}/agree/"), {"key": new_key()})
    assert answer.status_code == 303
    assert has(party["bo"]) == 1
    assert "to answer" not in html_of(browser("cid").get(campaign.get_absolute_url()))
    assert "Undo for all" in html_of(browser("ana").get(where(campaign)))
    log = html_of(browser("cid").get(f"{campaign.get_absolute_url()}log/"))
    assert "Cid joins a purchase." in log


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"buyer": ""}, "buyer"),
        ({"buyer": "x"}, "buyer"),
        ({"buyer": "9" * 30}, "buyer"),
        ({"to": []}, "to"),
        ({"to": ["9" * 30]}, "to"),
        ({"ref": "armor:nothing"}, "ref"),
        ({"ref": ""}, "ref"),
        ({"ref": VERY_RARE}, "ref"),
        ({"quantity": "0"}, "quantity"),
        ({"quantity": "many"}, "quantity"),
        ({"quantity": "1001"}, "quantity"),
    ],
)
def test_a_bad_form_is_refused_at_its_field_and_stores_nothing(campaign, party, wrong, field):
    sent = {"buyer": party["bo"].pk, "to": [party["cid"].pk], "ref": RARE, "quantity": 1, "key": new_key(), **wrong}
    answer = browser().post(where(campaign), sent)
    assert answer.status_code == 422
    assert answer.context["form"][field].errors
    assert not Purchase.objects.exists()


def test_refusals_are_named_on_the_page(campaign, party):
    poorer(party["cid"], "cid")
    asked = {"buyer": party["bo"].pk, "to": [party["cid"].pk], "ref": RARE, "quantity": 1}
    answer = browser().get(where(campaign), asked)
    assert answer.status_code == 422
    assert "Cid: Only characters of the same lifestyle" in html_of(answer)


def test_a_characters_own_page_links_to_shared_purchases(campaign, party):
    base = party["bo"].get_absolute_url()
    assert f"{base}pool/table/" in html_of(browser().get(f"{base}pool/"))
    answer = browser().get(f"{base}pool/table/")
    assert answer["Location"] == f"{where(campaign)}?buyer={party['bo'].pk}"
    assert browser().get(answer["Location"]).context["form"].initial["buyer"] == party["bo"].pk
    assert browser("cid").get(f"{base}pool/table/").status_code == 404
    alone = first_level(person("bo"))
    assert "pool/table/" not in html_of(browser().get(f"{alone.get_absolute_url()}pool/"))
    assert f"{base}pool/table/" in html_of(browser().get(f"{base}build/equipment/"))
    assert "pool/table/" not in html_of(browser().get(f"{alone.get_absolute_url()}build/equipment/"))


def test_a_spectator_cannot_propose_a_purchase(campaign, party):
    sits(campaign, person("fay"), role="spectator", name="Fay")
    assert "A new purchase" not in html_of(browser("fay").get(where(campaign)))
    sent = {"buyer": party["bo"].pk, "to": [party["cid"].pk], "ref": RARE, "quantity": 1, "key": new_key()}
    assert browser("fay").post(where(campaign), sent).status_code == 422
    assert not Purchase.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [{"quantity": 0}, {"quantity": 1001}, {"key": "short"}, {"ref": "x" * 121}],
)
def test_the_database_refuses_a_bad_purchase(campaign, party, wrong):
    columns = {"campaign": campaign, "buyer": party["bo"], "ref": RARE, "quantity": 1, "key": new_key(), **wrong}
    with pytest.raises(Exception, match="constraint|too long|CHECK"), transaction.atomic():
        Purchase.objects.create(**columns)


def test_the_database_holds_one_share_per_character_and_one_purchase_per_key(campaign, party):
    made = propose(campaign, party)
    with pytest.raises(IntegrityError), transaction.atomic():
        Share.objects.create(purchase=made, character=party["bo"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Purchase.objects.create(campaign=campaign, buyer=party["bo"], ref=RARE, quantity=1, key=made.key)


def test_a_character_that_nobody_plays_is_not_offered_to_players(client, campaign, party):
    seats.bring(campaign.pk, person(), first_level(name="Waiting").pk)
    client.force_login(person("bo").user)
    assert "Waiting" not in html_of(client.get(where(campaign)))


def test_a_bad_preview_puts_the_focus_on_one_field(client, campaign, party):
    client.force_login(person().user)
    answer = client.get(f"{campaign.get_absolute_url()}purchases/", {"buyer": "", "quantity": "1"})
    assert answer.status_code == 422
    assert html_of(answer).count("autofocus") == 1
    assert client.get(f"{campaign.get_absolute_url()}purchases/").status_code == 200
