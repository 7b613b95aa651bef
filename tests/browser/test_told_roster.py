"""The roster of a table follows its characters, and the table itself, for everyone who has it open."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaign_notes, campaigns, combatants, encounters, membership, seats
from characters import verbs
from characters.people import Person
from tests.campaigns.seated import sits
from tests.characters.cast import new_key, person
from tests.characters.play.table import play
from tests.support.browser import PHONE
from tests.support.characters import owned_by
from tests.support.streaming import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign(ana):
    return campaigns.create(Person(ana), new_key(), name="Saltmarsh")


@pytest.fixture
def borrin(ana, campaign):
    """Ana's character, at her table."""
    character = owned_by(ana, name="Borrin")
    seats.bring(campaign.pk, Person(ana), character.pk)
    return character


def hit(character, who, amount=3):
    play.take_damage(character.pk, Person(who), new_key(), amount=str(amount))


def test_a_row_follows_its_character_for_storyteller_and_player(opened, ana, campaign, borrin, sound):
    bo = person("bo")
    sits(campaign, bo)
    lead = opened(ana, campaign.get_absolute_url())
    player = opened(bo.user, campaign.get_absolute_url(), width=PHONE)
    asked = []
    lead.on("request", lambda request: asked.append(request.url))
    borrins = lead.locator(".roster-row", has_text="Borrin")
    with lead.expect_request("**/log/latest/"):
        hit(borrin, ana)
    expect(borrins).to_contain_text("takes 3 damage")
    expect(lead.locator("#log-latest")).to_contain_text("takes 3 damage")
    parts = [f"{campaign.pk}/seats/{borrin.seat.pk}/", f"{campaign.pk}/log/latest/"]
    assert [url.rpartition("/campaigns/")[2] for url in asked] == parts
    seats.take(campaign.pk, bo, borrin.seat.pk)
    for page in (lead, player):
        expect(page.locator(".roster-row", has_text="Borrin")).to_contain_text("Bo")
    hit(borrin, bo.user, 2)
    for page in (lead, player):
        expect(page.locator(".roster-row", has_text="Borrin")).to_contain_text("takes 2 damage")
    sound(lead)


def test_the_players_sheet_and_the_roster_follow_each_other(opened, ana, campaign, borrin):
    bo = person("bo")
    sits(campaign, bo)
    seats.take(campaign.pk, bo, borrin.seat.pk)
    lead = opened(ana, campaign.get_absolute_url())
    player = opened(bo.user, borrin.get_absolute_url(), width=PHONE)
    player.locator("#hit-amount").fill("-2")
    player.locator("#hit-amount").press("Enter")
    expect(lead.locator(".roster-state")).to_contain_text("takes 2 damage")
    hit(borrin, ana, 1)
    expect(player.locator("#status")).to_contain_text("takes 1 damage")


def test_an_open_table_follows_who_joins_and_leaves(opened, new_page, ana, campaign, borrin):
    lead = opened(ana, campaign.get_absolute_url())
    member = sits(campaign, person("bo"))
    people = lead.locator(".seats")
    expect(people).to_contain_text("Bo player")
    his = owned_by(person("bo").user, name="Nell")
    seats.bring(campaign.pk, person("bo"), his.pk)
    expect(lead.locator(".roster")).to_contain_text("Nell")
    verbs.rename(his.pk, person("bo"), new_key(), name="Nell the second")
    expect(lead.locator(".roster")).to_contain_text("Nell the second")
    membership.remove(campaign.pk, Person(ana), member.pk)
    expect(people).not_to_contain_text("Bo player")
    expect(lead.locator(".roster")).not_to_contain_text("Nell")
    campaigns.describe(campaign.pk, Person(ana), name="Saltmarsh by night", description="", accounts_only=False)
    expect(lead.get_by_role("heading", level=1)).to_have_text("Saltmarsh by night")
    new_page.complaints.clear()  # a row may ask for its character before the table is drawn again: it was not found


def test_the_open_sheets_of_the_others_go_with_a_helper_who_is_removed(opened, new_page, ana, campaign, borrin):
    member = sits(campaign, person("bo"), "co-storyteller")
    page = opened(person("bo").user, borrin.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_have_text("Borrin")
    membership.remove(campaign.pk, Person(ana), member.pk)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Borrin")
    new_page.complaints.clear()  # the sheet was not found


def test_the_storytellers_open_sheet_goes_with_a_character_that_leaves_the_table(opened, new_page, ana, campaign):
    bo = person("bo")
    sits(campaign, bo)
    nell = owned_by(bo.user, name="Nell")
    seat = seats.bring(campaign.pk, bo, nell.pk)
    page = opened(ana, nell.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_have_text("Nell")
    seats.stand_up(campaign.pk, bo, seat.pk)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Nell")
    new_page.complaints.clear()  # the sheet was not found


@pytest.mark.parametrize("by", ["the player", "removed"])
def test_a_sheet_that_was_offline_goes_with_what_its_reader_may_no_longer_see(
    opened, new_page, ana, campaign, by, site
):
    bo, hub = person("bo"), site[1].hub
    sits(campaign, bo)
    member = sits(campaign, person("cid"), "co-storyteller")
    nell = owned_by(bo.user, name="Nell")
    seat = seats.bring(campaign.pk, bo, nell.pk)
    page = opened(person("cid").user, nell.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_have_text("Nell")
    page.route("**/stream/", lambda route: route.abort())
    hub.loop.call_soon_threadsafe(hub.end_all)
    until(lambda: not hub.all())
    if by == "removed":
        membership.remove(campaign.pk, Person(ana), member.pk)
    else:
        seats.stand_up(campaign.pk, bo, seat.pk)
    expect(page.locator("#banner")).to_contain_text("connection is lost")
    page.unroute("**/stream/")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Nell")
    new_page.complaints.clear()  # there was no stream, and then no sheet


def test_the_sheet_of_a_prepared_character_is_only_read_once_its_player_has_stood_up(
    opened, new_page, ana, campaign, borrin
):
    bo = person("bo")
    sits(campaign, bo)
    nell = owned_by(bo.user, name="Nell")
    seats.bring(campaign.pk, bo, nell.pk)
    seats.take(campaign.pk, bo, borrin.seat.pk)
    prepared, own = opened(bo.user, borrin.get_absolute_url()), opened(bo.user, nell.get_absolute_url())
    for seat in (borrin.seat, nell.seat):
        seats.stand_up(campaign.pk, Person(ana), seat.pk)
    expect(prepared.locator("#live")).to_have_count(0)
    expect(prepared.get_by_role("heading", level=1)).to_have_text("Borrin")
    expect(own.locator("#own-table")).to_have_count(0)
    expect(own.locator("#live")).to_be_visible()
    new_page.complaints.clear()  # what was not found


def test_who_leaves_arrives_at_their_tables_though_the_stream_is_faster(opened, new_page, campaign):
    """The answer to the press waits until the page has been told that the table is gone for its reader."""
    bo, held = person("bo"), []
    sits(campaign, bo)
    page = opened(bo.user, campaign.get_absolute_url())
    page.route("**/leave/", lambda route: held.append(route))
    page.get_by_text("Leave this table").click()
    with page.expect_request("**/leave/"):
        page.get_by_role("button", name="Leave", exact=True).click(no_wait_after=True)
    with page.expect_response(lambda response: response.status == 404):
        membership.leave(campaign.pk, bo)
    page.wait_for_timeout(300)  # a reload would have begun
    held[0].fulfill(status=303, headers={"Location": "/campaigns/"})
    expect(page.get_by_role("heading", level=1)).to_have_text("Campaigns")
    new_page.complaints.clear()  # the table was not found


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_leaving_a_table_takes_two_presses(new_page, campaign, script):
    bo = person("bo")
    sits(campaign, bo)
    page = new_page(user=bo.user, script=script)
    page.goto(campaign.get_absolute_url())
    leave = page.get_by_role("button", name="Leave", exact=True)
    expect(leave).to_be_hidden()
    asks = page.get_by_text("Leave this table")
    assert asks.bounding_box()["height"] >= 44
    asks.click()
    expect(page.get_by_text("To come back, you need a new invite.")).to_be_visible()
    assert page.url.endswith(campaign.get_absolute_url())
    leave.click()
    expect(page.get_by_text("You have left the table.")).to_be_visible()


def test_a_deleted_character_disappears_from_the_open_pages_of_its_table_until_it_is_restored(
    new_page, opened, ana, campaign, borrin
):
    bo = person("bo")
    sits(campaign, bo)
    nell = owned_by(bo.user, name="Nell")
    seats.bring(campaign.pk, bo, nell.pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    combatants.bring_seat(campaign.pk, Person(ana), new_key(), borrin.seat.pk)  # nobody plays him
    lead = opened(ana, campaign.get_absolute_url())
    fight = opened(ana, f"{campaign.get_absolute_url()}encounter/")
    for lines in (lead.locator(".roster-row"), fight.locator(".fight-line")):
        expect(lines).to_have_count(2)
    verbs.throw_away(nell.pk, bo, new_key())
    for lines in (lead.locator(".roster-row"), fight.locator(".fight-line")):
        expect(lines).to_have_count(1)
    new_page.complaints.clear()  # Nell's row was not found
    late = opened(bo.user, campaign.get_absolute_url())  # Borrin, who waits for a player, is not on his roster
    verbs.restore(nell.pk, bo, new_key())
    for lines in (lead.locator(".roster-row"), fight.locator(".fight-line")):
        expect(lines).to_have_count(2)
    expect(late.locator(".roster-row")).to_contain_text("Nell")


def test_the_focus_stays_while_rows_move(opened, ana, campaign, borrin):
    lead = opened(ana, campaign.get_absolute_url())
    name = lead.locator(".roster-row").get_by_role("link", name="Borrin")
    name.focus()
    hit(borrin, ana)
    expect(lead.locator(".roster-row")).to_contain_text("takes 3 damage")
    expect(name).to_be_focused()
    sits(campaign, person("bo"))
    expect(lead.locator(".seats")).to_contain_text("Bo player")
    expect(name).to_be_focused()


def test_without_script_a_reload_shows_the_change(new_page, ana, campaign, borrin, site):
    page = new_page(user=ana, script=False)
    page.goto(site[0] + campaign.get_absolute_url())
    hit(borrin, ana)
    page.reload()
    expect(page.locator(".roster-row")).to_contain_text("takes 3 damage")


def test_open_notes_follow_what_others_write_and_keep_the_own_words(opened, ana, campaign, sound):
    eve, bo = person("eve"), person("bo")
    sits(campaign, eve, "co-storyteller", name="Eve")
    sits(campaign, bo)
    path = f"{campaign.get_absolute_url()}notes/"
    helper, player = opened(eve.user, path), opened(bo.user, path, width=PHONE)
    field = helper.get_by_label("Note", exact=True)
    field.press_sequentially("The bridge is out")
    note = campaign_notes.write(campaign.pk, Person(ana), new_key(), text="The baron lies.", reader="everyone")
    for page in (helper, player):
        expect(page.locator(".notes-of-table")).to_contain_text("The baron lies.")
    expect(field).to_have_value("The bridge is out")
    expect(field).to_be_focused()
    sound(player)
    was = note.digest
    campaign_notes.rewrite(campaign.pk, Person(ana), note.pk, text="The baron lies!", reader="everyone", was=was)
    expect(player.locator(".notes-of-table")).to_contain_text("The baron lies!")
    campaign_notes.bin_note(campaign.pk, Person(ana), note.pk)
    expect(player.locator("#live")).to_contain_text("No notes for you yet")
    helper.get_by_label("Who sees it").select_option("everyone")
    helper.get_by_role("button", name="Save").click()
    expect(player.locator(".notes-of-table")).to_contain_text("The bridge is out")


def test_the_new_name_of_a_table_is_in_the_title_as_well(opened, ana, campaign):
    page = opened(ana, campaign.get_absolute_url())
    campaigns.describe(campaign.pk, Person(ana), name="Riverbank", description="", accounts_only=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Riverbank")
    expect(page).to_have_title("Riverbank · Polyhedral")
