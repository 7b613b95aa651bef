"""Others' turns and hits appear by themselves: at the table, and on its screen, which needs only its link."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from campaigns.models import Screen
from campaigns.verbs import (
    campaigns,
    combatants,
    creature_actions,
    creatures,
    encounters,
    membership,
    screens,
    seats,
    turn_order,
)
from characters.introductions import note_read
from characters.models import Character
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.browser import PHONE
from tests.support.characters import owned_by
from tests.support.streaming import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign(ana):
    """Ana's table with two characters of Bo's in an encounter."""
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    bo = Person(User.objects.create_user("bo", "bo@example.com", "a long password"))
    token = membership.make_invite(made.pk, Person(ana), new_key(), role="player", most=1, days=1)
    membership.join(token, bo, name="Bo")
    for name in ("Borrin", "Ysolde"):
        seats.bring(made.pk, bo, owned_by(bo.user, name=name).pk)
    encounters.begin(made.pk, Person(ana), new_key())
    return made


def test_others_turns_and_hits_appear_without_a_press(new_page, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    player, television = new_page(user=bo, width=PHONE), new_page()
    player.goto(f"{address}{campaign.get_absolute_url()}encounter/")
    token = screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="numbers")
    television.goto(f"{address}/screen/{token}/")
    until(lambda: len(application.hub.all()) == 2)
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    expect(player.get_by_role("heading", name="It’s your turn, Borrin")).to_be_visible()
    expect(television.locator("h1")).to_have_text("Borrin")
    borrin = Character.objects.get(name="Borrin", owner=bo)
    left = television.locator(".screen-line", has_text="Borrin").locator("b")
    before = int(left.inner_text())
    play.take_damage(borrin.pk, Person(ana), new_key(), amount=2)
    expect(left).to_have_text(str(before - 2))
    expect(player.locator(".fight-line", has_text="Borrin").locator(".fight-state b")).to_have_text(str(before - 2))
    player.get_by_role("button", name="End my turn").click()
    expect(television.locator("h1")).to_have_text("Ysolde")
    assert television.context.cookies() == []


LONG = "Borrin Ashlar-Wintergreen of the Nine Lanterns"


def test_on_a_sheet_one_status_region_tells_of_the_encounter_and_moves_nothing(opened, ana, campaign):
    bo = User.objects.get(username="bo")
    note_read(Person(bo))
    Character.objects.filter(name="Borrin", owner=bo).update(name=LONG)
    encounters.end(campaign.pk, Person(ana), campaign.encounters.get().pk)
    sheet = opened(bo, Character.objects.get(name="Ysolde", owner=bo).get_absolute_url(), width=PHONE)
    part = sheet.locator("#own-table")
    expect(part).to_contain_text("At the table")
    heights = [part.bounding_box()["height"]]
    part.get_by_role("status").evaluate("one => (window.region = one)")
    encounters.begin(campaign.pk, Person(ana), new_key())
    expect(part).to_contain_text("An encounter begins")
    heights.append(part.bounding_box()["height"])
    for saw, words in enumerate((f"{LONG}’s turn", "It’s your turn", f"{LONG}’s turn")):
        turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=saw)
        expect(part).to_contain_text(words)
        heights.append(part.bounding_box()["height"])
    assert len(set(heights)) == 1
    assert sheet.evaluate("region.isConnected && region.role") == "status"


def test_at_the_encounter_one_status_region_tells_of_all_turns(opened, ana, campaign):
    page = opened(User.objects.get(username="bo"), f"{campaign.get_absolute_url()}encounter/")
    begins = page.get_by_role("status").filter(has_text="An encounter begins")
    begins.evaluate("one => (window.region = one)")
    campaign.encounters.get().combatants.first().delete()  # so that not every turn is Bo's
    bring(campaign, ana, "Wolf", hidden=False)
    for saw, words in enumerate(("It’s your turn, Ysolde", "Wolf", "It’s your turn, Ysolde")):
        turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=saw)
        expect(page.locator("#whose-turn")).to_have_text(words)
        assert page.evaluate("region.isConnected && region.contains(document.getElementById('whose-turn'))")


def test_a_sheet_follows_the_turns_and_ends_its_own_turn(new_page, sound, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    note_read(Person(bo))
    borrin = Character.objects.get(name="Borrin", owner=bo)
    sheet = new_page(user=bo, width=PHONE)
    sheet.goto(f"{address}{borrin.get_absolute_url()}")
    part = sheet.locator("#own-table")
    expect(part).to_contain_text("An encounter begins")
    until(lambda: len(application.hub.all()) == 1)
    sheet.locator("#hit-amount").fill("3")
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    expect(part).to_contain_text("It’s your turn")
    expect(sheet.locator("#hit-amount")).to_have_value("3")
    sound(sheet)
    height = part.bounding_box()["height"]
    part.get_by_role("button", name="End my turn").click()
    expect(part).to_contain_text("Ysolde’s turn")
    expect(part.get_by_role("button")).to_have_count(0)
    assert part.bounding_box()["height"] == height  # nothing moves under a thumb when a turn begins or ends
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=2)
    expect(part).to_contain_text("round 2")
    part.get_by_role("button", name="End my turn").click()
    expect(part).to_contain_text("Ysolde’s turn")
    encounters.end(campaign.pk, Person(ana), campaign.encounters.get().pk)
    expect(part).to_have_text("At the table Saltmarsh")


REFUSED = [("ana", "Health of Borrin", "Damage Borrin"), ("bo", "Initiative of Borrin", "Save")]


@pytest.mark.parametrize(("user", "field", "name"), REFUSED)
def test_a_refused_amount_keeps_its_sentence_while_others_act(opened, ana, campaign, user, field, name):
    page = opened(User.objects.get(username=user), f"{campaign.get_absolute_url()}encounter/")
    form = page.locator("form", has=page.get_by_label(field)).first
    form.get_by_label(field).fill("many")
    form.get_by_role("button", name=name).click()
    sentence = form.locator(".field-error")
    expect(sentence).to_contain_text("whole number")
    combatants.remove(campaign.pk, Person(ana), campaign.encounters.get().combatants.last().pk)
    expect(page.get_by_label(field.replace("Borrin", "Ysolde"))).to_have_count(0)
    expect(sentence).to_contain_text("whole number")
    expect(form.get_by_label(field)).to_have_value("many")
    expect(form.get_by_label(field)).to_have_attribute("aria-invalid", "true")
    form.get_by_label(field).fill("2")
    form.get_by_role("button", name=name).click()
    expect(sentence).to_have_count(0)


def test_the_link_of_a_new_screen_stays_while_others_act(opened, ana, campaign):
    page = opened(ana, f"{campaign.get_absolute_url()}encounter/")
    page.get_by_role("button", name="Make a screen").click()
    link = page.get_by_label("The new screen")
    expect(link).to_be_focused()
    shown = link.input_value()
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    expect(page.locator(".turn-words")).to_contain_text("Borrin")
    expect(link).to_have_value(shown)


def test_a_removed_member_is_shown_that_the_table_is_gone(new_page, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    table, sheet = new_page(user=bo), new_page(user=bo)
    table.goto(f"{address}{campaign.get_absolute_url()}")
    sheet.goto(f"{address}{Character.objects.get(name='Borrin', owner=bo).get_absolute_url()}")
    until(lambda: len(application.hub.all()) == 2)
    membership.remove(campaign.pk, Person(ana), campaign.members.get(user=bo).pk)
    expect(table.get_by_role("heading", name="Saltmarsh")).to_have_count(0)
    expect(sheet.locator("#own-table")).to_have_count(0)
    expect(sheet.get_by_role("heading", name="Borrin")).to_be_visible()
    new_page.complaints.clear()  # the table was not found


def test_without_script_the_turn_ends_from_the_sheet(new_page, ana, campaign):
    bo = User.objects.get(username="bo")
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    sheet = new_page(user=bo, script=False)
    sheet.goto(Character.objects.get(name="Borrin", owner=bo).get_absolute_url())
    sheet.get_by_role("button", name="End my turn").click()
    expect(sheet.locator("#own-table")).to_contain_text("Ysolde’s turn")
    sheet.get_by_role("link", name="Encounter, round 1").click()
    expect(sheet.get_by_role("heading", name="It’s your turn, Ysolde")).to_be_visible()


def test_a_deleted_table_disappears_from_the_open_pages_of_its_people(new_page, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    table, sheet = new_page(user=bo), new_page(user=bo)
    table.goto(f"{address}{campaign.get_absolute_url()}")
    borrin = Character.objects.get(name="Borrin", owner=bo)
    sheet.goto(f"{address}{borrin.get_absolute_url()}")
    until(lambda: len(application.hub.all()) == 2)
    campaigns.throw_away(campaign.pk, Person(ana))
    expect(table.get_by_role("heading", name="Saltmarsh")).to_have_count(0)
    expect(sheet.locator("#own-table")).to_have_count(0)
    expect(sheet.get_by_role("heading", name="Borrin")).to_be_visible()
    new_page.complaints.clear()  # the table was not found


def test_an_open_log_follows_changes_within_its_filters(new_page, sound, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    borrin, ysolde = (Character.objects.get(name=name, owner=bo) for name in ("Borrin", "Ysolde"))
    log = new_page(user=ana, width=PHONE)
    log.goto(f"{address}{campaign.get_absolute_url()}log/?character={borrin.pk}")
    log.get_by_label("Kind").select_option(index=1)  # not sent yet; it must be kept
    until(lambda: len(application.hub.all()) == 1)
    play.take_damage(ysolde.pk, Person(bo), new_key(), amount=3)
    play.take_damage(borrin.pk, Person(bo), new_key(), amount=2)
    expect(log.locator(".log")).to_contain_text("2 damage")
    expect(log.locator(".log")).not_to_contain_text("3 damage")
    assert log.get_by_label("Kind").input_value()
    sound(log)


def bring(campaign, ana, name, **how):
    kind = creatures.create(campaign.pk, Person(ana), new_key(), many=1, name=name, vital=10, **how)
    return kind.combatants.get()


def test_a_creature_appears_on_a_screen_only_when_it_is_shown(new_page, ana, campaign, site):
    address, application = site
    television = new_page()
    token = screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="numbers")
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    television.goto(f"{address}/screen/{token}/")
    until(lambda: len(application.hub.all()) == 1)
    answers = []
    television.on("response", lambda answer: answers.append(answer))
    witch = bring(campaign, ana, "Canary-witch", hidden=True)
    wolf = bring(campaign, ana, "Wolf", hidden=False)
    expect(television.locator(".screen-line", has_text="Wolf")).to_be_visible()
    creature_actions.hit(campaign.pk, Person(ana), new_key(), wolf.pk, amount=3, heal=False)
    expect(television.locator(".screen-line", has_text="Wolf").locator("b")).to_have_text("7")
    parts = [answer.text() for answer in answers if "/screen/" in answer.url and answer.status == 200]
    assert len(parts) > 1
    assert "Canary" not in "".join(parts) + television.content()
    combatants.show_or_hide(campaign.pk, Person(ana), witch.pk, hidden=False)
    expect(television.locator(".screen-line", has_text="Canary-witch")).to_be_visible()  # the control


def test_a_screen_shows_nothing_once_its_link_has_ended(new_page, ana, campaign, site):
    address, application = site
    token, other = (screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="bars") for _ in range(2))
    ended, standing = new_page(), new_page()
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    ended.goto(f"{address}/screen/{token}/")
    standing.goto(f"{address}/screen/{other}/")
    until(lambda: len(application.hub.all()) == 2)
    expect(ended.locator("h1")).to_have_text("Borrin")
    screens.end_screen(campaign.pk, Person(ana), Screen.objects.earliest("pk").pk)
    expect(ended.locator("h1")).to_have_text("There is nothing here")
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=1)
    expect(standing.locator("h1")).to_have_text("Ysolde")
    expect(ended.locator("h1")).to_have_text("There is nothing here")
    assert new_page.complaints
    assert all("404" in one and token in one for one in new_page.complaints)  # from its requests after the link ended
    new_page.complaints.clear()


def test_a_screen_follows_a_change_from_numbers_to_bars_and_then_to_words(new_page, ana, campaign, site):
    address, application = site
    token = screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="numbers")
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    television = new_page()
    television.goto(f"{address}/screen/{token}/")
    until(lambda: len(application.hub.all()) == 1)
    expect(television.locator(".screen-vital b")).to_have_count(2)
    expect(television.locator("progress")).to_have_count(0)
    screens.change_screen(campaign.pk, Person(ana), Screen.objects.get().pk, vitals="bars")
    expect(television.locator("progress")).to_have_count(2)
    expect(television.locator(".screen-vital b")).to_have_count(0)
    screens.change_screen(campaign.pk, Person(ana), Screen.objects.get().pk, vitals="words")
    expect(television.locator(".screen-vital")).to_have_text(["Unhurt", "Unhurt"])
    expect(television.locator("progress, .screen-vital b")).to_have_count(0)


def test_without_script_a_screen_is_loaded_again_by_its_link(new_page, ana, campaign, site):
    token = screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="bars")
    television = new_page(script=False)
    television.goto(f"{site[0]}/screen/{token}/")
    expect(television.locator("h1")).to_have_text(campaign.name)
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    television.get_by_role("link", name="Reload").click()
    expect(television.locator("h1")).to_have_text("Borrin")
