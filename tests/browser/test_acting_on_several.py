"""The storyteller acts on several characters at once: counted presses, rolls that are asked for, one undo."""

import re

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns, membership, seats
from characters.models import Character
from characters.people import Person
from tests.characters.cast import facts, new_key
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(ana, django_user_model):
    """Ana leads; Bo, Cid, Dan and Eve each play a character with their own name."""
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    for name in ("Bo", "Cid", "Dan", "Eve"):
        user = django_user_model.objects.create_user(name.lower(), f"{name.lower()}@example.com")
        invite = membership.make_invite(campaign.pk, Person(ana), new_key(), role="player", most=1, days=1)
        membership.join(invite, Person(user), name=name)
        seats.bring(campaign.pk, Person(user), owned_by(user, name=name).pk)
    return campaign


def lost(*names):
    return [facts(Character.objects.get(name=name)).get("spent:health", 0) for name in names]


@pytest.mark.parametrize("script", [True, False])
def test_damage_to_four_with_one_halved_takes_four_presses_and_one_undo(new_page, ana, table, script):
    page = new_page(user=ana, script=script)
    page.goto(table.get_absolute_url())
    page.locator("#hand").get_by_label("Everyone").check()  # 1
    page.locator("#hand").get_by_role("button", name="Damage").click()  # 2
    page.get_by_label("How much").fill("6")
    page.get_by_label("Half for Cid").check()  # 3
    page.get_by_role("button", name="Do it").click()  # 4
    expect(page.locator(".acts")).to_contain_text("Damage 6: Bo, Cid (half), Dan and Eve.")
    assert lost("Bo", "Cid", "Dan", "Eve") == [6, 3, 6, 6]
    page.get_by_role("button", name="Undo for all").first.click()
    expect(page.locator(".acts")).to_contain_text("Undone: Damage 6")
    assert lost("Bo", "Cid", "Dan", "Eve") == [0, 0, 0, 0]


def test_escape_closes_the_further_acts(new_page, ana, table):
    page = new_page(user=ana)
    page.goto(table.get_absolute_url())
    more = page.locator(".hand-more")
    more.locator("summary").click()
    more.get_by_role("button").last.focus()
    page.keyboard.press("Escape")
    expect(more).not_to_have_attribute("open", "")
    expect(more.locator("summary")).to_be_focused()


def test_the_preview_of_a_deadly_hit_fits_a_phone(new_page, sound, ana, table):
    page = new_page(user=ana, width=PHONE)
    page.goto(f"{table.get_absolute_url()}act/take-damage/?everyone=on")
    page.get_by_label("How much").fill("30")
    page.get_by_role("button", name="See what it does").click()
    expect(page.locator(".act-one", has_text="Unarmed strike").first).to_be_visible()
    sound(page)


@pytest.mark.parametrize("script", [True, False])
def test_the_chances_that_were_asked_for_are_in_view_on_a_phone(new_page, ana, table, script):
    page = new_page(user=ana, width=PHONE, script=script)
    page.goto(f"{table.get_absolute_url()}act/roll/?everyone=on")
    page.get_by_label("Difficulty", exact=False).first.fill("12")
    page.get_by_role("button", name="Show the chances").click()
    expect(page.locator(".act-ahead").first).to_be_in_viewport()
    expect(page.get_by_role("group", name="For", exact=True)).to_be_focused()


@pytest.mark.parametrize("script", [True, False])
def test_whoever_is_unticked_is_left_out(new_page, ana, table, script):
    page = new_page(user=ana, script=script)
    page.goto(f"{table.get_absolute_url()}act/take-damage/?everyone=on")
    expect(page.get_by_label("Everyone at the table")).to_be_checked(checked=script)
    page.get_by_role("checkbox", name="Cid", exact=False).first.uncheck()
    expect(page.get_by_label("Everyone at the table")).not_to_be_checked()
    page.get_by_label("How much").fill("6")
    page.get_by_role("button", name="Do it").click()
    expect(page.locator(".acts")).to_contain_text("Damage 6: Bo, Dan and Eve.")
    assert lost("Bo", "Cid", "Dan", "Eve") == [6, 0, 6, 6]


@pytest.mark.parametrize("script", [True, False])
def test_everyone_means_those_who_have_a_player(new_page, ana, table, script):
    seats.bring(table.pk, Person(ana), owned_by(ana, name="Quint").pk)
    page = new_page(user=ana, script=script)
    page.goto(table.get_absolute_url())
    page.locator("#hand-everyone").check()
    page.locator("#hand").get_by_role("button", name="Damage").click()
    expect(page.locator("input[name=to]:checked")).to_have_count(4)
    expect(page.get_by_role("checkbox", name="Quint", exact=False).first).not_to_be_checked()
    page.get_by_role("checkbox", name="Everyone").check()
    page.get_by_label("How much").fill("6")
    page.get_by_role("button", name="Do it").click()
    expect(page.locator(".acts")).to_contain_text("Damage 6: Bo, Cid, Dan and Eve.")


def test_experience_for_all_takes_three_presses(new_page, ana, table):
    page = new_page(user=ana)
    page.goto(table.get_absolute_url())
    page.locator("#hand-everyone").check()
    page.locator("#hand").get_by_role("button", name="XP").click()
    page.get_by_label("XP", exact=True).fill("100")
    page.get_by_label("XP", exact=True).press("Enter")
    expect(page.locator(".acts")).to_contain_text("XP 100: Bo, Cid, Dan and Eve.")


def test_a_character_ticked_in_the_roster_stays_ticked(new_page, ana, table):
    page = new_page(user=ana)
    page.goto(table.get_absolute_url())
    page.locator(".roster-row").filter(has_text="Dan").get_by_role("checkbox").check()
    page.locator("#hand").get_by_role("button", name="Heal").click()
    expect(page.locator("input[name=to]:checked")).to_have_count(1)
    expect(page.get_by_label("Everyone at the table")).not_to_be_checked()


@pytest.mark.parametrize("script", [True, False])
def test_a_roll_is_asked_for_answered_on_a_phone_and_counted(new_page, sound, ana, table, django_user_model, script):
    lead = new_page(user=ana, script=script)
    lead.goto(table.get_absolute_url())
    for name in ("Bo", "Cid"):
        lead.locator(".roster-row").filter(has_text=name).get_by_role("checkbox").check()
    lead.locator("#hand").get_by_role("button", name="Ask for a roll").click()
    lead.get_by_label("Roll", exact=True).select_option("Awareness")
    lead.get_by_role("combobox", name="Difficulty").fill("4")
    lead.get_by_label("One success is enough").check()
    lead.get_by_role("button", name="Show the chances").click()
    expect(lead.locator(".act-chances")).to_contain_text("At least one succeeds")
    if script:
        sound(lead)
    lead.get_by_role("button", name="Ask", exact=True).click()
    expect(lead.locator(".act-answers")).to_contain_text("waiting")

    bo = new_page(user=django_user_model.objects.get(username="bo"), width=PHONE, script=script)
    bo.goto(Character.objects.get(name="Bo").get_absolute_url())
    expect(bo.locator("#proposed")).to_contain_text("against 4")
    if script:
        sound(bo)
    bo.locator("#proposed").get_by_role("button", name="Roll").first.click()
    expect(bo.locator("#latest")).to_contain_text("rolls Awareness")
    expect(bo.locator("#proposed")).to_be_hidden()

    lead.goto(table.get_absolute_url())
    expect(lead.locator(".done-act").first).to_contain_text("Cid waiting")
    if script:
        sound(lead)


@pytest.mark.parametrize("script", [True, False])
def test_every_act_can_be_reached_on_a_phone_and_on_a_wide_screen(new_page, sound, ana, table, script):
    """A phone has three in the bar, a wide screen has the frequent ones, and the rest are under More. None shows
    twice."""
    page = new_page(user=ana, width=PHONE, script=script)
    page.goto(table.get_absolute_url())
    bar = page.locator("#hand")
    assert bar.get_by_role("button").all_inner_texts() == ["Ask for a roll", "Damage", "Heal"]
    bar.get_by_text("More").click()
    texts = bar.get_by_role("button").all_inner_texts()
    assert {"Damage", "Heal", "Resolve", "Condition", "Item", "XP", "Long rest", "Mark"} <= set(texts)
    assert len(set(texts)) == len(texts)
    for one in bar.get_by_role("button").all():
        one.scroll_into_view_if_needed()
        box = one.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE
    bar.get_by_role("button", name="XP").click()
    expect(page).to_have_url(re.compile("/act/"))

    wide = new_page(user=ana, script=script)
    wide.goto(table.get_absolute_url())
    bar = wide.locator("#hand")
    often = ["Ask for a roll", "Damage", "Heal", "Resolve", "Condition", "Item", "XP"]
    assert bar.get_by_role("button").all_inner_texts() == often
    bar.get_by_text("More").click()
    texts = bar.get_by_role("button").all_inner_texts()
    assert len(set(texts)) == len(texts)
    assert {*often, "Mark"} < set(texts)
