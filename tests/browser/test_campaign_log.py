"""The log and the notes of a table are accessible, fit, and work with script and without."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.verbs import campaign_notes, party_acts, seats
from campaigns.verbs import campaigns as table
from campaigns.verbs import session_marks as marks
from campaigns.verbs.membership import join, make_invite
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign(ana):
    who = Person(ana)
    made = table.create(who, new_key(), name="The long name of a table that meets by the Saltmarsh lighthouse")
    for name in ("Borrin", "A character with a rather long name"):
        character = owned_by(ana, name=name)
        seats.bring(made.pk, who, character.pk)
        play.take_damage(character.pk, who, new_key(), amount=1)
        play.roll(character.pk, who, new_key(), roll="initiative", secret=True)
    return made


@pytest.mark.parametrize("script", [True, False])
def test_a_change_is_undone_and_a_session_marked(new_page, ana, campaign, script):
    page = new_page(user=ana, width=PHONE, script=script)
    page.goto(campaign.get_absolute_url())
    page.get_by_role("link", name="Log", exact=True).click()
    page.get_by_label("Character").select_option("Borrin")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".log .history-row")).to_have_count(2)
    page.get_by_role("button", name=re.compile("Undo.*damage")).click()
    expect(page.locator(".log .is-undone")).to_have_count(1)
    expect(page.locator(".log .history-row")).to_have_count(3)
    page.get_by_label("Name").fill("Session 1")
    page.get_by_role("button", name="Set a mark now").click()
    page.get_by_role("link", name="Session 1").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Session 1")


@pytest.mark.parametrize("script", [True, False])
def test_an_act_on_two_is_opened_and_undone_for_both(new_page, sound, ana, campaign, script):
    borrin, other = (seat.character_id for seat in campaign.seats.order_by("pk"))
    party_acts.do_to_several(
        campaign.pk, Person(ana), new_key(), "take_damage", {"amount": "2"}, {borrin: "", other: ""}
    )
    page = new_page(user=ana, width=PHONE, script=script)
    page.goto(f"{campaign.get_absolute_url()}log/")
    row = page.locator(".log > li", has=page.locator(".log-each"))
    row.locator("summary").click()
    expect(row.locator(".log-each .history-row")).to_have_text([re.compile("rather long name"), re.compile("Borrin")])
    each, whole = row.locator(".log-each").bounding_box(), row.bounding_box()
    assert each["width"] == whole["width"]  # beside the button there is no room for them
    if script:
        sound(page)
        play.take_damage(borrin, Person(ana), new_key(), amount=7)  # somebody else's, told to this page
        expect(page.locator("#live")).to_contain_text("takes 7 damage")
        expect(row.locator(".log-each .history-row").first).to_be_visible()  # it stays open
    row.get_by_role("button", name="Undo for all").click()
    expect(page.locator(".log > .is-undone")).to_have_count(1)


def test_every_page_is_accessible_and_fits(new_page, sound, ana, campaign):
    mark = marks.set_mark(campaign.pk, Person(ana), new_key(), name="Session 1: the lighthouse of Saltmarsh")
    play.take_damage(campaign.seats.first().character_id, Person(ana), new_key(), amount=1)
    page = new_page(user=ana)
    note = campaign_notes.write(campaign.pk, Person(ana), new_key(), text="One\n\nTwo", reader="everyone")
    for path in ("log/", f"log/marks/{mark.pk}/", "notes/", f"notes/{note.pk}/", "print/", "files/", "hand-over/"):
        page.goto(f"{campaign.get_absolute_url()}{path}")
        sound(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_note_edited_by_two_people_shows_both_texts(new_page, sound, ana, campaign, script):
    page = new_page(user=ana, width=PHONE, script=script)
    page.goto(f"{campaign.get_absolute_url()}notes/")
    page.get_by_role("textbox", name="Note").fill("The tide turns at dusk.")
    page.get_by_label("Who sees it").select_option("Everyone at the table")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Edit").click()
    note = campaign.notes.get()
    was = note.digest
    campaign_notes.rewrite(campaign.pk, Person(ana), note.pk, text="At dawn.", reader="storytellers", was=was)
    page.get_by_role("textbox", name="Note").fill("The tide turns at noon.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#theirs + .prose")).to_have_text("At dawn.")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("The tide turns at noon.")
    if script:
        sound(page)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".notes-of-table")).to_contain_text("at noon")


@pytest.mark.parametrize("script", [True, False])
def test_a_note_that_is_shown_waits_for_seen(new_page, sound, ana, campaign, script):
    bo = User.objects.create_user("bo")
    join(make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1), Person(bo), name="bo")
    for text in ("The tide turns at dusk.", "Under the boat lies a chest."):
        campaign_notes.write(campaign.pk, Person(ana), new_key(), text=text, reader="everyone")
    page = new_page(user=bo, width=PHONE, script=script)
    page.goto("/notifications/")
    page.locator(".notifications").get_by_role("link").click()
    expect(page.locator(".notes-of-table .tag", has_text="new")).to_have_count(2)
    if script:
        sound(page)
    page.get_by_role("button", name="Seen").click()
    expect(page.get_by_role("button", name="Seen")).to_have_count(0)
    page.goto("/notifications/")
    expect(page.locator("main")).to_contain_text("Nothing is waiting for you.")
    page.goto(f"{campaign.get_absolute_url()}log/")
    page.get_by_role("link", name="Read it").first.click()
    expect(page.locator(":target")).to_contain_text("Under the boat lies a chest.")
    assert (
        page.evaluate("document.querySelector(':target').getBoundingClientRect().bottom")
        <= page.viewport_size["height"]
    )


@pytest.mark.parametrize("script", [True, False])
def test_the_next_session_shows_its_hour_on_the_site_and_in_the_readers_zone(new_page, sound, ana, campaign, script):
    """And its place; and it leads to a calendar file."""
    page = new_page(user=ana, width=PHONE, script=script, timezone_id="Asia/Tokyo")
    page.goto(campaign.get_absolute_url())
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Next session").click()
    day = timezone.now().date() + timedelta(days=3)
    page.get_by_label("Day").fill(day.isoformat())
    page.get_by_label("Hour, in UTC").fill("20:00")
    page.get_by_label("Where").fill("At Nell’s")
    if script:
        sound(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".next-session")).to_contain_text("20:00 (UTC), At Nell’s")
    own = f"That is {day + timedelta(days=1):%A}, 05:00, where you are."
    expect(page.locator(".next-session").get_by_text(own)).to_have_count(1 if script else 0)
    with page.expect_download() as found:
        page.get_by_role("link", name="Add it to your calendar").click()
    assert found.value.suggested_filename.endswith("-session.ics")
    if script:
        sound(page)


def test_who_did_it_follows_a_long_name_on_the_same_line(new_page, ana):
    who = Person(ana)
    made = table.create(who, new_key(), name="Saltmarsh")
    character = owned_by(ana, name="Wilhelmina Featherstonehaugh of Saltmarsh")
    seats.bring(made.pk, who, character.pk)
    play.take_damage(character.pk, who, new_key(), amount=1)
    page = new_page(user=ana, width=PHONE)
    page.goto(f"{made.get_absolute_url()}log/")
    name = page.locator(".log-what .faint a").first
    ends = name.evaluate("""name => {
      const after = document.createRange();
      after.selectNodeContents(name.nextSibling);
      const lines = one => [...one.getClientRects()];
      return [lines(name).at(-1).bottom - lines(after)[0].bottom, lines(after)[0].left - lines(name).at(-1).right,
        lines(name).length];
    }""")
    padding = name.evaluate("name => parseFloat(getComputedStyle(name).paddingBottom)")
    assert ends == [pytest.approx(padding, abs=1), pytest.approx(0, abs=1), 2]
