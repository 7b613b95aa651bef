"""A proposal appears on the player's open sheet by itself, and the answer on the storyteller's open table."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, membership, party_acts, seats
from characters import verbs
from characters.people import Person
from tests.characters.cast import new_key, person
from tests.characters.play.table import play
from tests.support.browser import COVERED, PHONE, WIDE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def seated(ana):
    """A table of Ana's, and Borrin, her character there."""
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    character = owned_by(ana, name="Borrin")
    seats.bring(campaign.pk, Person(ana), character.pk)
    return campaign, character


def propose(ana, campaign, character, name="take_damage"):
    to = {character.pk: ""}
    return party_acts.do_to_several(campaign.pk, Person(ana), new_key(), name, {"amount": "2"}, to, proposed=True)


def test_a_proposal_and_its_answer_appear_without_a_reload(opened, ana):
    bo, campaign = person("bo"), campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    invite = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
    membership.join(invite, bo, name="Bo")
    character = owned_by(bo.user, name="Borrin")
    seats.bring(campaign.pk, bo, character.pk)
    sheet = opened(bo.user, character.get_absolute_url(), width=PHONE)
    table = opened(ana, campaign.get_absolute_url())
    expect(sheet.locator("#proposed")).to_be_hidden()

    to = {character.pk: ""}
    party_acts.do_to_several(
        campaign.pk, Person(ana), new_key(), "roll", {"roll": "skill.awareness"}, to, rule="each", target=4
    )
    expect(sheet.locator("#proposed")).to_contain_text("Roll Awareness")
    expect(table.locator(".act-answers")).to_contain_text("waiting")

    sheet.locator("#proposed").get_by_role("button", name="Roll").first.click()
    expect(sheet.locator("#latest")).to_contain_text("rolls Awareness")
    expect(table.locator(".act-answers")).not_to_contain_text("waiting")
    expect(table.locator(".act-answers")).to_contain_text("Borrin")

    made = propose(ana, campaign, character)
    expect(sheet.locator("#proposed")).to_contain_text("Damage 2")
    party_acts.undo(campaign.pk, Person(ana), new_key(), made.pk)
    expect(sheet.locator("#proposed")).to_be_hidden()
    expect(table.locator(".acts")).to_contain_text("Withdrawn: Damage 2")


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("scrolled", [0, 600])
def test_a_proposal_lies_over_the_page_and_moves_nothing(opened, sound, ana, width, scrolled):
    campaign, character = seated(ana)
    sheet = opened(ana, character.get_absolute_url(), width=width)
    sheet.evaluate("y => scrollTo(0, y)", scrolled)
    top = "document.getElementById('attacks').getBoundingClientRect().top"
    before, proposed = sheet.evaluate(top), sheet.locator("#proposed")
    for name in ("take_damage", "heal"):
        made = propose(ana, campaign, character, name)
        expect(proposed.locator("summary").last).to_be_in_viewport()
        expect(proposed.get_by_role("button", name="Accept")).to_have_count(1)  # of the first alone
        expect(proposed.get_by_role("button", name="Accept")).to_be_in_viewport()
        assert abs(sheet.evaluate(top) - before) < 2, name
    sound(sheet)
    before = sheet.evaluate(top)  # it may have scrolled
    party_acts.undo(campaign.pk, Person(ana), new_key(), made.pk)
    expect(proposed.locator("li")).to_have_count(1)
    assert abs(sheet.evaluate(top) - before) < 2


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_at_the_end_of_the_page_a_proposal_covers_neither_the_tray_nor_the_footer(opened, ana, width):
    campaign, character = seated(ana)
    propose(ana, campaign, character)
    sheet = opened(ana, character.get_absolute_url(), width=width)
    expect(sheet.get_by_role("button", name="Accept")).to_be_visible()
    sheet.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    top = sheet.locator("#proposed").bounding_box()["y"]
    for covered in (".tray", ".site-footer .row"):
        box = sheet.locator(covered).last.bounding_box()
        assert box["y"] + box["height"] <= top, covered


def test_on_a_phone_a_proposal_does_not_cover_the_element_with_the_focus(opened, ana):
    campaign, character = seated(ana)
    propose(ana, campaign, character)
    sheet = opened(ana, character.get_absolute_url(), width=PHONE)
    sheet.locator("#skills a").first.focus()
    for _ in range(20):
        sheet.keyboard.press("Shift+Tab")
        assert sheet.evaluate(COVERED, "#proposed") == ""


def test_the_word_of_a_lost_connection_moves_nothing(opened, ana, base):
    sheet = opened(ana, base, width=PHONE)
    before = sheet.locator("#identity").bounding_box()["y"]
    sheet.evaluate("document.dispatchEvent(new CustomEvent('lost'))")
    expect(sheet.get_by_text("The connection is lost.")).to_be_in_viewport()
    assert sheet.locator("#identity").bounding_box()["y"] == before


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_your_own_dice_are_beside_the_buttons_of_a_roll_that_is_asked_for(opened, ana, width):
    campaign, character = seated(ana)
    asked, to = {"roll": "skill.awareness", "target": "12"}, {character.pk: ""}
    party_acts.do_to_several(campaign.pk, Person(ana), new_key(), "roll", asked, to, rule="each")
    one = opened(ana, character.get_absolute_url(), width=width).locator("#proposed li")
    dice = one.get_by_label("Your own dice").bounding_box()
    assert one.get_by_role("button", name="Decline").bounding_box()["y"] == pytest.approx(dice["y"], abs=1)


def test_an_answer_loses_nothing_that_is_typed_elsewhere_on_the_sheet(opened, sound, ana):
    campaign, character = seated(ana)
    asked, to = {"roll": "skill.awareness"}, {character.pk: ""}
    for _ in range(3):
        party_acts.do_to_several(campaign.pk, Person(ana), new_key(), "roll", asked, to, rule="each")
    asked_of = list(character.proposals.order_by("pk"))
    sheet = opened(ana, character.get_absolute_url(), width=PHONE)
    for line in sheet.locator("#proposed details:not([open]) > summary").all()[::-1]:
        line.click()
    sheet.get_by_text("Write something").click()
    sheet.locator("#add-note-text").fill("The drowned king knew the")
    sheet.locator("#hit-amount").fill("4")
    first, second, third = (sheet.locator("#proposed li", has=sheet.locator(f"#faces-{one.pk}")) for one in asked_of)
    second.get_by_label("Your own dice").fill("6 9 6 6 6 6")

    first.get_by_role("button", name="Roll").first.click()
    expect(first).to_have_count(0)
    expect(sheet.locator("#status")).to_contain_text("rolls Awareness")
    expect(sheet.locator("#latest")).to_contain_text("Awareness")
    third.get_by_role("button", name="Decline").click()
    expect(third).to_have_count(0)
    expect(sheet.locator("#status")).to_have_text("Declined.")
    expect(second.get_by_label("Your own dice")).to_have_value("6 9 6 6 6 6")

    second.get_by_role("button", name="Roll").first.click()
    expect(second.locator(".field-error")).to_be_visible()
    expect(second.get_by_label("Your own dice")).to_have_value("6 9 6 6 6 6")
    sound(sheet)
    second.get_by_label("Your own dice").fill("")
    second.get_by_role("button", name="Roll").first.click()
    expect(sheet.locator("#proposed")).to_be_hidden()
    expect(sheet.locator("#add-note-text")).to_have_value("The drowned king knew the")
    expect(sheet.locator("#hit-amount")).to_have_value("4")


def test_an_open_table_sees_that_a_player_undid_their_part_of_an_act_and_did_it_again(opened, ana):
    campaign, character = seated(ana)
    party_acts.do_to_several(campaign.pk, Person(ana), new_key(), "take_damage", {"amount": "2"}, {character.pk: ""})
    table = opened(ana, campaign.get_absolute_url())
    undo = table.locator(".acts").get_by_role("button", name="Undo for all")
    expect(undo).to_be_visible()
    play.undo(character.pk, Person(ana), new_key(), character.changes.first().sequence)
    expect(table.locator(".acts")).to_contain_text("undone")
    expect(undo).to_have_count(0)
    play.undo(character.pk, Person(ana), new_key(), character.changes.first().sequence)
    expect(undo).to_be_visible()


def test_an_open_table_sees_that_a_character_that_is_asked_went_into_the_bin_and_came_back(opened, new_page, ana):
    campaign, character = seated(ana)
    asked = {"roll": "skill.awareness"}
    party_acts.do_to_several(
        campaign.pk, Person(ana), new_key(), "roll", asked, {character.pk: ""}, rule="each", target=4
    )
    answers = opened(ana, campaign.get_absolute_url()).locator(".act-answers")
    expect(answers).to_contain_text("waiting")
    verbs.throw_away(character.pk, Person(ana), new_key())
    expect(answers).to_contain_text("in the bin")
    verbs.restore(character.pk, Person(ana), new_key())
    expect(answers).to_contain_text("waiting")
    new_page.complaints.clear()  # Borrin's row was not found
