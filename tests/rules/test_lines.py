"""Rows of an entry read back as sentences: those of the core rules, edited ones, deleted ones, and those left alone."""

import pytest
from django.contrib.admin.models import LogEntry

from rules import models
from rules.compile import bundle_of_packs
from rules.engine import derive
from rules.engine.requirements import groups_of, in_words
from rules.packs.source_rows import read_source
from rules.patterns.entry_rows import PLACE
from rules.patterns.lines import MOST_READ_BACK, edit_of, lines_of, write
from rules.patterns.words import NotUnderstood, Words
from tests.factories import SourceFactory
from tests.support.heroes import hero
from tests.support.rows_of_lines import understood

from .admin_form import Form

pytestmark = [pytest.mark.django_db, pytest.mark.full]
HARDEN = "Bonus action: Harden your skin, 1 use, back after a short rest"
NAMES = {"slug", "key", "name", "ruleset", "source", "group", "sort", "this_item_only"}


def says(talent, *lines):
    write(understood(lines, Words(talent.source, talent.name)), talent)
    return texts(talent)


def texts(entry):
    return [line.text for line in lines_of(entry)]


def edited(talent, *lines):
    edit = edit_of(talent, lines_of(talent), lines, Words(talent.source, talent.name))
    edit.write()
    return edit


def parts_of(entry):
    parts = entry.prerequisites, entry.effects, entry.choices, entry.resources, entry.recoveries, entry.actions
    return sum(rows.count() for rows in parts)


def said(rows):
    """The columns of rows, without places and names. A reference to another of these rows is its number."""
    return [
        (type(row).__name__, column.name, rows.index(value) if value in rows else value)
        for row in rows
        for column in row._meta.concrete_fields
        if column.name not in PLACE | NAMES
        for value in [getattr(row, column.name, None)]
    ]


@pytest.mark.slow
def test_every_sentence_read_back_from_the_core_rules_becomes_the_same_rows():
    count = 0
    for entry in models.Element.objects.exclude(status="retired"):
        for line in lines_of(entry):
            again = understood([line.text], Words(entry.source, entry.name))
            assert said(again) == said(list(line.rows)), (entry, line.text)
            count += 1
    assert count > 150


def test_the_requirements_of_the_core_rules_that_are_read_back():
    rows = models.Prerequisite.objects.filter(owner__source__is_core=True)
    needs = {entry.ref: [text for text in texts(entry) if text.startswith("needs ")] for entry in owners_of(rows)}
    assert {ref: texts for ref, texts in needs.items() if texts} == {
        "background:custom-background": ["needs the house rule “Custom backgrounds” set to on"],
        "job:fighter": ["needs being the starting job or the house rule “More than one job” set to on"],
    }
    assert {row.word for row in rows if not needs[row.owner.ref] and row.test == "switch"} == {"on|ask"}


def owners_of(rows):
    return models.Element.objects.filter(pk__in=rows.values("owner"))


LINES = [
    "+1 to Defense while wearing no armor",
    "−2 to Defense per level",
    "from level 5: +1 to Defense",
    "Speed starts at 35",
    "advantage on checks of Stealth in dim light",
    "disadvantage on saving throws of Agility",
    "from level 3: −1 on attack rolls",
    "gains Darksight",
    "is immune to Poison",
    "each 3 levels: +2 to Defense while wearing no armor",
    "each 4 ranks: −1 to Speed",
    "choose 2 of skills",
    "choose 1 language",
    "1 use, back after a short rest",
    "from level 2: Reaction: Turn aside",
    HARDEN,
    "needs level 5",
    "needs Tough or Fighter rank 3 or Strength at least 13",
]

ALSO = [  # only read back, since each of LINES is changed to each other one
    "from level 2: −1 to Defense per stack while wearing armor",
    "−1 on checks per stack",
    "+2 on saving throws of Agility per level while wearing armor",
    "advantage on attack rolls against this character while wearing armor",
    "saving throws of Agility fail without a roll",
    "from level 4: attack rolls succeed without a roll while wearing no armor",
    "adds Strength to Defense",
    "adds Strength modifier (at least 1) to Health per level",
    "from level 2: adds half Strength rounded up to Defense while wearing no armor",
    "adds −2 − 3 × Strength ÷ 4 rounded down (at least −5, at most 9) to Speed per stack",
    "adds −Strength to Speed",
    "Speed becomes 0 while wearing armor",
    "from level 2: Speed is at least 10",
    "Defense is at most 17 + Agility modifier",
    "Defense starts at 2 × Agility modifier (at most 20) per stack",
    "Speed starts at −5",
    "note: You cannot speak, perceive or age. Poison waits",
    "from level 2: note on Speed: You cannot move",
    "note on attack rolls against this character: Really?",
    "3 uses of Sap, back after a short rest",
    "Bonus action: Second wind, heals 2D + Strength modifier (at least 1), 1 use, back after a short rest",
    "from level 2: Reaction: Burst, 1d8 damage",
    "from level 3: Reaction: Turn aside, 2 uses, back after a long rest",
    "Action: Push, Strength modifier damage",
    "Action: Throw, heals 2D + 3",
    "Action: Rally, spends 2 Second Wind",
]


def test_sentences_are_read_back_as_they_were_written(talent):
    assert sorted(says(talent, *LINES)) == sorted(LINES)


@pytest.mark.parametrize("line", [*LINES, *ALSO])
def test_a_single_sentence_is_read_back_and_leaves_no_rows_when_deleted(talent, line):
    stats = models.Stat.objects.count()
    assert says(talent, line) == [line]
    edited(talent)
    assert texts(talent) == []
    assert models.Stat.objects.count() == stats
    assert parts_of(talent) == 0


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("at level 3: choose a talent", "from level 3: choose 1 talent"),
        ("Level 12: choose an armor", "from level 12: choose 1 armor"),
        ("at level 2: Reaction: Turn aside", "from level 2: Reaction: Turn aside"),
        ("level 2: gains Darksight", "from level 2: gains Darksight"),
    ],
)
def test_a_beginning_and_a_single_choice_are_understood_as_people_write_them(talent, line, read):
    assert says(talent, line) == [read]


def test_an_edited_sentence_changes_its_rows_in_place(talent):
    says(talent, "+1 to Defense", HARDEN)
    action, resource, stat = talent.actions.get(), talent.resources.get(), talent.resources.get().max_stat
    edited(talent, "+1 to Defense", "Reaction: Stone skin, 2 uses, back after a long rest")
    assert texts(talent) == ["+1 to Defense", "Reaction: Stone skin, 2 uses, back after a long rest"]
    assert (talent.actions.get(), talent.resources.get()) == (action, resource)
    assert talent.resources.get().slug == "harden-your-skin"
    stat.refresh_from_db()
    assert stat.name == "Uses of Stone skin"
    assert models.StatModifier.objects.get(stat=stat).amount == 2


@pytest.mark.parametrize(
    ("after", "name"),
    [("2 uses, back after a long rest", "Second Wind"), ("1 use of Air, back after a long rest", "Uses of Air")],
)
def test_a_line_of_uses_keeps_what_it_does_not_say_of_their_statistic(after, name):
    entry = models.Feature.objects.get(slug="second-wind")
    stat = entry.resources.get().max_stat
    models.Stat.objects.filter(pk=stat.pk).update(minimum=1, short_name="SW")
    edited(entry, after)
    stat.refresh_from_db()
    assert (stat.name, stat.group, stat.short_name, stat.minimum) == (name, "Uses", "SW", 1)


def test_a_statistic_that_no_line_has_made_is_not_read_back_as_steps(talent):
    """A change of the line would rename it."""
    lines = ["Reach starts at 1 per rank", "adds Reach ÷ 3 rounded down to Defense"]
    assert says(talent, *lines) == lines


@pytest.mark.parametrize("columns", [{"visible": True}, {"minimum": 1}, {"source": None}], ids=str)
def test_a_count_of_ranks_that_says_more_or_is_of_another_source_is_not_read_back_as_steps(talent, columns):
    says(talent, "each 3 ranks: +1 to Defense")
    if "source" in columns:
        columns = {"source": SourceFactory(ruleset=talent.ruleset, slug="other")}
    models.Stat.objects.filter(key="wary-ranks").update(**columns)
    assert texts(talent) == [
        "Ranks for Wary starts at 1 per rank",
        "adds Ranks for Wary ÷ 3 rounded down to Defense",
    ]


def test_an_edit_adds_uses_to_an_action_and_removes_them(talent):
    says(talent, "Reaction: Turn aside")
    action = talent.actions.get()
    edited(talent, "Reaction: Turn aside, 2 uses, back after a long rest")
    assert talent.actions.get() == action
    assert talent.actions.get().resource == talent.resources.get()
    edited(talent, "Reaction: Turn aside")
    assert talent.actions.get() == action
    assert not talent.resources.exists()
    assert not models.Stat.objects.filter(key="turn-aside.max").exists()


@pytest.mark.parametrize("line", LINES)
def test_each_sentence_can_be_changed_to_each_other_one(talent, line):
    stats = models.Stat.objects.count()
    for other in LINES:
        says(talent, line, "+1 to Health")
        edit = edit_of(talent, lines_of(talent), [other, "+1 to Health"], Words(talent.source, talent.name))
        assert edit.hindrances() == []
        edit.write()
        assert sorted(texts(talent)) == sorted([other, "+1 to Health"])
        rows = [row for found in lines_of(talent) for row in found.rows]
        assert said(rows) == said(understood(texts(talent), Words(talent.source, talent.name)))
        assert parts_of(talent) + models.Stat.objects.count() - stats == len(rows)
        edited(talent)
    assert models.Stat.objects.count() == stats


def test_a_sentence_that_is_not_edited_keeps_its_rows(talent):
    says(talent, "+1 to Defense", "+1 to Defense", "gains Darksight")
    before = list(talent.effects.order_by("pk").values())
    edit = edited(talent, "gains Darksight", "+1 to Defense", "", "+1 to Defense.")
    assert not edit.rows + edit.replaced
    assert list(talent.effects.order_by("pk").values()) == before


def test_deleting_one_of_two_equal_sentences_keeps_the_other(talent):
    says(talent, "+1 to Defense", "+1 to Defense")
    edited(talent, "+1 to Defense")
    assert texts(talent) == ["+1 to Defense"]


def test_an_edited_sentence_keeps_the_row_of_the_old_one_most_like_it(talent):
    says(talent, "+1 to Defense", "+1 to Speed")
    defense, speed = talent.effects.order_by("order")
    edited(talent, "+5 to Speed", "+2 to Defense", "+1 to Speed while wearing no armor")
    assert {row.pk: (row.stat.key, row.amount) for row in talent.effects.all() if row.pk in (defense.pk, speed.pk)} == {
        defense.pk: ("defense", 2),
        speed.pk: ("speed", 5),
    }
    assert talent.effects.count() == 3


NEEDS = [
    "Tough",
    "proficiency with Stealth",
    "Strength at least 13",
    "Mind at most 8",
    "level 5",
    "Fighter rank 3",
    "being the starting job",
    "the house rule “Any lineage with any culture” set to ask first",
    "the storyteller’s agreement",
    "Tough or level 5",
]


def test_what_an_entry_needs_is_written_in_the_words_that_players_read(talent):
    lines = [f"needs {words}" for words in NEEDS]
    assert says(talent, *lines) == lines
    bundle = bundle_of_packs([read_source(talent.source)])
    groups = groups_of(bundle.elements["talent:wary"].prerequisites)
    assert [in_words(group, bundle) for group in groups] == NEEDS


def test_a_requirement_with_a_new_alternative_keeps_its_row_and_other_groups_stay_apart(talent):
    says(talent, "needs Tough or level 5", "needs Medic")
    medic = talent.prerequisites.get(element__slug="medic")
    lines = ["needs Tough or level 5", "needs Medic or Fighter rank 3", "needs Spirit at least 13 or level 9"]
    edited(talent, *lines)
    assert texts(talent) == lines
    assert talent.prerequisites.get(element__slug="medic") == medic
    edited(talent, "needs level 5", *lines[1:])
    assert texts(talent) == ["needs level 5", *lines[1:]]


@pytest.mark.parametrize("columns", [{"negate": True}, {"value": -1}, {"word": "x"}, {"test": "wears"}], ids=str)
def test_a_requirement_that_no_author_can_write_is_not_read_back(talent, columns):
    says(talent, "needs Strength at least 13 or level 5")
    talent.prerequisites.filter(test="stat_min").update(**columns)
    assert texts(talent) == []


def test_a_name_with_or_in_it_is_not_read_back_as_two(talent):
    models.Talent.objects.filter(slug="tough").update(name="Tough or tender")
    talent.prerequisites.create(test="has", element=models.Element.objects.get(slug="tough", kind="talent"))
    assert texts(talent) == []


def test_an_entry_whose_name_ends_with_a_number_can_be_needed(talent):
    models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="mark-2", name="Mark 2")
    assert says(talent, "needs Mark 2") == ["needs Mark 2"]
    assert talent.prerequisites.get().element.slug == "mark-2"


MORE = [
    {"text": "in the rain"},
    {"stack_group": "luck"},
    {"at_most": 3},
    {"this_item_only": True},
    {"op": "multiply"},
    {"per": "property_a"},
]


@pytest.mark.parametrize("columns", MORE, ids=str)
def test_a_row_that_says_more_than_a_sentence_can_is_not_read_back(talent, columns):
    says(talent, "+1 to Defense")
    models.Effect.objects.filter(owner=talent).update(**columns)
    assert texts(talent) == []
    edited(talent, "+1 to Defense")
    assert talent.effects.count() == 2


@pytest.mark.parametrize(
    "columns",
    [{"amount": 0}, {"times": 1000}, {"round_up": True, "divided_by": 1}, {"at_most": -1000}, {"text": "x"}],
    ids=str,
)
def test_an_amount_that_no_line_makes_is_not_read_back(talent, columns):
    says(talent, "adds half Strength rounded down to Defense")
    models.Effect.objects.filter(owner=talent).update(**columns)
    assert texts(talent) == []


@pytest.mark.parametrize(
    "columns", [{"text": "No stop"}, {"text": "Two\nlines."}, {"text": "Wait..."}, {"times": 2}], ids=str
)
def test_a_note_that_no_line_makes_is_not_read_back(talent, columns):
    says(talent, "note: You cannot speak")
    assert talent.effects.get().text == "You cannot speak."
    models.Effect.objects.filter(owner=talent).update(**columns)
    assert texts(talent) == []


def test_an_entry_of_long_notes_can_be_saved_as_it_is_read_back(editor, talent):
    for at in range(MOST_READ_BACK):
        models.Note.objects.create(owner=talent, text="x" * 399 + ".", order=at, stat=models.Stat.objects.first())
    form = Form(editor, models.Talent, talent)
    assert len(form.data["does"].splitlines()) == MOST_READ_BACK
    assert form.send().status_code == 302


def test_an_amount_of_a_statistic_whose_name_is_part_of_a_sentence_is_not_read_back(talent):
    says(talent, "adds Strength to Defense")
    for name in ("Bonus to hit", "half Strength"):
        models.Stat.objects.filter(key="rank.strength").update(name=name)
        assert texts(talent) == []


BURST = "Bonus action: Thorn burst, 2D damage, spends 1 Sap"
SAP = "3 uses of Sap, back after a short rest"


@pytest.mark.parametrize("lines", [(SAP, BURST), (BURST, SAP)])
def test_an_action_spends_what_another_line_makes_whichever_is_first(talent, lines):
    edited(talent, *lines)
    assert sorted(texts(talent)) == sorted(lines)
    assert talent.actions.get().resource == talent.resources.get()


def test_a_line_that_is_changed_may_spend_what_a_new_one_makes(talent):
    says(talent, "Bonus action: Thorn burst")
    slug = talent.actions.get().slug
    edited(talent, BURST, SAP)
    assert sorted(texts(talent)) == sorted([BURST, SAP])
    assert (talent.actions.get().slug, talent.actions.get().resource) == (slug, talent.resources.get())


def test_an_action_spends_what_another_entry_has(talent):
    other = models.Talent.objects.create(
        slug="sappy", name="Sappy", ruleset=talent.ruleset, source=talent.source, status="published"
    )
    says(other, SAP)
    assert says(talent, BURST) == [BURST]
    assert talent.actions.get().resource == other.resources.get()


def test_counters_of_one_name_are_told_apart_by_their_slugs(talent):
    for slug in ("sappy", "sapless"):
        other = models.Talent.objects.create(slug=slug, name=slug, ruleset=talent.ruleset, source=talent.source)
        says(other, SAP)
    with pytest.raises(NotUnderstood, match="More than one resource is called “Sap”. Write which: sap, sap-2."):
        says(talent, BURST)
    assert says(talent, f"{BURST}-2") == [BURST.replace("Sap", "sap-2")]


def test_uses_cannot_go_while_an_action_spends_them(talent):
    says(talent, SAP, BURST)
    edit = edit_of(talent, lines_of(talent), [BURST], Words(talent.source, talent.name))
    assert edit.hindrances() == ["Thorn burst"]


def test_uses_with_a_second_recovery_are_not_read_back_as_uses(talent):
    says(talent, HARDEN)
    event = models.RestEvent.objects.get(slug="long-rest")
    models.Recovery.objects.create(owner=talent, resource=talent.resources.get(), event=event, full=True)
    assert texts(talent) == [
        "Uses of Harden your skin starts at 1",
        "Bonus action: Harden your skin, spends 1 Harden your skin",
    ]


STEPS = "each 3 levels: +2 to Defense"


@pytest.mark.parametrize(
    ("line", "model", "columns"),
    [
        (SAP, models.Resource, {"style": "pool"}),
        (SAP, models.Resource, {"name": "Sap, green"}),
        (SAP, models.Effect, {"at_most": 2}),
        (SAP, models.Effect, {"from_rank": 2}),
        (SAP, models.Effect, {"amount": 0}),
        (SAP, models.Effect, {"amount": 100}),
        (SAP, models.Effect, {"op": "add"}),
        (SAP, models.Recovery, {"full": False, "amount": 1}),
        ("Action: Wait", models.Action, {"trigger": "when you are hit"}),
        ("Action: Wait", models.Action, {"name": "Wait, then go"}),
        ("Action: Wait", models.Action, {"name": "w" * 61}),
        ("Action: Wait", models.Action, {"roll": "attack"}),
        ("Action: Wait", models.Action, {"uses": 2}),
        ("Action: Throw, heals 2D + 3", models.Action, {"amount": 1000}),
        ("Action: Push, 3 damage", models.Action, {"die": 8}),
        (HARDEN, models.Action, {"uses": 2}),
        (HARDEN, models.Action, {"from_rank": 2}),
        (HARDEN, models.Action, {"name": "Soften your skin"}),
        ("choose 2 of skills", models.Choice, {"filter_kind": "tool"}),
        ("choose 2 of skills", models.Choice, {"grant_as": "gain"}),
        ("choose 2 of skills", models.Choice, {"filter_parent": True}),
        ("choose 2 of skills", models.Choice, {"prompt": "Pick 2 skills"}),
        ("choose 2 of skills", models.Choice, {"replaceable": True}),
        ("gains Darksight", models.Effect, {"quantity": 2}),
        ("+1 on attack rolls", models.Effect, {"this_item_only": True}),
        ("+1 on checks", models.Effect, {"per": "property_a"}),
        ("note on attack rolls: It burns", models.Effect, {"this_item_only": True}),
        ("saving throws fail without a roll", models.Effect, {"roll": "damage"}),
        ("Speed is at least 10", models.Effect, {"per": "property_a"}),
        (STEPS, "base", {"amount": 2}),
        (STEPS, "base", {"from_rank": 2}),
        (STEPS, "add", {"at_most": 5}),
        (STEPS, "add", {"round_up": True}),
    ],
    ids=str,
)
def test_a_line_whose_rows_say_more_is_not_read_back(talent, line, model, columns):
    assert says(talent, line) == [line]
    rows = talent.effects.filter(op=model) if isinstance(model, str) else model.objects.filter(owner=talent)
    assert rows.update(**columns)
    assert line not in texts(talent)
    for one in lines_of(talent):  # what else is read back says all of its rows
        assert said(understood([one.text], Words(talent.source, talent.name))) == said(list(one.rows))


def test_steps_of_different_sizes_are_not_read_back_as_one_line(talent):
    says(talent, STEPS)
    models.Effect.objects.filter(pk=talent.effects.filter(op="add").first().pk).update(divided_by=4)
    assert not [text for text in texts(talent) if text.startswith("each ")]


def test_uses_of_several_actions_are_a_line_of_their_own(talent):
    says(talent, HARDEN)
    (action,) = talent.actions.all()
    models.Action.objects.create(
        owner=talent, slug="soften", name="Soften", timing=action.timing, resource=action.resource
    )
    assert sorted(texts(talent)) == [
        "1 use of Harden your skin, back after a short rest",
        "Bonus action: Harden your skin, spends 1 Harden your skin",
        "Bonus action: Soften, spends 1 Harden your skin",
    ]


def test_uses_that_another_entry_brings_back_are_not_read_back(talent):
    says(talent, SAP)
    other = models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="sappy", name="Sappy")
    (own,) = models.Recovery.objects.filter(owner=talent)
    event = models.RestEvent.objects.get(slug="long-rest")
    models.Recovery.objects.create(owner=other, resource=own.resource, event=event, full=True)
    assert not [text for text in texts(talent) if "back after" in text]
    own.delete()
    assert not [text for text in texts(talent) if "back after" in text]


def test_an_edited_line_of_a_weapon_still_changes_only_attacks_with_it(talent):
    columns = {"ruleset": talent.ruleset, "source": talent.source}
    balanced = models.WeaponProperty.objects.create(slug="balanced", name="Balanced", **columns)
    says(balanced, "+1 on attack rolls", "note on damage: It hums")
    edited(balanced, "+2 on attack rolls", "note on damage: It sings")
    assert set(balanced.effects.values_list("this_item_only", flat=True)) == {True}


def test_uses_of_a_retired_entry_are_not_spent(talent):
    other = models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="sappy", name="Sappy")
    says(other, SAP)
    models.Talent.objects.filter(pk=other.pk).update(status="retired")
    with pytest.raises(NotUnderstood, match="No resource is called “Sap”."):
        says(talent, BURST)


def test_a_choice_that_also_lists_entries_is_not_read_back(talent):
    says(talent, "choose 2 of skills")
    models.ChoiceOption.objects.create(
        choice=talent.choices.get(), element=models.Element.objects.get(slug="tough", kind="talent"), order=1
    )
    assert texts(talent) == []


def test_an_ambiguous_name_is_read_back_with_its_kind(talent):
    for model in (models.Category, models.WeaponProperty):
        model.objects.get_or_create(
            ruleset=talent.ruleset, slug="dim", defaults={"source": talent.source, "name": "Dim"}
        )
    assert says(talent, "is proficient with category:dim") == ["is proficient with category:dim"]


def test_more_rows_than_a_page_holds_are_not_read_back(talent):
    says(talent, *["+1 to Defense"] * 20)
    says(talent, *["+1 to Defense"] * 20)
    assert len(texts(talent)) == MOST_READ_BACK
    assert says(talent, "+1 to Defense") == []


def test_each_step_of_ranks_adds_at_most_nine(talent):
    with pytest.raises(NotUnderstood):
        understood(["each 3 ranks: +10 to Defense"], Words(talent.source, talent.name))


def test_a_job_refuses_a_sentence_that_begins_at_a_level(editor, talent):
    job = models.Job.objects.get(slug="fighter")
    for line in ("from level 3: +1 to Defense", "At level 3: +1 to Defense", "level 3: Action: Burst"):
        errors = Form(editor, models.Job, job).fill(does=line).errors()
        assert errors == [("does", f"“{line}”: Here it begins at a rank. Write “from rank”.")]


@pytest.mark.parametrize(
    ("line", "amounts"),
    [("each 3 levels: +2 to Defense", [0, 2, 2, 2, 4]), ("each 2 levels: −1 to Defense", [-1, -1, -2, -2, -3])],
)
def test_steps_count_on_the_sheet(talent, line, amounts):
    says(talent, line)
    bundle = bundle_of_packs([read_source(talent.source)])

    def defense(level, *talents):
        return derive(bundle, hero(level=level, rank=1, talents=list(talents))).value("defense")

    assert [defense(level, "wary") - defense(level) for level in range(2, 7)] == amounts


# On the page of the admin


def test_the_page_shows_the_sentences_and_an_edit_is_one_save(editor, talent):
    says(talent, "+1 to Defense", HARDEN)
    form = Form(editor, models.Talent, talent)
    assert form.data["does"].splitlines() == ["+1 to Defense", HARDEN]
    assert form.fill(does=HARDEN.replace("1 use", "3 uses")).send().status_code == 302
    assert texts(talent) == [HARDEN.replace("1 use", "3 uses")]


def test_an_action_and_what_it_spends_are_one_save(editor, talent):
    says(talent, "Bonus action: Thorn burst")
    form = Form(editor, models.Talent, talent)
    assert form.fill(does=f"{BURST}\n{SAP}").send().status_code == 302
    assert sorted(texts(talent)) == sorted([BURST, SAP])


def test_saving_an_unedited_form_changes_no_row(editor, talent):
    says(talent, *LINES)
    before = [list(rows.values()) for rows in (talent.effects, talent.choices, talent.actions, talent.recoveries)]
    assert Form(editor, models.Talent, talent).send().status_code == 302
    after = [list(rows.values()) for rows in (talent.effects, talent.choices, talent.actions, talent.recoveries)]
    assert before == after


def test_an_unedited_text_is_not_listed_as_changed(editor, talent):
    """A browser sends the lines of a text with carriage returns."""
    says(talent, "+1 to Defense", "+5 to Speed")
    models.Talent.objects.filter(pk=talent.pk).update(text="One line.\nAnother.")
    form = Form(editor, models.Talent, talent)
    lines = {name: form.data[name].replace("\n", "\r\n") for name in ("does", "text")}
    assert form.fill(**lines, summary="Never asleep.").send().status_code == 302
    assert LogEntry.objects.latest("pk").get_change_message() == "Changed Summary."
    assert models.Talent.objects.get(pk=talent.pk).text == "One line.\nAnother."


def test_a_row_and_its_sentence_cannot_be_changed_at_once(editor, talent):
    says(talent, "+1 to Defense")
    form = Form(editor, models.Talent, talent)
    form.data["effects-0-amount"] = 4
    form.data["does"] = "+3 to Defense"
    assert "You also changed its sentence in “What it does”." in form.errors()[0][1]
    assert talent.effects.get().amount == 1
    form.data["does"] = "+1 to Defense"
    assert form.send().status_code == 302
    assert talent.effects.get().amount == 4


def test_a_sentence_whose_rows_are_needed_elsewhere_cannot_be_deleted(editor, talent):
    says(talent, HARDEN)
    other = models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="hard", name="Hard")
    stat = talent.resources.get().max_stat
    models.StatModifier.objects.create(owner=other, stat=stat, op="add", amount=1)
    errors = Form(editor, models.Talent, talent).fill(does="").errors()
    assert [name for name, _ in errors] == ["does"]
    assert "something needs it: Hard" in errors[0][1]
    assert texts(talent) == [HARDEN]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("each 5 levels: +2 to Health", "+2 to Health"),
        ("Reaction: Turn aside, 2 uses, back after a long rest", "+1 to Defense"),
        ("Reaction: Turn aside, 2 uses, back after a long rest", "Bonus action: Turn aside"),
        ("each 3 levels: +1 to Defense\n1 use, back after a short rest", "each 3 levels: +1 to Defense\n+1 to Health"),
    ],
)
def test_a_save_replaces_a_sentence_that_made_a_statistic(editor, talent, before, after):
    says(talent, *before.splitlines())
    assert Form(editor, models.Talent, talent).fill(does=after).send().status_code == 302
    assert texts(talent) == after.splitlines()


@pytest.mark.parametrize("kept", [[], ["+1 to Speed"]], ids=["changed", "new"])
def test_a_sentence_is_not_replaced_by_one_that_needs_it(editor, talent, kept):
    says(talent, *kept, "1 use, back after a short rest")
    before = texts(talent)
    errors = Form(editor, models.Talent, talent).fill(does="+1 to Uses of Wary").errors()
    assert errors == [("does", "You cannot delete a sentence while something needs it: +1 to Uses of Wary.")]
    assert texts(talent) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("each 3 levels: +1 to Defense", "each 3 levels: +1 to Levels for Wary"),
        ("1 use, back after a short rest", "each 3 levels: +1 to Uses of Wary"),
    ],
)
def test_a_sentence_does_not_count_by_the_statistic_that_it_takes_over(editor, talent, before, after):
    says(talent, before)
    errors = Form(editor, models.Talent, talent).fill(does=after).errors()
    assert [name for name, _ in errors] == ["does"]
    assert "depend on themselves" in errors[0][1]


def test_a_preview_shows_the_edited_sentence_and_not_the_old_one(editor, talent):
    says(talent, "+1 to Defense", "gains Darksight")
    answer = Form(editor, models.Talent, talent).fill(does="+7 to Defense\ngains Darksight", _preview="1").send()
    assert answer.context_data["sentences"] == ["Gains Darksight", "+7 Defense"]
    assert talent.effects.filter(amount=1).exists()


def test_the_page_folds_the_rows_of_sentences_and_leaves_the_others(editor, talent):
    says(talent, "+1 to Defense")
    models.Note.objects.create(owner=talent, text="Sees it coming.", order=2, stack_group="luck")  # more than a line
    page = Form(editor, models.Talent, talent, drawn=True)
    body = editor.get(page.url).content.decode()
    assert body.count('class="said-above"') == 1
    folded = body.partition('class="said-above"')[2].partition("</details>\n")[0]
    assert "+1 Defense" in folded
    assert "Sees it coming." not in folded
