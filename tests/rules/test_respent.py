"""A sheet whose amounts have moved, made from the one before it, is the one that is derived."""

import random
from dataclasses import replace

import pytest

from rules.compile import bundle_for
from rules.engine import Build, derive, respent
from rules.engine.build import Held
from rules.engine.chance import answer_all
from rules.systems import system_of

pytestmark = pytest.mark.django_db


def walker(bundle, chance):
    """A legal character by chance at some level, bruised and under some condition."""
    system = system_of(bundle.system)
    build = system.chance.with_ranks(bundle, Build(name="Walker"), chance)
    build = answer_all(bundle, replace(build, xp=1000 * chance.randrange(12)), chance, system.chance.OWN_WORDS)
    held = [Held(ref) for ref in chance.sample(sorted(e.ref for e in bundle.of_kind("condition")), chance.randrange(3))]
    return moved(bundle, replace(build, conditions=tuple(held)), chance)


def moved(bundle, build, chance):
    spent = dict(build.spent)
    for slug in chance.sample(sorted(bundle.resources), chance.randrange(1, 4)):
        spent[slug] = chance.randrange(5)
    return replace(build, spent={slug: amount for slug, amount in spent.items() if amount})


def test_it_answers_what_derive_would(db):
    bundle, chance, answered = bundle_for("polyhedral"), random.Random(7), 0
    present = system_of(bundle.system).present
    for _ in range(40):
        was = walker(bundle, chance)
        before = derive(bundle, was)
        page = present.present(bundle, was, before)
        for _ in range(12):
            build = moved(bundle, was, chance)
            sheet = respent(bundle, was, build, before)
            if sheet is None:
                continue
            answered += 1
            assert sheet == derive(bundle, build), (was.spent, build.spent)
            assert present.respent(page, bundle, sheet) == present.present(bundle, build, sheet)
    assert answered > 30


def test_words_and_a_rest_leave_the_very_same_sheet():
    bundle, was = bundle_for("polyhedral"), Build(name="Mira")
    before = derive(bundle, was)
    assert respent(bundle, was, replace(was, notes=("Rain.",), rest="short-rest", rest_dice=1), before) is before


@pytest.mark.parametrize("other", [{"xp": 1000}, {"toggles": frozenset({"half-cover"})}, {"left": {"health": 1}}])
def test_anything_else_is_not_its_business(other):
    bundle, was = bundle_for("polyhedral"), Build(name="Mira")
    assert respent(bundle, was, replace(was, **other), derive(bundle, was)) is None
