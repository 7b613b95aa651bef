"""Play continues by the published rules after an unpublished edit has deleted one of their rows, or recreated it."""

import pytest

from campaigns.models import PartyAct
from campaigns.verbs import party_acts, seats
from characters import verbs
from characters.change.refusals import MovedOn, RefusedForSome
from rules.models import Gear
from rules.publications import publish
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import facts, first_level, new_key, person
from tests.characters.play.table import play
from tests.support.homebrew import homebrew

# A missing row is noticed only when the transaction ends, so it has to end.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]


@pytest.fixture
def lamp():
    source = homebrew("Lamps", owner=person().user, published=False)
    made = Gear.objects.create(ruleset=source.ruleset, source=source, slug="odd-lamp", name="Odd lamp")
    publish(source)
    return made


@pytest.fixture
def player(lamp):
    """Ana's character, who has one lamp, so that this process has cached the id of the lamp."""
    character = first_level()
    verbs.set_sources(character.pk, person(), new_key(), sources=[lamp.source.slug])
    take(character)
    return character


def take(character):
    return play.add_item(character.pk, person(), new_key(), ref="gear:odd-lamp")


def lamps(character):
    return [one for one in facts(character).values() if isinstance(one, dict) and one.get("ref") == "gear:odd-lamp"]


def drop(character):
    item = next(address for address, one in facts(character).items() if one in lamps(character)).partition(":")[2]
    play.remove_item(character.pk, person(), new_key(), item=item)


def test_adding_an_item_whose_row_was_deleted_is_refused(player, lamp):
    drop(player)
    lamp.delete()
    with pytest.raises(MovedOn, match="the rules have just been edited"):
        take(player)
    with pytest.raises(MovedOn, match="no longer have “gear:odd-lamp”"):
        take(player)
    assert lamps(player) == []


def test_a_row_that_was_made_again_is_found_at_the_second_try(player, lamp):
    drop(player)
    lamp.delete()
    Gear.objects.create(ruleset=lamp.ruleset, source=lamp.source, slug="odd-lamp", name="Odd lamp")
    with pytest.raises(MovedOn):
        take(player)
    take(player)
    assert len(lamps(player)) == 1


def test_a_storytellers_action_on_several_is_refused_if_a_row_was_deleted(player, lamp):
    table = saltmarsh()
    seats.bring(table.pk, person(), player.pk)
    drop(player)
    lamp.delete()

    def give():
        party_acts.do_to_several(table.pk, person(), new_key(), "add_item", {"ref": "gear:odd-lamp"}, {player.pk: ""})

    with pytest.raises(MovedOn, match="the rules have just been edited"):
        give()
    with pytest.raises(RefusedForSome, match="no longer have “gear:odd-lamp”"):
        give()
    assert not PartyAct.objects.exists()
