"""Encounters that the database itself refuses."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from campaigns.models import Combatant, Condition, Creature, CreatureRoll, Encounter, Hit, Screen, Turn
from tests.campaigns.fights import Fight

pytestmark = pytest.mark.django_db


def begin():
    made = Fight()
    made.wolves(2)
    return made


def made_of(fight):
    """The columns of an allowed row, by model; each case below changes one of them."""
    wolf, mira = fight.named("Wolf 1"), fight.named("Mira")
    more = {"encounter": fight.encounter, "key": "k" * 8, "place": 9}
    return {
        Encounter: {"campaign": fight.campaign, "key": "k" * 8, "ended_at": timezone.now()},
        Creature: {"campaign": fight.campaign, "key": "k" * 8, "name": "Bat"},
        Combatant: {**more, "creature": wolf.creature, "number": 7},
        Turn: {"combatant": mira, "round": 3},
        Condition: {"combatant": wolf, "key": "k" * 8, "name": "Asleep"},
        Hit: {"combatant": wolf, "key": "k" * 8, "amount": 1},
        CreatureRoll: {"combatant": wolf, "key": "k" * 8, "name": "Bite", "dice": "3D", "total": 3},
        Screen: {"campaign": fight.campaign, "token": "a" * 64},
    }


CASES = [
    (Encounter, {"ended_at": None}),
    (Encounter, {"round": 100_001}),
    (Encounter, {"key": "k" * 65}),
    (Creature, {"name": ""}),
    (Creature, {"name": "x" * 61}),
    (Creature, {"vital": 100_001}),
    (Creature, {"guard": 1_001}),
    (Creature, {"notes": "x" * 2001}),
    (Combatant, {"creature": None}),
    (Combatant, {"number": 1}),
    (Combatant, {"place": 0}),
    (Combatant, {"initiative": 10_001}),
    (Combatant, {"lost": 100_001}),
    (Condition, {"name": ""}),
    (Condition, {"round": 100_001}),
    (Hit, {"amount": 0}),
    (Hit, {"amount": -100_001}),
    (CreatureRoll, {"dice": "x" * 21}),
    (Screen, {"token": "short"}),
    (Screen, {"vitals": "secrets"}),
]


def test_an_allowed_row_is_stored(fight):
    for model, columns in made_of(fight).items():
        row = model.objects.create(**columns)
        assert model.objects.get(**columns) == row


@pytest.mark.parametrize(("model", "columns"), CASES, ids=lambda one: getattr(one, "__name__", str(one))[:40])
def test_a_bad_row_is_refused(fight, model, columns):
    """For a text that is too long PostgreSQL raises a DataError."""
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        model.objects.create(**{**made_of(fight)[model], **columns})


def test_no_row_is_stored_twice(fight):
    for model, columns in made_of(fight).items():
        model.objects.create(**columns)
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.create(**columns)


def test_a_character_is_in_an_encounter_once_and_never_hidden(fight):
    mira = fight.named("Mira")
    columns = {"encounter": fight.encounter, "seat": mira.seat, "key": "k" * 8, "place": 9}
    with pytest.raises(IntegrityError), transaction.atomic():
        Combatant.objects.create(**columns)
    with pytest.raises(IntegrityError), transaction.atomic():
        Combatant.objects.filter(pk=mira.pk).update(hidden=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Combatant.objects.filter(pk=mira.pk).update(lost=1)
