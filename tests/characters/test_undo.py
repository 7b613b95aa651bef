"""Undo: any one change, also when later ones exist; numbers by their amount, the rest only where it still stands."""

import pytest
from django.http import Http404

from characters import verbs
from characters.change.refusals import MovedOn, Refused
from characters.models import Change
from rules.models import Element, Source
from rules.publications import publish
from tests.characters.cast import facts, first_level, item_of, new_key, person
from tests.characters.play.table import play
from tests.characters.test_journal import spend
from tests.support.characters import put_xp

pytestmark = pytest.mark.django_db


def undo(character, change):
    return play.undo(character.pk, person(), new_key(), change.sequence)


def rename(character, name):
    return verbs.rename(character.pk, person(), new_key(), name=name)


def test_undo_puts_it_back_and_says_so():
    character = first_level()
    renamed = rename(character, "Miro")
    undone = undo(character, renamed)
    assert facts(character)["field:name"] == "Mira"
    assert undone.inverts == renamed
    assert undone.sentence == "Undone: Mira is now called Miro."


def test_undoing_the_undo_does_it_again():
    character = first_level()
    undone = undo(character, rename(character, "Miro"))
    again = undo(character, undone)
    assert facts(character)["field:name"] == "Miro"
    assert again.sentence == "Done again: Mira is now called Miro."
    assert undo(character, again).sentence == undone.sentence == "Undone: Mira is now called Miro."


def test_what_undoings_were_called_before_is_understood():
    character = first_level()
    again = undo(character, undo(character, rename(character, "Miro")))
    Change.objects.filter(pk=again.pk).update(sentence="Undone: Undone: Mira is now called Miro.")
    assert undo(character, again).sentence == "Undone: Mira is now called Miro."


def test_what_the_rules_no_longer_have_is_not_brought_back():
    character, core = first_level(), Source.objects.get(slug="polyhedral-core")
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


def test_a_change_is_undone_once():
    character = first_level()
    renamed = rename(character, "Miro")
    undo(character, renamed)
    with pytest.raises(Refused, match="undone already"):
        undo(character, renamed)


def test_numbers_move_back_by_their_amount_whatever_came_later():
    character = first_level()
    first = spend(character, 3)
    spend(character, 4)
    undo(character, first)
    assert facts(character)["spent:stamina"] == 4


def test_a_number_does_not_go_below_nothing():
    character = first_level()
    first = spend(character, 3)
    made_up, again = spend(character, -2), spend(character, 1)
    undo(character, again)
    with pytest.raises(MovedOn) as refused:
        undo(character, first)
    assert f"“{made_up.sentence}” has made up for it since. Undo that first." in str(refused.value)
    assert facts(character)["spent:stamina"] == 1
    undo(character, made_up)
    undo(character, first)


def test_a_number_does_not_go_above_its_bound():
    character = first_level()
    put_xp(character.pk, person(), 9000)
    lowered = put_xp(character.pk, person(), 0)
    put_xp(character.pk, person(), 100_000_000)
    with pytest.raises(MovedOn):
        undo(character, lowered)


def test_what_has_moved_on_is_refused_with_a_reason():
    character = first_level()
    first = rename(character, "Miro")
    again = rename(character, "Mara")
    undo(character, rename(character, "Mira"))
    with pytest.raises(MovedOn, match=f"“{again.sentence}” has changed the same thing since. Undo that first."):
        undo(character, first)
    assert facts(character)["field:name"] == "Mara"
    undo(character, again)
    undo(character, first)


def test_what_was_done_again_is_named_as_it_reads():
    character = first_level()
    first = rename(character, "Miro")
    again = undo(character, undo(character, rename(character, "Mara")))
    with pytest.raises(MovedOn, match=f"“{again.sentence}” has changed the same"):
        undo(character, first)
    undo(character, again)
    undo(character, first)


def test_an_undoing_of_what_came_before_is_named():
    character = first_level()
    earlier = spend(character, 5)
    spend(character, -3)
    first = spend(character, 3)
    undo(character, earlier)
    with pytest.raises(MovedOn, match="“Undone: 5 spent.” has made up"):
        undo(character, first)


def test_another_field_changed_later_is_no_hindrance():
    character = first_level()
    first = rename(character, "Miro")
    play.add_item(character.pk, person(), new_key(), custom="A rope")
    undo(character, first)
    assert facts(character)["field:name"] == "Mira"


def test_a_thing_given_up_comes_back_as_the_same_row():
    character = first_level()
    dagger = item_of(character, "dagger")
    gone = play.remove_item(character.pk, person(), new_key(), item=dagger)
    undo(character, gone)
    assert item_of(character, "dagger") == dagger


def test_two_things_that_swapped_hands_swap_back():
    character = first_level()
    sword, dagger = item_of(character, "longsword"), item_of(character, "dagger")
    play.set_quantity(character.pk, person(), new_key(), item=dagger, quantity=1)
    before = facts(character)
    undo(character, play.equip(character.pk, person(), new_key(), item=dagger, state="main"))
    assert facts(character) == before
    assert before[f"item:{sword}"]["state"] == "main"


def test_the_beginning_stays():
    character = first_level()
    with pytest.raises(Refused, match="first step"):
        undo(character, character.changes.get())


def test_another_persons_change_is_missing():
    character = first_level()
    renamed = rename(character, "Miro")
    with pytest.raises(Http404):
        play.undo(character.pk, person("bo"), new_key(), renamed.sequence)
    with pytest.raises(Http404):
        play.undo(character.pk, person(), new_key(), 99)
