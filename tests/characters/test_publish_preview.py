"""An edit changes no sheet before it is published, and afterwards exactly those that the preview named."""

import re
from copy import deepcopy
from random import Random

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from characters import verbs
from characters.models import Character
from characters.pages.compare.comparison_text import Reason
from characters.pages.publications import preview_page
from characters.pages.publications.moved_characters import holders, in_words, moved_by_publishing
from characters.verbs import surprise
from rules import models
from rules.engine import difference
from rules.models import Source, Stat
from rules.packs.load import load_rules
from rules.publications import publish
from tests.characters.cast import new_key, person
from tests.characters.play.table import seated
from tests.factories import HouseRulesFactory, SourceFactory
from tests.games import pebbles
from tests.support.characters import sheets
from tests.support.edits import EDITS

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    for seed in range(8):
        surprise(person(), new_key(), chance=Random(seed))
    return list(Character.objects.select_related("ruleset"))


@pytest.fixture
def heroes(begun):
    return deepcopy(begun)


def test_an_edit_changes_no_sheet_until_published_and_then_those_that_the_preview_named(core, heroes):
    moving = 0
    for what, (model, columns) in EDITS.items():
        before = sheets(heroes)
        assert model.objects.update(**columns), what
        assert sheets(heroes) == before, what
        named = {one.character.pk for one in moved_by_publishing(core, heroes)}
        assert sheets(heroes) == before, what
        publish(core)
        after = sheets(heroes)
        assert named == {pk for pk, sheet in after.items() if difference(before[pk], sheet)}, what
        moving += bool(named)
    assert moving > len(EDITS) / 3


def page(client, source, query="", **headers):
    return client.get(reverse("admin:rules_source_preview", args=[source.pk]) + query, **headers)


def words(answer):
    return " ".join(answer.content.decode().split())


def having(source):
    return holders(source.ruleset.slug, source.slug, is_core=source.is_core)


def tougher():
    Stat.objects.filter(key="defense").update(minimum=30)


def test_the_preview_says_before_after_and_why(core, heroes, editor):
    base = models.StatModifier.objects.filter(stat__key="defense", op="base", owner__kind="rules").first()
    models.StatModifier.objects.create(owner=base.owner, stat=base.stat, op="add", amount=3)
    answer = page(editor, core)
    assert f"{len(heroes)} of {len(heroes)} characters would change." in words(answer)
    assert "<dt>Defense</dt>" in words(answer)
    move = next(move for move in answer.context_data["found"][0].moves if move.shown.name == "Defense")
    assert int(move.shown.after) - int(move.shown.before) == 3
    assert any("+3" in row for row in move.why)


def test_the_preview_names_a_counter_that_comes_back_at_another_rest(core, heroes):
    short = models.Recovery.objects.filter(resource__slug="second-wind", event__slug="short-rest")
    assert short.update(event=models.RestEvent.objects.get(slug="long-rest"))
    found = moved_by_publishing(core, heroes)
    assert {one.character.pk for one in found} == {one.pk for one in heroes}
    (move,) = found[0].moves
    assert (move.shown.name, move.shown.before, move.shown.after) == (
        "Recovery of Second Wind",
        "short rest, long rest",
        "long rest",
    )


def pressed(answer, word):
    """The query of the link with this word; "" where there is none."""
    found = re.search(rf'href="[^"?]*(\?[^"]*)"[^>]*>{word}', answer.content.decode())
    return found[1].replace("&amp;", "&") if found else ""


def test_many_characters_are_tried_in_parts_without_script(core, heroes, editor, monkeypatch):
    monkeypatch.setattr(preview_page, "AT_ONCE", 3)
    tougher()
    seen, query = [], ""
    for tried in (3, 6, 8):
        answer = page(editor, core, query)
        seen += [one.character.pk for one in answer.context_data["found"]]
        assert f"{tried} of {tried} characters would change." in words(answer)
        assert f'<progress value="{tried}" max="8"' in answer.content.decode()
        query = pressed(answer, "Continue with the next 3")
    assert query == ""
    assert seen == sorted((one.pk for one in heroes), reverse=True)


def test_the_page_fetches_the_next_part_by_itself_with_script(core, heroes, editor, monkeypatch):
    monkeypatch.setattr(preview_page, "AT_ONCE", 3)
    tougher()
    answer, rows = page(editor, core), []
    for tried in (6, 8):
        (asked,) = re.findall(r'hx-get="[^"?]*(\?[^"]*)" hx-trigger="load"', answer.content.decode())
        answer = page(editor, core, asked.replace("&amp;", "&"), HTTP_HX_REQUEST="true")
        html = answer.content.decode()
        assert f'<progress value="{tried}" max="8"' in html
        assert "<html" not in html
        rows += [one.character.pk for one in answer.context_data["found"]]
        assert html.count("<summary>") == len(answer.context_data["found"])
    assert rows == sorted((one.pk for one in heroes), reverse=True)[3:]
    assert 'hx-trigger="load"' not in html
    assert pressed(answer, "Stop") == ""


def test_a_stopped_preview_tries_nobody_and_continues_where_it_stopped(core, heroes, editor, monkeypatch):
    monkeypatch.setattr(preview_page, "AT_ONCE", 3)
    tougher()
    stop = pressed(page(editor, core), "Stop")
    for headers in ({}, {"HTTP_HX_REQUEST": "true"}):
        monkeypatch.setattr(
            preview_page, "moved_by_publishing", lambda source, characters: [1 / 0 for one in characters]
        )
        answer = page(editor, core, stop, **headers)
        assert answer.status_code == 200
        assert 'hx-trigger="load"' not in answer.content.decode()
        assert "3 of 3 characters would change." in words(answer)
        monkeypatch.setattr(preview_page, "moved_by_publishing", moved_by_publishing)
        assert "6 of 6 characters would change." in words(page(editor, core, pressed(answer, "Continue"), **headers))


def test_characters_past_the_most_shown_are_only_counted(core, heroes, editor, monkeypatch):
    monkeypatch.setattr(preview_page, "AT_ONCE", 3)
    monkeypatch.setattr(preview_page, "MOST_SHOWN", 4)
    tougher()
    query, shown = pressed(page(editor, core), "Continue with the next 3"), 3
    for untold in (2, 4):
        answer = page(editor, core, query, HTTP_HX_REQUEST="true")
        shown += answer.content.decode().count("<summary>")
        assert f"{untold} more are only counted" in words(answer)
        query = pressed(answer, "Continue with the next 3")
    assert shown == 4


def test_nobody_is_tried_twice_or_left_out_while_they_play(core, heroes, editor, monkeypatch):
    monkeypatch.setattr(preview_page, "AT_ONCE", 3)
    tougher()
    answer = page(editor, core)
    seen = [one.character.pk for one in answer.context_data["found"]]
    for one in heroes:
        verbs.rename(one.pk, person(), new_key(), name=f"{one.name} the Elder")
    surprise(person(), new_key(), chance=Random(9))
    while query := pressed(answer, "Continue with the next 3"):
        answer = page(editor, core, query)
        seen += [one.character.pk for one in answer.context_data["found"]]
    assert sorted(seen) == sorted(one.pk for one in heroes)


@pytest.mark.parametrize(
    "query",
    ["?last=x", "?tried=3", "?last=-1&tried=1&moved=²", f"?tried={'9' * 30}", f"?last={'9' * 19}&tried=5", "?stop"],
)
@pytest.mark.parametrize("headers", [{}, {"HTTP_HX_REQUEST": "true"}])
def test_a_wrong_place_to_continue_is_no_error(core, heroes, editor, query, headers):
    assert page(editor, core, query, **headers).status_code == 200


def test_only_characters_with_the_source_in_play_are_tried(core, heroes, editor):
    other = SourceFactory(ruleset=core.ruleset, slug="other")
    assert list(having(other)) == []
    assert "No character has this source in play." in page(editor, other).content.decode()
    for one in heroes[:2]:
        one.house_rules = HouseRulesFactory(ruleset=core.ruleset)
        one.house_rules.sources.add(other)
        one.save(update_fields=["house_rules"])
    assert {one.pk for one in having(other)} == {one.pk for one in heroes[:2]}
    Character.objects.filter(pk=heroes[0].pk).update(binned_at=heroes[0].changed_at)
    assert {one.pk for one in having(core)} == {one.pk for one in heroes[1:]}


def test_a_preview_tries_no_characters_of_another_game(core, heroes, editor):
    load_rules(pebbles.PACK)
    other = Source.objects.get(ruleset__slug="pebbles")
    pim = verbs.start(person(), new_key(), ruleset=other.ruleset).character
    assert list(having(other)) == [pim]
    tougher()
    assert f"{len(heroes)} of {len(heroes)} characters would change." in words(page(editor, core))


def test_rows_from_which_no_sheet_can_be_made_are_reported(core, heroes, editor, monkeypatch):
    def broken(*args):
        raise KeyError("a name that the rules of a game need")

    monkeypatch.setattr(preview_page, "moved_by_publishing", broken)
    answer = page(editor, core)
    assert answer.status_code == 422
    assert "The sheets cannot be worked out" in answer.content.decode()


def test_only_staff_who_may_publish_see_the_preview(core, client):
    client.force_login(User.objects.create_user("rob", is_staff=True))
    assert page(client, core).status_code == 403


MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("text", "before", "after", "told"),
    [
        ("+3", "+2", "+3", "Tough: +2, now +3"),
        ("at each of 3 levels", "+6", "+9", "Tough: +6, now +9, at each of 3 levels"),
        ("speed 15", "20", "15", "Tough: speed 20, now 15"),
        ("7 + vitality 14", "2", "14", "Tough: 2, now 14, 7 + vitality 14"),
        ("-15", "", f"{MINUS}15", f"Tough: {MINUS}15"),
        ("at 1 level", "", "+2", "Tough: +2, at 1 level"),
        ("starts at 1", "1", "", "no longer Tough: starts at 1"),
        ("better than 2D", "", "", "Tough: better than 2D"),
    ],
)
def test_a_reason_says_its_value_before_and_after(text, before, after, told):
    assert in_words(Reason("Tough", text, before, after, "talent:tough")) == told


def test_the_preview_names_a_condition_that_another_would_bring(core):
    seat = seated(state={"conditions": [{"condition": "poisoned"}]})
    poisoned, prone = (models.Condition.objects.get(slug=slug) for slug in ("poisoned", "prone"))
    models.Grant.objects.create(owner=poisoned, element=prone, grant_as="gain")
    (found,) = moved_by_publishing(core, [seat.fresh])
    assert ("condition", "Prone", False) in {(one.shown.kind, one.shown.name, one.shown.gone) for one in found.moves}
    publish(core)
    assert "condition:prone" in sheets([seat.fresh])[seat.fresh.pk].conditions
