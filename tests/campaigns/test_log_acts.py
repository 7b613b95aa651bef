"""The changes that one act made to several characters are one row of the log, undone for all at once."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.log_acts import ActRow, by_act
from campaigns.models import PartyAct
from campaigns.party_log import LogEntry, LogFilters, PartyLog
from campaigns.verbs import table_rules
from campaigns.views import log_pages
from characters.actions import proposals
from characters.models import Change
from tests.campaigns.acting import act
from tests.campaigns.seated import brought, party_of, posted, saltmarsh
from tests.characters.cast import new_key, person
from tests.characters.play.table import play
from tests.support.html import without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]
REASON = "The rigging falls"


@pytest.fixture(scope="module")
def together(shared):
    """Ana leads; Bo and Cid play; Eve helps."""

    def made():
        campaign = saltmarsh(bo="player", cid="player", eve="co-storyteller")
        return campaign, party_of(campaign, "bo", "cid")

    return shared(made)


def log_of(campaign, name="ana"):
    return PartyLog(campaign.members.get(user=person(name).user), person(name))


def rows(campaign, name="ana"):
    log = log_of(campaign, name)
    return list(by_act(log, log.newest(LogFilters(), most=50)))


def shown(client, campaign, name="ana", path="log/"):
    client.force_login(person(name).user)
    return without_tokens(client.get(f"{campaign.get_absolute_url()}{path}").content.decode())


def undo(client, campaign, done, name="ana", **fields):
    return posted(client, campaign, name, f"log/acts/{done.pk}/undo/", **fields)


def test_an_act_on_two_characters_is_one_row_with_both_changes_in_it(campaign, party):
    done = act(campaign, party)
    row = rows(campaign)[0]
    assert isinstance(row, ActRow)
    assert (row.act, row.sentence) == (done, done.sentence)
    assert {entry.character.pk for entry in row.entries} == {one.pk for one in party.values()}


@pytest.mark.parametrize("path", ["log/", "log/latest/", ""])
def test_its_row_has_the_reason_once_and_a_button_for_all(client, campaign, party, path):
    done = act(campaign, party, reason=REASON)
    page = shown(client, campaign, path=path).split('id="log-latest"')[-1].split("</section>")[0]
    assert page.count(REASON) == 1
    assert page.count(f"log/acts/{done.pk}/undo/") == 1
    each = int(path == "log/")  # beside the roster there is no room for them
    assert all(page.count(f"log/{one.pk}/undo/") == each for one in party.values())
    assert page.count("Each of the 2") == each


def test_eight_acts_are_shown_beside_the_roster_however_large_the_party(client, campaign, party):
    everyone = {**party, **{name: brought(campaign, "cid") for name in ("third", "fourth")}}
    done = [act(campaign, everyone, sent={"amount": "1"}) for _ in range(9)]
    page = shown(client, campaign, path="log/latest/")
    assert [page.count(f"log/acts/{one.pk}/undo/") for one in done] == [0, *[1] * 8]


def test_its_row_has_the_reason_that_each_change_has_in_its_own_sentence(client, campaign, party):
    act(campaign, party, "add_xp", sent={"amount": "50", "reason": REASON}, reason=REASON)
    assert f"“{REASON}”" in shown(client, campaign, path="log/latest/")


def test_a_page_ends_between_two_acts(client, campaign, party, monkeypatch):
    monkeypatch.setattr(log_pages, "A_PAGE", 3)
    older, newer = act(campaign, party), act(campaign, party)
    page = shown(client, campaign)
    assert [page.count(f"log/acts/{one.pk}/undo/") for one in (older, newer)] == [0, 1]
    next_page = shown(client, campaign, path="log/" + re.search(r"\?before=\d+", page)[0])
    assert [next_page.count(f"log/acts/{one.pk}/undo/") for one in (older, newer)] == [1, 0]
    assert "Each of the 2" in next_page


def test_an_act_longer_than_a_page_is_cut(client, campaign, party, monkeypatch):
    monkeypatch.setattr(log_pages, "A_PAGE", 1)
    act(campaign, party)
    assert 'rel="next"' in shown(client, campaign)


def test_only_neighbors_are_joined_so_that_the_log_stays_in_the_order_of_time(campaign, party):
    act(campaign, party)
    play.take_damage(party["bo"].pk, person("bo"), new_key(), amount=1)
    log = log_of(campaign)
    between, last, first = log.entries(LogFilters(), most=3)
    assert list(by_act(log, [last, between, first])) == [last, between, first]
    assert [type(row) for row in by_act(log, [between, last, first])] == [LogEntry, ActRow]


def test_an_act_on_one_character_is_a_row_like_any_other(campaign, party):
    act(campaign, party, to={party["bo"].pk: ""})
    assert isinstance(rows(campaign)[0], LogEntry)


def test_it_is_undone_for_all_and_done_again(client, campaign, party):
    done = act(campaign, party)
    answer = undo(client, campaign, done, "eve", kind="health")
    assert (answer.status_code, answer["Location"]) == (303, f"{campaign.get_absolute_url()}log/?kind=health")
    undone, before = rows(campaign)[:2]
    assert (undone.stands, before.stands) == (True, False)
    page = shown(client, campaign)
    assert ("Redo for all" in page, "Undo for all" in page) == (True, False)
    undo(client, campaign, undone.act)
    assert rows(campaign)[0].act.inverts == undone.act


def test_once_each_player_has_undone_their_part_nothing_is_left_for_all(client, campaign, party):
    act(campaign, party)
    for name, one in party.items():
        play.undo(one.pk, person(name), new_key(), change=one.changes.latest("pk").sequence)
    assert "for all" not in shown(client, campaign)


def test_an_undone_act_that_one_player_does_again_is_not_undone_for_all_a_second_time(client, campaign, party):
    done, bo = act(campaign, party), party["bo"]
    undo(client, campaign, done)
    play.undo(bo.pk, person("bo"), new_key(), change=bo.changes.latest("pk").sequence)
    row = next(one for one in rows(campaign) if isinstance(one, ActRow) and one.act == done)
    assert (row.stands, row.may_be_undone) == (True, False)


def test_it_is_undone_beside_the_roster(client, campaign, party):
    answer = undo(client, campaign, act(campaign, party), beside="yes")
    assert (answer.status_code, answer["Location"]) == (303, campaign.get_absolute_url())


def test_a_second_undoing_is_refused(client, campaign, party):
    done = act(campaign, party)
    undo(client, campaign, done)
    answer = undo(client, campaign, done)
    assert answer.status_code == 422
    assert "That is undone already." in answer.content.decode()
    assert PartyAct.objects.filter(campaign=campaign).count() == 2


def test_players_cannot_undo_it(client, campaign, party):
    assert undo(client, campaign, act(campaign, party), "bo").status_code == 404
    assert not Change.objects.filter(verb="undo", character__in=list(party.values())).exists()


def test_a_player_of_two_is_not_told_who_else_it_was_for(client, campaign, party):
    second = brought(campaign, "bo", called="Mira")
    assert second.ruleset == party["bo"].ruleset
    act(campaign, {**party, "second": second}, reason=REASON)
    assert [type(row) for row in rows(campaign, "bo")[:2]] == [LogEntry, LogEntry]
    page = shown(client, campaign, "bo")
    assert page.count(REASON) == 2
    assert "Cid" not in page.split('id="live"')[1]


def test_new_rules_of_the_table_are_one_row_without_an_undo_for_all(client, campaign, party):
    table_rules.decide(campaign.pk, person(), new_key(), switches={"trackAmmunition": "off"}, sources=())
    row = rows(campaign)[0]
    assert (row.act, len(row.entries)) == (None, 2)
    page = shown(client, campaign)
    assert "Each of the 2" in page
    assert "for all" not in page


def test_what_each_player_answered_stays_a_row_of_its_own(campaign, party):
    act(campaign, party, proposed=True)
    for name, one in party.items():
        proposals.answer(one.pk, person(name), one.proposals.get().pk, 0, {})
    assert [type(row) for row in rows(campaign)[:2]] == [LogEntry, LogEntry]


def test_an_act_of_another_table_with_the_same_key_is_not_read_here(campaign, party):
    key, zoe, other = new_key(), person("zoe"), saltmarsh("zoe")
    act(other, party_of(other, "zoe"), key=key, who=zoe)
    done = act(campaign, party, key=key)
    assert rows(campaign)[0].act == done


def test_several_acts_are_found_by_one_query(campaign, party):
    log = log_of(campaign)

    def queries():
        found = log.newest(LogFilters(), most=50)
        with CaptureQueriesContext(connection) as captured:
            rows = list(by_act(log, found))
        return len(captured), sum(isinstance(row, ActRow) for row in rows)

    act(campaign, party)
    assert queries() == (1, 1)
    act(campaign, party)
    act(campaign, party)
    assert queries() == (1, 3)
