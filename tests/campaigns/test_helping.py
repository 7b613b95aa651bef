"""A character helps another with a check that the storyteller asks for (section 22, ruling 99)."""

import re

import pytest

from campaigns.helping import NOBODY, helper_in, with_help
from campaigns.models import PartyAct
from campaigns.verbs import seats
from characters.change.refusals import RefusedForSome
from characters.models import Proposal
from characters.read.open import OpenCharacter
from tests.campaigns.acting import act, lost, opened
from tests.characters.cast import browser_of, new_key, person
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
NO_ID = 987_654_321  # no character has it


def skills(character, proficient):
    character.refresh_from_db()
    rolls = OpenCharacter.of(character, person(), None).sheet.rolls
    return [key for key, roll in rolls.items() if key.startswith("skill.") and bool(roll.proficient) is proficient]


def helped(party):
    """The option for each character: Cid helps Bo."""
    return {party["bo"].pk: f"help-{party['cid'].pk}", party["cid"].pk: ""}


def test_a_helped_character_rolls_with_advantage_and_reads_who_helps(campaign, party):
    skill = skills(party["cid"], proficient=True)[0]
    made = act(
        campaign, party, "roll", helped(party), sent={"roll": skill}, reason="Over the wall", rule="each", target=12
    )
    asked = {one.character: one for one in Proposal.objects.all()}
    assert asked[party["bo"]].sent == {"roll": skill, "side": "advantage"}
    assert asked[party["bo"]].reason == "Over the wall (Cid helps)"
    assert asked[party["cid"]].sent == {"roll": skill}
    assert asked[party["cid"]].reason == "Over the wall"
    assert made.sentence.endswith(": Bo (helped by Cid) and Cid.")


@pytest.mark.parametrize(
    ("key", "why"),
    [("{unskilled}", "Cid cannot help with {name}: only those proficient in it can."),
     ("check.strength", "Cid cannot help with Strength: only those proficient in it can."),
     ("save.agility", "Cid cannot help with Agility save: only those proficient in it can."),
     ("skill.juggling", "Cid cannot help with that: only those proficient in it can.")],
    ids=["AC-11", "ability", "save", "no such roll"],
)  # fmt: skip
def test_nobody_helps_with_a_roll_that_they_are_not_proficient_in(campaign, party, key, why):
    key = key.format(unskilled=skills(party["cid"], proficient=False)[0])
    rolls = opened(party["cid"]).sheet.rolls
    with pytest.raises(RefusedForSome) as refused:
        act(campaign, party, "roll", helped(party), sent={"roll": key}, rule="each", target=12)
    assert refused.value.refusals[party["bo"].pk].sentence == why.format(name=rolls[key].name if key in rolls else "")
    assert not Proposal.objects.exists()
    assert not PartyAct.objects.exists()


def test_nobody_helps_themselves(campaign, party):
    bo = party["bo"].pk
    with pytest.raises(RefusedForSome, match=NOBODY):
        act(campaign, party, "roll", {bo: f"help-{bo}"}, sent={"roll": skills(party["bo"], proficient=True)[0]})


@pytest.mark.parametrize("gone", [True, False])
def test_a_helper_who_is_not_at_the_table_is_refused_beside_whom_they_help(campaign, party, gone):
    bo, cid = party["bo"].pk, party["cid"].pk
    if gone:
        seats.stand_up(campaign.pk, person("cid"), party["cid"].seat.pk)
    with pytest.raises(RefusedForSome) as refused:
        act(campaign, party, "roll", {bo: f"help-{cid if gone else NO_ID}"}, sent={"roll": "skill.athletics"})
    assert {one: no.sentence for one, no in refused.value.refusals.items()} == {bo: NOBODY}
    assert not PartyAct.objects.exists()


def test_help_is_ignored_in_an_act_that_cannot_be_helped(campaign, party):
    made = act(campaign, party, "take_damage", helped(party))
    assert lost(party) == {"bo": 4, "cid": 4}
    assert made.what["sent"] == {"amount": "4"}
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("option", ["", "half", "help-", "help-x", "help--1", "help-" + "9" * 30, "7"])
def test_a_bad_option_names_no_helper(option):
    assert helper_in(option) is None


@pytest.mark.parametrize(
    ("reason", "told"), [("", "Cid helps"), ("The wall", "The wall (Cid helps)"), ("x" * 160, "x" * 159 + "…")]
)
def test_the_reason_says_who_helps(reason, told):
    assert with_help(reason, "Cid") == told
    assert with_help(reason, None) == reason


def look(campaign, party, **more):
    sent = {"key": new_key(), "do": "look", "to": [one.pk for one in party.values()], "rule": "each", **more}
    return html_of(browser_of("ana").post(f"/campaigns/{campaign.pk}/act/roll/", sent))


def test_the_page_offers_helpers_shows_the_better_chance_and_keeps_the_choice(campaign, party):
    skill, (bo, cid) = skills(party["cid"], proficient=True)[0], (party["bo"].pk, party["cid"].pk)
    alone = look(campaign, party, roll=skill, target=15)
    text = look(campaign, party, roll=skill, target=15, **{f"how-{bo}": f"help-{cid}"})
    assert re.search(rf'<option value="help-{cid}">\s*Cid', alone)
    assert re.search(rf'<option value="help-{cid}" selected>\s*Cid', text)
    assert f'value="help-{bo}" selected' not in text
    assert alone.count('class="act-ahead"') == text.count('class="act-ahead"') == 2
    assert alone != text
    stranger = look(campaign, party, roll=skill, target=15, **{f"how-{bo}": f"help-{NO_ID}"})
    assert NOBODY in stranger


def test_asking_with_a_helper_who_is_not_at_the_table_is_refused_with_the_form(campaign, party):
    """The helper may have left since the page was shown."""
    bo, skill = party["bo"].pk, skills(party["cid"], proficient=True)[0]
    sent = {
        "do": "propose",
        "to": [bo],
        "rule": "each",
        "roll": skill,
        "reason": "The wall",
        f"how-{bo}": f"help-{NO_ID}",
    }
    answer = browser_of("ana").post(f"/campaigns/{campaign.pk}/act/roll/", {"key": new_key(), **sent})
    assert answer.status_code == 422
    text = html_of(answer)
    assert NOBODY in text
    assert "The wall" in text
    assert not Proposal.objects.exists()
    assert not PartyAct.objects.exists()
