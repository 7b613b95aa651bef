"""Several characters change in one transaction, all or none."""

import pytest
from django.db import transaction
from django.http import Http404

from characters import verbs
from characters.change.journal import Part, perform_all
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Change
from tests.characters.cast import facts, mira, new_key, person

pytestmark = pytest.mark.django_db


def spending(character, amount):
    def act(draft):
        if draft.read("spent:stamina") + amount > 10:
            raise Refused(f"{draft.read('field:name')} has not that many.", "amount")
        draft.add("spent:stamina", amount)
        return f"{amount} spent."

    return Part(character.pk, {"amount": amount}, act)


def spend(*parts, who=None, key=None):
    with transaction.atomic():
        return perform_all(parts, who or person(), "spend", key or new_key())


def test_each_character_gets_its_own_change_with_the_same_key():
    one, other, key = mira(), mira(), new_key()
    changes = spend(spending(other, 2), spending(one, 1), key=key)
    assert [changes[pk].after for pk in (one.pk, other.pk)] == [{"spent:stamina": 4}, {"spent:stamina": 5}]
    assert {change.key for change in changes.values()} == {key}
    assert list(changes) == sorted(changes)  # in the order in which they were locked


def test_one_refusal_stops_all_and_every_refusal_is_named():
    one, other, third = mira(), mira(), mira()
    with pytest.raises(RefusedForSome) as refused:
        spend(spending(one, 1), spending(other, 9), spending(third, 8))
    assert {pk: why.field for pk, why in refused.value.refusals.items()} == {other.pk: "amount", third.pk: "amount"}
    assert facts(one)["spent:stamina"] == 3
    assert Change.objects.filter(verb="spend").count() == 0


def test_a_character_that_the_person_may_not_play_stops_all():
    one, other = mira(), mira(person("bo"))
    with pytest.raises(Http404):
        spend(spending(one, 1), spending(other, 1))
    assert facts(one)["spent:stamina"] == 3


def test_a_character_in_the_bin_stops_all():
    one, other = mira(), mira()
    verbs.throw_away(other.pk, person(), new_key())
    with pytest.raises(Http404):
        spend(spending(one, 1), spending(other, 1))
    assert facts(one)["spent:stamina"] == 3


@pytest.mark.django_db(transaction=True)
def test_nothing_changes_without_a_transaction():
    one = mira()
    with pytest.raises(RuntimeError, match="one transaction"):
        perform_all([spending(one, 1)], person(), "spend", new_key())
    assert facts(one)["spent:stamina"] == 3
