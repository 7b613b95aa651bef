"""The pages of a storyteller's acts on several characters, and the proposals that these put on a player's sheet."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from campaigns.models import PartyAct
from campaigns.verbs import party_acts, seats
from campaigns.views import party_act_pages
from characters import verbs
from characters.actions.proposals import OVER, withdraw
from characters.actions.together import deeds_of
from characters.models import Change, Character, Proposal, RollRecord
from characters.read.number_format import percent
from characters.read.party import versions_of
from rules.games.polyhedral import asking
from rules.games.polyhedral.dice import chance
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.acting import opened
from tests.campaigns.seated import sits
from tests.characters.cast import browser_of, facts, first_level, new_key, person
from tests.characters.play.table import play
from tests.games import pebbles
from tests.support.edits import retire
from tests.support.html import html_of, says, without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SECRET = "719"
TOO_LONG = "x" * 2000


@pytest.fixture
def storyteller(party):
    return browser_of("ana")


def send(client, campaign, deed, party=(), do="now", **more):
    to = [one.pk for one in party.values()] if party else []
    return client.post(f"/campaigns/{campaign.pk}/act/{deed}/", {"key": new_key(), "do": do, "to": to, **more})


@pytest.mark.parametrize("name", list(deeds_of("polyhedral")))
def test_each_act_has_a_page_that_refuses_a_form_with_nobody_ticked(storyteller, campaign, name):
    deed = deeds_of("polyhedral")[name]
    page = f"/campaigns/{campaign.pk}/act/{deed.action.slug}/"
    assert deed.together.word in html_of(storyteller.get(page))
    answer = storyteller.post(page, {"key": new_key(), "do": "now", "amount": "1", "name": "x", "days": "1"})
    assert answer.status_code == 422
    assert 'role="alert"' in html_of(answer)
    assert not PartyAct.objects.exists()


BAD = {
    "no amount": ("take-damage", {}, "Type an amount such as 7."),
    "no number": ("take-damage", {"amount": "seven"}, "Type an amount such as 7."),
    "no such type": ("take-damage", {"amount": "1", "type": "love"}, "There is no such type of damage."),
    "no such condition": ("add-condition", {"condition": "condition:happy"}, "There is no such condition."),
    "no item": ("add-item", {}, "Choose something from the list, or write it."),
    "no such rule": ("roll", {"roll": "check.strength", "rule": "loudest"}, "Choose how the rolls count."),
    "a long reason": ("mark", {"name": "x", "reason": "y" * 161}, "That is too long: at most 160 characters."),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_form_is_refused_with_a_sentence_and_changes_nothing(storyteller, campaign, party, case):
    deed, sent, sentence = BAD[case]
    answer = send(storyteller, campaign, deed, party, **sent)
    assert answer.status_code == 422
    assert sentence in html_of(answer)
    assert not PartyAct.objects.exists()
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("deed", "sent", "field"),
    [
        ("take-damage", {"amount": "seven"}, "amount"),
        ("add-condition", {"condition": TOO_LONG}, "condition"),
        ("remove-condition", {"condition": TOO_LONG}, "condition"),
        ("add-item", {"ref": TOO_LONG}, "ref"),
        ("roll", {"roll": TOO_LONG}, "roll"),
        ("roll", {"roll": "check.strength", "target": "high"}, "target"),
    ],
)
def test_a_refusal_is_tied_to_its_field(storyteller, campaign, party, deed, sent, field):
    page = html_of(send(storyteller, campaign, deed, party, **sent))
    assert f'id="act-{field}-error" role="alert"' in page
    control = re.search(rf'<(?:input|select) id="act-{field}"[^>]*>', page)[0]
    assert 'aria-invalid="true"' in control
    assert f'aria-describedby="act-{field}-error"' in control


def test_without_a_key_nothing_happens(storyteller, campaign, party):
    answer = send(storyteller, campaign, "mark", party, key="", name="x")
    assert answer.status_code == 422
    assert not PartyAct.objects.exists()


def test_everyone_can_be_ticked_at_once_without_script(storyteller, campaign, party):
    answer = send(storyteller, campaign, "take-damage", everyone="on", amount="2")
    assert answer.status_code == 303
    assert [facts(one)["spent:health"] for one in party.values()] == [2, 2]
    assert "Damage 2: Bo and Cid." in html_of(storyteller.get(answer["Location"]))


def test_everyone_arrives_ticked_one_by_one_so_that_each_can_be_unticked(storyteller, campaign, party):
    page = html_of(storyteller.get(f"/campaigns/{campaign.pk}/act/take-damage/?everyone=on"))
    ticked = re.findall(r'<input type="checkbox" name="(to|everyone)"[^>]*checked>', page)
    assert ticked == ["to", "to"]
    assert 'name="everyone" data-ticks="to">' in page


def test_everyone_leaves_out_a_character_that_waits_for_a_player(storyteller, campaign, party):
    waits = first_level(person(), name="Quint")
    seats.bring(campaign.pk, person(), waits.pk)
    page = f"/campaigns/{campaign.pk}/act/take-damage/"
    html = html_of(storyteller.get(f"{page}?everyone=on"))
    ticks = re.findall(r'name="to"[^>]*?( checked)?( data-waits)?>', html)
    assert ticks == [(" checked", ""), (" checked", ""), ("", " data-waits")]
    assert html.count("waiting for a player") == 1
    send(storyteller, campaign, "take-damage", everyone="on", amount="2")
    assert PartyAct.objects.get().sentence == "Damage 2: Bo and Cid."
    send(storyteller, campaign, "mark", {"quint": waits}, everyone="on", name="Seen")
    assert PartyAct.objects.first().sentence == "Mark Seen: Bo, Cid and Quint."


def test_everyone_leaves_out_a_character_whose_game_has_no_such_act(storyteller, campaign, party):
    load_rules(pebbles.PACK)
    pim = verbs.start(person("bo"), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character
    seats.bring(campaign.pk, person("bo"), pim.pk)
    assert send(storyteller, campaign, "take-damage", everyone="on", amount="2").status_code == 303
    assert PartyAct.objects.get().sentence == "Damage 2: Bo and Cid."


@pytest.mark.parametrize("do", ["now", "propose", "look"])
def test_an_act_is_not_done_to_the_rest_when_one_who_was_ticked_has_left(storyteller, campaign, party, do):
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    refused = send(storyteller, campaign, "take-damage", party, do=do, amount="2")
    assert refused.status_code == 422
    assert "One of those you ticked is no longer here. Nothing was done. Check who it is for." in html_of(refused)
    assert re.findall(r'name="to" value="(\d+)"[^>]* checked>', html_of(refused)) == [str(party["cid"].pk)]
    assert not PartyAct.objects.exists()
    assert send(storyteller, campaign, "take-damage", {"cid": party["cid"]}, amount="2").status_code == 303


@pytest.mark.parametrize("do", ["now", "propose"])
def test_one_who_leaves_during_the_press_is_named_and_the_act_can_be_done_to_the_others(
    storyteller, campaign, party, do, monkeypatch
):
    seat = party["bo"].seat.pk
    with monkeypatch.context() as during:
        leave = lambda page: seats.stand_up(campaign.pk, person("bo"), seat)  # noqa: E731
        during.setattr(party_act_pages.ActPage, "check_still_here", leave)
        refused = send(storyteller, campaign, "take-damage", party, do=do, amount="2", reason="The trap")
    assert refused.status_code == 422
    page = html_of(refused)
    refusals = [party_acts.GONE in line for line in page.split('class="act-one"') if "<b>" in line]
    assert refusals == [True, False]  # Bo's line and Cid's
    assert 'value="2"' in page
    assert 'value="The trap"' in page
    assert not PartyAct.objects.exists()
    without = re.search(r'name="without"\s+value="([^"]+)"', page)[1]
    assert send(storyteller, campaign, "take-damage", party, without=without, amount="2").status_code == 303
    assert PartyAct.objects.get().sentence == "Damage 2: Cid."


def test_a_preview_shows_each_outcome_and_changes_nothing(storyteller, campaign, party):
    counts = [Change.objects.count(), PartyAct.objects.count()]
    answer = send(storyteller, campaign, "take-damage", party, do="look", amount="4", half=[party["cid"].pk])
    text = html_of(answer)
    assert answer.status_code == 200
    assert "Bo takes 4 damage." in text
    assert "Cid takes 2 damage." in text
    assert [Change.objects.count(), PartyAct.objects.count()] == counts


def test_a_refusal_is_shown_on_each_characters_own_line(storyteller, campaign, party):
    answer = send(storyteller, campaign, "heal", party, amount="4")
    assert answer.status_code == 422
    assert html_of(answer).count("Health is full already.") == 2
    assert 'value="4"' in html_of(answer)  # what was typed stays


@pytest.mark.parametrize(("amount", "asks"), [("0", False), ("-999999", False), ("100000", True)])
def test_only_a_leap_of_levels_is_asked_about(storyteller, campaign, party, amount, asks):
    refused = send(storyteller, campaign, "add-xp", party, amount=amount)
    assert refused.status_code == 422
    assert ("Yes, more than three levels at once" in html_of(refused)) == asks
    assert send(storyteller, campaign, "add-xp", party, amount=amount, sure="on").status_code == (303 if asks else 422)


def test_after_a_refusal_one_press_acts_on_the_others(storyteller, campaign, party):
    play.take_damage(party["bo"].pk, person("bo"), new_key(), amount=5)
    where = f"/campaigns/{campaign.pk}/act/heal/"
    refused = storyteller.post(where, {"key": new_key(), "do": "now", "everyone": "on", "amount": "2"})
    assert "it does not work for everyone you ticked" in html_of(refused)
    fields = dict(re.findall(r'name="(without)"\s+value="([^"]*)"', html_of(refused)))
    assert fields["without"].split() == [str(party["cid"].pk)]
    done = storyteller.post(where, {"key": new_key(), "everyone": "on", "amount": "2", **fields})
    assert done.status_code == 303
    assert PartyAct.objects.get().sentence == "Heal 2: Bo."


def test_an_act_that_fails_for_everyone_does_not_offer_the_others(storyteller, campaign, party):
    answer = html_of(send(storyteller, campaign, "heal", party, amount="4"))
    assert "Nothing was done. The reasons are below." in answer
    assert 'name="without"' not in answer


def test_only_storytellers_find_the_hand(campaign, party):
    for name, status in {"ana": 200, "bo": 404, "zoe": 404}.items():
        assert browser_of(name).get(f"/campaigns/{campaign.pk}/act/heal/").status_code == status, name
    for name, found in {"ana": True, "bo": False}.items():
        table = browser_of(name).get(campaign.get_absolute_url())
        assert table.status_code == 200
        assert ('id="hand"' in html_of(table)) == found, name


def test_the_message_says_whether_an_act_is_done_or_waits(storyteller, campaign, party):
    asked = ("roll", {"do": "propose", "roll": "check.strength", "rule": "each"}, "Asked: ")
    proposed = ("take-damage", {"do": "propose", "amount": "4"}, "Proposed: ")
    done = ("take-damage", {"amount": "4"}, "")
    for deed, sent, before in (asked, proposed, done):
        send(storyteller, campaign, deed, party, **sent)
        sentence = PartyAct.objects.latest("pk").sentence
        assert f">{before}{sentence}" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/")).replace("\n", "")


def test_a_compel_offers_the_aspects_of_everyone_seated(storyteller, campaign, party):
    page = html_of(storyteller.get(f"/campaigns/{campaign.pk}/act/compel/"))
    for one in party.values():
        kind, text = versions_of([one])[one.pk].build.aspects[0]
        assert f'<option value="{escape(text)}">{one}: {kind}</option>' in page


def test_a_refused_compel_is_shown_as_refused(storyteller, campaign, party):
    send(storyteller, campaign, "compel", party, do="propose", words="Never leaves a friend")
    answer("bo", party["bo"], way="1")
    answer("cid", party["cid"], way="0")
    text = html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    assert "<b>Bo</b>refused" in text
    assert "<b>Cid</b>accepted" in text


def test_a_compel_that_nobody_could_answer_is_not_proposed(storyteller, campaign, party):
    refused = send(storyteller, campaign, "compel", party, do="propose")
    assert (refused.status_code, html_of(refused).count("Say which aspect it is.")) == (422, 2)
    assert not Proposal.objects.exists()


def test_an_unknown_act_is_not_found(storyteller, campaign):
    assert storyteller.get(f"/campaigns/{campaign.pk}/act/befriend/").status_code == 404


def test_undo_is_one_press_for_all(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, amount="4")
    where = f"/campaigns/{campaign.pk}/acts/{PartyAct.objects.get().pk}/undo/"
    assert storyteller.post(where, {"key": new_key()}).status_code == 303
    assert [facts(one).get("spent:health", 0) for one in party.values()] == [0, 0]
    table = html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    assert "Redo for all" in table
    assert "Undo for all" not in table
    assert table.count('<span class="tag">undone</span>') == 1
    again = storyteller.post(where, {"key": new_key()})
    assert again.status_code == 422
    assert "undone already" in html_of(again)


def test_an_act_is_marked_undone_once_each_player_has_undone_it(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, amount="4")
    for name, marked in (("bo", False), ("cid", True)):
        play.undo(party[name].pk, person(name), new_key(), change=party[name].changes.latest("pk").sequence)
        assert ('<span class="tag">undone</span>' in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))) == marked


def test_an_act_names_whoever_has_undone_it_alone(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, amount="4")

    def named():
        table = " ".join(html_of(storyteller.get(f"/campaigns/{campaign.pk}/")).split())
        return table.partition('<ul class="act-answers">')[2].partition("</ul>")[0].strip()

    assert not named()
    for name, told in (("bo", f"<li><b>{party['bo']}</b> undone</li>"), ("cid", "")):  # then it is undone for all
        play.undo(party[name].pk, person(name), new_key(), change=party[name].changes.latest("pk").sequence)
        assert named() == told


def test_what_has_left_nothing_to_undo_offers_no_undoing(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, "propose", amount="4")
    page, made = f"/campaigns/{campaign.pk}/", PartyAct.objects.get()
    assert "Withdraw" in html_of(storyteller.get(page))
    for name, character in party.items():
        answer(name, character, way="no")
    assert "for all" not in html_of(storyteller.get(page))
    send(storyteller, campaign, "take-damage", party, "propose", amount="5")
    storyteller.post(f"{page}acts/{PartyAct.objects.exclude(pk=made.pk).get().pk}/undo/", {"key": new_key()})
    assert "for all" not in html_of(storyteller.get(page))


def test_an_old_act_stays_on_the_page_for_as_long_as_someone_has_to_answer(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, "propose", amount="7")
    page, line = f"/campaigns/{campaign.pk}/", f'id="act-{PartyAct.objects.get().pk}"'
    for _ in range(8):
        send(storyteller, campaign, "mark", party, name="x")
    answer("bo", party["bo"], way="no")
    assert line in html_of(storyteller.get(page))
    answer("cid", party["cid"], way="no")
    assert line not in html_of(storyteller.get(page))


@pytest.mark.parametrize(("deed", "ref"), [("add-item", "weapon:club"), ("add-condition", "condition:prone")])
def test_an_act_offers_nothing_that_is_retired(storyteller, campaign, party, deed, ref):
    page = f"/campaigns/{campaign.pk}/act/{deed}/"
    assert f'value="{ref}"' in html_of(storyteller.get(page))
    retire(ref)
    assert f'value="{ref}"' not in html_of(storyteller.get(page))


# Rolls that are asked for


@pytest.mark.parametrize(
    ("roll", "name"), [("save.agility", "Agility save"), ("check.mind", "Mind"), ("skill.stealth", "Stealth")]
)
def test_a_roll_is_asked_for_by_its_name(storyteller, campaign, party, roll, name):
    send(storyteller, campaign, "roll", {"bo": party["bo"]}, "propose", roll=roll, rule="each")
    assert PartyAct.objects.get().sentence == f"Roll {name}: Bo."
    sheet = html_of(browser_of("bo").get(party["bo"].get_absolute_url()))
    assert f"Roll {name}" in sheet
    assert f"Roll {roll}" not in sheet


def test_the_chances_are_exact_for_each_and_for_all(storyteller, campaign, party):
    answer = send(storyteller, campaign, "roll", party, do="look", roll="check.strength", target="12", rule="one")
    text = html_of(answer)
    roll = opened(party["bo"]).sheet.rolls["check.strength"]
    each = chance(roll.dice, roll.modifier, 12, critical_succeeds=True)
    assert text.count(percent(each)) == 2
    assert f"At least one succeeds</dt><dd>{percent(1 - (1 - each) ** 2)}" in text
    assert not Proposal.objects.exists()


NO_CHANCES = {
    "no difficulty": ("target", {"rule": "one"}, "Enter a difficulty to see the chances."),
    "a contest": ("rule", {"rule": "contest", "target": "12"}, "A contest has no difficulty to show chances for."),
}


@pytest.mark.parametrize("case", NO_CHANCES)
def test_where_no_chances_can_be_shown_the_field_says_why(storyteller, campaign, party, case):
    field, sent, sentence = NO_CHANCES[case]
    refused = send(storyteller, campaign, "roll", party, do="look", roll="check.strength", **sent)
    assert refused.status_code == 422
    assert f'id="act-{field}-error" role="alert">{sentence}<' in html_of(refused)
    assert html_of(refused).count(sentence) == 1


def ask(storyteller, campaign, party, **more):
    sent = {"roll": "check.strength", "target": "12", "rule": "each", **more}
    assert send(storyteller, campaign, "roll", party, do="propose", **sent).status_code == 303


def answer(name, character, **sent):
    asked = character.proposals.last()
    where = f"{character.get_absolute_url()}proposed/{asked.pk}/"
    return browser_of(name).post(where, {"key": new_key(), "way": "0", **sent})


def test_an_answered_request_is_told_once(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, "propose", amount="3")
    player, mine = browser_of("bo"), party["bo"]
    where = f"{mine.get_absolute_url()}proposed/{mine.proposals.get().pk}/"
    page = player.post(where, {"key": new_key(), "way": "0"}, follow=True).content.decode()
    sentence = mine.changes.latest("sequence").sentence
    told = re.findall(f">[^<]*{re.escape(sentence)}", re.sub('<span class="visually-hidden">[^<]*', "", page))
    assert len(told) == 1


def test_undoing_an_act_leads_back_to_the_list_of_acts(storyteller, campaign, party):
    send(storyteller, campaign, "take-damage", party, amount="3")
    act = campaign.acts.get()
    undone = storyteller.post(f"/campaigns/{campaign.pk}/acts/{act.pk}/undo/", {"key": new_key()})
    assert undone.headers["Location"] == f"/campaigns/{campaign.pk}/#acts"
    assert 'id="acts"' in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_an_answer_to_a_withdrawn_request_is_refused_without_reloading_the_sheet(storyteller, campaign, party):
    ask(storyteller, campaign, {"bo": party["bo"]})
    party_acts.undo(campaign.pk, person(), new_key(), campaign.acts.get().pk)
    mine = party["bo"]
    where = f"{mine.get_absolute_url()}proposed/{mine.proposals.get().pk}/"
    page = browser_of("bo").post(where, {"key": new_key(), "way": "0"}, headers={"HX-Request": "true"})
    assert page.status_code == 422
    part = html_of(page)
    assert part.lstrip().startswith('<section class="proposed')
    assert f'<li class="field-error" role="alert">{OVER}</li>' in part


def test_only_the_sheet_of_the_player_who_is_asked_has_the_roll_ready(storyteller, campaign, party):
    ask(storyteller, campaign, {"bo": party["bo"]}, reason="The reeds move")
    where = party["bo"].get_absolute_url()
    mine = html_of(browser_of("bo").get(where))
    assert "The reeds move" in mine
    assert "against 12" in mine
    assert mine.index("The reeds move") < mine.index('id="introduction"'), "what waits is not below the introduction"
    for name in ("ana", "cid"):
        assert "The reeds move" not in html_of(browser_of(name).get(where))


def test_an_answer_to_what_was_withdrawn_says_so(storyteller, campaign, party):
    bo = party["bo"]
    ask(storyteller, campaign, {"bo": bo})
    withdraw([bo.pk], [bo.proposals.get().key])
    for way in ("0", "no"):
        late = answer("bo", bo, way=way)
        assert late.status_code == 422
        assert html_of(late).count('role="alert">That has already been answered or withdrawn.<') == 1


def test_the_table_shows_who_has_answered_and_who_is_waited_for(storyteller, campaign, party):
    ask(storyteller, campaign, party, rule="one")
    assert answer("bo", party["bo"], faces="6 6 1").status_code == 303
    text = html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    assert "Success: 1 of 2, 1 needed." in text
    assert "waiting" in text
    answer("cid", party["cid"], way="no")
    assert "declined" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_a_roll_asked_of_a_character_in_the_bin_is_not_waited_for_until_it_is_restored(storyteller, campaign, party):
    cid, page = party["cid"].pk, f"/campaigns/{campaign.pk}/"
    ask(storyteller, campaign, party, rule="one")
    answer("bo", party["bo"], faces="1 1 1")
    verbs.throw_away(cid, person("cid"), new_key())
    text = html_of(storyteller.get(page))
    assert "Failure: 0 of 1, 1 needed." in text
    assert "in the bin" in text
    followed = re.search(r'aria-labelledby="acts" data-follows="([^"]*)"', text)[1].split(",")
    assert {f"proposals {cid}", f"character {cid}"} <= {*followed}
    verbs.restore(cid, person("cid"), new_key())
    text = html_of(storyteller.get(page))
    assert "Failure" not in text
    assert "waiting" in text


def test_lately_stays_while_every_character_is_in_the_bin(storyteller, campaign, party):
    send(storyteller, campaign, "mark", party, name="Seen")
    for name, one in party.items():
        verbs.throw_away(one.pk, person(name), new_key())
    assert "Mark Seen: Bo and Cid." in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_the_verdict_says_when_too_few_rolled_for_a_group(storyteller, campaign, party):
    quint = first_level(person("dan"), name="Quint")
    sits(campaign, person("dan"), name="Dan")
    seats.bring(campaign.pk, person("dan"), quint.pk)
    ask(storyteller, campaign, {**party, "dan": quint}, rule="group")
    answer("dan", quint, way="no")
    for name, faces in {"bo": "6 6 1", "cid": "1 1 1"}.items():
        assert answer(name, party[name], faces=faces).status_code == 303
    assert "1 of 2 succeed. That is too few for a group." in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


@pytest.mark.parametrize("do", ["propose", "look"])
def test_a_group_of_two_is_not_asked(storyteller, campaign, party, do):
    refused = send(storyteller, campaign, "roll", party, do, roll="skill.athletics", target="12", rule="group")
    assert refused.status_code == 422
    assert "A group needs at least 3 characters. Choose another way to count." in html_of(refused)
    assert not PartyAct.objects.exists()


def test_real_dice_that_do_not_fit_are_refused_where_they_were_typed(storyteller, campaign, party):
    ask(storyteller, campaign, party)
    refused = answer("bo", party["bo"], faces="6 6 6 6 6 6")
    assert refused.status_code == 422
    assert 'role="alert"' in html_of(refused)
    assert 'value="6 6 6 6 6 6"' in html_of(refused)


def test_a_hidden_difficulty_reaches_no_player(storyteller, campaign, party):
    ask(storyteller, campaign, party, target=SECRET, hidden="on")
    answer("bo", party["bo"], faces="5 5 1")
    for page in ("", "history/", "rolls/"):
        text = html_of(browser_of("bo").get(f"{party['bo'].get_absolute_url()}{page}"))
        assert not says(without_tokens(text), SECRET), page
    assert SECRET not in str([one.sent for one in Proposal.objects.all()])
    assert f"Difficulty {SECRET}, hidden" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    assert "fails" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_a_game_has_its_own_words_for_the_number_to_reach(storyteller, campaign, party, monkeypatch):
    def named(bundle, target):
        return f"{ {number: name for name, number in asking.ladder(bundle)}[target] } to do"

    ask(storyteller, campaign, party, target="12")
    assert "Difficulty 12." in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    monkeypatch.setattr(asking, "in_words", named)
    text = html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    assert "Average to do." in text
    assert "Difficulty 12" not in text


def test_only_the_ways_to_count_that_the_game_has_are_offered(storyteller, campaign, party, monkeypatch):
    page = f"/campaigns/{campaign.pk}/act/roll/"
    assert "As a group: at least half must succeed" in html_of(storyteller.get(page))
    monkeypatch.setattr(asking, "GROUP", "")
    text = html_of(storyteller.get(page))
    assert "As a group" not in text
    assert "Against each other: the highest wins" in text
    refused = send(storyteller, campaign, "roll", party, "propose", roll="skill.athletics", rule="group")
    assert refused.status_code == 422
    assert "Choose how the rolls count." in html_of(refused)


def test_a_contest_has_a_winner(storyteller, campaign, party):
    ask(storyteller, campaign, party, rule="contest", target="")
    answer("bo", party["bo"], faces="1 2 1")
    answer("cid", party["cid"], faces="5 4 1")
    assert "Cid wins." in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_the_winner_of_a_contest_between_two_of_one_name_has_their_players_name(storyteller, campaign, party):
    Character.objects.filter(pk__in=[one.pk for one in party.values()]).update(name="Mara")
    ask(storyteller, campaign, party, rule="contest", target="")
    answer("bo", party["bo"], faces="1 2 1")
    answer("cid", party["cid"], faces="5 4 1")
    assert "Mara (Cid) wins." in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


@pytest.mark.parametrize("do", ["propose", "look"])
def test_a_contest_is_asked_of_two_at_least(storyteller, campaign, party, do):
    sent = {"roll": "check.strength", "rule": "contest"}
    refused = send(storyteller, campaign, "roll", {"bo": party["bo"]}, do, **sent)
    assert refused.status_code == 422
    assert 'id="act-to-error" role="alert">Tick at least two.<' in html_of(refused)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("way", ["", "9", "-1", "two", "1e1"])
def test_an_unknown_way_to_answer_is_not_found(storyteller, campaign, party, way):
    ask(storyteller, campaign, party)
    assert answer("bo", party["bo"], way=way).status_code == 404
    assert not Change.objects.filter(verb="roll").exists()


def test_the_table_takes_as_many_queries_for_six_as_for_two(storyteller, campaign, party):
    ask(storyteller, campaign, party)
    send(storyteller, campaign, "mark", party, name="x")

    def queries():
        storyteller.get(f"/campaigns/{campaign.pk}/")
        with CaptureQueriesContext(
            connection,
        ) as counted:
            storyteller.get(f"/campaigns/{campaign.pk}/")
        return len(counted)

    few = queries()
    more = dict(party)
    for name in ("dan", "eve", "fay", "gus"):
        sits(campaign, person(name), name=name)
        more[name] = first_level(person(name), name=name.title())
        seats.bring(campaign.pk, person(name), more[name].pk)
    ask(storyteller, campaign, more)
    send(storyteller, campaign, "mark", more, name="y")
    assert queries() == few


@pytest.mark.parametrize("sent", [{"roll": "skill.nosuch"}, {"roll": "damage.x"}, {"dice": "40"}, {"roll": "check.x"}])
def test_no_roll_is_asked_of_somebody_who_cannot_make_it(storyteller, campaign, party, sent):
    asked = {"do": "propose", "roll": "check.strength", "target": "12", "rule": "each", **sent}
    refused = send(storyteller, campaign, "roll", party, **asked)
    assert refused.status_code == 422
    assert not Proposal.objects.exists()


def test_a_roll_that_cannot_be_made_any_more_can_be_declined(storyteller, campaign, party):
    ask(storyteller, campaign, {"bo": party["bo"]})
    Proposal.objects.update(sent={"roll": "check.gone", "target": "12"})
    for page in ("", "proposed/"):
        shown = browser_of("bo").get(f"{party['bo'].get_absolute_url()}{page}")
        assert shown.status_code == 200
        assert "asks:" in html_of(shown)
    assert answer("bo", party["bo"], way="no").status_code == 303


def test_a_roll_is_declined_by_the_word_that_the_table_then_reads(storyteller, campaign, party):
    """“Not now” promised that it would wait, and it does not."""
    ask(storyteller, campaign, {"bo": party["bo"]})
    assert "Decline<" in html_of(browser_of("bo").get(party["bo"].get_absolute_url()))
    answer("bo", party["bo"], way="no")
    assert "declined" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_a_roll_stays_as_it_was_made_if_it_had_a_target_of_its_own(storyteller, campaign, party):
    """A game may roll the difficulty that is asked for: then the number to reach is another one."""
    ask(storyteller, campaign, {"bo": party["bo"]})
    dice = opened(party["bo"]).sheet.rolls["check.strength"].dice
    assert answer("bo", party["bo"], faces=" ".join(["5"] * dice)).status_code == 303
    assert "succeeds" in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))
    RollRecord.objects.update(target=99, success=False)
    assert "succeeds" not in html_of(storyteller.get(f"/campaigns/{campaign.pk}/"))


def test_forty_dice_can_be_asked_for_and_rolled(storyteller, campaign, party):
    roll = opened(party["bo"]).sheet.rolls["check.strength"]
    ask(storyteller, campaign, {"bo": party["bo"]}, dice=str(40 - roll.dice))
    assert browser_of("bo").get(party["bo"].get_absolute_url()).status_code == 200
    assert answer("bo", party["bo"]).status_code == 303
