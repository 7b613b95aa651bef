"""A player chooses emails about rolls; the email about one leads to the sheet, and can end them all."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db.models import F
from playwright.sync_api import expect

from campaigns.verbs import party_acts, seats
from characters.models import Change, Proposal
from polyhedral_site.models import MailChoice
from polyhedral_site.notification_mail import write_due
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import first_level, new_key, person
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_an_email_about_a_roll_leads_to_the_sheet_and_ends_all_emails(new_page, sound, settings, live_server, script):
    settings.SITE_URL = live_server.url
    campaign, bo = saltmarsh(), person("bo")
    sits(campaign, bo)
    character = first_level(bo)
    seats.bring(campaign.pk, bo, character.pk)
    page, check = new_page(width=PHONE, script=script, user=bo.user), sound if script else lambda page: None

    page.goto("/notifications/")
    page.get_by_role("link", name="Get them by email").click()
    expect(page.get_by_text("once you have confirmed it")).to_be_visible()
    check(page)
    bo.user.emailaddress_set.create(email="bo@example.com", verified=True, primary=True)
    page.reload()
    page.get_by_label("Rolls waiting for you").select_option("Soon")
    check(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Rolls waiting for you")).to_have_value("soon")

    asked = {"roll": "skill.athletics", "target": "12"}
    party_acts.do_to_several(campaign.pk, person(), new_key(), "roll", asked, {character.pk: ""})
    for model, moment in ((Change, "at"), (Proposal, "made_at"), (MailChoice, "since")):
        model.objects.update(**{moment: F(moment) - 2 * HOUR})
    assert write_due() == 1
    (sent,) = mail.outbox
    sheet, _, end = re.findall(r"^http.*", sent.body, re.M)
    page.goto(sheet)
    waits = page.get_by_role("region", name="Waiting for your answer")
    expect(waits).to_be_visible()

    anybody = new_page(script=script)
    anybody.goto(end)
    check(anybody)
    anybody.get_by_role("button", name="Stop them").click()
    expect(anybody.get_by_role("heading", name="You will get no more of these emails")).to_be_visible()
    check(anybody)
    anybody.goto(f"{end[:-9]}/")
    expect(anybody.get_by_role("heading", name="This link does not work")).to_be_visible()
    check(anybody)
    assert "404" in new_page.complaints.pop()
    page.goto("/accounts/notifications/")
    expect(page.get_by_label("Rolls waiting for you")).to_have_value("never")
