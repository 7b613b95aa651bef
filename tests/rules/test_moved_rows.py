"""Loading a pack again writes only the rows that have changed, and the database then matches the files."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.packs.load import load_rules

from .small_pack import FILES, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]

WRITTEN = re.compile(r'^(INSERT INTO|UPDATE|DELETE FROM) "rules_(\w+)"')

# The file, a text in it, its replacement, the line of the report, and the tables written besides the source.
CHANGES = {
    "a stat's name": ("stats", "name: Defense}", "name: Guard}", "~ statistic defense: name", ["UPDATE stat"]),
    "what a stat counts": (
        "stats",
        "spent_of: luck",
        "spent_of: ''",
        "~ statistic luck-spent: spent_of",
        ["UPDATE stat"],
    ),
    "what a stat is at the start": (
        "stats",
        "created_of: modifier.grit",
        "created_of: modifier.wits",
        "~ statistic grit-at-start: created_of",
        ["UPDATE stat"],
    ),
    "a switch": (
        "switches",
        "labels: [grim, gay]",
        "labels: [grim, merry]",
        "~ house rule mood: labels",
        ["UPDATE switch"],
    ),
    "a circumstance": (
        "circumstances",
        "while wearing armor, tests",
        "while wearing armor, detection: toggle, tests",
        "~ circumstance armored: detection",
        ["UPDATE circumstance"],
    ),
    "what a circumstance asks": (
        "circumstances",
        "value: 2",
        "value: 3",
        "~ circumstance at-dusk: tests",
        ["DELETE FROM circumstancetest", "INSERT INTO circumstancetest"],
    ),
    "a rest": ("events", "name: Nap", "name: Doze", "~ rest event nap: name", ["UPDATE restevent"]),
    "what a rest brings": (
        "events",
        "includes: [nap]",
        "includes: []",
        "~ rest event sleep: includes",
        ["DELETE FROM restevent_includes"],
    ),
    "a timing": ("timings", "name: Action", "name: Deed", "~ action timing action: name", ["UPDATE actiontiming"]),
    "a table": (
        "lookups",
        "value: 6",
        "value: 7",
        "~ lookup table difficulty: rows",
        ["DELETE FROM lookuprow", "INSERT INTO lookuprow"],
    ),
    "a talent's summary": ("talents", "Hard to hurt", "Harder to hurt", "~ talent:tough: summary", ["UPDATE element"]),
    "a talent's place": ("talents", "slug: odd", "sort: 99, slug: odd", "~ talent:odd: sort", ["UPDATE element"]),
    "a talent's groups": (
        "talents",
        "name: Lucky, groups: [category:knacks]",
        "name: Lucky",
        "~ talent:lucky: groups",
        ["DELETE FROM element_groups"],
    ),
    "what a path is under": ("paths", "parent: job:guard, ", "", "~ path:wall: parent", ["UPDATE element"]),
    "what is asked for": (
        "talents",
        "value: 2",
        "value: 3",
        "~ talent:tough: requires",
        ["DELETE FROM prerequisite", "INSERT INTO prerequisite"],
    ),
    "a number": (
        "talents",
        "amount: 1, when: armored",
        "amount: 2, when: armored",
        "~ talent:tough: modify",
        ["DELETE FROM effect", "INSERT INTO effect"],
    ),
    "a roll": (
        "features",
        "aspect: advantage",
        "aspect: disadvantage",
        "~ feature:watch: roll",
        ["DELETE FROM effect", "INSERT INTO effect"],
    ),
    "a grant": (
        "paths",
        "talent:odd",
        "talent:lucky",
        "~ path:wall: grant",
        ["DELETE FROM effect", "INSERT INTO effect"],
    ),
    "a note": (
        "features",
        "Nobody sleeps.",
        "Nobody rests.",
        "~ feature:watch: note",
        ["DELETE FROM effect", "INSERT INTO effect"],
    ),
    "a choice": (
        "rules",
        "prompt: Which background?",
        "prompt: Whence?",
        "~ rules:core-rules: choices",
        ["UPDATE choice"],
    ),
    "the options of a choice": (
        "rules",
        "options: [background:heir]",
        "options: [talent:odd]",
        "~ rules:core-rules: choices",
        ["DELETE FROM choiceoption", "INSERT INTO choiceoption", "UPDATE choice"],
    ),
    "the statistics of a choice": (
        "rules",
        "stats: [rank.grit]",
        "stats: [rank.wits]",
        "~ rules:core-rules: choices",
        ["DELETE FROM choiceoption", "INSERT INTO choiceoption", "UPDATE choice"],
    ),
    "a resource": (
        "rules",
        "slug: luck, name: Luck",
        "slug: luck, name: Fortune",
        "~ rules:core-rules: resources",
        ["UPDATE resource"],
    ),
    "what comes back": (
        "rules",
        "event: sleep",
        "event: nap",
        "~ rules:core-rules: recoveries",
        ["DELETE FROM recovery", "INSERT INTO recovery"],
    ),
    "an action": ("rules", "dice: 1", "dice: 2", "~ rules:core-rules: actions", ["UPDATE action"]),
    "a weapon": ("weapons", "die: 4", "die: 6", "~ weapon:club: die", ["UPDATE weapon"]),
    "a weapon's property": (
        "weapons",
        "a: 20",
        "a: 30",
        "~ weapon:club: properties",
        ["DELETE FROM propertyuse", "INSERT INTO propertyuse"],
    ),
    "an armor": ("armors", "base_defense: 13", "base_defense: 14", "~ armor:shirt: base_defense", ["UPDATE armor"]),
    "a skill": ("skills", "ability:strength", "ability:agility", "~ skill:climb: key_ability", ["UPDATE skill"]),
    "a condition": ("conditions", "turns: 2", "turns: 3", "~ condition:scared: turns", ["UPDATE condition"]),
    "a suggestion": (
        "backgrounds",
        "I nod.",
        "I bow.",
        "~ background:heir: suggestions",
        ["DELETE FROM suggestion", "INSERT INTO suggestion"],
    ),
    "the armor's statistic": (
        "source",
        "armor_stat: defense",
        "armor_stat: luck.max",
        "~ source small-core: ruleset armor_stat",
        ["UPDATE ruleset"],
    ),
    "the game's name": (
        "source",
        "name: Small game",
        "name: Little game",
        "~ source small-core: ruleset name",
        ["UPDATE ruleset"],
    ),
    "the source's title": ("source", "title: Small core", "title: Little core", "~ source small-core: title", []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_only_changed_rows_are_written(tmp_path, change):
    file, old, new, line, wanted = CHANGES[change]
    load_rules(write_pack(tmp_path / "small"))
    with CaptureQueriesContext(connection) as queries:
        report = load_rules(write_pack(tmp_path / "small", **{file: FILES[f"{file}.yaml"].replace(old, new, 1)}))
    written = {" ".join(match.groups()) for one in queries if (match := WRITTEN.match(one["sql"]))}
    # Any change in an entry also updates the entry's own row: a form that was opened before is then out of date.
    of_entry = {"UPDATE element"} if re.match(r"~ [a-z]+:", line) else set()
    assert report.lines == [line]
    assert written - {"UPDATE source", "INSERT INTO publication"} == {*wanted} | of_entry
    assert not load_rules(tmp_path / "small", force=True).lines, "the database holds what the files say"
