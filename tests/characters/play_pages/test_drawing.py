"""The drawing of regions: what players write is escaped, a wrong name is an error, each form has its own key."""

import re

import pytest
from jinja2 import UndefinedError

from characters.pages.drawing import draw
from tests.support.html import html_of

from .actions import HURT

WORDS = "\"><script>alert(1)</script> & 's"
ASKED = ("downtime/", "roll/skill.athletics/?target=1", "history/1/")
PAGES = ("", "glance/", "rest/", "pool/", "history/", "rolls/", *ASKED)
KEY = re.compile(r'name="key" value="([^"]+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def written(player):
    """Answers and pages after `WORDS` were written in every field that takes text."""
    yield player.send("roll", roll="skill.athletics", faces="2 4", target="12")
    yield player.send("add-note", text=WORDS)
    yield player.send("add-aspect", kind="flaw", text=WORDS)
    yield player.send("add-relationship", other=WORDS, based_on="bond", text=WORDS, agreed="on")
    yield player.send("add-item", custom=WORDS)
    yield player.send("add-condition", condition="condition:poisoned", source=WORDS)
    yield player.send("regain", points="0", reason=WORDS)
    yield player.send("edit", address=f"note:{player.row('note')}", was="x", text=WORDS)
    yield player.send("set-quantity", item=WORDS, quantity=WORDS)
    yield player.send("roll", htmx=False, roll="skill.athletics", target=WORDS)
    yield player.send("mark", name=WORDS, page="history")
    yield from (player.get(below) for below in PAGES)


def test_words_of_players_are_escaped(player):
    text = "".join(response.content.decode() for response in written(player))
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 30
    assert "<script>alert" not in text
    assert "&amp;lt;" not in text, "escaped twice"


def test_an_undefined_name_in_a_template_is_an_error():
    with pytest.raises(UndefinedError):
        draw("games/polyhedral/play/_health.jinja", {"base": "/"})


def test_every_form_of_an_answer_has_a_key_of_its_own_and_all_have_one_token(player):
    for slug, fields in HURT:
        html = player.send(slug, version="of long ago", **fields).content.decode()
        keys, tokens = KEY.findall(html), TOKEN.findall(html)
        assert len(keys) == len(set(keys)) == len(tokens) > 10
        assert len(set(tokens)) == 1


def test_keys_differ_from_answer_to_answer(player):
    first, second = (set(KEY.findall(player.get(below).content.decode())) for below in ("rest/", "rest/"))
    assert first
    assert first.isdisjoint(second)


def test_a_count_is_explained_by_its_own_words(player):
    """Rally is a count of the core rules themselves, whose summary says nothing about it."""
    page = html_of(player.get(""))
    assert "An action in a fight, once per long rest." in page
    assert "What every character has, and what every table uses." not in page
