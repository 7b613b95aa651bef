"""Words of the rules that can be pressed: each opens a sentence about it and a link to the rule."""

import pytest
from django.contrib.auth.models import User

from characters.pages.rule_links import linked, term
from rules.models import Stat, Term
from rules.publications import publish
from tests.characters.play.table import seated
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db
PASSIVE = "/rules/polyhedral/term/passive/"
WHAT = "The number that an attack against you must reach to hit."


@pytest.fixture
def base(client):
    ana = User.objects.create_user("ana")
    client.force_login(ana)
    return owned_by(ana).get_absolute_url()


def test_the_explanation_of_a_number_says_what_it_is(client, base):
    for htmx in ({}, {"hx-request": "true"}):
        page = client.get(f"{base}explain/defense/", headers=htmx).content.decode()
        assert page.count(WHAT) == 1
        assert "/rules/polyhedral/rules/armor-and-defense/" in page


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("modifier.mind", "What an ability adds to your rolls."),
        ("rank.mind", "How far you have come in one thing"),
        ("skill.stealth", "3D+4 is three six-sided dice with 4 added"),
        ("initiative", "The roll that decides who acts first"),
        ("wound-threshold", "A lasting injury from one big hit."),
    ],
)
def test_the_explanations_of_ranks_modifiers_and_rolls_say_what_they_are(client, base, key, words):
    assert words in client.get(f"{base}explain/{key}/").content.decode()


def test_a_number_without_a_term_shows_only_its_reasons(client, base):
    assert "explanation-what" not in client.get(f"{base}explain/reach/").content.decode()


def test_a_term_opens_as_a_page_and_with_htmx_as_a_panel(client):
    seated()
    page, panel = client.get(PASSIVE), client.get(PASSIVE, headers={"hx-request": "true"})
    assert "Glossary" in page.content.decode()
    for answer in (page, panel):
        assert "The total you get without rolling" in answer.content.decode()
        assert "HX-Request" in answer.headers["Vary"]
    assert "<html" not in panel.content.decode()
    assert "/rules/polyhedral/rules/passive-checks/" in panel.content.decode()


def test_a_word_that_is_not_in_the_glossary_is_plain_text(client, base):
    bundle = client.get(base).context["live"].bundle
    assert term("Passive", bundle) == f'<a class="why term" href="{PASSIVE}">Passive</a>'
    assert term("Mod", bundle, "modifier") == '<a class="why term" href="/rules/polyhedral/term/modifier/">Mod</a>'
    assert term("<b>", bundle) == "&lt;b&gt;"


def test_the_words_of_a_link_are_escaped(client, base):
    opened = client.get(base).context["live"]
    assert ">&lt;b&gt;</a>" in term("<b>", opened.bundle, "modifier")
    assert ">&lt;b&gt;</a>" in linked("<b>", "ability:mind", opened)


def test_a_published_edit_of_a_term_shows_on_the_sheet(client, base):
    Term.objects.filter(slug="defense").update(summary="As hard to hit as this.")
    publish(Stat.objects.get(key="defense").source)
    page = client.get(f"{base}explain/defense/").content.decode()
    assert "As hard to hit as this." in page
    assert WHAT not in page


def test_a_count_on_the_sheet_says_what_it_is(client, base):
    page = client.get(base).content.decode()
    assert "Points that bend the story your way." in page
    assert page.count("A lasting injury from one big hit.") == 1
