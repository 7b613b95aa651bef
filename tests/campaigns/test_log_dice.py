"""Open dice in the log of a table (decision 068): who sees which, and that nothing else is shown with them."""

import csv
import json
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import CreatureRoll
from campaigns.verbs import combatants, creature_actions, creatures, seats
from campaigns.verbs import session_marks as marks
from characters.models import Change, RollRecord
from tests.campaigns.fights import Fight
from tests.campaigns.seated import sits
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import Fixed, play
from tests.support.html import says, without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.full]

EVERYWHERE = ("log/", "log.json", "log.csv")
FACES, TOTAL = [6, 5, 4, 1], 31337
HIDDEN = 4747  # a difficulty, and whatever else must not be read


def begin():
    """Ana leads and Eve helps, Bo plays Mira, Cid plays Nell, Dan watches."""
    made = Fight()
    for name, role in {"dan": "spectator", "eve": "co-storyteller"}.items():
        sits(made.campaign, person(name), role, name=name.capitalize())
    return made


def shown(client, fight, name, path="log/", **asked):
    client.force_login(person(name).user)
    answer = client.get(f"{fight.campaign.get_absolute_url()}{path}", asked)
    assert answer.status_code == 200
    return without_tokens(answer.content.decode())


def tells(page, path):
    """True if the page shows the dice: their total, or in the CSV, which has no totals, their faces."""
    return "6 5 4 1" in page if path == "log.csv" else says(page, TOTAL)


def rolled(fight, who="bo", **columns):
    """A roll of Mira's, stored with the values that the test plants."""
    change = play.roll(fight.mira.pk, person(who), new_key(), roll="skill.stealth", secret=False, target=15)
    columns = {"faces": FACES, "total": TOTAL, "target": 747, **columns}
    RollRecord.objects.filter(change=change).update(**columns)
    Change.objects.filter(pk=change.pk).update(sentence=f"Mira misses by 3, canary {HIDDEN}", what={"why": f"{HIDDEN}"})
    return change


def creature_rolls(fight, *, secret=False, hidden=False):
    fight.wolves(hidden=hidden)
    wolf = next(one for one in fight.everybody if one.creature)
    args = (fight.campaign.pk, fight.ana, new_key(), wolf.pk)
    made = creature_actions.roll(*args, which=0, secret=secret, chance=Fixed(*[3] * 9))
    CreatureRoll.objects.update(faces=FACES, total=TOTAL)
    return made


@pytest.mark.parametrize("path", EVERYWHERE)
def test_everybody_sees_open_dice_and_only_those_who_play_or_run_the_character_see_more(client, fight, path):
    rolled(fight)
    for name, reads in {"ana": True, "eve": True, "bo": True, "cid": False, "dan": False}.items():
        page = shown(client, fight, name, path)
        assert page.count('class="die"') == 4 if path == "log/" else tells(page, path), name
        assert says(page, HIDDEN) == reads, name


@pytest.mark.parametrize("path", EVERYWHERE)
def test_party_mates_learn_nothing_about_a_roll_but_its_dice(client, fight, path):
    rolled(fight, turned_by=f"By {HIDDEN}", modifiers=[[f"Aspect {HIDDEN}", 3]], dice_because=[[f"{HIDDEN}", 1]])
    RollRecord.objects.update(success=False, critical=True, hit_is_critical=True)
    for name in ("cid", "dan"):
        page = shown(client, fight, name, path)
        assert tells(page, path)
        for number in (HIDDEN, 747):
            assert not says(page, number), (name, number)
        for word in ("misses", "fails", "succe", "critical", "/undo/"):
            assert word not in page, (name, word)
    assert "critical" in shown(client, fight, "bo", "log.json")


def test_the_total_of_a_roll_without_dice_is_not_shown(client, fight):
    """The total of a roll that is certain equals the difficulty."""
    rolled(fight, faces=[], total=4748)
    for path in EVERYWHERE:
        for name in ("cid", "dan"):
            page = shown(client, fight, name, path)
            assert "Stealth" in page
            assert not says(page, 4748)


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("by_guest", [False, True])
def test_secret_dice_are_shown_to_no_party_mate(client, fight, path, by_guest):
    change = play.roll(fight.mira.pk, fight.bo, new_key(), roll="skill.stealth", secret=True)
    RollRecord.objects.update(faces=FACES, total=TOTAL, by_guest=by_guest)
    for name in ("cid", "dan"):
        page = shown(client, fight, name, path, rolls="yes")
        assert not tells(page, path)
        assert "Stealth" not in page
        assert f"change-{change.pk}" not in page
    assert tells(shown(client, fight, "bo", path), path)


def test_a_rolls_total_includes_later_additions_until_they_are_undone(client, fight):
    change = play.roll(fight.mira.pk, fight.bo, new_key(), roll="skill.stealth", chance=Fixed(*[3] * 9))
    total = RollRecord.objects.get().total
    play.nudge(fight.mira.pk, fight.bo, new_key(), roll=RollRecord.objects.get().pk, up=True)
    (row,) = json.loads(shown(client, fight, "cid", "log.json"))["log"]
    assert row["what"] == f"Stealth: {total + 2}"
    nudged = Change.objects.latest("pk")
    play.undo(fight.mira.pk, fight.bo, new_key(), nudged.sequence)
    (row,) = json.loads(shown(client, fight, "cid", "log.json"))["log"]
    assert (row["what"], row["undone"]) == (f"Stealth: {total}", False)
    play.undo(fight.mira.pk, fight.bo, new_key(), change.sequence)
    (row,) = json.loads(shown(client, fight, "cid", "log.json"))["log"]
    assert row["undone"]
    assert "is-undone" in shown(client, fight, "cid")


def test_everybody_sees_that_dice_were_typed_in(client, fight):
    play.roll(fight.mira.pk, fight.bo, new_key(), roll="skill.stealth")
    for name in ("ana", "bo", "cid"):
        assert "by hand" not in shown(client, fight, name)
    play.roll(fight.mira.pk, fight.bo, new_key(), roll="skill.stealth", faces="5")
    for name in ("ana", "bo", "cid"):
        assert shown(client, fight, name).count("by hand") == 1, name


def test_a_secret_addition_to_an_open_roll_is_not_shown(client, fight):
    rolled(fight)
    first = RollRecord.objects.get()
    change = play.change_health(fight.mira.pk, fight.ana, new_key(), amount="-1")
    columns = {"kind": "check", "name": "Stealth", "faces": [2], "total": 777, "secret": True}
    RollRecord.objects.create(character=fight.mira, change=change, follows=first, **columns)
    assert not says(shown(client, fight, "cid"), 777)
    RollRecord.objects.filter(total=777).update(secret=False)
    assert says(shown(client, fight, "cid"), 777)


def test_changes_without_dice_are_not_shown_to_party_mates(client, fight):
    play.take_damage(fight.mira.pk, fight.bo, new_key(), amount=1)
    for path in ("log.json", "log.csv"):
        assert "damage" not in shown(client, fight, "cid", path)


def test_rolls_from_before_sitting_down_or_of_a_character_that_left_are_not_shown(client, fight):
    late = mira(fight.bo, name="Late")
    play.roll(late.pk, fight.bo, new_key(), roll="skill.stealth")
    seats.bring(fight.campaign.pk, fight.bo, late.pk)
    assert "Stealth" not in shown(client, fight, "cid")
    seat = fight.campaign.seats.get(character=late)
    play.roll(late.pk, fight.bo, new_key(), roll="skill.stealth")
    assert "Stealth" in shown(client, fight, "cid")
    seats.stand_up(fight.campaign.pk, fight.bo, seat.pk)
    assert "Stealth" not in shown(client, fight, "cid")


def test_a_stranger_and_another_table_find_nothing(client, fight):
    rolled(fight)
    other = Fight()
    for path in EVERYWHERE:
        client.force_login(person("zoe").user)
        assert client.get(f"{fight.campaign.get_absolute_url()}{path}").status_code == 404
        assert not tells(shown(client, other, "ana", path), path)


def test_dice_are_filtered_like_everything_else(client, fight):
    mark = marks.set_mark(fight.campaign.pk, fight.ana, new_key(), name="First")
    rolled(fight)
    creature_rolls(fight)
    bo, ana = (fight.campaign.members.get(name=name).pk for name in ("Bo", fight.campaign.members.first().name))
    later = marks.set_mark(fight.campaign.pk, fight.ana, new_key(), name="Second")
    for asked, both in (
        ({}, (1, 1)),
        ({"rolls": "yes"}, (1, 1)),
        ({"character": fight.mira.pk}, (1, 0)),
        ({"character": fight.nell.pk}, (0, 0)),
        ({"who": bo}, (1, 0)),
        ({"who": ana}, (0, 1)),
        ({"who": "guest"}, (0, 0)),
        ({"kind": "levels"}, (0, 0)),
        ({"session": mark.pk}, (1, 1)),
        ({"session": later.pk}, (0, 0)),
    ):
        found = [row["character"] for row in json.loads(shown(client, fight, "cid", "log.json", **asked))["log"]]
        assert (found.count("Mira"), found.count("Wolf")) == both, asked


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize(("secret", "hidden"), [(False, False), (True, False), (False, True), (True, True)])
def test_players_see_a_creatures_dice_unless_the_roll_is_secret_or_the_creature_hidden(
    client, fight, path, secret, hidden
):
    creature_rolls(fight, secret=secret, hidden=hidden)
    for name in ("ana", "eve", "bo", "cid", "dan"):
        page = shown(client, fight, name, path)
        told = name in ("ana", "eve") or not (secret or hidden)
        assert tells(page, path) == told, name
        assert ("Wolf" in page) == told, name
        assert "Flees" not in page


def test_rolls_of_a_hidden_creature_stay_secret_once_it_is_shown(client, fight):
    creature_rolls(fight, hidden=True)
    fight.next()
    wolf = next(one for one in fight.everybody if one.creature)
    combatants.show_or_hide(fight.campaign.pk, fight.ana, wolf.pk, hidden=False)
    for path in ("log/", "encounter/"):
        assert not says(shown(client, fight, "cid", path), TOTAL)
        assert says(shown(client, fight, "eve", path), TOTAL)


def test_rolls_of_a_creature_disappear_when_it_is_hidden_again(client, fight):
    creature_rolls(fight)
    fight.next()
    assert says(shown(client, fight, "cid"), TOTAL)
    combatants.show_or_hide(fight.campaign.pk, fight.ana, fight.named("Wolf").pk, hidden=True)
    for path in ("log/", "encounter/", "log.json", "log.csv"):
        assert not says(shown(client, fight, "cid", path), TOTAL)
        assert "Wolf" not in shown(client, fight, "cid", path)


@pytest.mark.parametrize("secret", [True, False])
def test_the_encounter_shows_a_creatures_open_roll_to_everybody(client, fight, secret):
    creature_rolls(fight, secret=secret)
    fight.next()
    for name in ("bo", "cid", "dan"):
        assert says(shown(client, fight, name, "encounter/"), TOTAL) == (not secret)
    page = shown(client, fight, "ana", "encounter/")
    assert ("storyteller" in page.partition(str(TOTAL))[2].partition("</p>")[0]) == secret


def test_the_storyteller_chooses_on_the_form_whether_a_roll_is_secret(client, fight):
    fight.wolves()
    path = f"{fight.campaign.get_absolute_url()}combatants/{fight.named('Wolf').pk}/roll/"
    client.force_login(person("ana").user)
    for sent, secret in (({}, False), ({"secret": "on"}, True)):
        assert client.post(path, {"key": new_key(), "which": "0", **sent}).status_code == 303
        assert CreatureRoll.objects.first().secret == secret


def test_a_spectator_downloads_and_filters_too(client, fight):
    page = shown(client, fight, "dan")
    assert "log.json" in page
    assert 'name="character"' in page
    assert 'name="kind"' not in page


def test_a_creatures_name_is_never_a_formula_in_the_csv(client, fight):
    creature_rolls(fight)
    kind = fight.named("Wolf").creature
    creatures.describe(fight.campaign.pk, fight.ana, kind.pk, was=creatures.digest(kind), name="=HYPERLINK(1)")
    (row,) = csv.DictReader(StringIO(shown(client, fight, "cid", "log.csv")))
    assert row["character"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize("path", EVERYWHERE)
def test_many_rolls_take_as_many_queries_as_few(client, fight, path):
    def queries():
        shown(client, fight, "dan", path)
        with CaptureQueriesContext(connection) as captured:
            shown(client, fight, "dan", path)
        return len(captured)

    rolled(fight)
    creature_rolls(fight)
    few = queries()
    for _ in range(8):
        rolled(fight)
        play.roll(fight.nell.pk, fight.cid, new_key(), roll="initiative")
        wolf = next(one for one in fight.everybody if one.creature)
        creature_actions.roll(fight.campaign.pk, fight.ana, new_key(), wolf.pk, which=0, secret=False)
    assert queries() == few
