"""Lines in the words of authors who know other games: each with the sentence it is read as, or its refusal."""

import pytest

from rules.patterns.lines import edit_of, lines_of
from rules.patterns.words import NotUnderstood, Words

pytestmark = pytest.mark.django_db

UNDERSTOOD = {
    "proficient in Stealth": "is proficient with Stealth",
    "you gain proficiency in the Stealth skill": "is proficient with Stealth",
    "trained in Stealth": "is proficient with Stealth",
    "resistance to poison": "resists Poison",
    "resistance to fire damage": "resists Fire",
    "fire resistance": "resists Fire",
    "immune to poison": "is immune to Poison",
    "poison immunity": "is immune to Poison",
    "cannot be frightened": "is immune to Frightened",
    "immune to the Charmed condition": "is immune to Charmed",
    "vulnerability to fire damage": "is vulnerable to Fire",
    "weakness to fire": "is vulnerable to Fire",
    "speaks Elvish": "knows Elvish",
    "Languages: Elvish": "knows Elvish",
    "starts with a longsword": "owns Longsword",
    "requires Strength 13": "needs Strength at least 13",
    "Prerequisite: Strength 13 or higher": "needs Strength at least 13",
    "needs Strength 13+": "needs Strength at least 13",
    "Prerequisites: 4th level": "needs level 4",
    "must be level 5": "needs level 5",
    "requires proficiency in Stealth": "needs proficiency with Stealth",
    "2 uses per short rest": "2 uses, back after a short rest",
    "2/long rest": "2 uses, back after a long rest",
    "once per long rest": "1 use, back after a long rest",
    "twice per short rest": "2 uses, back after a short rest",
    "2 uses, recharges on a short rest": "2 uses, back after a short rest",
    "1 charge, regained after a long rest": "1 use, back after a long rest",
    "3 Sap, back after a short rest": "3 uses of Sap, back after a short rest",
    "3 Sap per short rest": "3 uses of Sap, back after a short rest",
    "Bonus action: Rage, 2/long rest": "Bonus action: Rage, 2 uses, back after a long rest",
    "Bonus action: Breath, regains 1d8": "Bonus action: Breath, heals 1d8",
    "Action: Burst, deals 2d8 damage": "Action: Burst, 2d8 damage",
    "a −1 penalty to Defense": "−1 to Defense",
    "+1 status bonus to Defense": "+1 to Defense",
    "+10 feet to Speed": "+10 to Speed",
    "your Speed increases by 10 feet": "+10 to Speed",
    "Speed is reduced by 10": "−10 to Speed",
    "Strength +2": "+2 to Strength",
    "+1 to hit": "+1 on attack rolls",
    "+2 on damage rolls": "+2 on damage",
    "You have advantage on Stealth checks": "advantage on checks of Stealth",
    "advantage on Strength saves": "advantage on saving throws of Strength",
    "disadvantage on all attacks": "disadvantage on attack rolls",
    "attack rolls against the creature have advantage": "advantage on attack rolls against this character",
    "automatically fails Strength saving throws": "saving throws of Strength fail without a roll",
    "At 3rd level, +1 to Defense": "from level 3: +1 to Defense",
    "choose two skills": "choose 2 of skills",
    "proficiency in two skills of your choice": "choose 2 of skills",
    "one language of your choice": "choose 1 language",
}
NO_REST = "No rest is called “day”. Write Start of your turn, Short rest, Long rest, End of an adventure or Downtime."
REFUSED = {
    "advantage on Stealth": (
        "Say which rolls: “advantage on checks of Stealth”, or “saving throws” in place of “checks”."
    ),
    "Darksight": "Write “gains Darksight”.",
    "At 3rd level, you gain Darksight": "Write “gains Darksight”.",
    "you are frightened": "Write “gains Frightened”.",
    "Elvish": "Write “knows Elvish”.",
    "finesse": "Finesse is a property, which no line gives.",
    "Speed 30 ft.": "Write “Speed starts at 30”; or “Speed becomes 30” if nothing else counts.",
    "Speed is 0": "Write “Speed starts at 0”; or “Speed becomes 0” if nothing else counts.",
    "3/day": NO_REST,
    "+1 to Defense and Speed": (
        "No circumstance is called “and Speed”. If these are two things, write each on a line of its own."
    ),
    "1d8 slashing": (
        "A line has dice only after the name of an action, as in “Action: Burst, 1d8 damage”. "
        "A weapon's damage has its own fields."
    ),
    "resistance to frost": "No entry is called “frost”. Do you mean Rest?",
    "+1 forward": "No statistic is called “forward”.",
}


def edit(talent, *lines):
    return edit_of(talent, lines_of(talent), lines, Words(talent.source, talent.name, talent.kind))


@pytest.mark.parametrize("line", UNDERSTOOD)
def test_a_line_of_another_game_is_read_back_in_ours(talent, line):
    edit(talent, line).write()
    assert [one.text for one in lines_of(talent)] == [UNDERSTOOD[line]]


@pytest.mark.parametrize("line", REFUSED)
def test_a_line_that_may_mean_several_things_is_refused_with_what_would_be_understood(talent, line):
    with pytest.raises(NotUnderstood) as refused:
        edit(talent, line)
    assert str(refused.value) == f"“{line.removesuffix('.')}”: {REFUSED[line]}"


def test_a_counter_in_other_words_is_spent_by_the_line_before_it(talent):
    edit(talent, "Action: Burst, costs 1 Sap", "3 Sap per long rest").write()
    assert [one.text for one in lines_of(talent)] == [
        "3 uses of Sap, back after a long rest",
        "Action: Burst, spends 1 Sap",
    ]
