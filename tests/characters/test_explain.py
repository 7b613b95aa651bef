"""Every number on a sheet has a complete explanation."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from characters.models import Character
from characters.read import explanations
from characters.samples import add_samples
from rules.compile import bundle_for
from rules.engine import Award, Build, Held, content, derive
from tests.support.characters import SAMPLES, owned_by, sheet_of
from tests.support.heroes import blessed, hero

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def number(text):
    return int(re.sub(r"[^\d-]", "", text.replace("−", "-")))


def every_key(sheet):
    attacks = [explanations.attack_key(attack) for attack in sheet.attacks]
    actions = [explanations.action_key(line) for line in sheet.actions]
    return [*sheet.values, *sheet.rolls, *attacks, *actions]


@pytest.mark.parametrize("slug", SAMPLES)
def test_the_rows_that_count_add_up_to_the_number(slug):
    add_samples()
    bundle, _, sheet = sheet_of(Character.objects.select_related("ruleset").get(sample=slug))
    tried = 0
    for key, value in sheet.values.items():
        assert sum(step.amount for step in value.because if step.applied) == value.value, key
        (part,) = explanations.explain(bundle, sheet, key).parts
        if part.lines and part.lines[-1].running:
            assert number(part.lines[-1].running) == value.value, key
        tried += 1
    for key, roll in sheet.rolls.items():
        dice, modifier, *_ = explanations.explain(bundle, sheet, key).parts
        assert number(dice.lines[-1].running) == roll.dice, key
        assert not modifier.lines or number(modifier.lines[-1].running) == roll.modifier, key
        tried += 1
    for attack in sheet.attacks:
        if attack.damage_dice:
            damage = sum(step.amount for step in attack.because if step.applied and step.part == "damage")
            assert damage == attack.damage_modifier, explanations.attack_key(attack)
            tried += 1
    assert tried > 80


@pytest.mark.parametrize(("bonus", "words"), [("2", "shield bonus 2"), ("3", "shield bonus 3 (house rule)")])
def test_an_amount_that_a_house_rule_has_changed_says_so(bonus, words):
    sheet = derive(bundle_for("polyhedral"), hero(items=["shield@worn"], switches={"shieldBonus": bonus}))
    assert [step.text for step in sheet.values["defense"].because if step.source == "Shield"] == [words]


@pytest.mark.parametrize("of", ["amount", "rank"])
def test_an_amount_that_counts_levels_has_the_games_own_word(of):
    """For the levels it counts by, and for the level from which it counts."""
    bundle = bundle_for("polyhedral")
    core = bundle.elements["rules:core-rules"]
    row = content.Effect("modify", core.ref, stat="defense", op="add", amount=content.Amount(1, per="level"))
    row = replace(row, from_rank=9 if of == "rank" else 1)
    elements = {**bundle.elements, core.ref: replace(core, effects=(*core.effects, row))}
    game = replace(bundle.game, levels=SimpleNamespace(**{**vars(bundle.game.levels), "NAME": "tide"}))
    step = derive(replace(bundle, elements=elements, game=game), hero()).values["defense"].because[-1]
    assert (step.text, step.why) == ("at 1 tide", "only from tide 9; it is 1" if of == "rank" else "")


@pytest.mark.slow
@pytest.mark.parametrize("slug", SAMPLES)
def test_every_number_has_a_page(client, slug):
    add_samples()
    _, _, sheet = sheet_of(Character.objects.select_related("ruleset").get(sample=slug))
    for key in every_key(sheet):
        assert client.get(f"/samples/{slug}/explain/{key}/").status_code == 200, key


def test_every_number_on_the_sheet_leads_to_a_page(client):
    add_samples()
    text = client.get(f"/samples/{SAMPLES[0]}/").content.decode()
    links = set(re.findall(r'class="why[^"]*" href="([^"]+)"', text))
    assert len(links) > 80
    for link in links:
        assert client.get(link).status_code == 200, link


def test_a_page_says_where_each_amount_is_from(client, ana):
    client.force_login(ana)
    url = owned_by(ana).get_absolute_url()
    text = client.get(f"{url}explain/health.max/").content.decode()
    assert "/rules/polyhedral/job/fighter/" in text
    assert "Total" in text


def test_an_amount_that_does_not_count_says_why(client, ana):
    client.force_login(ana)
    text = client.get(f"{owned_by(ana).get_absolute_url()}explain/defense/").content.decode()
    assert "Does not count:" in text


def test_an_amount_that_depends_on_the_situation_is_listed_apart(client):
    add_samples()
    text = client.get("/samples/ilien-of-the-reeds/explain/skill.awareness/").content.decode()
    assert "Counts only when it applies" in text
    assert "To see or hear" in text


def test_a_limit_that_waits_or_does_not_count_is_not_written_as_an_addition(db):
    bundle = bundle_for("polyhedral")
    tough, when = "talent:tough", next(one for one in bundle.circumstances.values() if one.detection == "toggle")
    rows = tuple(
        content.Effect(owner=tough, kind="modify", stat="speed", op=op, amount=content.Amount(flat=flat), **more)
        for op, flat, more in (
            ("at_most", 10, {"when": when.slug}), ("multiply", 2, {"when": when.slug}), ("at_most", 500, {}),
            ("set", 90, {"from_rank": 20}),
        )
    )  # fmt: skip
    bundle = bundle.with_elements([replace(bundle.elements[tough], effects=rows)])
    sheet = derive(bundle, Build(awards=(Award(ref=tough, reason="to look"),)))
    (part,) = explanations.explain(bundle, sheet, "speed").parts
    assert {line.amount for line in part.waiting if line.source == "Tough"} == {"at most 10", "times 2"}
    assert {(line.text, line.amount) for line in part.ignored} == {("at most 500", ""), ("becomes 90", "")}


def test_a_row_about_a_die_or_a_critical_says_what_it_makes_of_it():
    bundle = bundle_for("polyhedral")
    sheet = derive(bundle, hero(level=13, path="champion", items=["longsword@two-hands"]))
    parts = explanations.explain(bundle, sheet, "attack.longsword.two-hands").parts
    said = {(part.title, line.source): line.amount for part in parts for line in (*part.lines, *part.ignored)}
    assert said["Damage dice", "Longsword"] == ""  # its text is "1d8"
    assert said["Damage dice", "Versatile"] == "d10"
    assert said["Critical", "Improved Critical"] == "5 or more"
    criticals = next(part for part in parts if part.title == "Critical")
    assert [line.amount for line in criticals.lines] == ["4 or more", "2D or more"]
    assert [line.source for line in criticals.ignored] == ["Improved Critical"]


def test_a_row_that_decides_without_dice_adds_none():
    build = replace(hero(level=1), conditions=(Held("condition:unconscious"),))
    bundle = bundle_for("polyhedral")
    explanation = explanations.explain(bundle, derive(bundle, build), "save.strength")
    assert explanation.remarks[0] == "Fails without a roll."
    dice, _ = explanation.parts
    assert [(line.source, line.text, line.amount, line.running) for line in dice.lines] == [
        ("Core rules", "every roll starts with three dice", "3D", "3D"),
        ("Unconscious", "fails", "", ""),
    ]


@pytest.mark.parametrize(
    ("roll", "key"),
    [
        ("save", "save.mind"), ("check", "check.mind"), ("check", "skill.stealth"), ("attack", "spell-attack"),
        ("attack", "attack.unarmed-strike.unarmed"), ("against", "against"), ("initiative", "initiative"),
    ],
)  # fmt: skip
def test_a_note_on_a_kind_of_roll_stands_by_each_roll_of_this_kind(roll, key):
    note = content.Effect(kind="note", owner="", roll=roll, text="Say it aloud.")
    bundle, build = blessed(bundle_for("polyhedral"), hero(), note)
    assert "Blessing: Say it aloud." in explanations.explain(bundle, derive(bundle, build), key).remarks


def test_htmx_gets_the_panel_alone(client):
    add_samples()
    url = f"/samples/{SAMPLES[0]}/explain/defense/"
    panel = client.get(url, headers={"hx-request": "true"})
    assert b"<html" not in panel.content
    assert b"<html" in client.get(url).content
    assert "HX-Request" in panel.headers["Vary"]


@pytest.mark.parametrize(
    "key", ["nothing", "skill.juggling", "attack.longsword.teeth", "action.none.none", "%00", "a" * 500]
)
def test_an_unknown_number_is_not_found(client, key):
    add_samples()
    assert client.get(f"/samples/{SAMPLES[0]}/explain/{key}/").status_code == 404
