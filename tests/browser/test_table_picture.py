"""The storyteller chooses the picture of a table, with script and without."""

import pytest
from playwright.sync_api import expect

from campaigns.models import Campaign
from tests.campaigns.seated import invite, saltmarsh
from tests.characters.cast import person
from tests.support.browser import PHONE
from tests.support.pictures import drawing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_storyteller_chooses_an_emblem_and_then_uploads_a_picture(new_page, sound, script):
    campaign = saltmarsh()
    token = invite(campaign)
    page = new_page(width=PHONE, script=script, user=person().user)
    page.goto(f"{campaign.get_absolute_url()}settings/")
    page.get_by_role("link", name="Choose a picture").click()
    page.get_by_role("button", name="Waves").click()
    expect(page.get_by_role("button", name="Waves")).to_have_attribute("aria-pressed", "true")
    if script:
        sound(page)
    page.get_by_label("A picture").set_input_files({"name": "us.jpg", "mimeType": "image/jpeg", "buffer": drawing()})
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".face-head .face img")).to_be_visible()
    assert Campaign.objects.get().face.startswith("picture:")
    for path in (campaign.get_absolute_url(), "/campaigns/"):
        page.goto(path)
        shown = page.locator(".table-face .face img")
        expect(shown).to_be_visible()
        assert shown.evaluate("image => image.naturalWidth") == 60
        if script:
            sound(page)
    stranger = new_page(width=PHONE, script=script)
    stranger.goto(f"/join/{token}/")
    assert stranger.locator(".table-face .face img").evaluate("image => image.naturalWidth") == 60
    if script:
        sound(stranger)
