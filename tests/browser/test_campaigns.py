"""A table from beginning to end by three people, two of them without an account: every page is accessible and fits,
and every step works without script."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from campaigns.verbs import (
    campaigns,
    creatures,
    encounters,
    membership,
    pairings,
    seats,
    table_rules,
    turn_order,
)
from characters.people import Person
from tests.campaigns.fights import WOLF
from tests.campaigns.seated import sits
from tests.characters.cast import new_key, person
from tests.support.browser import PHONE, WIDE
from tests.support.characters import owned_by, put_xp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_a_storyteller_invites_and_a_guest_rolls(new_page, ana, script):
    owned_by(ana, name="Borrin")
    lead = new_page(user=ana, script=script)
    lead.goto("/campaigns/")
    lead.get_by_role("link", name="Lead a campaign").click()
    lead.get_by_label("Name").fill("Saltmarsh")
    lead.get_by_role("button", name="Begin the campaign").click()
    lead.get_by_role("button", name="Prepare it").click()
    expect(lead.locator(".roster")).to_contain_text("waiting for a player")
    lead.get_by_text("Menu", exact=True).click()
    lead.get_by_role("link", name="People and invites").click()
    lead.get_by_role("button", name="Make an invite").click()
    link = lead.get_by_label("The new invite").input_value()

    nell = new_page(width=PHONE, script=script)
    nell.goto(link)
    nell.get_by_label("Your name").fill("Nell")
    nell.get_by_label("Borrin").check()
    nell.get_by_role("button", name="Join").click()
    nell.get_by_role("button", name="Roll initiative").click()
    expect(nell.locator("#rolled")).to_contain_text("Initiative")

    lead.goto(nell.url.partition("#")[0].partition("?")[0])
    lead.locator("#hit-amount").fill("2")
    lead.locator("#hit-damage").click()
    expect(lead.locator("#latest")).to_contain_text("2 damage")
    lead.goto("/campaigns/")
    lead.get_by_role("link", name="Saltmarsh").click()
    expect(lead.locator(".roster")).to_contain_text("2 damage")
    expect(lead.locator(".roster")).to_contain_text("Nell")
    lead.get_by_text("Menu", exact=True).click()
    lead.get_by_role("link", name="People and invites").click()
    lead.get_by_role("button", name="Remove Nell").click()
    answer = nell.goto(nell.url.partition("#")[0].partition("?")[0])
    assert answer.status == 404
    assert "404" in new_page.complaints.pop()


def test_every_page_of_a_table_is_accessible_and_fits(new_page, sound, ana):
    who, visitor = Person(ana), new_page()
    visitor.goto("/campaigns/")
    sound(visitor)
    campaign = campaigns.create(who, new_key(), name="The long name of a table that meets by the Saltmarsh lighthouse")
    for name in ("Borrin", "A character with a rather long name"):
        seats.bring(campaign.pk, who, owned_by(ana, name=name).pk)
    page, base = new_page(user=ana), campaign.get_absolute_url()
    share = f"{owned_by(ana).get_absolute_url()}share/"
    for path in ("/campaigns/", "/campaigns/begin/", base, f"{base}people/", f"{base}settings/", share):
        page.goto(path)
        sound(page)
    page.get_by_role("button", name="Make a link").click()
    sound(page)
    page.goto(f"{base}people/")
    page.get_by_role("button", name="Make an invite").click()
    sound(page)
    visitor.goto(page.get_by_label("The new invite").input_value())
    sound(visitor)


@pytest.mark.parametrize("script", [True, False])
def test_a_guest_continues_on_another_device(new_page, sound, ana, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    token = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
    laptop, phone = new_page(script=script), new_page(width=PHONE, script=script)
    laptop.goto(f"/join/{token}/")
    laptop.get_by_label("Your name").fill("Nell")
    laptop.get_by_role("button", name="Join").click()
    laptop.get_by_role("link", name="Continue on another device").click()
    laptop.get_by_role("button", name="Make a link").click()
    expect(laptop.get_by_role("button", name="Delete this link")).to_be_visible()
    if script:
        sound(laptop)
    phone.goto(laptop.get_by_label("The new link").input_value())
    if script:
        sound(phone)
    phone.get_by_role("button", name="Take the seat").click()
    expect(phone.get_by_text("You sit here as Nell now")).to_be_visible()
    assert laptop.goto(campaign.get_absolute_url()).status == 404
    assert "404" in new_page.complaints.pop()
    lead = new_page(user=ana)
    lead.goto(f"{campaign.get_absolute_url()}people/")
    if script:
        sound(lead)
    lead.get_by_role("button", name="Another device for Nell").click()
    expect(lead.get_by_role("heading", name="Another device for Nell")).to_be_visible()


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_an_invite_and_its_button_are_on_one_line(new_page, ana, width):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    membership.make_invite(campaign.pk, Person(ana), new_key(), role="co-storyteller", most=10, days=90)
    page = new_page(width=width, user=ana)
    page.goto(f"/campaigns/{campaign.pk}/people/")
    button = page.get_by_role("button", name="Delete").bounding_box()
    words = page.get_by_text("For 10 more, as co-storyteller").bounding_box()
    assert button["y"] < words["y"] + words["height"]
    assert button["x"] > words["x"] + words["width"] - 1


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_who_waits_for_a_player_is_beside_the_face_and_so_is_the_button(new_page, ana, width):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(campaign.pk, Person(ana), owned_by(ana, name="Borrin").pk)
    token = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=10, days=90)
    bo = User.objects.create_user("bo", "bo@example.com", "a long password")
    membership.join(token, Person(bo), name="Bo")
    page = new_page(width=width, user=bo)
    page.goto(campaign.get_absolute_url())
    row = page.locator(".shelf-lines > li")
    face = row.locator(".face").bounding_box()
    middle = face["y"] + face["height"] / 2
    for one in (row.locator(".soft"), row.get_by_role("button", name="Play Borrin")):
        box = one.bounding_box()
        assert box["x"] > face["x"] + face["width"]
        assert box["y"] < face["y"] + face["height"]
    assert box["y"] < middle < box["y"] + box["height"]


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_below_the_party_a_wide_screen_has_two_columns(new_page, ana, width):
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    page = new_page(user=ana, width=width)
    page.goto(made.get_absolute_url())
    left, right = (page.locator(f"#{heading}").bounding_box() for heading in ("bring", "begin"))
    assert (left["y"] == right["y"]) == (width == WIDE)
    assert (left["x"] < right["x"]) == (width == WIDE)


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_the_boxes_of_a_roster_stand_on_the_edge_of_the_page(new_page, ana, width):
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seats.bring(made.pk, Person(ana), owned_by(ana, name="Borrin").pk)
    page = new_page(user=ana, width=width)
    page.goto(made.get_absolute_url())
    assert page.get_by_label("Borrin").bounding_box()["x"] == page.locator(".roster").bounding_box()["x"]


def test_a_spectator_has_no_empty_column(new_page, ana):
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    token = membership.make_invite(made.pk, Person(ana), new_key(), role="spectator", most=1, days=1)
    bo = User.objects.create_user("bo", "bo@example.com", "a long password")
    membership.join(token, Person(bo), name="Bo")
    page = new_page(user=bo)
    page.goto(made.get_absolute_url())
    assert page.locator("#people").bounding_box()["x"] == page.locator(".page-head").bounding_box()["x"]


@pytest.mark.parametrize("width", [PHONE, 768, WIDE])
def test_diamonds_and_bars_are_below_their_number(new_page, ana, width):
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    seated = owned_by(ana, name="Borrin")
    put_xp(seated.pk, Person(ana), 2000)  # level 3, with three Stamina Dice
    seats.bring(made.pk, Person(ana), seated.pk)
    page = new_page(user=ana)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(made.get_absolute_url())
    counts = page.locator(".roster-figures dd:has(.pip, .bar)")
    assert [count.locator(".pip").count() for count in counts.all()] == [0, 1, 3]
    for count in counts.all():
        number, *signs = (one.bounding_box() for one in (count.locator("b"), *count.locator(".pip, .bar").all()))
        assert len({sign["y"] for sign in signs}) == 1
        assert signs[0]["y"] >= number["y"] + number["height"] - 4


def test_what_changes_stays_open_where_it_was_asked_for_by_the_button(new_page, ana):
    """On a phone, too, where it is folded until somebody asks; a press loads the page anew."""
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    page = new_page(user=ana, width=PHONE)
    page.goto(f"{campaign.get_absolute_url()}rules/")
    expect(page.locator("#preview")).to_be_hidden()
    page.get_by_label("Fumbles").select_option("on")
    page.locator("#preview").click()
    page.wait_for_load_state()
    expect(page.locator("#save")).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_the_menu_of_a_table_is_in_sight_on_a_phone(new_page, axe, ana, script):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    page = new_page(width=PHONE, user=ana, script=script)
    page.goto(campaign.get_absolute_url())
    page.get_by_text("Menu", exact=True).click()
    for name in ("People and invites", "House rules", "Homebrew", "Files", "Print", "Settings"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    if script:
        axe(page)
    page.get_by_role("link", name="Files", exact=True).click()
    page.wait_for_url("**/files/")


@pytest.mark.parametrize("width", [360, 390, 1024])
def test_the_links_of_a_table_move_nothing_when_one_appears(new_page, ana, width):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    table_rules.decide(campaign.pk, Person(ana), new_key(), switches={"relationships": "on"}, sources=())
    bo, cid = person("bo"), person("cid")
    for one in (bo, cid):
        sits(campaign, one)
    pages = [new_page(width=PHONE, user=user) for user in (ana, bo.user)]
    heights = [set(), set()]

    def look(*links):
        for page, found in zip(pages, heights, strict=True):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(campaign.get_absolute_url())
            for link in links:
                expect(page.get_by_role("link", name=link)).to_be_visible()
            found.add(page.locator(".table-head").bounding_box()["height"])

    look("Notes")
    borrin, ilien = owned_by(bo.user, name="Borrin"), owned_by(cid.user, name="Ilien")
    seats.bring(campaign.pk, bo, borrin.pk)
    look("Relationships")
    seats.bring(campaign.pk, cid, ilien.pk)
    look("Relationships", "Buy together")
    pairings.propose(campaign.pk, Person(ana), new_key(), pairings.BY_HAND, chosen=[borrin.pk, ilien.pk])
    look("Relationships", "Buy together")
    assert "1 to answer" in pages[1].get_by_role("link", name="Relationships").text_content()
    assert [len(found) for found in heights] == [1, 1]


def test_of_a_long_order_a_laptop_shows_one_row_from_the_present_turn_on(new_page, ana):
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    for name in ("Borrin", "Ilien", "Ysolde"):
        seats.bring(campaign.pk, Person(ana), owned_by(ana, name=name).pk)
    encounters.begin(campaign.pk, Person(ana), new_key())
    creatures.create(campaign.pk, Person(ana), new_key(), many=12, hidden=False, **WOLF)
    for saw in range(9):
        turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=saw)
    page = new_page(user=ana)
    page.set_viewport_size({"width": WIDE, "height": 800})
    page.goto(campaign.get_absolute_url())
    turns = page.locator(".turns")
    assert turns.bounding_box()["height"] <= 44
    expect(turns.locator("li").first).to_have_attribute("aria-current", "true")
    expect(turns.locator("li").first).to_be_in_viewport(ratio=1)
    expect(turns.locator("li")).to_have_count(15)
    second, hand = page.locator(".roster-row").nth(1).bounding_box(), page.locator(".hand").bounding_box()
    assert second["y"] + second["height"] < hand["y"]
