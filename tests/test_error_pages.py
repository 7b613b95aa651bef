import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string

from tests.characters.cast import mira, person
from tests.support.html import html_of

SCRIPT = Path(__file__).parents[1] / "static/js/requests.js"


@pytest.mark.parametrize("status", [400, 403, 404, 405, 429, 500, 503])
def test_an_error_page_needs_no_context(status):
    page = render_to_string(f"{status}.html")
    assert page.count("<h1>") == 1
    assert 'href="/"' in page


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "The site could not read that"),
        (403, "That is not allowed"),
        (429, "Too many tries"),
        (500, "Something went wrong here"),
        (503, "The site is busy, or someone is working on it. Try again in a moment"),
    ],
)
def test_the_page_of_a_failure_and_the_script_say_the_same(status, words):
    assert words in render_to_string(f"{status}.html")
    assert words in SCRIPT.read_text()


def test_the_server_error_page_shows_its_id_and_not_the_header_of_the_site():
    page = render_to_string("500.html", {"error_id": "ab12cd34"})
    assert "ab12cd34" in page
    assert "site-header" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/characters/1/build/name/", "/campaigns/1/seats/bring/", "/characters/start/"])
def test_opening_the_address_of_a_form_gives_405_and_a_link_to_its_page(client, address):
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    page = answer.content.decode()
    assert "There is nothing to open here" in page
    above = re.match(r"/[a-z]+/\d+/", address)
    assert (f'href="{above[0]}"' in page) if above else ("Open the page" not in page)


SHOWS_A_LINK = {
    "/campaigns/1/invites/make/": "/campaigns/1/people/",
    "/campaigns/1/screens/make/": "/campaigns/1/encounter/",
    "/characters/1/share/make/": "/characters/1/share/",
}


@pytest.mark.parametrize("address", SHOWS_A_LINK)
def test_coming_back_to_a_page_that_showed_a_new_link_leads_to_the_page_of_its_form(client, address):
    """Such a page stays open all evening: the browser's Back and a restored tab ask for its address."""
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, SHOWS_A_LINK[address])


@pytest.mark.django_db
def test_who_is_signed_out_finds_the_way_to_their_page(client):
    """An email or a bookmark leads to a page that is a 404 until its reader signs in."""
    owner = person()
    address = mira(owner).get_absolute_url()
    page = html_of(client.get(address))
    assert "If your account may see it, sign in first." in page
    assert "A character without an account opens only in the browser that made it" in page
    assert "If someone sent you the link, check that you have all of it." in page
    assert f'<a class="button" href="/accounts/login/?next={address}">Sign in</a>' in page
    client.force_login(person("bo").user)
    page = html_of(client.get(address))
    assert "There is nothing here" in page
    assert "Sign in" not in page
