"""Sentences that an author completes: the rows that each becomes, and what is refused at the field."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from rules import models, reading
from rules.compile import bundle_for
from rules.patterns.lines import lines_of, write
from rules.patterns.words import Words
from rules.publications import publish
from tests.support.rows_of_lines import understood

from .admin_form import Form

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def written(talent, *lines):
    rows = understood(lines, Words(talent.source, talent.name))
    write(rows, talent)
    return [sentence for row in rows if (sentence := reading.sentence_of(row))]


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("+1 to Defense while wearing no armor", {"stat__key": "defense", "amount": 1, "when__slug": "without-armor"}),
        ("−2 to defense.", {"stat__key": "defense", "amount": -2, "when": None}),
        ("– 2 to Defense", {"stat__key": "defense", "amount": -2}),
        ("from rank 5: - 2 to Defense", {"stat__key": "defense", "amount": -2, "from_rank": 5}),
        ("+ 1 to Defense", {"stat__key": "defense", "amount": 1}),
        ("– 2 on attack rolls", {"roll": "attack", "amount": -2}),
        ("+1 Defense per level", {"stat__key": "defense", "per": "level"}),
        (
            "+1 Defense per rank while wearing no armor",
            {"stat__key": "defense", "per": "rank", "when__slug": "without-armor"},
        ),
        ("from rank 5: +1 to Defense", {"stat__key": "defense", "from_rank": 5}),
        (
            "advantage on checks of Stealth in dim light",
            {"roll": "check", "aspect": "advantage", "subject__slug": "stealth", "when__slug": "dim-light"},
        ),
        (
            "Advantage on Stealth checks in dim light",
            {"roll": "check", "aspect": "advantage", "subject__slug": "stealth", "when__slug": "dim-light"},
        ),
        ("advantage on ability checks", {"roll": "check", "subject": None, "ability": None, "when": None}),
        ("+2 on Agility saving throws", {"roll": "save", "amount": 2, "ability__slug": "agility"}),
        ("Disadvantage on saving throws of Agility", {"roll": "save", "ability__slug": "agility"}),
        ("Speed starts at 35", {"stat__key": "speed", "op": "base", "amount": 35}),
        ("+2 on attack rolls", {"roll": "attack", "aspect": "bonus", "amount": 2}),
        ("gains Darksight", {"element__slug": "darksight", "grant_as": "gain"}),
        ("resists fire", {"element__slug": "fire", "grant_as": "resist"}),
        ("is proficient with skill:stealth", {"element__slug": "stealth", "grant_as": "skilled"}),
    ],
)
def test_a_sentence_becomes_one_row(talent, line, columns):
    written(talent, line)
    assert models.Effect.objects.filter(owner=talent, **columns).count() == talent.effects.count() == 1


def test_uses_make_a_resource_a_statistic_and_a_recovery_named_after_the_entry(talent):
    written(talent, "1 use, back after a short rest")
    resource = talent.resources.get()
    assert (resource.name, resource.slug, resource.max_stat.key) == ("Wary", "wary", "wary.max")
    assert resource.max_stat.source == talent.source
    assert talent.effects.get().amount == 1
    recovery = models.Recovery.objects.get(owner=talent)
    assert (recovery.resource, recovery.event.slug, recovery.full) == (resource, "short-rest", True)


def test_an_action_with_uses_is_one_sentence(talent):
    read = written(talent, "Bonus action: Harden your skin, 2 uses, back after a long rest")
    action = talent.actions.get()
    assert (action.slug, action.timing.slug) == ("harden-your-skin", "bonus-action")
    assert action.resource == talent.resources.get()
    assert any("Harden your skin" in sentence for sentence in read)


def test_the_same_name_twice_gets_a_slug_of_its_own(talent):
    written(talent, "1 use, back after a short rest", "1 use, back after a long rest")
    assert list(talent.resources.order_by("pk").values_list("slug", flat=True)) == ["wary", "wary-2"]


def test_a_chosen_skill_is_proficient_and_a_chosen_language_is_known(talent):
    written(talent, "choose 2 of skills", "choose 1 language")
    assert list(talent.choices.order_by("pk").values_list("filter_kind", "count", "grant_as")) == [
        ("skill", 2, "skilled"),
        ("language", 1, "knows"),
    ]


def test_a_job_offers_its_own_paths(talent):
    columns = {"ruleset": talent.ruleset, "source": talent.source}
    job = models.Job.objects.create(slug="warden", name="Warden", **columns)
    reed = models.Path.objects.create(slug="reed", name="Path of the Reed", parent=job, **columns)
    line = "from rank 3: choose 1 path"
    write(understood([line], Words(job.source, job.name, job.kind)), job)
    assert [one.text for one in lines_of(job)] == [line]
    publish(talent.source)
    assert bundle_for(talent.ruleset).choices["warden.warden-path"].options == (reed.ref,)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("dance", "is not one of the sentences"),
        ("+1 to Defence", "Do you mean Defense?"),
        ("+1 to Defense while asleep on a cart", "No circumstance is called “while asleep on a cart”."),
        ("advantage on checks sideways", "No circumstance is called"),
        ("1 use, back after a nap", "No rest is called"),
        ("Later: Wait", "No timing is called"),
        ("gains Nothing Like It", "No entry is called"),
        ("choose 2 of skils", "Do you mean skills?"),
        ("needs being the starting job", "Only a job can be the starting job."),
        ("0 uses, back after a short rest", "is not one of the sentences"),
        ("\n".join(["+1 to Defense"] * 21), "at most 20 lines"),
    ],
)
def test_a_sentence_that_is_not_understood_is_refused_at_the_field(editor, talent, line, sentence):
    errors = Form(editor, models.Talent, talent).fill(does=line).errors()
    assert [name for name, _ in errors] == ["does"]
    assert sentence in errors[0][1]
    assert not talent.effects.exists()


def test_an_element_does_not_grant_itself(editor, talent):
    errors = Form(editor, models.Talent, talent).fill(does="gains Wary").errors()
    assert errors == [("does", "An element cannot grant itself.")]


def test_an_element_does_not_need_itself(editor, talent):
    errors = Form(editor, models.Talent, talent).fill(does="needs level 5 or Wary").errors()
    assert errors == [("does", "An element cannot need itself.")]


@pytest.mark.parametrize("before", ["", "needs Strength at least 13"])
def test_lines_that_nobody_can_meet_together_are_refused(editor, talent, before):
    def form(does):
        return Form(editor, models.Talent, talent).fill(does=does)

    assert form(before).send().status_code == 302
    refused = form("needs Strength at least 13\nneeds Strength at most 12").errors()
    assert refused == [("does", "No character can ever meet all that it needs. Change one of these lines.")]
    assert form("needs Strength at least 13\nneeds Strength at most 12 or Tough").send().status_code == 302
    assert form("needs Strength at most 12").send().status_code == 302


@pytest.mark.parametrize("model", [models.Condition, models.Gear])
def test_what_nobody_chooses_takes_no_requirement(editor, talent, model):
    columns = {"ruleset": talent.ruleset, "source": talent.source, "slug": "chilled", "name": "Chilled"}
    errors = Form(editor, model, model.objects.create(**columns)).fill(does="needs Strength 13").errors()
    assert errors == [("does", "“needs Strength 13”: No sheet asks what this needs. Write it in the text.")]


ONE_USE, TWO_USES = "1 use, back after a short rest", "2 uses, back after a long rest"


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("", f"{ONE_USE}\n{TWO_USES}", "Wary"),
        (ONE_USE, f"{ONE_USE}\n{TWO_USES}", "Wary"),
        (ONE_USE, f"Reaction: Wary, {TWO_USES}\n{ONE_USE}", "Wary"),
        ("", f"Reaction: Dodge, {ONE_USE}\nfrom level 5: Reaction: Dodge, {TWO_USES}", "Dodge"),
    ],
)
def test_uses_that_an_entry_would_have_twice_are_refused(editor, talent, before, after, name):
    written(talent, *filter(None, [before]))
    errors = Form(editor, models.Talent, talent).fill(does=after).errors()
    assert errors == [("does", f"Two lines have uses of {name}. Write one line for all of its uses.")]
    assert talent.resources.count() == bool(before)


def test_uses_are_changed_in_their_line(editor, talent):
    written(talent, ONE_USE)
    assert Form(editor, models.Talent, talent).fill(does=TWO_USES).send().status_code == 302
    assert talent.resources.get().recoveries.get().event.slug == "long-rest"


def test_a_number_that_is_added_to_itself_is_refused(editor, talent):
    errors = Form(editor, models.Talent, talent).fill(does="adds half Speed to Speed").errors()
    assert errors == [("does", "These statistics would depend on themselves: Speed → Speed.")]


def test_a_loop_is_refused(editor, talent):
    speed = models.Stat.objects.get(ruleset=talent.ruleset, key="speed")
    errors = Form(editor, models.Talent, talent).fill(does=f"+1 to {speed.name} {circumstance_of(speed).name}").errors()
    assert [name for name, _ in errors] == ["does"]
    assert "depend on themselves" in errors[0][1]


def circumstance_of(stat):
    one = models.Circumstance.objects.create(
        ruleset=stat.ruleset, source=stat.source, slug="swift", name="while swift", detection="auto"
    )
    models.CircumstanceTest.objects.create(circumstance=one, test="stat_min", stat=stat, value=40)
    return one


def test_the_talent_of_the_tour_takes_one_save_and_seven_fields(editor, talent):
    """`talent` only brings the core rules; this test adds a new talent."""
    form = Form(editor, models.Talent).fill(
        ruleset=talent.ruleset, source=talent.source, name="Stone Skin", slug="stone-skin", status="published",
        summary="Your skin hardens.",
        does="+1 to Defense while wearing no armor\nBonus action: Harden your skin, 1 use, back after a short rest",
    )  # fmt: skip
    assert form.send().status_code == 302
    made = models.Talent.objects.get(slug="stone-skin")
    assert (made.effects.count(), made.resources.count(), made.actions.count()) == (2, 1, 1)


def test_a_preview_shows_the_sentences_and_stores_nothing(editor, talent):
    form = Form(editor, models.Talent, talent).fill(does="1 use, back after a short rest", _preview="1")
    answer = form.send()
    assert any("short rest" in sentence.lower() for sentence in answer.context_data["sentences"])
    assert not talent.resources.exists()


def test_an_account_that_may_not_change_entries_writes_nothing(client, talent, django_user_model):
    client.force_login(django_user_model.objects.create_user("guest", is_staff=True))
    url = reverse("admin:rules_talent_change", args=[talent.pk])
    assert client.post(url, {"does": "+1 to Defense"}).status_code == 403
    assert not talent.effects.exists()


def test_a_sentence_marks_its_source_as_edited(editor, talent):
    before = models.Source.objects.get(pk=talent.source_id).edited
    assert Form(editor, models.Talent, talent).fill(does="+1 to Defense").send().status_code == 302
    assert models.Source.objects.get(pk=talent.source_id).edited != before


def test_every_example_of_the_guide_is_understood(talent):
    guide = (settings.BASE_DIR / "docs" / "admin.md").read_text()
    tables = [
        guide.split(head)[1].split("\n\n")[0] for head in ("| Add | What it does |", "| Sentence | For example |")
    ]
    examples = re.findall(r"`([^`]+)`", "".join(tables))
    assert len(examples) >= 23
    for example in examples:
        assert written(talent, example)


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("+1 on attack rolls", True),
        ("+1 on damage", True),
        ("note on attack rolls: Each takes one arrow", True),
        ("+1 on checks", False),
    ],
)
def test_a_weapon_property_changes_attacks_only_with_its_own_weapon(talent, line, own):
    balanced = models.WeaponProperty.objects.create(
        ruleset=talent.ruleset, source=talent.source, slug="balanced", name="Balanced"
    )
    written(balanced, line)
    assert balanced.effects.get().this_item_only is own
    written(talent, line)
    assert talent.effects.get().this_item_only is False


def test_each_action_has_a_slug_of_its_own(talent):
    """A form names an action by it, and an entry may have it only once."""
    for line in ("Action: Thorn burst", "Reaction: Thorn burst", "Action: Dodge"):
        written(talent, line)
    slugs = list(talent.actions.order_by("pk").values_list("slug", flat=True))
    assert len(set(slugs)) == 3
    assert not models.Action.objects.exclude(owner=talent).filter(slug__in=slugs).exists()
