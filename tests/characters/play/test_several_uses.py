"""Features with several actions that spend one counter, and actions that roll damage, one of them without a limit."""

import re

import pytest

from characters.change.refusals import Refused
from tests.characters.play.table import Fixed, seated
from tests.support.html import html_of
from tests.support.packs import load_texts

pytestmark = pytest.mark.django_db

THORNS = {
    "source": "{ruleset: {slug: polyhedral}, source: {slug: thorns, title: Thorns}}",
    "stats": "- {key: sap.max, name: Uses of Sap}",
    "rules": """
- slug: thorns
  name: Thorns
  modify: [{stat: sap.max, op: base, amount: 2}]
  resources: [{slug: sap, name: Sap, max_stat: sap.max}]
  grant: [{element: "feature:spines", as: gain}]
  actions:
    - {slug: thorn-burst, name: Thorn burst, timing: bonus-action, resource: sap, roll: damage, dice: 2, amount: 3}
    - {slug: bramble-wall, name: Bramble wall, timing: action, resource: sap, uses: 2}
""",
    "features": """
- slug: spines
  name: Spines
  actions: [{slug: spine-shot, name: Spine shot, timing: action, roll: damage, dice: 1, amount: 2, text: At will.}]
""",
}
RULES = {"sources": ["polyhedral-core", "thorns"], "switches": {}}


@pytest.fixture(scope="module")
def thorns(shared, tmp_path_factory):
    shared(lambda: load_texts(tmp_path_factory.mktemp("thorns"), THORNS))


@pytest.fixture
def guest(thorns):
    return seated(house_rules=RULES)


def test_each_action_that_can_be_paid_has_a_button_of_its_own(guest, client):
    client.force_login(guest.who.user)

    def buttons():
        page = html_of(client.get(f"/characters/{guest.character.pk}/"))
        return re.findall(r'id="use-([a-z-]+)"[^>]*>\s*Use\s+([^<]+?)\s*</button>', page)

    both = [("thorn-burst", "Thorn burst"), ("bramble-wall", "Bramble wall")]
    assert sorted(buttons()) == sorted(both)
    guest.use(action="thorn-burst", chance=Fixed(3, 4))
    assert buttons() == both[:1]


def test_an_action_rolls_its_damage_and_spends_its_price(guest):
    change = guest.use(action="thorn-burst", chance=Fixed(3, 4))
    assert change.sentence == "Mira uses Thorn burst: 10 damage."
    roll = guest.character.rolls.get()
    assert (roll.kind, roll.faces, roll.total) == ("damage", [3, 4], 10)
    assert guest.left("sap") == 1
    with pytest.raises(Refused, match="spent"):
        guest.use(action="bramble-wall")


def test_an_action_that_spends_nothing_is_rolled_as_well(guest, client):
    client.force_login(guest.who.user)
    page = client.get(f"/characters/{guest.character.pk}/").content.decode()
    button = re.search(r'<button form="dice"[^>]*value="spine-shot">', page)[0]
    assert 'play/use/"' in button
    assert guest.use(action="spine-shot", chance=Fixed(5)).sentence == "Mira uses Spine shot: 7 damage."
    assert (guest.character.rolls.get().faces, guest.left("sap")) == ([5], 2)
