"""A requirement must be met when the pick is made, without the pick's own effects and without later gains."""

from dataclasses import replace

import pytest

from rules.engine import Decision, derive, options_for
from rules.engine.content import Amount, Effect, Element, Requirement
from tests.support.heroes import hero

STRONG = (Requirement("stat_min", stat="rank.strength", value=18),)
TALENT, CULTURE = "core-rules.level-talent", "human-culture.talent"


@pytest.fixture
def core(core):
    """The core rules with Mighty, a talent that needs Strength 18 and adds 2 to it, and Heir, which needs Tough."""
    stronger = Effect(kind="modify", owner="talent:mighty", stat="rank.strength", op="add", amount=Amount(flat=2))
    made = [
        Element("talent:mighty", "talent", "mighty", "Mighty", "test", prerequisites=STRONG, effects=(stronger,)),
        Element(
            "talent:heir", "talent", "heir", "Heir", "test", prerequisites=(Requirement("has", ref="talent:tough"),)
        ),
    ]
    for owner in {core.choices[key].owner for key in (TALENT, CULTURE)}:
        element = core.elements[owner]
        choices = tuple(
            replace(one, options=(*one.options, "talent:mighty", "talent:heir"))
            if one.key in (TALENT, CULTURE)
            else one
            for one in element.choices
        )
        made.append(replace(element, choices=choices))
    return core.with_elements(made)


def mighty(build, choice=TALENT, level=2):
    return replace(build, decisions=(*build.decisions, Decision(choice, level, ref="talent:mighty")))


def problems(core, build):
    return [(problem.where, problem.text) for problem in derive(core, build).problems]


def test_a_pick_does_not_meet_its_own_requirement(core):
    assert problems(core, mighty(hero(level=2, rank=1, strength=16))) == [
        ("levels[0]", "Mighty needs Strength at least 18; Strength is 16.")
    ]
    assert problems(core, mighty(hero(level=2, rank=1, strength=18))) == []


def test_a_pick_of_creation_is_not_helped_by_a_later_level(core):
    build = mighty(hero(level=2, rank=1, culture="human-culture", strength=16), CULTURE, level=1)
    raised = replace(
        build, decisions=(*build.decisions, Decision("core-rules.level-abilities", 2, stat="rank.strength", points=2))
    )
    where = "choices.human-culture.talent[0]"
    assert (where, "Mighty needs Strength at least 18; Strength is 16.") in problems(core, build)
    assert (where, "Mighty needs Strength at least 18; level 1 was too early.") in problems(core, raised)


def test_what_creation_offers_goes_by_the_character_at_level_one(core):
    """As the problem would: whatever is offered is accepted."""
    build = hero(level=2, rank=1, culture="human-culture", strength=16)
    raise_it = Decision("core-rules.level-abilities", 2, stat="rank.strength", points=2)
    later = replace(build, decisions=(*build.decisions, raise_it))
    (offered,) = (o for o in options_for(core, later, derive(core, later), CULTURE, 1) if o.ref == "talent:mighty")
    assert offered.why_not == "Needs Strength at least 18."
    earlier = hero(level=2, rank=1, culture="human-culture", strength=18)
    (offered,) = (o for o in options_for(core, earlier, derive(core, earlier), CULTURE, 1) if o.ref == "talent:mighty")
    assert not offered.why_not


@pytest.mark.parametrize(
    ("talents", "expected"),
    [
        (["tough", "heir"], []),
        (["heir", "tough"], [("levels[0]", "Heir needs Tough; level 2 was too early.")]),
        (["heir"], [("levels[0]", "Heir needs Tough.")]),
    ],
)
def test_what_is_needed_comes_first(core, talents, expected):
    assert problems(core, hero(level=1 + len(talents), rank=1, talents=talents)) == expected
