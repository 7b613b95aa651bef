"""Links that are shown once: a press copies them, and without script a field shows them."""

import pytest
from playwright.sync_api import expect

from campaigns.verbs import campaigns
from characters.people import Person
from tests.characters.cast import new_key
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WHERE = {
    "campaigns/{table}/people/": ("Make an invite", "The new invite"),
    "campaigns/{table}/encounter/": ("Make a screen", "The new screen"),
    "characters/{character}/share/": ("Make a link", "The new link"),
}


@pytest.fixture(params=WHERE)
def made(request, ana, base):
    """The address of a page, its button that makes a link, and the label of the link."""
    table = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    return (f"/{request.param.format(table=table.pk, character=base.split('/')[2])}", *WHERE[request.param])


def test_a_press_copies_the_link(new_page, sound, ana, made):
    path, button, label = made
    page = new_page(user=ana)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(path)
    page.get_by_role("button", name=button).click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.get_by_label(label).input_value()
    sound(page)


def test_without_a_clipboard_the_press_selects_the_link(new_page, ana, made):
    path, button, label = made
    page = new_page(user=ana)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(path)
    page.get_by_role("button", name=button).click()
    page.get_by_role("button", name="Copy", exact=True).click()
    link = page.get_by_label(label).input_value()
    assert page.evaluate("getSelection().toString()") == link


def test_without_script_the_link_has_no_copy_button(new_page, ana, made):
    path, button, label = made
    page = new_page(user=ana, script=False)
    page.goto(path)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_hidden()
    link = page.get_by_label(label).input_value()
    assert page.goto(link).status == 200
    assert page.url == link


@pytest.mark.parametrize("script", [True, False])
def test_the_new_link_has_the_focus_and_is_in_sight(new_page, ana, made, script):
    path, button, label = made
    page = new_page(width=PHONE, user=ana, script=script)
    page.goto(path)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_label(label)).to_be_focused()
    expect(page.get_by_label(label)).to_be_in_viewport()
