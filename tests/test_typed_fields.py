"""Every field that people type in is known to `polyhedral_site/unsent.py`, and no name there is left over."""

import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from polyhedral_site.unsent import BESIDE_ACTIONS, typed_in_actions
from rules.entries import KINDS
from rules.games import GAMES
from tests.support.matrix import MATRIX
from tests.support.visitors import Visitor, url_of

pytestmark = pytest.mark.full

# Typed on one page; on others they name a row, a condition or a level, and are sent along hidden.
NAMES_SOMETHING = {"address", "condition", "level"}
HOUSE_RULE = "rule-"  # named by content; it holds a number from the start, and is sent along hidden


def typed_in(html):
    """The names of the fields that people type in, up to a dot or colon."""
    fields = [field for field in re.findall(r"<(?:input|textarea)[^>]*>", html) if " name=" in field]
    typed = [one for one in fields if not re.search(r'type="(?:hidden|radio|checkbox|file|search)"', one)]
    return {re.split("[.:]", re.search(r' name="([^"]+)"', one)[1])[0] for one in typed}


def addresses(arguments):
    for name, line in MATRIX.items():
        if line.method == "get" and name.startswith(("home", "characters:", "campaigns:")) and "sample" not in name:
            yield url_of(name, {**arguments, **line.where}, "owner")


def further(arguments):
    """More pages, with other arguments."""
    for kind in KINDS:
        yield reverse("characters:homebrew-new", args=["polyhedral", kind])
    for step in ("aspects", "job", "equipment", "review", "abilities"):
        yield reverse("characters:build", args=[arguments["pk"], step]) + "?method=points"
    for deed in GAMES["polyhedral"].play.TOGETHER:
        yield reverse("campaigns:act", args=[arguments["campaign"], deed.action.replace("_", "-")])


def test_the_known_fields_are_those_that_people_type_in(db, sessions, arguments):
    found = typed_in(render_to_string("characters/levels/_question.html", {"question": {"write_in": True, "key": "x"}}))
    owner = Visitor(sessions["owner"])
    answers = [owner.get(url) for url in further(arguments)]
    assert {answer.status_code for answer in answers} == {200}
    answers += [owner.get(url) for url in addresses(arguments)]
    answers.append(Visitor({}).get(url_of("campaigns:join", arguments, "anonymous")))
    for answer in answers:
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            forms = re.findall(r'<form[^>]* method="post".*?</form>', answer.content.decode(), re.S)
            found = found.union(*[typed_in(form) for form in forms if 'name="key"' in form])
    found = {name for name in found - NAMES_SOMETHING if not name.startswith(HOUSE_RULE)}
    assert {"text", "amount", "quantity", "reason"} <= found
    assert found - typed_in_actions() == BESIDE_ACTIONS
