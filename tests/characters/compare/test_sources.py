"""Sources put in play or left out: previewed first, then saved; choices stay and count again when a source is back."""

import pytest
from django.urls import reverse

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Change
from characters.verbs.leveling import seen
from rules.models import Element, Source
from rules.publications import publish
from tests.characters.cast import facts, new_key, person
from tests.characters.compare.conftest import decide, saw
from tests.characters.play.table import play
from tests.factories import SourceFactory
from tests.support.characters import fresh, sheet_of
from tests.support.html import html_of

pytestmark = pytest.mark.full

IN, OUT = {"source-guild": "in"}, {"source-guild": "out"}
TALENT = "core-rules.level-talent"


@pytest.fixture
def post(ana, character):
    def send(fields, **headers):
        url = reverse("characters:change-sources", args=[character.pk])
        return ana.post(url, {"key": new_key(), **fields}, headers=headers)

    return send


@pytest.fixture
def member(guild, character):
    """Mira with the guild in play, one of its talents taken and one planned."""
    put(character, "guild")
    decide(character, f"choice:{TALENT}@6", [{"ref": "talent:seasoned"}])
    decide(character, f"plan:{TALENT}@7", [{"ref": "talent:brawny"}])
    return character


def put(character, *slugs):
    return verbs.set_sources(character.pk, person(), new_key(), sources=slugs)


def sheet(character):
    return sheet_of(fresh(character.pk))[2]


def test_with_only_the_core_the_page_has_nothing_to_choose(read):
    text = read("content/")
    assert "Always in play" in text
    assert "no other content on this site" in text
    assert "<select" not in text.partition("<main")[2].partition("</main>")[0]


def test_a_source_without_a_publication_is_not_yet_in_play(read, guild):
    Source.objects.create(ruleset=guild.ruleset, slug="errata", title="Errata", is_core=True)
    assert "Errata" not in read("content/")


def test_every_source_says_what_it_brings(read, guild):
    Element.objects.filter(slug="chosen").update(status="draft")
    publish(guild)
    text = read("content/")
    assert 'name="source-guild"' in text
    assert "2 jobs, 8 talents." in text


def test_a_change_is_shown_before_it_is_saved(post, member):
    before = facts(member), Change.objects.count()
    response = post(OUT)
    text = html_of(response)
    assert response.status_code == 200
    for words in ("The guild", "<del>In play</del><ins>Left out</ins>", "Seasoned", "Does not fit", "Save it"):
        assert words in text
    assert (facts(member), Change.objects.count()) == before


def test_the_previewed_sources_are_the_ones_saved(post, member):
    kept = post({**OUT, "save": "1", "saw": saw(post(OUT))})
    assert kept.status_code == 303
    assert "source:guild" not in facts(member)
    assert "talent:seasoned" not in sheet(member).active
    assert facts(member)[f"choice:{TALENT}@6"] == [{"ref": "talent:seasoned"}]
    assert member.changes.first().sentence == "The guild is left out."


def test_choices_count_again_when_their_source_is_back(member):
    before = sheet(member)
    put(member)
    assert len(sheet(member).problems) > len(before.problems)
    change = put(member, "guild")
    assert change.sentence == "The guild is in play."
    assert sheet(member) == before


def test_undoing_a_change_of_sources_restores_the_character(member):
    before = facts(member)
    change = put(member)
    play.undo(member.pk, person(), new_key(), change.sequence)
    assert facts(member) == before


def test_every_page_works_while_the_source_of_a_choice_is_left_out(member, read):
    put(member)
    steps = ("origin", "aspects", "abilities", "job", "equipment", "review")
    pages = (
        "",
        "levels/",
        "levels/6/",
        "plan/",
        "timeline/",
        "compare/",
        "at/7/",
        "house-rules/",
        "content/",
        "download/",
    )
    for below in (*pages, *(f"build/{step}/" for step in steps)):
        assert read(below)
    assert "Seasoned" in read("levels/")
    assert "Seasoned" in read("timeline/")
    assert "Brawny" in read("plan/")


def test_a_level_from_a_left_out_source_can_be_taken_back(member):
    put(member)
    change = verbs.take_back_level(member.pk, person(), new_key(), level=6)
    assert "undoes level 6: Seasoned." in change.sentence
    put(member, "guild")
    play.undo(member.pk, person(), new_key(), change.sequence)
    assert "talent:seasoned" in sheet(member).active


def test_a_source_is_refused_without_the_one_it_builds_on(post, guild, character):
    hall = SourceFactory(ruleset=guild.ruleset, slug="hall", title="The hall")
    hall.requires.add(guild)
    response = post({"source-hall": "in", "source-guild": "out"})
    assert response.status_code == 422
    assert "The hall builds on The guild: put both in play, or neither." in html_of(response)
    with pytest.raises(Refused, match="put both in play"):
        put(character, "hall")
    assert put(character, "hall", "guild").sentence == "The guild and The hall are in play."


@pytest.mark.parametrize("fields", [{}, {"source-guild": "x"}, {"source-guild": "\0"}, {"source-guild": ""}])
def test_a_bad_value_is_refused_with_a_sentence(post, guild, character, fields):
    before = facts(character)
    for data in (fields, {**fields, "save": "1", "saw": "x"}):
        response = post(data)
        assert response.status_code == 422
        assert "Choose whether it is in play." in html_of(response)
    assert facts(character) == before


@pytest.mark.parametrize("slug", ["polyhedral-core", "nothing", "", "\0"])
def test_the_core_and_unknown_sources_cannot_be_put_in_play(guild, character, slug):
    with pytest.raises(Refused, match="no such source"):
        put(character, slug)


def test_saving_without_a_change_is_refused(post, guild, character):
    now = fresh(character.pk)
    response = post({**OUT, "save": "1", "saw": seen(sheet_of(now)[0], now.version)})
    assert response.status_code == 422
    assert "That is what is in play already." in html_of(response)


def test_the_preview_is_shown_again_when_the_rules_have_changed(post, guild, character):
    old = saw(post(IN))
    publish(guild)
    before = facts(character)
    response = post({**IN, "save": "1", "saw": old})
    assert response.status_code == 409
    assert "The rules have changed" in html_of(response)
    assert facts(character) == before
    assert post({**IN, "save": "1", "saw": saw(response)}).status_code == 303


def test_with_htmx_the_response_is_the_region_alone(post, guild):
    response = post(IN, hx_request="true")
    assert "<html" not in html_of(response)
    assert "HX-Request" in response.headers["Vary"]
    kept = post({**IN, "save": "1", "saw": saw(response)}, hx_request="true")
    assert "The guild is in play." in kept.headers["HX-Trigger"]
    assert "Trial" not in html_of(kept)


def test_the_page_takes_at_most_fourteen_queries(ana, member, django_assert_max_num_queries):
    ana.get(reverse("characters:sources", args=[member.pk]))
    with django_assert_max_num_queries(14):
        ana.get(reverse("characters:sources", args=[member.pk]))
