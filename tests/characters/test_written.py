"""Writing and deleting several rows of a character at once gives the same result as one by one."""

from copy import deepcopy

import pytest
from django.contrib.auth.models import User

from characters.change.fact_writer import ITEMS, SPENT, TABLES
from characters.models import CharacterCondition, Note
from rules.models import Element, Resource
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db
NOTES, CONDITIONS = (TABLES[word].writer for word in ("note", "condition"))


def begin():
    return [owned_by(User.objects.create_user(name)) for name in ("ana", "bo")]


@pytest.fixture
def two(begun):
    return deepcopy(begun)


@pytest.mark.parametrize("how_many", [0, 1, 2, 9])
def test_new_rows_get_their_ids(two, how_many):
    rows = [Note(character=two[0], text=f"Note {number}", position=number) for number in range(how_many)]
    NOTES.put(rows)
    assert [row.text for row in Note.objects.filter(pk__in=[row.pk for row in rows])] == [row.text for row in rows]


@pytest.mark.parametrize("which", [(), ("Raj",), ("Raj", "a fall")])
def test_rows_are_deleted_by_their_whole_key_and_from_one_character_only(two, which):
    prone = Element.objects.get(kind="condition", slug="prone")
    for character in two:
        CONDITIONS.put(
            [CharacterCondition(character=character, element=prone, source=by) for by in ("Raj", "a fall", "mud")]
        )
    CONDITIONS.remove(two[0], [{"element_id": prone.pk, "source": source} for source in which])
    left = [{row.source for row in character.conditions.all()} for character in two]
    assert left == [{"Raj", "a fall", "mud"} - set(which), {"Raj", "a fall", "mud"}]


def test_another_characters_row_is_not_deleted_by_its_id(two):
    note = Note(character=two[1], text="Mine.")
    NOTES.put([note])
    NOTES.remove(two[0], [{"id": note.pk}])
    assert Note.objects.filter(pk=note.pk).exists()


@pytest.mark.parametrize("how_many", [1, 2])
def test_existing_rows_are_updated(two, how_many):
    things = list(two[0].items.all()[:how_many])
    assert len(things) == how_many
    for thing in things:
        thing.quantity = 77
    ITEMS.put(things)
    assert [one.quantity for one in two[0].items.filter(pk__in=[thing.pk for thing in things])] == [77] * how_many
    resources = Resource.objects.filter(owner__source__is_core=True)[:how_many]
    for spent in (1, 2):
        SPENT.put([SPENT.model(character=two[0], resource=resource, spent=spent) for resource in resources])
    assert [row.spent for row in two[0].resources.filter(resource__in=list(resources))] == [2] * how_many
