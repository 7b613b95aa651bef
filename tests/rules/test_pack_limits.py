"""The bounds of a pack: its lines, its numbers, and its time, since no row is compared with all others."""

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules import stat_graph
from rules.compile import bundle_for
from rules.engine import Award, Build, derive
from rules.engine.gather import TOO_MANY_WAYS, gather
from rules.games.outcome import NotAllowed
from rules.games.polyhedral.odds import chances
from rules.games.polyhedral.play.damage import damage_ready
from rules.games.polyhedral.play.pool import RollOptions
from rules.homebrew import begun
from rules.models import Action, Armor, Effect, Element, Job, Prerequisite, Ruleset, Stat
from rules.models.effect import AMOUNTS
from rules.packs import adopt, check, pack_difference
from rules.packs.check import MOST_LISTED, PackReader
from rules.packs.load import PackError, load_files
from rules.packs.pack_difference import difference
from rules.packs.source_rows import read_source
from rules.rings import depths, find_ring
from rules.unpublished import Unpublished
from tests.support.heroes import blessed, hero, row

SOURCE = "ruleset: {slug: polyhedral}\nsource: {slug: other, title: Other}\n"


def files(**named):
    return {f"{name}.yaml": text.encode() for name, text in {"source": SOURCE, **named}.items()}


def read(**named):
    return sorted(set(PackReader(files(**named)).problems))


# Lists


LISTS = {
    "groups": ("talents", "groups: [", "talent:aN", "]"),
    "options": ("talents", "choices: [{slug: b, prompt: C, options: [", "talent:aN", "]}]"),
    "stats of a question": ("talents", "choices: [{slug: b, prompt: C, stats: [", "sN", "]}]"),
    "words of a switch": ("switches", "type: choice, default: a0, allowed: [", "aN", "]"),
    "rests that a rest includes": ("events", "includes: [", "aN", "]"),
    "effects": ("talents", "modify: [", "{stat: a, op: add, amount: N}", "]"),
    "questions": ("talents", "choices: [", "{slug: bN, prompt: C}", "]"),
    "suggestions": ("backgrounds", "suggestions: {trait: [", "a N", "]}"),
    "tests of a circumstance": ("circumstances", "tests: [", "{test: level, value: N}", "]"),
    "steps of a table": ("lookups", "rows: [", "{at: N, value: 1}", "]"),
}


def long_list(name, many):
    file, start, line, end = LISTS[name]
    listed = ", ".join(line.replace("N", str(at)) for at in range(many))
    key = "key" if file == "switches" else "slug"
    return {file: f"- {{{key}: a, name: A, {start}{listed}{end}}}"}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_an_entry_has_a_maximum_length(name):
    assert read(**long_list(name, MOST_LISTED)) == []
    [problem] = PackReader(files(**long_list(name, MOST_LISTED + 1))).problems  # once, not for each way it is read
    assert problem.endswith(f".yaml:1: a list has at most {MOST_LISTED} lines, and this has {MOST_LISTED + 1}")


def test_the_list_of_required_sources_has_a_maximum_length():
    source = SOURCE.replace("title: Other", f"title: Other, requires: [{', '.join(map(str, range(MOST_LISTED + 1)))}]")
    [problem] = read(source=source)
    assert problem.startswith("source.yaml:2: a list has at most")


def test_words_keep_their_order_and_a_repeated_word_is_dropped():
    reader = PackReader(files(talents="- {slug: a, name: A, choices: [{slug: b, prompt: C, options: [z, a, z, m]}]}"))
    assert reader.pack.elements["talent:a"]["choices"][0]["options"] == ["z", "a", "m"]
    assert reader.problems == ["talents.yaml:1: z is listed twice"]


def test_a_pack_of_too_many_entries_is_one_mistake(monkeypatch):
    monkeypatch.setattr(check, "MOST_ROWS", 3)
    assert read(talents="- {slug: a}\n- {slug: b}", gear="- {slug: a}\n- {slug: b}") == [
        "source.yaml:1: a pack has at most 3 entries; split it into several"
    ]
    assert len(read(talents="- {slug: a}\n- {slug: b}", gear="- {slug: a}")) == 3


def test_a_pack_of_too_many_lines_is_one_mistake():
    talents = "[{slug: a, groups: [b, c], choices: [{slug: d, options: [e]}]}]"
    said = "source.yaml:1: there are more than 4 lines: entries, and everything in their lists"
    assert PackReader(files(talents=talents), most_lines=4).problems == [said]
    assert said not in PackReader(files(talents=talents), most_lines=5).problems


# Files


def test_an_unknown_file_is_not_read():
    reader = PackReader({**files(), "x" * 60_000: b"{a: 1, a: 1}"})
    [problem] = reader.problems
    assert problem.startswith(f"{'x' * 80}:1: a pack has no such file")


@pytest.mark.parametrize(
    ("text", "line"),
    [("%TAG !a! b\n---\n- {slug: a}", 1), ("# a\n\n%TAG !a! b\n---\n[]", 3), ("# a\r%TAG !a! b\n---\n[]", 1)],
)
def test_tag_directives_are_refused(text, line):
    assert read(talents=text) == [f"talents.yaml:{line}: %TAG is not allowed"]


def test_a_percent_sign_in_a_text_is_allowed():
    assert read(talents="%YAML 1.1\n---\n- slug: a\n  name: A\n  text: |\n    %TAG !a! b\n    5%\n") == []


@pytest.mark.parametrize(
    "text",
    [
        f"- {{slug: a, name: &long {'x' * 100}}}\n" + "- {*long : 1}\n" * 50,
        f"- {{slug: a, name: A, &long {'x' * 100}: 1}}\n" + "- {*long : 1}\n" * 50,
    ],
)
def test_a_key_may_not_use_an_anchor(text):
    """Otherwise a long key would be repeated in fifty mistakes."""
    problems = read(talents=text)
    assert "talents.yaml:1: write the value out instead of pointing at an anchor" in problems
    assert sum("xxx" in problem for problem in problems) < 3


# Chains and rings of statistics


class Counted(str):
    """A name that counts how often it is compared with others."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Counted.compared += 1
        return str.__eq__(self, other)


def chain(many):
    return [(f"s{at:04}", f"s{at + 1:04}") for at in range(many)]


def test_find_ring_makes_few_comparisons_on_a_long_path():
    edges = [(Counted(stat), Counted(needed)) for stat, needed in chain(500)]
    Counted.compared = 0
    assert find_ring(edges) == []
    assert Counted.compared < 500 * 20
    assert find_ring([*edges, (Counted("s0500"), Counted("s0498"))]) == ["s0498", "s0499", "s0500", "s0498"]


def test_the_depth_of_a_statistic_is_the_length_of_its_longest_path():
    assert depths([("a", "b"), ("b", "c"), ("a", "c"), ("d", "c")]) == {"a": 3, "b": 2, "c": 1, "d": 2}
    assert depths(chain(30_000))["s0000"] == 30_001


def of_stats(many, ring=False):
    """Statistics each worked out from the next; in a ring, the last from the first."""
    to = [*range(1, many), 0] if ring else range(1, many)
    rows = "".join(f"    - {{stat: s{at}, op: add, of_stat: s{needed}}}\n" for at, needed in enumerate(to))
    end = "" if ring else f"    - {{stat: s{many - 1}, op: base, amount: 1}}\n"
    return {
        "stats": "".join(f"- {{key: s{at}, name: S{at}}}\n" for at in range(many)),
        "talents": f"- slug: a\n  name: A\n  modify:\n{rows}{end}",
    }


@pytest.mark.django_db
def test_a_chain_of_statistics_has_a_maximum_length():
    load_files(files(**of_stats(stat_graph.DEEPEST)))
    with pytest.raises(PackError) as refused:
        load_files(files(**of_stats(stat_graph.DEEPEST + 1)))
    assert refused.value.problems == [
        f"talents.yaml:4: more than {stat_graph.DEEPEST} statistics would each be worked out from the next"
    ]


@pytest.mark.django_db
def test_a_chain_through_circumstances_has_the_same_maximum(monkeypatch):
    monkeypatch.setattr(stat_graph, "DEEPEST", 4)  # as many as in the core rules beneath
    stats = "".join(f"- {{key: {key}, name: {key}}}\n" for key in "abcde")
    tests = "- {slug: many, name: many, tests: [{test: stat_min, stat: e, value: 1}]}"
    modify = ", ".join(f"{{stat: {stat}, op: add, of_stat: {of_stat}}}" for stat, of_stat in ("ab", "bc", "cd"))
    modify = f"[{modify}, {{stat: d, op: add, amount: 1, when: many}}]"
    with pytest.raises(PackError, match="talents.yaml:1: more than 4 statistics"):
        load_files(files(stats=stats, circumstances=tests, talents=f"- {{slug: a, name: A, modify: {modify}}}"))


@pytest.mark.django_db
def test_the_longest_chain_can_be_worked_out_below_400_calls():
    source = load_files(files(**of_stats(stat_graph.DEEPEST))).source

    def beneath(calls):
        return beneath(calls - 1) if calls else Unpublished(source).findings

    assert beneath(400) == []


@pytest.mark.django_db
def test_a_long_ring_is_reported_with_a_few_names():
    with pytest.raises(PackError) as refused:
        load_files(files(**of_stats(300, ring=True)))
    assert len(refused.value.problems) == 300
    assert refused.value.problems[0].endswith("would depend on themselves: s0 → s1 → s2 → s3 → s4 → s5 → s6 → … → s0")


# Homebrew


@pytest.fixture
def moths(db):
    return begun(Ruleset.objects.get(slug="polyhedral"), "Moths")


def take(source, **named):
    adopt.adopt(adopt.pack_of(files(**named), "polyhedral"), source)


EIGHT = {  # lines: a statistic, an entry, an effect, a question with two options, a group, a suggestion
    "stats": "- {key: a, name: A}",
    "backgrounds": "- {slug: a, name: A, modify: [{stat: a, op: base, amount: 1}], groups: [talent:tough], "
    "choices: [{slug: b, prompt: C, options: [talent:tough], stats: [a]}], suggestions: {trait: [T]}}",
}


def test_homebrew_has_a_maximum_number_of_lines(moths, monkeypatch):
    monkeypatch.setattr(adopt, "MOST_LINES", 7)
    with pytest.raises(PackError, match="source.yaml:1: there are more than 7 lines: "):
        take(moths, **EIGHT)
    assert not Element.objects.filter(source=moths).exists()
    monkeypatch.setattr(adopt, "MOST_LINES", 8)
    take(moths, **EIGHT)
    assert Element.objects.filter(source=moths).count() == 1


def test_several_packs_together_cannot_exceed_the_maximum_of_homebrew(moths, monkeypatch):
    monkeypatch.setattr(adopt, "MOST_LINES", 5)
    take(moths, stats="[{key: a, name: A}, {key: b, name: B}, {key: c, name: C}]")
    with pytest.raises(PackError, match="more than 5 lines"):
        take(moths, stats="[{key: d, name: D}, {key: e, name: E}, {key: f, name: F}]")
    assert Stat.objects.filter(source=moths).count() == 3
    take(moths, stats="[{key: a, name: Another}, {key: b, name: B}, {key: c, name: C}]")


def test_several_packs_together_cannot_exceed_the_entries_of_homebrew(moths, monkeypatch):
    monkeypatch.setattr(adopt, "MOST_ENTRIES", 1)
    take(moths, talents="- {slug: a, name: A}")
    with pytest.raises(PackError, match="more than 1 entries"):
        take(moths, talents="- {slug: b, name: B}")
    assert Element.objects.get(source=moths).name == "A"


def test_an_entry_that_is_taken_in_has_no_former_names(moths):
    """Those are names of its own source, and here might be somebody else's."""
    take(moths, talents="- {slug: a, was: tough, name: A}")
    assert Element.objects.get(source=moths).was == ""


# A pack that is loaded again


def changed(amounts):
    rows = "".join(f"    - {{stat: defense, op: add, amount: {amount}}}\n" for amount in amounts)
    return {"talents": f"- slug: a\n  name: A\n  modify:\n{rows}"}


def test_the_difference_of_two_long_lists_reads_each_row_only_a_few_times(moths, monkeypatch):
    take(moths, **changed(range(1, 101)))
    had = read_source(moths)
    take(moths, **changed(range(51, 151)))
    told, sentence_of = [], pack_difference.sentence_of
    monkeypatch.setattr(pack_difference, "sentence_of", lambda *row: told.append(row) or sentence_of(*row))
    [line] = difference(had, read_source(moths))
    [moved] = line.moved
    assert (len(moved.before), len(moved.after)) == (50, 50)
    assert (moved.before[0], moved.after[-1]) == ("+1 defense", "+150 defense")
    assert len(told) < 500


def test_equal_rows_are_reported_as_often_as_their_number_changed(moths):
    take(moths, **changed([1, 1, 1, 2]))
    had = read_source(moths)
    take(moths, **changed([1, 2, 2, 3]))
    [line] = difference(had, read_source(moths))
    [moved] = line.moved
    assert moved.before == ("+1 defense",) * 2
    assert moved.after == ("+2 defense", "+3 defense")


@pytest.mark.django_db
def test_a_chain_of_entries_is_deleted_with_few_savepoints():
    """Each entry but the first grants the one before it, so only the last one can be deleted first."""
    names = [f"a{at:02}" for at in range(12)]
    entries = [f"- {{slug: {name}, name: {name}}}\n" for name in names]
    for at in range(1, 12):
        entries[at] = entries[at].replace("}", f", grant: [{{element: talent:{names[at - 1]}, as: gain}}]}}")
    load_files(files(talents="".join(entries)))
    with CaptureQueriesContext(connection) as asked:
        report = load_files(files()).report
    assert report.deleted == 12
    assert sum(query["sql"].startswith("SAVEPOINT") for query in asked) < 12 * 3


# Numbers


def roll_change(aspect, **columns):
    return Effect(kind="roll", roll="damage", aspect=aspect, **columns)


def refusals(made):
    with pytest.raises(ValidationError) as refused:
        made.clean()
    return refused.value.message_dict


@pytest.mark.parametrize(("aspect", "low", "high"), [(aspect, *bounds) for aspect, bounds in AMOUNTS.items()])
def test_the_amount_of_a_change_has_bounds(aspect, low, high):
    for amount in (low, high):
        roll_change(aspect, amount=amount).clean()
        roll_change(aspect, of_stat_id=1, amount=-5, at_least=amount, at_most=amount).clean()
    between = [f"This change takes a number from {low} to {high}."]
    for amount in (low - 1, high + 1):
        assert refusals(roll_change(aspect, amount=amount)) == {"amount": between}
        assert refusals(roll_change(aspect, amount=low, at_most=amount)) == {"at_most": between}
        assert "at_least" in refusals(roll_change(aspect, of_stat_id=1, at_least=amount))


def test_an_amount_from_a_statistic_needs_a_minimum_where_zero_is_out_of_bounds():
    roll_change("bonus", of_stat_id=1).clean()
    said = ["With a statistic, this change needs a number from 1 to 100 as the least."]
    assert refusals(roll_change("damage_dice", of_stat_id=1)) == {"at_least": said}


@pytest.mark.parametrize("test", ["level", "rank"])
def test_a_level_or_rank_that_is_required_has_bounds(test):
    for value in (0, 10_000):
        Prerequisite(test=test, element_id=1, value=value).clean()
    for value in (-5, 10_001):
        said = refusals(Prerequisite(test=test, element_id=1, value=value))
        assert said == {"value": ["Write a number from 0 to 10,000."]}


def test_the_ranks_of_a_job_and_the_defense_of_armor_have_bounds():
    for ranks in (1, 100):
        Job(max_rank=ranks).clean()
    for ranks in (0, 101):
        assert refusals(Job(max_rank=ranks)) == {"max_rank": ["A job has from 1 to 100 ranks."]}
    Armor(base_defense=100).clean()
    assert refusals(Armor(base_defense=101)) == {"base_defense": ["Armor gives at most 100."]}


def test_other_changes_have_no_such_bounds():
    Effect(kind="modify", op="add", amount=30_000).clean()
    roll_change("advantage", amount=30_000).clean()


@pytest.mark.parametrize(
    ("dice", "die", "refused"),
    [(0, 0, {}), (40, 100, {}), (1, 1, {}), (41, 6, {"dice": ["At most 40 dice."]}),
     (1, 0, {"die": ["A die has from 1 to 100 sides."]}), (1, 101, {"die": ["A die has from 1 to 100 sides."]})],
)  # fmt: skip
def test_the_dice_of_an_action_have_bounds(dice, die, refused):
    made = Action(slug="a", name="A", dice=dice, die=die)
    if refused:
        assert refusals(made) == refused
    else:
        made.clean()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("roll: [{roll: damage, aspect: damage_dice, amount: 0}]", "amount: This change takes a number from 1 to 100."),
        ("roll: [{roll: check, aspect: dice, amount: 50}]", "amount: This change takes a number from -40 to 40."),
        (
            "roll: [{roll: check, aspect: criticals_on, amount: -1}]",
            "amount: This change takes a number from 1 to 100.",
        ),
        (
            "roll: [{roll: check, aspect: criticals_from_pool, amount: -1}]",
            "amount: This change takes a number from 0 to 100.",
        ),
        (
            "actions: [{slug: b, name: B, timing: action, roll: heal, dice: 1, die: 0}]",
            "die: A die has from 1 to 100 sides.",
        ),
    ],
)
def test_a_number_out_of_bounds_is_a_mistake_of_the_pack(text, problem):
    with pytest.raises(PackError) as refused:
        load_files(files(talents=f"- {{slug: a, name: A, {text}}}"))
    assert refused.value.problems == [f"talents.yaml:1: {problem}"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("aspect", "amount"), [(aspect, amount) for aspect, bounds in AMOUNTS.items() for amount in bounds]
)
def test_the_game_works_with_the_numbers_at_both_bounds(aspect, amount):
    build = hero(items=["longsword@main"])
    rows = [row(roll, aspect, amount) for roll in ("check", "attack", "damage")]
    content, build = blessed(bundle_for("polyhedral"), build, *rows)
    sheet = derive(content, build)
    for roll in [*sheet.rolls.values(), *(attack.roll for attack in sheet.attacks)]:
        found = chances(content, {}, roll)
        assert all(0 <= column.critical <= 1 for column in found.columns)
    for attack in sheet.attacks:
        if attack.damage_dice > 40:
            with pytest.raises(NotAllowed, match="From 0 to 40 dice"):
                damage_ready(content, build, attack, RollOptions())
        else:
            damage = damage_ready(content, build, attack, RollOptions())
            assert damage.least <= damage.mean <= damage.most


@pytest.mark.django_db
def test_elements_granted_by_exponentially_many_paths_are_found_and_refused():
    """Each grants the next by a longer path and by a shorter one, so the number of paths doubles with each."""
    entries = ["- {slug: z40, name: Z}"]
    for at in range(40):
        ways = f"[{{element: talent:y{at}, as: gain}}, {{element: talent:z{at + 1}, as: gain}}]"
        entries.append(f"- {{slug: z{at}, name: Z, grant: {ways}}}")
        entries.append(f"- {{slug: y{at}, name: Y, grant: [{{element: talent:z{at + 1}, as: gain}}]}}")
    loaded = load_files(files(talents="\n".join(entries)))
    bundle = bundle_for("polyhedral", [loaded.source.slug])
    build = Build(awards=(Award(ref="talent:z0", reason="To see"),))
    found = gather(bundle, build, 1)
    assert {f"talent:z{at}" for at in range(41)} <= set(found.nodes)
    assert TOO_MANY_WAYS in {text for _, _, text in found.problems}
    assert TOO_MANY_WAYS in " ".join(map(str, Unpublished(loaded.source).findings))
