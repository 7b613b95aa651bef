import re

import pytest

from characters.models import Character
from characters.samples import add_samples
from rules.games import GAMES
from rules.packs.load import load_rules
from tests.games import pebbles
from tests.support.html import html_of


@pytest.fixture
def front_page(client, db):
    add_samples()
    return html_of(client.get("/"))


def press(client, page, action):
    """Send the front page's form with this action, with its own hidden key."""
    form = re.search(rf'<form method="post" action="{action}">.*?</form>', page)[0]
    key = re.search(r'name="key" value="(\w+)"', form)[1]
    return client.post(action, {"key": key})


@pytest.mark.parametrize("action", ["/characters/start/", "/characters/surprise/"])
def test_a_press_on_the_front_page_makes_a_character(client, front_page, action):
    response = press(client, front_page, action)
    assert response.status_code == 303
    assert client.get(response.url).status_code == 200
    assert Character.objects.filter(sample="").count() == 1


def test_every_sample_can_be_read_and_copied(client, front_page):
    samples = Character.objects.exclude(sample="")
    assert len(samples) == 3
    for sample in samples:
        assert f'href="/samples/{sample.sample}/">{sample.name}</a>' in front_page
        assert press(client, front_page, f"/samples/{sample.sample}/copy/").status_code == 303
    assert Character.objects.filter(sample="").count() == 3


def test_without_samples_nothing_links_to_them(client, db):
    assert "#samples" not in html_of(client.get("/"))


def test_the_front_page_has_the_picture_of_the_first_game_that_brings_one(front_page):
    """Pebbles, the game of the tests, brings none."""
    assert len(GAMES) > 1
    assert front_page.count('class="front-picture') == 1


def test_the_front_page_names_each_game_that_is_here(client, db):
    assert "role-playing game Polyhedral. Choose" in " ".join(html_of(client.get("/")).split())
    load_rules(pebbles.PACK)
    assert "role-playing games Polyhedral and Pebbles. Choose" in " ".join(html_of(client.get("/")).split())
