"""`check_rules`: the small pack is clean, and each kind of mistake gives its finding."""

from io import StringIO

import pytest
from django.core.management import call_command

from rules.engine import Build
from rules.engine.sheet import Problem, Sheet
from rules.lint import check_rules
from rules.models import Choice, ChoiceOption, Effect, Element, Job, Prerequisite, Resource, Ruleset, Source, Stat
from rules.packs.load import load_rules
from rules.publications import publish

from .small_pack import write_layer, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def findings(ruleset="small") -> list[str]:
    for source in Source.objects.filter(ruleset__slug=ruleset):
        publish(source)
    return [str(finding) for finding in check_rules(Ruleset.objects.get(slug=ruleset))]


def element(slug: str) -> Element:
    return Element.objects.get(slug=slug, ruleset__slug="small")


def stat(key: str) -> Stat:
    return Stat.objects.get(key=key, ruleset__slug="small")


def loaded(tmp_path, **files) -> list[str]:
    load_rules(write_pack(tmp_path / "small", **files))
    return findings()


def test_the_small_pack_is_clean(small):
    assert findings() == []


def test_the_core_has_no_errors():
    assert [finding for finding in findings("polyhedral") if finding.startswith("error")] == []


def test_a_house_rule_needs_a_label_for_each_value(small):
    mood = small.switches.filter(key="mood")
    mood.update(labels=[])
    assert findings() == ["note   house rule mood: has no labels, so people read its values as they are"]
    mood.update(labels=["a grim one"])
    assert findings() == ["error  house rule mood: has 2 values and 1 labels"]


def test_the_rank_of_an_ability_is_a_number_that_players_enter(small):
    small.stats.filter(key="rank.wits").update(is_input=False)
    reason = "players enter its rank, but not the statistic rank.wits: make that one that they enter"
    assert f"error  ability:agility: {reason}" in findings()


def test_a_job_brings_nothing_after_its_last_rank():
    fighter = Job.objects.get(slug="fighter")
    fighter.effects.create(
        kind="modify", stat=Stat.objects.get(key="defense", ruleset=fighter.ruleset), op="add", amount=1, from_rank=16
    )
    reason = "brings something from rank 16, but its last rank is 15"
    Job.objects.filter(pk=fighter.pk).update(limit_break=False)
    assert f"error  job:fighter: {reason}" in findings("polyhedral")
    Effect.objects.filter(owner=fighter, from_rank=16).delete()
    assert not any(reason in finding for finding in findings("polyhedral"))
    Choice.objects.filter(owner=fighter).update(from_rank=16)
    assert f"error  job:fighter: {reason}" in findings("polyhedral")
    Job.objects.filter(pk=fighter.pk).update(limit_break=True)
    assert not any(reason in finding for finding in findings("polyhedral"))


def test_a_ring_of_statistics_is_an_error(small):
    Effect.objects.create(
        owner=element("odd"), kind="modify", stat=stat("rank.grit"), op="add", of_stat=stat("defense")
    )
    path = "defense → modifier.grit → rank.grit → defense"
    assert findings() == [f"error  stat defense: would depend on itself: {path}"]


def test_a_ring_through_a_circumstance_is_an_error(small):
    test = small.circumstances.get(slug="armored").tests.create(test="stat_min", stat=stat("defense"), value=3)
    path = "defense → defense"
    assert findings() == [f"error  stat defense: would depend on itself: {path}"]
    test.delete()
    assert findings() == []


def test_rest_events_that_include_each_other_are_an_error(small):
    nap, sleep = small.rest_events.order_by("slug")
    nap.includes.add(sleep)
    assert findings() == ["error  rest event nap: would include itself: nap → sleep → nap"]


def test_an_element_that_nothing_leads_to_is_an_error(tmp_path, small):
    assert loaded(tmp_path, paths="- {slug: wall, name: Wall, parent: job:guard}") == [
        "error  talent:odd: nothing grants it and no choice offers it"
    ]


def test_elements_that_lead_only_to_each_other_are_errors(tmp_path, small):
    paths = """
        - {slug: wall, name: Wall, grant: [{element: talent:odd, as: gain}]}
        """
    features = """
        - {slug: watch, name: Watch, note: [{text: Hark., when: at-dusk}]}
        - {slug: one, name: One, grant: [{element: feature:two, as: gain}]}
        - {slug: two, name: Two, grant: [{element: feature:one, as: gain}]}
        """
    found = loaded(tmp_path, paths=paths, features=features)
    assert "error  feature:one: nothing grants it and no choice offers it" in found
    assert "error  feature:two: nothing grants it and no choice offers it" in found
    assert "error  path:wall: nothing grants it and no choice offers it" in found


def test_a_grant_that_means_nothing_for_what_it_names_is_an_error(small):
    grant = {"owner": element("odd"), "kind": "grant"}
    row = Effect.objects.create(**grant, element=element("strength"), grant_as="resist")
    assert findings() == [
        "error  talent:odd: grants ability:strength, which is an ability: choose “is proficient with”"
    ]
    row.delete()
    Effect.objects.create(**grant, element=element("thrown"), grant_as="gain")
    assert findings() == ["error  talent:odd: grants property:thrown, which is a property: name something else"]


def test_a_question_counts_by_a_house_rule_alone(small):
    Choice.objects.filter(owner=element("core-rules"), slug="grit").update(ceiling=stat("defense"))
    found = findings()
    assert "error  rules:core-rules: asks “Where?” by defense; a question can depend only on a house rule" in found
    reason = "changes defense, which questions depend on; only its house rule changes it"
    assert f"error  rules:core-rules: {reason}" in found


def test_a_house_rule_may_count_questions_and_a_number_may_not(small):
    choice = Choice.objects.filter(owner=element("core-rules"), slug="talent")
    choice.update(count_of=stat("switch.cap"))
    assert findings() == []
    choice.update(count_of=stat("luck.max"))
    found = findings()
    reason = "changes luck.max, which questions depend on; only its house rule changes it"
    assert f"error  talent:lucky: {reason}" in found
    asks = "asks “Which talent?” by luck.max; a question can depend only on a house rule"
    assert f"error  rules:core-rules: {asks}" in found


def test_requirements_that_nobody_can_meet_are_an_error(small):
    Prerequisite.objects.create(owner=element("tough"), test="stat_max", stat=stat("rank.grit"), value=1)
    assert findings() == ["error  talent:tough: test 2: this can never be met together with the other tests"]


def test_a_choice_with_too_few_options_is_an_error(small):
    Choice.objects.filter(owner=element("core-rules"), slug="talent").update(count=3)
    assert findings() == ["error  core-rules.talent: asks for 3 and offers 2"]
    Choice.objects.filter(owner=element("core-rules"), slug="talent").update(distinct="free")
    assert findings() == []


@pytest.mark.parametrize("distinct", ["on_character", "free"])
def test_points_that_cannot_be_spread_are_an_error(small, distinct):
    Choice.objects.filter(owner=element("core-rules"), slug="grit").update(count=3, distinct=distinct)
    assert findings() == ["error  core-rules.grit: asks for 3 and offers 1"]


def test_a_choice_without_options_is_an_error(small):
    choice = Choice.objects.create(owner=element("odd"), slug="what", prompt="What?")
    assert findings() == ["error  odd.what: offers nothing"]
    Choice.objects.filter(pk=choice.pk).update(write_in=True)
    assert findings() == []


def test_a_filter_that_finds_nothing_yet_is_a_note(small):
    Choice.objects.create(owner=element("odd"), slug="what", prompt="What?", filter_kind="tool")
    assert findings() == ["note   odd.what: offers nothing until some source brings what it looks for"]
    group = element("clubs")
    Choice.objects.filter(owner=element("odd")).update(filter_kind="", filter_group=group)
    assert findings() == ["note   odd.what: offers nothing until some source brings what it looks for"]


def test_what_is_retired_may_be_out_of_reach_and_ask_for_nothing(small):
    heir = Element.objects.create(
        ruleset=small.ruleset, source=small, kind="talent", slug="late", name="Late", status="retired"
    )
    Choice.objects.create(owner=heir, slug="what", prompt="What?")
    assert findings() == []


@pytest.mark.parametrize("status", ["draft", "retired"])
def test_granting_an_unpublished_element_is_an_error(small, status):
    Element.objects.filter(pk=element("odd").pk).update(status=status)
    assert f"error  path:wall: grants talent:odd, which is {status}" in findings()


def test_a_retired_element_may_grant_what_was_retired_with_it(small):
    Element.objects.filter(pk__in=[element("odd").pk, element("wall").pk]).update(status="retired")
    assert not [one for one in findings() if "grants talent:odd" in one]


def test_a_retired_element_may_still_be_named(small):
    Element.objects.filter(pk=element("scared").pk).update(status="retired")
    assert not [one for one in findings() if "names condition:scared" in one]


def test_a_layer_may_name_what_it_defines(small, tmp_path):
    load_rules(write_layer(tmp_path / "house", **HOUSE))
    assert not [one for one in findings() if "which it does not require" in one]


def test_offering_a_retired_element_is_an_error(small):
    Element.objects.filter(pk=element("heir").pk).update(status="retired")
    assert "error  rules:core-rules: offers background:heir, which is retired" in findings()


def test_granting_an_element_of_a_source_that_is_not_required_is_an_error(small, tmp_path):
    load_rules(write_layer(tmp_path / "house", gear="- {slug: rope, name: Rope}"))
    Effect.objects.create(
        owner=element("odd"),
        kind="grant",
        grant_as="own",
        element=Element.objects.get(slug="rope", source__slug="house"),
    )
    assert findings() == ["error  talent:odd: grants gear:rope of house, which it does not require"]


HOUSE = {
    "stats": "- {key: charm, name: Charm, is_input: true}",
    "circumstances": "- {slug: at-home, name: at home, detection: toggle}",
    "events": "- {slug: feast, name: Feast}",
    "timings": "- {slug: at-leisure, name: At leisure}",
    "features": "- {slug: hearth, name: Hearth, note: [{text: Warm., when: at-home}]}",
}


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("modify: [{stat: charm, op: add, amount: 1}]", "statistic charm"),
        ("roll: [{roll: check, aspect: advantage, when: at-home}]", "circumstance at-home"),
        ("recoveries: [{resource: luck, event: feast, full: true}]", "rest event feast"),
        ("actions: [{slug: rest, name: Rest, timing: at-leisure}]", "action timing at-leisure"),
        ("requires: [{test: has, element: feature:hearth}]", "feature:hearth"),
        ("parent: feature:hearth", "feature:hearth"),
    ],
)
def test_a_name_from_a_source_that_is_not_required_is_an_error_in_every_kind_of_row(small, tmp_path, row, named):
    source = "{ruleset: {slug: small}, source: {slug: guests, title: Guests, requires: [house]}}"
    load_rules(write_layer(tmp_path / "house", **HOUSE))
    load_rules(write_layer(tmp_path / "guests", source=source, gear=f"- {{slug: hat, name: Hat, {row}}}"))
    said = f"error  gear:hat: names {named} of house, which it does not require"
    assert said not in findings()
    Source.objects.get(slug="guests").requires.clear()
    assert said in findings()


def test_only_drafts_may_name_a_draft(small):
    Element.objects.filter(pk=element("scared").pk).update(status="draft")
    assert "error  rules:core-rules: names condition:scared, which is draft" in findings()
    Element.objects.filter(pk=element("core-rules").pk).update(status="draft")
    assert not [one for one in findings() if "condition:scared" in one]


def test_a_grant_that_depends_on_worn_armor_is_an_error(small):
    Effect.objects.filter(owner=element("wall"), kind="grant").update(when=small.circumstances.get(slug="armored"))
    [finding] = findings()
    assert finding.startswith(
        "error  path:wall: grants talent:odd while wearing armor; a grant may depend only on level"
    )


def test_a_grant_may_depend_on_a_house_rule_that_is_not_set(small):
    armored = small.circumstances.get(slug="armored")
    armored.tests.all().delete()
    armored.tests.create(test="switch", switch=small.switches.get(key="mood"), word="gay", negate=True)
    Effect.objects.filter(owner=element("wall"), kind="grant").update(when=armored)
    assert not [one for one in findings() if one.startswith("error  path:wall: grants")]


def test_a_grant_that_depends_on_a_switch_of_the_sheet_is_an_error(small):
    dusk = small.circumstances.get(slug="at-dusk")
    Effect.objects.filter(owner=element("wall"), kind="grant").update(when=dusk)
    assert [one for one in findings() if one.startswith("error  path:wall: grants talent:odd at dusk;")]


@pytest.mark.parametrize("test", [{"test": "rank", "value": 1, "negate": True}, {"test": "storyteller"}])
def test_a_grant_that_could_end_again_or_never_comes_is_an_error(small, test):
    """As in the admin. A grant that needs the lack of a rank would be followed before the ranks are counted."""
    wall, armored = element("wall"), small.circumstances.get(slug="armored")
    armored.tests.all().delete()
    armored.tests.create(**test, element=wall if test["test"] == "rank" else None)
    Effect.objects.filter(owner=wall, kind="grant").update(when=armored)
    assert [one for one in findings() if one.startswith("error  path:wall: grants talent:odd while wearing armor;")]


def test_a_question_that_depends_on_a_statistic_is_an_error(small):
    """It is asked before any number is known, so nobody would ever see it."""
    watch, armored = element("watch"), small.circumstances.get(slug="armored")
    armored.tests.update(test="stat_min", stat=Stat.objects.get(key="luck.max"), value=1)
    armored.tests.create(test="level", value=1)
    Choice.objects.filter(owner=watch).update(when=armored)
    said = "error  feature:watch: asks “Which path?” while wearing armor; a question cannot depend on a statistic"
    assert said in findings()


def test_a_circumstance_that_no_row_uses_is_an_error(tmp_path, small):
    small.circumstances.create(ruleset=small.ruleset, slug="at-noon", name="at noon")
    assert findings() == ["error  circumstance at-noon: no row uses it"]


def test_tests_that_are_never_met_together_are_an_error(small):
    armored, mood = small.circumstances.get(slug="armored"), small.switches.get(key="mood")
    for word in ("grim", "gay"):
        armored.tests.create(test="switch", switch=mood, word=word)
    assert findings() == ["error  circumstance armored: test 3: this can never be met together with the other tests"]
    mood.type = "list"
    mood.save()
    assert findings() == []


def test_a_test_for_a_value_that_its_house_rule_cannot_have_is_an_error(small):
    mood = small.switches.filter(key="mood")
    Prerequisite.objects.create(owner=element("odd"), test="switch", switch=mood.get(), word="grim|gay")
    assert findings() == []
    mood.update(allowed=["grim", "calm"])
    assert findings() == ["error  talent:odd: house rule mood: “gay” is not possible here: choose grim or calm"]
    mood.update(allowed=["gay", "calm"], default="calm")
    said = "house rule mood: “grim” is not possible here: choose gay or calm"
    assert findings() == [f"error  circumstance at-dusk: {said}", f"error  talent:odd: {said}"]


def test_a_test_of_a_resource_that_nothing_has_is_an_error(small):
    armored = small.circumstances.get(slug="armored")
    armored.tests.create(test="resource_empty", word="luck")
    assert findings() == []
    armored.tests.create(test="resource_empty", word="lick")
    reason = "asks whether lick is used up, and no element has that resource"
    assert findings() == [f"error  circumstance armored: {reason}"]


def test_elements_that_need_each_other_are_an_error(tmp_path, small):
    talents = """
        - {slug: odd, name: Odd}
        - {slug: hen, name: Hen, requires: [{test: has, element: "talent:egg"}]}
        - {slug: egg, name: Egg, requires: [{test: has, element: "talent:hen"}]}
        """
    assert "error  talent:egg: would need itself: talent:egg → talent:hen → talent:egg" in loaded(
        tmp_path, talents=talents
    )
    for changed in (
        talents.replace('"talent:hen"', '"talent:hen", either: 1'),
        talents.replace("name: Odd", "name: Odd, grant: [{element: talent:egg, as: gain}]"),
        talents.replace("name: Egg", "name: Egg, status: retired"),
    ):
        assert not any("need itself" in one for one in loaded(tmp_path, talents=changed))


def test_a_circumstance_alone_in_its_group_is_an_error(small):
    small.circumstances.filter(slug="armored").update(group="clothing")
    assert findings() == ["error  circumstance armored: is alone in the group clothing"]


def test_a_statistic_without_a_value_is_an_error(small):
    Stat.objects.create(ruleset=small.ruleset, source=small, key="charm", name="Charm")
    said = "error  stat charm: has no base, no row that adds to it and no input"
    assert findings() == [said]
    row = Effect.objects.create(owner=element("odd"), kind="modify", stat=stat("charm"), op="multiply", amount=2)
    assert findings() == [said]
    Effect.objects.filter(pk=row.pk).update(op="add")
    assert findings() == []


def test_two_owners_of_choices_with_one_slug_are_an_error(small):
    twin = Element.objects.create(ruleset=small.ruleset, source=small, kind="gear", slug="watch", name="Watch")
    Choice.objects.create(owner=twin, slug="strap", prompt="Which strap?", write_in=True)
    [finding] = findings()
    assert "owns choices, and so does" in finding


def test_two_resources_with_one_slug_are_an_error(small):
    Resource.objects.create(owner=element("odd"), slug="luck", name="Luck", max_stat=stat("defense"))
    [finding] = findings()
    assert "has a resource luck, and so has" in finding


def test_rows_that_name_another_ruleset_are_errors(small):
    foreign = Stat.objects.filter(ruleset__slug="polyhedral", key="speed").get()
    Effect.objects.filter(owner=element("tough"), kind="modify").update(stat=foreign)
    skill = Element.objects.get(ruleset__slug="polyhedral", kind="skill", slug="athletics")
    option = ChoiceOption.objects.create(
        choice=Choice.objects.get(owner=element("core-rules"), slug="background"), element=skill, order=1
    )
    found = findings()
    assert any(f.endswith("stat names Speed of another ruleset") for f in found)
    assert f"error  choice option {option.pk}: element names Athletics of another ruleset" in found


def ailing(bundle, build: Build) -> Sheet:
    """The sheet of a character, with a problem for whoever has the talent `odd`."""
    ails = any(award.ref == "talent:odd" for award in build.awards)
    return Sheet(
        name="", level=1, picks=None, solver=None, problems=(Problem("", "It does not work."),) if ails else ()
    )


def test_an_element_with_a_problem_when_held_alone_is_an_error(small, monkeypatch):
    monkeypatch.setattr("rules.lint.derive", ailing)
    assert findings() == ["error  talent:odd: alone on a character: It does not work."]


def test_elements_are_tried_alone_beside_notes_too(small, monkeypatch):
    small.switches.filter(key="mood").update(labels=[])
    monkeypatch.setattr("rules.lint.derive", ailing)
    assert [finding.split()[0] for finding in findings()] == ["error", "note"]


def test_an_attack_that_cannot_be_put_together_is_an_error():
    sword = Element.objects.get(ruleset__slug="polyhedral", kind="weapon", slug="longsword")
    Effect.objects.create(owner=sword, kind="roll", roll="attack", aspect="uses_ability")
    wrong = [finding for finding in findings("polyhedral") if finding.startswith("error")]
    assert wrong == [
        "error  weapon:longsword: alone on a character, a roll or an attack needs something missing: KeyError('')"
    ]


# The command


def test_the_command_fails_on_errors_and_not_on_notes(small):
    out = StringIO()
    choice = Choice.objects.create(owner=element("odd"), slug="what", prompt="What?", filter_kind="tool")
    publish(small)
    call_command("check_rules", "small", stdout=out)
    assert out.getvalue().startswith("small  note   odd.what: offers nothing until")
    Choice.objects.filter(pk=choice.pk).update(filter_kind="")
    publish(small)
    with pytest.raises(SystemExit) as stopped:
        call_command("check_rules", "small", stdout=out)
    assert stopped.value.code == 1
