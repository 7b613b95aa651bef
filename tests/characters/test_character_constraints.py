"""Rows of a character that the database itself refuses, whoever writes."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.db.models import ProtectedError

from characters.models import (
    Aspect,
    Award,
    Change,
    Character,
    CharacterCondition,
    CharacterToggle,
    Decision,
    Grant,
    InventoryItem,
    ResourceState,
    StatInput,
)  # fmt: skip
from rules.models import Choice, Circumstance, Element, Resource, Stat
from tests.characters.cast import first_level, guest, person

pytestmark = pytest.mark.django_db


def begin():
    return first_level(inventory=[], aspects=[], choices={}, abilities=None)


def refused(make):
    with pytest.raises((IntegrityError, DataError, OverflowError)), transaction.atomic():
        make()


def element(slug):
    return Element.objects.get(slug=slug, kind__in=["weapon", "talent", "condition"])


KEEPERS = [
    {"owner": None, "guest": "", "sample": ""},
    {"owner": True, "guest": "a" * 64},
    {"owner": True, "sample": "both"},
    {"guest": "a" * 64, "sample": "both"},
]


@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_character_has_one_keeper(character, keeper):
    keeper = {**keeper, "owner": person().user if keeper.get("owner") else None}
    refused(lambda: Character.objects.create(ruleset=character.ruleset, **keeper))


@pytest.mark.parametrize(
    "field",
    [{"xp": -1}, {"xp": 100_000_001}, {"milestone": 0}, {"milestone": 10_001}, {"method": "guess"}],
    ids=str,
)
def test_a_characters_columns_have_bounds(character, field):
    refused(lambda: Character.objects.create(ruleset=character.ruleset, guest=guest().guest, **field))


def test_a_sample_slug_is_unique(character):
    Character.objects.create(ruleset=character.ruleset, sample="one")
    refused(lambda: Character.objects.create(ruleset=character.ruleset, sample="one"))


def test_a_decision_has_one_target_a_unique_place_and_bounds(character):
    choice, tough = Choice.objects.get(slug="talent", owner__slug="human-culture"), element("tough")
    stat = Stat.objects.get(key="rank.mind")

    def make(**more):
        return Decision.objects.create(**{"character": character, "choice": choice, "element": tough, **more})

    make()
    for wrong in (
        {}, {"position": 1, "stat": stat}, {"position": 1, "write_in": "words"}, {"position": 1, "element": None},
        {"position": 1, "level": 0}, {"position": 1, "level": 10_001}, {"position": 1, "points": 0},
        {"position": 1, "points": 101},
    ):  # fmt: skip
        refused(lambda wrong=wrong: make(**wrong))


def test_an_item_has_one_name_a_bounded_quantity_and_a_hand_of_its_own(character):
    dagger = element("dagger")

    def make(**more):
        return InventoryItem.objects.create(**{"character": character, "element": dagger, **more})

    make(state="main")
    make(state="off")
    make(state="two-hands")
    for wrong in (
        {"custom": "words"}, {"element": None}, {"quantity": 0}, {"quantity": 100_001}, {"state": "pocket"},
        {"state": "main"}, {"state": "off"}, {"state": "two-hands"},
    ):  # fmt: skip
        refused(lambda wrong=wrong: make(**wrong))


def test_ranks_resources_toggles_conditions_and_awards_are_unique_and_bounded(character):
    stat, resource = Stat.objects.get(key="rank.mind"), Resource.objects.get(slug="stamina")
    circumstance, prone = Circumstance.objects.first(), element("prone")
    rows = [
        (StatInput, {"stat": stat, "value": 10}, [{"value": 1001}, {"value": -1001}]),
        (ResourceState, {"resource": resource, "spent": 1}, [{"spent": -1}, {"spent": 1_000_001}]),
        (CharacterToggle, {"circumstance": circumstance}, []),
        (
            CharacterCondition,
            {"element": prone, "stacks": 1},
            [{"source": "x", "stacks": 0}, {"source": "x", "stacks": 101}],
        ),
        (Award, {"element": element("medic")}, [{"write_in": "words"}]),
        (Award, {"write_in": "words"}, [{"write_in": ""}]),
    ]
    for model, fields, wrongs in rows:
        for wrong in wrongs:
            refused(lambda: model.objects.create(character=character, **{**fields, **wrong}))  # noqa: B023
        model.objects.create(character=character, **fields)
        refused(lambda: model.objects.create(character=character, **fields))  # noqa: B023


def test_aspects_have_a_known_kind_and_a_text(character):
    refused(lambda: Aspect.objects.create(character=character, kind="mood", text="Sour"))
    refused(lambda: Aspect.objects.create(character=character, kind="flaw", text=""))


def test_changes_have_a_place_a_key_and_a_sentence(character):
    first = character.changes.get()

    def make(**more):
        fields = {
            "character": character,
            "sequence": 2,
            "verb": "x",
            "sentence": "X.",
            "key": "a-key-of-2",
            "fingerprint": "f",
        }
        return Change.objects.create(**{**fields, **more})

    make(inverts=first, root=first)
    for wrong in (
        {"key": "a-key-of-3"}, {"sequence": 3}, {"sequence": 3, "key": ""}, {"sequence": 3, "key": "seven.."},
        {"sequence": 0, "key": "a-key-of-3"}, {"sequence": 3, "key": "a-key-of-3", "sentence": ""},
        {"sequence": 3, "key": "a-key-of-3", "inverts": first, "root": first},
        {"sequence": 3, "key": "a-key-of-3", "root": first},
    ):  # fmt: skip
        refused(lambda wrong=wrong: make(**wrong))
    last = make(sequence=3, key="a-key-of-3")
    refused(lambda: make(sequence=4, key="a-key-of-4", inverts=last))


def test_two_characters_cannot_begin_with_one_key(character):
    other = Character.objects.create(ruleset=character.ruleset, guest=guest().guest)
    key = character.changes.get().key
    refused(
        lambda: Change.objects.create(character=other, sequence=1, verb="x", sentence="X.", key=key, fingerprint="f")
    )


def test_content_in_use_is_not_deleted(character):
    InventoryItem.objects.create(character=character, element=element("dagger"))
    with pytest.raises(ProtectedError):
        Element.objects.filter(slug="dagger").delete()
    with pytest.raises(ProtectedError):
        character.ruleset.delete()


@pytest.mark.parametrize(
    "holder",
    [{}, {"user": True, "guest": "a" * 64}, {"user": True, "role": "owner"}, {"user": True, "role": ""}],
    ids=["nobody", "two", "its owner by grant", "no role"],
)
def test_a_grant_has_one_person_and_a_known_role(character, holder):
    holder = {"role": "party", **holder, "user": person("bo").user if holder.get("user") else None}
    refused(lambda: Grant.objects.create(character=character, **holder))
