"""The sheet as a page: who may read it, what is on it, how many queries it takes."""

import html
import re
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from characters.access import OWNER
from characters.models import Change, Character
from characters.pages.drawing import draw
from characters.pages.sheet.drawn_forms import Forms
from characters.people import Person
from characters.read.open import OpenCharacter
from characters.read.page_cache import form_tokens
from characters.read.versions import Version
from characters.samples import add_samples
from characters.verbs import start
from rules.engine import Build, Bundle
from rules.engine.sheet import Picks, Sheet, Step
from rules.games import polyhedral
from rules.games.polyhedral.present import SheetPage
from tests.support.characters import SAMPLES, owned_by, sheet_of
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
REGIONS = """identity vitals abilities skills knowledges attacks conditions actions equipment proficiencies aspects
    numbers features explanation"""
HURT = {"health": 3, "wounds": 2, "conditions": [{"condition": "poisoned"}], "spent": {"second-wind": 1}}


@pytest.fixture
def page(client, ana):
    """The text of the sheet of a character made from a sample's file with changes: `page(xp=6000)`."""

    def read(slug=SAMPLES[0], **changes):
        client.force_login(ana)
        return client.get(owned_by(ana, slug, **changes).get_absolute_url()).content.decode()

    return read


@pytest.mark.parametrize("slug", SAMPLES)
def test_anybody_may_read_a_sample_and_copy_it(client, slug):
    add_samples()
    text = client.get(f"/samples/{slug}/").content.decode()
    assert Character.objects.get(sample=slug).name in text
    assert "Copy this character" in text
    assert reverse("characters:copy-sample", args=[slug]) in text


def test_each_link_to_a_part_of_the_sheet_leads_to_one_that_is_there(client, ana):
    begun, made = start(Person(ana), "a-key-of-one-just-begun").character, owned_by(ana)
    client.force_login(ana)
    for character, many in ((begun, 4), (made, 5)):
        text = html_of(client.get(character.get_absolute_url()))
        links = re.findall(r'href="#([\w-]+)"', text.partition('id="sections"')[2].partition("</nav>")[0])
        assert len(links) == many
        assert all(f'id="{place}"' in text for place in links)


def test_the_owner_gets_a_link_to_the_builder(page):
    text = page()
    assert "Copy this character" not in text
    assert "/build/origin/" in text


def test_the_level_links_to_the_levels_page_for_players_only(client, ana):
    character = owned_by(ana, "ysolde-marrow", xp=12500)
    client.force_login(ana)
    page = html_of(client.get(character.get_absolute_url()))
    assert f'<a href="{character.get_absolute_url()}levels/">Level 13<' in page
    assert "12,500 XP" in page
    assert "levels/" not in html_of(client.get(reverse("characters:sample", args=["ysolde-marrow"])))


@pytest.mark.parametrize(("xp", "words"), [(12500, "Level 13, 12 to take"), (0, "Level 1")])
def test_the_first_line_says_how_many_levels_wait_to_be_taken(page, xp, words):
    text = page("ysolde-marrow", xp=xp)
    line = re.search(r'/levels/">(Level .*?)</a>', text, re.DOTALL)[1]
    assert re.sub(r"<[^>]+>", "", line) == words


def test_another_persons_character_is_not_found(client, ana):
    url = owned_by(ana).get_absolute_url()
    bo = User.objects.create_user("bo", "bo@example.com", "a long password")
    for visitor in (None, bo):
        if visitor:
            client.force_login(visitor)
        for below in ("", "explain/defense/", "odds/initiative/", "download/"):
            assert client.get(url + below).status_code == 404, below


def test_a_character_in_the_bin_is_not_found(client, ana):
    character = owned_by(ana)
    Character.objects.filter(pk=character.pk).update(binned_at="2026-01-01T00:00Z")
    client.force_login(ana)
    assert client.get(character.get_absolute_url()).status_code == 404


def test_reading_writes_nothing(client, ana):
    character = owned_by(ana)
    client.force_login(ana)
    before = Character.objects.values().get(pk=character.pk), Change.objects.count()
    for below in ("", "explain/defense/", "odds/initiative/", "download/"):
        assert client.get(character.get_absolute_url() + below).status_code == 200
        assert client.post(character.get_absolute_url() + below).status_code == 405
    assert (Character.objects.values().get(pk=character.pk), Change.objects.count()) == before


@pytest.mark.parametrize("below", ["", "explain/defense/", "odds/initiative/"])
def test_the_sheet_and_its_explanations_take_at_most_twelve_queries(client, ana, below, django_assert_max_num_queries):
    url = owned_by(ana, state=HURT).get_absolute_url() + below
    client.force_login(ana)
    client.get(url)
    with django_assert_max_num_queries(12):
        client.get(url)


def test_every_region_has_one_id(page):
    text = page(state=HURT)
    for region in REGIONS.split():
        assert text.count(f'id="{region}"') == 1, region


def test_the_sheet_shows_conditions_and_the_uses_left(page):
    text = page(state=HURT)
    assert "Poisoned" in text
    assert "−2 on every roll" in text
    second_wind = text.partition('id="count-second-wind"')[2].partition("</li>")[0]
    assert "0 of 1 left" in second_wind


def waiting(steps):
    """(circumstance, source) of each step that counts only in a situation, except those of the core rules."""
    return {
        (step.why.removeprefix("when: "), step.source)
        for step in steps
        if step.why.startswith("when: ") and not step.ref.startswith("rules:")
    }


def test_an_amount_that_depends_on_the_situation_is_listed_at_each_roll(ana):
    found = 0
    for slug in SAMPLES:
        bundle, build, sheet = sheet_of(owned_by(ana, slug, state={"conditions": [{"condition": "blinded"}]}))
        rows = [(roll.because, roll.situations) for roll in sheet.rolls.values()]
        rows += [(row.attack.because, row.situations) for row in SheetPage(bundle, build, sheet).attacks]
        for because, situations in rows:
            asked = waiting(because)
            found += len(asked)
            assert all(any(f" {why} ({source})" in text for text in situations) for why, source in asked)
            assert asked or not [text for text in situations if text.endswith(")")]
    assert found


def test_damage_that_depends_on_the_situation_is_listed_at_its_attack(ana):
    bundle, build, sheet = sheet_of(owned_by(ana))
    attack = sheet.attacks[0]
    rage = Step("Rage", "rage", 2, False, "when: the character rages", "damage", "add", (), "feature:rage")
    sheet = replace(sheet, attacks=(attack._replace(because=(*attack.because, rage)),))
    (row,) = SheetPage(bundle, build, sheet).attacks
    assert "+2 damage when the character rages (Rage)" in row.situations


def test_open_choices_link_to_the_builder(page):
    text = page(choices={}, aspects=[])
    assert "Still to choose" in text
    assert "/build/job/#fighter-fighting-style" in text


def test_a_house_rule_that_differs_is_named(page):
    rules = {"sources": ["polyhedral-core"], "switches": {"fighterProgression": "table"}}
    assert 'id="house-rules"' not in page()
    assert "instead of the text" in page(house_rules=rules)


def test_an_empty_character_has_a_sheet(client, ana):
    character = start(Person(ana), "a key of some length").character
    client.force_login(ana)
    text = client.get(character.get_absolute_url()).content.decode()
    assert "Unnamed character" in text
    assert "Strength" in text


def test_text_written_by_players_is_escaped(page):
    text = page(name="<b>Mira</b>", aspects=[{"kind": "trait", "text": "<script>alert(1)</script>"}])
    assert "&lt;b&gt;Mira&lt;/b&gt;" in text
    assert "<script>alert" not in text


def drawn(rf, ana, bundle, build, sheet):
    """The regions of the sheet, as people see them who may only read it."""
    request = rf.get("/")
    request.user = ana
    opened = OpenCharacter(Character(pk=1, name=build.name), Person(ana), OWNER, Version({}, bundle, build))
    page, forms = SheetPage(bundle, build, sheet), Forms(form_tokens(request), opened.base)
    context = {"opened": opened, "character": opened.character, "bundle": bundle, "page": page, "base": opened.base}
    return draw("games/polyhedral/sheet/regions.jinja", {**context, "live": None, "forms": forms})


def regions_in(text):
    return [region for region in REGIONS.split() if f'id="{region}"' in text]


def test_a_full_sheet_can_be_drawn(rf, ana):
    armed = [{"item": "warhammer", "state": "two-hands"}, {"item": "handaxe", "state": "main"}]
    bundle, build, sheet = sheet_of(owned_by(ana, state=HURT, inventory=armed))
    text = drawn(rf, ana, bundle, build, sheet)
    assert regions_in(text) == REGIONS.replace("explanation", "").split()
    assert sheet.problems
    for words in [problem.text for problem in sheet.problems] + [text for _, text in build.aspects]:
        assert words in html.unescape(text)


def test_a_sheet_without_any_decision_or_content_can_be_drawn(rf, ana):
    text = drawn(rf, ana, Bundle("polyhedral", polyhedral.GAME, ()), Build(), Sheet("", 1, Picks(0, 0), solver=None))
    assert regions_in(text) == ["identity", "vitals", "abilities", "skills", "attacks", "equipment", "aspects"]


@pytest.mark.parametrize("drawn", [Forms.act, Forms.to])
def test_a_form_for_an_action_that_no_game_has_is_not_drawn(rf, drawn):
    """With the name of the verb, `take_damage`, it would be answered with a 404."""
    forms = Forms(form_tokens(rf.get("/")), "/characters/1/")
    assert 'action="/characters/1/play/take-damage/"' in drawn(forms, "take-damage")
    with pytest.raises(LookupError, match="take_damage"):
        drawn(forms, "take_damage")
