"""The journal: one lock, one change, one row; a form sent again returns the same change."""

from functools import partial

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase as HypothesisTestCase

from characters import verbs
from characters.change.journal import perform
from characters.change.refusals import KeyReused, Refused
from characters.models import Change, Character
from characters.people import Person
from tests.characters.cast import facts, first_level, guest, mira, new_key, person, present, spend
from tests.characters.play.table import play
from tests.support.characters import put_xp

pytestmark = pytest.mark.django_db


def test_a_change_says_who_when_and_what():
    character, start = mira(), timezone.now()
    change = spend(character, 2)
    assert start <= Change.objects.get(pk=change.pk).at <= timezone.now()
    assert (change.sequence, change.verb, change.actor) == (2, "spend", person().user)
    assert (change.what, change.sentence) == ({"amount": 2}, "2 spent.")
    assert (change.before, change.after) == ({"spent:stamina": 3}, {"spent:stamina": 5})
    assert Character.objects.get(pk=character.pk).version == 2


def test_a_form_sent_twice_returns_the_first_change():
    character, key = mira(), new_key()
    first = spend(character, 1, key)
    assert spend(character, 1, key) == first
    assert facts(character)["spent:stamina"] == 4


def test_a_form_sent_twice_returns_its_change_even_if_that_change_now_forbids_it():
    character, key, thrown, restored = mira(), new_key(), new_key(), new_key()

    def once(draft):
        if draft.read("field:name") == "Miro":
            raise Refused("That is the name already.")
        draft.put("field:name", "Miro")
        return "Renamed."

    first = perform(character.pk, person(), "once", key, {}, once)
    assert perform(character.pk, person(), "once", key, {}, once) == first
    with pytest.raises(KeyReused):
        perform(character.pk, person(), "once", key, {"another": "body"}, once)
    with pytest.raises(Refused, match="already"):
        perform(character.pk, person(), "once", new_key(), {}, once)
    # In the bin a character is hidden, even from the form that put it there.
    in_bin = verbs.throw_away(character.pk, person(), thrown)
    assert verbs.throw_away(character.pk, person(), thrown) == in_bin
    back = verbs.restore(character.pk, person(), restored)
    assert verbs.restore(character.pk, person(), restored) == back
    assert character.changes.count() == 4


def test_a_stranger_who_sends_the_same_key_finds_nothing():
    character, key = mira(), new_key()
    spend(character, 1, key)
    for pk in (character.pk, 2**63):
        with pytest.raises(Http404):
            spend(Character(pk=pk), 1, key, who=person("bo"))


def test_a_key_with_another_body_is_refused():
    character, key = mira(), new_key()
    spend(character, 1, key)
    with pytest.raises(KeyReused):
        spend(character, 2, key)
    with pytest.raises(KeyReused):
        verbs.rename(character.pk, person(), key, name="Miro")
    assert facts(character)["spent:stamina"] == 4


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "tab\tin it--", None, "naïve-key-1"])
def test_a_form_without_a_proper_key_is_refused(key):
    character = mira()
    for change in (verbs.start, partial(verbs.rename, character.pk, name="Miro")):
        with pytest.raises(Refused, match="This form is incomplete"):
            change(person(), key)
    assert Character.objects.get().name == character.name


@pytest.mark.parametrize("key", ["x" * 8, "x" * 64])
def test_a_key_has_8_to_64_characters(key):
    assert spend(mira(), 1, key).key == key


def test_a_start_sent_twice_makes_one_character():
    key = new_key()
    assert verbs.start(person(), key).character == verbs.start(person(), key).character
    with pytest.raises(KeyReused):
        verbs.start(person("bo"), key)
    assert Character.objects.count() == 1


@pytest.mark.parametrize("stranger", [Person(), guest()], ids=["nobody", "guest"])
def test_another_persons_character_is_not_found(stranger):
    character = mira()
    for somebody in (stranger, person("bo")):
        with pytest.raises(Http404):
            spend(character, 1, who=somebody)


def test_a_character_in_the_bin_does_not_change():
    character = mira()
    verbs.throw_away(character.pk, person(), new_key())
    with pytest.raises(Http404):
        spend(character, 1)


def test_a_refusal_changes_nothing():
    character = mira()
    before = facts(character)

    def act(draft):
        draft.put("field:name", "Nobody")
        draft.create("item", [{"custom": "smoke", "quantity": 1, "state": "carried", "position": 9}])
        raise Refused("No.")

    with pytest.raises(Refused, match="No"):
        perform(character.pk, person(), "try", new_key(), "", act)
    assert facts(character) == before
    assert character.changes.count() == 1


@pytest.mark.parametrize("amount", [1_000_000, -4])
def test_a_number_does_not_leave_its_bounds(amount):
    """A game may forget to check. The database would refuse it, too (`test_bounds.py`), but without a sentence."""
    character = mira()
    with pytest.raises(Refused, match="out of its range, 0 to 1,000,000"):
        spend(character, amount)
    assert facts(character)["spent:stamina"] == 3
    assert character.changes.count() == 1


def test_a_change_moves_its_own_rows_and_none_of_another_character():
    """Every fact of one of two equal characters goes, and comes back by an undo."""
    awards = [{"kind": "skill", "element": "stealth"}, *({"kind": "language", "element": it} for it in ("Gull", "Owl"))]
    rules = {"sources": ["polyhedral-core"], "switches": {"fighterProgression": "table", "fumbles": True}}
    plan = [{"level": 8, "take": "job", "job": "fighter"}]
    one, other = (mira(awards=awards, house_rules=rules, plan=plan) for _ in range(2))
    before, untouched = facts(one), facts(other)
    kept = ("award:|Owl", "switch:fumbles")

    def empty(draft, *, but=()):
        for address in draft.stored:
            if not address.startswith("field:") and address not in but:
                draft.put(address, None)
        return "Emptied."

    few = perform(one.pk, person(), "empty", new_key(), {}, partial(empty, but=kept))
    assert {address for address in present(facts(one)) if not address.startswith("field:")} == {*kept}
    rest = perform(one.pk, person(), "empty", new_key(), {}, empty)
    assert not [address for address in present(facts(one)) if not address.startswith("field:")]
    for change in (rest, few):
        play.undo(one.pk, person(), new_key(), change.sequence)
    assert present(facts(one)) == present(before)
    assert facts(other) == untouched


def test_two_things_swap_hands_in_one_change():
    """Only one thing may be in a hand, also between the statements that write the change."""
    character = mira(inventory=[{"item": "longsword", "state": "main"}, {"item": "dagger", "state": "off"}])
    swapped = {"main": "off", "off": "main"}

    def swap(draft):
        for address, value in draft.all_of("item").items():
            draft.put(address, {**value, "state": swapped[value["state"]]})
        return "Swapped."

    perform(character.pk, person(), "swap", new_key(), {}, swap)
    assert {value["ref"]: value["state"] for address, value in facts(character).items() if "item:" in address} == {
        "weapon:longsword": "off", "weapon:dagger": "main"
    }  # fmt: skip


def test_a_fact_that_ends_as_it_began_is_not_in_the_journal():
    character = mira()

    def there_and_back(draft):
        draft.put("field:name", "Miro")
        draft.put("field:name", "Mira")
        draft.append("note", {"text": "Miro?"})
        return "Nearly renamed."

    change = perform(character.pk, person(), "there", new_key(), {}, there_and_back)
    (note,) = change.after
    assert (change.before, change.after) == ({note: None}, {note: {"text": "Miro?", "position": 0}})


def test_a_change_takes_few_queries():
    character = first_level()
    verbs.choose(character.pk, person(), new_key(), choice="fighter.fighting-style", take="feature:dueling")
    who = person()
    with CaptureQueriesContext(connection) as spent:
        spend(character, 1, who=who)
    with CaptureQueriesContext(connection) as chosen:
        verbs.choose(character.pk, who, new_key(), choice="fighter.fighting-style", take="feature:defense")

    def real(queries):
        return [q for q in queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN"))]

    assert len(real(spent)) <= 8, [q["sql"] for q in spent]
    assert len(real(chosen)) <= 10, [q["sql"] for q in chosen]


def folded(character):
    """The journal replayed: the after-values of every change, in order."""
    found = {}
    for change in character.changes.order_by("sequence"):
        found |= change.after
    return {address: value for address, value in found.items() if value not in (None, [], 0, "")}


def stored(character):
    return {address: value for address, value in facts(character).items() if value not in (None, [], 0, "")}


WORDS = ["name", "spend", "style", "equip", "aspect", "no aspect", "item", "undo", "level"]
ACTIONS = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 5)), max_size=10)
KINDS = ["bond", "flaw"]
STYLES = ["defense", "dueling", "protection", "marksmanship", "blind-fighting", "unarmed-fighting"]


class Replay(HypothesisTestCase):
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(ACTIONS)
    def test_replaying_the_journal_gives_the_stored_state(self, actions):
        character, who = first_level(), person()
        for word, number in actions:
            items = [int(a.partition(":")[2]) for a in facts(character) if a.startswith("item:")]
            act = {
                "name": lambda n=number: verbs.rename(character.pk, who, new_key(), name=f"Name {n}"),
                "spend": lambda n=number: spend(character, n),
                "style": lambda n=number: verbs.choose(
                    character.pk, who, new_key(), choice="fighter.fighting-style", take=f"feature:{STYLES[n]}"
                ),
                "equip": lambda n=number, i=items: play.equip(
                    character.pk, who, new_key(), item=i[n % len(i)], state=["main", "off", "worn", "carried"][n % 4]
                ),
                "aspect": lambda n=number: verbs.roll_aspect(character.pk, who, new_key(), kind=KINDS[n % 2]),
                "no aspect": lambda n=number: verbs.drop_aspect(
                    character.pk, who, new_key(), kind="flaw", text="Keeps every slight"
                ),
                "item": lambda n=number: play.add_item(character.pk, who, new_key(), custom=f"Thing {n}"),
                "undo": lambda n=number: play.undo(character.pk, who, new_key(), n + 1),
                "level": lambda n=number: put_xp(character.pk, who, n * 1000),
            }[word]
            try:
                act()
            except (Refused, Http404):
                pass
        assert folded(character) == stored(character)
        assert list(
            Change.objects.filter(character=character).order_by("sequence").values_list("sequence", flat=True)
        ) == [n + 1 for n in range(character.changes.count())]


def test_a_key_sent_with_another_verb_is_refused():
    character, key = mira(), new_key()

    def rename(draft):
        draft.put("field:name", "Miro")
        return "Renamed."

    perform(character.pk, person(), "rename", key, {}, rename)
    with pytest.raises(KeyReused):
        perform(character.pk, person(), "christen", key, {}, rename)


def test_a_character_id_too_large_for_the_database_is_not_found():
    with pytest.raises(Http404):
        perform(10**30, person(), "spend", new_key(), {}, lambda draft: "Nothing.")


@pytest.mark.parametrize(("length", "kept"), [(299, 299), (300, 300), (301, 300)])
def test_a_long_sentence_is_cut_to_fit_the_history(length, kept):
    character = mira()

    def act(draft):
        draft.put("field:name", "Miro")
        return "a" * length

    change = perform(character.pk, person(), "rename", new_key(), {}, act)
    stored = Change.objects.get(pk=change.pk).sentence
    assert len(stored) == kept
    assert stored.endswith("…") == (length > 300)
