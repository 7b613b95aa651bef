"""Rests that rows of content make: an event with what it brings back, and an action that counts as it."""

import json
import re
import uuid

import pytest

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from characters.read.character_file import write_file
from tests.characters.cast import new_key, person, refuses
from tests.characters.play.table import Fixed, Seat, seated
from tests.support.html import html_of
from tests.support.packs import load_texts

pytestmark = pytest.mark.django_db

INNS = {
    "source": "{ruleset: {slug: polyhedral}, source: {slug: inns, title: Inns}}",
    "stats": "- {key: baths.max, name: Baths}",
    "events": """
- {slug: catnap, name: Catnap}
- {slug: baths, name: Day at the baths, includes: [long-rest]}
""",
    "rules": """
- slug: inns
  name: Inns
  modify: [{stat: baths.max, op: base, amount: 1}]
  resources: [{slug: baths, name: Baths, max_stat: baths.max}]
  recoveries: [{resource: second-wind, event: catnap, full: true}, {resource: baths, event: adventure, full: true}]
  actions:
    - {slug: catnap, name: Catnap, timing: rest, fires: catnap, text: A quarter of an hour with your eyes shut.}
    - {slug: bathe, name: Bathe, timing: rest, fires: baths, resource: baths}
    - {slug: gasp, name: Gasp, timing: bonus-action, fires: catnap}
""",
}
RULES = {"sources": ["polyhedral-core", "inns"], "switches": {}}


@pytest.fixture(scope="module")
def inns(shared, tmp_path_factory):
    shared(lambda: load_texts(tmp_path_factory.mktemp("inns"), INNS))


@pytest.fixture
def guest(inns):
    return seated(level=3, house_rules=RULES, state={"health": 2, "wounds": 1, "spent": {"second-wind": 1}})


@pytest.fixture
def at_rest(guest, client):
    """The page of rests of the guest, as its player reads it."""
    client.force_login(guest.who.user)
    return lambda: html_of(client.get(f"/characters/{guest.character.pk}/rest/"))


def part(page, slug):
    return re.search(rf'aria-labelledby="{slug}-title">(.*?)</section>', page, re.DOTALL)[1]


def test_the_page_offers_the_rest_and_says_first_what_it_brings(guest, at_rest):
    nap = part(at_rest(), "catnap")
    assert "A quarter of an hour with your eyes shut." in nap
    assert "Second Wind" in nap
    assert "<del>0</del><ins>1</ins>" in nap
    assert 'id="begin-catnap"' in nap
    assert guest.spent("second-wind") == 1


def test_the_rest_is_begun_and_finished_by_plain_forms(guest, at_rest, client):
    base = f"/characters/{guest.character.pk}/"
    sent = {"page": "rest", "rest": "catnap"}
    answer = client.post(f"{base}play/begin-rest/", {"key": uuid.uuid4().hex, **sent})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{base}rest/#rest")
    now = part(at_rest(), "now")
    assert ">Catnap</h2>" in now
    assert "Spend a Stamina Die" not in now
    assert "Wounds treated by" not in now
    client.post(f"{base}play/finish-rest/", {"key": uuid.uuid4().hex, "page": "rest"})
    assert (guest.spent("second-wind"), guest.fresh.rest) == (0, "")


def test_its_history_has_its_name_and_is_undone(guest):
    begun = guest.begin_rest(rest="catnap")
    over = guest.finish_rest()
    assert begun.sentence == "Mira begins a rest, Catnap."
    assert over.sentence == "Mira: Catnap. Second Wind +1."
    guest.undo(over)
    assert (guest.spent("second-wind"), guest.fresh.rest) == (1, "catnap")
    guest.undo(begun)
    assert guest.fresh.rest == ""


def test_stamina_dice_and_treated_wounds_belong_to_a_rest_that_includes_a_short_one(guest):
    guest.begin_rest(rest="catnap")
    for act in (lambda: guest.spend_rest_die(chance=Fixed(4)), guest.treat_wounds):
        with pytest.raises(Refused, match="only in a short rest"):
            act()
    guest.finish_rest()
    guest.begin_rest(rest="bathe")
    guest.spend_rest_die(chance=Fixed(4))
    guest.treat_wounds()
    assert (guest.left("health"), guest.spent("wounds")) == (6 - 2, 0)


def test_a_rest_that_includes_a_long_one_brings_what_it_brings(guest):
    guest.add_condition(condition="condition:frightened", until="short-rest")
    guest.begin_rest(rest="bathe")
    guest.finish_rest()
    assert guest.spent("second-wind") == 0
    assert "frightened" not in guest.conditions


def test_a_rest_with_uses_is_refused_when_they_are_spent(guest, at_rest):
    guest.begin_rest(rest="bathe")
    guest.finish_rest()
    with pytest.raises(Refused, match="Bathe is spent until the next end of an adventure"):
        guest.begin_rest(rest="bathe")
    assert 'id="begin-bathe"' not in at_rest()
    guest.end_adventure()
    assert 'id="begin-bathe"' in at_rest()


def test_a_rest_that_takes_a_part_of_a_turn_leaves_conditions_counted_in_rounds(guest, at_rest):
    guest.add_condition(condition="condition:slowed", rounds=3)
    assert "Gasp in the fight" in part(at_rest(), "gasp")
    guest.use(action="gasp")
    assert guest.left("bonus-action") == 0
    guest.finish_rest()
    assert "slowed" in guest.conditions
    assert guest.spent("second-wind") == 0


def test_an_action_that_counts_as_a_rest_is_not_listed_among_those_used_without_a_look(guest, client):
    client.force_login(guest.who.user)
    sheet = client.get(f"/characters/{guest.character.pk}/").content.decode()
    assert '<option value="gasp">' not in sheet
    assert f'/characters/{guest.character.pk}/rest/#bathe-title"' in sheet


def test_a_rest_that_is_not_the_characters_own_is_refused_by_its_field(seat, inns):
    with refuses("rest"):
        seat.begin_rest(rest="catnap")
    assert seat.fresh.rest == ""


def test_a_rest_whose_source_is_left_out_meanwhile_ends_and_gives_nothing(guest, at_rest):
    guest.begin_rest(rest="catnap")
    guest.set_sources(sources=[])
    assert ">Rest</h2>" in part(at_rest(), "now")
    with pytest.raises(Refused, match="only in a short rest"):
        guest.spend_rest_die(chance=Fixed(4))
    assert guest.finish_rest().sentence == "Mira: the rest is cut short and gives nothing."
    assert (guest.spent("second-wind"), guest.fresh.rest) == (1, "")


def test_the_rest_goes_into_the_file_and_out_of_it_again(guest):
    guest.begin_rest(rest="catnap")
    text = write_file(guest.fresh)
    assert json.loads(text)["state"]["rest"] == {"rest": "catnap"}
    again = Seat(verbs.import_file(person(), new_key(), text=text).character)
    assert write_file(again.fresh) == text
    again.finish_rest()
    assert again.spent("second-wind") == 0
    assert Character.objects.filter(rest="catnap").count() == 1
