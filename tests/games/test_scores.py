"""A game whose characters have scores, as another game has ability ranks: each sentence has its words."""

import shutil

import pytest

from campaigns.models import CampaignTerms
from campaigns.new_characters import terms_of
from campaigns.verbs import rolled_sets, seats
from characters import verbs
from characters.access import OWNER
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import RanksForm
from characters.read.versions import read
from rules.engine.sheet import Problem
from rules.games import no_ranks
from rules.games.contract import SHARED
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import new_key, person

from . import pebbles

pytestmark = pytest.mark.django_db


@pytest.fixture
def pim(monkeypatch, tmp_path):
    """A character whose one score is luck."""
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    (folder / "abilities.yaml").write_text("- {slug: luck, name: Luck, rank_stat: luck, modifier_stat: luck, short: L}")
    load_rules(folder)
    monkeypatch.setattr(no_ranks, "NAME", "Scores")
    monkeypatch.setattr(no_ranks, "RANK", "score")
    monkeypatch.setattr(no_ranks, "rank_stats", lambda bundle: {"luck": "ability:luck"})
    monkeypatch.setattr(no_ranks, "rank_problems", lambda bundle, build: [])
    return verbs.start(person(), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character


@pytest.fixture
def table(pim):
    return saltmarsh(ruleset=pim.ruleset)


def test_a_method_that_the_house_rules_do_not_allow(pim):
    form = RanksForm({"method": "array"}, opened=BuilderCharacter.of(pim, person(), OWNER))
    assert form.errors["method"] == ["The house rules do not allow this way to find scores."]


def test_a_table_that_does_not_roll_them(table):
    with pytest.raises(Refused, match="This table does not roll scores"):
        rolled_sets.roll(table.pk, person())


def test_dice_dealt_to_a_character_that_has_them(monkeypatch, pim, table):
    verbs.set_abilities(pim.pk, person(), new_key(), method="points", ranks={"luck": 2})
    seat = seats.bring(table.pk, person(), pim.pk)
    monkeypatch.setattr(no_ranks, "at_table", lambda bundle, build: SHARED)
    monkeypatch.setattr(no_ranks, "roll", lambda chance: ((3,),))
    dealt = rolled_sets.give(table.pk, person(), new_key(), seat.pk)
    assert dealt.sentence.endswith(" The scores stay as they are until these are assigned.")


def test_a_character_whose_scores_differ_from_the_terms_of_its_table(monkeypatch, pim, table):
    CampaignTerms.objects.create(campaign=table, switches={"few": "on"})
    too_many = Problem("", "Too much luck.")
    monkeypatch.setattr(no_ranks, "rank_problems", lambda bundle, build: [too_many] if build.switches else [])
    assert terms_of(table).off(read(pim), None) == "Scores found another way"


@pytest.fixture
def dice(pim, tmp_path):
    """The pack, in which the score is a place on a ladder of dice."""
    folder = tmp_path / "pebbles"
    stats = (folder / "stats.yaml").read_text()
    (folder / "stats.yaml").write_text(stats.replace("name: Luck", "name: Luck, format: die_step, is_input: true"))
    (folder / "lookups.yaml").write_text(
        "- {slug: die-ladder, name: Dice, rows: [{at: 0, value: 2, label: D2}, {at: 1, value: 3, label: D3}]}"
    )
    load_rules(folder)


@pytest.mark.usefixtures("dice")
def test_a_die_that_somebody_else_has_changed_has_its_name(pim):
    verbs.set_abilities(pim.pk, person(), new_key(), method="points", ranks={"luck": 1})
    with pytest.raises(Refused, match="Luck has changed to D3 in the meantime"):
        verbs.set_abilities(pim.pk, person(), new_key(), method="points", ranks={"luck": 0}, saw={"luck": 2})


@pytest.mark.usefixtures("dice")
def test_a_game_says_how_a_score_was_chosen(monkeypatch, pim):
    """In a game in which it may be raised later, that was not only at creation."""
    monkeypatch.setattr(no_ranks, "CHOSEN", "bought with points")
    verbs.set_abilities(pim.pk, person(), new_key(), method="points", ranks={"luck": 1})
    chosen = read(Character.objects.get()).sheet.values["luck"].because[0]
    assert (chosen.source, chosen.text, chosen.amount) == ("Chosen", "bought with points", 1)
