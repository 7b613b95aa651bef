"""Words of the rules that can be pressed where they stand: what they are, in a sentence, and the way to the rule."""

import pytest
from django.contrib.auth.models import User

from characters.pages.rule_links import term
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


def test_a_number_says_first_what_it_is(client, base):
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
def test_so_do_ranks_modifiers_and_rolls(client, base, key, words):
    assert words in client.get(f"{base}explain/{key}/").content.decode()


def test_a_number_without_a_term_says_only_its_reasons(client, base):
    assert "explanation-what" not in client.get(f"{base}explain/reach/").content.decode()


def test_a_word_leads_to_its_page_and_beside_it_to_a_sentence(client):
    seated()
    page, panel = client.get(PASSIVE), client.get(PASSIVE, headers={"hx-request": "true"})
    assert "Glossary" in page.content.decode()
    for answer in (page, panel):
        assert "What you reach without rolling" in answer.content.decode()
        assert "HX-Request" in answer.headers["Vary"]
    assert "<html" not in panel.content.decode()
    assert "/rules/polyhedral/rules/passive-checks/" in panel.content.decode()


def test_a_word_that_the_glossary_does_not_have_is_a_word(client, base):
    bundle = client.get(base).context["live"].bundle
    assert term("Passive", bundle) == f'<a class="why term" href="{PASSIVE}">Passive</a>'
    assert term("Mod", bundle, "modifier") == '<a class="why term" href="/rules/polyhedral/term/modifier/">Mod</a>'
    assert term("<b>", bundle) == "&lt;b&gt;"


def test_an_editor_rewrites_it_and_every_sheet_says_so(client, base):
    Term.objects.filter(slug="defense").update(summary="As hard to hit as this.")
    publish(Stat.objects.get(key="defense").source)
    page = client.get(f"{base}explain/defense/").content.decode()
    assert "As hard to hit as this." in page
    assert WHAT not in page


def test_a_count_says_what_it_is_when_it_is_opened(client, base):
    page = client.get(base).content.decode()
    assert "Points that bend the story your way." in page
    assert page.count("A lasting injury from one big hit.") == 1
