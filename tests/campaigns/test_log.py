"""The log of a table shows each member what they may read on the sheets, and nothing else."""

import csv
import json
import re
from copy import deepcopy
from io import StringIO

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Seat, SessionMark, Sitting
from campaigns.party_log import PartyLog
from campaigns.verbs import membership, other_device, party_acts, seats
from campaigns.verbs import session_marks as marks
from characters.change import roll_log
from characters.change.refusals import KeyReused, Refused
from characters.models import Change, RollRecord
from characters.people import Person
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.seated import brought, invite, posted, saltmarsh
from tests.characters.cast import as_guest, mira, new_key, person
from tests.characters.play.table import Fixed, play
from tests.games import pebbles
from tests.support.html import says, without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture(scope="module")
def seated(shared):
    """Ana leads, Bo and Cid play, Dan watches, Eve helps."""
    return shared(lambda: saltmarsh(bo="player", cid="player", dan="spectator", eve="co-storyteller"))


@pytest.fixture
def campaign(seated):
    return deepcopy(seated)


def shown(client, campaign, name="ana", path="log/", **asked):
    client.force_login(person(name).user)
    return without_tokens(client.get(f"{campaign.get_absolute_url()}{path}", asked).content.decode())


PAGES = ("log/", "log/latest/", "")  # the last is the table’s own page, with the latest beside the roster
EVERYWHERE = (*PAGES, "log.json", "log.csv")


def test_the_newest_page_follows_the_table_with_its_filters(client, campaign):
    character = brought(campaign)
    page = shown(client, campaign, character=character.pk, rolls="yes")
    query = f"character={character.pk}&amp;rolls=yes"
    assert f'data-follows="campaign {campaign.pk},character {character.pk}"' in page
    assert f'data-from="{campaign.get_absolute_url()}log/?{query}"' in page
    assert "data-follows" not in shown(client, campaign, before=99)


def test_the_latest_events_are_followed_beside_the_roster_and_undone_there(client, campaign):
    character = brought(campaign)
    told = [play.take_damage(character.pk, person("bo"), new_key(), amount=1).sentence for _ in range(9)]
    part = shown(client, campaign, path="log/latest/")
    assert f'data-follows="campaign {campaign.pk},character {character.pk}"' in part
    assert f'data-from="{campaign.get_absolute_url()}log/latest/"' in part
    assert part.count('<li class="history-row') == 8
    assert '<li class="history-row' not in shown(client, campaign, "cid", "log/latest/")
    assert part in shown(client, campaign, path="")
    newest = Change.objects.filter(character=character).latest("pk")
    assert newest.sentence == told[-1]
    answer = posted(client, campaign, "ana", f"log/{character.pk}/undo/", change=newest.sequence, beside="yes")
    assert (answer.status_code, answer["Location"]) == (303, campaign.get_absolute_url())
    assert shown(client, campaign, path="log/latest/").count("is-undone") == 1


def test_a_following_page_gets_only_the_lines(client, campaign):
    character = brought(campaign)
    sentence = play.take_damage(character.pk, person("bo"), new_key(), amount=1).sentence
    client.force_login(person("bo").user)
    part = client.get(f"{campaign.get_absolute_url()}log/", headers={"HX-Request": "true"}).content.decode()
    assert sentence in part
    assert part.strip().startswith('<div id="live"')
    client.force_login(person("zoe").user)
    assert client.get(f"{campaign.get_absolute_url()}log/", headers={"HX-Request": "true"}).status_code == 404


def test_a_mark_raises_the_tables_version(campaign):
    def version():
        return type(campaign).objects.get(pk=campaign.pk).version

    before = version()
    mark = marks.set_mark(campaign.pk, person(), new_key(), name="Session 1")
    marks.remove_mark(campaign.pk, person(), mark.pk)
    assert version() == before + 2


def test_the_key_of_a_mark_counts_once_at_a_table(campaign):
    key, other = new_key(), saltmarsh()
    mark = marks.set_mark(campaign.pk, person(), key, name="Session 1")
    assert marks.set_mark(campaign.pk, person(), key, name="Session 1") == mark
    with pytest.raises(KeyReused):
        marks.set_mark(campaign.pk, person(), key, name="Session 2")
    with pytest.raises(IntegrityError), transaction.atomic():
        SessionMark.objects.create(campaign=campaign, name="Session 2", key=key)
    assert marks.set_mark(other.pk, person(), key, name="Session 2").campaign == other


@pytest.mark.parametrize("path", EVERYWHERE)
def test_a_change_is_shown_to_those_who_play_or_run_the_character(client, campaign, path):
    character = brought(campaign)
    sentence = play.take_damage(character.pk, person("bo"), new_key(), amount=1).sentence
    for name, told in {"ana": True, "eve": True, "bo": True, "cid": False, "dan": False}.items():
        assert (sentence in shown(client, campaign, name, path)) == told, name
    client.force_login(person("stranger").user)
    assert client.get(f"{campaign.get_absolute_url()}{path}").status_code == 404


@pytest.mark.parametrize("path", EVERYWHERE)
def test_the_dice_of_a_secret_roll_are_shown_only_to_the_person_who_rolled(client, campaign, path):
    character = brought(campaign)
    play.roll(character.pk, person("ana"), new_key(), roll="initiative", secret=True)
    canary = [3, 1, 4, 1, 5, 2, 6]
    RollRecord.objects.update(faces=canary, total=7919)
    drawn = {"log.json": "7919", "log.csv": "3 1 4 1 5 2 6"}.get(path, "7919, secret")
    for name, told in {"ana": True, "eve": False, "bo": False, "cid": False, "dan": False}.items():
        page = shown(client, campaign, name, path)
        assert (drawn in page) == told, name
        if not told:
            assert not says(page, 7919)
            assert page.count('class="die"') == 0


def test_a_secret_roll_says_who_sees_it(client, campaign):
    character = brought(campaign)
    play.roll(character.pk, person("bo"), new_key(), roll="initiative", secret=True)
    assert "only you see it" in shown(client, campaign, "bo")
    assert "only you see it" not in shown(client, campaign, "ana")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_secret_rolls_stay_secret_when_the_account_that_made_them_is_deleted(client, campaign, path):
    character = brought(campaign)
    for secret in (True, False):
        play.roll(character.pk, person("eve"), new_key(), roll="initiative", secret=secret)
    RollRecord.objects.filter(secret=True).update(total=7919, faces=[9, 9, 7, 9])
    RollRecord.objects.filter(secret=False).update(total=7907, faces=[8, 8, 7, 8])
    person("eve").user.delete()
    for name in ("ana", "bo"):
        page = shown(client, campaign, name, path)
        assert not says(page, 7919)
        assert "9 9 7 9" not in page
        assert page.count('class="die"') == (4 if path in PAGES else 0)
    for reader in (person("bo"), person("ana"), Person(), Person(guest="someone")):
        chains = roll_log.log_of(character, reader, most=9)
        assert [row.total for row, *_ in chains] == [7907]
        assert [row.total for row in roll_log.newest_visible(character, reader)] == [7907]
        hidden, told = (roll_log.chain_of_change(row.change_id, reader) for row in RollRecord.objects.order_by("pk"))
        assert (hidden, len(told)) == ([], 1)


def test_a_guests_secret_roll_is_shown_to_those_who_play_or_run_the_character(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    guest = as_guest(client)
    client.post(
        f"/join/{invite(campaign)}/", {"key": new_key(), "name": "Nell", "character": f"take:{prepared.seat.pk}"}
    )
    play.roll(prepared.pk, guest, new_key(), roll="initiative", secret=True)
    RollRecord.objects.update(total=7919)
    for page in (client.get(f"{campaign.get_absolute_url()}log/").content.decode(), shown(client, campaign)):
        assert says(page, 7919)
        assert "everyone who plays or runs Borrin sees it" in page
    assert not says(shown(client, campaign, "cid"), 7919)


def test_the_filter_for_rolls_leaves_out_secret_rolls_of_others(client, campaign):
    character = brought(campaign)
    change = play.roll(character.pk, person("ana"), new_key(), roll="initiative", secret=True)
    assert change.sentence in shown(client, campaign, "ana", rolls="yes")
    assert change.sentence not in shown(client, campaign, "bo", rolls="yes")


def test_the_log_of_a_character_begins_when_it_sits_down(client, campaign):
    character = mira(person("bo"))
    before = play.take_damage(character.pk, person("bo"), new_key(), amount=1).sentence
    seats.bring(campaign.pk, person("bo"), character.pk)
    after = play.change_health(character.pk, person("bo"), new_key(), amount="-2").sentence
    page = shown(client, campaign)
    assert after in page
    assert before not in page


def test_a_note_is_logged_without_its_text(client, campaign):
    character = brought(campaign)
    play.add_note(character.pk, person("bo"), new_key(), text="Canary-note")
    for path in EVERYWHERE:
        for name in ("ana", "bo", "cid"):
            assert "Canary-note" not in shown(client, campaign, name, path)


def test_the_log_is_filtered_by_character_person_kind_and_rolls(client, campaign):
    first, second = brought(campaign, called="Mira"), brought(campaign, "cid", "Quill")
    hit = play.take_damage(first.pk, person("ana"), new_key(), amount=1).sentence
    named = play.add_xp(second.pk, person("cid"), new_key(), amount=100).sentence
    rolled = play.roll(second.pk, person("cid"), new_key(), roll="initiative").sentence
    cid = campaign.members.get(user=person("cid").user).pk
    for asked, there in (
        ({}, {hit, named, rolled}),
        ({"character": first.pk}, {hit}),
        ({"who": cid}, {named, rolled}),
        ({"who": "guest"}, set()),
        ({"kind": "levels"}, {named}),
        ({"rolls": "yes"}, {rolled}),
        ({"character": "x", "who": "x", "kind": "x", "session": "x", "before": "x"}, {hit, named, rolled}),
    ):
        page = shown(client, campaign, **asked)
        assert {one for one in (hit, named, rolled) if one in page} == there, asked


@pytest.mark.parametrize("field", ["character", "who", "kind", "session", "rolls", "before"])
def test_bad_filters_are_ignored(client, campaign, field):
    brought(campaign)
    client.force_login(person().user)
    for wrong in ("", "0", "-1", "x" * 3000, "9" * 19, "9" * 25, "٣", "1.5", "\x00"):
        for path in EVERYWHERE:
            status = client.get(f"{campaign.get_absolute_url()}{path}", {field: wrong}).status_code
            assert status == 200, (path, wrong)


def test_the_log_is_paged_newest_first(client, campaign):
    character = brought(campaign)
    sentences = [play.change_health(character.pk, person(), new_key(), amount=by) for by in ("-1", "+1") * 30]
    newest, earlier = sentences[-1], sentences[0]
    client.force_login(person().user)
    base = f"{campaign.get_absolute_url()}log/"
    first = client.get(base)
    pks = [row.pk for _, rows in first.context["days"] for row in rows]
    assert pks == sorted(pks, reverse=True)
    assert (len(pks), pks[0]) == (50, newest.pk)
    second = client.get(base, {"before": first.context["earlier"].pk})
    more = [row.pk for _, rows in second.context["days"] for row in rows]
    assert earlier.pk in more
    assert max(more) < min(pks)
    assert second.context["earlier"] is None


def test_the_log_is_downloaded_as_json_and_csv(client, campaign):
    character = brought(campaign, called="=HYPERLINK(1)")
    change = play.roll(character.pk, person("bo"), new_key(), roll="initiative", chance=Fixed(*[3] * 9))
    kept = json.loads(shown(client, campaign, path="log.json"))
    assert kept["campaign"] == "Saltmarsh"
    assert kept["log"][0]["what"] == change.sentence
    assert set(kept["log"][0]["rolls"][0]["faces"]) == {3}
    rows = list(csv.DictReader(StringIO(shown(client, campaign, path="log.csv"))))
    assert rows[0]["character"] == "'=HYPERLINK(1)"
    assert rows[0]["who"] == "Bo"
    assert rows[0]["dice"].startswith("3 3")


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_no_cell_of_the_csv_is_a_formula(client, campaign, sign):
    play.take_damage(brought(campaign, called=f"{sign}1").pk, person("bo"), new_key(), amount=1)
    row, *_ = csv.DictReader(StringIO(shown(client, campaign, path="log.csv")))
    assert row["character"] == f"'{sign}1"


def test_a_change_is_undone_and_done_again_from_the_log(client, campaign):
    character = brought(campaign)
    change = play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    answer = posted(client, campaign, "eve", f"log/{character.pk}/undo/", change=change.sequence, kind="body")
    assert answer.status_code == 303
    undone = Change.objects.get(inverts=change)
    assert undone.actor == person("eve").user
    again = posted(client, campaign, "bo", f"log/{character.pk}/undo/", change=undone.sequence)
    assert again.status_code == 303
    assert Change.objects.filter(inverts=undone).exists()


def test_a_refused_undo_says_why_and_keeps_the_filters(client, campaign):
    character = brought(campaign)
    change = play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    play.undo(character.pk, person("bo"), new_key(), change.sequence)
    answer = posted(
        client, campaign, "ana", f"log/{character.pk}/undo/", change=change.sequence, character=character.pk
    )
    assert answer.status_code == 422
    assert "undone already" in answer.content.decode()
    assert answer.context["asked"].character == character.pk


@pytest.mark.parametrize("change", ["", "x", "0", "-1", "9" * 30, "999999"])
def test_undoing_an_unknown_change_is_no_server_error(client, campaign, change):
    character = brought(campaign)
    path = f"log/{character.pk}/undo/"
    assert posted(client, campaign, "ana", path, change=change).status_code in (404, 422)


def test_only_those_who_play_or_run_a_character_at_this_table_undo_its_changes(client, campaign):
    character, other = brought(campaign), saltmarsh("cid")
    change = play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    for name, table in (("cid", campaign), ("dan", campaign), ("cid", other), ("stranger", campaign)):
        answer = posted(client, table, name, f"log/{character.pk}/undo/", change=change.sequence)
        assert answer.status_code == 404, name
    elsewhere = mira(person("ana"))
    mine = play.take_damage(elsewhere.pk, person("ana"), new_key(), amount=1)
    path = f"log/{elsewhere.pk}/undo/"
    assert posted(client, campaign, "ana", path, change=mine.sequence).status_code == 404
    assert not Change.objects.exclude(inverts=None).exists()


def test_a_guest_reads_the_log_of_what_they_play(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    guest = as_guest(client)
    path = f"/join/{invite(campaign)}/"
    client.post(path, {"key": new_key(), "name": "Nell", "character": f"take:{prepared.seat.pk}"})
    sentence = play.take_damage(prepared.pk, person("ana"), new_key(), amount=1).sentence
    assert campaign.members.get(name="Nell").guest == guest.guest
    assert sentence in client.get(f"{campaign.get_absolute_url()}log/").content.decode()


def taking(campaign, prepared, name):
    """A guest of this name, who comes by an invite and takes a prepared character; and their place."""
    client = Client()
    visitor = as_guest(client, f"token of {name}")
    path = f"/join/{invite(campaign)}/"
    client.post(path, {"key": new_key(), "name": name, "character": f"take:{prepared.seat.pk}"})
    return visitor, campaign.members.get(name=name)


def test_a_guest_has_the_name_by_which_they_sit_here(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    guest, nell = taking(campaign, prepared, "Nell")
    hit = play.take_damage(prepared.pk, guest, new_key(), amount=1).sentence
    rolled = play.roll(prepared.pk, guest, new_key(), roll="skill.stealth", secret=False).sentence
    page = shown(client, campaign)
    assert page.count("</a>, Nell") == 2
    assert "a guest" not in page
    assert ">Nell</option>" in page
    assert "Nell" in shown(client, campaign, "cid").partition('class="history log"')[2]  # beside the open dice
    assert {row["who"] for row in json.loads(shown(client, campaign, path="log.json"))["log"]} == {"Nell"}
    for who, there in ((nell.pk, True), ("guest", False), (campaign.members.get(name="Bo").pk, False)):
        page = shown(client, campaign, who=who)
        assert (hit in page) == (rolled in page) == there, who


def test_a_guest_is_not_given_what_the_one_before_them_did(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    first, nell = taking(campaign, prepared, "Nell")
    before = play.take_damage(prepared.pk, first, new_key(), amount=1).sentence
    seats.stand_up(campaign.pk, first, prepared.seat.pk)
    page = shown(client, campaign)
    assert "</a>, Nell" in page
    assert ">Nell</option>" in page
    second, tom = taking(campaign, prepared, "Tom")
    after = play.take_damage(prepared.pk, second, new_key(), amount=2).sentence
    page = shown(client, campaign)
    assert page.count("</a>, Tom") == page.count("</a>, Nell") == 1
    assert "a guest" not in page
    for who, sentence, other in ((tom.pk, after, before), (nell.pk, before, after)):
        page = shown(client, campaign, who=who)
        assert sentence in page
        assert other not in page
    membership.leave(campaign.pk, first)
    assert "</a>, Nell" in shown(client, campaign)
    Sitting.objects.update(member=None)  # as for sittings of which nobody knows who played
    assert before in shown(client, campaign, who="guest")
    assert "Nell" not in shown(client, campaign).partition('class="history log"')[2]


@pytest.mark.parametrize("how", ["signs up", "moves the seat to an account"])
def test_a_guest_keeps_the_name_for_what_they_did_before_they_had_an_account(client, campaign, how):
    prepared = brought(campaign, "ana", "Borrin")
    visitor, nell = taking(campaign, prepared, "Nell")
    before = play.take_damage(prepared.pk, visitor, new_key(), amount=1).sentence
    if how == "signs up":
        membership.claim_seats(visitor.guest, person("nell").user)
    else:
        link = other_device.make_device_link(campaign.pk, visitor, nell.pk, new_key())
        other_device.take_over(link, person("nell"))
    after = play.take_damage(prepared.pk, person("nell"), new_key(), amount=2).sentence
    page = shown(client, campaign)
    assert page.count("</a>, Nell") == 2
    assert "a guest" not in page
    page = shown(client, campaign, who=nell.pk)
    assert before in page
    assert after in page
    assert before not in shown(client, campaign, who="guest")
    seats.stand_up(campaign.pk, person("nell"), prepared.seat.pk)
    assert shown(client, campaign).count("</a>, Nell") == 2
    person("nell").user.delete()
    assert "Nell" not in shown(client, campaign).partition('class="history log"')[2]


def test_a_merged_guest_stays_a_guest_in_what_they_did(client, campaign):
    """The others may not know that Nell was Bo."""
    prepared = brought(campaign, "ana", "Borrin")
    visitor, _ = taking(campaign, prepared, "Nell")
    before = play.take_damage(prepared.pk, visitor, new_key(), amount=1).sentence
    membership.claim_seats(visitor.guest, person("bo").user)
    assert before in shown(client, campaign, who="guest")
    assert before not in shown(client, campaign, who=campaign.members.get(name="Bo").pk)


def test_a_deleted_accounts_changes_are_not_told_as_those_of_one_who_was_a_guest_before(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    visitor, nell = taking(campaign, prepared, "Nell")
    membership.claim_seats(visitor.guest, person("nell").user)
    hit = play.take_damage(prepared.pk, person("eve"), new_key(), amount=1).sentence
    person("eve").user.delete()
    assert hit in shown(client, campaign, who="guest")
    assert hit not in shown(client, campaign, who=nell.pk)


def test_a_deleted_accounts_changes_are_not_told_as_a_former_guests(client, campaign):
    prepared = brought(campaign, "ana", "Borrin")
    first, nell = taking(campaign, prepared, "Nell")
    seats.stand_up(campaign.pk, first, prepared.seat.pk)
    seats.take(campaign.pk, person("cid"), prepared.seat.pk)
    hit = play.take_damage(prepared.pk, person("cid"), new_key(), amount=1).sentence
    person("cid").user.delete()
    assert hit in shown(client, campaign, who="guest")
    assert hit not in shown(client, campaign, who=nell.pk)


@pytest.mark.parametrize("path", EVERYWHERE)
def test_a_character_that_comes_back_has_its_former_sittings_here_in_the_log(client, campaign, path):
    character, other = mira(person("bo")), saltmarsh(bo="player")
    for deed, table in (
        ("A deed alone", None),
        ("A deed here", campaign),
        ("A deed elsewhere", other),
        ("A deed in between", None),
        ("A deed here again", campaign),
    ):
        if table:
            seats.bring(table.pk, person("bo"), character.pk)
        change = play.take_damage(character.pk, person("bo"), new_key(), amount=1)
        Change.objects.filter(pk=change.pk).update(sentence=f"{deed}.")
        if table:
            seats.stand_up(table.pk, person("bo"), Seat.objects.get().pk)
    assert "A deed" not in shown(client, campaign, path=path)
    seats.bring(campaign.pk, person("bo"), character.pk)
    told = set(re.findall(r"A deed[^.]*", shown(client, campaign, path=path)))
    assert told == {"A deed here", "A deed here again"}


@pytest.mark.parametrize("path", EVERYWHERE)
def test_dice_from_between_two_sittings_are_shown_to_no_party_mate(client, campaign, path):
    character = brought(campaign)

    def thrown(total):
        change = play.roll(character.pk, person("bo"), new_key(), roll="initiative", secret=False)
        RollRecord.objects.filter(change=change).update(total=total, faces=[6])

    thrown(7919)
    seats.stand_up(campaign.pk, person("bo"), character.seat.pk)
    thrown(6841)
    seats.bring(campaign.pk, person("bo"), character.pk)
    page = shown(client, campaign, "cid", path)
    assert (says(page, 7919), says(page, 6841)) == (True, False)


@pytest.mark.parametrize("path", EVERYWHERE)
def test_many_sittings_take_as_many_queries_as_one(client, campaign, path):
    character = brought(campaign)
    path = f"{campaign.get_absolute_url()}{path}"
    client.force_login(person().user)
    play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    queries(client, path)
    few = queries(client, path)
    for _ in range(4):
        seats.stand_up(campaign.pk, person("bo"), Seat.objects.get().pk)
        seats.bring(campaign.pk, person("bo"), character.pk)
        play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    queries(client, path)
    assert queries(client, path) == few


def queries(client, path):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize("path", [*EVERYWHERE, "session"])
def test_many_characters_take_as_many_queries_as_few(client, campaign, path):
    def played(many):
        for at in range(many):
            character = brought(campaign, called=f"Mira {at}")
            play.take_damage(character.pk, person("bo"), new_key(), amount=1)
            play.roll(character.pk, person("bo"), new_key(), roll="initiative")

    mark = marks.set_mark(campaign.pk, person(), new_key(), name="First")
    client.force_login(person().user)
    path = f"{campaign.get_absolute_url()}{path if path != 'session' else f'log/marks/{mark.pk}/'}"
    played(2)
    queries(client, path)
    few = queries(client, path)
    played(8)
    queries(client, path)
    assert queries(client, path) == few


def test_a_mark_is_set_shown_removed_and_restored(client, campaign):
    key = new_key()
    for _ in range(2):
        assert posted(client, campaign, "eve", "log/marks/", key=key, name="The <b>reef</b>").status_code == 303
    mark = SessionMark.objects.get()
    assert mark.by.name == "Eve"
    assert "The &lt;b&gt;reef" in shown(client, campaign, "dan")
    posted(client, campaign, "ana", f"log/marks/{mark.pk}/remove/")
    assert f"marks/{mark.pk}/" not in shown(client, campaign, "dan")
    assert "reef" in shown(client, campaign, "ana")
    posted(client, campaign, "ana", f"log/marks/{mark.pk}/remove/", back="yes")
    assert "reef" in shown(client, campaign, "dan")


def test_bad_marks_are_refused_at_their_field(client, campaign):
    for wrong in ("", "  ", "x" * 81, "x\x00"):
        answer = posted(client, campaign, "ana", "log/marks/", name=wrong)
        assert answer.status_code == 422
        assert "id_name_error" in answer.content.decode()
    assert posted(client, campaign, "ana", "log/marks/", key="", name="Reef").status_code == 422
    assert not SessionMark.objects.exists()


def test_only_storytellers_set_and_remove_marks(client, campaign):
    mark, other = marks.set_mark(campaign.pk, person(), new_key(), name="Reef"), saltmarsh("cid")
    for name, table in (("bo", campaign), ("dan", campaign), ("cid", other)):
        assert posted(client, table, name, f"log/marks/{mark.pk}/remove/").status_code == 404
    assert posted(client, campaign, "bo", "log/marks/", name="Mine").status_code == 404
    client.force_login(person("cid").user)
    assert client.get(f"{other.get_absolute_url()}log/marks/{mark.pk}/").status_code == 404
    assert SessionMark.objects.get().removed_at is None


def test_marks_have_a_limit_and_a_key_counts_once(campaign, monkeypatch):
    key = new_key()
    marks.set_mark(campaign.pk, person(), key, name="Reef")
    with pytest.raises(KeyReused):
        marks.set_mark(campaign.pk, person(), key, name="Other")
    monkeypatch.setattr(marks, "MOST", 1)
    with pytest.raises(Refused, match="1 marks already"):
        marks.set_mark(campaign.pk, person(), new_key(), name="Other")


def test_a_session_counts_what_happened_up_to_the_next_mark(client, campaign):
    character = brought(campaign)
    who = person("bo")
    play.take_damage(character.pk, who, new_key(), amount=5)
    first = marks.set_mark(campaign.pk, person(), new_key(), name="First")
    play.change_health(character.pk, who, new_key(), amount="-3")
    play.change_health(character.pk, who, new_key(), amount="+2")  # halved by wounds
    gone = play.change_health(character.pk, who, new_key(), amount="-4")
    play.undo(character.pk, who, new_key(), gone.sequence)
    play.add_xp(character.pk, who, new_key(), amount=100_000, sure=True)
    for _ in range(2):
        play.roll(character.pk, who, new_key(), roll="initiative")
    RollRecord.objects.filter(pk=RollRecord.objects.latest("pk").pk).update(critical=True)
    marks.set_mark(campaign.pk, person(), new_key(), name="Second")
    play.change_health(character.pk, who, new_key(), amount="-1")
    client.force_login(person().user)
    page = client.get(f"{campaign.get_absolute_url()}log/marks/{first.pk}/")
    (line,) = page.context["summary"].lines
    assert ("Health", 3, 1) in line.moves.lines
    assert (line.moves.rolls, line.moves.criticals) == (2, 1)
    assert (line.xp, line.before) == (100_000, 7)
    assert line.after > 7
    assert "−3, +1" in page.content.decode()
    page = client.get(f"{campaign.get_absolute_url()}log/marks/0/")  # the time before the first mark
    assert page.context["summary"].lines[0].moves.down == {"Health": 5}
    assert page.context["until"] == first.at


def test_a_secret_roll_of_others_is_not_counted(client, campaign):
    character = brought(campaign)
    mark = marks.set_mark(campaign.pk, person(), new_key(), name="First")
    play.roll(character.pk, person("ana"), new_key(), roll="initiative", secret=True)
    for name, rolls in {"ana": 1, "eve": 0, "bo": 0}.items():
        client.force_login(person(name).user)
        page = client.get(f"{campaign.get_absolute_url()}log/marks/{mark.pk}/")
        assert page.context["summary"].lines[0].moves.rolls == rolls, name


def test_a_session_shows_party_mates_and_spectators_nobody_elses_character(client, campaign):
    brought(campaign)
    mark = marks.set_mark(campaign.pk, person(), new_key(), name="First")
    for name in ("cid", "dan"):
        assert "Mira" not in shown(client, campaign, name, f"log/marks/{mark.pk}/")


def test_the_log_is_empty_for_a_removed_member(campaign):
    brought(campaign)
    eve = campaign.members.get(name="Eve")
    assert PartyLog(eve, person("eve")).characters
    log = PartyLog(eve, person("stranger"))
    assert not log.characters
    assert not log.mates


def test_characters_of_two_games_share_one_log(client, campaign):
    """Each game has its own kinds of changes, and its own names for the numbers that a session counts."""
    load_rules(pebbles.PACK)
    ruleset = Ruleset.objects.get(slug="pebbles")
    pim, mate = play.start(person("bo"), new_key(), ruleset=ruleset).character, brought(campaign)
    seats.bring(campaign.pk, person("bo"), pim.pk)
    mark = marks.set_mark(campaign.pk, person(), new_key(), name="First")
    thrown = play.throw(pim.pk, person("bo"), new_key(), chance=Fixed(*[6] * 9)).sentence
    hit = play.take_damage(mate.pk, person("bo"), new_key(), amount=1).sentence
    page = shown(client, campaign)
    assert thrown in page
    assert hit in page
    dice = shown(client, campaign, kind="dice")
    assert thrown in dice
    assert hit not in dice
    counted = shown(client, campaign, path=f"log/marks/{mark.pk}/")
    assert "Pebbles" in counted
    assert "Health" in counted


def test_many_marks_take_as_many_queries_as_one(client, campaign):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            shown(client, campaign, "ana")
        return len(captured)

    marks.set_mark(campaign.pk, person(), new_key(), name="The first")
    queries()
    few = queries()
    for number in range(5):
        marks.set_mark(campaign.pk, person(), new_key(), name=f"Another {number}")
    assert queries() == few


def test_an_acts_reason_is_shown_to_those_who_play_or_run_the_character(client, campaign):
    to = {brought(campaign).pk: "", brought(campaign, "cid", "Nell").pk: ""}
    for name, amount in (("take_damage", "3"), ("add_xp", "200")):
        sent = {"amount": amount, "reason": "The <ogre>"} if name == "add_xp" else {"amount": amount}
        party_acts.do_to_several(campaign.pk, person(), new_key(), name, sent, to, reason="The <ogre>")
    for name, times in (("ana", 2), ("eve", 2), ("bo", 1), ("dan", 0)):
        page = shown(client, campaign, name)
        # The sentence of a player's own XP has it; the sentence of the whole act does not.
        assert page.count("“The &lt;ogre&gt;”") == times, name
        assert ("The &lt;ogre&gt;" in page) == bool(times)
