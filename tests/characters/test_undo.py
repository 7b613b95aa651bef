"""Undo of any change, even after later ones: numbers move back by their amount, the rest only if unchanged since."""

import pytest
from django.http import Http404

from characters import verbs
from characters.change.refusals import MovedOn, Refused
from characters.models import Change
from rules.models import Element, Source
from rules.publications import publish
from tests.characters.cast import facts, first_level, item_of, new_key, person, spend
from tests.characters.play.table import play
from tests.support.characters import put_xp

pytestmark = pytest.mark.django_db


begin = first_level


def undo(character, change):
    return play.undo(character.pk, person(), new_key(), change.sequence)


def rename(character, name):
    return verbs.rename(character.pk, person(), new_key(), name=name)


def test_undo_restores_the_value_and_says_so(character):
    renamed = rename(character, "Miro")
    undone = undo(character, renamed)
    assert facts(character)["field:name"] == "Mira"
    assert undone.inverts == renamed
    assert undone.sentence == "Undone: Mira is now called Miro."


def test_undoing_the_undo_does_it_again(character):
    undone = undo(character, rename(character, "Miro"))
    again = undo(character, undone)
    assert facts(character)["field:name"] == "Miro"
    assert again.sentence == "Redone: Mira is now called Miro."
    assert undo(character, again).sentence == undone.sentence == "Undone: Mira is now called Miro."


def test_the_former_sentence_of_an_undo_is_understood(character):
    again = undo(character, undo(character, rename(character, "Miro")))
    Change.objects.filter(pk=again.pk).update(sentence="Undone: Undone: Mira is now called Miro.")
    assert undo(character, again).sentence == "Undone: Mira is now called Miro."


def test_an_item_that_the_rules_no_longer_have_is_not_restored(character):
    core = Source.objects.get(slug="polyhedral-core")
    lamp = Element.objects.create(ruleset=core.ruleset, source=core, kind="gear", slug="odd-lamp", name="Odd lamp")
    publish(core)
    held = play.add_item(character.pk, person(), new_key(), ref="gear:odd-lamp")
    item = next(iter(held.after)).partition(":")[2]
    gone = play.remove_item(character.pk, person(), new_key(), item=item)
    lamp.delete()
    publish(core)
    before = facts(character)
    with pytest.raises(MovedOn, match="no longer have “gear:odd-lamp”"):
        undo(character, gone)
    assert facts(character) == before


def test_a_change_cannot_be_undone_twice(character):
    renamed = rename(character, "Miro")
    undo(character, renamed)
    with pytest.raises(Refused, match="undone already"):
        undo(character, renamed)


def test_numbers_move_back_by_their_amount_whatever_came_later(character):
    first = spend(character, 3)
    spend(character, 4)
    undo(character, first)
    assert facts(character)["spent:stamina"] == 4


def test_undo_does_not_lower_a_number_below_zero(character):
    first = spend(character, 3)
    made_up, again = spend(character, -2), spend(character, 1)
    for later in (None, again):  # one that moves the number the other way is not in the way
        if later:
            undo(character, later)
        with pytest.raises(MovedOn) as refused:
            undo(character, first)
        assert f"“{made_up.sentence}” has changed the same number since. Undo that first." in str(refused.value)
    assert facts(character)["spent:stamina"] == 1
    undo(character, made_up)
    undo(character, first)


def test_undo_does_not_raise_a_number_above_its_bound(character):
    put_xp(character.pk, person(), 9000)
    lowered = put_xp(character.pk, person(), 0)
    put_xp(character.pk, person(), 100_000_000)
    with pytest.raises(MovedOn):
        undo(character, lowered)


def test_undo_of_a_field_that_has_changed_since_is_refused_with_the_later_change(character):
    first, second = rename(character, "Miro"), rename(character, "Maro")
    again = rename(character, "Mara")
    undo(character, rename(character, "Mira"))
    with pytest.raises(MovedOn, match=f"“{again.sentence}” has changed the same thing since. Undo that first."):
        undo(character, first)
    assert facts(character)["field:name"] == "Mara"
    for change in (again, second, first):
        undo(character, change)


def test_doing_again_what_has_changed_since_is_refused_in_those_words(character):
    first = rename(character, "Miro")
    undone = undo(character, first)
    later = rename(character, "Mara")
    with pytest.raises(MovedOn) as refused:
        undo(character, undone)
    cannot, because = str(refused.value).split(": ", 1)
    assert cannot == f"“{first.sentence}” cannot be redone"
    assert because == f"“{later.sentence}” has changed the same thing since. Undo that first."


def test_the_refusal_names_a_later_change_that_was_done_again(character):
    first = rename(character, "Miro")
    again = undo(character, undo(character, rename(character, "Mara")))
    with pytest.raises(MovedOn, match=f"“{again.sentence}” has changed the same"):
        undo(character, first)
    undo(character, again)
    undo(character, first)


def test_the_refusal_names_a_later_undo_of_an_earlier_change(character):
    earlier = spend(character, 5)
    spend(character, -3)
    first = spend(character, 3)
    undo(character, earlier)
    with pytest.raises(MovedOn, match="“Undone: 5 spent.” has changed the same number"):
        undo(character, first)


def test_a_later_change_of_another_field_does_not_block_undo(character):
    first = rename(character, "Miro")
    play.add_item(character.pk, person(), new_key(), custom="A rope")
    undo(character, first)
    assert facts(character)["field:name"] == "Mira"


def test_undo_restores_a_removed_item_with_the_same_id(character):
    dagger = item_of(character, "dagger")
    gone = play.remove_item(character.pk, person(), new_key(), item=dagger)
    undo(character, gone)
    assert item_of(character, "dagger") == dagger


def test_undo_swaps_back_two_items_that_swapped_hands(character):
    sword, dagger = item_of(character, "longsword"), item_of(character, "dagger")
    play.set_quantity(character.pk, person(), new_key(), item=dagger, quantity=1)
    before = facts(character)
    undo(character, play.equip(character.pk, person(), new_key(), item=dagger, state="main"))
    assert facts(character) == before
    assert before[f"item:{sword}"]["state"] == "main"


def test_the_first_change_cannot_be_undone(character):
    with pytest.raises(Refused, match="first step"):
        undo(character, character.changes.get())


def test_another_persons_change_is_not_found(character):
    renamed = rename(character, "Miro")
    with pytest.raises(Http404):
        play.undo(character.pk, person("bo"), new_key(), renamed.sequence)
    with pytest.raises(Http404):
        play.undo(character.pk, person(), new_key(), 99)
