"""`manage.py sheet`: files in, sheets out, to the letter."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from characters.models import Character
from characters.samples import FOLDER
from tests.characters.cast import document

pytestmark = pytest.mark.django_db

COMPLETE = {
    "name": "Complete", "xp": 0, "levels": None, "house_rules": None, "state": None,
    "aspects": [], "choices": document()["choices"],
}  # fmt: skip


class Answer:
    def __init__(self, out, err, status):
        self.lines, self.err, self.status = out.splitlines(), err.splitlines(), status

    @property
    def sheets(self):
        return [json.loads(line) for line in self.lines]


def sheet(*files, as_json=True, capsys=None, **options):
    out, err, status = io.StringIO(), io.StringIO(), 0
    try:
        call_command("sheet", *files, json=as_json, stdout=out, stderr=err, **options)
    except SystemExit as exit_:
        status = exit_.code
    return Answer(out.getvalue(), err.getvalue(), status)


@pytest.fixture
def file(tmp_path):
    def write(called="mira.json", /, **changes):
        path = tmp_path / called
        path.write_text(json.dumps(document(**changes)))
        return str(path)

    return write


@pytest.fixture
def mira(file):
    return sheet(file()).sheets[0]


def value(sheet, key):
    return sheet["values"][key]["value"]


def roll(sheet, key):
    found = sheet["rolls"][key]
    return found["dice"], found["modifier"]


def test_mira_has_the_numbers_of_the_page_about_the_format(mira):
    assert (mira["name"], mira["level"]) == ("Mira", 7)
    assert mira["picks"] == {"earned": 6, "taken": 4, "open": 2}
    assert (value(mira, "skill-bonus"), value(mira, "health.max")) == (2, 44)
    because = mira["values"]["skill-bonus"]["because"]
    assert [(one["source"], one["amount"], one["applied"]) for one in because] == [("Core rules", 2, True)]
    athletics = mira["rolls"]["skill.athletics"]
    assert (roll(mira, "skill.athletics"), athletics["proficient"], athletics["passive"]) == ((2, 5), True, 10)
    sword = next(one for one in mira["attacks"] if one["item"] == "longsword")
    assert {key: sword[key] for key in ("grip", "dice", "modifier", "damage", "type")} == {
        "grip": "one-hand", "dice": 2, "modifier": 5, "damage": "1d8+4", "type": "slashing",
    }  # fmt: skip
    wind = next(one for one in mira["resources"] if one["slug"] == "second-wind")
    assert wind == {"slug": "second-wind", "max": 1, "left": 0, "recovers": ["short-rest", "long-rest"]}
    assert mira["conditions"] == ["poisoned", "prone"]
    assert (mira["open"], mira["problems"]) == ([], [])
    features = {
        "action-surge",
        "defense",
        "fighting-style",
        "improved-critical",
        "martial-path",
        "second-wind",
        "medic",
    }
    assert features < set(mira["features"])


def test_the_complete_character_of_section_32_has_its_printed_numbers(file):
    found = sheet(file(**COMPLETE)).sheets[0]
    fc = {
        "FC-01": {"rank.strength": 17, "rank.agility": 14, "rank.vitality": 14, "rank.mind": 12, "rank.spirit": 10,
                  "rank.presence": 8, "modifier.strength": 3, "modifier.presence": -1},
        "FC-02": {"skill-bonus": 1, "resolve.max": 1, "stamina.max": 1, "speed": 30},
        "FC-03": {"health.max": 12},
        "FC-06": {"wound-threshold": 42},
        "FC-10": {"resources.rank": 4},
    }  # fmt: skip
    for example, numbers in fc.items():
        assert {key: value(found, key) for key in numbers} == numbers, example
    saves = {
        "strength": (3, 4),
        "agility": (2, 2),
        "vitality": (3, 3),
        "mind": (2, 1),
        "spirit": (2, 0),
        "presence": (2, -1),
    }
    assert {ability: roll(found, f"save.{ability}") for ability in saves} == saves, "FC-07"
    assert found["rolls"]["skill.awareness"]["passive"] == 12, "FC-08"
    assert roll(found, "initiative") == (3, 2), "FC-09"
    sword = next(one for one in found["attacks"] if one["item"] == "longsword")
    assert (sword["dice"], sword["modifier"], sword["damage"]) == (3, 4, "1d8+3"), "FC-05"
    assert value(found, "defense") == 21, "FC-04 and the Defense style"
    assert not found["problems"]


def test_defense_is_nineteen_without_the_defense_style(file):
    choices = {**document()["choices"], "fighter.fighting-style": ["dueling"]}
    assert value(sheet(file(**{**COMPLETE, "choices": choices})).sheets[0], "defense") == 19, "FC-04"


def test_five_more_ranks_give_the_printed_numbers(file):
    levels = [{"level": level, "take": "job", "job": "fighter"} for level in range(2, 7)]
    levels[1]["choices"] = {"fighter.martial-path": ["champion"]}
    found = sheet(file(**{**COMPLETE, "xp": 5000, "levels": levels})).sheets[0]
    assert [value(found, key) for key in ("rank.fighter", "health.max", "attacks")] == [6, 72, 2], "FC-11"
    assert [value(found, key) for key in ("skill-bonus", "stamina.max", "resolve.max")] == [2, 6, 1], "FC-12"


def test_applied_amounts_add_up_to_every_number(mira):
    tried = 0
    for key, found in mira["values"].items():
        assert sum(one["amount"] for one in found["because"] if one["applied"]) == found["value"], key
        tried += 1
    for key, found in mira["rolls"].items():
        for part in ("dice", "modifier"):
            applied = sum(one["amount"] for one in found["because"] if one["applied"] and one.get("part") == part)
            assert applied == found[part], (key, part)
            tried += 1
    assert tried > 80


def test_exactly_the_amounts_that_do_not_count_say_why(mira):
    rows = [
        one
        for found in (*mira["values"].values(), *mira["rolls"].values(), *mira["attacks"])
        for one in found["because"]
    ]
    for one in rows:
        assert set(one) - {"part", "why"} == {"source", "text", "amount", "applied"}
        assert ("why" in one) == (not one["applied"])
    assert all(one["why"] for one in rows if not one["applied"])
    assert any(not one["applied"] for one in rows)


def test_lists_are_sorted(mira):
    assert mira["features"] == sorted(mira["features"])
    assert [one["slug"] for one in mira["resources"]] == sorted(one["slug"] for one in mira["resources"])
    grips = [(one["item"], one["grip"]) for one in mira["attacks"]]
    assert grips == sorted(grips)
    assert all(slugs == sorted(slugs) for slugs in mira["proficiencies"].values())
    assert mira["proficiencies"]["languages"] == ["common", "dwarven", "elvish", "trade-cant"]


def test_keen_senses_is_listed_but_does_not_count(file):
    found = sheet(file(origin={**document()["origin"], "lineage": "elf"})).sheets[0]
    keen = [one for one in found["rolls"]["skill.awareness"]["because"] if one["source"] == "Keen Senses"]
    assert [(one["applied"], one["why"].startswith("when: ")) for one in keen] == [(False, True)]


def test_open_choices_and_problems_are_listed(file):
    choices = {key: made for key, made in document()["choices"].items() if key != "fighter.fighting-style"}
    found = sheet(file(choices=choices, abilities={**document()["abilities"], "bonuses": {"strength": 3}})).sheets[0]
    assert {"choice": "fighter.fighting-style", "needs": 1} in found["open"]
    assert "abilities.bonuses" in {problem["where"] for problem in found["problems"]}


def test_ability_ranks_that_are_not_chosen_are_open(file):
    """Without them a file would pass for a complete character with six tens."""
    assert sheet(file()).sheets[0]["open"] == []
    without = file(abilities={"bonuses": document()["abilities"]["bonuses"]})
    found = sheet(without).sheets[0]
    assert (found["open"], found["problems"]) == ([{"choice": "abilities.ranks", "needs": 6}], [])
    assert "Open: Ability ranks (6)" in sheet(without, as_json=False).lines


ROLLED = {"method": "rolled", "ranks": document()["abilities"]["ranks"]}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"house_rules": {"switches": {"abilityMethod": "pointBuy"}}}, "abilities.method"),
        ({"abilities": {**document()["abilities"], **ROLLED}}, "abilities.rolls"),
        ({"abilities": {**document()["abilities"], "method": "points", "ranks": {**ROLLED["ranks"], "mind": 15}}},
         "abilities.ranks"),
    ],
)  # fmt: skip
def test_a_fault_in_how_ranks_were_found_names_its_place(file, changes, where):
    assert [one["where"] for one in sheet(file(**changes)).sheets[0]["problems"]] == [where]


def test_sheets_come_in_the_order_of_the_files_and_faults_go_to_stderr(file, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "polyhedral-character/1", "ruleset": "polyhedral", "xp": -1, "hat": 1}')
    answer = sheet(file(), str(bad), file("second.json", name="Second"), str(tmp_path / "none.json"))
    assert answer.status == 2
    assert [found and found["name"] for found in answer.sheets] == ["Mira", None, "Second", None]
    assert answer.err[:2] == [f"{bad}: hat: This key is not known.", f"{bad}: xp: This must be at least 0."]
    assert answer.err[2].startswith(f"{tmp_path / 'none.json'}: $: ")


def test_good_files_leave_status_and_stderr_alone(file):
    answer = sheet(file())
    assert (answer.status, answer.err) == (0, [])
    assert answer.lines[0] == json.dumps(answer.sheets[0], separators=(",", ":"))


def test_a_line_separator_in_a_name_does_not_break_the_line(file):
    answer = sheet(file(name="Zoë\u2028語"))
    assert [found["name"] for found in answer.sheets] == ["Zoë\u2028語"]
    assert answer.lines[0].isascii()


def test_a_dash_reads_standard_input(monkeypatch):
    data = io.TextIOWrapper(io.BytesIO(json.dumps(document()).encode()))
    monkeypatch.setattr("sys.stdin", data)
    assert sheet("-").sheets[0]["name"] == "Mira"


def test_of_a_file_that_is_too_large_only_as_much_is_read_as_shows_it(monkeypatch):
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            return len(buffer)

        def readall(self):
            raise AssertionError("all of it is read")

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    assert sheet("-").err == ["-: $: The file is larger than one megabyte."]
    assert sheet("/dev/zero").err == ["/dev/zero: $: The file is larger than one megabyte."]


def test_the_command_prints_readable_sheets_without_json(file):
    answer = sheet(file(), *map(str, sorted(FOLDER.glob("*.json"))), as_json=False)
    assert answer.status == 0
    text = "\n".join(answer.lines)
    assert "Mira, level 7" in text
    assert "Longsword (one-hand) 2D+5, 1d8+4 slashing" in text
    assert "2 of 6 levels still to take" in text


def test_a_readable_sheet_says_which_rolls_are_certain(file):
    """Section 30: paralyzed, a character fails its Strength and Agility saves. Section 8.3: Strike True hits."""
    state = {"conditions": [{"condition": "paralyzed"}, {"condition": "striking-true"}]}
    text = "\n".join(sheet(file(state=state), as_json=False).lines)
    assert "Strength save fails; " in text
    assert "Vitality save 3D+4; " in text
    assert "Longsword (one-hand) succeeds, 1d8+4 slashing" in text


def test_a_readable_sheet_is_written_to_a_terminal_of_ascii(file):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    call_command("sheet", file(name="Zoë"), stdout=terminal)
    terminal.seek(0)
    assert r"Zo\xeb, level 7" in terminal.read()


def test_less_damage_has_a_true_minus_sign_for_people_and_a_plain_one_in_json(file):
    ranks = {"strength": 8, "agility": 14, "vitality": 13, "mind": 12, "spirit": 10, "presence": 15}
    bonuses = {"vitality": 2, "mind": 1}
    weak = file(abilities={"method": "array", "ranks": ranks, "bonuses": bonuses}, levels=None, state=None)
    assert ", 1d8−1 slashing" in "\n".join(sheet(weak, as_json=False).lines)
    assert "1d8-1" in [one["damage"] for one in sheet(weak).sheets[0]["attacks"]]


def test_the_command_stores_no_character(file):
    sheet(file())
    assert not Character.objects.exists()


def test_counters_above_the_maximum_are_problems(file):
    rest = {"rest": "short-rest", "dice": 1}
    (full,) = sheet(file(levels=None, state={"health": 5000, "stamina": 9, "rest": rest})).sheets
    assert [(one["where"], one["text"]) for one in full["problems"]] == [
        ("state.health", "Health: 5,000 left of 24."),
        ("state.rest.dice", "Stamina Dice: 1 spent in this rest, but only 0 in all."),
        ("state.stamina", "Stamina Dice: 9 left of 7."),
    ]


def test_counts_above_the_most_there_can_be_are_problems(file):
    """Not among them: what has no maximum, and the feet of a turn that were walked before the creature was slowed."""
    spent = {"movement": 30, "resources-gained": 11, "second-wind": 1000}
    slowed = [{"condition": "slowed"}]
    state = {"wounds": 1000, "resources_lowered": 11, "spent": spent, "conditions": slowed}
    (found,) = sheet(file(state=state)).sheets
    assert {one["where"]: one["text"] for one in found["problems"]} == {
        "state.resources_lowered": "Resources lowered: 11; 10 are the most.",
        "state.spent.second-wind": "Second Wind: 1,000 spent of 1.",
        "state.wounds": "Wounds: 1,000; 10 are the most.",
    }


@pytest.mark.parametrize(
    ("xp", "level", "problems"),
    [
        (9_999_999, 10_000, []),
        (10_000_000, 10_000, [{"where": "xp", "text": "This is experience for a level above 10,000, the highest."}]),
    ],
)
def test_experience_past_the_highest_level_is_a_problem(file, xp, level, problems):
    """Section 4 knows no highest level; a sheet that stops at one says so."""
    (found,) = sheet(file(xp=xp)).sheets
    assert (found["level"], found["problems"]) == (level, problems)


def test_a_database_without_rules_says_so(file, no_rules):
    with pytest.raises(CommandError, match="There are no rules in the database yet") as refused:
        sheet(file())
    assert refused.value.returncode not in (0, 2)


def test_spells_are_on_the_readable_sheet_and_not_in_the_json(file):
    spells = [{"name": "Fire bolt", "attack": "ranged", "damage": "2d6 fire"}, {"name": "Light"}]
    with_them, without = file("with.json", spells=spells), file("without.json")
    assert "Spells: Fire bolt (Ranged spell attack, 2d6 fire); Light" in sheet(with_them, as_json=False).lines
    assert sheet(with_them).sheets == sheet(without).sheets


def test_a_key_of_the_file_cannot_forge_a_line_on_stderr(file):
    answer = sheet(file(**{"a\nmira.json: xp: forged\x1b": 1, "": 2}))
    assert answer.status == 2
    assert len(answer.err) == 2
    assert r"a\nmira.json: xp: forged\x1b: This key is not known." in answer.err[1]
    assert '"": This key is not known.' in answer.err[0]


@pytest.mark.parametrize(
    ("state", "where"),
    [
        ({"stamina": 5, "rest": {"rest": "short-rest", "dice": 2}}, []),
        ({"stamina": 6, "rest": {"rest": "short-rest", "dice": 2}}, ["state.rest.dice"]),
        ({"rest": {"rest": "rally", "dice": 1}}, ["state.rest.dice"]),
    ],
)
def test_stamina_dice_spent_in_a_rest_are_gone(file, state, where):
    (found,) = sheet(file(state=state)).sheets
    assert [problem["where"] for problem in found["problems"]] == where


@pytest.mark.parametrize("tools", [{"two-tools.tools": ["Lute", "smiths-tools"]}, {"language-and-tool.tool": ["Lute"]}])
def test_a_background_of_your_own_teaches_tools_of_your_own(file, tools):
    """Ruling 45: two languages or tools, and the rules name only three tools."""
    (training,) = {key.partition(".")[0] for key in tools}
    choices = {**document()["choices"], "custom-background.training": [training], **tools}
    (found,) = sheet(file(origin={**document()["origin"], "background": "custom-background"}, choices=choices)).sheets
    assert "Lute" in found["proficiencies"]["tools"]
    assert not [problem for problem in found["problems"] if "tool" in problem["where"]]


def test_a_character_without_a_size_is_not_too_small_for_a_heavy_weapon(file):
    """Ruling 60; without a lineage nothing says the size."""
    origin = {key: made for key, made in document()["origin"].items() if key != "lineage"}
    revolver = [{"item": "pistol-revolver", "state": "main"}]
    (found,) = sheet(file(origin=origin, inventory=revolver, state=None)).sheets
    assert next(one["dice"] for one in found["attacks"] if one["item"] == "pistol-revolver") == 3


def test_what_needs_no_hand_is_in_none(file):
    fist = {"item": "unarmed-strike", "state": "main"}
    (found,) = sheet(file(inventory=[fist])).sheets
    assert found["problems"] == [{"where": "inventory[0].state", "text": "Unarmed strike needs no hand."}]
    assert [(one["item"], one["grip"]) for one in found["attacks"]] == [("unarmed-strike", "unarmed")]


def test_the_same_condition_twice_counts_once(file):
    """Ruling 84."""
    once, twice = sheet(
        file("a.json", state={"conditions": [{"condition": "poisoned"}]}),
        file("b.json", state={"conditions": [{"condition": "poisoned"}] * 2}),
    ).sheets
    assert twice == once
    assert once["conditions"] == ["poisoned"]


@pytest.mark.parametrize(
    ("state", "named"),
    [
        ({"conditions": [{"condition": "surpise"}]}, "surprised"),
        ({"conditions": [{"condition": "Paralyed"}]}, "paralyzed"),
    ],
)
def test_printed_spellings_of_conditions_are_read(file, state, named):
    """Ruling 95."""
    assert named in sheet(file(state=state)).sheets[0]["conditions"]


def test_printed_spellings_of_spent_resources_are_read(file):
    more = [{"level": level, "take": "job", "job": "fighter"} for level in range(4, 8)]
    levels = [*document()["levels"][:2], *more]
    (found,) = sheet(file(xp=100_000, levels=levels, state={"spent": {"indominatable": 1}})).sheets
    assert next(one["left"] for one in found["resources"] if one["slug"] == "indomitable") == 0


def test_a_setting_may_be_a_list(file):
    as_list = {"customProperties": ["Heavy", "Reload"]}
    as_text = {"customProperties": "Heavy, Reload"}
    one, other = sheet(
        file("a.json", house_rules={"switches": as_list}), file("b.json", house_rules={"switches": as_text})
    ).sheets
    assert one == other


def test_the_order_of_bonuses_in_a_file_means_nothing(file):
    many = [{"spirit": 2, "strength": 2}, {"strength": 2, "spirit": 2}]
    ranks = document()["abilities"]["ranks"]
    one, other = sheet(
        *(
            file(f"{at}.json", abilities={"method": "array", "ranks": ranks, "bonuses": two})
            for at, two in enumerate(many)
        )
    ).sheets
    assert one == other
    assert one["problems"]


def test_the_paths_of_problems_count_levels_that_have_only_choices(file):
    levels = [
        {"level": 2, "take": "job", "job": "fighter"},
        {"level": 3, "take": "job", "job": "fighter"},
        {"level": 4, "choices": {"fighter.martial-path": ["champion"]}},
        {"level": 5, "take": "talent", "talent": "tough"},
    ]
    (found,) = sheet(file(levels=levels)).sheets
    assert [problem["where"] for problem in found["problems"]] == ["levels[3]"]


def test_a_level_that_is_not_earned_uses_up_no_pick(file):
    levels = [*document()["levels"][:2], {"level": 9, "take": "talent", "talent": "medic"}]
    (found,) = sheet(file(levels=levels)).sheets
    assert found["picks"] == {"earned": 6, "taken": 3, "open": 4}
    assert [problem["where"] for problem in found["problems"]] == ["levels[2]"]


def test_an_override_without_a_pick_is_refused(file):
    answer = sheet(file(levels=[{"level": 2, "choices": {"fighter.martial-path": ["champion"]}, "override": "yes"}]))
    assert answer.lines == ["null"]
    assert "levels[0].override" in answer.err[0]


def test_a_database_that_is_not_prepared_is_said_in_a_sentence(file, monkeypatch):
    def unprepared(data):
        raise OperationalError("no such table: rules_ruleset")

    monkeypatch.setattr("characters.management.commands.sheet.read_file", unprepared)
    with pytest.raises(CommandError, match="no such table: rules_ruleset. Prepare the database with: manage.py prep"):
        sheet(file())


def test_an_own_language_with_other_capitals_is_the_same_one(file):
    languages = {"human-culture.language": ["Orcish"], "ambassador.languages": ["orcish", "dwarven"]}
    found = sheet(file(choices=document()["choices"] | languages)).sheets[0]
    assert found["problems"] == [
        {
            "where": "choices.human-culture.language[0]",
            "text": "Orcish comes from Ambassador already; choose another.",
        }
    ]
    assert found["open"] == [{"choice": "human-culture.language", "needs": 1}]
