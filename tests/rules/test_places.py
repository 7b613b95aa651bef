"""The places of things in a character file: each clash has its line in `problems` (section 19)."""

import copy
from dataclasses import replace

import pytest

from rules.compile import bundle_for
from rules.engine import derive
from rules.games.polyhedral import file
from tests.characters.cast import MIRA

STYLES = {**MIRA["choices"], "fighter.fighting-style": ["defense", "dueling"]}


@pytest.fixture
def sheet(db):
    bundle = bundle_for("polyhedral")

    def of(**changes):
        document = {**copy.deepcopy(MIRA), "xp": 0, "levels": [], "state": {}, **changes}
        document = {key: value for key, value in document.items() if value is not None}
        build, problems = file.read(document, bundle)
        assert not problems
        return derive(bundle, build)

    return of


def problems(sheet):
    return [(problem.where, problem.text) for problem in sheet.problems]


def things(*places):
    return [
        {"item": slug, "state": place, **({"quantity": int(many[0])} if many else {})}
        for slug, place, *many in (word.replace("@", " ").split() for word in places)
    ]


CLASHES = {
    "two shields": (["shield@worn", "shield@worn"], 1, "There is no free hand for Shield: Shield is in it."),
    "a pile of shields": (["shield@worn 2"], 0, "Only one Shield can be worn."),
    "two suits": (["leather@worn", "plate@worn"], 1, "Plate does not fit over other armor: Leather is worn."),
    "armor in hand": (["leather@main"], 0, "Leather is worn, not held."),
    "a shield in the main hand": (["shield@main"], 0, "Shield is worn, not held."),
    "a shield and a dagger in one hand": (
        ["dagger@off", "shield@off"],
        1,
        "There is no free hand for Shield: Dagger is in it.",
    ),
    "two in the main hand": (
        ["dagger@main", "longsword@main"],
        1,
        "There is no free hand for Longsword: Dagger is in it.",
    ),
    "both hands and a shield": (
        ["shield@worn", "greatsword@two-hands"],
        1,
        "free hand for Greatsword: Shield is in it.",
    ),
    "a greatsword in one hand": (["greatsword@main"], 0, "Greatsword needs both hands."),
    "a sword worn": (["longsword@worn"], 0, "Longsword is held, not worn."),
}


@pytest.mark.parametrize(("places", "at", "text"), CLASHES.values(), ids=CLASHES)
def test_each_clash_is_a_problem(sheet, places, at, text):
    ((where, said),) = problems(sheet(inventory=things(*places)))
    assert where == f"inventory[{at}].state"
    assert text in said


@pytest.mark.parametrize(
    "places",
    [
        ["longsword@main", "shield@worn", "plate@worn"],
        ["dagger@main", "dagger@off", "leather@worn"],
        ["greatsword@two-hands", "longsword@carried", "shield@stowed", "dagger@carried 4"],
    ],
)
def test_things_that_fit_are_no_problem(sheet, places):
    assert problems(sheet(inventory=things(*places))) == []


def test_a_shield_in_the_off_hand_counts_as_worn(sheet):
    """Ruling 54: one hand, +2."""
    held, worn = (sheet(inventory=things("longsword@main", f"shield@{place}")) for place in ("off", "worn"))
    assert held.value("defense") == worn.value("defense") == 14
    assert problems(held) == []


def test_custom_things_take_hands_too(sheet):
    held = [{"custom": "A lantern", "state": "off"}, {"item": "shield", "state": "worn"}]
    assert problems(sheet(inventory=held)) == [
        ("inventory[1].state", "There is no free hand for Shield: A lantern is in it.")
    ]


def test_two_answers_to_a_choice_of_one_are_a_problem(sheet):
    ((where, text),) = problems(sheet(choices=STYLES))
    assert (where, text) == ("choices.fighter.fighting-style[1]", "Choose a fighting style: only 1 choice.")


def test_a_file_without_a_name_has_a_problem(sheet):
    assert problems(sheet(name=None)) == [("name", "The character has no name.")]


@pytest.mark.parametrize("group", [["half-cover", "three-quarters-cover"]])
def test_circumstances_that_contradict_each_other_are_a_problem(sheet, group):
    ((where, text),) = problems(sheet(state={"toggles": group}))
    assert where == "state.toggles"
    assert text.startswith("Only one of these can hold: ")


@pytest.mark.parametrize(
    ("state", "conditions"),
    [
        ({"health": 0}, ["dying", "unconscious"]),
        ({"health": 0, "wounds": 9}, ["dying", "unconscious"]),
        ({"wounds": 10}, ["dead"]),
        ({"health": 0, "wounds": 10}, ["dead"]),
        ({"health": 0, "conditions": [{"condition": "stable"}]}, ["stable", "unconscious"]),
        ({"health": 0, "conditions": [{"condition": "dead"}]}, ["dead"]),
        ({"health": 0, "wounds": 10, "conditions": [{"condition": "stable"}]}, ["dead"]),
        ({"health": 0, "conditions": [{"condition": "dead"}, {"condition": "dying"}]}, ["dead"]),
        ({"health": 0, "conditions": [{"condition": "dying"}, {"condition": "stable"}]}, ["stable"]),
        ({"health": 0, "spent": {"death-failures": 2}}, ["dying"]),
        ({"health": 0, "spent": {"death-failures": 3}}, ["dead"]),
        ({"health": 0, "conditions": [{"condition": "dying"}], "spent": {"death-failures": 3}}, ["dead"]),
        ({"health": 0, "spent": {"death-successes": 3}}, ["stable"]),
        ({"health": 1, "wounds": 9}, []),
        ({"health": 1, "spent": {"death-failures": 3}}, []),
    ],
)
def test_health_wounds_and_saves_decide_dying_stable_and_dead(sheet, state, conditions):
    made = sheet(state=state)
    assert not problems(made)
    found = {ref.partition(":")[2] for ref in made.conditions}
    assert set(conditions) <= found
    assert not found & {"dying", "stable", "dead"} - set(conditions)


def test_zero_health_without_a_condition_is_a_problem(sheet):
    made = sheet(state={"health": 0})
    found = made.solver.found
    assert [where for where, _ in problems(derive(found.bundle, replace(found.build, conditions=())))] == [
        "state.health"
    ]


@pytest.mark.parametrize("slug", ["dying", "stable"])
@pytest.mark.parametrize("health", [{}, {"health": 1}])
def test_dying_or_stable_with_health_left_is_a_problem(sheet, slug, health):
    made = sheet(state={"conditions": [{"condition": slug}], **health})
    assert [where for where, _ in problems(made)] == ["state.health"]


@pytest.mark.parametrize("errata", ["printed", "corrected"])
@pytest.mark.parametrize(("slug", "grips"), [("short-bow", 1), ("longbow", 1), ("longsword", 2), ("quarterstaff", 2)])
def test_only_a_versatile_weapon_has_a_second_grip(sheet, errata, slug, grips):
    found = sheet(inventory=things(f"{slug}@main"), house_rules={"switches": {"weaponErrata": errata}})
    assert len([attack for attack in found.attacks if attack.item == slug]) == grips


@pytest.mark.parametrize(("slug", "size"), [("tiny", 0), ("small", 1), ("large", 3)])
def test_a_lineage_may_grant_another_size(db, slug, size):
    core = bundle_for("polyhedral")
    human = core.elements["lineage:human"]
    grants = [replace(row, element=f"size:{slug}") if row.element == "size:medium" else row for row in human.effects]
    bundle = core.with_elements([replace(human, effects=tuple(grants))])
    sheet = derive(bundle, file.read(MIRA, bundle)[0])
    assert (sheet.value("size"), f"size:{slug}" in sheet.active) == (size, True)


@pytest.mark.parametrize(
    ("held", "fits"),
    [
        (("short-bow@main",), True),
        (("short-bow@main", "shield@worn"), False),
        (("longbow@off", "dagger@main"), False),
        (("crossbow@main", "dagger@off"), False),
        (("sling@main", "shield@worn"), False),
        (("pistol-revolver@main", "shield@worn"), True),
        (("pistol-flintlock@main", "pistol-flintlock@off"), True),
        (("short-bow@carried", "dagger@main", "shield@worn"), True),
    ],
)
def test_a_weapon_loaded_for_each_shot_needs_a_free_hand(sheet, held, fits):
    """Ruling 61."""
    assert (not problems(sheet(inventory=things(*held)))) is fits


@pytest.mark.parametrize(("other", "grips"), [("torch@off", 1), ("torch@carried", 2), ("dagger@off", 1)])
def test_a_hand_with_anything_in_it_is_not_free_for_a_second_grip(sheet, other, grips):
    made = sheet(inventory=things("longsword@main", other))
    assert len([one for one in made.attacks if one.item == "longsword"]) == grips


def test_more_wounds_than_the_maximum_are_a_problem(sheet):
    assert not problems(sheet(state={"wounds": 10}))
    assert problems(sheet(state={"wounds": 11})) == [("state.wounds", "Wounds: 11; 10 are the most.")]
