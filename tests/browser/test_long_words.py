"""A name, a title or a sentence of one long word wraps, and makes no page wider than a phone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.verbs import campaigns, encounters, membership, pairings, seats, session_dates, table_rules, turn_order
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import HEIGHTS, PHONE, WIDE
from tests.support.characters import document, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "W" * 80
SHEET = ("", "build/origin/", "build/aspects/", "build/review/", "history/", "levels/", "timeline/", "share/", "face/")
SHEET += ("rest/", "introduction/")
TABLE = ("", "people/", "encounter/", "notes/")


def test_a_page_is_as_wide_as_the_phone(new_page, ana):
    choices = {**document("ysolde-marrow")["choices"], "ambassador.languages": ["dwarven", LONG]}
    aspects = [{"kind": "trait", "text": LONG * 3}]
    character = owned_by(ana, "ysolde-marrow", name=LONG, aspects=aspects, choices=choices)
    campaign = campaigns.create(Person(ana), new_key(), name=LONG)
    page = new_page(width=PHONE, user=ana)
    addresses = [character.get_absolute_url() + one for one in SHEET]
    addresses += ["/campaigns/", *(campaign.get_absolute_url() + one for one in TABLE)]
    for address in addresses:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, address


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_a_disposition_a_reason_and_a_place_of_ones_own_fit(new_page, ana, width):
    origin = {**document("ysolde-marrow")["origin"], "disposition": LONG}
    character = owned_by(ana, "ysolde-marrow", origin=origin)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    table_rules.decide(campaign.pk, Person(ana), new_key(), switches={"fumbles": "on"}, sources=())
    seat = seats.bring(campaign.pk, Person(ana), character.pk)
    tomorrow = timezone.now() + timedelta(1)
    session_dates.schedule(campaign.pk, Person(ana), at=tomorrow, minutes=60, place=f"https://meet.example/{LONG}")
    table_rules.except_seat(campaign.pk, Person(ana), seat.pk, reason=LONG * 2)
    page = new_page(width=width, user=ana)
    for address in (character.get_absolute_url(), campaign.get_absolute_url(), campaign.get_absolute_url() + "rules/"):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_a_refusal_that_quotes_a_long_word_fits(new_page, ana, width):
    house_rules = owned_by(ana).get_absolute_url() + "house-rules/"
    page = new_page(width=width, script=False, user=ana)
    for address, field in ((house_rules, "rule-abilityCap"), ("/homebrew/polyhedral/new/talent/", "does")):
        page.goto(address)
        page.locator(f"[name={field}]").evaluate("(one, text) => { one.value = text; one.form.submit(); }", LONG)
        page.locator(".error-summary").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_the_gains_of_many_levels_are_folded_and_fit(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    page.goto(owned_by(ana, "ysolde-marrow", xp=10_000).get_absolute_url() + "level-up/")
    page.locator("#of-itself summary").click()
    assert page.locator("#of-itself li").count() >= 5
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_a_long_note_leaves_room_for_its_refusal(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    page.goto(owned_by(ana, "ysolde-marrow").get_absolute_url())
    page.locator("summary", has_text="Write something").click()
    page.fill("#add-note-text", "word " * 2000)
    page.get_by_role("button", name="Save the note").click()
    refusal = page.locator("#add-note .field-error")
    expect(refusal).to_have_text("That is too long: at most 4,000 characters.")
    top, height = (refusal.bounding_box()[one] for one in ("y", "height"))
    assert top + height < page.locator(".tray").bounding_box()["y"]
    assert page.locator("#add-note-text").bounding_box()["height"] <= HEIGHTS[PHONE] / 2


def test_a_level_taken_by_a_long_name_fits(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    where = owned_by(ana, "ysolde-marrow", name=LONG, xp=1000).get_absolute_url()
    page.goto(f"{where}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_a_notification_from_a_table_with_a_long_name_fits(new_page, ana, django_user_model):
    bo = django_user_model.objects.create_user("bo", "bo@example.com")
    campaign = campaigns.create(Person(ana), new_key(), name=LONG)
    invite = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
    membership.join(invite, Person(bo), name="Bo")
    tomorrow = timezone.now() + timedelta(1)
    session_dates.schedule(campaign.pk, Person(ana), at=tomorrow, minutes=60, place=f"https://meet.example/{LONG}")
    page = new_page(width=PHONE, user=bo)
    page.goto("/notifications/")
    expect(page.locator(".notifications")).to_contain_text(LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_a_turn_a_relationship_and_an_invite_of_long_names_fit(new_page, ana, django_user_model):
    who, campaign = Person(ana), campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    table_rules.decide(campaign.pk, who, new_key(), switches={"relationships": "on"}, sources=())
    invite = membership.make_invite(campaign.pk, who, new_key(), role="player", most=3, days=1)
    people = [django_user_model.objects.create_user(name, f"{name}@example.com") for name in ("bo", "cid", "eve")]
    characters = [owned_by(person, name=LONG) for person in people]
    for person, character in zip(people[:2], characters, strict=False):
        membership.join(invite, Person(person), name="A player")
        seats.bring(campaign.pk, Person(person), character.pk)
    pairings.propose(campaign.pk, who, new_key(), "ring")
    encounters.begin(campaign.pk, who, new_key())
    turn_order.next_turn(campaign.pk, who, new_key(), saw=0)
    table = campaign.get_absolute_url()
    for person, address in (
        (ana, f"{table}encounter/"),
        (people[0], f"{table}relationships/"),
        (people[2], f"/join/{invite}/"),
    ):
        page = new_page(width=PHONE, user=person)
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, address
