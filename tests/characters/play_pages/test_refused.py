"""A refused form: the sentence stands once on the page, and the page begins at the first field with an error."""

import json
from html.parser import HTMLParser

import pytest

from .actions import CASES, ready

pytestmark = pytest.mark.full

REFUSED = sorted(slug for slug, case in CASES.items() if case.wrong)
PAGES = {
    "rest": ("spend-rest-die", "long-rest", "begin-rest"),
    "history": ("undo", "mark"),
    "pool": ("purchase-together",),
    "downtime": ("spend-downtime",),
}
# The field that the page begins at; for other actions no field is wrong, and it begins at the sentence.
FIRST = {
    "take-damage": "amount", "heal": "amount", "change-health": "amount", "adjust": "amount",
    "add-condition": "condition", "spend-rest-die": "faces", "death-save": "faces",
    "long-rest": "strenuous_minutes", "spend-downtime": "days", "nudge-elsewhere": "whose", "declare": "aspect",
    "compel": "aspect", "regain": "points", "move": "feet", "notice": "stealth", "fall": "feet",
    "add-item": "custom", "purchase-together": "ranks", "add-aspect": "kind", "add-relationship": "based_on",
    "add-spell": "damage",
    "add-note": "text", "edit": "text", "mark": "name",
}  # fmt: skip
VOID = {"input", "link", "meta", "br", "img", "hr"}


class Drawn(HTMLParser):
    """The part of a page that a reader meets: elements with their attributes, and whether they are folded away."""

    def __init__(self, html):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        folded = any(one == "details" and "open" not in had or "hidden" in had for one, had in self.open)
        self.elements.append((tag, attrs, folded))
        if tag not in VOID:
            self.open.append((tag, attrs))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def first(self):
        return [one for one in self.elements if "autofocus" in one[1]]


def asking(player, slug):
    """The fields of a form that is refused, after the steps before it."""
    ready(player, slug)
    page = next((page for page, slugs in PAGES.items() if slug in slugs), "")
    return {**CASES[slug].wrong, "page": page}


@pytest.mark.parametrize("slug", REFUSED)
def test_a_refusal_without_script_focuses_the_wrong_field_or_the_sentence(player, slug):
    response = player.send(slug, htmx=False, **asking(player, slug))
    html = response.content.decode()
    (found,) = Drawn(html).first()
    tag, attrs, folded = found
    assert not folded, "what is folded away cannot have the focus"
    if slug in FIRST:
        assert attrs["name"] == FIRST[slug]
        assert attrs["aria-invalid"] == "true"
        assert f'id="{attrs["aria-describedby"].split()[0]}"' in html
    else:
        assert (tag, attrs["role"], attrs["tabindex"]) == ("p", "alert", "-1")


@pytest.mark.parametrize("slug", REFUSED)
def test_a_refusal_shows_its_sentence_once_announces_it_and_keeps_what_was_typed(player, slug):
    asked = asking(player, slug)
    for htmx in (False, True):
        response = player.send(slug, htmx=htmx, **asked)
        elements = Drawn(response.content.decode()).elements
        if slug in FIRST:
            ((tag, attrs, _),) = [one for one in elements if one[1].get("aria-invalid") == "true"]
            typed = asked[FIRST[slug]]
            kept = attrs.get("value") == typed or f">{typed}</textarea>" in response.text
            assert kept or tag == "select"  # whose options have no such answer
        alerts = [one for one in elements if one[1].get("role") == "alert"]
        sentences = [attrs for _, attrs, _ in alerts if attrs.get("class") == "field-error"]
        assert len(sentences) == 1, sentences
        if htmx:
            assert response.status_code == 422
            assert "autofocus" not in response.content.decode()
            assert [*json.loads(response.headers["HX-Trigger"])] == ["refused"]  # `say` would announce it twice


def test_a_refused_form_keeps_choices_and_ticks(player):
    fields = {"condition": "condition:stunned", "until": "long-rest", "rounds": "many"}
    html = player.send("add-condition", htmx=False, **fields).content.decode()
    assert '<option value="condition:stunned" selected>' in html
    assert '<option value="long-rest" selected>' in html
    html = player.send("take-damage", htmx=False, amount="x", type="fire", critical="on").content.decode()
    assert '<option value="fire" selected>' in html
    assert 'name="critical" checked' in html
    html = player.send("roll", htmx=False, roll="skill.athletics", side="advantage", target="x").content.decode()
    assert 'value="advantage" checked' in html
    assert 'value="" checked' not in html


def test_a_page_without_a_refusal_sets_no_focus(player):
    for below in ("", "rest/", "downtime/", "history/", "pool/", "rolls/", "glance/"):
        assert not Drawn(player.get(below).content.decode()).first()
