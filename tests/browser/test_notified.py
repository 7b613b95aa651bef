"""The header says how many things wait for a player, and one page leads to each, with script and without."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.verbs import party_acts, seats, session_dates
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import first_level, new_key, person
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_number_in_the_header_leads_to_each_notification_and_its_answer(new_page, sound, script):
    campaign, bo = saltmarsh(), person("bo")
    sits(campaign, bo)
    character = first_level(bo)
    seats.bring(campaign.pk, bo, character.pk)
    session_dates.schedule(campaign.pk, person(), at=timezone.now() + timedelta(days=3), minutes=240, place="Nell’s")
    party_acts.do_to_several(
        campaign.pk, person(), new_key(), "take_damage", {"amount": "4"}, {character.pk: ""}, proposed=True
    )
    page = new_page(width=PHONE, script=script, user=bo.user)
    page.goto("/")
    number = page.get_by_role("link", name="Notifications:")
    before = int(number.inner_text().rpartition(" ")[2].rpartition(":")[2])
    number.click()
    listed = page.locator(".notifications > li")
    expect(listed).to_have_count(before)
    if script:
        sound(page)
    page.get_by_role("button", name="Seen").click()
    expect(listed).to_have_count(before - 1)
    line = listed.filter(has_text="A proposal is waiting for your answer.")
    line.get_by_role("link").click()
    waiting = page.get_by_role("region", name="Waiting for your answer")
    waiting.locator("button[value=no]").click()
    expect(waiting).to_be_hidden()
    page.goto("/notifications/")
    expect(line).to_have_count(0)


def test_on_a_small_phone_the_links_with_their_number_take_one_line(new_page):
    campaign, bo = saltmarsh(), person("bo")
    sits(campaign, bo)
    session_dates.schedule(campaign.pk, person(), at=timezone.now() + timedelta(days=3), minutes=240, place="Nell’s")
    page = new_page(user=bo.user)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/campaigns/")  # the page that one is on has a bolder and so a wider link
    expect(page.get_by_role("link", name="Notifications:")).to_be_visible()
    links = [one.bounding_box() for one in page.locator(".site-nav > a, .site-nav summary").all()]
    assert len({one["y"] for one in links}) == 1
