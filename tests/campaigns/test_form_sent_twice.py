"""A table's form that is sent twice acts once. Sent again with other fields, it is refused and stores nothing.

Forms that go through the journal of a character are tested in `tests/characters/builder/test_answers.py`.
"""

import pytest
from django.apps import apps

from campaigns.models import Condition, Creature, CreatureRoll, Hit
from tests.campaigns.fights import WOLF, Fight
from tests.characters.cast import browser_of, new_key

pytestmark = [pytest.mark.django_db, pytest.mark.full]

# By address within the campaign: the fields that are sent, and the fields in which a second form differs.
FORMS = {
    "combatants/{wolf}/hit/": ({"amount": "5"}, {"amount": "7"}),
    "combatants/{other}/hit/": ({"amount": "2"}, {"heal": "yes"}),
    "combatants/{wolf}/roll/": ({"which": "0"}, {"which": "1"}),
    "combatants/{other}/roll/": ({"which": "0"}, {"secret": "on"}),
    "conditions/": ({"combatant": "{wolf}", "condition": "Dazed", "rounds": "2"}, {"rounds": "3"}),
    "conditions/?other": ({"combatant": "{wolf}", "condition": "Slow"}, {"combatant": "{other}"}),
    "creatures/": ({**WOLF, "name": "Bear", "many": "2"}, {"many": "3"}),
    "creatures/{kind}/bring/": ({"many": "2"}, {"many": "3"}),
    "encounter/{mira}/hit/": ({"amount": "5"}, {"amount": "7"}),
    "log/marks/": ({"name": "The first evening"}, {"name": "The second evening"}),
    "notes/write/": ({"text": "The bridge is out.", "reader": "everyone"}, {"text": "The bridge stands."}),
    "invites/make/": ({"role": "player", "most": "6", "days": "7"}, {"role": "spectator"}),
    "invites/make/?days": ({"role": "player", "most": "6", "days": "7"}, {"days": "8"}),
    "screens/make/": ({"vitals": "bars"}, {"vitals": "numbers"}),
}


def begin():
    made = Fight()
    made.wolves(2)
    return made


@pytest.fixture
def send(fight):
    client = browser_of()
    wolf, other = (one for one in fight.everybody if one.creature_id)
    names = {"wolf": wolf.pk, "other": other.pk, "kind": wolf.creature_id, "mira": fight.mira.pk}
    base = fight.campaign.get_absolute_url()

    def send(address, key, **fields):
        fields = {name: str(value).format(**names) for name, value in fields.items()}
        return client.post(f"{base}{address.format(**names)}", {**fields, "key": key})

    return send


def stored():
    """Every row of the tables and the characters."""
    models = [model for name in ("campaigns", "characters") for model in apps.get_app_config(name).get_models()]
    return {model: list(model.objects.order_by("pk").values()) for model in models}


@pytest.mark.parametrize("address", FORMS)
def test_the_same_form_is_done_once_and_another_under_its_key_is_refused(send, address):
    fields, other = FORMS[address]
    key, before = new_key(), stored()
    assert send(address, key, **fields).status_code in (200, 303)
    once = stored()
    assert once != before
    assert send(address, key, **fields).status_code in (200, 303)
    assert without_moments(stored()) == without_moments(once)
    refused = send(address, key, **{**fields, **other})
    assert refused.status_code == 422
    assert "This form was sent before with something else in it." in refused.content.decode()
    assert without_moments(stored()) == without_moments(once)


def without_moments(rows):
    """The rows without versions and times, which only tell open pages to look again."""
    ours = {"version", "moved_at", "changed_at"}
    return {
        model: [{name: value for name, value in row.items() if name not in ours} for row in found]
        for model, found in rows.items()
    }


@pytest.mark.parametrize("model", [Condition, Creature, CreatureRoll, Hit])
def test_a_row_from_before_forms_were_compared_accepts_its_key_again(send, fight, model):
    """Rows of an older version do not say which fields were sent."""
    address = {
        Condition: "conditions/",
        Creature: "creatures/",
        CreatureRoll: "combatants/{wolf}/roll/",
        Hit: "combatants/{wolf}/hit/",
    }[model]
    fields, other = FORMS[address]
    key = new_key()
    send(address, key, **fields)
    assert model.objects.filter(key=key).update(fingerprint="") == 1
    assert send(address, key, **{**fields, **other}).status_code in (200, 303)
    assert model.objects.filter(key=key).count() == 1
