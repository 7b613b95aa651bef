"""Two devices in the builder at the same moment: both presses are kept."""

import threading
import uuid
from importlib import import_module

import pytest
from django.urls import reverse

from characters import verbs
from characters.change import journal
from tests.characters.cast import browser_of, facts, first_level, new_key, person
from tests.support.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)

SKILLS, BONUSES = "human-culture.skills", "core-rules.ability-bonuses"
TAKEN = ["skill:athletics", "skill:awareness"]


@pytest.fixture
def character():
    return first_level()


@pytest.fixture
def together(monkeypatch):
    """Each request has read the character before any asks for its lock, so stale data would lose one of the presses."""

    def press(character, url, *forms):
        ready, check = threading.Barrier(len(forms), timeout=10), journal.check_key

        def wait(key):
            ready.wait()
            check(key)

        monkeypatch.setattr(journal, "check_key", wait)

        def send(fields):
            client = browser_of()
            return client.post(reverse(f"characters:{url}", args=[character.pk]), {"key": uuid.uuid4().hex, **fields})

        answers = at_once(*[lambda fields=fields: send(fields) for fields in forms])
        monkeypatch.undo()
        return [getattr(answer, "status_code", answer) for answer in answers]

    return press


def made(character, choice):
    return facts(character).get(f"choice:{choice}@1", [])


def test_two_options_chosen_at_once_are_both_kept(character, together):
    for ref in TAKEN:
        verbs.unchoose(character.pk, person(), new_key(), choice=SKILLS, drop=ref)
    assert together(character, "choose", *[{"choice": SKILLS, "level": 1, "take": ref} for ref in TAKEN]) == [303, 303]
    assert sorted(one["ref"] for one in made(character, SKILLS)) == TAKEN


def test_a_choice_read_before_the_lock_loses_an_option(character, together, monkeypatch):
    """The control: both requests work with the empty list that both had read."""
    for ref in TAKEN:
        verbs.unchoose(character.pk, person(), new_key(), choice=SKILLS, drop=ref)
    monkeypatch.setattr(import_module("characters.verbs.choose"), "counting", lambda bundle, build, line: [])
    assert together(character, "choose", *[{"choice": SKILLS, "level": 1, "take": ref} for ref in TAKEN]) == [303, 303]
    assert len(made(character, SKILLS)) == 1


def test_two_options_dropped_at_once_are_both_gone(character, together):
    assert together(character, "choose", *[{"choice": SKILLS, "level": 1, "drop": ref} for ref in TAKEN]) == [303, 303]
    assert made(character, SKILLS) == []


def test_two_points_added_at_once_both_count(character, together):
    for stat in ("rank.strength", "rank.strength", "rank.vitality"):
        verbs.unchoose(character.pk, person(), new_key(), choice=BONUSES, drop=stat)
    more = {"choice": BONUSES, "level": 1, "more": "rank.mind"}
    assert together(character, "choose", more, more) == [303, 303]
    assert made(character, BONUSES) == [{"stat": "rank.mind", "points": 2}]


def test_two_points_dropped_at_once_both_count(character, together):
    less = {"choice": BONUSES, "level": 1, "less": "rank.strength"}
    assert together(character, "choose", less, less) == [303, 303]
    assert made(character, BONUSES) == [{"stat": "rank.vitality"}]


def test_two_abilities_lowered_at_once_are_both_lower(character, together):
    was = {address: rank for address, rank in facts(character).items() if address.startswith("input:")}
    lower = [address for address, rank in was.items() if rank > 8][:2]
    shown = {"method": "points"}
    for address, rank in was.items():
        stat = address.removeprefix("input:")
        shown |= {stat: rank, f"was-{stat}": rank}
    presses = [{**shown, "down": address.removeprefix("input:")} for address in lower]
    assert together(character, "ranks", *presses) == [303, 303]
    now = facts(character)
    assert {address: now[address] for address in was} == {at: rank - (at in lower) for at, rank in was.items()}


def test_two_aspects_written_at_once_are_both_kept(character, together):
    texts = ["Counts doors", "Hums"]
    assert together(character, "aspect", *[{"kind": "trait", "text": text} for text in texts]) == [303, 303]
    assert {aspect.text for aspect in character.aspects.all()} >= set(texts)


def test_an_aspect_rolled_while_another_is_dropped_is_kept(character, together):
    forms = {"kind": "flaw", "drop": "Keeps every slight"}, {"kind": "trait", "roll": "1"}
    assert together(character, "aspect", *forms) == [303, 303]
    kinds = [aspect.kind for aspect in character.aspects.all()]
    assert kinds == ["trait", "trait"]


def test_the_same_drop_sent_eight_times_drops_one_point(character):
    key = new_key()
    answers = at_once(*[lambda: verbs.unchoose(character.pk, person(), key, choice=BONUSES, drop="rank.strength")] * 8)
    assert len({getattr(answer, "pk", answer) for answer in answers}) == 1
    assert made(character, BONUSES) == [{"stat": "rank.strength"}, {"stat": "rank.vitality"}]
