"""An evening at the table, on a phone and on a wide screen, with script and without: a fight, a rest, some things."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE
from tests.support.characters import kept_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ana():
    return User.objects.create_user("ana", "ana@example.com")


@pytest.fixture
def base(ana):
    return kept_by(ana).get_absolute_url()


def health(page):
    return page.locator("#vitals .health .vital-value")


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("script", [True, False])
def test_an_evening(new_page, axe, ana, base, width, script):
    page = new_page(width=width, script=script, user=ana)
    look = (lambda: axe(page)) if script else (lambda: None)
    page.goto(base)
    assert page.locator("#hit-damage").bounding_box()["y"] < page.viewport_size["height"]

    # A fight.
    page.locator("#hit-amount").fill("4")
    page.locator("#hit-damage").click()
    expect(health(page)).to_have_text(re.compile("6 of 10"))
    look()
    page.locator("#hit-amount").fill("-1")
    page.locator("#hit-amount").press("Enter")
    expect(health(page)).to_have_text(re.compile("5 of 10"))
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    expect(page.locator("#rolled .die")).to_have_count(3)
    look()
    page.locator("#condition-more > summary").click()
    page.locator("#condition-what").select_option("condition:poisoned")
    page.locator("#condition-add").click()
    expect(page.locator("#conditions .held")).to_contain_text("Poisoned")
    look()
    page.locator("#hit-amount").fill("many")
    page.locator("#hit-damage").click()
    expect(page.locator("#hit-refused")).to_contain_text("Type an amount")
    expect(page.locator("#hit-amount")).to_have_value("many")
    look()
    page.locator("#hit-amount").fill("5")
    page.locator("#hit-damage").click()
    expect(page.locator("#down")).to_contain_text("Dying")
    look()
    page.locator("#undo-latest").click()
    expect(health(page)).to_have_text(re.compile("5 of 10"))

    # A rest, die by die.
    page.goto(f"{base}rest/")
    look()
    page.locator("#begin-short").click()
    expect(page.locator("#now-title")).to_have_text("Short rest")
    page.locator("#rest-face").fill("3")
    page.locator("#rest-die-go").click()
    expect(page.locator(".rest-state")).to_contain_text("10 of 10 health")
    look()
    page.locator("#finish-rest-go").click()
    expect(page.locator("#begin-short")).to_be_visible()

    # Things, and the history of it all.
    page.goto(base)
    page.get_by_text("Add something").click()
    page.locator("#add-thing-custom").fill("A silver key")
    page.locator("#add-thing").get_by_role("button", name="Add it").click()
    expect(page.locator("#equipment")).to_contain_text("A silver key")
    page.goto(f"{base}history/")
    expect(page.locator(".history-row").first).to_contain_text("A silver key")
    look()


def test_focus_stays_and_counts_add_up(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    less = page.locator("#adjust-resolve-less")
    less.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#adjust-resolve-to")).to_have_value("0")
    expect(less).to_be_focused()
    for _ in range(3):
        page.locator("#adjust-wounds-more").click()
    expect(page.locator("#adjust-wounds-to")).to_have_value("3")


def test_another_device_follows_and_leaves_alone_what_is_being_written(new_page, ana, base):
    here, there = new_page(user=ana), new_page(user=ana)
    here.goto(base)
    there.goto(base)
    here.locator("#hit-amount").fill("12")
    there.locator("#hit-amount").fill("3")
    there.locator("#hit-damage").click()
    expect(health(here)).to_have_text(re.compile("7 of 10"), timeout=9_000)
    expect(here.locator("#hit-amount")).to_have_value("12")
    expect(here.locator("#hit-amount")).to_be_focused()


def test_keys(new_page, axe, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(page.locator("#hit-amount")).to_be_focused()
    page.keyboard.type("-2")
    page.keyboard.press("Enter")
    expect(health(page)).to_have_text(re.compile("8 of 10"))


def test_what_was_typed_survives_a_server_that_is_gone(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.route("**/play/**", lambda route: route.abort())
    page.locator("#hit-amount").fill("4")
    page.locator("#hit-damage").click()
    expect(page.locator("#banner")).to_contain_text("cannot be reached")
    expect(page.locator("#hit-amount")).to_have_value("4")
    page.unroute("**/play/**")
    page.locator("#hit-damage").click()
    expect(health(page)).to_have_text(re.compile("6 of 10"))
    new_page.complaints.clear()
