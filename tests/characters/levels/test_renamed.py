"""A pack renames things that a character has: undo, redo, pages, plans and files work with either name."""

import json
from pathlib import Path

import pytest

from characters import verbs
from characters.change import history_entries
from characters.change.refusals import MovedOn
from characters.change.replay import fault
from characters.read.character_file import write_file
from rules.packs.load import files_in, load_files
from tests.characters.cast import new_key
from tests.characters.levels.conftest import JOB, TALENT
from tests.characters.play.table import play
from tests.support.characters import sheet_of
from tests.support.html import html_of

pytestmark = pytest.mark.full

FOLDER = Path(__file__).parents[3] / "docs/packs/river-folk"
JOB_OF_THE_RIVER = b"""
- slug: bargee
  name: Bargee
  max_rank: 10
  choices:
    - {slug: knot, prompt: Choose a knot, from_rank: 1, filter_kind: feature, filter_group: category:knots}
"""
KNOTS = b"""
- {slug: bowline, name: Bowline, groups: [category:knots], modify: [{stat: speed, op: add, amount: 5}]}
- {slug: sheepshank, name: Sheepshank, groups: [category:knots]}
"""
FILES = {
    **files_in(FOLDER),
    "jobs.yaml": JOB_OF_THE_RIVER,
    "features.yaml": KNOTS,
    "conditions.yaml": b"- {slug: soaked, name: Soaked}",
    "categories.yaml": b"- {slug: knots, name: Knots}",
}
RENAMED = {
    "talents.yaml": [(b"- slug: river-born\n  name: River-born", b"- {was}slug: river-child\n  name: River child")],
    "jobs.yaml": [(b"- slug: bargee\n  name: Bargee", b"- {was}slug: lighterman\n  name: Lighterman")],
    "features.yaml": [(b"{slug: bowline, name: Bowline", b"{slug: noose, was: bowline, name: Noose")],
    "weapons.yaml": [(b"- slug: boat-hook\n  name: Boat hook", b"- {was}slug: gaff\n  name: Gaff")],
    "conditions.yaml": [(b"{slug: soaked, name: Soaked", b"{slug: drenched, was: soaked, name: Drenched")],
    "backgrounds.yaml": [(b"weapon:boat-hook", b"weapon:gaff")],
}


def renamed():
    """The same pack, in which all these have other names and say what they were."""
    files = dict(FILES)
    for name, swaps in RENAMED.items():
        for old, new in swaps:
            slug = old.partition(b"slug: ")[2].partition(b"\n")[0]
            assert old in files[name]
            files[name] = files[name].replace(old, new.replace(b"{was}", b"was: " + slug + b"\n  "))
    return files


@pytest.fixture
def ysolde(ysolde):
    """With the river folk in play."""
    load_files(FILES)
    ysolde.do(verbs.set_sources, sources=["river-folk"])
    return ysolde


NAMES = {"river-born", "river-child", "bargee", "lighterman", "bowline", "noose"}
KNOT = {"bargee.knot": ["feature:bowline"]}


def undo(ysolde, change):
    return play.undo(ysolde.pk, ysolde.person, new_key(), change=change.sequence)


def talent(ysolde):
    ysolde.earn(2)
    return ysolde.up(2, TALENT, ["talent:river-born"])


def job(ysolde):
    ysolde.earn(2)
    return ysolde.up(2, JOB, ["job:bargee"], answers=KNOT)


def moved_since(ysolde, change):
    return {(one.key, one.before, one.after) for one in history_entries.since(ysolde.character, change.sequence)}


def by_new_names(words):
    return words.replace("bargee", "lighterman").replace("bowline", "noose")


def active(ysolde):
    return {ref for ref in ysolde.sheet.active if ref.partition(":")[2] in NAMES}


@pytest.mark.parametrize(
    ("taken", "now"),
    [(talent, {"talent:river-child"}), (job, {"job:lighterman", "feature:noose"})],
    ids=["a talent", "a job whose question was answered"],
)
def test_taking_a_renamed_entry_is_undone_and_done_again(ysolde, taken, now):
    change = taken(ysolde)
    load_files(renamed())
    assert active(ysolde) == now
    before = ysolde.facts
    for _ in range(2):
        change = undo(ysolde, change)
        assert active(ysolde) == set()
        change = undo(ysolde, change)
        assert ysolde.facts == before
    assert fault(ysolde.character) == ""


def test_a_talent_dropped_before_comes_back_under_its_new_name(ysolde):
    talent(ysolde)
    dropped = ysolde.do(verbs.take_back_level, level=2)
    load_files(renamed())
    undo(ysolde, dropped)
    assert active(ysolde) == {"talent:river-child"}


def test_a_level_that_really_changed_since_is_still_not_undone(ysolde):
    """The control of the others."""
    change = talent(ysolde)
    load_files(renamed())
    ysolde.do(verbs.change_level, level=2, take=TALENT, targets=["talent:medic"], saw=ysolde.saw)
    with pytest.raises(MovedOn):
        undo(ysolde, change)


def hook_and_wet(ysolde):
    hook = play.add_item(ysolde.pk, ysolde.person, new_key(), ref="weapon:boat-hook", custom="", quantity=1)
    return hook, play.add_condition(ysolde.pk, ysolde.person, new_key(), condition="condition:soaked")


def test_renamed_items_and_conditions_are_undone_and_done_again(ysolde):
    hook, wet = hook_and_wet(ysolde)
    load_files(renamed())
    for one in (hook, wet):
        undo(ysolde, undo(ysolde, one))
    assert fault(ysolde.character) == ""
    assert "weapon:gaff" in {item.ref for item in ysolde.build.items}
    assert "condition:drenched" in {held.ref for held in ysolde.build.conditions}


def test_pages_that_read_the_journal_say_the_new_name(ysolde):
    change = job(ysolde)
    undo(ysolde, change)
    then = moved_since(ysolde, change)
    assert "speed" in {key for key, _, _ in then}
    load_files(renamed())
    assert moved_since(ysolde, change) == {tuple(map(by_new_names, line)) for line in then}
    undo(ysolde, ysolde.character.changes.latest("sequence"))
    assert moved_since(ysolde, change) == set()
    gained = html_of(ysolde.get("gained", change.sequence))
    assert "Lighterman" in gained
    assert "Noose" in gained
    timeline = html_of(ysolde.get("timeline"))
    assert "Lighterman" in timeline
    assert change.sentence in timeline
    assert ysolde.get("history").status_code == 200


def test_a_planned_level_is_taken_under_the_new_name(ysolde):
    ysolde.do(verbs.plan_level, level=2, take=TALENT, targets=["talent:river-born"], saw=ysolde.saw)
    planned = ysolde.do(verbs.plan_level, level=3, take=JOB, targets=["job:bargee"], answers=KNOT, saw=ysolde.saw)
    load_files(renamed())
    assert "River child" in html_of(ysolde.get("plan"))
    undo(ysolde, undo(ysolde, planned))
    ysolde.earn(3)
    for level in (2, 3):
        assert ysolde.post("take-planned", level).status_code == 303
    assert active(ysolde) == {"talent:river-child", "job:lighterman", "feature:noose"}
    assert not ysolde.sheet.problems


def test_a_file_written_before_the_renaming_is_read(ysolde):
    ysolde.earn(3)
    ysolde.up(2, TALENT, ["talent:river-born"])
    ysolde.up(3, JOB, ["job:bargee"], answers=KNOT)
    play.add_item(ysolde.pk, ysolde.person, new_key(), ref="weapon:boat-hook", custom="", quantity=1)
    file = ysolde.file
    assert all(slug in file for slug in ("river-born", "bargee.knot", "bowline", "boat-hook"))
    load_files(renamed())
    read = verbs.import_file(ysolde.person, new_key(), text=file).character
    sheet = sheet_of(read)[2]
    assert {"talent:river-child", "job:lighterman", "feature:noose"} <= set(sheet.active)
    assert json.loads(write_file(read)) == json.loads(ysolde.file)


def test_an_old_name_that_another_entry_has_now_means_that_entry(ysolde):
    load_files(renamed())
    bundle = ysolde.bundle
    assert bundle.former["talent:river-born"] == "talent:river-child"
    assert bundle.former_choices == {"bargee.knot": "lighterman.knot"}
    files = renamed()
    files["talents.yaml"] += b"- {slug: river-born, name: Another}\n"
    load_files(files)
    assert "talent:river-born" not in ysolde.bundle.former


def left_out(ysolde):
    """Leave the river folk out, read a page of the sheet, and only then rename them."""
    ysolde.do(verbs.set_sources, sources=[])
    assert ysolde.get("sheet").status_code == 200
    load_files(renamed())


def back(ysolde):
    ysolde.do(verbs.set_sources, sources=["river-folk"])
    return ysolde.get("sheet")


@pytest.mark.parametrize("taken", [talent, job])
def test_taking_an_entry_is_undone_and_done_again_while_its_source_is_left_out(ysolde, taken):
    change = taken(ysolde)
    left_out(ysolde)
    before = ysolde.facts
    change = undo(ysolde, undo(ysolde, change))
    assert ysolde.facts == before
    undo(ysolde, change)
    assert fault(ysolde.character) == ""
    back(ysolde)
    assert active(ysolde) == set()


def test_a_talent_dropped_before_its_source_was_left_out_comes_back(ysolde):
    talent(ysolde)
    dropped = ysolde.do(verbs.take_back_level, level=2)
    left_out(ysolde)
    undo(ysolde, dropped)
    assert fault(ysolde.character) == ""
    assert "River child" in html_of(back(ysolde))


def test_items_and_conditions_of_a_left_out_source_are_undone_and_done_again(ysolde):
    moved = hook_and_wet(ysolde)
    left_out(ysolde)
    for one in moved:
        undo(ysolde, undo(ysolde, one))
    thing = next(item for item in ysolde.build.items if item.ref == "weapon:gaff")
    play.equip(ysolde.pk, ysolde.person, new_key(), item=thing.key, state="stowed")
    assert fault(ysolde.character) == ""
    assert "Gaff" in html_of(back(ysolde))


def test_past_changes_of_a_left_out_source_are_listed_under_the_new_names(ysolde):
    change = job(ysolde)
    ysolde.do(verbs.take_back_level, level=2)
    ysolde.do(verbs.set_sources, sources=[])
    then = moved_since(ysolde, change)
    assert "speed" in {key for key, _, _ in then}
    load_files(renamed())
    assert moved_since(ysolde, change) == {tuple(map(by_new_names, line)) for line in then}


@pytest.mark.parametrize("taken", [talent, job])
def test_a_source_that_comes_back_has_its_new_names_at_once(ysolde, taken):
    taken(ysolde)
    left_out(ysolde)
    page = html_of(back(ysolde))
    assert not ysolde.sheet.problems
    assert "River child" in page or "Lighterman" in page
    undo(ysolde, ysolde.character.changes.latest("sequence"))
    assert ysolde.get("sheet").status_code == 200
