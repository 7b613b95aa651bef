"""The database enforces bounds on every text and number of a character, whoever writes."""

import pytest
from django.apps import apps
from django.db import DataError, IntegrityError, models, transaction

from characters.models import (
    Aspect,
    Award,
    Beginning,
    Change,
    Character,
    CharacterCondition,
    CharacterToggle,
    Decision,
    Downtime,
    Grant,
    Introduction,
    InventoryItem,
    Link,
    Looked,
    Note,
    Picture,
    PlannedDecision,
    Proposal,
    Relationship,
    ResourceState,
    RollRecord,
    Spell,
    StatInput,
)
from rules.models import Choice, Circumstance, Element, Resource, Stat
from tests.characters.cast import first_level, guest

pytestmark = pytest.mark.django_db

MODELS = list(apps.get_app_config("characters").get_models())
NUMBERS = {
    Character: {"xp": (0, 100_000_000), "milestone": (1, 10_000), "rest_dice": (0, 10_000)},
    Decision: {"level": (1, 10_000), "position": (0, 32_767), "points": (1, 100)},
    PlannedDecision: {"level": (1, 10_000), "position": (0, 32_767), "points": (1, 100)},
    StatInput: {"value": (-1_000, 1_000)},
    Aspect: {"position": (0, 32_767)},
    Relationship: {"position": (0, 32_767)},
    Note: {"position": (0, 32_767)},
    Spell: {"position": (0, 32_767)},
    Downtime: {"days": (1, 36_500), "position": (0, 32_767)},
    InventoryItem: {"quantity": (1, 100_000), "used": (0, 100_000), "position": (0, 1_000_000)},
    CharacterCondition: {"stacks": (1, 100), "rounds": (0, 1_000)},
    Picture: {"size": (1, 400_000)},
    ResourceState: {"spent": (0, 1_000_000)},
    RollRecord: {
        "die": (1, 100),
        "total": (-100_000, 100_000),
        "target": (-1_000, 1_000),
        "criticals_on": (0, 100),
        "criticals_from_pool": (0, 100),
    },
}
# Columns of text that hold one of a few words.
WORDS = {
    Character: {"method"},
    Aspect: {"kind"},
    Relationship: {"based_on"},
    InventoryItem: {"state"},
    Spell: {"attack"},
    Grant: {"role"},
}
# Other columns that must change for a text to be allowed at all.
ALONG = {(Character, "sample"): {"guest": ""}, (Award, "write_in"): {"element": None}}


def good_row(model):
    character = first_level(inventory=[], aspects=[], choices={}, abilities=None)
    if model is Beginning:
        return Beginning.objects.create(household="here")
    if model is Picture:
        return Picture.objects.create(digest="0" * 64, data=b"x", size=1)
    if model is Introduction:
        return Introduction.objects.create(guest="a guest")
    if model is Character:
        return Character.objects.create(ruleset=character.ruleset, guest=guest().guest)
    answer = {"choice": Choice.objects.get(slug="talent", owner__slug="human-culture"), "level": 9, "write_in": "Words"}
    columns = {
        Decision: answer,
        PlannedDecision: answer,
        StatInput: {"stat": Stat.objects.get(key="rank.mind"), "value": 10},
        Award: {"element": Element.objects.get(kind="talent", slug="medic")},
        Aspect: {"kind": "flaw", "text": "Sour"},
        Change: {"sequence": 2, "verb": "rename", "sentence": "X.", "key": "a form's key", "fingerprint": "f"},
        Relationship: {"other": "Bo", "based_on": "bond", "text": "Friends"},
        Note: {"text": "Words"},
        Spell: {"name": "Light"},
        Downtime: {"days": 1, "activity": "Rest"},
        RollRecord: {"change": character.changes.get(), "kind": "check", "key": "check.mind", "name": "X", "total": 10},
        InventoryItem: {"custom": "Lamp"},
        CharacterCondition: {"element": Element.objects.get(kind="condition", slug="prone")},
        ResourceState: {"resource": Resource.objects.get(slug="stamina")},
        CharacterToggle: {"circumstance": Circumstance.objects.first()},
        Grant: {"guest": guest().guest, "role": "party"},
        Link: {"token": "0" * 64},
        Looked: {"guest": guest().guest, "number": 1},
        Proposal: {"action": "heal", "key": "a form's key"},
    }
    return model.objects.create(character=character, **columns[model])


def takes(row, **columns):
    """True if the database takes these values. PostgreSQL has limits of its own for a column (`DataError`)."""
    try:
        with transaction.atomic():
            type(row).objects.filter(pk=row.pk).update(**columns)
    except (IntegrityError, DataError):
        return False
    return True


def texts(model):
    return [one for one in model._meta.concrete_fields if isinstance(one, models.CharField | models.TextField)]


def test_every_column_of_numbers_has_its_bounds_in_this_file():
    """Except columns of 64 bits: ids, and counts of changes."""
    for model in MODELS:
        numbers = {
            one.name
            for one in model._meta.concrete_fields
            if isinstance(one, models.IntegerField) and not isinstance(one, models.BigIntegerField)
        }
        assert numbers == NUMBERS.get(model, {}).keys(), model


@pytest.mark.parametrize("model", NUMBERS, ids=lambda model: model.__name__)
def test_the_database_refuses_numbers_out_of_bounds(model):
    row = good_row(model)
    for name, (least, most) in NUMBERS[model].items():
        taken = [takes(row, **{name: number}) for number in (least - 1, least, most, most + 1)]
        assert taken == [False, True, True, False], name


@pytest.mark.parametrize("model", [model for model in MODELS if texts(model)], ids=lambda model: model.__name__)
def test_the_database_refuses_texts_that_are_too_long_or_no_known_word(model):
    row = good_row(model)
    for text in texts(model):
        also, most = ALONG.get((model, text.name), {}), text.max_length
        assert not takes(row, **also, **{text.name: "é" * (most + 1)}), text.name
        free = text.name not in WORDS.get(model, ())
        assert takes(row, **also, **{text.name: "é" * most}) == free, text.name
        assert free or not takes(row, **{text.name: "other"}), text.name
