"""Decisions of a source that is no longer in play stay in the file, and count again once the source is back."""

import json

import pytest

from characters import verbs
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.read.character_file import write_file
from characters.verbs.begin import BadFile
from tests.characters.cast import document, facts, mira, new_key, person
from tests.support.characters import fresh, sheet_of
from tests.support.homebrew import homebrew, in_play
from tests.support.packs import load_texts

pytestmark = pytest.mark.django_db

PACK = {
    "source": """
ruleset: {slug: polyhedral, name: Polyhedral, game: polyhedral, armor_stat: defense}
source: {slug: tides, title: Tides, version: "1"}
""",
    "switches": '- {key: tide, name: Tide, type: number, default: "1"}',
    "stats": "- {key: breath.max, name: Breath}",
    "languages": "- {slug: tidal, name: Tidal, summary: Spoken under water.}",
    "circumstances": "- {slug: at-high-water, name: at high water, detection: toggle}",
    "talents": """
- slug: wader
  name: Wader
  summary: Walks where others swim.
  modify: [{stat: breath.max, op: base, amount: 2}]
  resources: [{slug: breath, name: Breath, max_stat: breath.max}]
  choices: [{slug: stroke, prompt: Choose a stroke, options: [talent:diver]}]
- {slug: diver, name: Diver, summary: Swims below.}
""",
}


def swimmer():
    """Mira with something of each kind from the source Tides."""
    levels = document()["levels"][:-1]
    sent = {
        "house_rules": {"sources": ["polyhedral-core", "tides"], "switches": {"tide": "3"}},
        "levels": [*levels, {"level": 5, "take": "talent", "talent": "wader", "choices": {"wader.stroke": ["diver"]}}],
        "plan": [{"level": 6, "take": "talent", "talent": "diver"}],
        "state": {"spent": {"breath": 1}, "toggles": ["at-high-water"]},
    }
    text = json.dumps(document(**sent))
    return verbs.import_file(person(), new_key(), text=text).character


@pytest.fixture(scope="module")
def tides(shared, tmp_path_factory):
    shared(lambda: load_texts(tmp_path_factory.mktemp("tides"), PACK))


def text_of(character):
    return write_file(fresh(character.pk))


def play_by(character, *sources, owner=None):
    verbs.set_sources(character.pk, owner or person(), new_key(), sources=sources)


def read(text, owner=None):
    return verbs.import_file(owner or person(), new_key(), text=text).character


def test_a_file_names_the_source_left_out_and_is_imported_unchanged(tides):
    before = swimmer()
    assert "left_out" not in json.loads(text_of(before))["house_rules"]
    play_by(before)
    text = text_of(before)
    document = json.loads(text)
    assert document["house_rules"] == {"sources": ["polyhedral-core"], "left_out": ["tides"], "switches": {"tide": "3"}}
    assert document["levels"][-1]["talent"] == "wader"
    after = read(text)
    assert text_of(after) == text, "byte for byte"
    play_by(before, "tides")
    play_by(after, "tides")
    assert text_of(after) == text_of(before)
    assert facts(after)["choice:wader.stroke@5"] == [{"ref": "talent:diver"}]


@pytest.mark.parametrize("how", [{"drop": "talent:wader"}, {"take": "job:fighter"}])
def test_an_answer_from_a_source_left_out_stays_when_its_level_is_dropped_or_spent_again(tides, how):
    character = swimmer()
    play_by(character)
    verb, way = (verbs.unchoose, "level-talent") if "drop" in how else (verbs.choose, "level-job")
    verb(character.pk, person(), new_key(), choice=f"core-rules.{way}", level=5, **how)
    assert "choice:core-rules.level-talent@5" not in facts(character)
    assert facts(character)["choice:wader.stroke@5"] == [{"ref": "talent:diver"}]


def test_a_talent_from_a_source_left_out_does_not_count_after_import(tides):
    sheet = read_sheet(left_out=["tides"])
    assert "talent:wader" not in sheet.active
    assert any("Wader" in problem.text for problem in sheet.problems)
    assert "talent:wader" in read_sheet(sources=["polyhedral-core", "tides"]).active


def test_a_file_that_does_not_name_the_source_left_out_is_refused(tides):
    with pytest.raises(BadFile) as refused:
        read_sheet()
    assert {problem.where for problem in refused.value.problems} >= {"levels[3].talent", "state.spent.breath"}


def test_an_unknown_source_is_refused_at_its_place_in_the_file(tides):
    with pytest.raises(BadFile) as refused:
        read_sheet(left_out=["ebbs"])
    assert refused.value.problems[0].where == "house_rules.left_out[0]"


def test_a_file_names_homebrew_left_out_only_to_its_maker():
    moths = homebrew("Moths", owner=person().user, moth="Mothwing")
    for owner, told in ((person(), [moths.slug]), (person("bo"), [])):
        character = mira(owner)
        talents = {"core-rules.level-talent@5": [{"ref": "talent:moth"}]}
        in_play(moths, character)
        decided(character, talents)
        play_by(character, owner=owner)
        assert json.loads(text_of(character))["house_rules"].get("left_out", []) == told


def test_a_draft_has_the_rules_of_the_sources_last_put_into_it(tides):
    draft = Draft(fresh(mira(person()).pk))
    for source, known in ((None, False), (True, True), (None, False)):
        draft.put("source:tides", source)
        assert ("talent:wader" in draft.bundle.elements) is known
        assert draft.version.bundle is draft.bundle


def decided(character, choices):
    """Stores choices as if they had been made while the source was in play."""
    draft = Draft(fresh(character.pk))
    for address, made in choices.items():
        draft.put(f"choice:{address}", made)
    draft.commit()


def read_sheet(**house_rules):
    """The sheet of the swimmer's file with these house rules."""
    document = json.loads(text_of(swimmer()))
    document["house_rules"] = {**house_rules, "switches": {"tide": "3"}}
    return sheet_of(fresh(read(json.dumps(document)).pk))[2]


@pytest.fixture
def speaker(tides):
    """Mira without one of the two languages of her background, whose source is left out."""
    choices = document()["choices"] | {"ambassador.languages": ["dwarven", "tidal"]}
    character = mira(house_rules={"sources": ["polyhedral-core", "tides"]}, choices=choices)
    play_by(character)
    return character


def test_another_answer_takes_the_place_of_one_that_is_left_out(speaker):
    change = verbs.choose(speaker.pk, person(), new_key(), choice="ambassador.languages", take="Trade cant")
    assert change.sentence == "Mira chooses languages: Dwarven and Trade cant."
    assert facts(speaker)["choice:ambassador.languages@1"] == [{"ref": "language:dwarven"}, {"write_in": "Trade cant"}]


def test_an_answer_of_a_page_from_before_its_source_was_left_out_is_not_taken_for_own_words(speaker):
    with pytest.raises(Refused, match="That is not offered here."):
        verbs.choose(speaker.pk, person(), new_key(), choice="ambassador.languages", take="language:tidal")


@pytest.mark.parametrize("step", ["origin", "abilities", "aspects", "equipment", "review"])
def test_the_builder_opens_with_an_answer_of_a_source_left_out(client, speaker, step):
    client.force_login(person().user)
    page = client.get(f"/characters/{speaker.pk}/build/{step}/")
    assert page.status_code == 200
    assert step != "review" or "Dwarven, Tidal" in page.content.decode()
