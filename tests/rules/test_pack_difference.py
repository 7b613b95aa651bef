"""Two packs compared: what was added, removed, retired or changed, in sentences."""

from copy import deepcopy

import pytest

from rules.packs import columns as cols
from rules.packs.check import PackReader
from rules.packs.load import files_in
from rules.packs.pack_difference import difference
from rules.packs.source_rows import Pack

from .small_pack import FILES, write_pack

TOUGH, WATCH = FILES["talents.yaml"], FILES["features.yaml"]


def pack(folder, **files) -> Pack:
    reader = PackReader(files_in(write_pack(folder, **files)))
    assert reader.problems == []
    return reader.pack


@pytest.fixture
def small(tmp_path):
    return pack(tmp_path)


def said(before: Pack, after: Pack) -> list[str]:
    return [said for line in difference(before, after) for said in (str(line), *map(str, line.moved))]


# The file and its text, the part that is replaced and by what, and the two sentences about it.
CHANGES = [
    ("talents", TOUGH, "name: Tough", "name: Hardy", "Talent “Hardy” is changed: name",
     "Name: was “Tough”, now “Hardy”"),
    ("talents", TOUGH, "name: Odd", "name: Odd, summary: Strange", "Talent “Odd” is changed: summary",
     "Summary: now “Strange”"),
    ("talents", TOUGH, "summary: Hard to hurt", "summary: ''", "Talent “Tough” is changed: summary",
     "Summary: was “Hard to hurt”"),
    ("talents", TOUGH, "amount: 1, when", "amount: 2, when", "Talent “Tough” is changed: changes of statistics",
     "Changes of statistics: was “+1 Defense while wearing armor”, now “+2 Defense while wearing armor”"),
    ("talents", TOUGH, "value: 2", "value: 3", "Talent “Tough” is changed: prerequisites",
     "Prerequisites: was “Grit 2 or more”, now “Grit 3 or more”"),
    ("talents", TOUGH, "groups: [category:knacks]\n          requires", "requires", "Talent “Tough” is changed: groups",
     "Groups: was “Knacks”"),
    ("talents", TOUGH, "name: Odd", "name: Odd, repeatable: true", "Talent “Odd” is changed: repeatable",
     "Repeatable: was “no”, now “yes”"),
    ("talents", TOUGH, "name: Odd", "name: Odd, cost_class: rare", "Talent “Odd” is changed: price",
     "Price: was “not for sale”, now “Rare”"),
    ("talents", TOUGH, "name: Odd", "name: Odd, sort: 5", "Talent “Odd” is changed: place in lists",
     "Place in lists: was “30”, now “5”"),
    ("features", WATCH, "filter_kind: path", "filter_kind: path, filter_parent: true",
     "Feature “Watch” is changed: questions",
     "Questions: was “Which path?: Choose 1 path, from rank 3 (only its own: no)”, "
     "now “Which path?: Choose 1 path, from rank 3 (only its own: yes)”"),
    ("features", WATCH, "Which path?", "Which way?", "Feature “Watch” is changed: questions",
     "Questions: was “Which path?: Choose 1 path, from rank 3”, now “Which way?: Choose 1 path, from rank 3”"),
    ("events", "- {slug: nap, name: Nap}\n- {slug: sleep, name: Sleep, includes: [nap]}", ", includes: [nap]", "",
     "Rest event “Sleep” is changed: events it includes", "Events it includes: was “Nap”"),
    ("lookups", "- {slug: difficulty, name: Difficulties, rows: [{at: 1, value: 6, label: Easy}, {at: 2, value: 9}]}",
     "value: 9", "value: 8", "Lookup table “Difficulties” is changed: steps", "Steps: was “2: 9”, now “2: 8”"),
    ("backgrounds", "- {slug: heir, name: Heir, suggestions: {trait: [I wave., I nod.]}}", "I nod.", "I bow.",
     "Background “Heir” is changed: suggestions for trait", "Suggestions for trait: was “I nod.”, now “I bow.”"),
    ("source", "ruleset: {slug: small, name: Small, game: polyhedral}\n"
     "source: {slug: small-core, title: Core, is_core: true}", "title: Core", "title: Center",
     "Source “Center” is changed: title", "Title: was “Core”, now “Center”"),
    ("source", "ruleset: {slug: small, name: Small, game: polyhedral}\n"
     "source: {slug: small-core, title: Core, is_core: true}", "name: Small", "name: Great",
     "Game “Great” is changed: name", "Name: was “Small”, now “Great”"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "text", "old", "new", "line", "field"), CHANGES, ids=[change[-1] for change in CHANGES]
)
def test_a_changed_row_is_described_field_by_field(tmp_path, file, text, old, new, line, field):
    assert old in text
    before, after = pack(tmp_path, **{file: text}), pack(tmp_path, **{file: text.replace(old, new)})
    assert said(before, after) == [line, field]


def test_equal_packs_have_no_difference(small):
    assert difference(small, deepcopy(small)) == ()


def test_a_new_row_lists_all_its_fields(tmp_path, small):
    after = pack(tmp_path, talents=TOUGH + "- {slug: iron, name: Iron, modify: [{stat: defense, op: add, amount: 2}]}")
    assert said(small, after) == ["New talent “Iron”", "Name: now “Iron”", "Changes of statistics: now “+2 Defense”"]


def test_a_draft_is_called_a_draft(tmp_path, small):
    draft = "- {slug: iron, name: Iron, status: draft}"
    after = pack(tmp_path, talents=f"{TOUGH}{draft}")
    later = pack(tmp_path, talents=f"{TOUGH}{draft.replace('Iron', 'Steel')}")
    ready = pack(tmp_path, talents=f"{TOUGH}{draft.replace('draft', 'published')}")
    titles = [[str(line) for line in difference(*pair)] for pair in [(small, after), (after, later), (after, small)]]
    assert titles == [
        ["New talent draft “Iron”"],
        ["Talent draft “Steel” is changed: name"],
        ["Talent draft “Iron” is removed"],
    ]
    assert [str(line) for line in difference(after, ready)] == ["Talent “Iron” is changed: status"]


def test_retired_and_removed_rows_are_named(tmp_path, small):
    retired = pack(tmp_path, talents=TOUGH.replace("name: Odd", "name: Odd, status: retired"))
    assert said(small, retired) == ["Talent “Odd” is retired"]
    removed = pack(tmp_path, damage_types="[{slug: blunt, name: Blunt}, {slug: salt, name: Salt}]")
    assert said(removed, small)[0] == "Damage type “Salt” is removed"


def test_a_new_order_of_the_same_rows_is_reported(small):
    after = deepcopy(small)
    after.elements["rules:core-rules"]["modify"].reverse()
    assert said(small, after) == [
        "Core rules “Core rules” is changed: changes of statistics",
        "Changes of statistics: in another order",
    ]


def test_a_row_that_was_retired_before_is_changed_and_not_retired_again(small):
    before = deepcopy(small)
    before.elements["talent:tough"]["status"] = "retired"
    after = deepcopy(before)
    after.elements["talent:tough"]["name"] = "Tougher"
    assert said(before, after) == ["Talent “Tougher” is changed: name", "Name: was “Tough”, now “Tougher”"]


def test_one_of_two_equal_rows_that_is_gone_is_told(small):
    before = deepcopy(small)
    rows = before.elements["rules:core-rules"]["modify"]
    rows.append(dict(rows[0]))
    [line] = difference(before, small)
    assert [(len(moved.before), len(moved.after)) for moved in line.moved] == [(1, 0)]


def test_the_order_of_the_columns_of_a_row_is_no_difference(small):
    """A publication has them in the order that they had then."""
    after = deepcopy(small)
    rows = after.elements["rules:core-rules"]["modify"]
    rows[:] = [dict(reversed(row.items())) for row in rows]
    rows.append(dict(rows[0]))
    [line] = difference(small, after)
    assert [(len(moved.before), len(moved.after)) for moved in line.moved] == [(0, 1)]


def test_a_question_with_another_sentence_also_tells_what_no_sentence_says(small):
    ref, at = next(
        (ref, at) for ref, row in small.elements.items() for at, one in enumerate(row["choices"]) if one["options"]
    )
    after = deepcopy(small)
    row = after.elements[ref]["choices"][at]
    row["prompt"], row["options"] = "Choose anew", ["talent:odd"]
    [line] = difference(small, after)
    assert "options: Odd" in line.moved[0].after[0]


def test_every_row_of_a_first_pack_is_new(small):
    lines = difference(Pack(), small)
    assert {line.how for line in lines} == {"added"}
    assert len(lines) == 39  # 37 rows, the source and the game


def test_a_column_missing_from_an_older_pack_counts_as_its_default(small):
    before = deepcopy(small)
    for row in before.elements.values():
        del row["repeatable"], row["suggestions"], row["actions"]
    moved = [line for line in difference(before, small) if line.key not in ("rules:core-rules", "background:heir")]
    assert moved == []


ANOTHER = {"word": "grit", "stats": ["level"], "options": ["talent:odd"]}


def another(key: str, value):
    """A different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return ANOTHER.get(key, 7 if value is None else [*value, "x"] if isinstance(value, list) else f"{value}x")


WORDS = {"mode", "op", "per", "test", "roll", "aspect", "as", "grant_as", "style", "changes", "of_roll", "type", "slug"}


@pytest.mark.parametrize("part", cols.PARTS)
def test_every_changed_column_of_a_list_is_reported(small, part):
    """Before and after differ even if the sentence of the row is the same."""
    tried = 0
    for ref, element in small.elements.items():
        for at, row in enumerate(element[part]):
            for key in row.keys() - WORDS:
                after = deepcopy(small)
                after.elements[ref][part][at][key] = another(key, row[key])
                [line] = [line for line in difference(small, after) if line.key == ref]
                [moved] = line.moved
                assert moved.before != moved.after, key
                tried += 1
    assert tried
